// SPDX-License-Identifier: Apache-2.0
#include "store/shared_messages/shared_messages.hpp"

#include <map>
#include <random>
#include <unordered_map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "store/file_store.hpp"
#include "store/heaps/fractal_heap.hpp"
#include "store/object_header/object_header.hpp"
#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;
using filigree::testing::to_hex;
using format::MessageType;
using format::SharedHeapId;
using format::SharedIndexKind;

constexpr std::uint16_t bits(std::initializer_list<MessageType> types) {
  unsigned mask = 0;
  for (const MessageType type : types) mask |= 1u << static_cast<unsigned>(type);
  return static_cast<std::uint16_t>(mask);
}

constexpr std::uint16_t space_and_type = bits({MessageType::dataspace, MessageType::datatype});
constexpr std::uint16_t fill_and_attribute = bits({MessageType::fill_value, MessageType::attribute});

Buffer text(const std::string& s) { return Buffer(as_bytes(s).begin(), as_bytes(s).end()); }

Address create_table(MemoryStore& store, std::uint16_t list_maximum, std::uint16_t btree_minimum) {
  const SharedIndexShape shapes[] = {{space_and_type, 4}, {fill_and_attribute, 8}};
  return SharedMessages::create(*store, shapes, list_maximum, btree_minimum);
}

constexpr std::uint64_t two_index_table_bytes = 8 + 2 * 30;

TEST(SharedMessages, MakesANewTableLikeHdf5) {
  MemoryStore store;
  const SharedIndexShape shape[] = {{space_and_type, 8}};
  const Address at = SharedMessages::create(*store, shape, 50, 40);
  const Buffer image = store.image();
  EXPECT_EQ(to_hex(Bytes(image).subspan(to_number(at), 38)),
            to_hex(from_hex("534d5442 00000a00 08000000 32002800 0000 16*ff 40662007")));
  EXPECT_EQ(store.space->in_use(), 38u);
}

TEST(SharedMessages, RefusesInconsistentTables) {
  MemoryStore store;
  const auto expect_refused = [&](std::vector<SharedIndexShape> shapes, std::uint16_t maximum,
                                  std::uint16_t minimum) {
    try {
      SharedMessages::create(*store, shapes, maximum, minimum);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    }
  };
  expect_refused({}, 50, 40);
  expect_refused(std::vector<SharedIndexShape>(9), 50, 40);
  expect_refused({{bits({MessageType::layout}), 0}}, 50, 40);
  expect_refused({{space_and_type, 0}, {bits({MessageType::datatype}), 0}}, 50, 40);
  expect_refused({{space_and_type, 0}}, 50, 52);
  expect_refused({{space_and_type, 0}}, 5001, 40);
  EXPECT_EQ(store.space->in_use(), 0u);
  const std::vector<SharedIndexShape> most(8);
  EXPECT_NO_THROW(SharedMessages::create(*store, most, 50, 51));
}

TEST(SharedMessages, SharesOnlyTheTypesOfAnIndex) {
  MemoryStore store;
  SharedMessages shared(*store, create_table(store, 50, 40), 2);
  EXPECT_TRUE(shared.tracks(MessageType::datatype));
  EXPECT_FALSE(shared.tracks(MessageType::filter_pipeline));
  EXPECT_FALSE(shared.tracks(MessageType::cache_image));
  EXPECT_FALSE(shared.share(MessageType::filter_pipeline, text("long enough")));
  EXPECT_FALSE(shared.share(MessageType::datatype, text("abc")));
  EXPECT_FALSE(shared.share(MessageType::attribute, text("abcdefg")));
  EXPECT_EQ(store.space->in_use(), two_index_table_bytes);
  EXPECT_TRUE(shared.share(MessageType::datatype, text("abcd")));
  EXPECT_TRUE(shared.share(MessageType::attribute, text("abcdefgh")));
}

TEST(SharedMessages, DoesNotShareEmptyBodies) {
  MemoryStore store;
  const SharedIndexShape shape[] = {{space_and_type, 0}};
  SharedMessages shared(*store, SharedMessages::create(*store, shape, 50, 40), 1);
  EXPECT_FALSE(shared.share(MessageType::dataspace, {}));
}

TEST(SharedMessages, SharesNothingWhereLengthsCannotDescribeAHeap) {
  MemoryStore store({2, 2});
  const SharedIndexShape shape[] = {{space_and_type, 0}};
  SharedMessages shared(*store, SharedMessages::create(*store, shape, 50, 40), 1);
  EXPECT_FALSE(shared.share(MessageType::dataspace, text("abcd")));
}

