// SPDX-License-Identifier: Apache-2.0
//
// The vectors are those of docs/format/packed-selection.md; the bytes they unpack to come from HDF5 or from
// the format of sparse chunks, written by hand.
#include "filter/packed_selection/packed_selection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "filter/builtin.hpp"
#include "filter/packed_selection/set_codes.hpp"
#include "testing/filter_suite.hpp"
#include "testing/hex.hpp"

namespace filigree::filter {
namespace {

using ::filigree::testing::expect_filter;
using ::filigree::testing::expect_survives;
using ::filigree::testing::from_hex;
using ::filigree::testing::to_hex;
using Words = std::vector<std::uint64_t>;

std::unique_ptr<const BoundFilter> packer() { return packed_selection_filter().bind({}, {1, 0}); }

void put(Buffer& to, std::uint64_t value, unsigned width) {
  to.resize(to.size() + width);
  store_word(to.data() + to.size() - width, value, width);
}

Buffer with_sum(Buffer blob) {
  put(blob, lookup3(blob), 4);
  return blob;
}

/// Outer header and extent, with equal maximum dimensions.
Buffer extent(const Words& dims, unsigned version = 1, bool max = true, unsigned width = 8) {
  Buffer blob;
  for (const unsigned byte : {1u, 0u, width}) put(blob, byte, 1);
  put(blob, (version == 1 ? 8 : 4) + width * dims.size() * (max ? 2 : 1), 4);
  put(blob, version, 1);
  put(blob, dims.size(), 1);
  put(blob, max, 1);
  version == 1 ? put(blob, 0, 5) : put(blob, 1, 1);
  for (int times = 0; times < (max ? 2 : 1); ++times) {
    for (const std::uint64_t dim : dims) put(blob, dim, width);
  }
  return blob;
}

/// A list of blocks (first and last coordinates) or of points.
struct List {
  bool points = false;
  unsigned version = 1;
  unsigned width = 4;
};
Buffer blob_of(Buffer blob, std::size_t rank, const Words& words, List list = {}) {
  put(blob, list.points ? 1 : 2, 4);
  put(blob, list.version, 4);
  if (list.version == 1) {
    put(blob, 0, 4);
    put(blob, 8 + 4 * words.size(), 4);
  } else {
    if (!list.points) put(blob, 0, 1);
    put(blob, list.width, 1);
  }
  put(blob, rank, 4);
  put(blob, words.size() / (list.points ? rank : 2 * rank), list.width);
  for (const std::uint64_t word : words) put(blob, word, list.width);
  return blob;
}

/// The blocks of a mask as HDF5 lists them: the runs of every row, with equal rows combined.
void blocks_of(const std::vector<bool>& mask, const Words& dims, std::size_t dim, std::size_t base,
               std::vector<Words>& blocks) {
  std::size_t stride = 1;
  for (std::size_t d = dim + 1; d < dims.size(); ++d) stride *= dims[d];
  std::vector<Words> before;
  std::size_t group = blocks.size();
  for (std::uint64_t i = 0; i < dims[dim]; ++i) {
    std::vector<Words> here;
    if (dim + 1 < dims.size()) {
      blocks_of(mask, dims, dim + 1, base + i * stride, here);
    } else if (mask[base + i]) {
      here = {{}};
    }
    if (!here.empty() && here == before) {
      for (std::size_t b = group; b < blocks.size(); ++b) blocks[b][1] = i;
      continue;
    }
    group = blocks.size();
    for (const Words& inner : here) {
      blocks.push_back({i, i});
      blocks.back().insert(blocks.back().end(), inner.begin(), inner.end());
    }
    before = here;
  }
}

/// The words of the list, from pairs of first and last coordinates for each dimension.
Words words_of(const std::vector<bool>& mask, const Words& dims) {
  std::vector<Words> blocks;
  blocks_of(mask, dims, 0, 0, blocks);
  Words words;
  for (const Words& block : blocks) {
    for (std::size_t side : {0, 1}) {
      for (std::size_t d = 0; d < dims.size(); ++d) words.push_back(block[2 * d + side]);
    }
  }
  return words;
}

Buffer standard(const std::vector<bool>& mask, const Words& dims) {
  return with_sum(blob_of(extent(dims), dims.size(), words_of(mask, dims)));
}

Words edges_of(const std::vector<bool>& mask) {
  Words edges;
  for (std::size_t i = 0; i <= mask.size(); ++i) {
    if ((i < mask.size() && mask[i]) != (i > 0 && mask[i - 1])) edges.push_back(i);
  }
  return edges;
}

std::vector<bool> scattered(std::size_t elements, double part, unsigned seed) {
  std::mt19937 random(seed);
  std::bernoulli_distribution is_set(part);
  std::vector<bool> mask(elements);
  for (std::size_t i = 0; i < elements; ++i) mask[i] = is_set(random);
  return mask;
}

void expect_back(const Buffer& unfiltered) {
  const Buffer stored = pack_selection(unfiltered);
  EXPECT_LE(stored.size(), unfiltered.size() + 1);
  EXPECT_EQ(to_hex(unpack_selection(stored, unfiltered.size())), to_hex(unfiltered));
}

/// A mask of rows of text, where `#` is an element.
std::vector<bool> mask_of(std::string_view rows) {
  std::vector<bool> mask;
  for (const char c : rows) {
    if (c == '#' || c == '.') mask.push_back(c == '#');
  }
  return mask;
}

/// Three stripes of six rows each in an extent of 6 x 200.
std::vector<bool> stripes() {
  std::vector<bool> mask(1200);
  for (const std::size_t corner : {20, 90, 150}) {
    for (const std::size_t start : {0, 201, 402, 604, 805, 1006}) {
      std::fill_n(mask.begin() + corner + start, start == 604 ? 4 : 3, true);
    }
  }
  return mask;
}

/// Groups of five elements in three rows, in an extent of 6 x 200.
std::vector<bool> groups() {
  std::vector<bool> mask(1200);
  for (const std::size_t corner : {5, 230, 452, 80, 301, 533, 160, 390})
    for (const std::size_t element : {0, 2, 201, 400, 402}) mask[corner + element] = true;
  return mask;
}

struct Vector {
  const char* name;
  Buffer unfiltered;
  const char* stored;
};

Buffer all_of(const Words& dims) {
  Buffer blob = extent(dims);
  put(blob, 3, 4);
  put(blob, 1, 4);
  put(blob, 0, 8);
  return blob;
}

Buffer regular_of_reference() {
  Buffer blob = extent({6000000000});
  const Buffer selection = from_hex(
      "02000000 02000000 01 24000000 01000000 00f2052a01000000 0100000000000000 0100000000000000 "
      "0300000000000000");
  blob.insert(blob.end(), selection.begin(), selection.end());
  return blob;
}

std::vector<Vector> vectors() {
  return {
      {"stored", from_hex("68656c6c6f"), "0068656c 6c6f"},
      {"whole", with_sum(all_of({5, 5})), "81161302 050598b1 0b4b"},
      {"regular", regular_of_reference(), "02166601 80f882ad 1681e497 d0120202 0486a843 95"},
      {"grid", with_sum(blob_of(extent({8}), 1, {0, 0, 2, 2, 4, 4, 6, 6})),
       "83161201 08040002 040137b0 b493"},
      {"elements", standard(mask_of(".#...#.. #.....## ..#..#.. ..#....# #....#.. .#..#..."), {6, 8}),
       "84161202 06080c0d 015b9c44 1459749a 1808"},
      {"runs", standard(mask_of(".....##### .......... .#######.. .......... .....###.#"), {50}),
       "85161201 32040402 01461441 94005b65 1bb7"},
      {"traced",
       with_sum(blob_of(extent({6, 200}, 2, false), 2, words_of(stripes(), {6, 200}), {false, 3, 2})),
       "86110a02 06c80112 120305ff 02010029 8dbcd65a 6b4d4c4c 2ccbb2d6 0adead68 a2"},
      {"holes", standard(mask_of("###.#### ######## ####.### .####### ########"), {5, 8}),
       "87161202 05080703 02871c4b b8727e"},
      {"list of blocks", with_sum(blob_of(extent({5, 5}), 2, {3, 2, 4, 4})),
       "88161202 05050101 ff11ff01 ff027ccd 4d5c"},
      {"patches", standard(groups(), {6, 200}),
       "89161202 06c80128 08030102 058ba454 92f249ca 22298da4 c492da25 259414bd 72c46d"},
      {"list of points", with_sum(blob_of(extent({5, 5}), 2, {3, 2, 0, 4}, {true, 2, 2})),
       "88160502 05050200 041413b4 dda9d8"},
  };
}

TEST(PackedSelection, MatchesTheVectorsOfTheSpecification) {
  for (const Vector& vector : vectors()) {
    SCOPED_TRACE(vector.name);
    EXPECT_EQ(to_hex(pack_selection(vector.unfiltered)), to_hex(from_hex(vector.stored)));
    expect_filter(*packer(), vector.unfiltered, from_hex(vector.stored));
  }
}

/// The checksum that a hostile writer would store.
Buffer resum(Buffer stored) {
  stored.resize(stored.size() - 4);
  return with_sum(std::move(stored));
}

/// Damaged bytes are rejected, or decode to ascending elements within the extent.
void expect_points_or_refusal(const Buffer& stored, std::size_t max_bytes) {
  try {
    const auto found = unpack_points(stored, max_bytes, 1000);
    if (!found) return;
    std::uint64_t elements = 1;
    for (const std::uint64_t dim : found->dims) elements *= dim;
    const auto points = listed(found->points, 1000);
    EXPECT_TRUE(std::ranges::adjacent_find(points, std::greater_equal()) == points.end());
    EXPECT_TRUE(points.empty() || points.back() < elements);
  } catch (const Error&) {
    // rejecting the bytes is correct, too
  }
}

TEST(PackedSelection, SurvivesDamageWithAMatchingChecksum) {
  std::mt19937 random(5);
  for (const Vector& vector : vectors()) {
    SCOPED_TRACE(vector.name);
    const Buffer stored = from_hex(vector.stored);
    for (std::size_t bit = 0; bit < 8 * (stored.size() - 4); ++bit) {
      Buffer changed = stored;
      changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      expect_survives(*packer(), resum(changed), 2 * vector.unfiltered.size());
      expect_points_or_refusal(resum(changed), 2 * vector.unfiltered.size());
    }
    for (std::size_t kept = 4; kept < stored.size(); ++kept) {
      const Buffer cut = resum(Buffer(stored.begin(), stored.begin() + kept));
      expect_survives(*packer(), cut, vector.unfiltered.size());
      expect_points_or_refusal(cut, vector.unfiltered.size());
    }
    for (int round = 0; round < 2000; ++round) {
      Buffer changed = stored;
      for (int changes = 0; changes < 3; ++changes) {
        changed[random() % (changed.size() - 4)] = static_cast<std::byte>(random() % 3 == 0 ? 255 : random());
      }
      expect_survives(*packer(), resum(changed), 1000);
      expect_points_or_refusal(resum(changed), 1000);
    }
  }
}

TEST(PackedSelection, DecodesOrRejectsAnyBitsOfAnyEncoding) {
  std::mt19937 random(9);
  for (int round = 0; round < 40000; ++round) {
    Buffer stored(8 + random() % 24);
    for (std::byte& byte : stored) byte = static_cast<std::byte>(random() % 4 == 0 ? random() % 8 : random());
    const std::uint64_t row = 1 + random() % 40, end = row * (1 + random() % 40);
    const auto form =
        std::array{SetEncoding::elements, SetEncoding::runs,    SetEncoding::traced,
                   SetEncoding::holes,    SetEncoding::patches, SetEncoding::lines}[random() % 6];
    stored[0] = static_cast<std::byte>(random() % 60);  // the count
    stored[1] = static_cast<std::byte>(random() % (form == SetEncoding::traced ? 60 : 9));
    for (std::size_t i = 2; i < 6; ++i)
      stored[i] = static_cast<std::byte>(random() % 5 == 0 ? 255 : random() % 6);
    try {
      const Words edges = read_set(VarintReader(stored), form, {end, row, 1000});
      EXPECT_TRUE(std::ranges::adjacent_find(edges, std::greater_equal()) == edges.end());
      EXPECT_TRUE(edges.empty() || edges.back() <= end);
    } catch (const Error&) {
      // rejecting the bytes is correct, too
    }
  }
}

TEST(PackedSelection, DetectsChangedBits) {
  const Buffer stored = pack_selection(standard(scattered(100, 0.2, 1), {10, 10}));
  for (std::size_t bit = 8; bit < 8 * stored.size(); ++bit) {
    Buffer changed = stored;
    changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    EXPECT_THROW(unpack_selection(changed, 10000), Error) << bit;
    EXPECT_THROW(unpack_runs(changed, 10000), Error) << bit;
    EXPECT_THROW(unpack_points(changed, 10000, 100), Error) << bit;
  }
}

TEST(PackedSelection, RejectsDeclaredSizesBeyondTheExpectedBytes) {
  const Buffer unfiltered = standard(scattered(100, 0.2, 1), {10, 10}), stored = pack_selection(unfiltered);
  EXPECT_THROW(unpack_selection(stored, unfiltered.size() - 1), Error);
  EXPECT_THROW(unpack_runs(stored, unfiltered.size() - 1), Error);
  // 2^62 blocks of a regular hyperslab, then as many elements that take no bits.
  EXPECT_THROW(unpack_selection(with_sum(from_hex("83161201 08 8080808080808080 40 0002 0401")), 1 << 20),
               Error);
  EXPECT_THROW(unpack_selection(with_sum(from_hex("84161201 ffff03 10 ff7f ff00")), 1 << 20), Error);
}

TEST(PackedSelection, PacksOneElementOfAHugeChunkToAFewBytes) {
  const Buffer unfiltered = with_sum(blob_of(extent({100000, 100000}), 2, {77777, 88888, 77777, 88888}));
  const Buffer stored = pack_selection(unfiltered);
  EXPECT_LE(stored.size(), 25u);
  EXPECT_EQ(unpack_selection(stored, unfiltered.size()), unfiltered);
  const auto packed = pack_runs(Words{100000, 100000}, Words{7777788888, 7777788889});
  ASSERT_TRUE(packed);
  EXPECT_EQ(to_hex(packed->stored), to_hex(stored));
  EXPECT_EQ(packed->unfiltered_bytes, unfiltered.size());
}

TEST(PackedSelection, DoesNotConvertLargeBlocksToRuns) {
  const Buffer unfiltered =
      with_sum(blob_of(extent({100000, 100000}), 2, {10, 5, 99990, 99990, 99993, 5, 99995, 70}));
  const Buffer stored = pack_selection(unfiltered);
  EXPECT_LE(stored.size(), 60u);
  EXPECT_EQ(unpack_selection(stored, unfiltered.size()), unfiltered);
}

TEST(PackedSelection, RestoresAnyBytes) {
  for (const std::size_t bytes : {0, 1, 4, 7, 8, 30, 87, 91, 1000}) {
    for (const std::uint8_t value : {0, 1, 2, 255}) expect_back(Buffer(bytes, std::byte{value}));
  }
  std::mt19937 random(3);
  const Buffer blob = standard(scattered(100, 0.2, 1), {10, 10});
  for (std::size_t i = 0; i < blob.size(); ++i) {
    expect_back(Buffer(blob.begin(), blob.begin() + i));
    Buffer changed = blob;
    changed[i] ^= static_cast<std::byte>(1u << random() % 8);
    expect_back(changed);
    changed.resize(changed.size() - 4);
    expect_back(changed);
    expect_back(with_sum(changed));
  }
}

double entropy_bytes(const std::vector<bool>& mask) {
  const auto elements = static_cast<double>(mask.size());
  const double p = static_cast<double>(std::ranges::count(mask, true)) / elements;
  return elements / 8 * -(p * std::log2(p) + (1 - p) * std::log2(1 - p));
}

TEST(PackedSelection, PacksScatteredElementsToAboutTheirEntropy) {
  for (const double part : {0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999}) {
    for (unsigned seed = 0; seed < 3; ++seed) {
      const auto mask = scattered(65536, part, seed);
      const Buffer unfiltered = standard(mask, {256, 256}), stored = pack_selection(unfiltered);
      EXPECT_LE(static_cast<double>(stored.size()), 1.05 * entropy_bytes(mask) + 32) << part;
      EXPECT_TRUE(unpack_selection(stored, unfiltered.size()) == unfiltered) << part;
    }
  }
}

/// Peaks of nine elements in a cross with rounded corners; neighbours may merge.
std::vector<bool> peaks(std::size_t side, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<bool> mask(side * side);
  for (; count > 0; --count) {
    const std::size_t y = 1 + random() % (side - 2), x = 1 + random() % (side - 2);
    for (const std::size_t dy : {0, 1, 2}) {
      for (const std::size_t dx : {0, 1, 2}) mask[(y + dy - 1) * side + x + dx - 1] = true;
    }
    mask[(y - 1) * side + x - 1 + 2 * (random() % 2)] = false;
  }
  return mask;
}

TEST(PackedSelection, PacksPeaksSmallerThanTheirElements) {
  const auto mask = peaks(256, 75, 1);
  const Buffer unfiltered = standard(mask, {1, 256, 256}), stored = pack_selection(unfiltered);
  EXPECT_TRUE(unpack_selection(stored, unfiltered.size()) == unfiltered);
  EXPECT_LE(static_cast<double>(stored.size()), 0.45 * entropy_bytes(mask));
  EXPECT_EQ(stored[0] & std::byte{0x7f}, std::byte{9});
  EXPECT_EQ(unpack_runs(stored, unfiltered.size())->edges, edges_of(mask));
}

std::vector<std::uint32_t> points_of(const std::vector<bool>& mask) {
  std::vector<std::uint32_t> points;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i]) points.push_back(static_cast<std::uint32_t>(i));
  return points;
}

