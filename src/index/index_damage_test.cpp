// SPDX-License-Identifier: Apache-2.0
//
// Indexes of files that were damaged, or that lie.
#include <gmock/gmock.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/chunk_index/extensible_array.hpp"
#include "format/chunk_index/fixed_array.hpp"
#include "format/codec/codec.hpp"
#include "store/cache/entry.hpp"
#include "testing/index_twin.hpp"

namespace filigree::index {
namespace {

using ::testing::HasSubstr;
using Dims = std::vector<std::uint64_t>;

/// The file of a filled index, and the addresses of its blocks.
struct Victim {
  explicit Victim(const IndexCase& c, unsigned chunks = 70) : kind(c) {
    IndexTwin twin(c);
    for (std::uint64_t n = 0; n < chunks; ++n) twin.insert(twin.any(n), twin.some_location(n * 977));
    for (const store::Entry* entry : twin.memory->cache().dirty_entries()) {
      store::EncodedBlocks encoded;
      entry->encode(encoded);
      for (const auto& each : encoded) blocks.push_back({entry->kind(), each});
    }
    layout = twin.index->layout();
    bytes = twin.memory.image();
  }

  struct Block {
    store::EntryKind kind;
    store::EncodedBlock encoded;
  };

  MutableBytes block_bytes(const Block& block) {
    return MutableBytes(bytes).subspan(to_number(block.encoded.at), block.encoded.bytes.size());
  }
  /// Changes bytes of a block; where it ends with its checksum, the checksum is right again.
  void lie(const Block& block, std::mt19937& random) {
    const MutableBytes at = block_bytes(block);
    std::byte& hit = at[4 + random() % (at.size() - 4)];
    hit = random() % 2 == 0 ? static_cast<std::byte>(random())
                            : hit ^ static_cast<std::byte>(1u << (random() % 8));
    mend(block);
  }
  void mend(const Block& block) {
    if (block.kind == store::EntryKind::btree1_node || block.kind == store::EntryKind::btree2_node) return;
    const MutableBytes at = block_bytes(block);
    store_word(at.data() + at.size() - 4, lookup3(Bytes(at).first(at.size() - 4)), 4);
  }
  const Block& first(store::EntryKind wanted) const {
    for (const Block& block : blocks) {
      if (block.kind == wanted) return block;
    }
    throw std::runtime_error("no such block");
  }

  std::unique_ptr<ChunkIndex> open(testing::MemoryStore& memory) const {
    return make_index(*memory, layout, kind.facts());
  }

  /// Every operation, which may fail but must come to an end. Returns how many did fail.
  unsigned exercise() const {
    testing::MemoryStore memory(kind.widths, bytes);
    unsigned failures = 0;
    const auto attempt = [&](auto work) {
      try {
        work();
      } catch (const Error&) {
        ++failures;
      }
    };
    std::unique_ptr<ChunkIndex> index;
    attempt([&] { index = open(memory); });
    if (!index) return failures;
    std::uint64_t seen = 0;
    attempt(
        [&] { index->for_each([&](ChunkCoordinates, const ChunkLocation&) { return ++seen < 1'000'000; }); });
    must(seen < 1'000'000, "a small file shows a million chunks");
    attempt([&] { index->index_bytes(); });
    ChunkLocation fresh{to_address(100), index->grid().chunk_bytes, 0};
    if (kind.structured()) fresh = kind.some_location(100, index->grid().chunk_bytes);
    std::vector<std::uint64_t> many;
    for (unsigned salt = 0; salt < 30; ++salt) {
      const Dims at = any(*index, salt);
      many.insert(many.end(), at.begin(), at.end());
      attempt([&] { index->find(at); });
      attempt([&] { index->insert(at, fresh); });
      attempt([&] { index->remove(any(*index, salt + 15)); });
    }
    std::vector<ChunkLocation> found(30);
    attempt([&] { index->find(many, found); });
    attempt(
        [&] { index->resize(Dims(kind.extent.size(), 1), [](ChunkCoordinates, const ChunkLocation&) {}); });
    attempt([&] { index->destroy([](ChunkCoordinates, const ChunkLocation&) {}); });
    attempt([&] { memory->flush_metadata(); });
    return failures;
  }
  static Dims any(const ChunkIndex& index, unsigned salt) {
    std::mt19937 random(salt);
    Dims at;
    for (const std::uint64_t n : index.grid().counts) at.push_back(n == 0 ? 0 : random() % n);
    return at;
  }

