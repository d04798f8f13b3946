// SPDX-License-Identifier: Apache-2.0
//
// Files whose checksums are right and whose contents lie: cycles, overlaps, absurd counts and depths in the
// structures of dense groups. What only flips bits is stopped by checksums before it gets here.
#include <functional>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/btrees/btree2.hpp"
#include "format/codec/codec.hpp"
#include "format/heaps/fractal_heap.hpp"
#include "format/messages/attribute.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/link.hpp"
#include "format/messages/object_messages.hpp"
#include "format/object_header/object_header.hpp"
#include "io/memory/memory_file.hpp"
#include "model/attribute/attribute_io.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/link/link_table.hpp"
#include "model/object/copy.hpp"
#include "model/object/object.hpp"
#include "testing/pass_through_file.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

using format::MessageType;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr format::Widths widths;

/// A root group with `links` dense links to one empty group, and `attributes` attributes.
Buffer make_image(int links, int attributes) {
  io::MemoryFile memory;
  AccessOptions access;
  access.versions.low = Version::latest;
  auto file = File::create(std::make_unique<testing::PassThroughFile>(memory), {}, access);
  {
    const Change change(*file, "fill the file");
    LinkMessage link;
    link.header = LinkTable::create_group(*file, {});
    LinkTable table(*file, file->root());
    for (int i = 0; i < links; ++i) {
      link.name = "link " + std::to_string(i);
      table.insert(link);
      if (i > 0) add_link_to(*file, link.header);
    }
    for (int i = 0; i < attributes; ++i) {
      const auto attribute = make_attribute(*file, "attribute " + std::to_string(i),
                                            format::fixed_point(8, true), {}, Address::undefined);
      AttributeTable(*file, file->root()).insert(attribute);
    }
  }
  file->close();
  return memory.image();
}

void read_everything(const Buffer& image) {
  io::MemoryOptions options;
  options.writable = false;
  const auto file = File::open(std::make_unique<io::MemoryFile>(image, options), {});
  (void)object_info(*file, file->root());
  LinkTable links(*file, file->root());
  (void)links.size();
  (void)links.find("link 1");
  links.for_each(IndexBy::name, Direction::ascending, [&](const LinkMessage& link) {
    (void)object_info(*file, link.header);
    return true;
  });
  AttributeTable(*file, file->root())
      .for_each(IndexBy::name, Direction::ascending, [](const StoredAttribute&) { return true; });
}

void remove_everything(const Buffer& image) {
  const auto file = File::open(std::make_unique<io::MemoryFile>(image), {});
  for (int i = 0; i < 100; ++i) {
    const Change change(*file, "remove a link");
    LinkTable(*file, file->root()).remove("link " + std::to_string(i));
    AttributeTable(*file, file->root()).remove("attribute " + std::to_string(i));
  }
  file->close();
}

