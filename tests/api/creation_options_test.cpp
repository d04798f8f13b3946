// SPDX-License-Identifier: Apache-2.0
//
// Files and objects tell what they were made with.
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <filigree/filigree.hpp>

namespace filigree {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(CreationOptions, OfAFile) {
  CreateOptions options;
  options.offset_bytes = 4;
  options.chunk_k = 20;
  options.space = {SpaceStrategy::paged, true, 3, 8192};
  options.shared_messages = {{{SharedMessage::datatype, SharedMessage::attribute}, 40}};
  options.shared_list_max = 30;
  options.shared_btree_min = 20;
  options.root.track_order = true;
  const CreateOptions found = File::create_in_memory(options).creation_options();
  EXPECT_EQ(found.offset_bytes, 4);
  EXPECT_EQ(found.chunk_k, 20);
  EXPECT_EQ(found.space.strategy, SpaceStrategy::paged);
  EXPECT_EQ(found.space.page_bytes, 8192u);
  ASSERT_THAT(found.shared_messages, SizeIs(1));
  EXPECT_THAT(found.shared_messages[0].types, ElementsAre(SharedMessage::datatype, SharedMessage::attribute));
  EXPECT_EQ(found.shared_messages[0].least_bytes, 40u);
  EXPECT_EQ(found.shared_list_max, 30);
  EXPECT_EQ(found.shared_btree_min, 20);
  EXPECT_TRUE(found.root.track_order);
}

TEST(CreationOptions, OfAGroup) {
  AccessOptions access;
  access.versions.low = Version::v1_10;
  const File file = File::create_in_memory({}, access);
  GroupOptions options;
  options.track_order = options.index_order = true;
  options.max_compact = 20;
  options.min_dense = 10;
  options.expected_links = 7;
  options.track_times = false;
  options.attributes = {true, false, 12, 3};
  const GroupOptions found = file.root().create_group("g", options).creation_options();
  EXPECT_TRUE(found.track_order && found.index_order);
  EXPECT_EQ(found.max_compact, 20);
  EXPECT_EQ(found.min_dense, 10);
  EXPECT_EQ(found.expected_links, 7);
  EXPECT_FALSE(found.track_times);
  EXPECT_TRUE(found.attributes.track_order);
  EXPECT_FALSE(found.attributes.index_order);
  EXPECT_EQ(found.attributes.max_compact, 12);
}

TEST(CreationOptions, OfACommittedDatatype) {
  AccessOptions access;
  access.versions.low = Version::v1_8;
  File file = File::create_in_memory({}, access);
  const CommitOptions options{{true, true, 5, 2}, false};
  for (const auto& type : {file.root().commit("t", Datatype::of<int>(), {}, options),
                           file.commit_unlinked(Datatype::of<int>(), options)}) {
    EXPECT_TRUE(type.attribute_storage().index_order);
    EXPECT_EQ(type.attribute_storage().max_compact, 5);
    EXPECT_FALSE(type.tracks_times());
    EXPECT_FALSE(type.info().modified.has_value());
  }
  EXPECT_TRUE(file.root().commit("u", Datatype::of<int>()).tracks_times());
}

TEST(CreationOptions, OfADataset) {
  const File file = File::create_in_memory();
  DatasetOptions options;
  options.chunk = {4, 5};
  options.filters = {filters::shuffle(), filters::deflate(3)};
  options.fill = Fill::of(7);
  options.fill_time = FillTime::on_allocation;
  const Dataset made = file.root().create_dataset<double>("d", Dataspace::simple({8, 10}), options);
  const DatasetOptions found = made.creation_options();
  EXPECT_EQ(found.layout, Layout::chunked);
  EXPECT_THAT(found.chunk, ElementsAre(4, 5));
  ASSERT_THAT(found.filters, SizeIs(2));
  EXPECT_EQ(found.filters[1].id, 1);
  EXPECT_EQ(found.fill_time, FillTime::on_allocation);
  ASSERT_EQ(found.fill.state(), Fill::State::value);
  EXPECT_EQ(*found.fill.type(), Datatype::floating(8));
  const File other = File::create_in_memory();
  const Dataset copy = other.root().create_dataset<double>("d", Dataspace::simple({4, 5}), found);
  EXPECT_EQ(copy.read<std::vector<double>>(), std::vector<double>(20, 7.0));
}

TEST(CreationOptions, KeepTextsOfFillValues) {
  const File file = File::create_in_memory();
  const std::string text = "nothing yet";
  DatasetOptions options;
  options.fill = Fill::of(Datatype::memory<std::string>(), &text);
  const Dataset made = file.root().create_dataset<std::string>("d", Dataspace::simple({2}), options);
  const DatasetOptions found = made.creation_options();
  const Dataset copy = file.root().create_dataset<std::string>("copy", Dataspace::simple({1}), found);
  EXPECT_THAT(copy.read<std::vector<std::string>>(), ElementsAre(text));
}

TEST(LinkOptions, SayInWhichCharactersANameIs) {
  const File file = File::create_in_memory();
  LinkOptions utf8;
  utf8.charset = CharacterSet::utf8;
  file.root().link_soft("plain", "/x");
  file.root().link_soft("wide", "/x", utf8);
  EXPECT_EQ(file.root().link("plain").charset, CharacterSet::ascii);
  EXPECT_EQ(file.root().link("wide").charset, CharacterSet::utf8);
}

}  // namespace
}  // namespace filigree
