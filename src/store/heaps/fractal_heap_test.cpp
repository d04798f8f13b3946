// SPDX-License-Identifier: Apache-2.0
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-overread"  // gcc 12 misjudges the ordering of vectors of bytes
#endif
#include "store/heaps/fractal_heap.hpp"

#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/heaps/fractal_heap.hpp"
#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;
using filigree::testing::to_hex;

Buffer object_of(std::size_t bytes, unsigned seed) {
  Buffer out(bytes);
  for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::byte>(seed * 31 + i * 7);
  return out;
}

FractalHeap new_heap(MemoryStore& store, const FractalHeapShape& shape = FractalHeapShape::links()) {
  return {*store, FractalHeap::create(*store, shape)};
}

/// The body of a filter pipeline message with deflate at level 6.
Buffer deflated() { return from_hex("0201 0100 0000 0100 06000000"); }

TEST(FractalHeap, StartsEmptyLikeHdf5) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  EXPECT_EQ(heap.id_bytes(), 7u);
  EXPECT_EQ(heap.objects(), 0u);
  heap.check();
  EXPECT_EQ(store.space->in_use(), 146u);
  heap.destroy();
  EXPECT_EQ(store.space->in_use(), 0u);
}

// The bytes that HDF5 writes for a group with links "aa" and "bb".
TEST(FractalHeap, WritesWhatHdf5Writes) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  EXPECT_EQ(to_hex(heap.insert(from_hex("01080102 6161 0100 74"))), to_hex(from_hex("00 15000000 0900")));
  EXPECT_EQ(to_hex(heap.insert(from_hex("01080102 6262 0100 74"))), to_hex(from_hex("00 1e000000 0900")));
  const auto& h = heap.header();
  EXPECT_EQ(h.free_bytes, 0x1d9u);
  EXPECT_EQ(h.managed_bytes, 512u);
  EXPECT_EQ(h.allocated_bytes, 512u);
  EXPECT_EQ(h.iterator, 0u);
  EXPECT_EQ(h.managed_objects, 2u);
  const Buffer image = store.image();
  const auto manager = to_number(h.free_space);
  EXPECT_EQ(load_word(image.data() + manager + 6, 8), 473u);
  const auto list = load_word(image.data() + manager + 54, 8);
  EXPECT_EQ(load_word(image.data() + manager + 62, 8), 26u);
  EXPECT_EQ(to_hex(Bytes(image).subspan(list + 13, 9)), to_hex(from_hex("01 d90100 27000000 00")));
}

TEST(FractalHeap, CountsAsHdf5AfterThousandsOfLinks) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  for (unsigned i = 0; i < 5000; ++i) heap.insert(object_of(22, i));
  heap.check();
  EXPECT_EQ(heap.header().free_bytes, 151472u);
  EXPECT_EQ(heap.header().managed_bytes, 262144u);
  EXPECT_EQ(heap.header().allocated_bytes, 114688u);
  EXPECT_EQ(heap.header().iterator, 114688u);
  EXPECT_EQ(heap.header().root_rows, 8u);
  for (unsigned i = 5000; i < 30000; ++i) heap.insert(object_of(22, i));
  heap.check();
  EXPECT_EQ(heap.header().free_bytes, 66284140u);
  EXPECT_EQ(heap.header().iterator, 662528u);
  EXPECT_EQ(heap.header().root_rows, 16u);
}

TEST(FractalHeap, CountsAsHdf5WhenBlocksAreSkipped) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  heap.insert(object_of(4008, 1));
  heap.insert(object_of(3008, 2));
  heap.insert(object_of(18, 3));
  heap.check();
  EXPECT_EQ(heap.header().free_bytes, 25314u);
  EXPECT_EQ(heap.header().allocated_bytes, 8192u);
  EXPECT_EQ(heap.header().iterator, 24576u);
  EXPECT_EQ(heap.header().root_rows, 5u);
  const Buffer image = store.image();
  const std::byte* manager = image.data() + to_number(heap.header().free_space);
  EXPECT_EQ(load_word(manager + 6, 8), 0x1408u);
  EXPECT_EQ(load_word(manager + 14, 8), 6u);
  EXPECT_EQ(load_word(manager + 30, 8), 3u);
  EXPECT_EQ(to_hex(Bytes(image).subspan(load_word(manager + 54, 8) + 13, 37)),
            to_hex(from_hex(
                "01310000cf4f0000 00 01eb0100 00000000 01 00000000 0000 0000 1000 012b0400d55b0000 00")));
}