void expect_error(const std::string& text, const std::function<void()>& work) {
  try {
    work();
    ADD_FAILURE() << "the lie went unnoticed; expected: " << text;
  } catch (const Error& error) {
    EXPECT_THAT(error.kind(), AnyOf(ErrorKind::corrupt, ErrorKind::truncated)) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

class LyingFile : public ::testing::Test {
 protected:
  Buffer image_ = make_image(100, 12);

  std::size_t find(std::string_view signature, std::size_t from = 0) const {
    const std::size_t at = as_text(image_).find(signature, from);
    EXPECT_NE(at, std::string_view::npos) << signature;
    return at;
  }

  /// Decodes the structure at `at`, changes it and puts it back with the checksum that belongs to it.
  template <class T, class Change>
  void rewrite(std::size_t at, Change&& change, T model = {}) {
    format::decode(model, Bytes(image_).subspan(at), widths);
    change(model);
    const Buffer bytes = format::encode(model, widths);
    std::copy(bytes.begin(), bytes.end(), image_.begin() + at);
  }

  struct Header {
    std::size_t at, area_at, area_end;
    std::vector<format::MessageSlot> messages;
  };
  /// The first block of the object header at `at`.
  Header header(std::size_t at) const {
    format::ObjectHeaderPrefixV2 prefix;
    const std::size_t area_at = at + format::decode(prefix, Bytes(image_).subspan(at), widths);
    std::uint32_t gap = 0;
    auto messages = format::walk_messages(Bytes(image_).subspan(area_at, prefix.area_bytes), 0,
                                          {2, prefix.tracks_attribute_order}, to_address(at), gap);
    return {at, area_at, area_at + prefix.area_bytes, std::move(messages)};
  }
  void fix_checksum(const Header& h) {
    store_word(&image_[h.area_end], lookup3(Bytes(image_).subspan(h.at, h.area_end - h.at)), 4);
  }
  /// Changes the first message of that type in the root group's header.
  template <class T, class Change>
  void rewrite_message(MessageType type, Change&& change) {
    const Header root = header(load_word(&image_[36], 8));
    for (const auto& slot : root.messages) {
      if (slot.type != type) continue;
      rewrite<T>(root.area_at + slot.body_at, change);
      return fix_checksum(root);
    }
    ADD_FAILURE() << "no " << to_string(type) << " message";
  }

  void expect_refused(const std::string& text) {
    expect_error(text, [&] { read_everything(image_); });
    // Changes may refuse elsewhere, or not meet the lie at all.
    try {
      remove_everything(image_);
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::internal) << error.what();
    }
  }
};

TEST_F(LyingFile, IsReadBeforeItLies) {
  read_everything(image_);
  remove_everything(image_);
}

TEST_F(LyingFile, WithABTreeOfAbsurdDepth) {
  rewrite<format::BTree2Header>(find("BTHD"), [](auto& h) { h.depth = 0xffff; });
  expect_refused("B-tree");
}

TEST_F(LyingFile, WithABTreeDeeperThanItIs) {
  rewrite<format::BTree2Header>(find("BTHD"), [](auto& h) { h.depth = 5; });
  expect_refused("B-tree");
}

TEST_F(LyingFile, WithMoreRecordsThanAnyFileHolds) {
  rewrite<format::BTree2Header>(find("BTHD"), [](auto& h) { h.total_records = std::uint64_t{1} << 62; });
  expect_refused("B-tree");
}

TEST_F(LyingFile, WithNodesOfFourGigabytes) {
  rewrite<format::BTree2Header>(find("BTHD"), [](auto& h) { h.node_bytes = 0xffffffff; });
  expect_refused("B-tree");
}

TEST_F(LyingFile, WithABTreeThatIsItsOwnRoot) {
  const std::size_t at = find("BTHD");
  rewrite<format::BTree2Header>(at, [&](auto& h) { h.root = to_address(at); });
  expect_refused("B-tree");
}

TEST_F(LyingFile, WithABTreeNodeBelowItself) {
  const auto tree = format::decode<format::BTree2Header>(Bytes(image_).subspan(find("BTHD")), widths);
  ASSERT_EQ(tree.depth, 1);
  const format::BTree2Geometry geometry(tree.node_bytes, tree.record_bytes, 8);
  format::BTree2Node blank;
  blank.geometry = &geometry;
  blank.type = tree.type;
  blank.depth = 1;
  blank.count = tree.root_records;
  rewrite(
      to_number(tree.root), [&](auto& node) { node.children[1].at = tree.root; }, blank);
  expect_refused("B-tree node");
}

TEST_F(LyingFile, WithTwoPointersToOneBTreeNode) {
  const auto tree = format::decode<format::BTree2Header>(Bytes(image_).subspan(find("BTHD")), widths);
  const format::BTree2Geometry geometry(tree.node_bytes, tree.record_bytes, 8);
  format::BTree2Node blank;
  blank.geometry = &geometry;
  blank.type = tree.type;
  blank.depth = 1;
  blank.count = tree.root_records;
  rewrite(
      to_number(tree.root), [&](auto& node) { node.children[1] = node.children[0]; }, blank);
  // Reading may show some links twice; what matters is that it ends, and that changes do not free twice.
  EXPECT_NO_FATAL_FAILURE({
    try {
      read_everything(image_);
      remove_everything(image_);
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::internal) << error.what();
    }
  });
}

TEST_F(LyingFile, WithAHeapThatIsItsOwnRoot) {
  const std::size_t at = find("FRHP");
  rewrite<format::FractalHeapHeader>(at, [&](auto& h) { h.root = to_address(at); });
  expect_refused("fractal heap");
}

TEST_F(LyingFile, WithAHeapWhoseRootIsADifferentBlock) {
  rewrite<format::FractalHeapHeader>(find("FRHP"), [&](auto& h) { h.root_rows = h.root_rows == 0 ? 1 : 0; });
  expect_refused("fractal heap");
}

TEST_F(LyingFile, WithAHeapOfAbsurdBlocks) {
  rewrite<format::FractalHeapHeader>(find("FRHP"),
                                     [](auto& h) { h.start_block = 1u << 28, h.max_direct = 1u << 30; });
  expect_refused("fractal heap");
}

TEST_F(LyingFile, WithTheHeapInPlaceOfTheTree) {
  image_ = make_image(100, 0);  // the message is in the first block
  rewrite_message<format::LinkInfo>(MessageType::link_info, [](auto& info) { info.name_tree = info.heap; });
  expect_refused("B-tree");
}

TEST_F(LyingFile, WithTheTreeInPlaceOfTheHeap) {
  image_ = make_image(100, 0);  // the message is in the first block
  rewrite_message<format::LinkInfo>(MessageType::link_info, [](auto& info) { info.heap = info.name_tree; });
  expect_refused("fractal heap");
}

TEST_F(LyingFile, WithLinksBeyondTheEnd) {
  image_ = make_image(100, 0);  // the message is in the first block
  rewrite_message<format::LinkInfo>(MessageType::link_info,
                                    [](auto& info) { info.heap = to_address(std::uint64_t{1} << 60); });
  expect_refused("fractal heap");
}

