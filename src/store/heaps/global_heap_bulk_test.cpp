// SPDX-License-Identifier: Apache-2.0
//
// Many objects in the global heap: growth, removal of many at once, and free space that is used again.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "store/heaps/global_heap.hpp"
#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;
using filigree::testing::to_hex;

constexpr Address first_heap = to_address(512);

ErrorKind kind_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::internal;
}

Buffer object_of(std::size_t i, std::size_t bytes) { return Buffer(bytes, static_cast<std::byte>(i)); }

TEST(GlobalHeapBulk, StoresEmptyObjectsAsHdf5Does) {
  MemoryStore file;
  GlobalHeap heap(*file);
  const auto empty = heap.insert({});
  heap.insert(as_bytes("ab"));
  const auto last = heap.insert({});
  EXPECT_EQ(heap.get(empty), Buffer());
  const Buffer image = file.image();
  EXPECT_EQ(to_hex(Bytes(image).subspan(512, 0x58)),
            to_hex(from_hex("47434f4c 01000000 0010 6*00 | 01 7*00 8*00 | 02 7*00 02 7*00 6162 6*00"
                            "| 03 7*00 8*00 | 8*00 b80f 6*00")));
  heap.remove(empty);
  EXPECT_THROW(heap.get(empty), Error);
  EXPECT_EQ(GlobalHeap(*file.reopened()).get(last), Buffer());
}

TEST(GlobalHeapBulk, PaysLittleForCollections) {
  MemoryStore file;
  GlobalHeap heap(*file);
  std::uint64_t least = 0;
  std::vector<GlobalHeapId> ids;
  for (std::size_t i = 0; i < 20000; ++i) {
    ids.push_back(heap.insert(object_of(i, i % 41)));
    least += 16 + pad8(i % 41);
  }
  heap.release_unused();
  EXPECT_LT(file.space->in_use(), least + least / 1000 + 4096);
  for (const auto& id : ids) ASSERT_LE(heap.collection(id.collection)->bytes(), (64u << 10) + 64);
  const auto reopened = file.reopened();
  const GlobalHeap other(*reopened);
  for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(other.get(ids[i]), object_of(i, i % 41));
}

TEST(GlobalHeapBulk, KeepsASmallHeapAsSmallAsHdf5) {
  MemoryStore file;
  GlobalHeap heap(*file);
  heap.insert(as_bytes("one"));
  heap.release_unused();
  EXPECT_EQ(file.space->in_use(), 4096u);
}

TEST(GlobalHeapBulk, MakesLargerCollectionsWhenItCannotExtendThem) {
  MemoryStore file;
  GlobalHeap heap(*file);
  std::map<Address, int> collections;
  for (std::size_t i = 0; i < 40000; ++i) {
    const auto id = heap.insert(object_of(i, 24));
    if (collections[id.collection]++ == 0) file.space->allocate(SpaceKind::raw, 8);
  }
  EXPECT_LT(collections.size(), 60u);
}

TEST(GlobalHeapBulk, RemovesManyOrNone) {
  MemoryStore file;
  GlobalHeap heap(*file);
  std::vector<GlobalHeapId> ids;
  for (std::size_t i = 0; i < 5000; ++i) ids.push_back(heap.insert(object_of(i, 30)));
  std::vector<GlobalHeapId> wrong = ids;
  wrong.push_back({ids[0].collection, 60000});
  EXPECT_EQ(kind_of([&] { heap.remove(wrong); }), ErrorKind::corrupt);
  wrong.back() = {to_address(1u << 30), 1};
  EXPECT_EQ(kind_of([&] { heap.remove(wrong); }), ErrorKind::corrupt);
  for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(heap.get(ids[i]), object_of(i, 30));
  ids.insert(ids.end(), ids.begin(), ids.begin() + 100);  // named twice
  const std::uint64_t before = heap.generation();
  heap.remove(ids);
  EXPECT_EQ(file.space->in_use(), 0u);
  EXPECT_NE(heap.generation(), before);
}

TEST(GlobalHeapBulk, KeepsHeldContentsWhileItChanges) {
  MemoryStore file;
  GlobalHeap heap(*file);
  std::vector<GlobalHeapId> ids;
  for (std::size_t i = 0; i < 90; ++i) ids.push_back(heap.insert(object_of(i, 24)));
  const auto held = heap.collection(ids[0].collection);
  const auto image = held->buffer();
  const Bytes content = held->content(ids[50].index);
  heap.remove(std::span(ids).first(80));                                     // holes
  for (std::size_t i = 0; i < 2000; ++i) heap.insert(object_of(i + 7, 24));  // packing and extension
  EXPECT_NE(held->buffer(), image);
  EXPECT_TRUE(std::ranges::equal(content, object_of(50, 24)));
  heap.remove(std::span(ids).subspan(80));
  EXPECT_TRUE(std::ranges::equal(content, object_of(50, 24)));
}

