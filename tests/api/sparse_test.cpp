// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "forms.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

DatasetOptions sparse(Dims chunk) {
  DatasetOptions options;
  options.chunk = std::move(chunk);
  options.sparse = true;
  options.portable = is_portable();
  return options;
}

class Sparse : public InBothForms {
 protected:
  std::uintmax_t bytes() {
    file_.flush();
    return std::filesystem::file_size(scratch_ / "f.h5");
  }

  Scratch scratch_;
  File file_ = File::create(scratch_ / "f.h5");
  Group root_ = file_.root();
};

TEST_P(Sparse, DefinesWhatIsWrittenWhateverItsValue) {
  auto options = sparse({4, 4});
  options.fill = Fill::of(-1);
  auto data = root_.create_dataset<int>("d", Dataspace::simple({10, 10}), options);
  EXPECT_EQ(data.defined().elements(), 0u);
  data.write(std::vector<int>{0, 5, -1}, Selection::box({3, 3}, {1, 3}));
  EXPECT_THAT(data.defined().coordinates(), ElementsAre(3, 3, 3, 4, 3, 5));
  EXPECT_THAT(data.read<std::vector<int>>(Selection::box({3, 2}, {1, 5})), ElementsAre(-1, 0, 5, -1, -1));
  EXPECT_EQ(data.defined(Selection::box({0, 0}, {10, 4})).elements(), 1u);
  file_.close();
  const File again = File::open(scratch_ / "f.h5");
  const auto same = again.root().open_dataset("d");
  EXPECT_TRUE(same.dataset_info().sparse);
  EXPECT_EQ(same.dataset_info().layout, is_portable() ? Layout::chunked : Layout::structured);
  EXPECT_THAT(same.defined().coordinates(), ElementsAre(3, 3, 3, 4, 3, 5));
  EXPECT_THAT(same.read<std::vector<int>>(Selection::box({3, 2}, {1, 5})), ElementsAre(-1, 0, 5, -1, -1));
}

