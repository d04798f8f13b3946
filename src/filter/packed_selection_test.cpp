// SPDX-License-Identifier: Apache-2.0
//
// The vectors are those of docs/format/packed-selection.md; what they unpack to comes from stock HDF5 or from
// the format of sparse chunks, and is written by hand.
#include "filter/packed_selection.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "filter/builtin.hpp"
#include "testing/filter_suite.hpp"
#include "testing/hex.hpp"

namespace filigree::filter {
namespace {

using ::filigree::testing::expect_filter;
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

/// Outer header and extent, with the maximum as large.
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

/// The blocks of a mask, as stock lists them: every row's runs, and equal rows together.
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

/// The words of the list, from pairs of first and last coordinate a dimension.
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

void expect_back(const Buffer& plain) {
  const Buffer stored = pack_selection(plain);
  EXPECT_LE(stored.size(), plain.size() + 1);
  EXPECT_EQ(to_hex(unpack_selection(stored, plain.size())), to_hex(plain));
}

TEST(PackedSelection, ShowMe) {
  const Words d{5, 5};
  for (const Buffer& b : {
           with_sum(blob_of(extent({5, 5}), 2, {3, 2, 4, 4})),
           with_sum(blob_of(extent({256, 256}), 2, {0, 7, 0, 7, 3, 0, 3, 3, 200, 100, 200, 100})),
       }) {
    std::string hex = to_hex(pack_selection(b));
    std::printf("%zu %zu %s\n", b.size(), pack_selection(b).size(), hex.c_str());
  }
}

TEST(PackedSelection, AnyBytesComeBack) {
  const auto filter = packer();
  for (const std::size_t bytes : {0, 1, 4, 7, 8, 30, 87, 91, 1000}) {
    for (const std::uint8_t value : {0, 1, 2, 255}) expect_back(Buffer(bytes, std::byte{value}));
  }
  std::mt19937 random(3);
  const Buffer blob = standard(scattered(600, 0.1, 1), {20, 30});
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

struct Density {
  double part;
};

TEST(PackedSelection, ScatteredElementsTakeAboutTheirEntropy) {
  for (const double part : {0.001, 0.01, 0.1, 0.5, 0.9}) {
    double bound = 0, ours = 0, plain_bytes = 0;
    constexpr int chunks = 16;
    for (unsigned seed = 0; seed < chunks; ++seed) {
      const auto mask = scattered(65536, part, seed);
      const double p = static_cast<double>(std::ranges::count(mask, true)) / 65536;
      bound += 65536 / 8 * -(p * std::log2(p) + (1 - p) * std::log2(1 - p));
      const Buffer plain = standard(mask, {256, 256});
      const Buffer stored = pack_selection(plain);
      EXPECT_EQ(unpack_selection(stored, plain.size()), plain);
      plain_bytes += plain.size();
      ours += stored.size();
      EXPECT_LE(stored.size(), 1.15 * bound / (seed + 1) * 1.1 + 64);
    }
    EXPECT_LE(ours, 1.15 * bound + 64 * chunks) << part;
    std::printf("%5.1f %%: entropy %7.1f, packed %7.1f, standard %9.1f bytes a chunk\n", 100 * part,
                bound / chunks, ours / chunks, plain_bytes / chunks);
  }
}

RC_GTEST_PROP(PackedSelection, SetsComeBackInEveryEncoding, ()) {
  const auto rank = *rc::gen::inRange<std::size_t>(1, 5);
  Words dims(rank);
  std::size_t elements = 1;
  for (auto& dim : dims) elements *= dim = *rc::gen::inRange<std::uint64_t>(1, rank == 1 ? 200 : 9);
  // From almost nothing to almost everything, in places that repeat.
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
    for (const Buffer& plain : {blob, with_sum(blob)}) {
      const Buffer stored = pack_selection(plain);
      RC_ASSERT(unpack_selection(stored, plain.size()) == plain);
      RC_ASSERT(blocks.empty() || stored[0] != std::byte{0} || stored.size() < 60);
      if (const auto runs = unpack_runs(stored, plain.size())) {
        RC_ASSERT(runs->dims == dims);
        RC_ASSERT(runs->edges == edges_of(mask));
      }
    }
  }
  if (const auto packed = pack_runs({dims, edges_of(mask)})) {
    const Buffer plain = standard(mask, dims);
    RC_ASSERT(packed->plain_bytes == plain.size());
    RC_ASSERT(unpack_selection(packed->stored, plain.size()) == plain);
  }
}

RC_GTEST_PROP(PackedSelection, ListsInAnyOrderComeBack, ()) {
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
  const Buffer plain = with_sum(blob_of(extent(dims), 2, words, {points}));
  const Buffer stored = pack_selection(plain);
  RC_ASSERT(unpack_selection(stored, plain.size()) == plain);
}

}  // namespace
}  // namespace filigree::filter
