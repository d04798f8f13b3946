// SPDX-License-Identifier: Apache-2.0
//
// Copies of whole files, and the other form of sparse datasets in them.
#include <gmock/gmock.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

File copied(const File& source, const ContentsOptions& options = {}) {
  File target = File::create_in_memory(source.creation_options());
  source.copy_contents_to(target, options);
  return reopened(target);
}

File in_form(const File& source, SparseForm form) {
  ContentsOptions options;
  options.sparse_form = form;
  return copied(source, options);
}

TEST(CopyContents, CopiesEachObjectOnceWithAllItsLinks) {
  File file = File::create_in_memory();
  Group root = file.root();
  Group a = root.create_group("a");
  a.link_hard("up", root);
  root.link_hard("again", a);
  root.link_soft("soft", "/a");
  root.link_external("other", "other.h5", "/x");
  root.set_attribute("title", "all");
  root.set_comment("remark");
  const File copy = copied(file);
  EXPECT_THAT(names(copy.root()), ElementsAre("a", "again", "other", "soft"));
  EXPECT_EQ(copy.root().open("a"), copy.root().open("again"));
  EXPECT_EQ(copy.root().open("a/up"), Object(copy.root()));
  EXPECT_EQ(copy.root().open("a").info().link_count, 2u);
  EXPECT_EQ(copy.root().info().link_count, file.root().info().link_count);
  EXPECT_EQ(copy.root().get_attribute<std::string>("title"), "all");
  EXPECT_EQ(copy.root().comment(), "remark");
  EXPECT_EQ(copy.root().link("other").file, "other.h5");
}

TEST(CopyContents, ReferencesLeadToCopiesWhateverContainsThem) {
  File file = File::create_in_memory();
  Group root = file.root();
  // The first objects refer to the last ones, which do not have copies yet.
  Group early = root.create_group("a");
  const Dataset late = root.write_dataset("z", std::vector<int>{1, 2, 3});
  early.set_attribute("one", late.reference());
  early.set_attribute("many", std::vector<std::vector<ObjectReference>>{{late.reference(), {}}, {}});
  const Datatype pair = Datatype::packed_compound(
      {{"to", Datatype::reference(ReferenceKind::object)}, {"number", Datatype::of<std::uint64_t>()}});
  const std::array<std::uint64_t, 2> element{late.address(), 7};
  root.create_dataset("b", pair, Dataspace::simple({1})).write_elements(pair, element.data(), 1);
  root.write_dataset("c", std::vector<ObjectReference>{early.reference(), late.reference()});
  root.write_dataset("d",
                     std::vector<RegionReference>{Dataset(late).region_reference(Selection::box({1}, {2}))});

  const File copy = copied(file);
  const Object target = copy.root().open("z");
  const Group copied_early = copy.root().open_group("a");
  EXPECT_EQ(copied_early.get_attribute<ObjectReference>("one"), target.reference());
  const auto many = copied_early.get_attribute<std::vector<std::vector<ObjectReference>>>("many");
  EXPECT_THAT(many.at(0), ElementsAre(target.reference(), ObjectReference{}));
  std::array<std::uint64_t, 2> read{};
  copy.root().open_dataset("b").read_elements(pair, read.data(), 1);
  EXPECT_THAT(read, ElementsAre(target.address(), 7u));
  EXPECT_THAT(copy.root().read_dataset<std::vector<ObjectReference>>("c"),
              ElementsAre(copied_early.reference(), target.reference()));
  const Region region = copy.open_region(copy.root().read_dataset<std::vector<RegionReference>>("d").at(0));
  EXPECT_EQ(Object(region.dataset), target);
  EXPECT_EQ(region.selection.elements(), 2u);
}

/// A reference beside a string, both in one element.
struct Named {
  ObjectReference to;
  std::string name;
};
void describe(Members& members, Named& named) { members("to", named.to)("name", named.name); }

TEST(CopyContents, ReferencesBesideStringsLeadToCopies) {
  File file = File::create_in_memory();
  file.root().create_group("a");
  const Dataset late = file.root().write_dataset("z", 1);
  file.root().write_dataset("n", std::vector<Named>{{late.reference(), "one"}, {{}, "two"}});
  const File copy = copied(file);
  const auto read = copy.root().read_dataset<std::vector<Named>>("n");
  EXPECT_EQ(read.at(0).to, copy.root().open("z").reference());
  EXPECT_EQ(read.at(1).to, ObjectReference{});
  EXPECT_EQ(read.at(0).name + read.at(1).name, "onetwo");
}

TEST(CopyContents, ReferencesToWhatHasNoLinkBecomeNull) {
  File file = File::create_in_memory();
  const Group gone = file.root().create_group("gone");
  file.root().write_dataset("r", gone.reference());
  file.root().remove("gone");
  EXPECT_EQ(copied(file).root().read_dataset<ObjectReference>("r"), ObjectReference{});
}

TEST(CopyContents, CommittedDatatypesStayShared) {
  File file = File::create_in_memory();
  const CommittedDatatype type = file.root().commit("t", Datatype::of<std::uint16_t>());
  file.root().create_dataset("plain", type.datatype(), Dataspace::simple({3}));
  file.root().create_dataset("sparse", type.datatype(), Dataspace::simple({3}), sparse_chunks({2}));
  for (const auto form : {std::optional<SparseForm>(), std::optional(SparseForm::portable)}) {
    ContentsOptions options;
    options.sparse_form = form;
    EXPECT_EQ(copied(file, options).root().open("t").info().link_count, 3u);
  }
}

