// SPDX-License-Identifier: Apache-2.0
//
// Groups with filters, which are applied to the storage of many links.
#include <string>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

namespace filigree {
namespace {

constexpr std::uint16_t deflate = 1;

GroupOptions deflated() {
  GroupOptions options;
  options.filters.push_back({deflate, {6}});
  return options;
}

std::string name_of(int number) {
  return "a link with a name that is easy to compress, number " + std::to_string(number);
}

/// The size of a file with a group of soft links.
std::size_t file_bytes(const GroupOptions& options, int links) {
  File file = File::create_in_memory();
  Group group = file.root().create_group("group", options);
  for (int i = 0; i < links; ++i) group.link_soft(name_of(i), "/somewhere");
  return file.image().size();
}

TEST(GroupFilters, MakeManyLinksSmaller) {
  EXPECT_LT(file_bytes(deflated(), 2000), file_bytes({}, 2000) / 2);
}

TEST(GroupFilters, AreKnownFromTheFile) {
  File file = File::create_in_memory();
  file.root().create_group("group", deflated());
  file.root().create_group("plain");
  const File again = File::open_image(file.image());
  const auto found = again.root().open_group("group").creation_options().filters;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, deflate);
  EXPECT_EQ(found[0].parameters, (std::vector<std::uint32_t>{6}));
  EXPECT_TRUE(again.root().open_group("plain").creation_options().filters.empty());
}

TEST(GroupFilters, KeepLinksThatAreAddedAndRemoved) {
  File file = File::create_in_memory();
  Group group = file.root().create_group("group", deflated());
  for (int i = 0; i < 500; ++i) group.link_soft(name_of(i), "/somewhere");
  file.flush();
  for (int i = 0; i < 500; i += 2) group.remove(name_of(i));
  file.flush();
  for (int i = 1000; i < 1100; ++i) group.link_soft(name_of(i), "/somewhere");
  const File again = File::open_image(file.image());
  const Group read = again.root().open_group("group");
  EXPECT_EQ(read.size(), 350u);
  EXPECT_FALSE(read.has_link(name_of(0)));
  EXPECT_TRUE(read.has_link(name_of(1)));
  EXPECT_TRUE(read.has_link(name_of(1099)));
}

TEST(GroupFilters, ThatAreMissingRefuseTheLinkThatNeedsThem) {
  File file = File::create_in_memory();
  GroupOptions options;
  options.filters.push_back({32767, {}});
  Group group = file.root().create_group("group", options);
  for (int i = 0; i < 8; ++i) group.link_soft(name_of(i), "/somewhere");
  EXPECT_THROW(group.link_soft(name_of(8), "/somewhere"), Error);
  file.flush();
  EXPECT_EQ(group.size(), 8u);
}

}  // namespace
}  // namespace filigree