/// Points pack to the same bytes as their runs, and any packed set decodes to points.
void expect_points(const std::vector<bool>& mask, const Words& dims) {
  const auto points = points_of(mask);
  const auto packed = pack_points(dims, points);
  const auto by_runs = points.empty() ? std::nullopt : pack_runs(dims, edges_of(mask));
  ASSERT_EQ(packed.has_value(), by_runs.has_value());
  if (!packed) return;
  ASSERT_EQ(to_hex(packed->stored), to_hex(by_runs->stored));
  ASSERT_EQ(packed->unfiltered_bytes, by_runs->unfiltered_bytes);
  const auto back = unpack_points(packed->stored, packed->unfiltered_bytes, points.size());
  const auto runs = unpack_runs(packed->stored, packed->unfiltered_bytes);
  ASSERT_EQ(back.has_value(), runs.has_value());
  if (!back) return;
  EXPECT_EQ(back->dims, dims);
  EXPECT_EQ(listed(back->points, points.size()), points);
}

TEST(PackedSelection, PacksPointsAndRunsToTheSameBytes) {
  std::mt19937 random(7);
  for (unsigned seed = 0; seed < 60; ++seed) {
    expect_points(peaks(256, 1 + random() % 800, seed), {1, 256, 256});
    expect_points(peaks(100, 1 + random() % 200, seed), {100, 100});
    expect_points(peaks(128, 1 + random() % 200, seed), {2, 64, 128});
    const std::size_t elements = 64 * (1 + random() % 300);
    expect_points(scattered(elements, 1.0 / static_cast<double>(1 + random() % 300), seed),
                  {elements / 64, 64});
    expect_points(scattered(elements, 0.5, seed), {elements});
  }
}