TEST(SharedMessages, KeepsMessagesOfDifferentTypesApart) {
  MemoryStore store;
  SharedMessages shared(*store, create_table(store, 50, 40), 2);
  const Buffer body = text("the same bytes");
  const auto as_space = shared.share(MessageType::dataspace, body);
  const auto as_type = shared.share(MessageType::datatype, body);
  ASSERT_TRUE(as_space && as_type);
  EXPECT_NE(*as_space, *as_type);
  EXPECT_EQ(shared.table().indexes[0].messages, 2);
}

/// Random sharing and releasing, compared with a map, through every form of an index.
struct Limits {
  std::uint16_t list_maximum, btree_minimum;
  format::Widths widths = {};
};

struct RandomSharing : ::testing::TestWithParam<Limits> {
  using Key = std::pair<MessageType, std::string>;
  struct Known {
    SharedHeapId id{};
    std::uint32_t count = 0;
  };

  MemoryStore store{GetParam().widths};
  Address at = create_table(store, GetParam().list_maximum, GetParam().btree_minimum);
  SharedMessages shared{*store, at, 2};
  std::map<Key, Known> model;
  std::map<SharedIndexKind, int> seen;
  std::mt19937 random{GetParam().list_maximum * 7u + GetParam().widths.offset_bytes};

  static std::size_t index_of(MessageType type) {
    return space_and_type >> static_cast<int>(type) & 1 ? 0 : 1;
  }

  void share() {
    constexpr MessageType types[] = {MessageType::dataspace, MessageType::datatype, MessageType::fill_value,
                                     MessageType::attribute};
    const unsigned number = random() % 60;
    const std::size_t bytes = number == 7 ? 6000 : 8 + number * 11;
    const Key key{types[random() % 4], std::string(bytes, static_cast<char>('A' + number))};
    const auto id = shared.share(key.first, as_bytes(key.second));
    ASSERT_TRUE(id);
    auto [known, is_new] = model.try_emplace(key, Known{*id, 0});
    EXPECT_EQ(known->second.id, *id);
    ++known->second.count;
  }

  void release() {
    const auto which = std::next(model.begin(), random() % model.size());
    const auto body = shared.release(which->first.first, which->second.id);
    EXPECT_EQ(body.has_value(), --which->second.count == 0);
    if (body) {
      EXPECT_EQ(as_text(*body), which->first.second);
      model.erase(which);
    }
  }

