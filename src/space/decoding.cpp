// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "space/bulk.hpp"
#include "space/encoding.hpp"

namespace filigree::space {
namespace {

using format::EncodedSelection;
using format::SelectionType;

[[noreturn]] void corrupt(std::string_view why) {
  throw Error(ErrorKind::corrupt, fmt::format("selection: {}", why));
}

/// Converts an Error(invalid_argument) to Error(corrupt): the file is at fault, not the caller.
template <class Work>
void blaming_the_bytes(Work work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::invalid_argument) throw;
    corrupt(error.message());
  }
}

void decode_slab(const EncodedSelection& encoded, const Frame& frame, DecodedSelection& into) {
  std::vector<SlabDimension> dims;
  for (const auto& d : encoded.slab) dims.push_back({d.start, d.stride, d.count, d.block});
  if (UnlimitedSlab::needed(dims)) {
    into.unlimited.emplace(dims);
    // The other dimensions are still checked.
    dims[into.unlimited->dimension()] = {0, 1, 0, 1};
  }
  into.selection = Selection::regular(frame, std::move(dims));
}

void decode_into(DecodedSelection& into, const EncodedSelection& encoded, const Frame& frame,
                 std::uint64_t runs_at_most) {
  switch (encoded.type) {
    case SelectionType::none:
      into.selection = Selection::none(frame);
      return;
    case SelectionType::all:
      into.selection = Selection::all(frame);
      return;
    case SelectionType::points:
      into.selection = points_at(frame, encoded.coordinates);
      return;
    case SelectionType::hyperslab:
      if (encoded.regular) return decode_slab(encoded, frame, into);
      // Blocks of one row are proportional to the encoded bytes, so they need no limit.
      into.selection =
          from_blocks(frame, encoded.coordinates,
                      std::max<std::uint64_t>(runs_at_most, encoded.coordinates.size() / (2 * frame.rank())));
      return;
  }
}

/// The smallest frame that contains the extent and what is selected.
Frame frame_around(const Frame& extent, const EncodedSelection& encoded) {
  std::vector<std::uint64_t> dims = extent.dims();
  if (encoded.rank != dims.size()) return extent;
  const auto include = [&](std::size_t d, std::uint64_t last) {
    dims[d] = std::max(dims[d], checked_add(last, 1, "a coordinate of a selection"));
  };
  for (std::size_t i = 0; i < encoded.coordinates.size(); ++i)
    include(i % dims.size(), encoded.coordinates[i]);
  for (std::size_t d = 0; d < encoded.slab.size(); ++d) {
    const SlabDimension slab{encoded.slab[d].start, encoded.slab[d].stride, encoded.slab[d].count,
                             encoded.slab[d].block};
    const bool bounded = slab.count != unlimited && slab.block != unlimited;
    if (bounded && slab.count != 0 && slab.block != 0) include(d, slab.last());
  }
  return Frame(std::move(dims));
}

/// The selection in an extent of 2^64 elements or more; nothing if it selects all.
std::optional<HugeSelection> decode_huge(const EncodedSelection& encoded, std::size_t rank) {
  const bool ranked = encoded.type == SelectionType::points || encoded.type == SelectionType::hyperslab;
  if (ranked && encoded.rank != rank)
    corrupt(fmt::format("it has {} dimensions, the extent {}", encoded.rank, rank));
  switch (encoded.type) {
    case SelectionType::none:
      return HugeSelection::none(rank);
    case SelectionType::all:
      break;
    case SelectionType::points:
      return HugeSelection::points(rank, encoded.coordinates);
    case SelectionType::hyperslab:
      if (!encoded.regular) return HugeSelection::boxes(rank, encoded.coordinates);
      std::vector<SlabDimension> dims;
      for (const auto& d : encoded.slab) dims.push_back({d.start, d.stride, d.count, d.block});
      return HugeSelection::regular(std::move(dims));
  }
  return std::nullopt;
}

}  // namespace

DecodedSelection decode_selection(const EncodedSelection& encoded, const Frame& frame,
                                  const DecodeOptions& options) {
  DecodedSelection decoded;
  const bool ranked = encoded.type == SelectionType::points || encoded.type == SelectionType::hyperslab;
  if (ranked && encoded.rank != frame.rank())
    corrupt(fmt::format("it has {} dimensions, the extent {}", encoded.rank, frame.rank()));
  blaming_the_bytes([&] { decode_into(decoded, encoded, frame, options.runs_at_most); });
  return decoded;
}

DecodedSelection decode_selection(Bytes bytes, const Frame& frame, const DecodeOptions& options) {
  EncodedSelection encoded;
  const std::size_t taken = format::decode(encoded, bytes, {}, options.where);
  DecodedSelection decoded = decode_selection(encoded, frame, options);
  decoded.bytes = taken;
  return decoded;
}

DecodedDataspace decode_dataspace(Bytes bytes, const DecodeOptions& options) {
  format::EncodedExtent head;
  DecodedDataspace decoded;
  decoded.bytes = format::decode(head, bytes, {}, options.where);
  const format::Widths widths{8, head.length_bytes};
  decoded.extent = format::decode<format::DataspaceMessage>(head.message, widths, options.where);
  EncodedSelection encoded;
  const std::size_t taken = format::decode(encoded, bytes.subspan(decoded.bytes), {}, options.where);
  blaming_the_bytes([&] {
    if (options.may_exceed_extent && is_huge(decoded.extent.dims)) {
      decoded.selection.huge = decode_huge(encoded, decoded.extent.dims.size());
      return;
    }
    const Frame extent = frame_of(decoded.extent);
    const Frame frame = options.may_exceed_extent ? frame_around(extent, encoded) : extent;
    decoded.selection = decode_selection(encoded, frame, options);
  });
  decoded.selection.bytes = taken;
  decoded.bytes += taken;
  return decoded;
}

Selection decode_defined(Bytes bytes, const Frame& chunk, const DecodeOptions& options) {
  DecodedDataspace decoded = decode_dataspace(bytes, options);
  if (decoded.extent.dims != chunk.dims()) {
    corrupt(fmt::format("its extent is ({}), the chunk's ({})", fmt::join(decoded.extent.dims, ", "),
                        fmt::join(chunk.dims(), ", ")));
  }
  if (decoded.selection.unlimited) corrupt("a chunk cannot define elements without end");
  return std::move(decoded.selection.selection);
}

}  // namespace filigree::space
