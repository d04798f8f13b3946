// SPDX-License-Identifier: Apache-2.0
#include "store/btree2.hpp"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/btree2.hpp"
#include "format/codec.hpp"
#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;

constexpr std::uint8_t test_type = 6;

std::uint32_t key_of(Bytes record) { return static_cast<std::uint32_t>(load_word(record.data(), 4)); }

/// A record that starts with its key and goes on with bytes that follow from it and from `salt`.
Buffer make_record(std::uint32_t key, std::size_t bytes, unsigned salt = 0) {
  Buffer record(bytes);
  store_word(record.data(), key, 4);
  for (std::size_t i = 4; i < bytes; ++i) record[i] = static_cast<std::byte>(key * 31 + i + salt);
  return record;
}

auto at_key(std::uint32_t key) {
  return [key](Bytes record) { return key_of(record) < key ? -1 : key_of(record) > key ? 1 : 0; };
}

const auto by_key = [](Bytes a, Bytes b) {
  return key_of(a) < key_of(b) ? -1 : key_of(a) > key_of(b) ? 1 : 0;
};

using Records = std::map<std::uint32_t, Buffer>;

/// A tree in memory next to a map that it must agree with.
struct Model {
  explicit Model(const BTree2Shape& shape_, format::Widths widths = {}, std::size_t cache_bytes = 64u << 20)
      : memory(widths, Buffer(512), cache_bytes), shape(shape_) {
    header = BTree2::create(*memory, shape);
  }
  BTree2 tree() { return BTree2(*memory, header, shape.type, shape.record_bytes); }

  void insert(std::uint32_t key, unsigned salt = 0) {
    const Buffer record = make_record(key, shape.record_bytes, salt);
    EXPECT_EQ(tree().insert(record, at_key(key)), expected.emplace(key, record).second) << key;
  }
  void remove(std::uint32_t key) {
    const auto removed = tree().remove(at_key(key));
    const auto found = expected.find(key);
    ASSERT_EQ(removed.has_value(), found != expected.end()) << key;
    if (!removed) return;
    EXPECT_EQ(*removed, found->second);
    expected.erase(found);
  }

  static void expect_same(const BTree2& tree, const Records& records) {
    ASSERT_EQ(tree.size(), records.size());
    tree.check(by_key);
    auto next = records.begin();
    std::uint64_t index = 0;
    EXPECT_TRUE(tree.visit([&](Bytes record) {
      EXPECT_TRUE(next != records.end() && std::ranges::equal(record, next->second));
      if (index % 7 == 0) {
        EXPECT_EQ(tree.at(index), next->second);
      }
      ++next, ++index;
      return !::testing::Test::HasFailure();
    }));
    EXPECT_TRUE(next == records.end());
    EXPECT_THROW(tree.at(records.size()), Error);
  }
  void verify() {
    expect_same(tree(), expected);
    const auto again = memory.reopened();
    expect_same(BTree2(*again, header, shape.type, shape.record_bytes), expected);
  }
  std::uint64_t nodes() const { return memory.space->in_use() / shape.node_bytes; }

  MemoryStore memory;
  BTree2Shape shape;
  Address header;
  Records expected;
};

struct Case {
  std::uint16_t record_bytes;
  std::uint32_t node_bytes;
  std::uint8_t width;
  std::uint32_t keys;  ///< few enough for the offsets of that width
  std::size_t cache_bytes;
};

class BTree2Model : public ::testing::TestWithParam<Case> {};

