// SPDX-License-Identifier: Apache-2.0
#include "store/heaps/local_heap.hpp"

#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;
using filigree::testing::to_hex;

/// What HDF5 writes for a root group with "d", "s" -> "/d", "g" and "v", moved to address 512.
Buffer reference_image() {
  Buffer image(512);
  const Buffer heap = from_hex(
      "48454150 00000000 58 7*00 30 7*00 2002 6*00"
      "| 8*00 64 7*00 73 7*00 2f64 6*00 67 7*00 76 7*00 01 7*00 28 7*00 24*00");
  image.insert(image.end(), heap.begin(), heap.end());
  return image;
}
constexpr Address reference_heap = to_address(512);

TEST(LocalHeap, ReadsAHeapOfHdf5) {
  MemoryStore file({}, reference_image());
  const LocalHeap heap(*file, reference_heap);
  EXPECT_EQ(heap.get(0), "");
  EXPECT_EQ(heap.get(0x18), "/d");
  EXPECT_EQ(heap.get(0x28), "v");
  EXPECT_EQ(heap.get(0x19), "d");
  EXPECT_THROW(heap.get(88), Error);
}

TEST(LocalHeap, ComparesNamesWithItsStrings) {
  MemoryStore file({}, reference_image());
  const auto heap = LocalHeap(*file, reference_heap).entry();
  EXPECT_EQ(heap->compare("/d", 0x18), 0);
  EXPECT_LT(heap->compare("/", 0x18), 0);
  EXPECT_GT(heap->compare("/da", 0x18), 0);
  EXPECT_GT(heap->compare("\xff", 0x18), 0);
  EXPECT_EQ(heap->compare("", 0), 0);
  EXPECT_GT(heap->compare("a", 80), 0);
  EXPECT_LT(heap->compare("", 8), 0);
  EXPECT_GT(heap->compare(std::string(100, 'a'), 0), 0);
  EXPECT_THROW(heap->compare("a", 88), Error);
}

TEST(LocalHeap, MakesTheBytesThatHdf5Makes) {
  MemoryStore file;
  const Address at = LocalHeap::create(*file, 88);
  ASSERT_EQ(at, reference_heap);
  LocalHeap heap(*file, at);
  EXPECT_EQ(heap.insert("d"), 8u);
  EXPECT_EQ(heap.insert("s"), 16u);
  EXPECT_EQ(heap.insert("/d"), 24u);
  EXPECT_EQ(heap.insert("g"), 32u);
  EXPECT_EQ(heap.insert("v"), 40u);
  EXPECT_EQ(to_hex(file.image()), to_hex(reference_image()));
}

TEST(LocalHeap, DoublesInPlaceAtTheEndOfTheFile) {
  MemoryStore file;
  const Address at = LocalHeap::create(*file, 88);
  LocalHeap heap(*file, at);
  heap.insert(std::string(71, 'a'));
  const auto offset = heap.insert("next");
  EXPECT_EQ(heap.entry()->data(), at + 32);
  EXPECT_EQ(heap.entry()->data_bytes(), 176u);
  EXPECT_EQ(heap.get(offset), "next");
  heap.destroy();
  EXPECT_EQ(file.space->in_use(), 0u);
}

TEST(LocalHeap, MovesItsDataWhenItCannotGrowInPlace) {
  MemoryStore file;
  const Address at = LocalHeap::create(*file, 24);
  file.space->allocate(SpaceKind::raw, 8);
  LocalHeap heap(*file, at);
  const auto first = heap.insert("first");
  const auto second = heap.insert("a name that takes more than the heap has");
  EXPECT_NE(heap.entry()->data(), at + 32);
  const auto reopened = file.reopened();
  EXPECT_EQ(LocalHeap(*reopened, at).get(first), "first");
  EXPECT_EQ(LocalHeap(*reopened, at).get(second), "a name that takes more than the heap has");
  heap.destroy();
  EXPECT_EQ(file.space->in_use(), 8u);
}

TEST(LocalHeap, ReusesAndMergesWhatWasRemoved) {
  MemoryStore file;
  LocalHeap heap(*file, LocalHeap::create(*file, 88));
  const auto a = heap.insert("aaaaaaaaaa");
  const auto b = heap.insert("b");
  const auto c = heap.insert("c");
  heap.insert("last");
  heap.remove(a, 11);
  heap.remove(c, 2);
  heap.remove(b, 2);
  EXPECT_EQ(heap.insert(std::string(31, 'x')), a);
  EXPECT_EQ(heap.entry()->data_bytes(), 88u);
}

TEST(LocalHeap, ShrinksWhenItsEndIsFree) {
  MemoryStore file;
  LocalHeap heap(*file, LocalHeap::create(*file, 88));
  file.space->allocate(SpaceKind::raw, 8);
  const auto first = heap.insert("first");
  std::vector<std::uint64_t> others;
  for (int i = 0; i < 100; ++i) others.push_back(heap.insert("fifteen letters"));
  EXPECT_GT(heap.entry()->data_bytes(), 1600u);
  for (std::size_t i = others.size(); i-- > 0;) heap.remove(others[i], 16);
  EXPECT_EQ(heap.entry()->data_bytes(), 88u);
  EXPECT_EQ(file.space->in_use(), 32u + 88 + 8);
  EXPECT_EQ(LocalHeap(*file.reopened(), heap.address()).get(first), "first");
  for (int i = 0; i < 100; ++i) heap.insert("fifteen letters");
  EXPECT_EQ(heap.get(first), "first");
  heap.destroy();
  EXPECT_EQ(file.space->in_use(), 8u);
}

