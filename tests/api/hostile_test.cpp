// SPDX-License-Identifier: Apache-2.0
//
// Damaged files of every variant, read through the public API: whatever a cut or a flipped bit does, the
// result is either the contents or an Error that blames the file. It never takes much more memory than the
// file has bytes.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "damage.hpp"
#include "damage_data.hpp"

namespace {

void* record_and_try_to_allocate(std::size_t bytes) noexcept {
  std::size_t& largest = filigree::damage::largest_allocation;
  largest = std::max(largest, bytes);
  if (filigree::damage::counting.load(std::memory_order_relaxed)) {
    filigree::damage::allocations.fetch_add(1, std::memory_order_relaxed);
    filigree::damage::allocated_bytes.fetch_add(bytes, std::memory_order_relaxed);
  }
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* record_and_allocate(std::size_t bytes) {
  if (void* p = record_and_try_to_allocate(bytes)) return p;
  throw std::bad_alloc();
}

}  // namespace

// The library of this process allocates through these as well.
[[gnu::noinline]] void* operator new(std::size_t bytes) { return record_and_allocate(bytes); }
[[gnu::noinline]] void* operator new[](std::size_t bytes) { return record_and_allocate(bytes); }
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return record_and_try_to_allocate(bytes);
}
[[gnu::noinline]] void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return record_and_try_to_allocate(bytes);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace filigree;
using damage::Image;
using damage::judge;
using damage::read_everything;
using ::testing::HasSubstr;

void fill(Group group, int links, int attributes) {
  for (int i = 0; i < links; ++i) group.create_group("g" + std::to_string(i)).set_attribute("n", i);
  group.link_soft("soft", "g0");
  for (int i = 0; i < attributes; ++i)
    group.set_attribute("a" + std::to_string(i), std::vector<double>(3, i));
  group.set_attribute("words", std::vector<std::string>{"one", "two"});
}

std::string temporary_path() {
  static std::atomic<int> serial{0};
  return ::testing::TempDir() + "filigree_hostile_" + std::to_string(::getpid()) + "_" +
         std::to_string(serial++);
}