  IndexCase kind;
  std::vector<Block> blocks;
  format::LayoutMessage layout;
  Buffer bytes;
};

IndexCase find_case(std::string_view name) {
  for (const IndexCase& c : index_cases()) {
    if (c.name == name) return c;
  }
  throw std::runtime_error("no such case");
}

class IndexDamage : public ::testing::TestWithParam<IndexCase> {};

INSTANTIATE_TEST_SUITE_P(Kinds, IndexDamage, ::testing::ValuesIn(index_cases()),
                         [](const auto& one) { return one.param.name; });

TEST_P(IndexDamage, FlippedBitsAndTruncatedFilesTerminate) {
  const Victim intact(GetParam());
  EXPECT_EQ(intact.exercise(), 0u);
  std::mt19937 random(1);
  for (unsigned n = 0; n < 60; ++n) {
    Victim victim = intact;
    if (victim.blocks.empty()) break;
    if (n % 4 == 0) {
      victim.bytes.resize(random() % victim.bytes.size());
    } else {
      const MutableBytes block = victim.block_bytes(victim.blocks[random() % victim.blocks.size()]);
      block[random() % block.size()] ^= static_cast<std::byte>(1u << (random() % 8));
    }
    victim.exercise();
  }
}

TEST_P(IndexDamage, CorruptFieldsWithGoodChecksumsTerminate) {
  const Victim intact(GetParam());
  std::mt19937 random(2);
  unsigned failures = 0;
  for (unsigned n = 0; n < 120 && !intact.blocks.empty(); ++n) {
    Victim victim = intact;
    for (unsigned lies = 1 + random() % 3; lies > 0; --lies)
      victim.lie(victim.blocks[random() % victim.blocks.size()], random);
    failures += victim.exercise();
  }
  EXPECT_TRUE(failures > 0 || intact.blocks.empty());
}

template <class Work>
void expect_corrupt(std::string_view text, Work work) {
  try {
    work();
    FAIL() << "no error, expected: " << text;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::string(text)));
  }
}

TEST(IndexDamage, ABitmapOfMissingPagesIsReported) {
  Victim victim(find_case("fixed_paged"), 1);
  const auto& block = victim.first(store::EntryKind::fixed_array_block);
  const std::size_t bitmap_at = 6 + 8;
  for (std::size_t i = bitmap_at; i < block.encoded.bytes.size() - 4; ++i)
    victim.block_bytes(block)[i] = std::byte{0xff};
  victim.mend(block);
  testing::MemoryStore memory({}, victim.bytes);
  const auto index = victim.open(memory);
  expect_corrupt("page of a chunk array", [&] { index->count(); });
}

TEST(IndexDamage, AnArrayWithTheWrongNumberOfElementsIsRefused) {
  Victim victim(find_case("fixed"));
  const auto& block = victim.first(store::EntryKind::fixed_array_header);
  store_word(victim.block_bytes(block).data() + 8, 109, 8);
  victim.mend(block);
  testing::MemoryStore memory({}, victim.bytes);
  expect_corrupt("109 elements", [&] { victim.open(memory); });
}

TEST(IndexDamage, ADataBlockThatIsListedTwiceIsReported) {
  Victim victim(find_case("extensible"));
  const auto& block = victim.first(store::EntryKind::extensible_array_index_block);
  const MutableBytes at = victim.block_bytes(block);
  const std::size_t pointers = 6 + 8 + 4 * 8;
  std::copy_n(at.begin() + pointers, 8, at.begin() + pointers + 8);
  victim.mend(block);
  testing::MemoryStore memory({}, victim.bytes);
  const auto index = victim.open(memory);
  expect_corrupt("lists a data block twice", [&] { index->count(); });
}

TEST(IndexDamage, ALargeEndCostsNothing) {
  Victim victim(find_case("extensible"));
  const auto& block = victim.first(store::EntryKind::extensible_array_header);
  store_word(victim.block_bytes(block).data() + 12 + 32, ~std::uint64_t{0} - 5, 8);
  victim.mend(block);
  testing::MemoryStore memory({}, victim.bytes);
  EXPECT_GT(victim.open(memory)->count(), 30u);
}

TEST(IndexDamage, ANodeThatIsItsOwnChildIsReported) {
  Victim victim(find_case("tree1"), 1);
  const auto& block = victim.first(store::EntryKind::btree1_node);
  const MutableBytes at = victim.block_bytes(block);
  at[5] = std::byte{3};                                             // level
  store_word(at.data() + 24 + 24, to_number(block.encoded.at), 8);  // behind siblings and first key
  testing::MemoryStore memory({}, victim.bytes);
  const auto index = victim.open(memory);
  expect_corrupt("its level is 3", [&] { index->find(Dims{0}); });
  expect_corrupt("its level is 3", [&] { index->count(); });
  expect_corrupt("its level is 3", [&] { index->insert(Dims{5}, {to_address(100), 6, 0}); });
}

}  // namespace
}  // namespace filigree::index
