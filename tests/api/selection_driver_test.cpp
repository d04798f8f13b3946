// SPDX-License-Identifier: Apache-2.0
//
// A user-defined driver that accepts selections, or several extents at once: how many requests transfers
// make.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

namespace filigree {
namespace {

/// The bytes of a file, and the requests for its raw data.
struct CountedBytes {
  std::vector<std::byte> bytes;
  int extents = 0;     ///< calls
  int selections = 0;  ///< calls
  std::size_t pieces = 0;
  bool accepts = true;
  bool fails = false;  ///< requests of selections to write
};

class CountingDriver : public FileDriver {
 public:
  explicit CountingDriver(CountedBytes& file) : file_(file) {}
  DriverCapabilities capabilities() const override {
    DriverCapabilities able;
    able.selections = file_.accepts;
    able.coalescing = CoalescingLimits::none();
    return able;
  }
  void read(std::span<const ReadExtent> extents) override {
    file_.extents += extents[0].type == MemoryType::raw;
    for (const ReadExtent& e : extents)
      std::copy_n(file_.bytes.begin() + static_cast<std::ptrdiff_t>(e.offset), e.into.size(), e.into.begin());
  }
  void write(std::span<const WriteExtent> extents) override {
    file_.extents += extents[0].type == MemoryType::raw;
    for (const WriteExtent& e : extents) write_bytes(e.offset, e.from);
  }
  bool read_selections(std::span<const SelectionRead> requests, MemoryType) override {
    count(requests.size());
    for (const SelectionRead& r : requests) {
      visit(r, [&](std::uint64_t at, std::uint64_t memory) {
        std::copy_n(file_.bytes.begin() + static_cast<std::ptrdiff_t>(at), r.element_bytes,
                    r.into.begin() + static_cast<std::ptrdiff_t>(memory));
      });
    }
    return true;
  }
  bool write_selections(std::span<const SelectionWrite> requests, MemoryType) override {
    count(requests.size());
    if (file_.fails) throw Error(ErrorKind::io, "the test wants this to fail");
    for (const SelectionWrite& r : requests) {
      visit(r, [&](std::uint64_t at, std::uint64_t memory) {
        write_bytes(at, r.from.subspan(memory, r.element_bytes));
      });
    }
    return true;
  }
  std::uint64_t size() override { return file_.bytes.size(); }
  void truncate(std::uint64_t bytes) override { file_.bytes.resize(bytes); }

 private:
  void count(std::size_t pieces) {
    ++file_.selections;
    file_.pieces += pieces;
  }
  /// Calls `use` with the byte offsets of every element in file and memory.
  template <class Request, class Use>
  static void visit(const Request& request, Use use) {
    const auto file = request.file.selection().within(request.file.extent()).offsets();
    const auto memory = request.memory.selection().within(request.memory.extent()).offsets();
    ASSERT_EQ(file.size(), memory.size());
    for (std::size_t i = 0; i < file.size(); ++i)
      use(request.offset + file[i] * request.element_bytes, memory[i] * request.element_bytes);
  }
  void write_bytes(std::uint64_t at, std::span<const std::byte> from) {
    file_.bytes.resize(std::max<std::size_t>(file_.bytes.size(), at + from.size()));
    std::ranges::copy(from, file_.bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  CountedBytes& file_;
};

class SelectionDriver : public ::testing::Test {
 protected:
  File create() {
    const UserDriver driver{
        .open = [this](const DriverOpenRequest&) { return std::make_unique<CountingDriver>(counted_); }};
    return create_through(driver, "file", CreateMode::truncate);
  }
  static DatasetOptions chunked() {
    DatasetOptions options;
    options.chunk = {10, 10};
    return options;
  }
  void reset() { counted_.extents = counted_.selections = 0, counted_.pieces = 0; }

  static std::vector<std::int32_t> numbers(std::int32_t first = 0) {
    std::vector<std::int32_t> values(40 * 40);
    std::iota(values.begin(), values.end(), first);
    return values;
  }
  CountedBytes counted_;
};

TEST_F(SelectionDriver, ReceivesUnfilteredChunksAsSelections) {
  File file = create();
  Dataset data = file.root().create_dataset("data", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}),
                                            chunked());
  reset();
  data.write(numbers());
  EXPECT_EQ(counted_.selections, 1);
  EXPECT_EQ(counted_.pieces, 16u);
  EXPECT_EQ(counted_.extents, 0);
  reset();
  const auto some = Selection::strided({5, 0}, {2, 3}, {10, 10});
  const auto values = data.read<std::vector<std::int32_t>>(some);
  EXPECT_EQ(counted_.selections, 1);
  EXPECT_EQ(counted_.extents, 0);
  ASSERT_EQ(values.size(), 100u);
  EXPECT_EQ(values[0], 5 * 40);
  EXPECT_EQ(values[99], 23 * 40 + 27);
}

TEST_F(SelectionDriver, ReceivesConvertedElementsAsSelections) {
  File file = create();
  Dataset data =
      file.root().create_dataset("data", Datatype::of<double>(), Dataspace::simple({40, 40}), chunked());
  Dataset flat =
      file.root().create_dataset("flat", Datatype::of<std::int64_t>(), Dataspace::simple({40, 40}));
  for (Dataset& each : {std::ref(data), std::ref(flat)}) {
    reset();
    each.write(numbers(7));
    EXPECT_EQ(each.read<std::vector<std::int32_t>>(), numbers(7));
    EXPECT_EQ(counted_.selections, 2);
    EXPECT_EQ(counted_.extents, 0);
  }
}

TEST_F(SelectionDriver, ReceivesSeveralDatasetsAtOnce) {
  for (const bool accepts : {true, false}) {
    counted_ = {};
    counted_.accepts = accepts;
    File file = create();
    Dataset a =
        file.root().create_dataset("a", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}), chunked());
    Dataset b = file.root().create_dataset("b", Datatype::of<double>(), Dataspace::simple({40, 40}));
    const auto first = numbers(1), second = numbers(2);
    const Datatype type = Datatype::memory<std::int32_t>();
    reset();
    Dataset::write_several(std::vector<DatasetWrite>{{a, type, first.data(), first.size()},
                                                     {b, type, second.data(), second.size()}});
    EXPECT_EQ(counted_.selections, accepts ? 1 : 0);
    EXPECT_EQ(counted_.extents, accepts ? 0 : 1);
    std::vector<std::int32_t> one(1600), other(1600);
    reset();
    Dataset::read_several(
        std::vector<DatasetRead>{{a, type, one.data(), one.size()}, {b, type, other.data(), other.size()}});
    EXPECT_EQ(counted_.selections, accepts ? 1 : 0);
    EXPECT_EQ(counted_.extents, accepts ? 0 : 1);
    EXPECT_EQ(one, first);
    EXPECT_EQ(other, second);
  }
}

