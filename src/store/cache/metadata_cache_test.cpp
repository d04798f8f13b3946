// SPDX-License-Identifier: Apache-2.0
#include "store/cache/metadata_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree::store {
namespace {

struct Thing : Entry {
  static constexpr EntryKind entry_kind = EntryKind::local_heap;
  explicit Thing(int v) : Entry(entry_kind), value(v) {}
  std::size_t memory_bytes() const override { return 100; }
  void encode(EncodedBlocks& out) const override {
    out.push_back({address(), Buffer(1, static_cast<std::byte>(value))});
  }
  int value;
};

struct OtherThing : Entry {
  static constexpr EntryKind entry_kind = EntryKind::btree2_node;
  OtherThing() : Entry(entry_kind) {}
  std::size_t memory_bytes() const override { return 100; }
  void encode(EncodedBlocks&) const override {}
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
  cache.trim([&] { cache.flush([&](EncodedBlocks& blocks) { written += blocks.size(); }); });
  EXPECT_EQ(written, 2u);
  EXPECT_EQ(cache.entries(), 1u);
  EXPECT_EQ(cache.find<Thing>(to_address(0)), held);
}

TEST(MetadataCache, FlushesInAddressOrderAndKeepsDirtyOnFailure) {
  MetadataCache cache(1000);
  cache.insert(to_address(5), std::make_shared<Thing>(5));
  cache.insert(to_address(2), std::make_shared<Thing>(2));
  EXPECT_THROW(cache.flush([](EncodedBlocks&) { throw Error(ErrorKind::no_space, "full"); }), Error);
  EXPECT_TRUE(cache.has_dirty());
  std::vector<std::uint64_t> order;
  cache.flush([&](EncodedBlocks& blocks) {
    for (const EncodedBlock& block : blocks) order.push_back(to_number(block.at));
  });
  EXPECT_THAT(order, ::testing::ElementsAre(2, 5));
  EXPECT_FALSE(cache.has_dirty());
}

struct LargeThing : Entry {
  static constexpr EntryKind entry_kind = EntryKind::global_heap;
  LargeThing() : Entry(entry_kind) {}
  std::size_t memory_bytes() const override { return 100; }
  void encode(EncodedBlocks& out) const override { out.push_back({address(), Buffer(700'000)}); }
};

TEST(MetadataCache, FlushesManyBytesInPartsOfWhichOnlyTheWrittenOnesAreClean) {
  MetadataCache cache(10000);
  for (int i = 0; i < 6; ++i) cache.insert(to_address(i), std::make_shared<LargeThing>());
  int parts = 0;
  EXPECT_THROW(cache.flush([&](EncodedBlocks&) {
    if (++parts == 3) throw Error(ErrorKind::no_space, "full");
  }),
               Error);
  const std::vector<Entry*> left = cache.dirty_entries();
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0]->address(), to_address(4));
  EXPECT_TRUE(cache.dirty_entries(EntryKind::free_space).empty());
  cache.flush([&](EncodedBlocks& blocks) { EXPECT_EQ(blocks.size(), 2u); });
  EXPECT_FALSE(cache.has_dirty());
}

TEST(MetadataCache, MovesAnEntryWithItsChanges) {
  MetadataCache cache(1000);
  cache.insert(to_address(5), std::make_shared<Thing>(5));
  cache.move(to_address(5), to_address(9));
  EXPECT_FALSE(cache.find<Thing>(to_address(5)));
  EXPECT_EQ(cache.find<Thing>(to_address(9))->address(), to_address(9));
}

TEST(MetadataCache, RefusesOverlappingStructures) {
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

template <EntryKind Kind>
struct Piece : Entry {
  static constexpr EntryKind entry_kind = Kind;
  explicit Piece(std::size_t n) : Entry(Kind), blocks(n) {}
  std::size_t memory_bytes() const override { return 100; }
  void encode(EncodedBlocks& out) const override {
    for (std::size_t i = 0; i < blocks; ++i)
      out.push_back({to_address(to_number(address()) + i * 1000), Buffer(1)});
  }
  std::size_t blocks;
};

template <EntryKind Kind>
void load_and_edit(MetadataCache& cache, std::uint64_t at, std::size_t blocks = 1) {
  cache.edit(cache.get<Piece<Kind>>(to_address(at), [&] { return std::make_shared<Piece<Kind>>(blocks); }));
}

std::vector<std::vector<std::uint64_t>> ordered_writes(MetadataCache& cache) {
  std::vector<std::vector<std::uint64_t>> writes;
  cache.flush_for_swmr([&](EncodedBlocks& blocks) {
    writes.emplace_back();
    for (const EncodedBlock& block : blocks) writes.back().push_back(to_number(block.at));
  });
  return writes;
}

TEST(MetadataCache, WritesStructuresAfterWhatTheyReferTo) {
  using enum EntryKind;
  MetadataCache cache(10000);
  load_and_edit<object_header>(cache, 1, 3);
  load_and_edit<extensible_array_header>(cache, 2);
  load_and_edit<extensible_array_index_block>(cache, 3);
  load_and_edit<extensible_array_super_block>(cache, 4);
  load_and_edit<extensible_array_data_block>(cache, 5);
  load_and_edit<array_page>(cache, 6);
  load_and_edit<object_header>(cache, 7);
  cache.insert(to_address(9), std::make_shared<Piece<object_header>>(2));
  cache.insert(to_address(8), std::make_shared<Piece<array_page>>(1));
  using Writes = std::vector<std::vector<std::uint64_t>>;
  EXPECT_EQ(ordered_writes(cache), (Writes{{8, 9, 1009}, {6}, {5}, {4}, {3}, {2}, {1001, 2001}, {1, 7}}));
  EXPECT_FALSE(cache.has_dirty());
  // The file has it now.
  load_and_edit<object_header>(cache, 9);
  load_and_edit<array_page>(cache, 8);
  EXPECT_EQ(ordered_writes(cache), (Writes{{8}, {1009}, {9}}));
}

TEST(MetadataCache, KeepsEntriesDirtyAfterAFailedSwmrFlush) {
  using enum EntryKind;
  MetadataCache cache(10000);
  load_and_edit<object_header>(cache, 1, 2);
  load_and_edit<array_page>(cache, 2);
  int calls = 0;
  EXPECT_THROW(cache.flush_for_swmr([&](EncodedBlocks&) {
    if (++calls == 3) throw Error(ErrorKind::io, "no more");
  }),
               Error);
  EXPECT_EQ(ordered_writes(cache), (std::vector<std::vector<std::uint64_t>>{{1001}, {1}}));
}

TEST(MetadataCache, RetriesTornReads) {
  MetadataCache cache(1000);
  cache.set_attempts(5);
  int loads = 0;
  const auto load = [&] {
    if (++loads < 4) throw Error(ErrorKind::corrupt, "torn");
    return std::make_shared<Thing>(7);
  };
  EXPECT_EQ(cache.get<Thing>(to_address(8), load)->value, 7);
  ASSERT_EQ(cache.retries().size(), 1u);
  EXPECT_EQ(cache.retries()[0].kind, EntryKind::local_heap);
  EXPECT_EQ(cache.retries()[0].failed, 3u);
  loads = -100;
  EXPECT_THROW(cache.get<Thing>(to_address(9), load), Error);
  EXPECT_EQ(loads, -95);
  loads = -100;
  EXPECT_THROW(cache.get<Thing>(to_address(9),
                                [&]() -> std::shared_ptr<Thing> {
                                  ++loads;
                                  throw Error(ErrorKind::io, "broken");
                                }),
               Error);
  EXPECT_EQ(loads, -99);
}

TEST(MetadataCache, DropsCleanEntries) {
  MetadataCache cache(1000);
  for (int i = 0; i < 3; ++i) cache.get<Thing>(to_address(i), make(i));
  cache.edit(cache.find<Thing>(to_address(1)));
  cache.drop_clean();
  EXPECT_EQ(cache.find<Thing>(to_address(0)), nullptr);
  EXPECT_NE(cache.find<Thing>(to_address(1)), nullptr);
  EXPECT_EQ(cache.entries(), 1u);
  EXPECT_EQ(cache.bytes(), 100u);
}

}  // namespace
}  // namespace filigree::store
