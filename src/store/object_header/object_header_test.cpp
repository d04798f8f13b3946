// SPDX-License-Identifier: Apache-2.0
#include "store/object_header/object_header.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "store/file_store.hpp"
#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;
using filigree::testing::to_hex;
using format::MessageType;

Buffer filled(std::size_t bytes, int with) { return Buffer(bytes, static_cast<std::byte>(with)); }

struct Shapes : ::testing::TestWithParam<int> {
  HeaderShape shape() const {
    HeaderShape s;
    s.version = GetParam() == 0 ? 1 : 2;
    if (GetParam() == 2) s.attribute_order_tracked = true;
    if (GetParam() == 3) s.times = format::ObjectTimes{1, 2, 3, 4};
    return s;
  }
};

INSTANTIATE_TEST_SUITE_P(ObjectHeader, Shapes, ::testing::Values(0, 1, 2, 3));

using Model = std::vector<std::pair<MessageType, std::string>>;

/// What the header holds, as sorted (type, body) pairs; the NULs that pad version 1 bodies are cut off.
Model contents(const ObjectHeader& header) {
  Model found;
  const auto entry = header.load();
  for (const auto& m : entry->messages) {
    if (m.slot.type == MessageType::nil || m.slot.type == MessageType::continuation) continue;
    std::string body(as_text(entry->body(m)));
    body.resize(body.find_last_not_of('\0') + 1);
    found.emplace_back(m.slot.type, body);
  }
  std::ranges::sort(found);
  return found;
}

TEST_P(Shapes, RandomEditsMatchAListOfMessages) {
  std::mt19937 random(GetParam() + 1);
  MemoryStore store;
  const auto header = ObjectHeader::create(*store, shape(), 64);
  auto other = ObjectHeader::create(*store, shape(), 64);  // keeps the header from growing in place
  Model model;
  for (int step = 0; step < 600; ++step) {
    ObjectHeader h(*store, header.address());
    const auto entry = h.load();
    std::vector<std::size_t> live;
    for (std::size_t i = 0; i < entry->messages.size(); ++i) {
      const auto type = entry->messages[i].slot.type;
      if (type != MessageType::nil && type != MessageType::continuation) live.push_back(i);
    }
    const std::string body =
        std::to_string(10000 + step) + std::string(random() % (random() % 10 == 0 ? 400 : 40), 'x');
    const unsigned choice = random() % 10;
    if (live.empty() || choice < 5) {
      h.add(MessageType::link, 0, as_bytes(body));
      model.emplace_back(MessageType::link, body);
    } else {
      const std::size_t index = live[random() % live.size()];
      const std::string old(as_text(entry->body(entry->messages[index])).substr(0, 5));
      const auto twin = std::ranges::find_if(model, [&](const auto& m) { return m.second.starts_with(old); });
      ASSERT_NE(twin, model.end());
      if (choice < 8) {
        h.remove(index);
        model.erase(twin);
      } else {
        h.replace(index, as_bytes(body));
        twin->second = body;
      }
    }
    std::ranges::sort(model);
    ASSERT_EQ(contents(h), model) << "step " << step;
    if (step % 97 == 0) {
      const auto again = store.reopened();
      ASSERT_EQ(contents(ObjectHeader(*again, header.address())), model);
    }
  }
  ObjectHeader(*store, header.address()).destroy();
  other.destroy();
  EXPECT_EQ(store.space->in_use(), 0u);
}

TEST_P(Shapes, GrowsInPlaceAtTheEndOfTheFile) {
  MemoryStore store;
  auto header = ObjectHeader::create(*store, shape(), 24);
  for (int i = 0; i < 40; ++i) header.add(MessageType::attribute, 0, filled(32, i));
  EXPECT_EQ(header.load()->blocks.size(), 1u);
  const auto again = store.reopened();
  EXPECT_EQ(std::ranges::count_if(ObjectHeader(*again, header.address()).load()->messages,
                                  [](const auto& m) { return m.slot.type == MessageType::attribute; }),
            40);
}

TEST_P(Shapes, FreesContinuationBlocksWhenOthersHoldTheirMessages) {
  MemoryStore store;
  auto header = ObjectHeader::create(*store, shape(), 200);
  auto wall = ObjectHeader::create(*store, shape(), 24);  // keeps the header from growing in place
  header.add(MessageType::dataspace, 0, filled(40, 1));
  header.add(MessageType::datatype, 0, filled(40, 2));
  const std::uint64_t before = store.space->in_use();
  for (int i = 0; i < 60; ++i) {
    header.add(MessageType::attribute, 0, filled(64, i));
    // Something after the last block keeps it from growing in place.
    if (i % 20 == 10) store.space->allocate(SpaceKind::raw, 8);
  }
  EXPECT_GT(header.load()->blocks.size(), 2u);
  while (header.remove(MessageType::attribute)) {
  }
  EXPECT_EQ(header.load()->blocks.size(), 1u);
  EXPECT_EQ(store.space->in_use(), before + 24);
  const auto again = store.reopened();
  EXPECT_EQ(*ObjectHeader(*again, header.address()).find(MessageType::dataspace), filled(40, 1));
  EXPECT_EQ(*ObjectHeader(*again, header.address()).find(MessageType::datatype), filled(40, 2));
  header.destroy();
  wall.destroy();
  EXPECT_EQ(store.space->in_use(), 24u);
}