TEST(FractalHeap, KeepsTinyObjectsInTheirIds) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  const Buffer id = heap.insert(as_bytes("tiny"));
  EXPECT_EQ(to_hex(id), to_hex(from_hex("23 74696e79 0000")));
  EXPECT_EQ(as_text(heap.read(id)), "tiny");
  EXPECT_EQ(heap.header().tiny_bytes, 4u);
  EXPECT_EQ(store.space->in_use(), 146u);
  EXPECT_FALSE(heap.overwrite(id, as_bytes("TINY")));
  heap.remove(id);
  EXPECT_EQ(heap.objects(), 0u);
  EXPECT_THROW(heap.remove(id), Error);
}

TEST(FractalHeap, StoresHugeObjectsOutsideOfItsBlocks) {
  for (const std::uint16_t id_bytes : {7, 17}) {
    MemoryStore store;
    FractalHeapShape shape;
    shape.id_bytes = id_bytes;
    FractalHeap heap = new_heap(store, shape);
    const Buffer first = heap.insert(object_of(5000, 1)), second = heap.insert(object_of(70000, 2));
    EXPECT_EQ(heap.header().huge_objects, 2u);
    EXPECT_EQ(heap.header().huge_bytes, 75000u);
    EXPECT_EQ(heap.read(second), object_of(70000, 2));
    EXPECT_TRUE(heap.overwrite(first, object_of(5000, 3)));
    EXPECT_FALSE(heap.overwrite(first, object_of(5001, 3)));
    EXPECT_EQ(heap.read(first), object_of(5000, 3));
    heap.remove(first);
    EXPECT_THROW(heap.remove(first), Error);
    heap.check();
    heap.remove(second);
    EXPECT_EQ(heap.header().next_huge_id, 0u);
    EXPECT_EQ(store.space->in_use(), 146u);
    heap.insert(object_of(5000, 1));
    heap.destroy();
    EXPECT_EQ(store.space->in_use(), 0u);
  }
}

TEST(FractalHeap, ReusesKeysOfHugeObjectsWhenTheyRunOut) {
  MemoryStore store;
  const Address at = FractalHeap::create(*store, FractalHeapShape::links());
  Buffer image = store.image();
  auto header = format::decode<format::FractalHeapHeader>(Bytes(image).subspan(to_number(at)), {});
  header.next_huge_id = (std::uint64_t{1} << 48) - 2;
  const Buffer bytes = format::encode(header, {});
  std::copy(bytes.begin(), bytes.end(), image.begin() + static_cast<std::ptrdiff_t>(to_number(at)));
  MemoryStore again({}, image);
  FractalHeap heap(*again, at);
  EXPECT_EQ(to_hex(heap.insert(object_of(5000, 1))), to_hex(from_hex("10 6*ff")));
  EXPECT_TRUE(heap.header().huge_ids_wrapped);
  const Buffer one = heap.insert(object_of(5000, 2));
  EXPECT_EQ(to_hex(one), to_hex(from_hex("10 01 5*00")));
  heap.insert(object_of(5000, 3));
  heap.remove(one);
  EXPECT_EQ(to_hex(heap.insert(object_of(5000, 2))), to_hex(one));
}

TEST(FractalHeap, ReturnsToItsInitialStateWithItsLastObject) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  std::vector<Buffer> ids;
  for (unsigned i = 0; i < 2000; ++i) ids.push_back(heap.insert(object_of(40 + i % 100, i)));
  for (const Buffer& id : ids) heap.remove(id);
  heap.check();
  EXPECT_EQ(store.space->in_use(), 146u);
  EXPECT_EQ(to_hex(format::encode(heap.header(), {})),
            to_hex(format::encode(format::FractalHeapHeader{}, {})));
}

