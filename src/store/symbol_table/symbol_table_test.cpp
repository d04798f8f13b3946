// SPDX-License-Identifier: Apache-2.0
#include "store/symbol_table/symbol_table.hpp"

#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "store/heaps/local_heap.hpp"
#include "testing/hex.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::store {
namespace {

using filigree::testing::from_hex;
using filigree::testing::MemoryStore;
using filigree::testing::to_hex;
using ::testing::ElementsAre;

SymbolTableLink hard(std::string name, std::uint64_t header) {
  SymbolTableLink link;
  link.name = std::move(name);
  link.header = to_address(header);
  return link;
}

SymbolTableLink soft(std::string name, std::string target) {
  SymbolTableLink link;
  link.name = std::move(name);
  link.cache = format::EntryCache::soft_link;
  link.soft_target = std::move(target);
  return link;
}

std::vector<std::string> names_of(const SymbolTable& table) {
  std::vector<std::string> names;
  table.visit([&](const SymbolTableLink& link) { return names.push_back(link.name), true; });
  return names;
}

std::string numbered(int i) { return fmt::format("n{:05}", i); }

TEST(SymbolTable, MakesTheBytesThatHdf5Makes) {
  // B-tree, heap, node of a root group of HDF5 with dataset "d", soft link "s" -> "/d", group "g" and dataset
  // "v".
  const Buffer tree = from_hex("54524545 00000100 8*ff 8*ff 8*00 9804 6*00 28 7*00 496*00");
  const Buffer heap = from_hex(
      "48454150 00000000 58 7*00 30 7*00 4004 6*00"
      "| 8*00 64 7*00 73 7*00 2f64 6*00 67 7*00 76 7*00 01 7*00 28 7*00 24*00");
  const Buffer node = from_hex(
      "534e4f44 01000400 | 08 7*00 2003 6*00 8*00 16*00 | 20 7*00 a815 6*00 01 7*00 d015 6*00 f017 6*00"
      "| 10 7*00 8*ff 02 7*00 18 15*00 | 28 7*00 6818 6*00 8*00 16*00 | 160*00");
  MemoryStore file;
  const auto addresses = SymbolTable::create(*file);
  SymbolTable table(*file, addresses);
  table.insert(hard("d", 0x320));
  table.insert(soft("s", "/d"));
  SymbolTableLink group = hard("g", 0x15a8);
  group.cache = format::EntryCache::group;
  group.cached_btree = to_address(0x15d0);
  group.cached_heap = to_address(0x17f0);
  table.insert(group);
  table.insert(hard("v", 0x1868));
  const Buffer image = file.image();
  EXPECT_EQ(to_hex(Bytes(image).subspan(512, 544)), to_hex(tree));
  EXPECT_EQ(to_hex(Bytes(image).subspan(1056, 120)), to_hex(heap));
  EXPECT_EQ(to_hex(Bytes(image).subspan(1176)), to_hex(node));
}

TEST(SymbolTable, StoresAllFieldsOfALink) {
  MemoryStore file;
  const auto addresses = SymbolTable::create(*file);
  SymbolTable table(*file, addresses);
  SymbolTableLink group = hard("g", 64);
  group.cache = format::EntryCache::group;
  group.cached_btree = to_address(72);
  group.cached_heap = to_address(80);
  EXPECT_TRUE(table.insert(group));
  EXPECT_TRUE(table.insert(soft("s", "/some/where")));
  EXPECT_FALSE(table.insert(hard("s", 8)));
  const auto reopened = file.reopened();
  const SymbolTable again(*reopened, addresses);
  EXPECT_EQ(again.find("s")->soft_target, "/some/where");
  EXPECT_TRUE(again.find("s")->is_soft());
  EXPECT_EQ(again.find("g")->cached_btree, to_address(72));
  EXPECT_EQ(again.find("g")->cached_heap, to_address(80));
  EXPECT_EQ(again.find("g")->header, to_address(64));
  EXPECT_FALSE(again.find("h"));
  EXPECT_EQ(again.at(1).name, "s");
  EXPECT_THROW(again.at(2), Error);
}

TEST(SymbolTable, IsEmptyAtFirstAndAfterTheLastRemoval) {
  MemoryStore file;
  const auto addresses = SymbolTable::create(*file);
  EXPECT_EQ(file.space->in_use(), 544u + 32 + 88);
  SymbolTable table(*file, addresses);
  EXPECT_FALSE(table.find("a"));
  EXPECT_FALSE(table.remove("a"));
  EXPECT_EQ(table.size(), 0u);
  table.check();
  table.insert(hard("a", 8));
  EXPECT_EQ(table.remove("a")->header, to_address(8));
  EXPECT_EQ(file.space->in_use(), 544u + 32 + 88);
  table.check();
  table.insert(hard("b", 16));
  EXPECT_THAT(names_of(table), ElementsAre("b"));
}

TEST(SymbolTable, RefusesInvalidNames) {
  MemoryStore file;
  SymbolTable table(*file, SymbolTable::create(*file));
  EXPECT_THROW(table.insert(hard("", 8)), Error);
  EXPECT_THROW(table.insert(hard(std::string("a\0b", 3), 8)), Error);
  EXPECT_EQ(table.size(), 0u);
}

TEST(SymbolTable, ComparesNamesAsBytes) {
  MemoryStore file;
  SymbolTable table(*file, SymbolTable::create(*file));
  for (const auto* name : {"b", "\xc3\xa9", "a", "B", "ab", "~"}) table.insert(hard(name, 8));
  EXPECT_THAT(names_of(table), ElementsAre("B", "a", "ab", "b", "~", "\xc3\xa9"));
}

TEST(SymbolTable, StopsVisitingWhenAsked) {
  MemoryStore file;
  SymbolTable table(*file, SymbolTable::create(*file));
  for (int i = 0; i < 50; ++i) table.insert(hard(numbered(i), 8));
  int visited = 0;
  EXPECT_FALSE(table.visit([&](const SymbolTableLink&) { return ++visited < 20; }));
  EXPECT_EQ(visited, 20);
  EXPECT_EQ(table.at(33).name, numbered(33));
}

TEST(SymbolTable, KeepsItsRootWhereTheHeaderPoints) {
  MemoryStore file;
  const auto addresses = SymbolTable::create(*file, {1, 1, 88});
  SymbolTable table(*file, addresses, {1, 1, 88});
  for (int i = 0; i < 100; ++i) table.insert(hard(numbered(i), 8 + i));
  table.check();
  const auto reopened = file.reopened();
  const SymbolTable again(*reopened, addresses, {1, 1, 88});
  again.check();
  EXPECT_EQ(again.size(), 100u);
  for (int i = 0; i < 100; ++i) table.remove(numbered(i));
  table.check();
  EXPECT_EQ(table.size(), 0u);
}

TEST(SymbolTable, FillsItsLeavesWhenNamesArriveInOrder) {
  MemoryStore file;
  const auto addresses = SymbolTable::create(*file);
  SymbolTable table(*file, addresses);
  for (int i = 0; i < 800; ++i) table.insert(hard(numbered(i), 8));
  table.check();
  // 100 leaves of 328 bytes, four nodes with a root above them, and a heap of 16 bytes a name, doubled.
  EXPECT_LT(file.space->in_use(), 100 * 328 + 6 * 544 + 32 + 88 * 256u);
}

TEST(SymbolTable, ReadsOnlyOnePathToFindALink) {
  MemoryStore file;
  const auto addresses = SymbolTable::create(*file);
  SymbolTable table(*file, addresses);
  for (int i = 0; i < 5000; ++i) table.insert(hard(numbered(i), 8 + i));
  const auto reopened = file.reopened();
  EXPECT_EQ(SymbolTable(*reopened, addresses).find(numbered(3210))->header, to_address(3218));
  EXPECT_LE(reopened->cache().entries(), 5u);  // heap, three levels, leaf
}

TEST(SymbolTable, DoesNotReadItsLeavesToTellTheirSize) {
  MemoryStore file;
  const auto addresses = SymbolTable::create(*file);
  SymbolTable table(*file, addresses);
  for (int i = 0; i < 1000; ++i) table.insert(soft(numbered(i), "/target"));
  const std::uint64_t bytes = table.index_bytes();
  const auto again = file.reopened();
  EXPECT_EQ(SymbolTable(*again, addresses).index_bytes(), bytes);
  EXPECT_LT(again->cache().entries(), 10u);
}

TEST(SymbolTable, FreesAllSpace) {
  MemoryStore file;
  SymbolTable table(*file, SymbolTable::create(*file));
  for (int i = 0; i < 1000; ++i) table.insert(soft(numbered(i * 7919 % 1000), "/target"));
  file->flush_metadata();
  table.destroy();
  EXPECT_EQ(file.space->in_use(), 0u);
  EXPECT_EQ(file->cache().entries(), 0u);
}

struct ModelCase {
  format::Widths widths;
  SymbolTableShape shape;
  unsigned names;
};

class SymbolTableModel : public ::testing::TestWithParam<ModelCase> {};

TEST_P(SymbolTableModel, AgreesWithAMap) {
  const auto& [widths, shape, universe] = GetParam();
  MemoryStore file(widths, Buffer(512), 1);
  SymbolTable table(*file, SymbolTable::create(*file, shape), shape);
  std::map<std::string, std::string> model;
  std::mt19937 random(universe);
  for (int i = 0; i < 4000; ++i) {
    const unsigned pick = random() % universe;
    const std::string name = (pick % 3 == 0 ? "prefix_" : "") + std::to_string(pick * 2654435761u);
    // Grows and shrinks in turns, so that nodes are divided and dropped.
    const bool inserts = random() % 8 < (i / 1000 % 2 == 0 ? 6u : 2u);
    if (inserts) {
      const std::string target = "/" + std::to_string(i);
      ASSERT_EQ(table.insert(soft(name, target)), model.emplace(name, target).second);
    } else {
      const auto removed = table.remove(name);
      ASSERT_EQ(removed.has_value(), model.contains(name));
      ASSERT_EQ(removed ? removed->soft_target : "", removed ? model[name] : "");
      model.erase(name);
    }
    if (i % 30 == 0) file->trim_cache();
    if (i % 200 == 0) {
      ASSERT_NO_THROW(table.check());
      ASSERT_EQ(table.index_bytes() + table.heap_bytes(), file.space->in_use());
      std::map<std::string, std::string> seen;
      table.visit(
          [&](const SymbolTableLink& link) { return seen.emplace(link.name, link.soft_target).second; });
      ASSERT_EQ(seen, model);
      for (const auto& [known, target] : model) ASSERT_EQ(table.find(known)->soft_target, target);
    }
  }
  EXPECT_EQ(table.size(), model.size());
  for (const auto& [name, target] : model) ASSERT_TRUE(table.remove(name));
  table.check();
  table.destroy();
  EXPECT_EQ(file.space->in_use(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SymbolTableModel,
    ::testing::Values(ModelCase{{8, 8}, {4, 16, 88}, 1500}, ModelCase{{8, 8}, {1, 1, 0}, 200},
                      ModelCase{{8, 8}, {2, 2, 24}, 900}, ModelCase{{4, 4}, {1, 2, 88}, 400},
                      ModelCase{{4, 8}, {3, 1, 88}, 400}, ModelCase{{2, 2}, {4, 16, 88}, 120}));

TEST(SymbolTable, AgreesWithTheOrderOfDescendingAndAlternatingInsertion) {
  for (const bool alternating : {false, true}) {
    MemoryStore file;
    const SymbolTableShape shape{1, 2, 88};
    SymbolTable table(*file, SymbolTable::create(*file, shape), shape);
    for (int i = 0; i < 500; ++i) table.insert(hard(numbered(alternating && i % 2 == 0 ? i : 1000 - i), 8));
    table.check();
    EXPECT_EQ(table.size(), 500u);
  }
}

/// A table of three levels, as bytes.
struct Sample {
  SymbolTableShape shape{2, 1, 88};
  SymbolTableAddresses addresses;
  Buffer image;
  Sample() {
    MemoryStore file;
    addresses = SymbolTable::create(*file, shape);
    SymbolTable table(*file, addresses, shape);
    for (int i = 0; i < 25; ++i) table.insert(soft(numbered(i * 7 % 25), "/t"));
    image = file.image();
  }

  /// All operations; each may fail, but only with an Error.
  void exercise(Buffer bytes) const {
    MemoryStore file({}, std::move(bytes));
    SymbolTable table(*file, addresses, shape);
    const auto attempt = [](auto&& work) {
      try {
        work();
      } catch (const Error&) {
      }
    };
    attempt([&] { (void)table.find(numbered(13)); });
    attempt([&] { (void)table.size(); });
    attempt([&] { table.visit([](const SymbolTableLink&) { return true; }); });
    attempt([&] { table.check(); });
    attempt([&] { table.insert(soft(numbered(13) + "x", "/more")); });
    attempt([&] { table.insert(soft("zz", "/more")); });
    attempt([&] { (void)table.remove(numbered(12)); });
    attempt([&] { file->flush_metadata(); });
    attempt([&] { table.destroy(); });
  }
};

TEST(SymbolTable, SurvivesFlippedBits) {
  const Sample sample;
  for (std::size_t at = 512; at < sample.image.size(); ++at) {
    Buffer bytes = sample.image;
    bytes[at] ^= static_cast<std::byte>(1u << (at % 8));
    sample.exercise(std::move(bytes));
  }
}

TEST(SymbolTable, SurvivesTruncation) {
  const Sample sample;
  for (std::size_t kept = 512; kept < sample.image.size(); kept += 7) {
    sample.exercise(Buffer(sample.image.begin(), sample.image.begin() + static_cast<std::ptrdiff_t>(kept)));
  }
}

TEST(SymbolTable, ReportsANodeThatIsItsOwnChild) {
  const Sample sample;
  Buffer bytes = sample.image;
  store_word(bytes.data() + to_number(sample.addresses.btree) + 32, to_number(sample.addresses.btree), 8);
  sample.exercise(bytes);
  MemoryStore broken({}, bytes);
  const SymbolTable table(*broken, sample.addresses, sample.shape);
  EXPECT_THROW(table.find(numbered(0)), Error);
  EXPECT_THROW(table.size(), Error);
}

TEST(SymbolTable, ReportsANodeThatOccursTwice) {
  Sample sample;
  Buffer bytes = sample.image;
  const std::size_t root = to_number(sample.addresses.btree);
  store_word(bytes.data() + root + 24 + 8 + 16, load_word(bytes.data() + root + 24 + 8, 8), 8);
  MemoryStore broken({}, bytes);
  EXPECT_THROW(SymbolTable(*broken, sample.addresses, sample.shape).size(), Error);
}

TEST(SymbolTable, ReportsNamesBeyondTheHeap) {
  MemoryStore file;
  const auto addresses = SymbolTable::create(*file);
  SymbolTable table(*file, addresses);
  table.insert(hard("a", 8));
  Buffer bytes = file.image();
  store_word(bytes.data() + bytes.size() - 328 + 8, 1u << 20, 8);
  MemoryStore broken({}, bytes);
  EXPECT_THROW(SymbolTable(*broken, addresses).find("a"), Error);
}

TEST(SymbolTable, RepairsALeftKeyThatIsNotBelowItsNames) {
  MemoryStore file;
  const auto addresses = SymbolTable::create(*file);
  {
    SymbolTable table(*file, addresses);
    for (const auto* name : {"m", "n", "z"}) table.insert(hard(name, 8));
  }
  Buffer bytes = file.image();
  store_word(bytes.data() + to_number(addresses.btree) + 24, 8, 8);  // the key before all is "m" itself
  MemoryStore sloppy({}, bytes);
  SymbolTable table(*sloppy, addresses);
  EXPECT_TRUE(table.find("m"));
  EXPECT_THROW(table.check(), Error);
  table.insert(hard("c", 8));
  table.check();
}

}  // namespace
}  // namespace filigree::store
