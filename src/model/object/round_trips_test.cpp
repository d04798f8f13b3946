// SPDX-License-Identifier: Apache-2.0
//
// What operations cost on a file with high latency, in round trips. The time is counted, nobody waits.
#include <gtest/gtest.h>

#include <numeric>

#include "format/messages/datatype.hpp"
#include "io/memory/memory_file.hpp"
#include "io/selection.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "testing/latency_file.hpp"
#include "testing/pass_through_file.hpp"

namespace filigree::model {
namespace {

constexpr int objects = 1000;

/// Groups with space of their own for elements between them, as datasets have it.
Buffer image_with_objects(Version low, std::uint64_t data_bytes, std::uint64_t page_bytes = 4096) {
  CreateOptions options;
  options.space.strategy = SpaceStrategy::paged;
  options.space.page_bytes = page_bytes;
  AccessOptions access;
  access.versions.low = low;
  const auto file = File::create(std::make_unique<io::MemoryFile>(), options, access);
  {
    const Change change(*file, "add objects");
    LinkTable root(*file, file->root());
    for (int i = 0; i < objects; ++i) {
      LinkMessage link;
      link.name = "object" + std::to_string(i);
      link.kind = format::LinkKind::hard;
      link.header = LinkTable::create_group(*file, {});
      root.insert(std::move(link));
      if (data_bytes == 0) continue;
      const Address at = file->store().space().allocate(store::SpaceKind::raw, data_bytes);
      file->store().write(at, Buffer(data_bytes));
    }
  }
  return file->image();
}

testing::LatencyOptions is_high_latency() {
  testing::LatencyOptions options;
  options.sleep = false;
  options.coalescing = io::CoalescingLimits();
  // What such a device moves while it would answer once.
  options.coalescing->read_gap_bytes = 4u << 20;
  options.coalescing->merged_bytes = 16u << 20;
  options.coalescing->staging_bytes = 64u << 20;
  return options;
}

double trips_to_list(const Buffer& image) {
  io::MemoryFile memory(image);
  auto latency = std::make_unique<testing::LatencyFile>(memory, is_high_latency());
  const testing::LatencyFile& counter = *latency;
  const auto file = File::open(std::move(latency), {});
  std::vector<Address> headers;
  LinkTable(*file, file->root()).for_each(IndexBy::name, Direction::ascending, [&](const LinkMessage& link) {
    headers.push_back(link.header);
    return true;
  });
  file->store().prefetch(headers);
  for (const Address header : headers) EXPECT_EQ(object_kind(*file, header), ObjectKind::group);
  EXPECT_EQ(headers.size(), static_cast<std::size_t>(objects));
  return counter.round_trips();
}

TEST(RoundTrips, OpeningAPagedFileAndListing1000ObjectsTakesAtMostFour) {
  for (const Version low : {Version::earliest, Version::v1_8, Version::v1_10}) {
    EXPECT_LE(trips_to_list(image_with_objects(low, 0)), 4.0) << static_cast<int>(low);
    EXPECT_LE(trips_to_list(image_with_objects(low, 1000)), 4.0) << static_cast<int>(low);
  }
}

/// A name index of three levels that is stored apart from all else: each level is a round trip.
TEST(RoundTrips, MuchDataBetweenTheObjectsOfAPagedFileCostsOneMore) {
  for (const Version low : {Version::earliest, Version::v1_8, Version::v1_10}) {
    for (const std::uint64_t page_bytes : {4096u, 65536u}) {
      EXPECT_LE(trips_to_list(image_with_objects(low, 32u << 10, page_bytes)),
                low == Version::earliest ? 4.0 : 5.0)
          << static_cast<int>(low) << ", pages of " << page_bytes;
    }
  }
}

/// A file of 4-byte floats in one contiguous dataset, whose values count up.
struct Numbers {
  static constexpr std::uint64_t count = 4u << 20;
  Buffer image;
  Address dataset;

