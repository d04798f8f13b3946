// SPDX-License-Identifier: Apache-2.0
//
// A file that is written while others read it. Every prefix of the writes of a life is a file that a reader
// understands, and what a reader knew before stays true.
#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/messages/datatype.hpp"
#include "io/memory/memory_file.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "model/file/write_mark.hpp"
#include "model/link/link_table.hpp"
#include "testing/faulty_file.hpp"
#include "testing/pass_through_file.hpp"

namespace filigree::model {
namespace {

using format::LayoutClass;
using space::Frame;
using space::Selection;
using ::testing::HasSubstr;
using Shape = std::vector<std::uint64_t>;

constexpr std::uint64_t none = format::unlimited;

struct Growth {
  const char* name;
  Shape max;
  Shape chunk;
  std::vector<Shape> extents;  ///< one after every flush
  bool filtered = false;
  bool early = false;
  std::size_t cache_bytes = 64u << 20;
  bool sparse = false;
  SpaceStrategy strategy = SpaceStrategy::free_list;
  bool portable = false;  ///< the form of sparse chunks
};

void PrintTo(const Growth& growth, std::ostream* out) { *out << growth.name; }

/// One write of a device, or a new size of it.
struct Write {
  std::uint64_t offset = 0;
  Buffer bytes;
  bool resizes = false;  ///< to `offset`
};

/// Keeps what it is asked to write. The extents of one request have no order, so they are kept in any.
class Recorder : public testing::PassThroughFile {
 public:
  explicit Recorder(io::VirtualFile& file) : PassThroughFile(file) {}
  std::vector<Write> writes;
  bool unlocked = false;

 private:
  void do_write(std::span<const io::WriteExtent> extents) override {
    const std::size_t first = writes.size();
    for (const io::WriteExtent& e : extents) writes.push_back({e.offset, {e.from.begin(), e.from.end()}});
    std::shuffle(writes.begin() + static_cast<std::ptrdiff_t>(first), writes.end(), random_);
    forward(wrapped(), extents);
  }
  void do_truncate(std::uint64_t bytes) override {
    writes.push_back({bytes, {}, true});
    forward_truncate(wrapped(), bytes);
  }
  void do_unlock() override { unlocked = true; }