/// A closed file on disk, because closing is what writes free space down.
template <class Fill>
Image make_closed(Version low, const CreateOptions& options, Fill&& fill_root) {
  const std::string path = temporary_path();
  AccessOptions access;
  access.versions.low = low;
  File file = File::create(path, CreateMode::truncate, options, access);
  fill_root(file.root());
  file.close();
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::remove(path.c_str());
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

Image make(Version low, const CreateOptions& options, int links, int attributes) {
  return make_closed(low, options, [&](Group root) {
    fill(root, links, attributes);
    root.link_hard("g0/cycle", root);
    root.remove("g1");
  });
}

/// The external file of all data. Removed when the program ends.
const std::string& outside() {
  struct Outside {
    std::string path = temporary_path();
    ~Outside() { std::remove(path.c_str()); }
  };
  static const Outside file;
  return file.path;
}

Image make_data(Version low, Layout layout) {
  return make_closed(low, {}, [&](Group root) { damage::fill_with_data(root, layout, outside()); });
}

CreateOptions shared_messages() {
  CreateOptions options;
  options.shared_messages = {{{SharedMessage::attribute, SharedMessage::datatype}, 8}};
  options.shared_list_max = 2;
  options.shared_btree_min = 1;
  return options;
}

CreateOptions persistent(SpaceStrategy strategy) {
  CreateOptions options;
  options.space.strategy = strategy;
  options.space.persist = true;
  options.space.page_bytes = 512;
  return options;
}

CreateOptions ordered() {
  CreateOptions options;
  options.root.track_order = options.root.index_order = true;
  options.root.attributes.track_order = options.root.attributes.index_order = true;
  return options;
}

struct FileVariant {
  const char* name;
  std::function<Image()> image;
};

const FileVariant variants[] = {
    {"OldStyle", [] { return make(Version::earliest, {}, 3, 2); }},
    {"Compact", [] { return make(Version::v1_8, {}, 3, 2); }},
    {"Dense", [] { return make(Version::v1_8, {}, 12, 2); }},
    {"DenseAttributes", [] { return make(Version::latest, ordered(), 3, 12); }},
    {"SharedMessages", [] { return make(Version::latest, shared_messages(), 3, 4); }},
    {"PersistentFreeSpace", [] { return make(Version::latest, persistent(SpaceStrategy::free_list), 3, 2); }},
    {"Paged", [] { return make(Version::latest, persistent(SpaceStrategy::paged), 3, 2); }},
    {"OldData", [] { return make_data(Version::earliest, Layout::contiguous); }},
    {"OldCompactData", [] { return make_data(Version::earliest, Layout::compact); }},
    {"NewData", [] { return make_data(Version::latest, Layout::contiguous); }},
    {"NewCompactData", [] { return make_data(Version::latest, Layout::compact); }},
};

/// As damage::judge_all; complaints are failures.
template <class Damaged>
int judge_all(std::size_t count, Damaged&& damaged) {
  return damage::judge_all(count, damaged, [](std::size_t i, const std::string& complaint) {
    ADD_FAILURE() << "damage " << i << ": " << complaint;
  });
}

// Half a million files: builds without optimisation and sanitizers judge some of the same damage.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
constexpr bool thorough = false;
#else
constexpr bool thorough = true;
#endif

class DamagedFile : public ::testing::TestWithParam<FileVariant> {
 protected:
  const Image golden_ = GetParam().image();
};

TEST_P(DamagedFile, IsReadableWhenWhole) {
  bool readable = false;
  EXPECT_EQ(judge(golden_, readable), "");
  EXPECT_TRUE(readable);
}

TEST_P(DamagedFile, CutAnywhereGivesAnError) {
  const int readable = judge_all(
      golden_.size(), [&](std::size_t kept) { return Image(golden_.begin(), golden_.begin() + kept); });
  EXPECT_EQ(readable, 0);  // the superblock tells how long the file is
}

TEST_P(DamagedFile, AnyFlippedBitGivesContentsOrAnError) {
  constexpr std::size_t all_bits_below = thorough ? 8u << 10 : 0, sample = thorough ? 20000 : 3000;
  const std::size_t bits = golden_.size() * 8;
  std::vector<std::size_t> chosen;
  std::mt19937_64 random(20);
  const bool all = golden_.size() <= all_bits_below;
  for (std::size_t i = 0; i < (all ? bits : sample); ++i) chosen.push_back(all ? i : random() % bits);
  judge_all(chosen.size(), [&](std::size_t i) { return damage::with_flipped_bit(golden_, chosen[i]); });
}

TEST_P(DamagedFile, OverwrittenWordsGiveContentsOrAnError) {
  constexpr std::size_t most = thorough ? 20000 : 3000;
  const std::size_t count = golden_.size() / 4 * std::size(damage::extreme_words);
  judge_all(std::min(count, most), [&](std::size_t i) {
    return damage::with_word(golden_, count <= most ? i : i * (count / most));
  });
}

INSTANTIATE_TEST_SUITE_P(Variants, DamagedFile, ::testing::ValuesIn(variants),
                         [](const auto& variant) { return variant.param.name; });

std::uint64_t word(const Image& image, std::size_t at, unsigned width) {
  std::uint64_t value = 0;
  std::memcpy(&value, &image.at(at), width);
  return value;
}

void put(Image& image, std::size_t at, std::uint64_t value, unsigned width) {
  std::memcpy(&image.at(at), &value, width);
}

std::size_t find(const Image& image, const std::string& signature) {
  const auto* text = reinterpret_cast<const char*>(image.data());
  const auto* found = std::search(text, text + image.size(), signature.begin(), signature.end());
  EXPECT_NE(found, text + image.size()) << signature;
  return found - text;
}

constexpr unsigned continuation = 16, symbol_table = 17;  // types of messages

/// An old-style file: nothing in it has a checksum, so that any field can be made to lie.
class OldStyleFile : public ::testing::Test {
 protected:
  Image image_ = make(Version::earliest, {}, 20, 6);
  std::size_t root_ = word(image_, 64, 8);  ///< the root group's header
  std::size_t tree_ = find(image_, "TREE"), heap_ = find(image_, "HEAP"), node_ = find(image_, "SNOD");

  /// Offset of the body of the first message of that type in the root header.
  std::size_t message(unsigned type) {
    std::vector<std::pair<std::size_t, std::size_t>> blocks = {{root_ + 16, word(image_, root_ + 8, 4)}};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto [start, bytes] = blocks[i];
      for (std::size_t at = start; at < start + bytes; at += 8 + word(image_, at + 2, 2)) {
        if (word(image_, at, 2) == type) return at + 8;
        if (word(image_, at, 2) == continuation)
          blocks.emplace_back(word(image_, at + 8, 8), word(image_, at + 16, 8));
      }
    }
    ADD_FAILURE() << "the root group has no message of type " << type;
    return root_;
  }

  void expect_error(ErrorKind kind, const std::string& text) {
    bool readable = false;
    EXPECT_EQ(judge(image_, readable), "");
    try {
      read_everything(image_);
      ADD_FAILURE() << "the damage went unnoticed; expected: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(text));
    }
  }
};

TEST_F(OldStyleFile, WithAContinuationToItsOwnHeaderIsRefused) {
  put(image_, message(continuation), root_ + 16, 8);
  expect_error(ErrorKind::corrupt, "object header at 0x60: its block at 0x70 overlaps");
}

TEST_F(OldStyleFile, WithAContinuationBlockThatNamesItselfIsRefused) {
  const std::size_t body = message(continuation);
  const std::size_t block = word(image_, body, 8);
  // The block becomes one continuation message and a NIL message for the rest.
  const std::uint64_t bytes = word(image_, body + 8, 8);
  put(image_, block, continuation | 16u << 16, 8);
  put(image_, block + 8, block, 8);
  put(image_, block + 16, bytes, 8);
  put(image_, block + 24, (bytes - 32) << 16, 8);
  expect_error(ErrorKind::corrupt, "cycle");
}