  void check(const SharedMessages& view) {
    std::size_t counts[2] = {};
    for (const auto& [key, known] : model) {
      ++counts[index_of(key.first)];
      EXPECT_EQ(as_text(view.read(key.first, known.id)), key.second);
      EXPECT_EQ(view.references(key.first, known.id), known.count);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& index = view.table().indexes[i];
      EXPECT_EQ(index.messages, counts[i]);
      EXPECT_EQ(is_valid(index.records), counts[i] > 0);
      EXPECT_EQ(is_valid(index.heap), counts[i] > 0);
      if (index.messages == 0) continue;
      ++seen[index.kind];
      if (index.kind == SharedIndexKind::btree) {
        EXPECT_GE(index.messages, GetParam().btree_minimum);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(SharedMessages, RandomSharing,
                         ::testing::Values(Limits{6, 3}, Limits{0, 0}, Limits{1, 2}, Limits{50, 40},
                                           Limits{6, 3, {4, 4}}));

TEST_P(RandomSharing, AgreesWithAMap) {
  for (int wave = 0; wave < 3; ++wave) {
    for (int step = 0; step < 300; ++step) {
      if (model.empty() || random() % 6 > 0) {
        share();
      } else {
        release();
      }
      if (step % 20 == 0) check(shared);
    }
    const auto again = store.reopened();
    check(SharedMessages(*again, at, 2));
    for (const auto& index : shared.table().indexes) FractalHeap(*store, index.heap).check();
    while (!model.empty()) {
      release();
      if (model.size() % 8 == 0) check(shared);
    }
    EXPECT_EQ(store.space->in_use(), 8u + 2 * (14 + 2 * GetParam().widths.offset_bytes));
  }
  EXPECT_GT(seen[SharedIndexKind::btree], 0);
  EXPECT_EQ(seen[SharedIndexKind::list] > 0, GetParam().list_maximum > 0);
}

TEST(SharedMessages, BecomesATreeAboveTheMaximumAndAListBelowTheMinimum) {
  MemoryStore store;
  SharedMessages shared(*store, create_table(store, 4, 3), 2);
  std::vector<SharedHeapId> ids;
  const auto kind = [&] { return shared.table().indexes[0].kind; };
  for (int i = 0; i < 4; ++i) {
    ids.push_back(*shared.share(MessageType::dataspace, text("body " + std::to_string(i))));
  }
  EXPECT_EQ(kind(), SharedIndexKind::list);
  ids.push_back(*shared.share(MessageType::dataspace, text("one more")));
  EXPECT_EQ(kind(), SharedIndexKind::btree);
  shared.release(MessageType::dataspace, ids[0]);
  shared.release(MessageType::dataspace, ids[1]);
  EXPECT_EQ(kind(), SharedIndexKind::btree);
  shared.release(MessageType::dataspace, ids[2]);
  EXPECT_EQ(kind(), SharedIndexKind::list);
  EXPECT_EQ(as_text(shared.read(MessageType::dataspace, ids[4])), "one more");
}

/// Two bodies of one hash; the hash has 32 bits, so a few hundred thousand tries find them.
std::pair<Buffer, Buffer> colliding_bodies() {
  std::unordered_map<std::uint32_t, std::uint32_t> seen;
  const auto body = [](std::uint32_t number) {
    Buffer bytes(12);
    store_word(bytes.data(), number * std::uint64_t{0x9e3779b97f4a7c15}, 8);
    return bytes;
  };
  for (std::uint32_t number = 1;; ++number) {
    const auto [there, is_new] =
        seen.try_emplace(format::shared_message_hash(MessageType::dataspace, body(number)), number);
    if (!is_new) return {body(there->second), body(number)};
  }
}

TEST(SharedMessages, DistinguishesMessagesOfEqualHash) {
  const auto [a, b] = colliding_bodies();
  for (const std::uint16_t list_maximum : {0, 2, 50}) {
    MemoryStore store;
    SharedMessages shared(*store, create_table(store, list_maximum, list_maximum == 0 ? 0 : 2), 2);
    const auto first = shared.share(MessageType::dataspace, a);
    const auto second = shared.share(MessageType::dataspace, b);
    const auto other = shared.share(MessageType::dataspace, text("other"));
    ASSERT_TRUE(first && second && other);
    EXPECT_EQ(shared.share(MessageType::dataspace, b), second);
    EXPECT_NE(first, second);
    EXPECT_EQ(shared.references(MessageType::dataspace, *first), 1u);
    EXPECT_EQ(shared.references(MessageType::dataspace, *second), 2u);
    EXPECT_EQ(shared.release(MessageType::dataspace, *first), a);
    EXPECT_EQ(shared.references(MessageType::dataspace, *second), 2u);
  }
}

TEST(SharedMessages, RefusesIdsThatHaveNoRecord) {
  MemoryStore store;
  SharedMessages shared(*store, create_table(store, 4, 3), 2);
  EXPECT_THROW(shared.read(MessageType::datatype, SharedHeapId{}), Error);
  EXPECT_THROW(shared.read(MessageType::filter_pipeline, SharedHeapId{}), Error);
  const auto id = *shared.share(MessageType::datatype, text("some body"));
  FractalHeap heap(*store, shared.table().indexes[0].heap);
  const Buffer stray = heap.insert(text("a stray object"));
  SharedHeapId stray_id;
  std::ranges::copy(stray, stray_id.begin());
  EXPECT_THROW(shared.release(MessageType::datatype, stray_id), Error);
  EXPECT_THROW(shared.release(MessageType::attribute, id), Error);
  EXPECT_EQ(shared.references(MessageType::datatype, id), 1u);
}

/// A table whose one message is inline in a header, as HDF5 stores it for the first user.
struct InHeader : ::testing::TestWithParam<int> {
  MemoryStore store;
  Buffer body = from_hex("11203f00 08000000 00004000 340b0034 ff030000");
  ObjectHeader header = ObjectHeader::create(*store, shape(), 128);
  std::uint64_t header_bytes = store.space->in_use();
  Address table_at = Address::undefined;

  static HeaderShape shape() {
    HeaderShape out;
    out.version = static_cast<std::uint8_t>(GetParam());
    return out;
  }
  SharedMessages table_with_record(std::uint16_t list_maximum) {
    header.add(MessageType::datatype, format::message_flag::shareable, body);
    const auto& widths = store->widths();
    const Address list_at = store->space().allocate(SpaceKind::btree, 8 + list_maximum * 17u);
    table_at = store->space().allocate(SpaceKind::object_header, 38);
    const format::SharedMessageList list{
        .records = {{.location = format::SharedLocation::header,
                     .hash = format::shared_message_hash(MessageType::datatype, body),
                     .type = MessageType::datatype,
                     .header = header.address()}}};
    const format::SharedMessageTable table{.indexes = {{.message_types = space_and_type,
                                                        .list_maximum = list_maximum,
                                                        .btree_minimum = 1,
                                                        .messages = 1,
                                                        .records = list_at}}};
    store->write(list_at, format::encode(list, widths));
    store->write(table_at, format::encode(table, widths));
    return SharedMessages(*store, table_at, 1);
  }
  Buffer stored_body() const { return *header.find(MessageType::datatype); }
  void expect_nothing_left(const SharedMessages& shared) {
    EXPECT_EQ(shared.table().indexes[0].messages, 0);
    EXPECT_EQ(store.space->in_use(), header_bytes + 38);
  }
};

INSTANTIATE_TEST_SUITE_P(SharedMessages, InHeader, ::testing::Values(1, 2));

TEST_P(InHeader, ForgetsTheOnlyUser) {
  SharedMessages shared = table_with_record(4);
  shared.forget_in_header(MessageType::datatype, header.address() + 8, stored_body());
  EXPECT_EQ(shared.table().indexes[0].messages, 1);
  shared.forget_in_header(MessageType::dataspace, header.address(), stored_body());
  EXPECT_EQ(shared.table().indexes[0].messages, 1);
  shared.forget_in_header(MessageType::datatype, header.address(), stored_body());
  expect_nothing_left(shared);
}

TEST_P(InHeader, MovesToTheHeapWithTheSecondUser) {
  for (const bool first_user_leaves_first : {true, false}) {
    SharedMessages shared = table_with_record(4);
    const auto id = shared.share(MessageType::datatype, body);
    ASSERT_TRUE(id);
    EXPECT_EQ(shared.read(MessageType::datatype, *id), body);
    EXPECT_EQ(shared.references(MessageType::datatype, *id), 2u);
    EXPECT_EQ(shared.table().indexes[0].messages, 1);
    const auto leave = [&](bool first_user) {
      if (first_user) {
        shared.forget_in_header(MessageType::datatype, header.address(), stored_body());
      } else {
        shared.release(MessageType::datatype, *id);
      }
    };
    leave(first_user_leaves_first);
    EXPECT_EQ(shared.references(MessageType::datatype, *id), 1u);
    leave(!first_user_leaves_first);
    expect_nothing_left(shared);
    header.remove(MessageType::datatype);
    store->cache().forget(table_at);
    store->space().release(SpaceKind::object_header, table_at, 38);
  }
}

TEST_P(InHeader, SurvivesBecomingATree) {
  SharedMessages shared = table_with_record(1);
  const auto other = shared.share(MessageType::datatype, text("another type"));
  EXPECT_EQ(shared.table().indexes[0].kind, SharedIndexKind::btree);
  const auto id = shared.share(MessageType::datatype, body);
  ASSERT_TRUE(id && other);
  EXPECT_EQ(shared.references(MessageType::datatype, *id), 2u);
  EXPECT_EQ(shared.references(MessageType::datatype, *other), 1u);
}

TEST_P(InHeader, ReportsAHeaderWithoutTheMessage) {
  SharedMessages shared = table_with_record(4);
  header.remove(MessageType::datatype);
  EXPECT_THROW(shared.share(MessageType::datatype, body), Error);
  EXPECT_EQ(shared.share(MessageType::datatype, text("of another hash")).has_value(), true);
}

TEST(SharedMessages, ReportsEveryDamageToTableAndList) {
  MemoryStore store;
  const Address at = create_table(store, 4, 3);
  SharedMessages shared(*store, at, 2);
  const auto id = *shared.share(MessageType::datatype, text("the first body"));
  shared.share(MessageType::dataspace, text("the second body"));
  const Address list = shared.table().indexes[0].records;
  const Buffer whole = store.image();
  const auto use = [&](Buffer image) {
    MemoryStore damaged({}, std::move(image));
    EXPECT_EQ(SharedMessages(*damaged, at, 2).references(MessageType::datatype, id), 1u);
  };
  EXPECT_NO_THROW(use(whole));
  const auto flip_all = [&](Address from, std::size_t bytes) {
    for (std::size_t bit = 0; bit < bytes * 8; ++bit) {
      Buffer image = whole;
      image[to_number(from) + bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      EXPECT_THROW(use(std::move(image)), Error) << "bit " << bit;
    }
  };
  flip_all(at, two_index_table_bytes);
  flip_all(list, 8 + 2 * 17);
  for (std::size_t kept = 0; kept < to_number(at) + two_index_table_bytes; ++kept) {
    EXPECT_THROW(use(Buffer(whole.begin(), whole.begin() + kept)), Error) << "cut to " << kept;
  }
  EXPECT_THROW(SharedMessages(*store, Address::undefined, 2), Error);
  EXPECT_THROW(SharedMessages(*store.reopened(), at, 0), Error);
}

}  // namespace
}  // namespace filigree::store
