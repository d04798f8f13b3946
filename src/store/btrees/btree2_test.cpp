// SPDX-License-Identifier: Apache-2.0
#include "store/btrees/btree2.hpp"

#include <gmock/gmock.h>

#include <random>

#include "format/btrees/btree2.hpp"
#include "format/codec/codec.hpp"
#include "testing/btree2_twin.hpp"
#include "testing/hex.hpp"

namespace filigree::store {
namespace {

using filigree::testing::at_key;
using filigree::testing::btree2_test_type;
using filigree::testing::BTree2Twin;
using filigree::testing::by_key;
using filigree::testing::from_hex;
using filigree::testing::key_of;
using filigree::testing::make_record;
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
  BTree2Twin model({btree2_test_type, c.record_bytes, c.node_bytes}, {c.width, c.width}, c.cache_bytes);
  std::mt19937 random(c.record_bytes * 1000 + c.node_bytes);
  for (unsigned round = 0; round < 12; ++round) {
    // Phases of growth, shrinking and steady size alternate.
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
  BTree2Twin up({btree2_test_type, 15});
  for (std::uint32_t key = 0; key < 20000; ++key) up.insert(key);
  up.verify();
  EXPECT_LE(up.nodes(), 20000u / 33 * 107 / 100);
  BTree2Twin down({btree2_test_type, 15});
  for (std::uint32_t key = 20000; key-- > 0;) down.insert(key);
  down.verify();
  EXPECT_LE(down.nodes(), 20000u / 33 * 107 / 100);
}

TEST(BTree2, KeepsNodesFairlyFullWhenRecordsAreRemoved) {
  BTree2Twin model({btree2_test_type, 11});
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

TEST(BTree2, LeavesAnEmptyTreeAsHdf5Does) {
  BTree2Twin model({btree2_test_type, 15});
  for (std::uint32_t key = 0; key < 2000; ++key) model.insert(key);
  for (std::uint32_t key = 2000; key-- > 0;) model.remove(key);
  const Buffer image = model.memory.image();
  const auto header = format::decode<format::BTree2Header>(Bytes(image).subspan(to_number(model.header)), {});
  EXPECT_FALSE(is_valid(header.root));
  EXPECT_EQ(header.depth, 0);
  EXPECT_EQ(header.root_records, 0);
  EXPECT_EQ(header.total_records, 0u);
}

TEST(BTree2, RefusesADuplicateWithoutChange) {
  BTree2Twin model({btree2_test_type, 11});
  for (std::uint32_t key = 0; key < 5000; ++key) model.insert(key * 2);
  const Buffer before = model.memory.image();
  for (std::uint32_t key = 0; key < 5000; ++key) model.insert(key * 2, 99);
  EXPECT_FALSE(model.memory->cache().has_dirty());
  EXPECT_EQ(model.memory.image(), before);
}

TEST(BTree2, UpdatesARecordInPlace) {
  BTree2Twin model({btree2_test_type, 11});
  for (std::uint32_t key = 0; key < 500; ++key) model.insert(key);
  for (std::uint32_t key = 0; key < 500; key += 3) {
    EXPECT_TRUE(model.tree().update(at_key(key), [&](MutableBytes record) { record[10] = std::byte{0xaa}; }));
    model.expected[key][10] = std::byte{0xaa};
  }
  EXPECT_FALSE(model.tree().update(at_key(1000), [](MutableBytes) { FAIL(); }));
  model.verify();
}

TEST(BTree2, VisitsFromAnyIndexUntilFalse) {
  BTree2Twin model({btree2_test_type, 11});
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

TEST(BTree2, RefusesImpossibleShapes) {
  filigree::testing::MemoryStore memory;
  EXPECT_THROW(BTree2::create(*memory, {btree2_test_type, 0}), Error);
  EXPECT_THROW(BTree2::create(*memory, {btree2_test_type, 200}), Error);
  EXPECT_THROW(BTree2::create(*memory, {btree2_test_type, 11, 4000000}), Error);
  EXPECT_EQ(memory.space->in_use(), 0u);
}

TEST(BTree2, NamesTheStructureOfAnotherType) {
  BTree2Twin model({btree2_test_type, 11});
  try {
    BTree2(*model.memory, model.header, 5, 11);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("version 2 B-tree header at 0x200"));
  }
  EXPECT_THROW(BTree2(*model.memory, model.header, btree2_test_type, 12), Error);
}

TEST(BTree2, StopsAtTheLimitOfNarrowLengths) {
  BTree2Twin model({btree2_test_type, 4, 4096}, {8, 2});
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

// The creation-order index of a group of 60 links that HDF5 wrote; only the used bytes of the nodes
// are given. Link i has order i.
Buffer reference_tree() {
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

TEST(BTree2, ReadsATreeThatHdf5Wrote) {
  filigree::testing::MemoryStore memory({}, reference_tree());
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

TEST(BTree2, ExtendsATreeThatHdf5Wrote) {
  filigree::testing::MemoryStore memory({}, reference_tree());
  BTree2 tree(*memory, to_address(0x27e), 6, 15);
  for (std::uint32_t key = 60; key < 3000; ++key) EXPECT_TRUE(tree.insert(make_record(key, 15), at_key(key)));
  const auto again = memory.reopened();
  const BTree2 reread(*again, to_address(0x27e), 6, 15);
  reread.check(by_key);
  EXPECT_EQ(reread.size(), 3000u);
  EXPECT_EQ(key_of(reread.at(1234)), 1234u);
}

}  // namespace
}  // namespace filigree::store
