// SPDX-License-Identifier: Apache-2.0
//
// Version 2 B-trees in files that others read meanwhile.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "format/btrees/btree2.hpp"
#include "format/codec/codec.hpp"
#include "store/btrees/btree2.hpp"
#include "testing/btree2_twin.hpp"

namespace filigree::store {
namespace {

using filigree::testing::at_key;
using filigree::testing::btree2_test_type;
using filigree::testing::BTree2Records;
using filigree::testing::BTree2Twin;
using filigree::testing::make_record;
using filigree::testing::MemoryStore;

constexpr std::uint16_t record_bytes = 12;
constexpr std::uint32_t node_bytes = 256;

/// The header as a reader has read it, and what it must find with it.
struct View {
  Buffer header;
  BTree2Records records;
};

void expect_view(const BTree2Twin& twin, const View& view, Buffer image) {
  std::copy(view.header.begin(), view.header.end(),
            image.begin() + static_cast<std::ptrdiff_t>(to_number(twin.header)));
  MemoryStore reader({}, std::move(image));
  BTree2Twin::expect_same(BTree2(*reader, twin.header, btree2_test_type, record_bytes), view.records);
}

TEST(SwmrBTree2, KeepsEveryFlushedTreeForItsReaders) {
  BTree2Twin twin({btree2_test_type, record_bytes, node_bytes});
  twin.memory->start_swmr_write();
  twin.memory.space->keeps_released = true;
  const std::size_t header_bytes = format::encoded_bytes(format::BTree2Header{}, twin.memory->widths());
  std::mt19937 random(3);
  std::vector<View> views;
  for (unsigned round = 0; round < 40; ++round) {
    const unsigned insert_percent = round % 10 < 6 ? 90 : 20;
    for (unsigned i = 0; i < 60; ++i) {
      const std::uint32_t key = random() % 2000;
      const unsigned kind = random() % 100;
      const auto known = twin.expected.find(key);
      if (kind < 10 && known != twin.expected.end()) {
        const Buffer changed = make_record(key, record_bytes, round + 1);
        twin.tree().update(at_key(key), [&](MutableBytes record) {
          std::copy(changed.begin(), changed.end(), record.begin());
        });
        known->second = changed;
      } else if (kind < insert_percent) {
        twin.insert(key, round);
      } else {
        twin.remove(key);
      }
    }
    const Buffer image = twin.memory.image();
    const auto header = image.begin() + static_cast<std::ptrdiff_t>(to_number(twin.header));
    views.push_back({Buffer(header, header + static_cast<std::ptrdiff_t>(header_bytes)), twin.expected});
    for (const View& view : views) expect_view(twin, view, image);
    if (HasFailure()) return;
  }
}

TEST(SwmrBTree2, AreOverwrittenInPlaceWithoutReaders) {
  BTree2Twin twin({btree2_test_type, record_bytes, node_bytes});
  for (std::uint32_t key = 0; key < 10; ++key) twin.insert(key);
  twin.memory.image();
  const Address root = twin.tree().root();
  twin.insert(11);
  twin.memory.image();
  EXPECT_EQ(twin.tree().root(), root);
  twin.memory->start_swmr_write();
  twin.insert(12);
  twin.memory.image();
  const Address moved = twin.tree().root();
  EXPECT_NE(moved, root);
  twin.memory.image();  // nothing has changed
  EXPECT_EQ(twin.tree().root(), moved);
}

}  // namespace
}  // namespace filigree::store
