// SPDX-License-Identifier: Apache-2.0
//
// A B-tree in a memory file beside a std::map with the same records, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <filigree/error.hpp>

#include "store/btrees/btree2.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::testing {

using store::BTree2;
using store::BTree2Shape;

/// The type of the records. B-trees do not interpret it.
inline constexpr std::uint8_t btree2_test_type = 6;

/// Returns the key of a record: its first four bytes.
inline std::uint32_t key_of(Bytes record) { return static_cast<std::uint32_t>(load_word(record.data(), 4)); }

/// A record that starts with its key; the other bytes are computed from the key and `salt`.
/// Returns a record with a key. Records of one key differ in their `salt`.
inline Buffer make_record(std::uint32_t key, std::size_t bytes, unsigned salt = 0) {
  Buffer record(bytes);
  store_word(record.data(), key, 4);
  for (std::size_t i = 4; i < bytes; ++i) record[i] = static_cast<std::byte>(key * 31 + i + salt);
  return record;
}

/// Returns a comparison that looks for a key; see BTree2::find().
inline auto at_key(std::uint32_t key) {
  return [key](Bytes record) { return key_of(record) < key ? -1 : key_of(record) > key ? 1 : 0; };
}

/// Compares two records by their keys.
inline const auto by_key = [](Bytes a, Bytes b) {
  return key_of(a) < key_of(b) ? -1 : key_of(a) > key_of(b) ? 1 : 0;
};

/// The twin: records by key.
using BTree2Records = std::map<std::uint32_t, Buffer>;

/// A tree, and a map with the same records. Every operation is done on both.
struct BTree2Twin {
  explicit BTree2Twin(const BTree2Shape& shape_, format::Widths widths = {},
                      std::size_t cache_bytes = 64u << 20)
      : memory(widths, Buffer(512), cache_bytes), shape(shape_) {
    header = BTree2::create(*memory, shape);
  }
  /// Opens the B-tree anew, so that nothing is kept between operations but the store.
  BTree2 tree() { return BTree2(*memory, header, shape.type, shape.record_bytes); }

  /// Inserts a record into both, and expects that they agree whether the key was new.
  void insert(std::uint32_t key, unsigned salt = 0) {
    const Buffer record = make_record(key, shape.record_bytes, salt);
    EXPECT_EQ(tree().insert(record, at_key(key)), expected.emplace(key, record).second) << key;
  }
  /// Removes a key from both, and expects the same record, or none, from both.
  void remove(std::uint32_t key) {
    const auto removed = tree().remove(at_key(key));
    const auto found = expected.find(key);
    ASSERT_EQ(removed.has_value(), found != expected.end()) << key;
    if (!removed) return;
    EXPECT_EQ(*removed, found->second);
    expected.erase(found);
  }

  /// Expects that the B-tree is valid and has these records in this order, by visits and by position.
  static void expect_same(const BTree2& tree, const BTree2Records& records) {
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
  /// Compares the B-tree with the twin, in the cache and after everything was written and read again.
  void verify() {
    expect_same(tree(), expected);
    const auto again = memory.reopened();
    expect_same(BTree2(*again, header, shape.type, shape.record_bytes), expected);
  }
  /// Returns how many nodes the allocated space amounts to. Requires: nothing else is allocated.
  std::uint64_t nodes() const { return memory.space->in_use() / shape.node_bytes; }

  MemoryStore memory;
  BTree2Shape shape;
  Address header;
  BTree2Records expected;
};

}  // namespace filigree::testing
