// SPDX-License-Identifier: Apache-2.0
//
// Copies of datasets with references: what is undefined or not stored in the original stays so in the copy.
#include <gmock/gmock.h>

#include "forms.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using References = std::vector<ObjectReference>;
using ::testing::ElementsAre;

/// The ways to copy a file with all that its references lead to.
std::vector<File> copies_of(const File& source) {
  std::vector<File> copies;
  File expanded = File::create_in_memory(source.creation_options());
  source.root().copy("g", expanded.root(), "g", {.expand_references = true});
  copies.push_back(reopened(expanded));
  for (const auto form : {std::optional<SparseForm>(), std::optional(SparseForm::portable),
                          std::optional(SparseForm::structured)}) {
    ContentsOptions options;
    options.sparse_form = form;
    File target = File::create_in_memory(source.creation_options());
    source.copy_contents_to(target, options);
    copies.push_back(reopened(target));
  }
  return copies;
}

class CopiedReferences : public InBothForms {
 protected:
  Dataset make(const Dims& dims, const DatasetOptions& options) {
    return group_.create_dataset<ObjectReference>("r", Dataspace::simple(dims), options);
  }

  File file_ = File::create_in_memory();
  Group group_ = file_.root().create_group("g");
  ObjectReference target_ = group_.create_group("target").reference();
};

TEST_P(CopiedReferences, AreDefinedWhereTheOriginalsAre) {
  for (const bool stored : {false, true}) {
    Dataset data = stored ? group_.open_dataset("r") : make({10, 9}, sparse_chunks({4, 5}));
    if (!stored) {
      data.write(References{target_, {}, target_}, Selection::box({2, 3}, {1, 3}));
      data.write(ObjectReference{}, Selection::box({9, 8}, {1, 1}));  // a chunk without other elements
    } else {
      file_.flush();
    }
    for (const File& copy : copies_of(file_)) {
      const Dataset copied = copy.root().open_dataset("g/r");
      const ObjectReference target = copy.root().open("g/target").reference();
      EXPECT_EQ(copied.defined(), data.defined());
      EXPECT_EQ(copied.chunk_count(), 3u);
      EXPECT_THAT(read_defined<ObjectReference>(copied).values,
                  ElementsAre(target, ObjectReference{}, target, ObjectReference{}));
    }
  }
}

TEST_P(CopiedReferences, OfLargeExtentsTakeTheTimeOfWhatIsStored) {
  constexpr std::uint64_t side = std::uint64_t{1} << 30;
  Dataset data = make({side, side}, sparse_chunks({64, 64}));
  data.write(target_, Selection::box({side - 1, 7}, {1, 1}));
  for (const File& copy : copies_of(file_)) {
    const Dataset copied = copy.root().open_dataset("g/r");
    EXPECT_EQ(copied.defined(), data.defined());
    EXPECT_THAT(read_defined<ObjectReference>(copied).values,
                ElementsAre(copy.root().open("g/target").reference()));
  }
}

FILIGREE_IN_BOTH_FORMS(CopiedReferences);

TEST(CopiedReferencesOfChunks, LeaveOthersUnallocatedAsInHdf5) {
  for (const Version low : {Version::earliest, Version::v1_10}) {
    const File file = File::create_in_memory({}, bounds(low));
    Group group = file.root().create_group("g");
    const ObjectReference target = group.create_group("target").reference();
    DatasetOptions options;
    options.chunk = {10, 10};
    Dataset data = group.create_dataset<ObjectReference>("r", Dataspace::simple({97, 95}), options);
    data.write(References{target, {}, target}, Selection::box({96, 92}, {1, 3}));
    data.write(ObjectReference{}, Selection::box({55, 5}, {1, 1}));
    for (const File& copy : copies_of(file)) {
      const Dataset copied = copy.root().open_dataset("g/r");
      const ObjectReference made = copy.root().open("g/target").reference();
      EXPECT_EQ(copied.chunk_count(), 2u);
      EXPECT_EQ(copied.stored_bytes(), data.stored_bytes());
      EXPECT_THAT(copied.read<References>(Selection::box({96, 91}, {1, 4})),
                  ElementsAre(ObjectReference{}, made, ObjectReference{}, made));
    }
  }
}