TEST_F(OldStyleFile, WithAnAbsurdHeaderSizeIsRefused) {
  put(image_, root_ + 8, 0xfffffff0, 4);
  expect_error(ErrorKind::corrupt, "object header");
}

TEST_F(OldStyleFile, WithAnAbsurdMessageSizeIsRefused) {
  put(image_, root_ + 18, 0xfff8, 2);
  expect_error(ErrorKind::corrupt, "object header");
}

TEST_F(OldStyleFile, WithATreeThatContainsItselfIsRefused) {
  image_.at(tree_ + 5) = std::byte{1};
  put(image_, tree_ + 32, tree_, 8);
  expect_error(ErrorKind::corrupt, "occurs twice");
}

TEST_F(OldStyleFile, WithATreeOfAbsurdDepthIsRefused) {
  image_.at(tree_ + 5) = std::byte{255};
  expect_error(ErrorKind::corrupt, "B-tree");
}

TEST_F(OldStyleFile, WithMoreChildrenThanATreeNodeHoldsIsRefused) {
  put(image_, tree_ + 6, 0xffff, 2);
  expect_error(ErrorKind::corrupt, "B-tree");
}

TEST_F(OldStyleFile, WithMoreEntriesThanASymbolNodeHoldsIsRefused) {
  put(image_, node_ + 6, 0xffff, 2);
  expect_error(ErrorKind::corrupt, "symbol table node");
}

TEST_F(OldStyleFile, WithAnAbsurdHeapSizeIsRefused) {
  put(image_, heap_ + 8, std::uint64_t{1} << 60, 8);
  expect_error(ErrorKind::truncated, "local heap");
}

TEST_F(OldStyleFile, WithNamesOutsideItsHeapIsRefused) {
  put(image_, node_ + 8, std::uint64_t{1} << 40, 8);
  expect_error(ErrorKind::corrupt, "local heap");
}

TEST_F(OldStyleFile, WithASymbolNodeOnTopOfATreeNodeIsRefused) {
  put(image_, tree_ + 32, tree_, 8);
  expect_error(ErrorKind::corrupt, "occurs twice");
}

TEST_F(OldStyleFile, WithATreeOnTopOfItsHeapIsRefused) {
  const std::size_t body = message(symbol_table);
  put(image_, body, word(image_, body + 8, 8), 8);
  expect_error(ErrorKind::corrupt, "B-tree");
}

TEST_F(OldStyleFile, WithALinkToNowhereIsRefused) {
  put(image_, node_ + 16, std::uint64_t{1} << 50, 8);
  expect_error(ErrorKind::truncated, "object header");
}

TEST(CyclicFile, IsListedOnce) {
  for (const Version low : {Version::earliest, Version::v1_8, Version::latest}) {
    AccessOptions access;
    access.versions.low = low;
    File file = File::create_in_memory({}, access);
    Group a = file.root().create_group("a");
    a.link_hard("root", file.root());
    a.create_group("b").link_hard("a", a);
    a.link_hard("self", a);
    int objects = 0, again = 0;
    EXPECT_TRUE(File::open_image(file.image()).root().visit([&](const Visited& v) {
      ++(v.seen_before ? again : objects);
      return objects + again < 100;
    }));
    EXPECT_EQ(objects, 3);  // ".", "a", "a/b"
    EXPECT_EQ(again, 3);
  }
}

TEST(SoftLinkLoop, EndsInAnErrorThatSaysSo) {
  File file = File::create_in_memory();
  file.root().link_soft("a", "b");
  file.root().link_soft("b", "/a");
  file.root().link_soft("self", "self/self/self");
  for (const char* name : {"a", "b", "self"}) {
    try {
      file.root().open(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit);
      EXPECT_THAT(error.what(), HasSubstr("loop"));
    }
  }
}

TEST(SoftLinkFan, ThatDoublesAtEveryLevelIsBounded) {
  // Each link goes through the next one twice: 2^40 steps, were they not counted.
  File file = File::create_in_memory();
  for (int i = 0; i < 40; ++i) {
    const std::string next = "l" + std::to_string(i + 1);
    file.root().link_soft("l" + std::to_string(i), next + "/" + next);
  }
  file.root().link_soft("l40", ".");
  EXPECT_THROW(file.root().open("l0"), Error);
}

TEST(DeepGroups, AreVisitedWithoutRunningOutOfStack) {
  File file = File::create_in_memory();
  Group at = file.root();
  constexpr int depth = 3000;
  for (int i = 0; i < depth; ++i) at = at.create_group("g");
  int seen = 0;
  File::open_image(file.image()).root().visit([&](const Visited&) { return ++seen > 0; });
  EXPECT_EQ(seen, depth + 1);
  at = file.root();
  file.root().remove("g");  // frees them all, one below the other
  EXPECT_EQ(file.root().size(), 0u);
}

}  // namespace
