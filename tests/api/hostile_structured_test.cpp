// SPDX-License-Identifier: Apache-2.0
//
// Files of sparse, chunked and virtual datasets in which single numbers lie, with checksums that fit:
// whatever is done to them gives a result or an Error, soon, and without much more memory than the file has
// bytes.
#include <cstring>
#include <functional>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "damage.hpp"
#include "guarded.hpp"

namespace filigree {
namespace {

using damage::guard;
using damage::Guarded;
using damage::guarded_parts;
using damage::Image;
using damage::is_guarded;
using Dims = std::vector<std::uint64_t>;
using Ints = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;

DatasetOptions of_kind(int kind, Dims chunk) {
  DatasetOptions options;
  options.chunk = std::move(chunk);
  options.sparse = kind < 4 || kind >= 6;
  options.portable = kind >= 6;
  options.heap_in_chunks = kind >= 3 && kind < 5;
  if (kind == 1 || kind == 7) options.selection_filters = {filters::packed_selection()};
  if (kind == 1 || kind == 5 || kind == 7) options.filters = {filters::shuffle(), filters::deflate(1)};
  if (kind == 2) options.selection_filters = {filters::deflate(1)};
  return options;
}

/// Kinds of chunks: sparse, packed, deflated in section 0, sparse texts, dense texts, dense, portable,
/// portable and packed.
void add(File& file, int kind, const std::string& name, const Dims& most) {
  const Dataspace space = Dataspace::simple({10, 12}, most);
  const auto options = of_kind(kind, {most[0] == 10 && most[1] == 12 ? 10u : 4u, most[1] == 12 ? 12u : 5u});
  const Selection some = Selection::of_offsets({10, 12}, Dims{3, 4, 5, 17, 40, 41, 63, 77, 78, 99, 119});
  if (kind == 3 || kind == 4) {
    auto data = file.root().create_dataset<std::string>(name, space, options);
    data.write(Texts{"a", "", "three", "x", "y", "z", "seven", "8", "9", "10", "eleven"}, some);
  } else {
    auto data = file.root().create_dataset<std::int32_t>(name, space, options);
    data.write(Ints{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, some);
  }
}

Image make_image(int kind) {
  AccessOptions access;
  access.versions.low = Version::latest;
  File file = File::create_in_memory({}, access);
  int number = 0;
  for (const Dims& most : {Dims{10, 12}, Dims{20, 24}, Dims{unlimited, 12}, Dims{unlimited, unlimited}})
    add(file, kind, "d" + std::to_string(number++), most);
  return file.image();
}

void read_all(const Dataset& data) {
  data.datatype().type_class() == TypeClass::string ? void(data.read<Texts>()) : void(data.read<Ints>());
}

/// Everything that a program may do. What is large by right is left alone.
const std::vector<std::function<void(File&, Dataset&)>> uses = {
    [](File&, Dataset& data) { read_all(data); },
    [](File&, Dataset& data) { (void)data.defined(); },
    [](File&, Dataset& data) {
      if (data.datatype().type_class() == TypeClass::string)
        (void)read_defined<std::string>(data);
      else
        (void)read_defined<std::int32_t>(data, Selection::box({1, 1}, {8, 8}));
    },
    [](File&, Dataset& data) {
      if (data.datatype().type_class() != TypeClass::string) (void)read_defined_offsets<std::int32_t>(data);
    },
    [](File& file, Dataset& data) {
      if (data.datatype().type_class() != TypeClass::string)
        write_offsets<std::int32_t>(data, Dims{1, 30, 63, 90}, Ints{1, 2, 3, 4}, {0, 10000});
      file.flush();
      read_all(data);
    },
    [](File&, Dataset& data) {
      data.for_each_chunk([&](const ChunkInfo& chunk) {
        if (chunk.sections.empty()) (void)data.read_chunk(chunk.offset);
        if (!data.dataset_info().sections.empty()) (void)data.read_structured_chunk(chunk.offset);
        return true;
      });
      (void)data.stored_bytes();
    },
    [](File& file, Dataset& data) {
      data.resize({5, data.space().dims()[1]});
      file.flush();
    },
    [](File& file, Dataset& data) {
      if (data.datatype().type_class() == TypeClass::string)
        data.write(Texts(9, "new"), Selection::box({2, 2}, {3, 3}));
      else
        data.write(Ints(9, 5), Selection::box({2, 2}, {3, 3}));
      file.flush();
      read_all(data);
    },
    [](File& file, Dataset& data) {
      if (data.dataset_info().sparse) data.erase(Selection::box({0, 0}, {9, 12}));
      file.flush();
    },
    [](File& file, Dataset& data) { data.copy_to(file.root(), "copy"); },
    [](File& file, Dataset& data) {
      const std::string path = data.path();
      data = file.root().open_dataset(path);
      file.root().remove(path);
      file.flush();
    },
};

/// Empty when nothing is wrong.
std::string judge(const Image& image, std::size_t use) {
  damage::largest_allocation = 0;
  const double start = damage::seconds_of_this_thread();
  std::string complaint;
  for (const char* name : {"d0", "d1", "d2", "d3"}) {
    try {
      File file = File::open_image(image, OpenMode::read_write);
      Dataset data = file.root().open_dataset(name);
      const Dims dims = data.space().dims();
      const bool large = std::accumulate(dims.begin(), dims.end(), 1.0, std::multiplies<>()) > 10'000;
      if (large || dims.size() != 2 || data.datatype().size() > 64) continue;
      uses[use](file, data);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::internal) complaint = std::string("blames Filigree: ") + error.what();
    } catch (const std::exception& error) {
      complaint = std::string("not an Error: ") + error.what();
    }
  }
  // A write may rightly make blocks of an index, and a file in memory, larger.
  if (damage::largest_allocation > (8u << 20) + 8 * image.size())
    complaint += " allocates " + std::to_string(damage::largest_allocation) + " bytes at once";
  if (damage::seconds_of_this_thread() - start > 5) complaint += " takes seconds";
  return complaint;
}

class LyingFile : public ::testing::TestWithParam<int> {};

TEST_P(LyingFile, WithFittingChecksumsGivesAResultOrAnError) {
  const Image good = make_image(GetParam());
  for (std::size_t use = 0; use < uses.size(); ++use) EXPECT_EQ(judge(good, use), "") << "use " << use;
  const auto parts = guarded_parts(good);
  ASSERT_GT(parts.size(), 8u);
  std::mt19937 random(static_cast<unsigned>(GetParam()) + 1);
  int failures = 0;
  const int tries = std::getenv("FILIGREE_LIES") ? std::atoi(std::getenv("FILIGREE_LIES")) : 1500;
  for (int i = 0; i < tries && failures < 5; ++i) {
    const Guarded part = parts[random() % parts.size()];
    Image bad = good;
    const std::size_t at = part.start + random() % part.length;
    const std::uint64_t extreme = damage::extreme_words[random() % std::size(damage::extreme_words)];
    const std::size_t width =
        std::min<std::size_t>(std::size_t{1} << random() % 4, part.start + part.length - at);
    if (random() % 2 == 0)
      std::memcpy(&bad[at], &extreme, width);
    else
      bad[at] ^= static_cast<std::byte>(1u << random() % 8);
    guard(bad, part);
    const std::size_t use = random() % uses.size();
    const std::string complaint = judge(bad, use);
    if (complaint.empty()) continue;
    ++failures;
    ADD_FAILURE() << complaint << "; byte " << at - part.start << " of "
                  << std::string(reinterpret_cast<const char*>(&good[part.start]), 4) << " at " << part.start
                  << ", " << std::to_integer<int>(good[at]) << " is now " << std::to_integer<int>(bad[at])
                  << ", use " << use << ", try " << i;
  }
}

/// With the sums that fit, a bit of what says which elements there are makes them more, fewer or others.
TEST(LyingSelection, NeverGivesElementsWithoutValues) {
  AccessOptions access;
  access.versions.low = Version::latest;
  File file = File::create_in_memory({}, access);
  auto data = file.root().create_dataset<std::int32_t>(
      "d", Dataspace::simple({64, 128}),
      sparse_chunks({64, 64}).values({filters::shuffle()}).selection({filters::packed_selection()}));
  std::mt19937 random(9);
  Dims offsets;
  for (std::uint64_t i = 0; i < 64 * 128; ++i)
    if (i / 128 % 8 < 3 && i % 128 % 11 < 4 && random() % 3 != 0) offsets.push_back(i);
  Ints values(offsets.size());
  std::iota(values.begin(), values.end(), 1);
  write_offsets<std::int32_t>(data, offsets, values, {0, 64 * 128});
  file.flush();
  const Image good = file.image();
  const auto [offset, stored_bytes] = [&] {
    const ChunkInfo chunk = data.chunk_info({0, 0});
    return std::pair(static_cast<std::size_t>(chunk.address),
                     static_cast<std::size_t>(chunk.sections.at(0).stored_bytes));
  }();
  const Guarded part{offset, stored_bytes - 4};
  ASSERT_TRUE(is_guarded(good, part));
  std::size_t refused_for_their_number = 0;
  for (std::size_t bit = 0; bit < 8 * part.length; ++bit) {
    Image bad = good;
    bad[part.start + bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    guard(bad, part);
    try {
      const File lying = File::open_image(bad);
      const auto found = read_defined_offsets<std::int32_t>(lying.root().open_dataset("d"));
      EXPECT_EQ(found.offsets.size(), values.size()) << bit;
      EXPECT_TRUE(std::ranges::is_sorted(found.offsets)) << bit;
      EXPECT_LT(found.offsets.back(), 64u * 128u) << bit;
    } catch (const Error& error) {
      refused_for_their_number +=
          std::string(error.what()).find("defined elements and values differ") != std::string::npos;
    }
  }
  EXPECT_GT(refused_for_their_number, 20u);
}

std::string name_of(const ::testing::TestParamInfo<int>& kind) {
  const char* const names[] = {"Sparse",     "Packed", "Deflated", "SparseTexts",
                               "DenseTexts", "Dense",  "Portable", "PortablePacked"};
  return names[kind.param];
}
INSTANTIATE_TEST_SUITE_P(Kinds, LyingFile, ::testing::Range(0, 8), name_of);

}  // namespace
}  // namespace filigree