/// The size of the message of soft link number `i` to "/target<i>", with the name "link<i>".
std::size_t link_bytes(unsigned i) { return 4 + 4 + 2 + 7 + 2 * std::to_string(i).size(); }

// The numbers are those of HDF5 after the same links were made and deleted.
TEST(FractalHeap, CountsAsHdf5WhenBlocksAreFreed) {
  for (const bool first_half : {true, false}) {
    MemoryStore store;
    FractalHeap heap = new_heap(store);
    std::vector<Buffer> ids;
    for (unsigned i = 0; i < 1000; ++i) ids.push_back(heap.insert(object_of(link_bytes(i), i)));
    EXPECT_EQ(heap.header().allocated_bytes, 24576u);
    EXPECT_EQ(heap.header().free_bytes, 238692u);
    for (unsigned i = 0; i < 500; ++i) {
      heap.remove(ids[first_half ? i : 500 + i]);
      heap.check();
    }
    EXPECT_EQ(heap.header().allocated_bytes, first_half ? 14336u : 12288u);
    EXPECT_EQ(heap.header().free_bytes, first_half ? 249972u : 4768u);
    EXPECT_EQ(heap.header().managed_bytes, first_half ? 262144u : 16384u);
    EXPECT_EQ(heap.header().iterator, first_half ? 24576u : 12288u);
    EXPECT_EQ(heap.header().root_rows, first_half ? 8u : 4u);
    const auto again = store.reopened();
    for (unsigned i = 0; i < 500; ++i) {
      const unsigned kept = first_half ? 500 + i : i;
      EXPECT_EQ(FractalHeap(*again, heap.address()).read(ids[kept]), object_of(link_bytes(kept), kept));
    }
  }
}

TEST(FractalHeap, GoesBackToOneBlock) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  std::vector<Buffer> ids;
  for (unsigned i = 0; i < 40; ++i) ids.push_back(heap.insert(object_of(100, i)));
  EXPECT_GT(heap.header().root_rows, 0u);
  for (unsigned i = 40; i-- > 2;) heap.remove(ids[i]);
  heap.check();
  EXPECT_EQ(heap.header().root_rows, 0u);
  EXPECT_EQ(heap.header().managed_bytes, 512u);
  EXPECT_EQ(heap.header().free_bytes, 512u - 21 - 200);
  EXPECT_EQ(heap.read(ids[1]), object_of(100, 1));
  (void)store.image();
  EXPECT_EQ(heap.file_bytes(), store.space->in_use());
  for (unsigned i = 0; i < 40; ++i) heap.insert(object_of(100, i));
  heap.check();
}

TEST(FractalHeap, KeepsFreedBlocksForSwmrReaders) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  std::vector<Buffer> ids;
  for (unsigned i = 0; i < 100; ++i) ids.push_back(heap.insert(object_of(100, i)));
  store->start_swmr_write();
  const std::uint64_t blocks = heap.header().allocated_bytes;
  for (unsigned i = 50; i < 100; ++i) heap.remove(ids[i]);
  heap.check();
  EXPECT_EQ(heap.header().allocated_bytes, blocks);
}

TEST(FractalHeap, StoresFilteredBlocksInLessSpace) {
  MemoryStore store;
  FractalHeapShape shape;
  shape.pipeline = deflated();
  FractalHeap heap = new_heap(store, shape);
  std::vector<Buffer> ids;
  for (unsigned i = 0; i < 500; ++i) ids.push_back(heap.insert(Buffer(100, static_cast<std::byte>(i))));
  const auto again = store.reopened();
  EXPECT_LT(store.space->in_use(), heap.header().allocated_bytes / 4);
  for (unsigned i = 0; i < 500; ++i)
    EXPECT_EQ(FractalHeap(*again, heap.address()).read(ids[i]), Buffer(100, static_cast<std::byte>(i)));
  heap.destroy();
  EXPECT_EQ(store.space->in_use(), 0u);
}

TEST(FractalHeap, NeedsItsMandatoryFilters) {
  MemoryStore store;
  FractalHeapShape shape;
  shape.pipeline = from_hex("0201 ff7f 0400 0000 0000 6e6f6e65");  // filter 32767, named "none"
  EXPECT_THROW(new_heap(store, shape), Error);
  EXPECT_EQ(store.space->in_use(), 0u);
  EXPECT_NO_THROW(store.image());
}