TEST(CopiedReferencesOfChunks, FillUnwrittenElementsLikeTheOriginal) {
  const File file = File::create_in_memory();
  Group group = file.root().create_group("g");
  const ObjectReference target = group.create_group("target").reference();
  DatasetOptions options;
  options.chunk = {2};
  options.fill = Fill::of(target);
  group.create_dataset<ObjectReference>("r", Dataspace::simple({5}), options)
      .write(ObjectReference{}, Selection::box({1}, {1}));
  for (const File& copy : copies_of(file)) {
    const ObjectReference made = copy.root().open("g/target").reference();
    EXPECT_THAT(copy.root().read_dataset<References>("g/r"),
                ElementsAre(made, ObjectReference{}, made, made, made));
  }
}

TEST(CopiedReferencesOfChunks, InExtentsWithoutLinearOffsets) {
  constexpr std::uint64_t far = std::uint64_t{1} << 62;
  const File file = File::create_in_memory();
  Group group = file.root().create_group("g");
  const ObjectReference target = group.create_group("target").reference();
  const Selection corner = Selection::box({far - 1, far - 1}, {1, 1}), start = Selection::box({0, 0}, {1, 1});
  for (const bool sparse : {false, true}) {
    DatasetOptions options = SparseChunks({4, 5});
    options.sparse = sparse;
    Dataset data =
        group.create_dataset<ObjectReference>(sparse ? "s" : "d", Dataspace::simple({far, far}), options);
    data.write(target, corner);
    data.write(target, start);
  }
  File copy = File::create_in_memory();
  file.copy_contents_to(copy);
  const ObjectReference made = copy.root().open("g/target").reference();
  for (const char* name : {"g/s", "g/d"}) {
    const Dataset copied = copy.root().open_dataset(name);
    EXPECT_EQ(copied.chunk_count(), 2u);
    EXPECT_EQ(copied.read<ObjectReference>(corner), made);
    EXPECT_EQ(copied.read<ObjectReference>(start), made);
  }
  EXPECT_EQ(copy.root().open_dataset("g/s").defined_count(), 2u);
}

/// A reference beside a number.
struct Numbered {
  std::int32_t number = 0;
  ObjectReference to;
};
void describe(Members& members, Numbered& n) { members("number", n.number)("to", n.to); }

TEST(CopiedReferencesOfChunks, InCompoundsWithoutAFillValue) {
  File file = File::create_in_memory();
  DatasetOptions chunks;
  chunks.chunk = {4};
  const ObjectReference target = file.root().create_group("target").reference();
  file.root()
      .create_dataset<Numbered>("r", Dataspace::simple({100}), chunks)
      .write(std::vector<Numbered>{{5, target}, {6, {}}}, Selection::box({50}, {2}));
  File copy = File::create_in_memory();
  file.copy_contents_to(copy);
  const Dataset copied = copy.root().open_dataset("r");
  const auto values = copied.read<std::vector<Numbered>>(Selection::box({49}, {3}));
  EXPECT_EQ(copied.chunk_count(), 1u);
  EXPECT_EQ(values[0].to, ObjectReference{});
  EXPECT_EQ(values[1].number, 5);
  EXPECT_EQ(values[1].to, copy.root().open("target").reference());
  EXPECT_EQ(values[2].number, 6);
}

/// A reference beside a string, both in one element.
struct Named {
  ObjectReference to;
  std::string name;
};
void describe(Members& members, Named& named) { members("to", named.to)("name", named.name); }

TEST(CopiedReferencesOfChunks, BesideStringsInSparseChunks) {
  for (const bool heap_in_chunks : {false, true}) {
    File file = File::create_in_memory();
    const ObjectReference target = file.root().create_group("target").reference();
    DatasetOptions options = SparseChunks({4});
    options.heap_in_chunks = heap_in_chunks;
    file.root()
        .create_dataset<Named>("r", Dataspace::simple({100}), options)
        .write(std::vector<Named>{{target, "one"}, {{}, "two"}}, Selection::box({50}, {2}));
    File copy = File::create_in_memory();
    file.copy_contents_to(copy);
    const auto [elements, values] = read_defined<Named>(copy.root().open_dataset("r"));
    EXPECT_EQ(elements, Selection::box({50}, {2}).within({100}));
    ASSERT_EQ(values.size(), 2u);
    EXPECT_EQ(values[0].to, copy.root().open("target").reference());
    EXPECT_EQ(values[1].to, ObjectReference{});
    EXPECT_EQ(values[0].name + values[1].name, "onetwo");
  }
}

}  // namespace
}  // namespace filigree