  Numbers() {
    const auto file = File::create(std::make_unique<io::MemoryFile>(), {}, {});
    file->begin_change("test");
    NewDataset made;
    made.type = format::ieee_float(4);
    made.space.kind = format::DataspaceKind::simple;
    made.space.dims = {count};
    dataset = create_dataset(*file, made);
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0f);
    const auto all = space::Selection::all(space::Frame({count}));
    Dataset(*file, dataset).write({all, all, made.type}, reinterpret_cast<const std::byte*>(values.data()));
    image = file->image();
  }
};

std::vector<float> read_selected(File& file, Address dataset, const space::Selection& selection) {
  std::vector<float> values(selection.elements());
  const auto memory = space::Selection::all(space::Frame({values.size()}));
  Dataset(file, dataset)
      .read({selection, memory, format::ieee_float(4)}, reinterpret_cast<std::byte*>(values.data()));
  return values;
}

TEST(RoundTrips, ReadingABlockOfEach64KibibytesTakesAsManyAsTheDepthAllows) {
  const Numbers numbers;
  io::MemoryFile memory(numbers.image);
  testing::LatencyOptions options;
  options.sleep = false;
  options.depth = 64;
  options.coalescing = io::CoalescingLimits();
  auto latency = std::make_unique<testing::LatencyFile>(memory, options);
  testing::LatencyFile& counter = *latency;
  const auto file = File::open(std::move(latency), {});
  const auto blocks = space::Selection::regular(space::Frame({Numbers::count}), {{100, 16384, 256, 64}});
  Dataset(*file, numbers.dataset).require_data(1, 4);  // the header is in memory from here on
  counter.reset();
  const std::vector<float> values = read_selected(*file, numbers.dataset, blocks);
  EXPECT_EQ(values[64], 16484.0f);
  EXPECT_GE(counter.round_trips(), 4.0);
  EXPECT_LE(counter.round_trips(), 5.0);
}

/// 64 chunks of 256 KiB, of numbers that take about their size when they are deflated: far more than what is
/// read when the file is opened.
struct ChunkedNumbers {
  static constexpr std::uint64_t rows = 2048, columns = 2048;
  std::vector<float> values{std::vector<float>(rows * columns)};
  NewDataset made;