TEST_P(BTree2Model, AgreesWithAMapOverRandomOperations) {
  const Case c = GetParam();
  Model model({test_type, c.record_bytes, c.node_bytes}, {c.width, c.width}, c.cache_bytes);
  std::mt19937 random(c.record_bytes * 1000 + c.node_bytes);
  for (unsigned round = 0; round < 12; ++round) {
    // Growing, shrinking and steady times take turns.
    const unsigned insert_percent = round % 3 == 0 ? 85 : round % 3 == 1 ? 15 : 50;
    for (unsigned i = 0; i < 1500; ++i) {
      const std::uint32_t key = random() % c.keys;
      const unsigned kind = random() % 100;
      if (kind < 10) {
        const auto found = model.tree().find(at_key(key));
        const auto wanted = model.expected.find(key);
        ASSERT_EQ(found.has_value(), wanted != model.expected.end());
        if (found) {
          ASSERT_EQ(*found, wanted->second);
        }
      } else if (kind < 10 + insert_percent * 9 / 10) {
        model.insert(key, round);
      } else {
        model.remove(key);
      }
      model.memory->trim_cache();
      if (HasFailure()) return;
    }
    model.verify();
    if (HasFailure()) return;
  }
  model.tree().destroy();
  EXPECT_EQ(model.memory.space->in_use(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Shapes, BTree2Model,
                         ::testing::Values(Case{11, 512, 8, 20000, 64u << 20}, Case{11, 512, 8, 3000, 4096},
                                           Case{15, 512, 4, 5000, 64u << 20},
                                           Case{17, 512, 2, 700, 64u << 20}, Case{4, 98, 8, 2000, 64u << 20},
                                           Case{4, 74, 2, 200, 64u << 20}, Case{5, 128, 4, 4000, 20000},
                                           Case{24, 2048, 8, 9000, 64u << 20},
                                           Case{276, 2048, 8, 1500, 64u << 20},
                                           Case{8, 9000, 8, 9000, 64u << 20}));

TEST(BTree2, FillsNodesWhenRecordsComeInOrder) {
  Model up({test_type, 15});
  for (std::uint32_t key = 0; key < 20000; ++key) up.insert(key);
  up.verify();
  EXPECT_LE(up.nodes(), 20000u / 33 * 107 / 100);
  Model down({test_type, 15});
  for (std::uint32_t key = 20000; key-- > 0;) down.insert(key);
  down.verify();
  EXPECT_LE(down.nodes(), 20000u / 33 * 107 / 100);
}

TEST(BTree2, KeepsNodesFairlyFullWhenRecordsGo) {
  Model model({test_type, 11});
  std::mt19937 random(7);
  for (unsigned i = 0; i < 30000; ++i) model.insert(random());
  EXPECT_LE(model.nodes(), 30000u / 45 * 150 / 100);
  while (model.expected.size() > 1000) {
    auto victim = model.expected.lower_bound(random());
    if (victim != model.expected.end()) model.remove(victim->first);
  }
  model.verify();
  EXPECT_LE(model.nodes(), 1000u / 18 * 110 / 100);
  // One end first, as a group loses its links when it is deleted.
  while (!model.expected.empty()) model.remove(model.expected.begin()->first);
  EXPECT_EQ(model.nodes(), 0u);
  EXPECT_EQ(model.tree().size(), 0u);
  model.insert(1);
  model.verify();
}

TEST(BTree2, LeavesAnEmptyTreeAsStockDoes) {
  Model model({test_type, 15});
  for (std::uint32_t key = 0; key < 2000; ++key) model.insert(key);
  for (std::uint32_t key = 2000; key-- > 0;) model.remove(key);
  const Buffer image = model.memory.image();
  const auto header = format::decode<format::BTree2Header>(Bytes(image).subspan(to_number(model.header)), {});
  EXPECT_FALSE(defined(header.root));
  EXPECT_EQ(header.depth, 0);
  EXPECT_EQ(header.root_records, 0);
  EXPECT_EQ(header.total_records, 0u);
}

TEST(BTree2, RefusesADuplicateWithoutChange) {
  Model model({test_type, 11});
  for (std::uint32_t key = 0; key < 5000; ++key) model.insert(key * 2);
  const Buffer before = model.memory.image();
  for (std::uint32_t key = 0; key < 5000; ++key) model.insert(key * 2, 99);
  EXPECT_FALSE(model.memory->cache().has_dirty());
  EXPECT_EQ(model.memory.image(), before);
}

TEST(BTree2, UpdatesARecordInPlace) {
  Model model({test_type, 11});
  for (std::uint32_t key = 0; key < 500; ++key) model.insert(key);
  for (std::uint32_t key = 0; key < 500; key += 3) {
    EXPECT_TRUE(model.tree().update(at_key(key), [&](MutableBytes record) { record[10] = std::byte{0xaa}; }));
    model.expected[key][10] = std::byte{0xaa};
  }
  EXPECT_FALSE(model.tree().update(at_key(1000), [](MutableBytes) { FAIL(); }));
  model.verify();
}

TEST(BTree2, VisitsFromAnyPlaceAndStopsWhenAsked) {
  Model model({test_type, 11});
  for (std::uint32_t key = 0; key < 3000; ++key) model.insert(key);
  for (std::uint64_t first : {0u, 1u, 44u, 45u, 46u, 1500u, 2999u, 3000u, 5000u}) {
    std::uint64_t next = first;
    EXPECT_TRUE(model.tree().visit([&](Bytes record) { return key_of(record) == next++; }, first));
    EXPECT_EQ(next, std::max<std::uint64_t>(first, 3000));
  }
  std::uint32_t seen = 0;
  EXPECT_FALSE(model.tree().visit([&](Bytes) { return ++seen < 100; }));
  EXPECT_EQ(seen, 100u);
}

TEST(BTree2, RefusesShapesThatCannotWork) {
  MemoryStore memory;
  EXPECT_THROW(BTree2::create(*memory, {test_type, 0}), Error);
  EXPECT_THROW(BTree2::create(*memory, {test_type, 200}), Error);
  EXPECT_THROW(BTree2::create(*memory, {test_type, 11, 4000000}), Error);
  EXPECT_EQ(memory.space->in_use(), 0u);
}

TEST(BTree2, NamesTheStructureWhenTheTypeIsAnother) {
  Model model({test_type, 11});
  try {
    BTree2(*model.memory, model.header, 5, 11);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("version 2 B-tree header at 0x200"));
  }
  EXPECT_THROW(BTree2(*model.memory, model.header, test_type, 12), Error);
}

TEST(BTree2, StopsAtTheRecordsThatNarrowLengthsCount) {
  Model model({test_type, 4, 4096}, {8, 2});
  for (std::uint32_t key = 0; key < 65535; ++key) model.tree().insert(make_record(key, 4), at_key(key));
  EXPECT_EQ(model.tree().size(), 65535u);
  try {
    model.tree().insert(make_record(70000, 4), at_key(70000));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
  }
  EXPECT_EQ(model.memory.reopened()->widths().length_bytes, 2);
}

// The creation-order index of a group of 60 links that stock HDF5 wrote; only the used bytes of the nodes
// are given. Link i has order i.
Buffer stock_tree() {
  Buffer image(0xaf6);
  const auto put = [&](std::size_t at, const Buffer& bytes) {
    std::copy(bytes.begin(), bytes.end(), image.begin() + at);
  };
  put(0x27e, from_hex("42544844 00 06 00020000 0f00 0100 64 28 f606 6*00 0100 3c 7*00 5a4848ac"));
  put(0x6f6, from_hex("4254494e 00 06 1d 7*00 00390200001200 f604 6*00 1d f608 6*00 1e ee3766cf"));
  const auto leaf = [&](std::size_t at, unsigned first, const char* heap_offsets, const char* sum) {
    Buffer bytes = from_hex("42544c460006");
    const Buffer offsets = from_hex(heap_offsets);
    for (unsigned i = 0; i < offsets.size() / 2; ++i) {
      Buffer record(15);
      store_word(record.data(), first + i, 8);
      std::copy_n(offsets.begin() + 2 * i, 2, record.begin() + 9);
      record[13] = first + i < 10 ? std::byte{0x11} : std::byte{0x12};  // "l10" is a byte longer than "l9"
      bytes.insert(bytes.end(), record.begin(), record.end());
    }
    const Buffer checksum = from_hex(sum);
    bytes.insert(bytes.end(), checksum.begin(), checksum.end());
    put(at, bytes);
  };
  leaf(0x4f6, 0,
       "1500 2600 3700 4800 5900 6a00 7b00 8c00 9d00 ae00 bf00 d100 e300 f500 0701 1901 2b01 3d01 4f01 6101 "
       "7301"
       "8501 9701 a901 bb01 cd01 df01 1502 2702",
       "c0f19280");
  leaf(0x8f6, 30,
       "4b02 5d02 6f02 8102 9302 a502 b702 c902 db02 ed02 ff02 1103 2303 3503 4703 5903 6b03 7d03 8f03 a103 "
       "b303"
       "c503 d703 e903 1504 2704 3904 4b04 5d04 6f04",
       "7ea28cee");
  return image;
}

TEST(BTree2, ReadsATreeThatStockWrote) {
  MemoryStore memory({}, stock_tree());
  const BTree2 tree(*memory, to_address(0x27e), 6, 15);
  EXPECT_EQ(tree.size(), 60u);
  tree.check(by_key);
  for (std::uint32_t i = 0; i < 60; ++i) {
    EXPECT_EQ(key_of(tree.at(i)), i);
    EXPECT_TRUE(tree.find(at_key(i)));
  }
  EXPECT_EQ(load_word(tree.at(29).data() + 9, 4), 0x239u);
  EXPECT_FALSE(tree.find(at_key(60)));
}

TEST(BTree2, ExtendsATreeThatStockWrote) {
  MemoryStore memory({}, stock_tree());
  BTree2 tree(*memory, to_address(0x27e), 6, 15);
  for (std::uint32_t key = 60; key < 3000; ++key) EXPECT_TRUE(tree.insert(make_record(key, 15), at_key(key)));
  const auto again = memory.reopened();
  const BTree2 reread(*again, to_address(0x27e), 6, 15);
  reread.check(by_key);
  EXPECT_EQ(reread.size(), 3000u);
  EXPECT_EQ(key_of(reread.at(1234)), 1234u);
}

// Damage. Small nodes give a tree with all kinds of nodes from few records.

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
  node.type = test_type;
  node.depth = depth;
  node.count = child.records;
  format::decode(node, image.subspan(to_number(child.at)), {4, 4});
  for (const auto& next : node.children) collect(image, geometry, next, depth - 1, out);
}