/// What a sparse dataset has: its defined elements with their values.
std::vector<std::pair<std::uint64_t, int>> contents(const File& file, const char* name) {
  const auto [offsets, values] = read_defined_offsets<int>(file.root().open_dataset(name));
  std::vector<std::pair<std::uint64_t, int>> all;
  for (std::size_t i = 0; i < offsets.size(); ++i) all.emplace_back(offsets[i], values[i]);
  return all;
}

TEST(CopyContents, FormsChangeAndDefinedElementsStay) {
  File file = File::create_in_memory();
  Dataset data = file.root().create_dataset<int>("x", Dataspace::simple({10, 12}, {unlimited, 12}),
                                                 sparse_chunks({4, 5})
                                                     .values(filters::shuffle(), filters::deflate(3))
                                                     .selection(filters::packed_selection())
                                                     .fill(Fill::of(-1)));
  data.write(std::vector<int>{0, -1, 5, 6}, Selection::box({3, 4}, {2, 2}));  // a fill value that is defined
  data.write(9, Selection::box({9, 11}, {1, 1}));
  data.set_attribute("a", 1);
  const File portable = in_form(file, SparseForm::portable);
  const DatasetInfo info = portable.root().open_dataset("x").dataset_info();
  EXPECT_TRUE(info.portable);
  EXPECT_EQ(info.value_filters.size(), 2u);
  EXPECT_EQ(contents(portable, "x"), contents(file, "x"));
  EXPECT_EQ(portable.root().open("x").get_attribute<int>("a"), 1);
  const File structured = in_form(portable, SparseForm::structured);
  EXPECT_EQ(structured.root().open_dataset("x").dataset_info().layout, Layout::structured);
  EXPECT_EQ(contents(structured, "x"), contents(file, "x"));
  EXPECT_EQ(structured.root().open_dataset("x").space(), file.root().open_dataset("x").space());
  EXPECT_EQ(structured.root().open_dataset("x").fill_bytes(), file.root().open_dataset("x").fill_bytes());
  // A dataset that has the form already is copied as it is.
  EXPECT_EQ(in_form(structured, SparseForm::structured).root().open_dataset("x").stored_bytes(),
            structured.root().open_dataset("x").stored_bytes());
}

TEST(CopyContents, DatasetsWithoutThatFormAreReportedAndKept) {
  File file = File::create_in_memory();
  file.root()
      .create_dataset<std::string>("texts", Dataspace::simple({4}), sparse_chunks({2}))
      .write("hello", Selection::box({1}, {1}));
  file.root().create_dataset<int>("x", Dataspace::simple({4}), sparse_chunks({2}));
  file.root().write_dataset("dense", 1);
  std::vector<std::string> seen, converted;
  std::string reason;
  ContentsOptions options;
  options.sparse_form = SparseForm::portable;
  options.on_dataset = [&](const CopiedDataset& copied) {
    if (copied.refused != nullptr) {
      reason = copied.source.path() + " " + copied.refused->what();
    } else {
      (copied.converted != nullptr ? converted : seen).push_back(copied.source.path());
    }
  };
  const File copy = copied(file, options);
  EXPECT_THAT(seen, UnorderedElementsAre("/texts", "/x", "/dense"));
  EXPECT_THAT(converted, ElementsAre("/x"));
  EXPECT_THAT(reason, HasSubstr("/texts portable sparse chunks have elements of a fixed size"));
  EXPECT_EQ(copy.root().open_dataset("texts").dataset_info().layout, Layout::structured);
  EXPECT_EQ(copy.root().open_dataset("texts").read<std::vector<std::string>>().at(1), "hello");
}

TEST(CopyContents, TheDestinationIsEmpty) {
  const File file = File::create_in_memory();
  File target = File::create_in_memory();
  target.root().create_group("g");
  EXPECT_EQ(error_of([&] { file.copy_contents_to(target); }), ErrorKind::invalid_argument);
}

TEST(CopyContents, ExceptionsOfTheCallbackEndTheCopy) {
  File file = File::create_in_memory();
  file.root().write_dataset("x", 1);
  File target = File::create_in_memory();
  ContentsOptions options;
  options.on_dataset = [](const CopiedDataset&) { throw Error(ErrorKind::limit, "enough"); };
  EXPECT_EQ(error_of([&] { file.copy_contents_to(target, options); }), ErrorKind::limit);
}

TEST(Requirements, AreThoseOfTheNewestStructure) {
  File old = File::create_in_memory();
  old.root().write_dataset("x", 1);
  EXPECT_EQ(old.requirements().version, Version::earliest);
  File file = File::create_in_memory({}, bounds(Version::v1_8));
  EXPECT_EQ(file.requirements().version, Version::v1_8);
  DatasetOptions options;
  options.chunk = {2};
  options.filters = {filters::zstd(), filters::shuffle()};
  old.root().create_dataset<int>("filtered", Dataspace::simple({4}), options);
  old.root().create_dataset<int>("sparse", Dataspace::simple({4}),
                                 sparse_chunks({2}).selection(filters::packed_selection()));
  const Requirements found = old.requirements();
  EXPECT_TRUE(found.structured_chunks);
  std::vector<std::uint16_t> ids;
  for (const FilterChoice& filter : found.filters) ids.push_back(filter.id);
  EXPECT_THAT(ids, ElementsAre(2, 500, 32015));
}

TEST(Requirements, ThePortableFilterStandsForThoseOfItsSections) {
  File file = File::create_in_memory();
  file.root().create_dataset<int>("x", Dataspace::simple({4}),
                                  sparse_chunks({2}).values(filters::zstd()).portable());
  const Requirements found = file.requirements();
  EXPECT_FALSE(found.structured_chunks);
  ASSERT_EQ(found.filters.size(), 1u);
  EXPECT_EQ(found.filters[0].id, 502);
  EXPECT_EQ(found.version, Version::earliest);
}

}  // namespace
}  // namespace filigree