  explicit ChunkedNumbers(bool deflated) {
    made.type = format::ieee_float(4);
    made.space.kind = format::DataspaceKind::simple;
    made.space.dims = {rows, columns};
    made.layout = format::LayoutClass::chunked;
    made.chunk = {256, 256};
    if (deflated) {
      made.filters.resize(1);
      made.filters[0].id = 1;
      made.filters[0].parameters = {1};
    }
    std::uint32_t number = 0;
    for (float& value : values) value = static_cast<float>(number += 2654435761u);
  }
  space::Selection all() const { return space::Selection::all(space::Frame({rows, columns})); }
  Address write(File& file) const {
    file.begin_change("test");
    const Address dataset = create_dataset(file, made);
    Dataset(file, dataset)
        .write({all(), all(), made.type}, reinterpret_cast<const std::byte*>(values.data()));
    return dataset;
  }
};

TEST(RoundTrips, ChunksAreReadWithOneRequestHoweverMany) {
  for (const bool deflated : {false, true}) {
    const ChunkedNumbers numbers(deflated);
    const auto created = File::create(std::make_unique<io::MemoryFile>(), {}, {});
    const Address dataset = numbers.write(*created);
    io::MemoryFile memory(created->image());
    auto latency = std::make_unique<testing::LatencyFile>(memory, is_high_latency());
    testing::LatencyFile& counter = *latency;
    const auto file = File::open(std::move(latency), {});
    const auto one = space::Selection::regular(space::Frame({2048, 2048}), {{0, 1, 1, 1}, {0, 1, 1, 1}});
    ASSERT_EQ(read_selected(*file, dataset, one)[0],
              numbers.values[0]);  // header and index are in memory from here on
    counter.reset();
    EXPECT_EQ(read_selected(*file, dataset, numbers.all()), numbers.values);
    EXPECT_LE(counter.round_trips(), 2.0) << deflated;
    // Parts of all chunks, which go through the cache.
    const auto part =
        space::Selection::regular(space::Frame({2048, 2048}), {{1, 1, 1, 2046}, {7, 256, 8, 1}});
    auto parts = std::make_unique<testing::LatencyFile>(memory, is_high_latency());
    testing::LatencyFile& parts_counter = *parts;
    const auto fresh = File::open(std::move(parts), {});
    ASSERT_EQ(read_selected(*fresh, dataset, one)[0], numbers.values[0]);
    parts_counter.reset();
    EXPECT_EQ(read_selected(*fresh, dataset, part)[9], numbers.values[2 * 2048 + 263]);
    EXPECT_LE(parts_counter.round_trips(), 2.0) << deflated;
  }
}

TEST(RoundTrips, ChunksAreWrittenWithOneRequestHoweverMany) {
  for (const bool deflated : {false, true}) {
    const ChunkedNumbers numbers(deflated);
    io::MemoryFile memory;
    auto latency = std::make_unique<testing::LatencyFile>(memory, is_high_latency());
    testing::LatencyFile& counter = *latency;
    const auto file = File::create(std::move(latency), {}, {});
    counter.reset();
    const Address dataset = numbers.write(*file);
    EXPECT_LE(counter.round_trips(), 4.0) << deflated;
    EXPECT_EQ(read_selected(*file, dataset, numbers.all()), numbers.values);
  }
}

/// A driver that takes selections, by doing what it would have been given otherwise.
class SelectionFile : public testing::PassThroughFile {
 public:
  using PassThroughFile::PassThroughFile;
  const io::DriverCapabilities& capabilities() const override {
    static const io::DriverCapabilities with_selections{.selections = true};
    return with_selections;
  }
  mutable int reads = 0;
  int writes = 0;

 private:
  bool do_read_selections(std::span<const io::SelectionRead> pieces, io::MemoryType type) const override {
    ++reads;
    wrapped().read_selections(pieces, type);
    return true;
  }
  bool do_write_selections(std::span<const io::SelectionWrite> pieces, io::MemoryType type) override {
    ++writes;
    wrapped().write_selections(pieces, type);
    return true;
  }
};

TEST(SelectionIo, DriversThatTakeSelectionsGetThemAsTheyAre) {
  const Numbers numbers;
  io::MemoryFile memory(numbers.image);
  auto driver = std::make_unique<SelectionFile>(memory);
  SelectionFile& seen = *driver;
  const auto file = File::open(std::move(driver), {});
  const auto every_third = space::Selection::regular(space::Frame({Numbers::count}), {{1, 3, 1000, 1}});
  EXPECT_EQ(read_selected(*file, numbers.dataset, every_third)[999], 2998.0f);
  EXPECT_EQ(seen.reads, 1);
  const std::vector<float> changed(1000, -1.0f);
  const auto all = space::Selection::all(space::Frame({1000}));
  file->begin_change("test");
  Dataset(*file, numbers.dataset)
      .write({every_third, all, format::ieee_float(4)}, reinterpret_cast<const std::byte*>(changed.data()));
  EXPECT_EQ(seen.writes, 1);
  EXPECT_EQ(read_selected(*file, numbers.dataset, every_third), changed);
  // Elements that are converted as well.
  std::vector<double> wide(1000);
  Dataset(*file, numbers.dataset)
      .read({every_third, all, format::ieee_float(8)}, reinterpret_cast<std::byte*>(wide.data()));
  EXPECT_EQ(wide[0], -1.0);
  EXPECT_EQ(seen.reads, 3);
}

}  // namespace
}  // namespace filigree::model
