// SPDX-License-Identifier: Apache-2.0
//
// Walks over groups, and what they do about broken objects.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

namespace filigree {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// /a, /dense with twelve groups in it, /z, and a soft link /y.
std::vector<std::byte> make_image() {
  AccessOptions access;
  access.versions.low = Version::v1_8;
  File file = File::create_in_memory({}, access);
  Group root = file.root();
  root.create_group("a");
  for (int i = 10; i < 22; ++i) root.require_group("dense/" + std::to_string(i));
  root.create_group("z");
  root.link_soft("y", "/a");
  return file.image();
}

void overwrite(std::vector<std::byte>& image, std::uint64_t at) {
  std::fill_n(image.begin() + static_cast<std::ptrdiff_t>(at), 4, std::byte{0xee});
}

std::uint64_t position_of(const std::vector<std::byte>& image, std::string_view signature) {
  const std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
  return text.find(signature);
}

VisitOptions keep_going() {
  VisitOptions options;
  options.keep_going = true;
  return options;
}

/// Paths in the order of the walk; broken ones with an exclamation mark.
std::vector<std::string> walk(const Group& group, const VisitOptions& options) {
  std::vector<std::string> paths;
  group.visit(
      [&](const Visited& visited) {
        paths.push_back(visited.path + (visited.error != nullptr ? "!" : ""));
        return true;
      },
      options);
  return paths;
}

TEST(Visit, StaysInTheGroupWhenAskedTo) {
  const File file = File::open_image(make_image());
  VisitOptions options;
  options.into_groups = false;
  EXPECT_THAT(walk(file.root(), options), ElementsAre(".", "a", "dense", "y", "z"));
}

TEST(Visit, ThrowsAtABrokenObject) {
  auto image = make_image();
  overwrite(image, File::open_image(image).root().link("a").address);
  const File file = File::open_image(image);
  EXPECT_THROW(walk(file.root(), {}), Error);
}

TEST(Visit, GoesOnPastABrokenObjectWhenAskedTo) {
  auto image = make_image();
  overwrite(image, File::open_image(image).root().link("a").address);
  const File file = File::open_image(image);
  std::string message;
  file.root().visit(
      [&](const Visited& visited) {
        if (visited.path == "a") {
          EXPECT_FALSE(visited.object);
          message = visited.error->what();
        }
        return true;
      },
      keep_going());
  EXPECT_THAT(message, HasSubstr("opening '/a' of 'memory': object header at"));
  EXPECT_EQ(walk(file.root(), keep_going()).back(), "z");
}

TEST(Visit, TellsOfAGroupWhoseLinksCannotBeRead) {
  auto image = make_image();
  const std::uint64_t heap = position_of(image, "FRHP");
  ASSERT_LT(heap, image.size());
  overwrite(image, heap);
  const File file = File::open_image(image);
  EXPECT_THAT(walk(file.root(), keep_going()), ElementsAre(".", "a", "dense!", "y", "z"));
  file.root().visit(
      [](const Visited& visited) {
        EXPECT_EQ(visited.object.has_value(), visited.path != "y") << visited.path;
        return true;
      },
      keep_going());
}

TEST(Visit, StopsWhenTheFunctionSaysSo) {
  const File file = File::open_image(make_image());
  int calls = 0;
  EXPECT_FALSE(file.root().visit([&](const Visited&) { return ++calls < 3; }));
  EXPECT_EQ(calls, 3);
}

TEST(GroupOpen, OpensWhatALinkLeadsTo) {
  const File file = File::open_image(make_image());
  const Group dense = file.root().open_group("dense");
  for (const Link& link : dense.links()) {
    const Object object = dense.open(link);
    EXPECT_EQ(object.path(), "/dense/" + link.name);
    EXPECT_EQ(object.address(), link.address);
    EXPECT_TRUE(object == dense.open(link.name));
  }
  EXPECT_TRUE(file.root().open(file.root().link("y")) == file.open_object("/a"));
}

}  // namespace
}  // namespace filigree
