// SPDX-License-Identifier: Apache-2.0
//
// The filters of sparse chunks that the library chooses.
#include <cmath>
#include <random>

#include <gmock/gmock.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint16_t shuffle_id = 2, selection_id = 500, values_id = 501, bitshuffle_id = 32008,
                        zstd_id = 32015;

std::vector<std::uint16_t> ids(const std::vector<FilterChoice>& filters) {
  std::vector<std::uint16_t> found;
  for (const FilterChoice& filter : filters) found.push_back(filter.id);
  return found;
}

class SectionChoice : public ::testing::Test {
 protected:
  DatasetInfo info_of(const Datatype& type, const DatasetOptions& options) {
    Dataset data = file_.root().create_dataset("d" + std::to_string(next_++), type,
                                               Dataspace::simple({64, 64}), options);
    return data.dataset_info();
  }
  std::vector<std::uint16_t> values_of(const Datatype& type) {
    const DatasetInfo info = info_of(type, sparse_chunks({16, 16}));
    EXPECT_THAT(ids(info.selection_filters), ElementsAre(selection_id));
    return ids(info.filters);
  }

  Scratch scratch_;
  File file_ = File::create(scratch_ / "f.h5");
  int next_ = 0;
};

TEST_F(SectionChoice, FollowsTheDatatype) {
  for (const unsigned bytes : {1u, 2u, 4u, 8u}) {
    EXPECT_THAT(values_of(Datatype::integer(bytes, true)), ElementsAre(values_id));
    EXPECT_THAT(values_of(Datatype::integer(bytes, false)), ElementsAre(values_id));
  }
  EXPECT_THAT(values_of(Datatype::floating(4)), ElementsAre(values_id, bitshuffle_id));
  EXPECT_THAT(values_of(Datatype::floating(8)), ElementsAre(values_id, bitshuffle_id));
  EXPECT_THAT(values_of(Datatype::array(Datatype::floating(4), {3})), ElementsAre(values_id, bitshuffle_id));
  EXPECT_THAT(values_of(Datatype::fixed_string(12)), ElementsAre(shuffle_id, zstd_id));
  EXPECT_THAT(values_of(Datatype::opaque(5, "tag")), ElementsAre(shuffle_id, zstd_id));
}

TEST_F(SectionChoice, CompressesTheHeapOfValuesOfVariableLength) {
  const DatasetInfo info = info_of(Datatype::variable_string(), sparse_chunks({16, 16}));
  EXPECT_THAT(ids(info.filters), ElementsAre(shuffle_id, zstd_id));
  EXPECT_THAT(ids(info.heap_filters), ElementsAre(zstd_id));
  EXPECT_THAT(info_of(Datatype::floating(8), sparse_chunks({16, 16})).heap_filters, IsEmpty());
}

TEST_F(SectionChoice, IsNotMadeWhereTheCallerChooses) {
  const Datatype number = Datatype::integer(4, true);
  const DatasetInfo values = info_of(number, sparse_chunks({16, 16}).values(filters::deflate(1)));
  EXPECT_THAT(ids(values.filters), ElementsAre(1));
  EXPECT_THAT(values.selection_filters, IsEmpty());
  const DatasetInfo selection = info_of(number, sparse_chunks({16, 16}).selection(filters::deflate(1)));
  EXPECT_THAT(selection.filters, IsEmpty());
  const DatasetInfo nothing = info_of(number, sparse_chunks({16, 16}).unfiltered());
  EXPECT_THAT(nothing.filters, IsEmpty());
  EXPECT_THAT(nothing.selection_filters, IsEmpty());
}

TEST_F(SectionChoice, LeavesDenseDatasetsAlone) {
  DatasetOptions dense;
  dense.chunk = {16, 16};
  EXPECT_THAT(info_of(Datatype::integer(4, true), dense).filters, IsEmpty());
  dense.heap_in_chunks = true;
  const DatasetInfo texts = info_of(Datatype::variable_string(), dense);
  EXPECT_THAT(texts.filters, IsEmpty());
  EXPECT_THAT(texts.heap_filters, IsEmpty());
}

TEST_F(SectionChoice, IsPartOfThePortableForm) {
  const DatasetInfo info = info_of(Datatype::floating(4), sparse_chunks({16, 16}).portable());
  EXPECT_TRUE(info.portable);
  EXPECT_THAT(ids(info.value_filters), ElementsAre(values_id, bitshuffle_id));
  EXPECT_THAT(ids(info.selection_filters), ElementsAre(selection_id));
}

TEST_F(SectionChoice, IsNotMadeForCopiesOfUnfilteredDatasets) {
  const Datatype number = Datatype::integer(4, true);
  auto source = file_.root().create_dataset("source", number, Dataspace::simple({64, 64}),
                                            sparse_chunks({16, 16}).unfiltered());
  const DatasetInfo info = info_of(number, source.creation_options());
  EXPECT_THAT(info.filters, IsEmpty());
  EXPECT_THAT(info.selection_filters, IsEmpty());
}

/// The bytes of 4096 scattered elements of a chunk of 1024 x 1024, and the values as they are read.
template <class T>
std::uint64_t stored_bytes(File& file, const std::vector<T>& values, const DatasetOptions& options) {
  static int next = 0;
  auto data =
      file.root().create_dataset<T>("s" + std::to_string(next++), Dataspace::simple({1024, 1024}), options);
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t i = 0; i < values.size(); ++i) offsets.push_back(251 * i + i % 7);
  write_offsets<T>(data, offsets, values);
  file.flush();
  const auto found = read_defined_offsets<T>(data);
  EXPECT_EQ(found.offsets, offsets);
  EXPECT_EQ(found.values, values);
  return data.stored_bytes();
}

TEST_F(SectionChoice, TakesFewerBytesThanShuffleAndZstandard) {
  std::mt19937 random(1);
  std::vector<float> counts(4096), numbers(4096);
  for (float& value : counts) value = 1.0f + static_cast<float>(std::poisson_distribution<int>(0.3)(random));
  for (float& value : numbers) value = std::normal_distribution<float>(0, 1)(random);
  const auto usual = sparse_chunks({1024, 1024})
                         .values(filters::shuffle(), filters::zstd(3))
                         .selection(filters::packed_selection());
  for (const auto& values : {counts, numbers}) {
    const std::uint64_t chosen = stored_bytes<float>(file_, values, sparse_chunks({1024, 1024}));
    EXPECT_LE(chosen, stored_bytes<float>(file_, values, usual) + 64);
  }
}

TEST_F(SectionChoice, LeavesFractionsToTheSecondFilter) {
  // As doubles they would be a table of 16384 values, which saves a fifth of the bytes and hides the zeros
  // behind.
  std::mt19937 random(2);
  std::vector<double> values(4096);
  for (double& value : values) value = static_cast<float>(std::normal_distribution<double>(5, 1)(random));
  const auto bitshuffled =
      sparse_chunks({1024, 1024}).values(filters::bitshuffle_lz4()).selection(filters::packed_selection());
  EXPECT_LE(stored_bytes<double>(file_, values, sparse_chunks({1024, 1024})),
            stored_bytes<double>(file_, values, bitshuffled) + 64);
}

}  // namespace
}  // namespace filigree