struct Victim : Model {
  Victim() : Model({test_type, 5, 96}, {4, 4}) {
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

TEST(BTree2Damage, LiesWithGoodChecksumsComeToAnEnd) {
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
    node.type = test_type;
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
  header.type = test_type;
  header.node_bytes = 96;
  header.record_bytes = 5;
  header.depth = depth;
  header.root = below.at;
  header.root_records = 1;
  header.total_records = total;
  format::encode(header, MutableBytes(image).first(30), {4, 4});
  return image;
}

TEST(BTree2Damage, ATreeThatSharesNodesIsNotWalkedForEver) {
  const std::size_t deepest = format::BTree2Geometry(96, 5, 4).levels() - 1;
  ASSERT_GE(deepest, 16u);
  for (const bool honest : {true, false}) {
    std::uint64_t total = 0;
    MemoryStore memory({4, 4}, doubled_tree(static_cast<std::uint16_t>(deepest), honest, total));
    std::uint64_t seen = 0;
    const auto walk = [&] {
      BTree2(*memory, to_address(0), test_type, 5).visit([&](Bytes) { return ++seen < 100000; });
    };
    EXPECT_THROW(walk(), Error);
    EXPECT_LT(seen, 1000u);
    EXPECT_THROW(BTree2(*memory, to_address(0), test_type, 5).destroy(), Error);
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
  MemoryStore memory({4, 4}, image);
  const BTree2 tree(*memory, to_address(0), test_type, 5);
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
