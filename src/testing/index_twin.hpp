// SPDX-License-Identifier: Apache-2.0
//
// A chunk index in a memory file beside a std::map with the same chunks, for tests.
#pragma once

#include <functional>
#include <map>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <filigree/error.hpp>

#include "format/codec/fields.hpp"
#include "index/chunk_index.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::index {

/// An unlimited dimension.
inline constexpr std::uint64_t no_limit = format::unlimited;

/// Fails the current test. Unlike an assertion of GoogleTest this also ends one case of a RapidCheck
/// property.
/// Throws unless the condition holds. RapidCheck reports exceptions as failures and shrinks the case.
inline void must(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}
inline void no_change(format::LayoutMessage&) {}

/// A test case: one kind of index for one kind of dataset.
struct IndexCase {
  std::string name;
  std::vector<std::uint64_t> extent;
  std::vector<std::uint64_t> max_extent;
  std::vector<std::uint64_t> chunk;
  bool filtered = false;
  IndexChoice choice{4};
  std::function<void(format::LayoutMessage&)> change = no_change;
  std::uint16_t btree1_k = 2;
  format::Widths widths{};

  /// Returns the facts of a dataset of this case, as its index depends on them.
  DatasetFacts facts() const { return {extent, max_extent, filtered, btree1_k}; }
  /// Returns whether the chunks have sections.
  bool structured() const { return choice.composition.sections > 0; }
  /// A location that the index can represent. A dense chunk has `chunk_bytes`.
  ChunkLocation some_location(std::uint64_t salt, std::uint64_t chunk_bytes) const {
    const Address address = to_address(salt % 30000);
    if (!filtered && !structured()) return {address, chunk_bytes, 0};
    if (!structured()) return {address, 1 + salt % 200, static_cast<std::uint32_t>(salt >> 20)};
    return {address, 1 + salt % 200, 0, sections(salt, 1 + salt % 200)};
  }
  /// Sections, some of which are empty.
  format::SectionTable sections(std::uint64_t salt, std::uint64_t stored_bytes) const {
    std::mt19937_64 random(salt);
    format::SectionTable table;
    table.count = choice.composition.sections;
    for (std::size_t i = 1; i < table.count; ++i) {
      const std::uint64_t left = stored_bytes - table.offsets[i - 1];
      table.offsets[i] = table.offsets[i - 1] + random() % (left + 1);
    }
    for (std::size_t i = 0; i < table.count && filtered; ++i) {
      table.unfiltered_bytes[i] = random() % 3 == 0 ? 0 : random();
      table.filter_masks[i] = static_cast<std::uint32_t>(random());
    }
    return table;
  }
  /// Returns the layout message of a new dataset of this case.
  format::LayoutMessage layout() const {
    auto message = choose_index(facts(), chunk, 2, choice);
    change(message);
    return message;
  }
};

inline void small_pages(format::LayoutMessage& layout) {
  layout.fixed_array_page_bits = 3;
  // Two groups below the index block, then super blocks, the later ones with pages.
  layout.extensible_array = {20, 3, 2, 2, 3};
  layout.btree_v2.node_bytes = layout.layout == format::LayoutClass::structured ? 512 : 256;
}