TEST_F(SelectionDriver, WritesADatasetThatIsListedTwiceInOrder) {
  File file = create();
  Dataset a =
      file.root().create_dataset("a", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}), chunked());
  const auto first = numbers(1), second = numbers(2);
  const Datatype type = Datatype::memory<std::int32_t>();
  Dataset::write_several(std::vector<DatasetWrite>{{a, type, first.data(), first.size()},
                                                   {a, type, second.data(), second.size()}});
  EXPECT_EQ(a.read<std::vector<std::int32_t>>(), second);
}

TEST_F(SelectionDriver, ReceivesFilteredChunksOfSeveralDatasetsAtOnce) {
  for (const bool accepts : {true, false}) {
    counted_ = {};
    counted_.accepts = accepts;
    File file = create();
    DatasetOptions filtered = chunked();
    filtered.filters = {filters::shuffle(), filters::deflate(1)};
    Dataset a =
        file.root().create_dataset("a", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}), filtered);
    Dataset b =
        file.root().create_dataset("b", Datatype::of<double>(), Dataspace::simple({40, 40}), filtered);
    const auto first = numbers(1), second = numbers(2);
    const Datatype type = Datatype::memory<std::int32_t>();
    for (int round = 0; round < 3; ++round) {  // the second one replaces chunks
      reset();
      Dataset::write_several(std::vector<DatasetWrite>{{a, type, first.data(), first.size()},
                                                       {b, type, second.data(), second.size()}});
      EXPECT_EQ(counted_.selections + counted_.extents, 1);
      std::vector<std::int32_t> one(1600), other(1600);
      reset();
      Dataset::read_several(
          std::vector<DatasetRead>{{a, type, one.data(), one.size()}, {b, type, other.data(), other.size()}});
      EXPECT_EQ(counted_.selections + counted_.extents, 1);
      EXPECT_EQ(one, first);
      EXPECT_EQ(other, second);
    }
  }
}

TEST_F(SelectionDriver, MergesStringsOfSeveralDatasets) {
  File file = create();
  DatasetOptions filtered = chunked();
  filtered.filters = {filters::shuffle()};
  std::vector<Dataset> data;
  for (const char* name : {"a", "b"}) {
    data.push_back(file.root().create_dataset(name, Datatype::of<std::string>(), Dataspace::simple({40, 40}),
                                              name[0] == 'a' ? chunked() : filtered));
  }
  const Datatype type = Datatype::memory<std::string>();
  std::vector<std::string> now(1600);
  for (int round = 0; round < 4; ++round) {
    const auto row = Selection::box({static_cast<std::uint64_t>(7 * round), 0}, {10, 40});
    std::vector<std::string> some(400);
    for (std::size_t i = 0; i < some.size(); ++i) {
      some[i] = "text " + std::to_string(round * 1000 + static_cast<int>(i));
      now[static_cast<std::size_t>(7 * round) * 40 + i] = some[i];
    }
    Dataset::write_several(std::vector<DatasetWrite>{{data[0], type, some.data(), some.size(), row},
                                                     {data[1], type, some.data(), some.size(), row}});
    if (round == 2) file.flush();
    for (const Dataset& each : data) EXPECT_EQ(each.read<std::vector<std::string>>(), now);
  }
}

