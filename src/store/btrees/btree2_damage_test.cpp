// SPDX-License-Identifier: Apache-2.0
//
// B-trees whose bytes are wrong, with and without good checksums.
#include <gmock/gmock.h>

#include <random>

#include "base/checksum.hpp"
#include "format/btrees/btree2.hpp"
#include "format/codec/codec.hpp"
#include "store/btrees/btree2.hpp"
#include "testing/btree2_twin.hpp"

namespace filigree::store {
namespace {

using filigree::testing::at_key;
using filigree::testing::btree2_test_type;
using filigree::testing::BTree2Twin;
using filigree::testing::by_key;
using filigree::testing::make_record;
struct Block {
  Address at;
  std::uint64_t bytes;  ///< with the checksum at the end
};

void collect(Bytes image, const format::BTree2Geometry& geometry, const format::BTree2Child& child,
             std::uint16_t depth, std::vector<Block>& out) {
  out.push_back({child.at, geometry.used_bytes(depth, child.records)});
  if (depth == 0) return;
  format::BTree2Node node;
  node.geometry = &geometry;
  node.type = btree2_test_type;
  node.depth = depth;
  node.count = child.records;
  format::decode(node, image.subspan(to_number(child.at)), {4, 4});
  for (const auto& next : node.children) collect(image, geometry, next, depth - 1, out);
}

/// Small nodes give a tree with all kinds of nodes from few records.
struct Victim : BTree2Twin {
  Victim() : BTree2Twin({btree2_test_type, 5, 96}, {4, 4}) {
    for (std::uint32_t key = 0; key < 300; ++key) insert(key * 37 % 1000);
    image = memory.image();
    const auto top = format::decode<format::BTree2Header>(Bytes(image).subspan(to_number(header)), {4, 4});
    EXPECT_GE(top.depth, 2);
    blocks.push_back({header, 30});
    const format::BTree2Geometry geometry(96, 5, 4);
    collect(image, geometry, {top.root, top.root_records, top.total_records}, top.depth, blocks);
    for (const Block& block : blocks) memory->cache().forget(block.at);
  }
  void write(const Block& block, Buffer bytes, bool fix_checksum) {
    if (fix_checksum)
      store_word(bytes.data() + bytes.size() - 4, lookup3(Bytes(bytes).first(bytes.size() - 4)), 4);
    memory->write(block.at, bytes);
  }
  Buffer read(const Block& block) { return memory->read(block.at, block.bytes, "block"); }

  /// Every operation, which may fail but must come to an end. Returns how many did fail.
  unsigned exercise() {
    unsigned failures = 0;
    const auto attempt = [&](auto work) {
      try {
        work();
      } catch (const Error&) {
        ++failures;
      }
    };
    attempt([&] { tree().visit([](Bytes) { return true; }); });
    attempt([&] { tree().check(by_key); });
    for (std::uint32_t key = 0; key < 1000; key += 50) {
      attempt([&] { tree().find(at_key(key)); });
      attempt([&] { tree().at(key); });
      attempt([&] { tree().insert(make_record(key + 1, 5), at_key(key + 1)); });
      attempt([&] { tree().remove(at_key(key + 2)); });
    }
    for (std::uint32_t key = 0; key < 1000; ++key) attempt([&] { tree().remove(at_key(key)); });
    attempt([&] { tree().visit([](Bytes) { return true; }); });
    attempt([&] { tree().destroy(); });
    attempt([&] { memory->flush_metadata(); });
    return failures;
  }

