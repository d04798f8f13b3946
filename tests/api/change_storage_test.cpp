// SPDX-License-Identifier: Apache-2.0
//
// Copies of whole files in which datasets get other storage.
#include <numeric>

#include <gmock/gmock.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Runs = std::vector<Selection::Run>;

/// Copies a file; the dataset at `path` is stored as `change` says.
File changed(const File& source, const std::string& path, const StorageChange& change) {
  File target = File::create_in_memory(source.creation_options());
  ContentsOptions options;
  options.change_storage = [&](const Dataset& data) {
    return data.path() == path ? std::optional(change) : std::nullopt;
  };
  options.on_dataset = [](const CopiedDataset& copied) {
    if (copied.refused != nullptr) throw Error(*copied.refused);
  };
  source.copy_contents_to(target, options);
  return reopened(target);
}

DatasetOptions chunks(std::vector<std::uint64_t> dims) {
  DatasetOptions options;
  options.chunk = std::move(dims);
  return options;
}

std::vector<int> counted(std::size_t count, int first = 1) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// Chooses elements that are not zero.
Runs not_zero(const DenseBox& box) {
  Runs runs;
  const auto* const values = reinterpret_cast<const int*>(box.values);
  for (std::size_t i = 0; i < box.elements; ++i)
    if (values[i] != 0) runs.push_back({i, 1});
  return runs;
}

TEST(ChangeStorage, OnlyStoredChunksAreStoredInTheCopy) {
  File file = File::create_in_memory();
  DatasetOptions options = chunks({4, 4});
  options.fill = Fill::of(7);
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({16, 18}), options);
  data.write(counted(16), Selection::box({4, 8}, {4, 4}));
  data.write(counted(4), Selection::box({14, 16}, {2, 2}));
  const auto before = data.read<std::vector<int>>();
  const auto chunks_with = [&](std::vector<std::uint64_t> dims) {
    DatasetOptions wanted = options;
    wanted.chunk = std::move(dims);
    wanted.filters = {filters::shuffle(), filters::deflate(1)};
    const File copy = changed(file, "/x", {wanted});
    const Dataset made = copy.root().open_dataset("x");
    EXPECT_EQ(made.read<std::vector<int>>(), before);
    EXPECT_EQ(made.dataset_info().filters.size(), 2u);
    return made.chunk_count();
  };
  EXPECT_EQ(chunks_with({4, 4}), 2u);
  EXPECT_EQ(chunks_with({2, 2}), 6u);  // the chunk at the edge has four, of which two are in the extent
  EXPECT_EQ(chunks_with({8, 9}), 3u);
  EXPECT_EQ(chunks_with({3, 5}), 6u);
  EXPECT_EQ(chunks_with({16, 18}), 1u);
}

TEST(ChangeStorage, LayoutsWithoutChunks) {
  File file = File::create_in_memory();
  Dataset data =
      file.root().create_dataset<int>("x", Dataspace::simple({6, 5}, {unlimited, 5}), chunks({4, 4}));
  data.write(counted(30));
  for (const Layout layout : {Layout::contiguous, Layout::compact}) {
    StorageChange change;
    change.options.layout = layout;
    change.space = Dataspace::simple({6, 5});
    const File copy = changed(file, "/x", change);
    EXPECT_EQ(copy.root().open_dataset("x").dataset_info().layout, layout);
    EXPECT_EQ(copy.root().open_dataset("x").read<std::vector<int>>(), counted(30));
  }
}

TEST(ChangeStorage, ASparseCopyDefinesWhatIsChosen) {
  File file = File::create_in_memory();
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({9, 10, 11}), chunks({3, 4, 11}));
  data.write(counted(24), Selection::strided({0, 2, 3}, {5, 3, 2}, {2, 3, 4}));
  for (const auto& dims :
       std::vector<std::vector<std::uint64_t>>{{2, 3, 4}, {9, 10, 11}, {1, 1, 11}, {4, 10, 3}}) {
    const File copy = changed(file, "/x", {sparse_chunks(dims), std::nullopt, not_zero});
    const Dataset made = copy.root().open_dataset("x");
    EXPECT_TRUE(made.dataset_info().sparse);
    EXPECT_EQ(made.defined(), Selection::strided({0, 2, 3}, {5, 3, 2}, {2, 3, 4}).within({9, 10, 11}));
    EXPECT_EQ(made.read<std::vector<int>>(), data.read<std::vector<int>>());
  }
}