TEST(PackedSelection, RejectsMoreElementsThanExpected) {
  for (const auto& mask : {peaks(256, 75, 1), scattered(65536, 0.3, 1)}) {
    const auto points = points_of(mask);
    const auto packed = pack_points(Words{256, 256}, points);
    ASSERT_TRUE(packed);
    try {
      const auto fewer = unpack_points(packed->stored, packed->unfiltered_bytes, points.size() - 1);
      EXPECT_TRUE(fewer->points.bits);  // the caller has to compare the count
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::corrupt);
    }
  }
}

RC_GTEST_PROP(PackedSelection, RestoresSetsInEveryEncoding, ()) {
  const auto rank = *rc::gen::inRange<std::size_t>(1, 5);
  Words dims(rank);
  std::size_t elements = 1;
  for (auto& dim : dims) elements *= dim = *rc::gen::inRange<std::uint64_t>(1, rank == 1 ? 200 : 9);
  // From almost empty to almost full, with repeating offsets.
  const int part = *rc::gen::inRange(1, 100);
  const auto period = *rc::gen::inRange<std::size_t>(1, elements + 1);
  auto mask = scattered(elements, part / 100.0, *rc::gen::inRange(0u, 1000u));
  if (*rc::gen::arbitrary<bool>()) {
    for (std::size_t i = period; i < elements; ++i) mask[i] = mask[i - period];
  }
  const Words blocks = words_of(mask, dims);
  Words points;
  for (std::size_t i = 0; i < elements; ++i) {
    if (!mask[i]) continue;
    std::size_t rest = i;
    points.resize(points.size() + rank);
    for (std::size_t d = rank; d-- > 0; rest /= dims[d]) points[points.size() - rank + d] = rest % dims[d];
  }
  const auto head = [&] {
    return extent(dims, *rc::gen::inRange(1u, 3u), *rc::gen::arbitrary<bool>(),
                  *rc::gen::element(2u, 4u, 8u));
  };
  const auto width = *rc::gen::element(2u, 4u, 8u);
  for (const Buffer& blob :
       {blob_of(head(), rank, blocks), blob_of(head(), rank, blocks, {false, 3, width}),
        blob_of(head(), rank, points, {true}), blob_of(head(), rank, points, {true, 2, width})}) {
    for (const Buffer& unfiltered : {blob, with_sum(blob)}) {
      const Buffer stored = pack_selection(unfiltered);
      RC_ASSERT(unpack_selection(stored, unfiltered.size()) == unfiltered);
      RC_ASSERT(blocks.empty() || stored[0] != std::byte{0} || stored.size() < 60);
      if (const auto runs = unpack_runs(stored, unfiltered.size())) {
        RC_ASSERT(runs->dims == dims);
        RC_ASSERT(runs->edges == edges_of(mask));
        const auto single = unpack_points(stored, unfiltered.size(), elements);
        RC_ASSERT(!single || listed(single->points, 10) == points_of(mask));
      }
    }
  }
  expect_points(mask, dims);
  if (const auto packed = pack_runs(dims, edges_of(mask))) {
    const Buffer unfiltered = standard(mask, dims);
    RC_ASSERT(packed->unfiltered_bytes == unfiltered.size());
    RC_ASSERT(unpack_selection(packed->stored, unfiltered.size()) == unfiltered);
  }
}