/// All kinds of indexes, with blocks so small that few chunks need every kind of block.
inline std::vector<IndexCase> index_cases() {
  const IndexChoice old{3};
  const IndexChoice sparse{5, false, false, format::ChunkComposition::make(true, false)};
  const IndexChoice sparse_heap{5, true, false, format::ChunkComposition::make(true, true)};
  const IndexChoice heap{5, false, false, format::ChunkComposition::make(false, true)};
  return {
      {"tree1", {200}, {200}, {3}, false, old},
      {"tree1_plane", {20, 30}, {no_limit, 30}, {2, 3}, true, old},
      {"tree1_narrow", {20, 5, 9}, {20, no_limit, 9}, {2, 3, 2}, true, old, no_change, 3, {4, 4}},
      {"tree2", {20, 30}, {no_limit, no_limit}, {2, 3}, false, {4}, small_pages},
      {"tree2_filtered", {20, 3, 9}, {no_limit, no_limit, 9}, {1, 2, 1}, true, {4}, small_pages, 2, {4, 4}},
      {"fixed", {20, 30}, {20, 33}, {2, 3}, false},
      {"fixed_paged", {20, 30}, {20, 33}, {2, 3}, true, {4}, small_pages},
      {"fixed_narrow", {100}, {300}, {1}, false, {4}, small_pages, 2, {4, 4}},
      {"fixed_version_5", {20, 30}, {20, 33}, {2, 3}, true, {5}, small_pages},
      {"extensible", {300}, {no_limit}, {2}, false},
      {"extensible_small", {300}, {no_limit}, {1}, true, {4}, small_pages},
      {"extensible_row", {20, 3}, {no_limit, 5}, {1, 2}, false, {4}, small_pages},
      {"extensible_column", {5, 30}, {8, no_limit}, {1, 2}, true, {4}, small_pages, 2, {4, 4}},
      {"single", {4, 5}, {4, 5}, {4, 5}, false},
      {"single_filtered", {4, 5}, {4, 5}, {4, 5}, true},
      {"structured_fixed", {20, 30}, {20, 33}, {2, 3}, false, sparse},
      {"structured_fixed_paged", {20, 30}, {20, 33}, {2, 3}, true, sparse_heap, small_pages},
      {"structured_fixed_narrow", {100}, {300}, {1}, true, heap, small_pages, 2, {4, 4}},
      {"structured_extensible", {300}, {no_limit}, {2}, true, sparse},
      {"structured_extensible_row", {20, 3}, {no_limit, 5}, {1, 2}, true, sparse_heap, small_pages},
      {"structured_extensible_column", {5, 30}, {8, no_limit}, {1, 2}, false, sparse, small_pages, 2, {4, 4}},
      {"structured_extensible_heap", {300}, {no_limit}, {1}, false, sparse_heap, small_pages},
      {"structured_tree2", {20, 30}, {no_limit, no_limit}, {2, 3}, false, sparse, small_pages},
      {"structured_tree2_heap", {20, 9}, {no_limit, no_limit}, {1, 1}, true, sparse_heap, small_pages},
      {"structured_tree2_narrow",
       {9, 3, 9},
       {9, no_limit, no_limit},
       {1, 2, 1},
       true,
       sparse,
       small_pages,
       2,
       {4, 4}},
      {"single_structured", {4, 5}, {4, 5}, {4, 5}, false, sparse},
      {"single_structured_filtered", {4, 5}, {4, 5}, {4, 5}, true, sparse},
      {"single_structured_heap", {4, 5}, {4, 5}, {4, 5}, true, sparse_heap},
  };
}

struct IndexTwin {
  using Coordinates = std::vector<std::uint64_t>;
  using Chunks = std::map<Coordinates, ChunkLocation>;

  explicit IndexTwin(const IndexCase& c, std::size_t cache_bytes = 64u << 20)
      : kind(c), extent(c.extent), memory(c.widths, Buffer(40000), cache_bytes) {
    index = make_index(*memory, c.layout(), c.facts());
  }

  /// Returns a random chunk of the grid; the same for the same salt.
  Coordinates any(std::uint64_t salt) const {
    std::mt19937_64 random(salt);
    Coordinates at;
    for (const std::uint64_t n : index->grid().counts) at.push_back(n == 0 ? 0 : random() % n);
    return at;
  }
  /// Returns a random location that the index can represent.
  ChunkLocation some_location(std::uint64_t salt) const {
    return kind.some_location(salt, index->grid().chunk_bytes);
  }

