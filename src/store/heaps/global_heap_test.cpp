// SPDX-License-Identifier: Apache-2.0
#include "store/heaps/global_heap.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;
using filigree::testing::to_hex;

Buffer text(std::string_view t) { return {as_bytes(t).begin(), as_bytes(t).end()}; }

/// Three strings as HDF5 writes them, at address 512.
Buffer reference_image() {
  Buffer image(512);
  const Buffer collection = from_hex(
      "47434f4c 01000000 0010 6*00"
      "| 01 7*00 14 7*00 20*78 4*00"
      "| 02 7*00 0b 7*00 68656c6c 6f20776f 726c64 5*00"
      "| 03 7*00 03 7*00 616263 5*00"
      "| 8*00 900f 6*00 3968*00");
  image.insert(image.end(), collection.begin(), collection.end());
  return image;
}
constexpr Address reference_heap = to_address(512);

TEST(GlobalHeap, ReadsACollectionOfHdf5) {
  for (const format::Widths widths : {format::Widths{8, 8}, format::Widths{4, 4}, format::Widths{2, 2}}) {
    MemoryStore file(widths, reference_image());
    const GlobalHeap heap(*file);
    EXPECT_EQ(as_text(heap.get(reference_heap, 2)), "hello world");
    EXPECT_EQ(as_text(heap.get(reference_heap, 3)), "abc");
    EXPECT_THROW(heap.get(reference_heap, 0), Error);
    EXPECT_THROW(heap.get(reference_heap, 4), Error);
    EXPECT_THROW(heap.get(to_address(8), 1), Error);
    EXPECT_THROW(heap.get(Address::undefined, 1), Error);
  }
}

TEST(GlobalHeap, MakesTheBytesThatHdf5Makes) {
  for (const format::Widths widths : {format::Widths{8, 8}, format::Widths{4, 4}, format::Widths{2, 2}}) {
    MemoryStore file(widths);
    GlobalHeap heap(*file);
    EXPECT_EQ(heap.insert(text("xxxxxxxxxxxxxxxxxxxx")), (GlobalHeapId{reference_heap, 1}));
    EXPECT_EQ(heap.insert(text("hello world")), (GlobalHeapId{reference_heap, 2}));
    EXPECT_EQ(heap.insert(text("abc")), (GlobalHeapId{reference_heap, 3}));
    EXPECT_EQ(to_hex(file.image()), to_hex(reference_image()));
  }
}

TEST(GlobalHeap, MovesLaterObjectsDownWhenOneIsRemoved) {
  MemoryStore file;
  GlobalHeap heap(*file);
  const auto first = heap.insert(text("xxxxxxxxxxxxxxxxxxxx"));
  const auto gone = heap.insert(text("goes"));
  const auto second = heap.insert(text("hello world"));
  heap.insert(text("abc"));
  heap.remove(gone);
  EXPECT_THROW(heap.get(gone), Error);
  EXPECT_THROW(heap.remove(gone), Error);
  EXPECT_EQ(as_text(heap.get(first)), "xxxxxxxxxxxxxxxxxxxx");
  EXPECT_EQ(as_text(heap.get(second)), "hello world");
  const Buffer image = file.image();
  // Object 3 is stored where object 2 was, and the free space has grown.
  EXPECT_EQ(to_hex(Bytes(image).subspan(512 + 56, 16)), to_hex(from_hex("03 7*00 0b 7*00")));
  EXPECT_EQ(to_hex(Bytes(image).subspan(512 + 112, 16)), to_hex(from_hex("8*00 900f 6*00")));
}

TEST(GlobalHeap, FreesACollectionWithItsLastObject) {
  MemoryStore file;
  GlobalHeap heap(*file);
  const auto a = heap.insert(text("a"));
  const auto b = heap.insert(text("b"));
  EXPECT_EQ(file.space->in_use(), 4096u);
  heap.remove(a);
  heap.remove(b);
  EXPECT_EQ(file.space->in_use(), 0u);
  EXPECT_EQ(as_text(heap.get(heap.insert(text("c")))), "c");
}