TEST_F(LyingFile, WithAContinuationToItself) {
  image_ = make_image(6, 8);  // compact, more than the first block takes
  const std::uint64_t root = load_word(&image_[36], 8);
  const Header before = header(root);
  rewrite_message<format::Continuation>(MessageType::continuation, [&](auto& c) {
    c.block = to_address(root);
    c.bytes = before.area_end + 4 - before.at;
  });
  expect_refused("cycle");
}

TEST_F(LyingFile, WithAContinuationBlockThatContinuesInItself) {
  image_ = make_image(6, 8);
  format::Continuation continuation;
  for (const auto& slot : header(load_word(&image_[36], 8)).messages) {
    if (slot.type == MessageType::continuation) {
      continuation = format::decode<format::Continuation>(
          Bytes(image_).subspan(header(load_word(&image_[36], 8)).area_at + slot.body_at), widths);
    }
  }
  ASSERT_TRUE(is_valid(continuation.block));
  // One continuation message (type, size, flags), the rest NIL; the signature stays.
  const std::size_t at = to_number(continuation.block), end = at + continuation.bytes - 4;
  std::size_t next = at + 4;
  const auto put = [&](std::uint64_t value, unsigned width) {
    store_word(&image_[next], value, width);
    next += width;
  };
  put(static_cast<std::uint64_t>(MessageType::continuation), 1), put(16, 2), put(0, 1);
  put(at, 8), put(continuation.bytes, 8);
  put(0, 1), put(end - next - 3, 2), put(0, 1);
  store_word(&image_[end], lookup3(Bytes(image_).subspan(at, end - at)), 4);
  expect_refused("cycle");
}

TEST_F(LyingFile, WithFewerLinksCountedThanThereAreFreesEachObjectOnce) {
  // Every link leads to one group, whose header counts a single link (no reference count message).
  image_ = make_image(0, 0);
  const auto file = File::open(std::make_unique<io::MemoryFile>(image_), {});
  {
    const Change change(*file, "fill the file");
    LinkMessage link;
    link.header = LinkTable::create_group(*file, {});
    link.name = "self";
    LinkTable(*file, link.header).insert(link);  // not counted
    for (const char* name : {"a", "b"}) {
      link.name = name;
      LinkTable(*file, file->root()).insert(link);  // nor is the second of these
    }
  }
  {
    const Change change(*file, "remove a link");
    drop_link_to(*file, LinkTable(*file, file->root()).remove("a")->header);
  }
  file->close();
}

TEST_F(LyingFile, WithAnAttributeThatPromisesMoreThanItHoldsIsNotCopied) {
  image_ = make_image(0, 0);
  {
    io::MemoryFile memory(image_);
    const auto file = File::open(std::make_unique<testing::PassThroughFile>(memory), {});
    {
      const Change change(*file, "create an attribute");
      format::DataspaceMessage two;
      two.kind = format::DataspaceKind::simple;
      two.dims = {2};
      AttributeTable(*file, file->root())
          .insert(make_attribute(*file, "a", format::fixed_point(8, true), two, Address::undefined));
    }
    file->close();
    image_ = memory.image();
  }
  rewrite_message<format::AttributeMessage>(MessageType::attribute, [](auto& attribute) {
    auto space = format::decode<format::DataspaceMessage>(attribute.dataspace, widths);
    space.dims = {std::uint64_t{1} << 40};
    space.max_dims = space.dims;
    attribute.dataspace = format::encode(space, widths);
  });
  expect_error("attribute", [&] {
    const auto file = File::open(std::make_unique<io::MemoryFile>(image_), {});
    const Change change(*file, "copy an object");
    copy_object({file, file->root(), "/"}, *file, {});
  });
}

TEST_F(LyingFile, WithOneHeapObjectForAllStringsIsNotMultiplied) {
  constexpr std::size_t count = 4000;
  const auto file = File::open(std::make_unique<io::MemoryFile>(make_image(0, 0)), {});
  const Change change(*file, "write strings");
  const format::DatatypeMessage type = format::variable_string(format::CharacterSet::utf8, 8);
  const format::DatatypeMessage in_memory = type::c_type(type);
  Buffer one(type.size);
  const std::string text(60000, 'x');
  const char* value = text.c_str();
  write_attribute(*file, type, one, in_memory, reinterpret_cast<const std::byte*>(&value), 1);
  const auto read = [&](Bytes stored, std::size_t values) {
    std::vector<char*> texts(values);
    auto* const memory = reinterpret_cast<std::byte*>(texts.data());
    std::string first;
    try {
      read_attribute(*file, type, stored, in_memory, memory, values);
      first = texts[0];
    } catch (...) {
      type::reclaim(in_memory, memory, values, nullptr);
      throw;
    }
    type::reclaim(in_memory, memory, values, nullptr);
    return first;
  };
  EXPECT_EQ(read(one, 1), text);
  Buffer all;
  for (std::size_t i = 0; i < count; ++i) all.insert(all.end(), one.begin(), one.end());
  expect_error("same heap object", [&] { read(all, count); });
  expect_error("same heap object", [&] { copy_heap_values(*file, *file, type, all); });
}

}  // namespace
}  // namespace filigree::model