TEST_F(SelectionDriver, KeepsChunksIfARequestFails) {
  File file = create();
  DatasetOptions filtered = chunked();
  filtered.filters = {filters::deflate(1)};
  std::vector<Dataset> data;
  for (const char* name : {"a", "b"}) {
    data.push_back(file.root().create_dataset(name, Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}),
                                              filtered));
    data.back().write(numbers(1));
  }
  const auto other = std::vector<std::int32_t>(1600, 9);  // smaller chunks, at new addresses
  const Datatype type = Datatype::memory<std::int32_t>();
  const std::vector<DatasetWrite> writes{{data[0], type, other.data(), other.size()},
                                         {data[1], type, other.data(), other.size()}};
  counted_.fails = true;
  EXPECT_THROW(Dataset::write_several(writes), Error);
  file.flush();
  const FileInfo before = file.info();
  for (int i = 0; i < 5; ++i) EXPECT_THROW(Dataset::write_several(writes), Error);
  file.flush();
  EXPECT_EQ(file.info().file_bytes, before.file_bytes);
  EXPECT_EQ(file.info().reusable_bytes, before.reusable_bytes);
  counted_.fails = false;
  for (const Dataset& each : data) EXPECT_EQ(each.read<std::vector<std::int32_t>>(), numbers(1));
  Dataset::write_several(writes);
  for (const Dataset& each : data) EXPECT_EQ(each.read<std::vector<std::int32_t>>(), other);
}

TEST_F(SelectionDriver, WritesTheSourcesOfAVirtualDatasetAtOnce) {
  File file = create();
  std::vector<VirtualSource> sources;
  std::vector<Dataset> data;
  for (std::uint64_t i = 0; i < 4; ++i) {
    const std::string name = std::to_string(i);
    data.push_back(file.root().create_dataset(name, Datatype::of<std::int32_t>(), Dataspace::simple({10, 40}),
                                              i % 2 == 0 ? chunked() : DatasetOptions{}));
    sources.push_back({".", name, {}, Selection::box({10 * i, 0}, {10, 40})});
  }
  DatasetOptions options;
  options.virtual_sources = sources;
  const Dataset all =
      file.root().create_dataset("all", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}), options);
  const auto first = numbers(1), second = numbers(5000);
  const Datatype type = Datatype::memory<std::int32_t>();
  for (const auto* values : {&first, &second}) {
    reset();
    Dataset::write_several(std::vector<DatasetWrite>{{all, type, values->data(), values->size()}});
    EXPECT_EQ(counted_.selections, 1);
    EXPECT_EQ(counted_.extents, 0);
    EXPECT_EQ(all.read<std::vector<std::int32_t>>(), *values);
  }
  counted_.fails = true;
  EXPECT_THROW(Dataset::write_several(std::vector<DatasetWrite>{{all, type, first.data(), first.size()}}),
               Error);
  counted_.fails = false;
  EXPECT_EQ(all.read<std::vector<std::int32_t>>(), second);
}

TEST_F(SelectionDriver, WritesTheDatasetsOfEachFileInOrder) {
  CountedBytes other_bytes;
  const UserDriver driver{
      .open = [&](const DriverOpenRequest&) { return std::make_unique<CountingDriver>(other_bytes); }};
  File other = create_through(driver, "other", CreateMode::truncate);
  File file = create();
  Dataset here = file.root().create_dataset("p", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}));
  Dataset there = other.root().create_dataset("s", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}));
  const auto first = numbers(1), second = numbers(2);
  const Datatype type = Datatype::memory<std::int32_t>();
  other_bytes.selections = 0, reset();
  Dataset::write_several(std::vector<DatasetWrite>{{there, type, first.data(), first.size()},
                                                   {here, type, first.data(), first.size()},
                                                   {here, type, second.data(), second.size()},
                                                   {there, type, second.data(), second.size()}});
  EXPECT_EQ(other_bytes.selections, 1);
  EXPECT_EQ(counted_.selections, 1);
  EXPECT_EQ(there.read<std::vector<std::int32_t>>(), second);
  EXPECT_EQ(here.read<std::vector<std::int32_t>>(), second);
}