  std::mt19937 random_{7};
};

/// The same bytes, for a reader.
class Window : public testing::PassThroughFile {
 public:
  explicit Window(io::VirtualFile& file) : PassThroughFile(file) {}
  bool writable() const override { return false; }
};

AccessOptions newest(std::size_t cache_bytes = 64u << 20) {
  AccessOptions access;
  access.versions.low = Version::latest;
  access.metadata_cache_bytes = cache_bytes;
  return access;
}

format::DatatypeMessage number_type() { return format::fixed_point(4, true); }

Address find(File& file, const std::string& name) {
  return LinkTable(file, file.root()).find(name).value().header;
}

/// The element at these coordinates, whatever its version; the lowest bits are free for that.
int number_at(const Shape& at) {
  std::uint64_t number = 17;
  for (const std::uint64_t c : at) number = number * 31 + c * c + 3;
  return static_cast<int>(number % 1000003) * 16;
}

template <class See>
void for_each_element(const Shape& dims, See see) {
  std::uint64_t elements = 1;
  for (const std::uint64_t dim : dims) elements *= dim;
  Shape at(dims.size());
  for (std::uint64_t i = 0; i < elements; ++i) {
    see(at, i);
    for (std::size_t d = dims.size(); d-- > 0;) {
      if (++at[d] < dims[d]) break;
      at[d] = 0;
    }
  }
}

void make_dataset(File& file, const Growth& growth) {
  const Change change(file, "create a dataset");
  NewDataset made;
  made.type = number_type();
  made.space.kind = format::DataspaceKind::simple;
  made.space.dims = Shape(growth.max.size());
  if (growth.early) made.space.dims = growth.extents.front();
  made.space.max_dims = growth.max;
  made.layout = LayoutClass::chunked;
  made.chunk = growth.chunk;
  if (growth.sparse) {
    if (!growth.portable) made.layout = LayoutClass::structured;
    made.sparse = true;
  }
  if (growth.early) made.allocation = format::AllocationTime::early;
  if (growth.filtered) {
    made.filters.resize(2);
    made.filters[0].id = 2;  // shuffle
    made.filters[1].id = 1;  // deflate
    made.filters[1].parameters = {6};
  }
  LinkMessage message;
  message.name = "d";
  message.header = create_dataset(file, made);
  LinkTable(file, file.root()).insert(message);
}

/// Writes a box of the dataset, with that version of its values.
void write_box(File& file, const Shape& extent, const Shape& from, int version) {
  const Change change(file, "write");
  std::vector<space::SlabDimension> box;
  Shape dims;
  for (std::size_t d = 0; d < extent.size(); ++d) {
    dims.push_back(extent[d] - from[d]);
    box.push_back({from[d], 1, 1, dims[d]});
  }
  std::vector<int> values;
  for_each_element(dims, [&](Shape at, std::uint64_t) {
    for (std::size_t d = 0; d < at.size(); ++d) at[d] += from[d];
    values.push_back(number_at(at) + version);
  });
  if (values.empty()) return;
  Dataset(file, find(file, "d"))
      .write({Selection::regular(Frame(extent), box), Selection::all(Frame({values.size()})), number_type()},
             reinterpret_cast<const std::byte*>(values.data()));
}

/// Grows the dataset, writes what is new along the way, and something that was there before.
void grow(File& file, const Shape& before, const Shape& extent, int version) {
  {
    const Change change(file, "resize");
    Dataset(file, find(file, "d")).resize(extent);
  }
  for (std::size_t d = 0; d < extent.size(); ++d) {
    if (extent[d] == before[d]) continue;
    Shape from(extent.size());
    from[d] = before[d];
    write_box(file, extent, from, version);
  }
  Shape some(before.size());
  Shape end = before;
  for (std::size_t d = 0; d < end.size(); ++d) {
    some[d] = end[d] / 3;
    end[d] = std::min(end[d], some[d] + 2);
  }
  const Change change(file, "write");
  std::vector<space::SlabDimension> box;
  Shape dims;
  for (std::size_t d = 0; d < end.size(); ++d) {
    if (end[d] == some[d]) return;
    dims.push_back(end[d] - some[d]);
    box.push_back({some[d], 1, 1, dims[d]});
  }
  std::vector<int> values;
  for_each_element(dims, [&](Shape at, std::uint64_t) {
    for (std::size_t d = 0; d < at.size(); ++d) at[d] += some[d];
    values.push_back(number_at(at) + version);
  });
  Dataset(file, find(file, "d"))
      .write({Selection::regular(Frame(extent), box), Selection::all(Frame({values.size()})), number_type()},
             reinterpret_cast<const std::byte*>(values.data()));
}

/// The extent that the dataset has; all its elements must be right.
Shape checked_extent(File& file) {
  const Address header = find(file, "d");
  const DatasetMessages parts = *load_messages(file, header);
  std::vector<int> values(parts.elements);
  if (values.empty()) return parts.space.dims;
  Dataset(file, header)
      .read({Selection::all(Frame(parts.space.dims)), Selection::all(Frame({values.size()})), number_type()},
            reinterpret_cast<std::byte*>(values.data()));
  std::size_t wrong = 0;
  for_each_element(parts.space.dims,
                   [&](const Shape& at, std::uint64_t i) { wrong += (values[i] & ~15) != number_at(at); });
  EXPECT_EQ(wrong, 0u) << "of " << values.size() << " elements";
  return parts.space.dims;
}

std::unique_ptr<io::VirtualFile> image_file(const Buffer& image) {
  return std::make_unique<io::MemoryFile>(image, io::MemoryOptions{.writable = false});
}

Shape swmr_extent(const Buffer& image) {
  const auto file = File::open(image_file(image), newest(), nullptr, 2);
  return checked_extent(*file);
}

/// As after a writer that was killed, and 'filigree clear' or 'h5clear -s'.
Shape rescued_extent(const Buffer& image) {
  AccessOptions access = newest();
  access.ignore_write_mark = true;
  const auto file = File::open(image_file(image), access);
  return checked_extent(*file);
}

void apply(Buffer& image, const Write& write, std::size_t from, std::size_t to) {
  if (write.resizes) return image.resize(write.offset);
  image.resize(std::max<std::size_t>(image.size(), write.offset + to));
  std::copy(write.bytes.begin() + static_cast<std::ptrdiff_t>(from),
            write.bytes.begin() + static_cast<std::ptrdiff_t>(to),
            image.begin() + static_cast<std::ptrdiff_t>(write.offset + from));
}

const Growth growths[] = {
    {"ExtensibleArray", {none}, {4}, {{3}, {6}, {30}, {31}, {90}, {400}, {1100}}},
    {"ExtensibleArrayFiltered", {none}, {4}, {{3}, {6}, {30}, {31}, {90}, {400}, {1100}}, true},
    {"ExtensibleArrayPages", {none}, {1}, {{10}, {9000}, {9100}, {12000}}},
    {"ExtensibleArrayFrames", {none, 6}, {1, 3}, {{1, 6}, {2, 6}, {5, 6}, {40, 6}}, true},
    {"ExtensibleArraySmallCache", {none}, {2}, {{3}, {6}, {30}, {300}, {1100}}, false, false, 2000},
    {"FixedArray", {200}, {4}, {{3}, {6}, {30}, {31}, {90}, {200}}},
    {"FixedArrayFiltered", {200}, {4}, {{3}, {6}, {30}, {31}, {90}, {200}}, true},
    {"FixedArrayPages", {6000}, {1}, {{10}, {1500}, {1510}, {4000}, {6000}}},
    {"Implicit", {200}, {4}, {{8}, {10}, {90}, {200}}, false, true},
    {"Tree", {none, none}, {2, 2}, {{1, 1}, {2, 3}, {9, 8}, {10, 20}, {30, 20}, {31, 40}, {44, 44}}},
    {"TreeFiltered",
     {none, none},
     {2, 2},
     {{1, 1}, {2, 3}, {9, 8}, {10, 20}, {30, 20}, {31, 40}, {44, 44}},
     true},
    {"TreeSmallCache", {none, none}, {2, 2}, {{2, 3}, {10, 20}, {30, 20}, {31, 40}}, false, false, 2000},
    {"Sparse", {none}, {10}, {{3}, {6}, {30}, {31}, {200}}, false, false, 64u << 20, true},
    {"Portable",
     {none},
     {10},
     {{3}, {6}, {30}, {31}, {200}},
     true,
     false,
     64u << 20,
     true,
     SpaceStrategy::free_list,
     true},
    {"PortableTree",
     {none, none},
     {2, 2},
     {{1, 1}, {2, 3}, {9, 8}, {10, 20}},
     true,
     false,
     2000,
     true,
     SpaceStrategy::free_list,
     true},
    {"Pages",
     {none},
     {4},
     {{3}, {6}, {30}, {31}, {900}},
     true,
     false,
     64u << 20,
     false,
     SpaceStrategy::paged},
    {"TreePages",
     {none, none},
     {2, 2},
     {{2, 3}, {9, 8}, {20, 20}, {30, 31}},
     false,
     false,
     64u << 20,
     false,
     SpaceStrategy::paged},
};

class SwmrWriter : public ::testing::TestWithParam<Growth> {
 protected:
  /// The whole life; `flushed` is called after each flush, with the extent that it has left.
  template <class Flushed>
  static void life(io::VirtualFile& device, const Growth& growth, Flushed flushed) {
    auto recorder = std::make_unique<testing::PassThroughFile>(device);
    CreateOptions options;
    options.space.strategy = growth.strategy;
    options.space.persist = growth.strategy == SpaceStrategy::paged;
    const auto file = File::create(std::move(recorder), options, newest(growth.cache_bytes));
    make_dataset(*file, growth);
    file->start_swmr_write();
    Shape before = growth.early ? growth.extents.front() : Shape(growth.max.size());
    if (growth.early) write_box(*file, before, Shape(before.size()), 0);
    file->flush();
    flushed(before);
    int version = 1;
    for (const Shape& extent : growth.extents) {
      grow(*file, before, extent, version++);
      file->flush();
      flushed(extent);
      before = extent;
    }
    file->close();
    flushed(before);
  }
};

TEST_P(SwmrWriter, LeavesAReadableFileAfterEveryWrite) {
  io::MemoryFile memory;
  Recorder recorder(memory);
  // What had been written at each flush, and the extent that a reader then has to find at least.
  std::vector<std::pair<std::size_t, Shape>> flushes;
  life(recorder, GetParam(),
       [&](const Shape& extent) { flushes.emplace_back(recorder.writes.size(), extent); });
  Buffer image;
  std::size_t done = 0, last = 0;
  std::size_t torn = 0;
  for (const Write& write : recorder.writes) {
    const bool started = done >= flushes.front().first;
    while (last + 1 < flushes.size() && flushes[last + 1].first <= done) ++last;
    // While the next write is on its way a reader sees a part of it: that is noticed, or does no harm.
    if (started && !write.resizes && write.bytes.size() > 8) {
      for (const bool front : {true, false}) {
        Buffer partly = image;
        const std::size_t middle = write.bytes.size() / 2;
        apply(partly, write, front ? 0 : middle, front ? middle : write.bytes.size());
        try {
          swmr_extent(partly);
        } catch (const Error& error) {
          EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated ||
                      error.kind() == ErrorKind::locked)
              << error.what();
          ++torn;
        }
      }
    }
    apply(image, write, 0, write.bytes.size());
    ++done;
    if (!started) continue;
    SCOPED_TRACE("after write " + std::to_string(done) + " of " + std::to_string(recorder.writes.size()) +
                 " at " + std::to_string(write.offset));
    const Shape extent = swmr_extent(image);
    EXPECT_EQ(rescued_extent(image), extent);
    while (last + 1 < flushes.size() && flushes[last + 1].first <= done) ++last;
    const bool known =
        extent == flushes[last].second || (last + 1 < flushes.size() && extent == flushes[last + 1].second);
    EXPECT_TRUE(known) << ::testing::PrintToString(extent) << " after the flush of "
                       << ::testing::PrintToString(flushes[last].second);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(done, recorder.writes.size());
  EXPECT_GT(torn, 0u);  // structures are overwritten, so the test is one
  EXPECT_EQ(image, memory.image());
}

TEST_P(SwmrWriter, LeavesOldReadersWhatTheyKnow) {
  io::MemoryFile memory;
  struct Reader {
    std::shared_ptr<File> file;
    Shape extent;
    bool looked = false;
  };
  std::vector<Reader> readers;
  life(memory, GetParam(), [&](const Shape& extent) {
    for (Reader& reader : readers) {
      // Some have looked at the header only, others at everything.
      EXPECT_EQ(checked_extent(*reader.file), reader.extent);
    }
    Reader all{File::open(std::make_unique<Window>(memory), newest(), nullptr, 3), extent};
    checked_extent(*all.file);
    Reader header{File::open(std::make_unique<Window>(memory), newest(), nullptr, 3), extent};
    EXPECT_EQ(load_messages(*header.file, find(*header.file, "d"))->space.dims, extent);
    readers.push_back(std::move(all));
    readers.push_back(std::move(header));
  });
  const Shape last = readers.back().extent;
  for (Reader& reader : readers) {
    reader.file->refresh();
    EXPECT_EQ(checked_extent(*reader.file), last);
  }
}

INSTANTIATE_TEST_SUITE_P(Indexes, SwmrWriter, ::testing::ValuesIn(growths),
                         [](const auto& param) { return std::string(param.param.name); });

std::uint8_t flags_of(const Buffer& image) { return std::to_integer<std::uint8_t>(image[11]); }

TEST(SwmrMark, IsStoredFromStartToClose) {
  io::MemoryFile memory;
  auto recorder = std::make_unique<Recorder>(memory);
  const Recorder& device = *recorder;
  const auto file = File::create(std::move(recorder), {}, newest());
  file->start_swmr_write();
  EXPECT_EQ(flags_of(memory.image()), 5);
  EXPECT_TRUE(device.unlocked);
  make_dataset(*file, growths[0]);
  EXPECT_EQ(flags_of(memory.image()), 5);
  file->flush();
  EXPECT_EQ(flags_of(memory.image()), 5);
  file->close();
  EXPECT_EQ(flags_of(memory.image()), 0);
}

TEST(SwmrMark, KeepsOthersOut) {
  io::MemoryFile memory;
  const auto file = File::create(std::make_unique<testing::PassThroughFile>(memory), {}, newest());
  make_dataset(*file, growths[0]);
  file->start_swmr_write();
  try {
    File::open(image_file(memory.image()), newest());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::locked);
    EXPECT_THAT(error.what(), HasSubstr("SWMR"));
  }
  EXPECT_NO_THROW(File::open(image_file(memory.image()), newest(), nullptr, 1));
}

TEST(SwmrMark, OfAnotherWriterIsNotUsed) {
  io::MemoryFile memory;
  const auto file = File::create(std::make_unique<testing::PassThroughFile>(memory), {}, newest());
  make_dataset(*file, growths[0]);
  file->flush();
  EXPECT_NO_THROW(File::open(image_file(memory.image()), newest(), nullptr, 1));
  grow(*file, {0}, {20}, 0);  // whole chunks are written at once
  EXPECT_EQ(flags_of(memory.image()), 1);
  try {
    File::open(image_file(memory.image()), newest(), nullptr, 3);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::locked);
  }
}