TEST(GlobalHeap, ExtendsInPlaceOrMakesANewCollection) {
  MemoryStore file;
  GlobalHeap heap(*file);
  const auto a = heap.insert(Buffer(4000, std::byte{1}));
  const auto b = heap.insert(Buffer(200, std::byte{2}));
  EXPECT_EQ(b.collection, a.collection);
  EXPECT_EQ(heap.collection(a.collection)->bytes(), 8192u);
  file.space->allocate(SpaceKind::raw, 8);
  const auto c = heap.insert(Buffer(10000, std::byte{3}));
  EXPECT_NE(c.collection, a.collection);
  EXPECT_EQ(heap.collection(c.collection)->bytes(), 10032u);
  EXPECT_EQ(heap.get(c), Buffer(10000, std::byte{3}));
  // Free space in the older collection is still known.
  EXPECT_EQ(heap.insert(Buffer(2000)).collection, a.collection);
}

TEST(GlobalHeap, StoresAnObjectThatLeavesNoSpaceForAHeader) {
  MemoryStore file;
  GlobalHeap heap(*file);
  const auto a = heap.insert(Buffer(4096 - 16 - 16 - 8, std::byte{1}));
  EXPECT_EQ(heap.collection(a.collection)->bytes(), 4096u);
  const auto reopened = file.reopened();
  EXPECT_EQ(GlobalHeap(*reopened).get(a).size(), 4056u);
}

TEST(GlobalHeap, RefusesWhatTheWidthsCannotHold) {
  MemoryStore file({4, 2});
  GlobalHeap heap(*file);
  EXPECT_THROW(heap.insert(Buffer(65536)), Error);
  const auto large = heap.insert(Buffer(65000));
  EXPECT_EQ(heap.get(large).size(), 65000u);
}

TEST(GlobalHeap, NumbersObjectsInTheFirstGapWhenItRunsOut) {
  Buffer image(512);
  std::string objects;
  for (const auto* index : {"0100", "0200", "0400", "ffff"})
    objects += std::string(index) + " 6*00 01 7*00 61 7*00 ";
  const Buffer collection =
      from_hex("47434f4c 01000000 0010 6*00" + std::string(" ") + objects + "8*00 900f 6*00 3968*00");
  image.insert(image.end(), collection.begin(), collection.end());
  MemoryStore file({}, image);
  GlobalHeap heap(*file);
  heap.remove({reference_heap, 1});
  EXPECT_EQ(heap.insert(text("b")).index, 1u);
  EXPECT_EQ(heap.insert(text("c")).index, 3u);
  EXPECT_EQ(as_text(heap.get(reference_heap, 3)), "c");
  EXPECT_EQ(as_text(heap.get(reference_heap, 65535)), "a");
}

class GlobalHeapModel : public ::testing::TestWithParam<format::Widths> {};

TEST_P(GlobalHeapModel, AgreesWithAList) {
  MemoryStore file(GetParam(), Buffer(512), 1);
  GlobalHeap heap(*file);
  std::vector<std::pair<GlobalHeapId, Buffer>> model;
  std::mt19937 random(11);
  for (int i = 0; i < 4000; ++i) {
    if (model.size() > 120 || (!model.empty() && random() % 5 < 2)) {
      std::swap(model[random() % model.size()], model.back());
      heap.remove(model.back().first);
      model.pop_back();
    } else {
      const std::size_t bytes = random() % 50 == 0 ? 1 + random() % 6000 : 1 + random() % 60;
      Buffer object(bytes, static_cast<std::byte>(random()));
      model.emplace_back(heap.insert(object), object);
    }
    if (i % 7 == 0) file->trim_cache();
    if (i % 100 == 0) {
      for (const auto& [id, object] : model) ASSERT_EQ(heap.get(id), object);
    }
  }
  for (const auto& [id, object] : model) heap.remove(id);
  EXPECT_EQ(file.space->in_use(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Widths, GlobalHeapModel,
                         ::testing::Values(format::Widths{8, 8}, format::Widths{4, 4}, format::Widths{4, 2}));

TEST(GlobalHeap, SurvivesFlippedBits) {
  const Buffer golden = reference_image();
  for (std::size_t bit = 512 * 8; bit < (512 + 0x80) * 8; ++bit) {
    Buffer image = golden;
    image[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    MemoryStore file({}, image);
    GlobalHeap heap(*file);
    for (std::uint32_t index = 1; index <= 3; ++index) {
      try {
        (void)heap.get(reference_heap, index);
        heap.remove({reference_heap, index});
        (void)heap.insert(text("more"));
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace filigree::store