TEST(LocalHeap, KeepsItsSizeWhileItsLastStringStays) {
  MemoryStore file;
  LocalHeap heap(*file, LocalHeap::create(*file, 88));
  std::vector<std::uint64_t> all;
  for (int i = 0; i < 100; ++i) all.push_back(heap.insert("fifteen letters"));
  const std::uint64_t bytes = heap.entry()->data_bytes();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) heap.remove(all[i], 16);
  EXPECT_EQ(heap.entry()->data_bytes(), bytes);
  EXPECT_EQ(heap.get(all.back()), "fifteen letters");
}

TEST(LocalHeap, KeepsItsFreeListInTheFile) {
  MemoryStore file;
  const Address at = LocalHeap::create(*file, 88);
  LocalHeap heap(*file, at);
  const auto a = heap.insert("aaaaaaaaaa");
  heap.insert("b");
  heap.remove(a, 11);
  MemoryStore second({}, file.image());
  LocalHeap again(*second, at);
  EXPECT_EQ(again.insert("0123456789"), a);
  EXPECT_EQ(again.insert("z"), 32u);
}

TEST(LocalHeap, RefusesToFreeTwiceOrOutside) {
  MemoryStore file;
  LocalHeap heap(*file, LocalHeap::create(*file, 88));
  const auto a = heap.insert("abc");
  heap.remove(a, 4);
  EXPECT_THROW(heap.remove(a, 4), Error);
  EXPECT_THROW(heap.remove(4, 4), Error);
  EXPECT_THROW(heap.remove(80, 9), Error);
  EXPECT_THROW(heap.remove(1u << 20, 1), Error);
}

TEST(LocalHeap, IgnoresACorruptFreeList) {
  for (const auto* broken :
       {"30 7*00 28 7*00", "00 7*00 28 7*00", "01 7*00 29 7*00", "01 7*00 8*00", "00ff 6*00 28 7*00"}) {
    Buffer image = reference_image();
    const Buffer block = from_hex(broken);
    std::copy(block.begin(), block.end(), image.begin() + 512 + 32 + 0x30);
    MemoryStore file({}, image);
    LocalHeap heap(*file, reference_heap);
    EXPECT_EQ(heap.get(0x18), "/d") << broken;
    EXPECT_GE(heap.insert("new"), 88u) << broken;
  }
}

TEST(LocalHeap, ReportsWhatIsNotAHeap) {
  MemoryStore file({}, Buffer(4096));
  EXPECT_THROW(LocalHeap(*file, to_address(512)).get(0), Error);
  EXPECT_THROW(LocalHeap(*file, to_address(4090)).get(0), Error);
  EXPECT_THROW(LocalHeap(*file, Address::undefined).get(0), Error);
}

TEST(LocalHeap, StopsAtTheLimitOfNarrowLengths) {
  MemoryStore file({4, 2});
  const Address at = LocalHeap::create(*file, 88);
  LocalHeap heap(*file, at);
  EXPECT_THROW(
      {
        for (int i = 0; i < 10000; ++i) heap.insert("fifteen letters");
      },
      Error);
  EXPECT_EQ(heap.entry()->data_bytes(), 65528u);
  EXPECT_EQ(LocalHeap(*file.reopened(), at).get(8), "fifteen letters");
}

class LocalHeapModel : public ::testing::TestWithParam<format::Widths> {};

TEST_P(LocalHeapModel, AgreesWithAMap) {
  MemoryStore file(GetParam(), Buffer(512), 1);
  LocalHeap heap(*file, LocalHeap::create(*file, 24));
  std::map<std::uint64_t, std::string> model;
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    if (model.size() > 100 || (!model.empty() && random() % 3 == 0)) {
      auto victim = std::next(model.begin(), random() % model.size());
      heap.remove(victim->first, victim->second.size() + 1);
      model.erase(victim);
    } else {
      std::string text(random() % 40, static_cast<char>('a' + i % 26));
      const auto offset = heap.insert(text);
      ASSERT_EQ(offset % 8, 0u);
      ASSERT_TRUE(model.emplace(offset, std::move(text)).second);
    }
    if (i % 10 == 0) file->trim_cache();
    if (i % 50 == 0) {
      for (const auto& [offset, text] : model) ASSERT_EQ(heap.get(offset), text);
    }
  }
  EXPECT_LT(heap.entry()->data_bytes(), 10000u);
  heap.destroy();
  EXPECT_EQ(file.space->in_use(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Widths, LocalHeapModel,
                         ::testing::Values(format::Widths{8, 8}, format::Widths{4, 4}, format::Widths{4, 2}));

}  // namespace
}  // namespace filigree::store