TEST_F(SelectionDriver, WritesSourcesInTheirFiles) {
  CountedBytes other_bytes;
  const UserDriver driver{.open = [&](const DriverOpenRequest& asked) {
    return std::make_unique<CountingDriver>(asked.path.ends_with("other") ? other_bytes : counted_);
  }};
  const auto create_data = [](File& in, const char* name) {
    return in.root().create_dataset(name, Datatype::of<std::int32_t>(), Dataspace::simple({20, 40}));
  };
  File other = create_through(driver, "other", CreateMode::truncate);
  create_data(other, "s");
  other.close();
  File file = create_through(driver, "file", CreateMode::truncate);
  const Dataset inside = create_data(file, "s");
  DatasetOptions options;
  options.virtual_sources = {{"other", "s", {}, Selection::box({0, 0}, {20, 40})},
                             {".", "s", {}, Selection::box({20, 0}, {20, 40})}};
  Dataset both =
      file.root().create_dataset("both", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}), options);
  const auto values = numbers(1), others = numbers(5000);
  const Datatype type = Datatype::memory<std::int32_t>();
  other_bytes.selections = 0, reset();
  Dataset::write_several(std::vector<DatasetWrite>{{inside, type, others.data(), 800},
                                                   {both, type, values.data(), values.size()}});
  EXPECT_EQ(other_bytes.selections, 1);
  EXPECT_EQ(counted_.selections, 1);
  EXPECT_EQ(both.read<std::vector<std::int32_t>>(), values);
  other_bytes.fails = true;
  EXPECT_THROW(Dataset::write_several(std::vector<DatasetWrite>{{both, type, others.data(), others.size()}}),
               Error);
  other_bytes.fails = false;
  const auto upper = both.read<std::vector<std::int32_t>>(Selection::box({0, 0}, {20, 40}));
  EXPECT_EQ(upper, std::vector(values.begin(), values.begin() + 800));
}

TEST_F(SelectionDriver, KeepsContiguousTextsIfARequestFails) {
  File file = create();
  std::vector<Dataset> data;
  const std::vector<std::string> before(1600, "as it was"), after(1600, "as it should be");
  for (const char* name : {"a", "b"}) {
    data.push_back(
        file.root().create_dataset(name, Datatype::of<std::string>(), Dataspace::simple({40, 40})));
    data.back().write(before);
  }
  const Datatype type = Datatype::memory<std::string>();
  const std::vector<DatasetWrite> writes{{data[0], type, after.data(), after.size()},
                                         {data[1], type, after.data(), after.size()}};
  counted_.fails = true;
  EXPECT_THROW(Dataset::write_several(writes), Error);
  counted_.fails = false;
  for (const Dataset& each : data) EXPECT_EQ(each.read<std::vector<std::string>>(), before);
  reset();
  Dataset::write_several(writes);
  EXPECT_EQ(counted_.selections, 2);  // the old elements, whose texts are freed, and the new ones
  for (const Dataset& each : data) EXPECT_EQ(each.read<std::vector<std::string>>(), after);
  file.flush();
  const std::uint64_t bytes = file.info().file_bytes;
  for (int i = 0; i < 20; ++i) Dataset::write_several(writes);
  file.flush();
  EXPECT_LT(file.info().file_bytes, bytes + bytes / 2);  // the space of replaced texts is used again
}

TEST_F(SelectionDriver, FindsDirtyChunksInTheCache) {
  File file = create();
  Dataset data = file.root().create_dataset("data", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}),
                                            chunked());
  const auto row = Selection::box({3, 0}, {1, 40});
  reset();
  data.write(std::vector<std::int32_t>(40, 5), row);
  EXPECT_EQ(data.read<std::vector<std::int32_t>>(row), std::vector<std::int32_t>(40, 5));
  EXPECT_EQ(counted_.selections, 0);
  data.write(numbers());  // replaces the dirty chunks
  EXPECT_EQ(data.read<std::vector<std::int32_t>>(), numbers());
  data.write(std::vector<std::int32_t>(40, 6), row);
  EXPECT_EQ(data.read<std::vector<std::int32_t>>(row), std::vector<std::int32_t>(40, 6));
  file.flush();
  EXPECT_EQ(data.read<std::vector<std::int32_t>>(row), std::vector<std::int32_t>(40, 6));
}

TEST_F(SelectionDriver, IsSparedIfTheOptionsSaySo) {
  File file = create();
  Dataset data =
      file.root().create_dataset("data", Datatype::of<std::int32_t>(), Dataspace::simple({40, 40}));
  TransferOptions options;
  options.selection_io = false;
  reset();
  data.write(numbers(), {}, options);
  EXPECT_EQ(data.read<std::vector<std::int32_t>>({}, options), numbers());
  EXPECT_EQ(counted_.selections, 0);
}

}  // namespace
}  // namespace filigree