TEST(GlobalHeapBulk, ReusesFreeSpaceAfterReopening) {
  MemoryStore file;
  GlobalHeap heap(*file);
  std::vector<GlobalHeapId> ids;
  for (std::size_t i = 0; i < 10000; ++i) ids.push_back(heap.insert(object_of(i, 40)));
  heap.release_unused();
  const Buffer image = file.image();
  MemoryStore second({}, image);
  GlobalHeap again(*second);
  std::vector<GlobalHeapId> half;
  for (std::size_t i = 0; i < ids.size(); i += 2) half.push_back(ids[i]);
  again.remove(half);
  for (std::size_t i = 0; i < half.size(); ++i) again.insert(object_of(i, 40));
  EXPECT_LE(second.image().size(), image.size() + 8192);
  for (std::size_t i = 1; i < ids.size(); i += 2) ASSERT_EQ(again.get(ids[i]), object_of(i, 40));
}

TEST(GlobalHeapBulk, DoesNotGrowWhenOneObjectIsReplacedForever) {
  MemoryStore file;
  GlobalHeap heap(*file);
  auto id = heap.insert(object_of(0, 100));
  for (std::size_t i = 1; i < 5000; ++i) {
    const auto next = heap.insert(object_of(i, 100));
    heap.remove(id);
    id = next;
  }
  EXPECT_EQ(file.space->in_use(), 4096u);
}

TEST(GlobalHeapBulk, TakesNoTableForOneLargeIndex) {
  Buffer image(512);
  const Buffer collection = from_hex("47434f4c 01000000 28 7*00 | ffff 6*00 03 7*00 616263 5*00");
  image.insert(image.end(), collection.begin(), collection.end());
  MemoryStore file({}, image);
  GlobalHeap heap(*file);
  EXPECT_EQ(as_text(heap.get(first_heap, 65535)), "abc");
  EXPECT_LT(heap.collection(first_heap)->memory_bytes(), 1000u);
  EXPECT_EQ(kind_of([&] { heap.get(first_heap, 65534); }), ErrorKind::corrupt);
  EXPECT_EQ(kind_of([&] { heap.get(first_heap, 65536); }), ErrorKind::corrupt);
  EXPECT_EQ(kind_of([&] { heap.get(first_heap, 1u << 31); }), ErrorKind::corrupt);
}

TEST(GlobalHeapBulk, ReportsACorruptCollection) {
  Buffer image(512);
  const Buffer collection = from_hex("47434f4c 01000000 0010 6*00 | 01 7*00 03 7*00 616263 5*00");
  image.insert(image.end(), collection.begin(), collection.end());
  MemoryStore file({}, image);
  const GlobalHeap heap(*file);
  EXPECT_EQ(kind_of([&] { heap.get(first_heap, 1); }), ErrorKind::truncated);           // cut
  EXPECT_EQ(kind_of([&] { heap.get(to_address(0), 1); }), ErrorKind::corrupt);          // not a collection
  EXPECT_EQ(kind_of([&] { heap.get(to_address(545), 1); }), ErrorKind::corrupt);        // ends in the header
  EXPECT_EQ(kind_of([&] { heap.get(to_address(~0ull - 8), 1); }), ErrorKind::corrupt);  // far beyond
  EXPECT_EQ(kind_of([&] { heap.get(Address::undefined, 1); }), ErrorKind::corrupt);
}

TEST(GlobalHeapBulk, DoesNotLoadARemovedCollection) {
  MemoryStore first;
  GlobalHeap made(*first);
  const std::vector<GlobalHeapId> ids{made.insert(as_bytes("a")), made.insert(as_bytes("b"))};
  MemoryStore file({}, first.image());
  GlobalHeap heap(*file);
  heap.remove(ids);
  // Its bytes are still in the file.
  EXPECT_EQ(kind_of([&] { heap.get(ids[0]); }), ErrorKind::corrupt);
  EXPECT_EQ(kind_of([&] { heap.remove(ids[1]); }), ErrorKind::corrupt);
  EXPECT_FALSE(file->cache().has_dirty());
}

class GlobalHeapTwin : public ::testing::TestWithParam<format::Widths> {};

TEST_P(GlobalHeapTwin, AgreesWithAMapAcrossReopening) {
  Buffer image(512);
  std::map<GlobalHeapId, Buffer> twin;
  std::mt19937 random(29);
  for (int session = 0; session < 12; ++session) {
    MemoryStore file(GetParam(), image, 4096);
    GlobalHeap heap(*file);
    for (int step = 0; step < 60; ++step) {
      // One narrow file cannot grow for long, since the fixture does not hand out what was there before.
      for (std::size_t i = twin.size() > 200 ? 0 : random() % 40; i > 0; --i) {
        const std::size_t bytes = random() % 60 == 0 ? random() % 3000 : random() % 60;
        const Buffer object = object_of(random(), bytes);
        ASSERT_TRUE(twin.emplace(heap.insert(object), object).second);
      }
      if (random() % 4 == 0) heap.release_unused();
      std::vector<GlobalHeapId> gone;
      const unsigned one_in = 1 + random() % 8;
      for (const auto& [id, object] : twin) {
        if (random() % one_in == 0) gone.push_back(id);
      }
      heap.remove(gone);
      for (const auto& id : gone) twin.erase(id);
      file->trim_cache();
      if (step % 10 != 0) continue;
      for (const auto& [id, object] : twin) ASSERT_EQ(heap.get(id), object);
      for (const auto& id : gone) ASSERT_THROW(heap.get(id), Error);
    }
    image = file.image();
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, GlobalHeapTwin,
                         ::testing::Values(format::Widths{8, 8}, format::Widths{4, 4}, format::Widths{4, 2}));

}  // namespace
}  // namespace filigree::store
