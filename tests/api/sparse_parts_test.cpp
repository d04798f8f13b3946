// SPDX-License-Identifier: Apache-2.0
//
// Parts of sparse datasets with large chunks, beside an array with a mask: rows, columns, unions of boxes,
// points, of chunks that are stored, cached, and changed.
#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "forms.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;

/// How a dataset is stored.
struct Storage {
  const char* name;
  std::vector<FilterChoice> values, selection;
};

std::vector<Storage> storages() {
  return {{"unfiltered", {}, {}},
          {"packed", {}, {filters::packed_selection()}},
          {"packed_and_deflated", {filters::shuffle(), filters::deflate(1)}, {filters::packed_selection()}},
          {"deflated", {filters::deflate(1)}, {filters::deflate(1)}}};
}

/// The largest values do not fit into a byte, and there are few of them.
template <class T>
T value_of(std::mt19937_64& random) {
  const auto number = random();
  return static_cast<T>(number % 100 == 0 ? number % 30'000 : 1 + number % 20);
}

/// A dataset and what it should hold.
template <class T>
class Twin {
 public:
  Twin(const Storage& storage, Dims dims, Dims chunk, unsigned seed)
      : dims_(std::move(dims)),
        random_(seed),
        file_(File::create_in_memory()),
        data_(file_.root().create_dataset<T>(
            "d", Dataspace::simple(dims_),
            sparse_chunks(std::move(chunk)).values(storage.values).selection(storage.selection))) {
    array_.resize(std::accumulate(dims_.begin(), dims_.end(), std::uint64_t{1}, std::multiplies<>()));
  }

  const Dims& dims() const { return dims_; }
  Dataset& data() { return data_; }
  std::mt19937_64& random() { return random_; }
  void flush() { file_.flush(); }

  /// Writes each element with this probability; the dataset is not flushed.
  void scatter(double density) {
    Dims offsets;
    std::vector<T> values;
    for (std::uint64_t i = 0; i < array_.size(); ++i) {
      if (static_cast<double>(random_() % 10'000) >= density * 10'000) continue;
      offsets.push_back(i);
      values.push_back(value_of<T>(random_));
      array_[i] = values.back();
    }
    write_offsets<T>(data_, offsets, values, {0, array_.size()});
  }
  void write(const Selection& part) {
    const Dims offsets = part.within(dims_).offsets();
    std::vector<T> values;
    for (const std::uint64_t at : offsets) array_[at] = values.emplace_back(value_of<T>(random_));
    data_.write(values, part);
  }
  void erase(const Selection& part) {
    data_.erase(part);
    for (const std::uint64_t at : part.within(dims_).offsets()) array_[at].reset();
  }

  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  Selection box() {
    Dims start, count;
    for (const std::uint64_t dim : dims_) {
      start.push_back(below(dim));
      count.push_back(1 + below(std::min<std::uint64_t>(dim - start.back(), 1 + below(dim))));
    }
    return Selection::box(start, count);
  }
  /// All elements with one coordinate: a row, a column, a plane.
  Selection plane(std::size_t dimension) {
    Dims start(dims_.size()), count = dims_;
    start[dimension] = below(dims_[dimension]);
    count[dimension] = 1;
    return Selection::box(start, count);
  }
  Selection some() {
    const auto united = [&](const auto& one) {
      SelectionBuilder builder(dims_);
      for (std::uint64_t i = 0, n = 1 + below(20); i < n; ++i) builder.add(one());
      return builder.selection();
    };
    switch (below(8)) {
      case 0:
        return plane(0);
      case 1:
        return plane(dims_.size() - 1);
      case 2:
        return united([&] { return plane(0); });
      case 3:
        return united([&] { return plane(dims_.size() - 1); });
      case 4:
        return united([&] { return box(); });
      case 5: {
        Dims offsets(1 + below(300));
        for (std::uint64_t& at : offsets) at = below(array_.size());
        return Selection::of_offsets(dims_, offsets);
      }
      case 6:
        return Selection::strided(Dims(dims_.size()), Dims(dims_.size(), 2), halves());
      default:
        return box();
    }
  }

  void check(const Selection& part) {
    Dims wanted = part.within(dims_).offsets(), offsets;
    std::vector<T> values, dense;
    for (const std::uint64_t at : wanted) {
      dense.push_back(array_[at].value_or(T{}));
      if (!array_[at]) continue;
      offsets.push_back(at);
      values.push_back(*array_[at]);
    }
    const Selection expected = Selection::of_offsets(dims_, offsets);
    const auto found = read_defined<T>(data_, part);
    EXPECT_EQ(found.elements, expected);
    EXPECT_EQ(found.values, values);
    EXPECT_EQ(data_.defined(part), expected);
    EXPECT_EQ(defined_count(data_, part), values.size());
    const auto listed = read_defined_offsets<T>(data_, part);
    EXPECT_EQ(listed.offsets, offsets);
    EXPECT_EQ(listed.values, values);
    EXPECT_EQ(data_.template read<std::vector<T>>(part), dense);
    EXPECT_EQ(read_defined<double>(data_, part).values, std::vector<double>(values.begin(), values.end()));
    Dims visited;
    for_each_defined_offsets<T>(
        data_, [&](auto some, auto) { visited.insert(visited.end(), some.begin(), some.end()); }, part, 5000);
    EXPECT_EQ(visited, offsets);
  }

 private:
  Dims halves() const {
    Dims half;
    for (const std::uint64_t dim : dims_) half.push_back((dim + 1) / 2);
    return half;
  }

  Dims dims_;
  std::mt19937_64 random_;
  File file_;
  Dataset data_;
  std::vector<std::optional<T>> array_;
};

template <class T>
void compare(const Dims& dims, const Dims& chunk, double density) {
  for (const Storage& storage : storages()) {
    SCOPED_TRACE(storage.name);
    Twin<T> twin(storage, dims, chunk, 7);
    twin.scatter(density);
    for (int i = 0; i < 4; ++i) twin.check(twin.some());
    twin.flush();
    twin.data().set_chunk_cache(ChunkCacheOptions{.chunks = 0, .bytes = 0, .preemption = {}});
    for (int i = 0; i < 6; ++i) twin.check(twin.some());
    twin.data().set_chunk_cache(std::nullopt);
    for (int i = 0; i < 6; ++i) twin.check(twin.some());  // some chunks are cached now
    twin.write(twin.box());
    twin.erase(twin.box());
    twin.write(Selection::of_offsets(dims, Dims{twin.below(1000), 1000 + twin.below(1000)}));
    for (int i = 0; i < 4; ++i) twin.check(twin.some());  // some of them are dirty
    twin.check(Selection::all());
    twin.flush();
    twin.check(Selection::all());
    if (::testing::Test::HasFailure()) return;
  }
}

// Chunks have more than 8192 elements, so that decoded ones are compact.

class SparseParts : public InBothForms {};

TEST_P(SparseParts, OfAMatrixOfIntegers) { compare<std::int32_t>({300, 500}, {128, 256}, 0.3); }
TEST_P(SparseParts, OfAMatrixOfFloats) { compare<float>({300, 500}, {128, 256}, 0.3); }
TEST_P(SparseParts, OfAMatrixOfBytes) { compare<std::uint8_t>({300, 500}, {100, 500}, 0.3); }
TEST_P(SparseParts, OfAMatrixOfWideIntegers) { compare<std::int64_t>({130, 900}, {128, 256}, 0.4); }
TEST_P(SparseParts, OfAMatrixWithDenseRows) { compare<std::int16_t>({256, 400}, {128, 200}, 0.9); }
TEST_P(SparseParts, OfAMatrixOfChunksOfOneRow) { compare<std::int32_t>({5, 70'000}, {1, 40'000}, 0.3); }
TEST_P(SparseParts, OfALine) { compare<std::uint16_t>({150'000}, {65'536}, 0.2); }
TEST_P(SparseParts, OfACube) { compare<std::int32_t>({60, 50, 40}, {32, 32, 32}, 0.4); }
TEST_P(SparseParts, OfFrames) { compare<std::uint16_t>({6, 200, 210}, {1, 200, 128}, 0.4); }
TEST_P(SparseParts, OfSmallChunks) { compare<std::int32_t>({70, 90}, {16, 20}, 0.2); }

TEST_P(SparseParts, OfStrings) {
  if (is_portable()) GTEST_SKIP() << "portable chunks have elements of a fixed size";
  File file = File::create_in_memory();
  DatasetOptions options = sparse_chunks({40, 50});
  options.heap_in_chunks = true;
  auto data = file.root().create_dataset<std::string>("d", Dataspace::simple({90, 100}), options);
  std::vector<std::string> texts;
  Dims offsets;
  for (std::uint64_t i = 3; i < 9000; i += 7) {
    offsets.push_back(i);
    texts.push_back(std::string(i % 11, 'x') + std::to_string(i));
  }
  data.write(texts, Selection::of_offsets({90, 100}, offsets));
  for (const bool stored : {false, true}) {
    if (stored) file.flush();
    const auto row = read_defined<std::string>(data, Selection::box({50, 0}, {1, 100}));
    const auto column = read_defined<std::string>(data, Selection::box({0, 3}, {90, 1}));
    for (const auto* found : {&row, &column}) {
      const Dims at = found->elements.offsets();
      ASSERT_EQ(at.size(), found->values.size());
      for (std::size_t i = 0; i < at.size(); ++i)
        EXPECT_EQ(found->values[i], std::string(at[i] % 11, 'x') + std::to_string(at[i]));
    }
    EXPECT_EQ(row.values.size(), 15u);
    EXPECT_EQ(column.values.size(), 13u);
    EXPECT_EQ(defined_count(data), texts.size());
    const auto some = read_csr<std::string, std::int16_t>(data, Dims{89, 0});
    EXPECT_EQ(some.values.front(), std::string(8900 % 11, 'x') + "8900");
  }
}

FILIGREE_IN_BOTH_FORMS(SparseParts);

}  // namespace
}  // namespace filigree