TEST(FractalHeap, SurvivesDamageOfFilteredBlocks) {
  MemoryStore store;
  FractalHeapShape shape;
  shape.pipeline = deflated();
  FractalHeap heap = new_heap(store, shape);
  std::vector<Buffer> ids;
  for (unsigned i = 0; i < 30; ++i) ids.push_back(heap.insert(Buffer(60, static_cast<std::byte>(i))));
  const Buffer image = store.image();
  const auto change = [&](Buffer bytes) {
    try {
      MemoryStore damaged({}, std::move(bytes));
      FractalHeap other(*damaged, heap.address());
      for (const Buffer& id : ids) (void)other.read(id);
      for (unsigned i = 0; i < 25; ++i) other.remove(ids[i]);
      for (unsigned i = 0; i < 25; ++i) (void)other.insert(object_of(80, i));
      (void)damaged.image();
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::internal) << error.what();
    }
  };
  for (std::size_t bit = 512 * 8; bit < image.size() * 8; ++bit) {
    Buffer bytes = image;
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    change(std::move(bytes));
  }
  for (std::size_t bytes = 512; bytes < image.size(); ++bytes)
    change(Buffer(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(bytes)));
}

TEST(FractalHeap, DropsTheManagerWhenNothingIsFree) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  const Buffer id = heap.insert(object_of(512 - 21, 1));
  EXPECT_FALSE(is_valid(heap.header().free_space));
  EXPECT_EQ(heap.header().free_bytes, 0u);
  heap.check();
  heap.insert(object_of(10, 2));
  heap.check();
  EXPECT_EQ(heap.header().root_rows, 1u);
  EXPECT_EQ(heap.read(id), object_of(512 - 21, 1));
}

// HDF5 reads as many bytes as the list has, writes as many as were allocated, and fails when they differ.
TEST(FractalHeap, AllocatesExactlyTheSizeOfTheSectionList) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  std::vector<Buffer> ids;
  for (unsigned i = 0; i < 300; ++i) ids.push_back(heap.insert(object_of(40 + i % 100, i)));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % 3 == 0) heap.remove(ids[i]);
    if (i % 50 != 0) continue;
    const Buffer image = store.image();
    const auto manager = to_number(heap.header().free_space);
    EXPECT_EQ(load_word(image.data() + manager + 62, 8), load_word(image.data() + manager + 70, 8)) << i;
    heap.check();
  }
  heap.destroy();
  EXPECT_EQ(store.space->in_use(), 0u);
}

TEST(FractalHeap, RefusesIdsWithoutAnObject) {
  MemoryStore store;
  FractalHeap heap = new_heap(store);
  EXPECT_THROW((void)heap.read(from_hex("00 15000000 0900")), Error);
  const Buffer id = heap.insert(object_of(100, 1));
  heap.insert(object_of(100, 2));
  for (const char* bad :
       {"00 00000000 0900", "00 14000000 0900", "00 15000000 ec01", "00 00020000 0900", "00 ffffffff 0900",
        "10 01000000 0000", "00 15000000 0000", "00 1500", "30 15000000 0900"}) {
    EXPECT_THROW((void)heap.read(from_hex(bad)), Error) << bad;
    EXPECT_THROW(heap.remove(from_hex(bad)), Error) << bad;
  }
  heap.remove(id);
  EXPECT_THROW(heap.remove(id), Error);
  heap.check();
}

TEST(FractalHeap, RefusesToGrowBeyondItsBits) {
  MemoryStore store;
  FractalHeapShape shape;
  shape.max_bits = 13;  // three rows: 4 x 512, 4 x 512, 4 x 1024
  shape.max_direct = 1024;
  shape.max_managed = 900;
  FractalHeap heap = new_heap(store, shape);
  for (int i = 0; i < 8; ++i) heap.insert(object_of(480, 1));
  for (int i = 0; i < 4; ++i) heap.insert(object_of(900, 1));
  heap.check();
  EXPECT_THROW(heap.insert(object_of(480, 1)), Error);
  heap.check();
}

