// SPDX-License-Identifier: Apache-2.0
//
// Fill values of variable length in datasets that have their heaps in chunks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using Texts = std::vector<std::string>;
using Lists = std::vector<std::vector<int>>;
using ::testing::Each;
using ::testing::ElementsAre;

class HeapFill : public ::testing::TestWithParam<bool> {
 protected:
  template <class T>
  Dataset make(const std::string& name, const T& fill, Dims dims = {10}) {
    DatasetOptions options;
    options.chunk = {4};
    options.sparse = GetParam();
    options.heap_in_chunks = true;
    options.fill = Fill::of(Datatype::memory<T>(), &fill);
    return file_.root().create_dataset<T>(name, Dataspace::simple(dims, {unlimited}), options);
  }

  Scratch scratch_;
  File file_ = File::create(scratch_ / "f.h5");
};

TEST_P(HeapFill, IsReadWhereNothingWasWritten) {
  Dataset data = make<std::string>("d", "nothing here");
  EXPECT_THAT(data.read<Texts>(), Each("nothing here"));
  data.write(Texts{"a", ""}, Selection::box({5}, {2}));
  const Texts expected{
      "nothing here", "nothing here", "nothing here", "nothing here", "nothing here", "a", "",
      "nothing here", "nothing here", "nothing here"};
  EXPECT_EQ(data.read<Texts>(), expected);
  EXPECT_EQ(data.defined().elements(), GetParam() ? 2u : 10u);
  file_.close();
  File again = File::open(scratch_ / "f.h5", OpenMode::read_write);
  Dataset same = again.root().open_dataset("d");
  EXPECT_EQ(same.read<Texts>(), expected);
  EXPECT_EQ(same.dataset_info().fill, Fill::State::value);
  same.resize({5});
  same.resize({8});
  EXPECT_EQ(same.read<Texts>(), Texts(8, "nothing here"));
}

TEST_P(HeapFill, MayBeASequence) {
  Dataset data = make<std::vector<int>>("d", {1, 2, 3});
  data.write(Lists{{4}, {}}, Selection::box({3}, {2}));
  file_.close();
  const File again = File::open(scratch_ / "f.h5");
  EXPECT_THAT(again.root().read_dataset<Lists>("d"),
              ElementsAre(ElementsAre(1, 2, 3), ElementsAre(1, 2, 3), ElementsAre(1, 2, 3), ElementsAre(4),
                          ElementsAre(), ElementsAre(1, 2, 3), ElementsAre(1, 2, 3), ElementsAre(1, 2, 3),
                          ElementsAre(1, 2, 3), ElementsAre(1, 2, 3)));
}

TEST_P(HeapFill, MayBeNested) {
  using Nested = std::vector<std::string>;
  Dataset data = make<Nested>("d", {"one", "two"});
  data.write(std::vector<Nested>{{"three"}}, Selection::box({3}, {1}));
  file_.close();
  const auto read = File::open(scratch_ / "f.h5").root().read_dataset<std::vector<Nested>>("d");
  EXPECT_THAT(read[0], ElementsAre("one", "two"));
  EXPECT_THAT(read[3], ElementsAre("three"));
  EXPECT_THAT(read[9], ElementsAre("one", "two"));
}

TEST_P(HeapFill, GoesWithCopies) {
  Dataset data = make<std::string>("d", std::string(5000, 'f'));
  data.write(std::string_view("a"), Selection::box({5}, {1}));
  File other = File::create(scratch_ / "other.h5");
  file_.root().copy("d", other.root(), "copy");
  other.close();
  const Texts expected = data.read<Texts>();
  EXPECT_EQ(File::open(scratch_ / "other.h5").root().read_dataset<Texts>("copy"), expected);
  file_.root().copy("d", file_.root(), "again");
  EXPECT_EQ(file_.root().read_dataset<Texts>("again"), expected);
  file_.root().remove("again");
  EXPECT_EQ(data.read<Texts>(), expected);
}

INSTANTIATE_TEST_SUITE_P(Layouts, HeapFill, ::testing::Bool(),
                         [](const auto& row) { return row.param ? "Sparse" : "Dense"; });

}  // namespace
}  // namespace filigree
