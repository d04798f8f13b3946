// SPDX-License-Identifier: Apache-2.0
#include "store/metadata_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree::store {
namespace {

struct Thing : Entry {
  static constexpr EntryKind entry_kind = EntryKind::local_heap;
  explicit Thing(int v) : Entry(entry_kind), value(v) {}
  std::size_t memory_bytes() const override { return 100; }
  void encode(Images& out) const override {
    out.push_back({address(), Buffer(1, static_cast<std::byte>(value))});
  }
  int value;
};

struct OtherThing : Entry {
  static constexpr EntryKind entry_kind = EntryKind::btree2_node;
  OtherThing() : Entry(entry_kind) {}
  std::size_t memory_bytes() const override { return 100; }
  void encode(Images&) const override {}
};

auto make(int v) {
  return [v] { return std::make_shared<Thing>(v); };
}

TEST(MetadataCache, LoadsOnceAndSharesAfterwards) {
  MetadataCache cache(1000);
  int loads = 0;
  const auto load = [&] { return ++loads, std::make_shared<Thing>(7); };
  const auto first = cache.get<Thing>(to_address(8), load);
  EXPECT_EQ(cache.get<Thing>(to_address(8), load), first);
  EXPECT_EQ(loads, 1);
}

TEST(MetadataCache, HoldsNothingAtTheUndefinedAddress) {
  MetadataCache cache(1000);
  cache.get<Thing>(to_address(8), make(1));
  EXPECT_EQ(cache.find<Thing>(Address::undefined), nullptr);
  cache.forget(Address::undefined);
  EXPECT_EQ(cache.entries(), 1u);
}

TEST(MetadataCache, RefusesAnotherKindAtTheSameAddress) {
  MetadataCache cache(1000);
  cache.get<Thing>(to_address(8), make(1));
  EXPECT_THROW(cache.find<OtherThing>(to_address(8)), Error);
}

TEST(MetadataCache, EvictsCleanEntriesThatWereNotUsedLately) {
  MetadataCache cache(300);
  for (int i = 0; i < 3; ++i) cache.get<Thing>(to_address(i), make(i));
  cache.find<Thing>(to_address(0));
  cache.get<Thing>(to_address(3), make(3));
  EXPECT_TRUE(cache.find<Thing>(to_address(0)));
  EXPECT_FALSE(cache.find<Thing>(to_address(1)));
  EXPECT_EQ(cache.bytes(), 300u);
}

TEST(MetadataCache, KeepsDirtyAndHeldEntriesUntilTrimmed) {
  MetadataCache cache(100);
  const auto held = cache.get<Thing>(to_address(0), make(0));
  cache.insert(to_address(1), std::make_shared<Thing>(1));
  cache.insert(to_address(2), std::make_shared<Thing>(2));
  EXPECT_EQ(cache.entries(), 3u);
  std::size_t written = 0;
  cache.trim([&] { cache.flush([&](Images& images) { written += images.size(); }); });
  EXPECT_EQ(written, 2u);
  EXPECT_EQ(cache.entries(), 1u);
  EXPECT_EQ(cache.find<Thing>(to_address(0)), held);
}

TEST(MetadataCache, FlushesInAddressOrderAndKeepsDirtyOnFailure) {
  MetadataCache cache(1000);
  cache.insert(to_address(5), std::make_shared<Thing>(5));
  cache.insert(to_address(2), std::make_shared<Thing>(2));
  EXPECT_THROW(cache.flush([](Images&) { throw Error(ErrorKind::no_space, "full"); }), Error);
  EXPECT_TRUE(cache.has_dirty());
  std::vector<std::uint64_t> order;
  cache.flush([&](Images& images) {
    for (const Image& image : images) order.push_back(to_number(image.at));
  });
  EXPECT_THAT(order, ::testing::ElementsAre(2, 5));
  EXPECT_FALSE(cache.has_dirty());
}

struct LargeThing : Entry {
  static constexpr EntryKind entry_kind = EntryKind::global_heap;
  LargeThing() : Entry(entry_kind) {}
  std::size_t memory_bytes() const override { return 100; }
  void encode(Images& out) const override { out.push_back({address(), Buffer(700'000)}); }
};

TEST(MetadataCache, FlushesManyBytesInPartsOfWhichOnlyTheWrittenOnesAreClean) {
  MetadataCache cache(10000);
  for (int i = 0; i < 6; ++i) cache.insert(to_address(i), std::make_shared<LargeThing>());
  int parts = 0;
  EXPECT_THROW(cache.flush([&](Images&) {
    if (++parts == 3) throw Error(ErrorKind::no_space, "full");
  }),
               Error);
  const std::vector<Entry*> left = cache.dirty_entries();
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0]->address(), to_address(4));
  EXPECT_TRUE(cache.dirty_entries(EntryKind::free_space).empty());
  cache.flush([&](Images& images) { EXPECT_EQ(images.size(), 2u); });
  EXPECT_FALSE(cache.has_dirty());
}

TEST(MetadataCache, MovesAnEntryWithItsChanges) {
  MetadataCache cache(1000);
  cache.insert(to_address(5), std::make_shared<Thing>(5));
  cache.move(to_address(5), to_address(9));
  EXPECT_FALSE(cache.find<Thing>(to_address(5)));
  EXPECT_EQ(cache.find<Thing>(to_address(9))->address(), to_address(9));
}

TEST(MetadataCache, RefusesToPutAStructureOnTopOfAnother) {
  // As happens when a damaged file says that space in use is free.
  MetadataCache cache(1000);
  cache.insert(to_address(1), std::make_shared<Thing>(1));
  cache.get<Thing>(to_address(2), make(2));
  const auto kind_of = [](auto&& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  EXPECT_EQ(kind_of([&] { cache.insert(to_address(2), std::make_shared<Thing>(3)); }), ErrorKind::corrupt);
  EXPECT_EQ(kind_of([&] { cache.move(to_address(1), to_address(2)); }), ErrorKind::corrupt);
  EXPECT_EQ(cache.find<Thing>(to_address(1))->value, 1);
  EXPECT_EQ(cache.find<Thing>(to_address(2))->value, 2);
  EXPECT_EQ(cache.entries(), 2u);
}

}  // namespace
}  // namespace filigree::store