  /// Inserts or replaces a chunk in both, and expects the same former location. Chunks outside of the grid
  /// are ignored.
  void insert(const Coordinates& at, const ChunkLocation& location) {
    if (!index->grid().inside(at)) return;
    expect_same(at, index->insert(at, location));
    expected[at] = location;
  }
  /// Removes a chunk from both, and expects the same former location, or none.
  void remove(const Coordinates& at) {
    expect_same(at, index->remove(at));
    expected.erase(at);
  }
  /// Expects that `found` is the location that the twin has.
  void expect_same(const Coordinates& at, const std::optional<ChunkLocation>& found) const {
    const auto known = expected.find(at);
    must(found.has_value() == (known != expected.end()), "a chunk is missing, or should not exist");
    must(!found || *found == known->second, "the location of a chunk differs");
  }
  /// Changes a random dimension within its maximum, and expects that exactly the chunks outside are reported.
  void resize(std::uint64_t salt) {
    std::mt19937_64 random(salt);
    Coordinates to = extent;
    const std::size_t d = random() % to.size();
    const std::uint64_t most = kind.max_extent[d] == no_limit ? kind.extent[d] * 2 : kind.max_extent[d];
    to[d] = random() % (most + 1);
    Chunks outside;
    index->resize(to, [&](ChunkCoordinates at, const ChunkLocation& location) {
      must(outside.emplace(Coordinates(at.begin(), at.end()), location).second,
           "a chunk is reported twice as removed");
    });
    extent = to;
    for (auto chunk = expected.begin(); chunk != expected.end();) {
      if (index->grid().inside(chunk->first)) {
        ++chunk;
        continue;
      }
      must(outside.count(chunk->first) == 1, "a removed chunk is not reported");
      must(outside[chunk->first] == chunk->second, "the location of a removed chunk differs");
      outside.erase(chunk->first);
      chunk = expected.erase(chunk);
    }
    must(outside.empty(), "a chunk inside of the extent is reported as removed");
  }
  /// Closes and opens the file.
  void reopen() {
    const format::LayoutMessage layout = index->layout();
    index.reset();
    memory = testing::MemoryStore(kind.widths, memory.image());
    DatasetFacts facts = kind.facts();
    facts.extent = extent;
    index = make_index(*memory, layout, facts);
  }

  /// Expects that a visit passes all chunks of the twin in order, and that count and sizes agree.
  void check_all() const {
    auto next = expected.begin();
    std::uint64_t bytes = 0;
    index->for_each([&](ChunkCoordinates at, const ChunkLocation& location) {
      must(next != expected.end(), "visits too many chunks");
      must(Coordinates(at.begin(), at.end()) == next->first, "visits a wrong chunk");
      must(location == next->second, "visits a wrong location");
      bytes += next->second.stored_bytes;
      return ++next, true;
    });
    must(next == expected.end(), "does not visit all chunks");
    must(index->count() == expected.size(), "the count differs");
    must(index->stored_bytes() == bytes, "the stored bytes differ");
  }
  /// Visits a few chunks, from a random one on.
  void check_from(std::uint64_t salt) const {
    Coordinates from = any(salt);
    from[salt % from.size()] += salt / 7 % 3;
    auto next = expected.lower_bound(from);
    unsigned left = 4;
    index->for_each(
        [&](ChunkCoordinates at, const ChunkLocation& location) {
          must(next != expected.end(), "visits too many chunks");
          must(Coordinates(at.begin(), at.end()) == next->first, "visits a wrong chunk");
          must(location == next->second, "visits a wrong location");
          return ++next, --left > 0;
        },
        from);
    must(left == 0 || next == expected.end(), "does not visit all chunks");
  }
  /// Looks up random chunks together and one by one, and expects the locations of the twin.
  void check_many(std::uint64_t salt, bool sorted) const {
    std::mt19937_64 random(salt);
    std::vector<Coordinates> asked;
    for (unsigned n = random() % 40; n > 0; --n) asked.push_back(any(random()));
    if (sorted) std::sort(asked.begin(), asked.end());
    std::vector<std::uint64_t> flat;
    for (const auto& at : asked) flat.insert(flat.end(), at.begin(), at.end());
    std::vector<ChunkLocation> found(asked.size());
    index->find(flat, found);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      std::optional<ChunkLocation> one;
      if (is_valid(found[i].address)) one = found[i];
      expect_same(asked[i], one);
      expect_same(asked[i], index->find(asked[i]));
    }
  }

  IndexCase kind;
  Coordinates extent;
  testing::MemoryStore memory;
  std::unique_ptr<ChunkIndex> index;
  Chunks expected;
};

/// The name of a case in the output of GoogleTest.
inline void PrintTo(const IndexCase& c, std::ostream* out) { *out << c.name; }

}  // namespace filigree::index
