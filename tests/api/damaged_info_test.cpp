// SPDX-License-Identifier: Apache-2.0
//
// What can be said of files in which structures are damaged that only describe them.
#include <string_view>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Image = std::vector<std::byte>;

/// A file with shared messages: attributes with an index that is a B-tree, and datatypes that are in a list.
Image with_shared_messages() {
  CreateOptions options;
  options.shared_messages = {{{SharedMessage::attribute}, 8}};
  options.shared_list_max = 2;
  options.shared_btree_min = 1;
  const File file = File::create_in_memory(options, bounds(Version::v1_8));
  for (int i = 0; i < 6; ++i) {
    Group group = file.root().create_group("g" + std::to_string(i));
    for (int k = 0; k < 4; ++k) group.set_attribute("a" + std::to_string(k), std::vector<double>(9, k));
  }
  return file.image();
}

/// Changes the version in all structures with a signature.
Image with_damaged(Image image, std::string_view signature) {
  const std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
  int damaged = 0;
  for (std::size_t at = text.find(signature); at != text.npos; at = text.find(signature, at + 1), ++damaged)
    image[at + signature.size()] ^= std::byte{0x55};
  EXPECT_GE(damaged, 1) << signature;
  return image;
}

TEST(FileInfo, OfFilesWithDamagedSharedMessagesHasTheRest) {
  const Image image = with_shared_messages();
  const FileInfo sound = File::open_image(image).info();
  ASSERT_GT(sound.shared_message_index_bytes, 0u);
  ASSERT_GT(sound.shared_message_heap_bytes, 0u);
  for (const std::string_view signature : {"BTHD", "FRHP"}) {
    const File file = File::open_image(with_damaged(image, signature));
    const FileInfo info = file.info();
    EXPECT_EQ(info.file_bytes, sound.file_bytes);
    EXPECT_EQ(info.shared_message_table_bytes, sound.shared_message_table_bytes);
    EXPECT_EQ(info.shared_message_index_bytes, signature == "BTHD" ? 0 : sound.shared_message_index_bytes);
    EXPECT_EQ(info.shared_message_heap_bytes, signature == "FRHP" ? 0 : sound.shared_message_heap_bytes);
    EXPECT_EQ(names(file.root()).size(), 6u);
  }
}

}  // namespace
}  // namespace filigree