TEST(ChangeStorage, WithoutAChoiceAllThatIsStoredIsDefined) {
  File file = File::create_in_memory();
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({8, 8}), chunks({4, 4}));
  data.write(5, Selection::box({5, 1}, {1, 1}));
  const File copy = changed(file, "/x", {sparse_chunks({4, 4})});
  EXPECT_EQ(copy.root().open_dataset("x").defined(), Selection::box({4, 0}, {4, 4}).within({8, 8}));
}

TEST(ChangeStorage, AChoiceSeesUnwrittenElementsIfItWantsTo) {
  File file = File::create_in_memory();
  const std::uint64_t rows = std::uint64_t{1} << 22;  // two boxes, of which one stores nothing
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({rows, 2}), chunks({1024, 2}));
  data.write(5, Selection::box({5, 1}, {1, 1}));
  for (const bool unwritten : {false, true}) {
    std::uint64_t boxes = 0;
    StorageChange change{sparse_chunks({1024, 2}), std::nullopt, [&](const DenseBox&) {
                           ++boxes;
                           return Runs{{1, 2}};
                         }};
    if (unwritten) change.choose_unwritten = [](const Selection&) { return true; };
    const File copy = changed(file, "/x", change);
    EXPECT_EQ(boxes, unwritten ? 2u : 1u);
    EXPECT_EQ(copy.root().open_dataset("x").defined_count(), 2 * boxes);
  }
}

TEST(ChangeStorage, ChosenRunsStayInTheirBox) {
  File file = File::create_in_memory();
  file.root().write_dataset("x", counted(10));
  for (const Runs& runs : {Runs{{5, 6}}, Runs{{11, 1}}, Runs{{3, 2}, {4, 1}}, Runs{{1, ~std::uint64_t{0}}}}) {
    const StorageChange change{sparse_chunks({4}), std::nullopt, [&](const DenseBox&) { return runs; }};
    EXPECT_EQ(error_of([&] { changed(file, "/x", change); }), ErrorKind::invalid_argument);
  }
}

TEST(ChangeStorage, SparseDatasetsKeepWhatIsDefined) {
  File file = File::create_in_memory();
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({30, 10}), sparse_chunks({5, 4}));
  data.write(std::vector<int>(24, 0), Selection::box({2, 2}, {4, 6}));  // defined zeros
  data.write(9, Selection::box({29, 9}, {1, 1}));
  const File other = changed(file, "/x", {sparse_chunks({3, 10}).values(filters::zstd())});
  EXPECT_EQ(other.root().open_dataset("x").defined(), data.defined());
  EXPECT_EQ(other.root().open_dataset("x").dataset_info().chunk, (std::vector<std::uint64_t>{3, 10}));
  const File dense = changed(file, "/x", {chunks({3, 5})});
  EXPECT_EQ(dense.root().open_dataset("x").read<std::vector<int>>(), data.read<std::vector<int>>());
  EXPECT_EQ(dense.root().open_dataset("x").chunk_count(), 10u);  // of twenty
}

TEST(ChangeStorage, StringsAreCopiedBothWays) {
  File file = File::create_in_memory();
  std::vector<std::string> texts(60);
  texts[7] = "seven";
  texts[31] = std::string(5000, 'x');
  Dataset data = file.root().write_dataset("x", texts);
  const StorageChange change{sparse_chunks({7}), std::nullopt, [](const DenseBox& box) {
                               Runs runs;
                               for (std::size_t i = 0; i < box.elements; ++i) {
                                 const char* text = nullptr;
                                 std::memcpy(&text, box.values + i * sizeof(text), sizeof(text));
                                 if (text != nullptr && *text != '\0') runs.push_back({i, 1});
                               }
                               return runs;
                             }};
  const File sparse = changed(file, "/x", change);
  EXPECT_EQ(sparse.root().open_dataset("x").defined().offsets(), (std::vector<std::uint64_t>{7, 31}));
  const File again = changed(sparse, "/x", {sparse_chunks({11})});
  EXPECT_EQ(again.root().open_dataset("x").read<std::vector<std::string>>(), texts);
  EXPECT_EQ(again.root().open_dataset("x").defined_count(), 2u);
  const File dense = changed(again, "/x", {});
  EXPECT_EQ(dense.root().open_dataset("x").read<std::vector<std::string>>(), texts);
}