TEST_P(Shapes, KeepsItsLinkCount) {
  MemoryStore store;
  auto header = ObjectHeader::create(*store, shape(), 64);
  EXPECT_EQ(header.link_count(), 1u);
  header.set_link_count(70000);
  auto again = store.reopened();
  EXPECT_EQ(ObjectHeader(*again, header.address()).link_count(), 70000u);
  header.set_link_count(1);
  EXPECT_EQ(header.find(MessageType::reference_count), std::nullopt);
}

TEST_P(Shapes, RefusesAMessageThatIsTooLarge) {
  MemoryStore store;
  auto header = ObjectHeader::create(*store, shape(), 64);
  EXPECT_THROW(header.add(MessageType::attribute, 0, Buffer(65536)), Error);
  header.add(MessageType::attribute, 0, Buffer(65000));
  const auto again = store.reopened();
  EXPECT_EQ(ObjectHeader(*again, header.address()).find(MessageType::attribute)->size(), 65000u);
}

TEST(ObjectHeader, ReadsAHeaderOfHdf5) {
  Buffer image(0x60);
  const auto golden = from_hex(
      "0100 0100 01000000 18000000 00000000 | 1100 1000 00 000000 8800000000000000 a802000000000000");
  image.insert(image.end(), golden.begin(), golden.end());
  MemoryStore store({}, image);
  const ObjectHeader header(*store, to_address(0x60));
  EXPECT_EQ(to_hex(*header.find(MessageType::symbol_table)), "88000000 00000000 a8020000 00000000");
}

// As H5Ocopy leaves the header of a committed string type: 16 bytes of message and 6 of gap.
TEST(ObjectHeader, LosesNothingWithoutSpaceForAContinuation) {
  Buffer image(0x60);
  const auto golden =
      from_hex("0100 0100 01000000 16000000 00000000 | 0300 0800 05000000 1301000007000000 | 6*00");
  image.insert(image.end(), golden.begin(), golden.end());
  image.resize(512);
  MemoryStore store({}, image);
  ObjectHeader header(*store, to_address(0x60));
  EXPECT_THROW(header.add(MessageType::attribute, 0, Buffer(40)), Error);
  EXPECT_EQ(to_hex(*header.find(MessageType::datatype)), "13010000 07000000");
  header.replace(0, from_hex("1301000009000000"));
  const auto again = store.reopened();
  EXPECT_EQ(to_hex(*ObjectHeader(*again, header.address()).find(MessageType::datatype)), "13010000 09000000");
}

TEST(ObjectHeader, RefusesBlocksThatFormACycle) {
  // A continuation that leads back to its own block.
  Buffer image(0x60);
  const auto golden = from_hex(
      "0100 0100 01000000 18000000 00000000 | 1000 1000 00 000000 7000000000000000 1800000000000000");
  image.insert(image.end(), golden.begin(), golden.end());
  MemoryStore store({}, image);
  EXPECT_THROW(ObjectHeader(*store, to_address(0x60)).load(), Error);
}

TEST_P(Shapes, EveryTruncationAndFlippedBitIsHandled) {
  MemoryStore store;
  auto header = ObjectHeader::create(*store, shape(), 30);
  ObjectHeader::create(*store, shape(), 30);  // keeps the header from growing in place
  for (int i = 0; i < 4; ++i) header.add(MessageType::attribute, 0, filled(20, i));
  ASSERT_GT(header.load()->blocks.size(), 1u);
  const Buffer image = store.image();
  const auto try_loading = [&](Buffer bytes) {
    MemoryStore damaged({}, std::move(bytes));
    ObjectHeader(*damaged, header.address()).load();
  };
  const bool summed = shape().version == 2;
  const auto blocks = header.load()->blocks;
  for (const auto& block : blocks) {
    for (std::size_t bit = 0; bit < block.bytes.size() * 8; ++bit) {
      Buffer bytes = image;
      bytes[to_number(block.at) + bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      if (summed) {
        EXPECT_THROW(try_loading(bytes), Error) << "bit " << bit;
      } else {
        try {
          try_loading(bytes);
        } catch (const Error&) {
        }
      }
    }
  }
  for (std::size_t kept = to_number(header.address()); kept < image.size(); ++kept) {
    Buffer bytes(image.begin(), image.begin() + kept);
    try {
      try_loading(bytes);
      EXPECT_GE(kept, to_number(blocks.back().at) + blocks.back().bytes.size());
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace filigree::store