RC_GTEST_PROP(PackedSelection, RestoresTracedRuns, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 400);
  std::vector<bool> mask(40 * width);
  const int stripes_wanted = *rc::gen::inRange(1, 20);
  for (int i = 0; i < stripes_wanted; ++i) {
    auto at = *rc::gen::inRange<std::size_t>(0, mask.size());
    const auto length = *rc::gen::inRange<std::size_t>(1, 9);
    for (int rows = *rc::gen::inRange(1, 20); rows > 0 && at + length < mask.size(); --rows) {
      std::fill_n(mask.begin() + at, length, true);
      at += width + *rc::gen::inRange<std::size_t>(0, 6) - std::min<std::size_t>(2, width);
    }
  }
  const Buffer unfiltered = standard(mask, {2, 20, width}), stored = pack_selection(unfiltered);
  RC_ASSERT(unpack_selection(stored, unfiltered.size()) == unfiltered);
  if (std::to_integer<int>(stored[0]) == 0x86) {
    RC_ASSERT(unpack_runs(stored, unfiltered.size())->edges == edges_of(mask));
  }
}

RC_GTEST_PROP(PackedSelection, RestoresListsInAnyOrder, ()) {
  const Words dims{*rc::gen::inRange<std::uint64_t>(1, 300), *rc::gen::inRange<std::uint64_t>(1, 300)};
  const bool points = *rc::gen::arbitrary<bool>();
  Words words;
  const int items = *rc::gen::inRange(0, 30);
  for (int i = 0; i < items; ++i) {
    const std::uint64_t y = *rc::gen::inRange<std::uint64_t>(0, dims[0]),
                        x = *rc::gen::inRange<std::uint64_t>(0, dims[1]);
    words.insert(words.end(), {y, x});
    if (!points) words.insert(words.end(), {*rc::gen::inRange(y, dims[0]), *rc::gen::inRange(x, dims[1])});
  }
  const Buffer unfiltered = with_sum(blob_of(extent(dims), 2, words, {points}));
  const Buffer stored = pack_selection(unfiltered);
  RC_ASSERT(unpack_selection(stored, unfiltered.size()) == unfiltered);
}

}  // namespace
}  // namespace filigree::filter