TEST(ChangeStorage, ReferencesOfASparseCopyAreThoseThatWereChosen) {
  File file = File::create_in_memory();
  const Group target = file.root().create_group("z");
  std::vector<ObjectReference> references(20);
  references[4] = references[11] = target.reference();
  file.root().write_dataset("x", references);
  const StorageChange change{sparse_chunks({6}), std::nullopt, [](const DenseBox& box) {
                               return Runs{{4, 1}, {6, box.elements - 6}};
                             }};
  const File copy = changed(file, "/x", change);
  const Dataset made = copy.root().open_dataset("x");
  EXPECT_EQ(made.defined_count(), 15u);
  const auto found = made.read<std::vector<ObjectReference>>();
  EXPECT_EQ(copy.open_object(found[4]), copy.root().open("z"));
  EXPECT_EQ(copy.open_object(found[11]), copy.root().open("z"));
}

TEST(ChangeStorage, HugeExtentsCostWhatIsStored) {
  const std::uint64_t side = std::uint64_t{1} << 28;
  File file = File::create_in_memory();
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({side, side}), chunks({16, 16}));
  data.write(counted(4), Selection::strided({5, 7}, {side / 2, side / 2}, {2, 2}));
  const File dense = changed(file, "/x", {chunks({64, 8})});
  EXPECT_EQ(dense.root().open_dataset("x").chunk_count(), 8u);
  const File sparse = changed(file, "/x", {sparse_chunks({512, 512}), std::nullopt, not_zero});
  EXPECT_EQ(sparse.root().open_dataset("x").defined_count(), 4u);
  const File again = changed(sparse, "/x", {sparse_chunks({1000, 1000})});
  EXPECT_EQ(again.root().open_dataset("x").defined(), sparse.root().open_dataset("x").defined());
}

TEST(ChangeStorage, WhatCannotBeStoredSoIsReportedAndCopied) {
  File file = File::create_in_memory();
  file.root().write_dataset("x", counted(10));
  File target = File::create_in_memory();
  std::string reason;
  ContentsOptions options;
  options.change_storage = [](const Dataset&) { return StorageChange{chunks({3, 3})}; };
  options.on_dataset = [&](const CopiedDataset& copied) {
    EXPECT_EQ(copied.converted, nullptr);
    if (copied.refused != nullptr) reason = copied.refused->what();
  };
  file.copy_contents_to(target, options);
  EXPECT_THAT(reason, HasSubstr("dimension"));
  EXPECT_EQ(target.root().open_dataset("x").read<std::vector<int>>(), counted(10));
}

TEST(ChangeStorage, ObjectsAreLeftOutWithAllTheirLinks) {
  File file = File::create_in_memory();
  Group root = file.root();
  const Dataset mask = root.write_dataset("mask", counted(3));
  root.create_group("g").link_hard("same", mask);
  root.write_dataset("a", std::vector<ObjectReference>{mask.reference()});
  File target = File::create_in_memory();
  ContentsOptions options;
  options.leave_out = [&](const Object& object) { return object.address() == mask.address(); };
  file.copy_contents_to(target, options);
  EXPECT_THAT(names(target.root()), ElementsAre("a", "g"));
  EXPECT_THAT(names(target.root().open_group("g")), ElementsAre());
  EXPECT_THAT(target.root().open_dataset("a").read<std::vector<ObjectReference>>(), Each(ObjectReference{}));
}

}  // namespace
}  // namespace filigree
