// SPDX-License-Identifier: Apache-2.0
//
// Round trips: the cost of operations on a file with a latency of about 20 ms.
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <filigree/filigree.hpp>

#include "bench.hpp"
#include "high_latency_file.hpp"

namespace bench {
namespace {

using filigree::space::Frame;
using Elements = filigree::space::Selection;

void trips(std::string name, const HighLatencyFile& file, std::optional<double> limit = {}) {
  report({.name = std::move(name), .ours = file.round_trips(), .limit = limit, .unit = "trips"});
}

filigree::CreateOptions paged() {
  filigree::CreateOptions options;
  options.space.strategy = filigree::SpaceStrategy::paged;
  return options;
}

std::vector<std::byte> many_objects(int count, filigree::Version low) {
  filigree::AccessOptions access;
  access.versions.low = low;
  auto file = filigree::File::create_in_memory(paged(), access);
  auto group = file.root().create_group("many");
  for (int i = 0; i < count; ++i) group.create_group(fmt::format("object{:06}", i));
  return file.image();
}

void objects() {
  for (const auto& [low, name] :
       {std::pair{filigree::Version::earliest, "1.0"}, std::pair{filigree::Version::v1_10, "1.10"}}) {
    HighLatencyFile listed(many_objects(1000, low));
    require(listed.list("many") == 1000, "objects that are listed");
    trips(fmt::format("open a paged file and list 1,000 objects, format {}", name), listed, 4);
    HighLatencyFile found(many_objects(100'000, low));
    found.find("many/object077777");
    trips(fmt::format("open a paged file and one object of 100,000, format {}", name), found);
  }
}

constexpr std::uint64_t side = 2048;

/// Numbers that deflate cannot compress.
float number(std::uint64_t element) {
  element = (element ^ element >> 13) * 0x9E3779B97F4A7C15;
  element = (element ^ element >> 29) * 0xBF58476D1CE4E5B9;
  return static_cast<float>(element >> 40);
}

std::vector<float> numbers() {
  std::vector<float> values(side * side);
  for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = number(i);
  return values;
}

void dense(const char* name, const filigree::DatasetOptions& options) {
  auto made = filigree::File::create_in_memory(paged());
  made.root()
      .create_dataset<float>("data", filigree::Dataspace::simple({side, side}), options)
      .write(numbers());
  const Frame frame({side, side});
  HighLatencyFile file(made.image());
  require(file.read("data", Elements::regular(frame, {{100, 1, 1, 64}, {300, 1, 1, 64}}))[65] ==
              number(101 * side + 301),
          "a box of a file with high latency");
  trips(fmt::format("open, read a box of 64 x 64 of 2048 x 2048 float, {}", name), file);
  file.reset();
  require(file.read("data", Elements::all(frame)) == numbers(), "values of a file with high latency");
  trips(fmt::format("then all of it, {}", name), file);
}

/// The gaps between neighbouring blocks are too large to be read along with them.
void scattered_blocks() {
  auto made = filigree::File::create_in_memory();
  made.root().create_dataset<float>("data", filigree::Dataspace::simple({side * side})).write(numbers());
  HighLatencyFile file(made.image(), 4096);
  const auto blocks = Elements::regular(Frame({side * side}), {{100, 16384, 256, 64}});
  file.find("data");
  (void)file.read(
      "data", Elements::regular(Frame({side * side}), {{0, 1, 1, 1}}));  // the header is cached from here on
  file.reset();
  require(file.read("data", blocks)[64] == number(16484), "blocks of a file with high latency");
  trips("read 256 scattered blocks, 64 requests at once", file, 5);
}

void sparse() {
  using namespace filigree;
  auto made = File::create_in_memory(paged());
  auto data = made.root().create_dataset<float>("data", Dataspace::simple({side, side}),
                                                sparse_chunks({256, 256})
                                                    .values({filters::shuffle(), filters::deflate(1)})
                                                    .selection({filters::packed_selection()}));
  std::mt19937 random(3);
  std::vector<std::uint64_t> offsets(side * side / 100);
  for (auto& offset : offsets) offset = random() % (side * side);
  const auto chosen = filigree::Selection::of_offsets({side, side}, offsets);
  const std::vector<float> values(chosen.elements(), 1.0F);
  data.write(values, chosen);
  made.flush();
  HighLatencyFile file(made.image());
  const Frame frame({side, side});
  require(file.count_defined("data", Elements::all(frame)) == values.size(),
          "defined elements of a file with high latency");
  trips("open, defined() of 2048 x 2048 at 1 %, 64 sparse chunks", file);
  HighLatencyFile all(made.image());
  require(all.read_defined("data", Elements::all(frame)) == values,
          "sparse values of a file with high latency");
  trips("open, read all of it with their selection", all);
  HighLatencyFile again(made.image());
  (void)again.read_defined("data", Elements::regular(frame, {{300, 1, 1, 64}, {300, 1, 1, 64}}));
  trips("open, read a box of 64 x 64 of it", again);
}

}  // namespace

void run_latency() {
  objects();
  scattered_blocks();
  dense("contiguous", {});
  filigree::DatasetOptions chunked;
  chunked.chunk = {256, 256};
  dense("64 chunks", chunked);
  chunked.filters = {filigree::filters::shuffle(), filigree::filters::deflate(4)};
  dense("64 deflated chunks", chunked);
  sparse();
}

}  // namespace bench