ErrorKind refusal(File& file) {
  try {
    file.start_swmr_write();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

TEST(SwmrMark, IsRefusedWhereItCannotBe) {
  io::MemoryFile memory;
  {
    const auto old = File::create(std::make_unique<testing::PassThroughFile>(memory), {}, {});
    EXPECT_EQ(refusal(*old), ErrorKind::unsupported);
    EXPECT_FALSE(old->is_swmr_writer());
  }
  EXPECT_EQ(refusal(*File::open(image_file(memory.image()), {})), ErrorKind::read_only);
  io::MemoryFile other;
  CreateOptions paged;
  paged.space.strategy = SpaceStrategy::paged;
  AccessOptions buffered = newest();
  buffered.page_buffer_bytes = 1 << 16;
  EXPECT_EQ(refusal(*File::create(std::make_unique<testing::PassThroughFile>(other), paged, buffered)),
            ErrorKind::unsupported);
  io::MemoryFile third;
  const auto file = File::create(std::make_unique<testing::PassThroughFile>(third), {}, newest());
  file->start_swmr_write();
  EXPECT_EQ(refusal(*file), ErrorKind::invalid_argument);
}

TEST(SwmrMark, IsNotThereWhenStartingFails) {
  int failures = 0;
  for (bool struck = true; struck; ++failures) {
    io::MemoryFile memory;
    auto faulty = std::make_unique<testing::FaultyFile>(memory);
    testing::FaultyFile& device = *faulty;
    const auto file = File::create(std::move(faulty), {}, newest());
    make_dataset(*file, growths[0]);
    device.arm({.nth = static_cast<std::uint64_t>(failures), .on = testing::Fault::On::write});
    try {
      file->start_swmr_write();
      struck = false;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
    }
    device.arm({.nth = ~std::uint64_t{0}});
    EXPECT_EQ(file->is_swmr_writer(), !struck);
    grow(*file, {0}, {9}, 0);
    file->close();
    EXPECT_EQ(checked_extent(*File::open(image_file(memory.image()), newest())), Shape{9});
  }
  EXPECT_GT(failures, 2);
}

/// Gives the first reads of an address bytes as they are while they are written.
class Flicker : public Window {
 public:
  using Window::Window;
  mutable int left = 0;
  std::uint64_t at = 0;

 private:
  void do_read(std::span<const io::ReadExtent> extents) const override {
    forward(std::as_const(wrapped()), extents);
    for (const io::ReadExtent& e : extents) {
      if (left == 0 || at < e.offset || at >= e.offset + e.into.size()) continue;
      e.into[at - e.offset] ^= std::byte{1};
      --left;
    }
  }
};

TEST(SwmrReader, TriesAgainWhatIsBeingWritten) {
  io::MemoryFile memory;
  const auto file = File::create(std::make_unique<testing::PassThroughFile>(memory), {}, newest());
  make_dataset(*file, growths[0]);
  grow(*file, {0}, {40}, 0);
  file->start_swmr_write();
  const Address header = find(*file, "d");
  auto device = std::make_unique<Flicker>(memory);
  Flicker& flicker = *device;
  const auto reader = File::open(std::move(device), newest(), nullptr, 10);
  flicker.at = to_number(header) + 40;
  flicker.left = 7;
  EXPECT_EQ(checked_extent(*reader), Shape{40});
  EXPECT_EQ(flicker.left, 0);
  reader->refresh();
  flicker.left = 1000;
  EXPECT_THROW(checked_extent(*reader), Error);
  EXPECT_LE(flicker.left, 990);
  EXPECT_GE(flicker.left, 988);  // what is read of the root group may reach into it
}

TEST(SwmrReader, TellsAnOldFileThatIsTooShort) {
  io::MemoryFile memory;
  File::create(std::make_unique<testing::PassThroughFile>(memory), {}, {})->close();
  EXPECT_NO_THROW(File::open(image_file(memory.image()), {}, nullptr, 2));
  Buffer image = memory.image();
  image.resize(image.size() - 10);
  try {
    File::open(image_file(image), {}, nullptr, 2);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::truncated);
  }
}

}  // namespace
}  // namespace filigree::model