TEST_P(Sparse, ErasesAndFreesChunksThatDefineNothing) {
  auto data = root_.create_dataset<int>("d", Dataspace::simple({100}, {unlimited}), sparse({10}));
  data.write(std::vector<int>(100, 3));
  auto large = root_.create_dataset<int>("large", Dataspace::simple({100'000}), sparse({50'000}));
  large.write(std::vector<int>(100'000, 3));
  const auto full = bytes();
  large.erase(Selection::all());
  EXPECT_LT(bytes(), full - 390'000);
  data.erase(Selection::box({15}, {10}));
  EXPECT_EQ(data.defined().elements(), 90u);
  EXPECT_THAT(data.read<std::vector<int>>(Selection::box({14}, {3})), ElementsAre(3, 0, 0));
  data.erase(Selection::all());
  EXPECT_EQ(data.defined().elements(), 0u);
  data.write(std::vector<int>(100, 4));
  EXPECT_EQ(data.read<std::vector<int>>(), std::vector<int>(100, 4));
}

TEST_P(Sparse, CostsWhatIsDefinedNotTheVolume) {
  const std::uint64_t side = 1'000'000'000;
  auto data =
      root_.create_dataset<double>("d", Dataspace::simple({side, side}, {unlimited, side}),
                                   sparse(is_portable() ? Dims{20'000, 20'000} : Dims{100'000, 100'000}));
  const auto empty = bytes();
  data.write(3.5, Selection::box({999'999'999, 123'456'789}, {1, 1}));
  data.write(4.5, Selection::box({7, 8}, {1, 1}));
  EXPECT_LT(bytes(), empty + 8192);
  EXPECT_THAT(data.defined().coordinates(), ElementsAre(7, 8, 999'999'999, 123'456'789));
  EXPECT_EQ(data.read<double>(Selection::box({999'999'999, 123'456'789}, {1, 1})), 3.5);
  EXPECT_EQ(data.read<double>(Selection::box({999'999'999, 123'456'788}, {1, 1})), 0);
  data.resize({1000, side});
  EXPECT_THAT(data.defined().coordinates(), ElementsAre(7, 8));
  data.erase(Selection::all());
  EXPECT_EQ(data.defined().elements(), 0u);
}

TEST_P(Sparse, ErasesAColumnOfATallChunkByWhatIsDefined) {
  const std::uint64_t rows = is_portable() ? 400'000'000 : 4'000'000'000;
  auto data = root_.create_dataset<int>("d", Dataspace::simple({rows, 2}, {rows, 4}), sparse({rows, 2}));
  data.write(std::vector<int>{1, 2}, Selection::box({rows - 1, 0}, {1, 2}));
  data.erase(Selection::box({0, 0}, {rows, 1}));
  EXPECT_THAT(data.defined().coordinates(), ElementsAre(rows - 1, 1));
  data.write(std::vector<int>{1, 2}, Selection::box({7, 0}, {1, 2}));
  data.resize({rows, 1});
  EXPECT_THAT(data.defined().coordinates(), ElementsAre(7, 0));
}

TEST_P(Sparse, HoldsStringsAndSequencesInItsChunks) {
  if (is_portable()) GTEST_SKIP() << "portable chunks have elements of a fixed size";
  auto options = sparse({8});
  options.selection_filters = {filters::deflate()};
  options.heap_filters = {filters::deflate()};
  auto data = root_.create_dataset<std::string>("d", Dataspace::simple({100}), options);
  data.write(std::vector<std::string>{"alpha", "", std::string(1000, 'x')}, Selection::box({6}, {3}));
  data.write(std::string_view("gone"), Selection::box({50}, {1}));
  data.write(std::string_view("other"), Selection::box({50}, {1}));
  data.erase(Selection::box({6}, {1}));
  file_.close();
  const File again = File::open(scratch_ / "f.h5");
  const auto same = again.root().open_dataset("d");
  EXPECT_THAT(same.defined().coordinates(), ElementsAre(7, 8, 50));
  EXPECT_THAT(same.read<std::vector<std::string>>(Selection::box({6}, {3})),
              ElementsAre("", "", std::string(1000, 'x')));
  EXPECT_EQ(same.read<std::string>(Selection::box({50}, {1})), "other");
  EXPECT_EQ(same.dataset_info().heap_filters.size(), 1u);
  EXPECT_EQ(same.dataset_info().filters.size(), 0u);
}

TEST_P(Sparse, DenseDatasetsMayHaveTheirHeapInChunks) {
  DatasetOptions options;
  options.chunk = {4};
  options.heap_in_chunks = true;
  auto data = root_.create_dataset<std::string>("d", Dataspace::simple({10}), options);
  data.write(std::vector<std::string>{"a", "bc", "def"}, Selection::box({3}, {3}));
  EXPECT_EQ(data.defined(Selection::box({0}, {5})).elements(), 5u);
  file_.close();
  EXPECT_THAT(File::open(scratch_ / "f.h5").root().read_dataset<std::vector<std::string>>("d"),
              ElementsAre("", "", "", "a", "bc", "def", "", "", "", ""));
}

TEST_P(Sparse, RefusesWhatOnlySparseDatasetsCan) {
  auto dense = root_.create_dataset<int>("dense", Dataspace::simple({10}));
  EXPECT_EQ(dense.defined().elements(), 10u);
  try {
    dense.erase(Selection::all());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_THAT(error.what(), HasSubstr("dense"));
  }
  DatasetOptions chunked;
  chunked.chunk = {5};
  auto in_chunks = root_.create_dataset<int>("chunked", Dataspace::simple({10}), chunked);
  in_chunks.write(std::vector<int>(10, 3));
  chunked.heap_in_chunks = true;
  auto texts = root_.create_dataset<std::string>("texts", Dataspace::simple({10}), chunked);
  texts.write(std::vector<std::string>(10, "here"));
  const Selection some = Selection::strided({1}, {3}, {3});
  for (Dataset data : {dense, in_chunks, texts}) {
    EXPECT_EQ(data.defined(some), some.within({10}));
    EXPECT_EQ(error_of([&] { data.erase(some); }), ErrorKind::unsupported);
    EXPECT_EQ(error_of([&] { data.erase(Selection::none()); }), ErrorKind::unsupported);
  }
  EXPECT_EQ(in_chunks.read<std::vector<int>>(), std::vector<int>(10, 3));
  EXPECT_EQ(texts.read<std::vector<std::string>>(), std::vector<std::string>(10, "here"));
  auto options = sparse({5});
  options.allocation = AllocationTime::early;
  EXPECT_THROW(root_.create_dataset<int>("bad", Dataspace::simple({10}), options), Error);
  EXPECT_FALSE(root_.has_link("bad"));
}

TEST_P(Sparse, IsCopiedAndDeleted) {
  auto data = root_.create_dataset<int>("d", Dataspace::simple({1000, 1000}, {unlimited, unlimited}),
                                        sparse({100, 100}));
  data.write(std::vector<int>(50 * 60, 9), Selection::box({120, 130}, {50, 60}));
  File other = File::create(scratch_ / "other.h5");
  root_.copy("d", other.root(), "copy");
  root_.copy("d", root_, "copy");
  const auto size = bytes();
  for (int i = 0; i < 5; ++i) {
    root_.remove("copy");
    root_.copy("d", root_, "copy");
    file_.flush();
  }
  EXPECT_LE(bytes(), size + 4096);
  other.close();
  for (const File& file : {File::open(scratch_ / "other.h5"), file_}) {
    const auto copy = file.root().open_dataset("copy");
    EXPECT_EQ(copy.defined(), data.defined());
    EXPECT_EQ(copy.read<std::vector<int>>(Selection::box({120, 130}, {50, 60})),
              std::vector<int>(50 * 60, 9));
  }
}

TEST_P(Sparse, IsMovedAndCopiedWithItsTexts) {
  if (is_portable()) GTEST_SKIP() << "portable chunks have elements of a fixed size";
  auto options = sparse({8, 8});
  options.filters = {filters::shuffle(), filters::deflate()};
  options.selection_filters = {filters::packed_selection()};
  options.heap_filters = {filters::deflate()};
  auto data = root_.create_dataset<std::string>("d", Dataspace::simple({20, 20}, {unlimited, 20}), options);
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back("text " + std::to_string(i * i));
  const Selection part = Selection::box({5, 3}, {10, 10});
  data.write(texts, part);
  File other = File::create(scratch_ / "other.h5", CreateMode::truncate, {}, bounds(Version::earliest));
  root_.copy("d", other.root(), "copy");  // what the cache holds goes with it
  root_.move("d", root_, "elsewhere");
  EXPECT_FALSE(root_.has_link("d"));
  data.write(std::string_view("later"), Selection::box({19, 19}, {1, 1}));
  const auto moved = root_.open_dataset("elsewhere");
  EXPECT_EQ(moved.read<std::vector<std::string>>(part), texts);
  EXPECT_EQ(moved.defined().elements(), 101u);
  other.root().move("copy", other.root(), "moved");
  other.close();
  root_.remove("elsewhere");
  const File again = File::open(scratch_ / "other.h5");
  const auto copy = again.root().open_dataset("moved");
  EXPECT_EQ(copy.defined(), part.within({20, 20}));
  EXPECT_EQ(copy.read<std::vector<std::string>>(part), texts);
  EXPECT_EQ(copy.dataset_info().heap_filters.size(), 1u);
}

struct Event {
  std::int32_t number = 0;
  std::string name;
  std::vector<std::vector<std::int16_t>> tracks;
  std::vector<std::string> notes;
  friend bool operator==(const Event&, const Event&) = default;
};
inline void describe(Members& members, Event& event) {
  members("number", event.number)("name", event.name)("tracks", event.tracks)("notes", event.notes);
}

Event event_of(std::int32_t number) {
  Event event{number, std::string(static_cast<std::size_t>(number % 5), 'e'), {}, {}};
  for (std::int16_t i = 0; i < number % 4; ++i)
    event.tracks.push_back(std::vector<std::int16_t>(static_cast<std::size_t>(i), i));
  for (int i = 0; i < number % 3; ++i) event.notes.push_back("note " + std::to_string(number + i));
  return event;
}

/// Sequences of sequences, and several of them in one element; none of it goes to global heaps, and what is
/// written over leaves nothing behind.
TEST_P(Sparse, HoldsRecordsOfSeveralNestedSequencesAndDoesNotGrowWithThem) {
  if (is_portable()) GTEST_SKIP() << "portable chunks have elements of a fixed size";
  for (const bool is_sparse : {true, false}) {
    auto options = sparse({8});
    options.sparse = is_sparse;
    options.heap_in_chunks = true;
    const std::string name = is_sparse ? "sparse" : "dense";
    auto data = root_.create_dataset<Event>(name, Dataspace::simple({30}), options);
    std::vector<Event> events;
    const auto write = [&](std::int32_t first) {
      events.clear();
      for (std::int32_t i = 0; i < 12; ++i) events.push_back(event_of(first + i));
      data.write(events, Selection::box({5}, {12}));
      file_.flush();
    };
    write(12);
    const auto size = bytes();
    for (std::int32_t round = 0; round < 50; ++round) write(12 * round);
    write(12);
    EXPECT_LE(bytes(), size + 2048) << name;
    EXPECT_EQ(data.read<std::vector<Event>>(Selection::box({5}, {12})), events);
    EXPECT_EQ(data.read<Event>(Selection::box({29}, {1})), Event{});
  }
  const auto image = file_.image();
  const std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
  EXPECT_EQ(text.find("GCOL"), text.npos);
}

TEST_P(Sparse, ReadsPartsOfLargeChunks) {
  constexpr std::uint64_t side = 400;
  auto data = root_.create_dataset<int>("d", Dataspace::simple({side, side}), sparse({300, 350}));
  std::mt19937 random(4);
  std::vector<std::uint8_t> mask(side * side);
  for (auto& m : mask) m = random() % 3 == 0;
  const Selection chosen = Selection::of_mask({side, side}, mask);
  std::vector<int> values(chosen.elements());
  std::iota(values.begin(), values.end(), 1);
  data.write(values, chosen);
  file_.close();
  std::vector<int> dense(side * side);
  for (std::size_t i = 0, next = 0; i < mask.size(); ++i)
    if (mask[i] != 0) dense[i] = values[next++];
  const File again = File::open(scratch_ / "f.h5");
  const auto same = again.root().open_dataset("d");
  for (const auto& [row, column] : {std::pair<std::uint64_t, std::uint64_t>{0, 0}, {280, 330}, {111, 7}}) {
    std::vector<int> expected;
    for (std::uint64_t r = row; r < row + 50; ++r)
      expected.insert(expected.end(), dense.begin() + static_cast<std::ptrdiff_t>(r * side + column),
                      dense.begin() + static_cast<std::ptrdiff_t>(r * side + column + 60));
    EXPECT_EQ(same.read<std::vector<int>>(Selection::box({row, column}, {50, 60})), expected);
  }
}

TEST_P(Sparse, ExtentsMayHaveMoreBytesThan64BitsExpress) {
  constexpr std::uint64_t side = std::uint64_t{1} << 31;
  auto data = root_.create_dataset<int>("d", Dataspace::simple({side, side}), sparse({1024, 1024}));
  data.write(std::vector<int>{7, 8}, Selection::box({side - 1, side - 2}, {1, 2}));
  EXPECT_EQ(data.dataset_info().data_bytes, ~std::uint64_t{0});
  file_.close();
  const File again = File::open(scratch_ / "f.h5");
  const auto same = again.root().open_dataset("d");
  EXPECT_THAT(same.defined().coordinates(), ElementsAre(side - 1, side - 2, side - 1, side - 1));
  EXPECT_THAT(same.read<std::vector<int>>(Selection::box({side - 1, side - 3}, {1, 3})),
              ElementsAre(0, 7, 8));
}

TEST(PortableChunks, AreDescribedByInfoAndOptions) {
  Scratch scratch;
  auto file = File::create(scratch / "p.h5");
  const auto options =
      sparse_chunks({4, 4}).values({filters::shuffle(), filters::deflate(3)}).portable().fill(Fill::of(7));
  auto data = file.root().create_dataset<int>("d", Dataspace::simple({10, 10}), options);
  const DatasetInfo info = data.dataset_info();
  EXPECT_EQ(info.layout, Layout::chunked);
  EXPECT_TRUE(info.sparse && info.portable);
  ASSERT_EQ(info.filters.size(), 1u);
  ASSERT_EQ(info.value_filters.size(), 2u);
  EXPECT_EQ(info.value_filters[1].parameters, std::vector<std::uint32_t>{3});
  const DatasetOptions again = data.creation_options();
  EXPECT_TRUE(again.sparse && again.portable);
  auto other = file.root().create_dataset("e", data.datatype(), data.space(), again);
  EXPECT_EQ(other.dataset_info().filters[0].parameters, info.filters[0].parameters);
  other.write(std::vector<int>{1, 7}, Selection::box({3, 3}, {1, 2}));
  EXPECT_EQ(defined_count(other), 2u);
  EXPECT_EQ(other.read<int>(Selection::box({0, 0}, {1, 1})), 7);
}

TEST(PortableChunks, GetTheirFilterForOtherPrograms) {
  Scratch scratch;
  auto file = File::create(scratch / "p.h5");
  const SparseChunks options = sparse_chunks({1, 4, 6})
                                   .values({filters::shuffle(), filters::zstd(3)})
                                   .selection({filters::packed_selection()})
                                   .fill(Fill::of(7));
  const Datatype type = Datatype::of<std::uint16_t>();
  const FilterChoice filter = portable_filter(type, options);
  EXPECT_EQ(filter.id, 502);
  EXPECT_FALSE(filter.optional);
  // Version, rank, chunk, element bytes, fill value bytes and value, as the format page says.
  const std::vector<std::uint32_t> first{1, 3, 1, 4, 6, 2, 2, 7};
  EXPECT_EQ(std::vector<std::uint32_t>(filter.parameters.begin(), filter.parameters.begin() + 8), first);
  const Dataspace space = Dataspace::simple({5, 10, 10});
  auto data = file.root().create_dataset("d", type, space, SparseChunks(options).portable());
  EXPECT_EQ(data.dataset_info().filters[0].parameters, filter.parameters);

  DatasetOptions named;
  named.chunk = {1, 4, 6};
  named.filters = {filter};
  named.fill = Fill::of(7);
  auto other = file.root().create_dataset("e", type, space, named);
  EXPECT_TRUE(other.dataset_info().portable);
  EXPECT_THROW(portable_filter(type, sparse_chunks({})), Error);
  EXPECT_THROW(portable_filter(Datatype::of<std::string>(), sparse_chunks({4})), Error);
}

TEST(PortableChunks, AreChosenBeforeHeapsInChunks) {
  DatasetOptions options = sparse_chunks({4}).portable();
  options.heap_in_chunks = true;
  auto data = File::create_in_memory().root().create_dataset<int>("d", Dataspace::simple({8}), options);
  EXPECT_TRUE(data.dataset_info().portable);
}

TEST(PortableChunks, AreRefusedWithAReason) {
  Scratch scratch;
  auto file = File::create(scratch / "p.h5");
  const auto refused = [&](const Datatype& type, DatasetOptions options, const std::string& why) {
    try {
      file.root().create_dataset("d", type, Dataspace::simple({1u << 20, 1u << 20}), options);
      ADD_FAILURE() << why;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused(Datatype::of<std::string>(), sparse_chunks({4, 4}).portable(), "structured form");
  refused(Datatype::of<float>(), sparse_chunks({1u << 15, 1u << 15}).portable(), "4 GiB");
  const std::vector<std::byte> large(20000, std::byte{1});
  const Datatype opaque = Datatype::opaque(20000, "t");
  refused(opaque, sparse_chunks({4, 4}).portable().fill(Fill::of(opaque, large.data())), "at most 16384");
  DatasetOptions dense;
  dense.chunk = {4, 4};
  dense.portable = true;
  refused(Datatype::of<float>(), dense, "only sparse datasets");
  dense.portable = false;
  dense.filters = {{502, {1, 2, 4, 5, 4, 0, 0, 0}, false, ""}};
  refused(Datatype::of<float>(), dense, "other chunks or elements");
  dense.filters[0].parameters = {1, 2};
  refused(Datatype::of<float>(), dense, "the parameters of the filter");
}

FILIGREE_IN_BOTH_FORMS(Sparse);

}  // namespace
}  // namespace filigree