  Buffer image;
  std::vector<Block> blocks;
};

TEST(BTree2Damage, EveryFlippedBitIsReported) {
  Victim victim;
  std::mt19937 random(1);
  for (const Block& block : victim.blocks) {
    for (unsigned n = 0; n < 20; ++n) {
      const Buffer intact = victim.read(block);
      Buffer bytes = intact;
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << (random() % 8));
      victim.write(block, bytes, false);
      EXPECT_THROW(victim.tree().check(by_key), Error);
      victim.write(block, intact, false);
      for (const Block& b : victim.blocks) victim.memory->cache().forget(b.at);
    }
  }
  EXPECT_NO_THROW(victim.tree().check(by_key));
}

TEST(BTree2Damage, CorruptFieldsWithGoodChecksumsTerminate) {
  std::mt19937 random(2);
  unsigned failures = 0;
  for (unsigned n = 0; n < 150; ++n) {
    Victim victim;
    for (unsigned lies = 1 + random() % 3; lies > 0; --lies) {
      const Block block = victim.blocks[random() % (n % 2 == 0 ? 8 : victim.blocks.size())];
      Buffer bytes = victim.read(block);
      std::byte& hit = bytes[5 + random() % (bytes.size() - 9)];
      hit = random() % 2 == 0 ? static_cast<std::byte>(random())
                              : hit ^ static_cast<std::byte>(1u << (random() % 8));
      victim.write(block, bytes, true);
    }
    failures += victim.exercise();
  }
  EXPECT_GT(failures, 0u);
}

/// A tree of `depth` levels in which both children of every internal node are the same node, although the
/// totals are as small as `honest` allows.
Buffer doubled_tree(std::uint16_t depth, bool honest, std::uint64_t& total) {
  const format::BTree2Geometry geometry(96, 5, 4);
  Buffer image(4096);
  format::BTree2Child below;
  for (std::uint16_t d = 0; d <= depth; ++d) {
    format::BTree2Node node;
    node.geometry = &geometry;
    node.type = btree2_test_type;
    node.depth = d;
    node.count = 1;
    node.records = make_record(1, 5);
    if (d > 0) node.children = {below, {below.at, 1, honest ? below.total : 1}};
    total = 1;
    for (const auto& child : node.children) total += child.total;
    below = {to_address(512 + d * 96u), 1, total};
    format::encode(node, MutableBytes(image).subspan(to_number(below.at), 96), {4, 4});
  }
  format::BTree2Header header;
  header.type = btree2_test_type;
  header.node_bytes = 96;
  header.record_bytes = 5;
  header.depth = depth;
  header.root = below.at;
  header.root_records = 1;
  header.total_records = total;
  format::encode(header, MutableBytes(image).first(30), {4, 4});
  return image;
}

TEST(BTree2Damage, AWalkOfATreeWithSharedNodesTerminates) {
  const std::size_t deepest = format::BTree2Geometry(96, 5, 4).levels() - 1;
  ASSERT_GE(deepest, 16u);
  for (const bool honest : {true, false}) {
    std::uint64_t total = 0;
    filigree::testing::MemoryStore memory({4, 4},
                                          doubled_tree(static_cast<std::uint16_t>(deepest), honest, total));
    std::uint64_t seen = 0;
    const auto walk = [&] {
      BTree2(*memory, to_address(0), btree2_test_type, 5).visit([&](Bytes) { return ++seen < 100000; });
    };
    EXPECT_THROW(walk(), Error);
    EXPECT_LT(seen, 1000u);
    EXPECT_THROW(BTree2(*memory, to_address(0), btree2_test_type, 5).destroy(), Error);
  }
}

TEST(BTree2Damage, ANodeThatIsItsOwnAncestorIsReported) {
  std::uint64_t total = 0;
  Buffer image = doubled_tree(2, true, total);
  // The root's children are of depth 1; let them be the root.
  const MutableBytes root = MutableBytes(image).subspan(512 + 2 * 96, 96);
  for (const unsigned at : {6 + 5, 6 + 5 + 6}) store_word(root.data() + at, 512 + 2 * 96, 4);
  const std::size_t used = format::BTree2Geometry(96, 5, 4).used_bytes(2, 1);
  store_word(root.data() + used - 4, lookup3(Bytes(root).first(used - 4)), 4);
  filigree::testing::MemoryStore memory({4, 4}, image);
  const BTree2 tree(*memory, to_address(0), btree2_test_type, 5);
  try {
    tree.find(at_key(0));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("a node of depth 1"));
  }
}

}  // namespace
}  // namespace filigree::store
