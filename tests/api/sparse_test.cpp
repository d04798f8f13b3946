// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

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
  return options;
}

class Sparse : public ::testing::Test {
 protected:
  std::uintmax_t bytes() {
    file_.flush();
    return std::filesystem::file_size(scratch_ / "f.h5");
  }

  Scratch scratch_;
  File file_ = File::create(scratch_ / "f.h5");
  Group root_ = file_.root();
};

TEST_F(Sparse, DefinesWhatIsWrittenWhateverItsValue) {
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
  EXPECT_EQ(same.dataset_info().layout, Layout::structured);
  EXPECT_THAT(same.defined().coordinates(), ElementsAre(3, 3, 3, 4, 3, 5));
  EXPECT_THAT(same.read<std::vector<int>>(Selection::box({3, 2}, {1, 5})), ElementsAre(-1, 0, 5, -1, -1));
}

TEST_F(Sparse, ErasesAndFreesChunksThatDefineNothing) {
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

TEST_F(Sparse, CostsWhatIsDefinedNotTheVolume) {
  const std::uint64_t side = 1'000'000'000;
  auto data = root_.create_dataset<double>("d", Dataspace::simple({side, side}, {unlimited, side}),
                                           sparse({100'000, 100'000}));
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

TEST_F(Sparse, ErasesAColumnOfATallChunkByWhatIsDefined) {
  const std::uint64_t rows = 4'000'000'000;
  auto data = root_.create_dataset<int>("d", Dataspace::simple({rows, 2}, {rows, 4}), sparse({rows, 2}));
  data.write(std::vector<int>{1, 2}, Selection::box({rows - 1, 0}, {1, 2}));
  data.erase(Selection::box({0, 0}, {rows, 1}));
  EXPECT_THAT(data.defined().coordinates(), ElementsAre(rows - 1, 1));
  data.write(std::vector<int>{1, 2}, Selection::box({7, 0}, {1, 2}));
  data.resize({rows, 1});
  EXPECT_THAT(data.defined().coordinates(), ElementsAre(7, 0));
}

TEST_F(Sparse, HoldsStringsAndSequencesInItsChunks) {
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

TEST_F(Sparse, DenseDatasetsMayHaveTheirHeapInChunks) {
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

TEST_F(Sparse, RefusesWhatOnlySparseDatasetsCan) {
  auto dense = root_.create_dataset<int>("dense", Dataspace::simple({10}));
  EXPECT_EQ(dense.defined().elements(), 10u);
  try {
    dense.erase(Selection::all());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_THAT(error.what(), HasSubstr("dense"));
  }
  auto options = sparse({5});
  options.filters = {filters::nbit()};
  EXPECT_THROW(root_.create_dataset<int>("bad", Dataspace::simple({10}), options), Error);
  options = sparse({5});
  options.allocation = AllocationTime::early;
  EXPECT_THROW(root_.create_dataset<int>("bad", Dataspace::simple({10}), options), Error);
  EXPECT_FALSE(root_.has_link("bad"));
}

TEST_F(Sparse, IsCopiedAndDeleted) {
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

TEST_F(Sparse, ReadsPartsOfLargeChunks) {
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

/// A sparse dataset and what it should hold, side by side.
class Twin {
 public:
  Twin(Group root, unsigned seed) : random_(seed) {
    const unsigned rank = 1 + pick(3);
    Dims most, chunk;
    for (unsigned d = 0; d < rank; ++d) {
      dims_.push_back(1 + pick(rank == 1 ? 60 : rank == 2 ? 15 : 7));
      chunk.push_back(1 + pick(rank == 1 ? 20 : 6));
      const unsigned kind = pick(3);
      most.push_back(kind == 0 ? unlimited : std::max(dims_[d], chunk[d]) + (kind == 1 ? 5 : 0));
      chunk[d] = std::min(chunk[d], most[d]);
    }
    DatasetOptions options = sparse(chunk);
    if (pick(2) == 0) options.fill = Fill::of(fill_ = -7);
    if (pick(2) == 0) options.filters = {filters::shuffle(), filters::deflate()};
    if (pick(3) == 0) options.selection_filters = {filters::deflate()};
    if (pick(3) == 0) options.selection_filters = {filters::packed_selection()};
    if (pick(4) == 0) options.filters.push_back(filters::fletcher32());
    most_ = most;
    data_ = root.create_dataset<int>("d" + std::to_string(seed), Dataspace::simple(dims_, most), options);
    values_.assign(elements(), fill_);
    mask_.assign(elements(), 0);
  }

  void step() {
    switch (pick(8)) {
      case 0:
        return resize();
      case 1:
      case 2:
        return erase();
      default:
        return write();
    }
  }

  void check() const {
    ASSERT_EQ(data_->read<std::vector<int>>(), values_);
    ASSERT_EQ(data_->defined(), Selection::of_mask(dims_, mask_));
  }
  void reopen(const Group& root) { data_ = Dataset(root.open(data_->path())); }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::uint64_t elements() const {
    return std::accumulate(dims_.begin(), dims_.end(), std::uint64_t{1}, std::multiplies<>());
  }

  Selection some() {
    const unsigned kind = pick(4);
    if (kind == 0) return Selection::all();
    if (kind == 1) {
      std::vector<std::uint8_t> mask(elements());
      for (auto& m : mask) m = pick(5) == 0;
      return Selection::of_mask(dims_, mask);
    }
    Dims start, count;
    for (const std::uint64_t n : dims_) {
      start.push_back(pick(static_cast<unsigned>(n)));
      count.push_back(1 + pick(static_cast<unsigned>(n - start.back())));
    }
    return Selection::box(start, count);
  }

  void write() {
    const Selection selection = some().within(dims_);
    std::vector<int> values(selection.elements());
    for (int& value : values) value = static_cast<int>(pick(100));
    data_->write(values, selection);
    const auto offsets = selection.offsets();
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      values_[offsets[i]] = values[i];
      mask_[offsets[i]] = 1;
    }
  }

  void erase() {
    const Selection selection = some().within(dims_);
    data_->erase(selection);
    for (const std::uint64_t offset : selection.offsets()) {
      values_[offset] = fill_;
      mask_[offset] = 0;
    }
  }

  void resize() {
    Dims dims;
    for (std::size_t d = 0; d < dims_.size(); ++d)
      dims.push_back(std::min<std::uint64_t>(1 + pick(static_cast<unsigned>(dims_[d]) + 4), most_[d]));
    data_->resize(dims);
    std::vector<int> values;
    std::vector<std::uint8_t> mask;
    Dims at(dims.size());
    const std::uint64_t count =
        std::accumulate(dims.begin(), dims.end(), std::uint64_t{1}, std::multiplies<>());
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t rest = i, old = 0;
      bool inside = true;
      for (std::size_t d = dims.size(); d-- > 0;) {
        at[d] = rest % dims[d];
        rest /= dims[d];
        inside = inside && at[d] < dims_[d];
      }
      for (std::size_t d = 0; d < dims.size(); ++d) old = old * dims_[d] + at[d];
      values.push_back(inside ? values_[old] : fill_);
      mask.push_back(inside ? mask_[old] : 0);
    }
    dims_ = dims;
    values_ = std::move(values);
    mask_ = std::move(mask);
  }

  std::mt19937 random_;
  Dims dims_, most_;
  int fill_ = 0;
  std::optional<Dataset> data_;
  std::vector<int> values_;
  std::vector<std::uint8_t> mask_;
};

TEST_F(Sparse, IsAnArrayWithAMask) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const std::string path = scratch_ / "twin.h5";
    File file = File::create(path, CreateMode::truncate);
    Twin twin(file.root(), seed);
    for (int i = 0; i < 20; ++i) {
      twin.step();
      if (i % 7 == 3) file.flush();
      if (i % 11 == 10) {
        file.close();
        file = File::open(path, OpenMode::read_write);
        twin.reopen(file.root());
      }
      twin.check();
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace filigree
