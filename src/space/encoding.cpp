// SPDX-License-Identifier: Apache-2.0
#include "space/encoding.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "space/blocks.hpp"
#include "space/bulk.hpp"
#include "space/span_tree.hpp"

namespace filigree::space {
namespace {

using format::EncodedSelection;
using format::SelectionType;

constexpr std::uint64_t widest_old_number = 0xffffffff;

/// The width of numbers in versions that permit several widths.
std::uint8_t width_for(std::uint64_t largest) {
  return largest <= widest_word(2) ? 2 : largest <= widest_word(4) ? 4 : 8;
}

/// A set as hyperslab encodings describe it.
struct Hyperslabs {
  std::size_t rank = 0;
  std::vector<SlabDimension> slab;         ///< if the set is regular; with the fewest blocks
  std::vector<std::uint64_t> coordinates;  ///< corners of the blocks, if the set is not regular
  std::uint64_t blocks = 0;
  std::uint64_t last = 0;  ///< the largest coordinate in any dimension

  bool is_regular() const { return !slab.empty(); }
  /// Whether its numbers exceed those of version 1.
  bool is_big() const { return blocks > widest_old_number || last > widest_old_number; }
};

Hyperslabs regular_hyperslabs(const std::vector<SlabDimension>& slab) {
  Hyperslabs h{slab.size(), {}, {}, 1, 0};
  for (const SlabDimension& d : slab) {
    h.slab.push_back(d.normalised());
    h.blocks = checked_multiply(h.blocks, h.slab.back().count, "the number of blocks");
    h.last = std::max(h.last, d.last());
  }
  return h;
}

Hyperslabs hyperslabs_of(const Selection& set) {
  if (set.kind() != Selection::Kind::runs) return regular_hyperslabs(set.slab().dims());
  const SpanTree tree(set.frame(), set.runs());
  if (const auto slab = tree.regular()) return regular_hyperslabs(*slab);
  Hyperslabs h{set.frame().rank(), {}, {}, tree.blocks(), 0};
  h.coordinates.reserve(2 * h.rank * static_cast<std::size_t>(h.blocks));
  tree.for_each_block([&](auto low, auto high) {
    h.coordinates.insert(h.coordinates.end(), low.begin(), low.end());
    h.coordinates.insert(h.coordinates.end(), high.begin(), high.end());
    return true;
  });
  h.last = std::ranges::max(h.coordinates);
  return h;
}

Hyperslabs hyperslabs_of(const HugeSelection& set) {
  if (const auto slab = set.regular_slab()) return regular_hyperslabs(*slab);
  Hyperslabs h{set.rank(), {}, set.block_list(0, set.block_count()), set.block_count(), 0};
  h.last = std::ranges::max(h.coordinates);
  return h;
}

void require_understood(std::uint32_t version, std::uint32_t newest, std::string_view what) {
  if (version <= newest) return;
  throw Error(ErrorKind::limit,
              fmt::format("{} need version {} of their encoding; the newest release to be served "
                          "understands version {}",
                          what, version, newest));
}

std::uint32_t newest_hyperslabs(Release high) {
  return high >= Release::v112 ? 3 : high == Release::v110 ? 2 : 1;
}

std::uint32_t newest_points(Release high) { return high >= Release::v112 ? 2 : 1; }

std::uint32_t hyperslab_version(const Hyperslabs& h, Release low) {
  // From this number of blocks on, the regular encoding is smaller.
  constexpr std::uint64_t many_blocks = 4;
  if (low >= Release::v112) return 3;
  if (!h.is_regular()) return h.is_big() ? 3 : 1;
  return h.is_big() || (low == Release::v110 && h.blocks >= many_blocks) ? 2 : 1;
}

/// The narrowest width in which all bits set can mean `unlimited`.
std::uint8_t slab_width(std::span<const SlabDimension> slab) {
  std::uint64_t largest = 0;
  for (const SlabDimension& d : slab) {
    for (const std::uint64_t n : {d.count, d.block})
      if (n != unlimited) largest = std::max(largest, n + 1);
    largest = std::max({largest, d.start, d.stride});
  }
  return width_for(largest);
}

std::uint8_t blocks_width(const Hyperslabs& h) { return width_for(std::max(h.blocks, h.last)); }

EncodedSelection blank(SelectionType type, std::uint32_t version, std::size_t rank = 0) {
  EncodedSelection made;
  made.type = type;
  made.version = version;
  made.rank = static_cast<std::uint8_t>(rank);
  return made;
}

EncodedSelection encode_slab(std::span<const SlabDimension> slab, std::uint32_t version) {
  EncodedSelection made = blank(SelectionType::hyperslab, version, slab.size());
  made.regular = true;
  made.number_bytes = slab_width(slab);
  for (const SlabDimension& d : slab) made.slab.push_back({d.start, d.stride, d.count, d.block});
  return made;
}

EncodedSelection encode_blocks(Hyperslabs h, std::uint32_t version) {
  // The number of blocks whose length fits its field in version 1.
  const std::uint64_t most = widest_old_number / 8 / h.rank - 1;
  if (version == 1 && h.blocks > most) {
    throw Error(ErrorKind::limit,
                fmt::format("{} blocks; version 1 of hyperslabs holds at most {}", h.blocks, most));
  }
  EncodedSelection made = blank(SelectionType::hyperslab, version, h.rank);
  made.number_bytes = blocks_width(h);
  made.coordinates =
      h.is_regular() ? HugeSelection::regular(h.slab).block_list(0, h.blocks) : std::move(h.coordinates);
  return made;
}

std::uint8_t points_width(std::uint64_t elements, std::uint64_t last) {
  return width_for(std::max(elements, last));
}

EncodedSelection encode_points(std::size_t rank, std::vector<std::uint64_t> coordinates, Release low) {
  EncodedSelection made = blank(SelectionType::points, 2, rank);
  made.coordinates = std::move(coordinates);
  const std::uint64_t elements = made.coordinates.size() / rank;
  const std::uint64_t last = std::ranges::max(made.coordinates);
  const bool big = std::max(elements, last) > widest_old_number;
  made.version = big || low >= Release::v112 ? 2 : 1;
  made.number_bytes = points_width(elements, last);
  return made;
}

EncodedSelection encode_points(const Selection& selection, Release low) {
  return encode_points(selection.frame().rank(), to_coordinates(selection), low);
}

EncodedSelection encode_hyperslabs(Hyperslabs h, const ReleaseBounds& bounds) {
  const std::uint32_t version = hyperslab_version(h, bounds.low);
  require_understood(version, newest_hyperslabs(bounds.high), "these hyperslabs");
  return h.is_regular() && version > 1 ? encode_slab(h.slab, version) : encode_blocks(std::move(h), version);
}

/// "none" and "all", to which selections of a scalar are reduced.
std::optional<EncodedSelection> encode_trivial(const Selection& selection) {
  const bool scalar = selection.frame().rank() == 0;
  if (scalar && selection.elements() > 1)
    throw Error(ErrorKind::invalid_argument, "the element of a scalar cannot be listed more than once");
  if (selection.kind() == Selection::Kind::none) return blank(SelectionType::none, 1);
  if (scalar || selection.kind() == Selection::Kind::all) return blank(SelectionType::all, 1);
  return std::nullopt;
}

/// The size of a list in the newest versions; the largest number if it exceeds 64 bits.
std::uint64_t list_bytes(std::uint64_t head, std::uint64_t items, std::uint64_t numbers_each,
                         unsigned width) {
  const auto body = try_multiply(items, numbers_each * width);
  return body && *body < ~std::uint64_t{0} - head - width ? head + width + *body : ~std::uint64_t{0};
}

bool is_ascending(std::span<const std::uint64_t> points) {
  return std::ranges::adjacent_find(points, std::greater_equal()) == points.end();
}

}  // namespace

EncodedSelection hdf5_encoding(const Selection& selection, const ReleaseBounds& bounds) {
  if (auto trivial = encode_trivial(selection)) return *trivial;
  if (!selection.is_set()) {
    EncodedSelection made = encode_points(selection, bounds.low);
    require_understood(made.version, newest_points(bounds.high), "these points");
    return made;
  }
  return encode_hyperslabs(hyperslabs_of(selection), bounds);
}

EncodedSelection hdf5_encoding(const HugeSelection& selection, const ReleaseBounds& bounds) {
  if (selection.elements() == 0) return blank(SelectionType::none, 1);
  if (selection.is_set()) return encode_hyperslabs(hyperslabs_of(selection), bounds);
  EncodedSelection made = encode_points(selection.rank(), selection.coordinates(), bounds.low);
  require_understood(made.version, newest_points(bounds.high), "these points");
  return made;
}

EncodedSelection hdf5_encoding(const UnlimitedSlab& slab, const ReleaseBounds& bounds) {
  std::vector<SlabDimension> dims = slab.dims();
  for (SlabDimension& d : dims)
    if (d.count != unlimited) d = d.normalised();
  const std::uint32_t version = bounds.low >= Release::v112 ? 3 : 2;
  require_understood(version, newest_hyperslabs(bounds.high), "unlimited hyperslabs");
  return encode_slab(dims, version);
}

EncodedSelection smallest_encoding(const Selection& selection) {
  if (auto trivial = encode_trivial(selection)) return *trivial;
  if (!selection.is_set() && !is_ascending(selection.points()))
    return encode_points(selection, Release::latest);
  if (selection.elements() == selection.frame().elements()) return blank(SelectionType::all, 1);
  Hyperslabs h =
      hyperslabs_of(selection.is_set() ? selection : Selection::of_runs(selection.frame(), selection.runs()));
  const std::size_t rank = h.rank;
  const std::uint64_t slab = h.is_regular() ? 14 + 4 * rank * slab_width(h.slab) : ~std::uint64_t{0};
  const std::uint64_t blocks = list_bytes(14, h.blocks, 2 * rank, blocks_width(h));
  const std::uint64_t points =
      list_bytes(13, selection.elements(), rank, points_width(selection.elements(), h.last));
  if (points < std::min(slab, blocks)) return encode_points(selection, Release::latest);
  return slab <= blocks ? encode_slab(h.slab, 3) : encode_blocks(std::move(h), 3);
}

Frame frame_of(const format::DataspaceMessage& extent) {
  return extent.kind == format::DataspaceKind::null ? Frame({0}) : Frame(extent.dims);
}

Buffer encode_dataspace(const format::DataspaceMessage& extent, const EncodedSelection& selection,
                        std::uint8_t length_bytes) {
  const format::Widths widths{8, length_bytes};
  const format::EncodedExtent head{widths.length_bytes, format::encode(extent, widths)};
  const std::size_t head_bytes = format::encoded_bytes(head, widths);
  Buffer bytes(head_bytes + format::encoded_bytes(selection, widths));
  format::encode(head, MutableBytes(bytes).first(head_bytes), widths);
  format::encode(selection, MutableBytes(bytes).subspan(head_bytes), widths);
  return bytes;
}

Buffer encode_defined(const Frame& chunk, const RunSet& defined, DefinedEncoding form) {
  const bool compact = form != DefinedEncoding::standard;
  format::DataspaceMessage extent;
  extent.version = compact ? 2 : 1;
  extent.kind = format::DataspaceKind::simple;
  extent.dims = chunk.dims();
  if (!compact) extent.max_dims = chunk.dims();
  const bool all = defined.elements() == chunk.elements();
  const Selection selection = all ? Selection::all(chunk) : Selection::of_runs(chunk, defined);
  if (form == DefinedEncoding::smallest)
    return encode_dataspace(extent, smallest_encoding(selection), width_for(std::ranges::max(chunk.dims())));
  return encode_dataspace(
      extent, hdf5_encoding(selection, {compact ? Release::v112 : Release::earliest, Release::latest}));
}

}  // namespace filigree::space