struct ModelCase {
  const char* name;
  FractalHeapShape shape;
  format::Widths widths;
  std::size_t longest;
};

class FractalHeapModel : public ::testing::TestWithParam<ModelCase> {};

TEST_P(FractalHeapModel, AgreesWithAMap) {
  const ModelCase& param = GetParam();
  auto store = std::make_unique<MemoryStore>(param.widths);
  const Address at = FractalHeap::create(**store, param.shape);
  std::map<Buffer, Buffer> model;
  std::mt19937 random(7);
  const auto pick = [&] {
    auto chosen = model.lower_bound(
        Buffer{std::byte{0}, static_cast<std::byte>(random()), static_cast<std::byte>(random())});
    return chosen == model.end() ? model.begin() : chosen;
  };
  for (unsigned step = 0; step < 3000; ++step) {
    FractalHeap heap(**store, at);
    const bool growing = step % 1000 < 700;
    const unsigned action = random() % 10;
    if (model.empty() || action < (growing ? 7u : 2u)) {
      const std::size_t magnitude = std::size_t{1} << (random() % 15);
      const Buffer object = object_of(std::min(param.longest, 1 + random() % (2 * magnitude)), step);
      const Buffer id = heap.insert(object);
      // Tiny objects with the same bytes share an ID.
      if (!model.emplace(id, object).second) heap.remove(id);
    } else if (action < 9) {
      const auto chosen = pick();
      ASSERT_EQ(heap.read(chosen->first), chosen->second) << step;
      heap.remove(chosen->first);
      model.erase(chosen);
    } else {
      const auto chosen = pick();
      const Buffer object = object_of(chosen->second.size(), step);
      if (heap.overwrite(chosen->first, object)) chosen->second = object;
    }
    ASSERT_EQ(heap.objects(), model.size());
    ASSERT_NO_THROW(heap.check()) << step;
    if (step % 250 == 0) {
      const auto again = (*store).reopened();
      // Blocks have their space after a flush. The header counts filtered blocks with their unfiltered size.
      if (!heap.header().filtered()) {
        ASSERT_EQ(heap.file_bytes(), store->space->in_use()) << step;
      }
      FractalHeap reread(*again, at);
      ASSERT_NO_THROW(reread.check());
      for (const auto& [id, object] : model) ASSERT_EQ(reread.read(id), object) << step;
    }
  }
  FractalHeap(**store, at).destroy();
  EXPECT_EQ(store->space->in_use(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, FractalHeapModel,
    ::testing::Values(
        ModelCase{"Links", FractalHeapShape::links(), {}, 20000},
        ModelCase{"Attributes", FractalHeapShape::attributes(), {}, 20000},
        ModelCase{"NarrowWidths", FractalHeapShape::links(), {4, 4}, 20000},
        ModelCase{"LongIds", {.id_bytes = 40}, {}, 20000},
        ModelCase{"Filtered", {.pipeline = deflated()}, {}, 20000},
        ModelCase{"FilteredLongIds", {.id_bytes = 40, .pipeline = deflated()}, {}, 20000},
        ModelCase{"FilteredNested",
                  {.table_width = 2,
                   .start_block = 64,
                   .max_direct = 256,
                   .max_bits = 30,
                   .max_managed = 150,
                   .pipeline = deflated()},
                  {4, 4},
                  2000},
        // Few direct rows, so that indirect blocks nest several times.
        ModelCase{
            "Nested",
            {.table_width = 2, .start_block = 64, .max_direct = 256, .max_bits = 30, .max_managed = 150},
            {},
            2000},
        ModelCase{"OneColumn",
                  {.table_width = 1,
                   .start_block = 64,
                   .max_direct = 512,
                   .max_bits = 30,
                   .max_managed = 300,
                   .checksum_direct = false},
                  {},
                  2000},
        ModelCase{"AllRowsAtOnce",
                  {.table_width = 8,
                   .start_block = 128,
                   .max_direct = 1024,
                   .max_bits = 24,
                   .start_rows = 0,
                   .max_managed = 900},
                  {},
                  2000}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace filigree::store
