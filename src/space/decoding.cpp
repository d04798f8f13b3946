// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/error.hpp>

#include "format/codec.hpp"
#include "space/encoding.hpp"

namespace filigree::space {
namespace {

using format::EncodedSelection;
using format::SelectionType;
using Coordinates = std::span<const std::uint64_t>;

[[noreturn]] void corrupt(std::string_view why) {
  throw Error(ErrorKind::corrupt, fmt::format("selection: {}", why));
}

void require_inside(const Frame& frame, Coordinates at, std::string_view item, std::size_t number) {
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (at[d] >= frame.dims()[d]) {
      corrupt(fmt::format("{} {} reaches {} in dimension {}, the extent has {} elements there", item, number,
                          at[d], d, frame.dims()[d]));
    }
  }
}

Selection points_of(const std::vector<std::uint64_t>& coordinates, const Frame& frame) {
  const std::size_t rank = frame.rank();
  std::vector<std::uint64_t> positions(coordinates.size() / rank);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Coordinates at = Coordinates(coordinates).subspan(i * rank, rank);
    require_inside(frame, at, "point", i);
    positions[i] = frame.position(at);
  }
  return Selection::of_points(frame, std::move(positions));
}

/// A block inside a frame, as rows that are one run each.
class BlockRows {
 public:
  BlockRows(const Frame& frame, Coordinates low, Coordinates high)
      : frame_(frame), low_(low), high_(high), along_(frame.rank() - 1) {
    // Dimensions that the block fills belong to the run.
    while (along_ > 0 && low_[along_] == 0 && high_[along_] + 1 == frame_.dims()[along_]) --along_;
  }

  std::uint64_t count() const {
    std::uint64_t rows = 1;
    for (std::size_t d = 0; d < along_; ++d) rows *= high_[d] - low_[d] + 1;
    return rows;
  }

  void add_to(std::vector<Run>& runs) const {
    Run run{frame_.position(low_), (high_[along_] - low_[along_] + 1) * frame_.step(along_)};
    std::array<std::uint64_t, max_rank> at;
    std::copy_n(low_.begin(), along_, at.begin());
    for (;;) {
      runs.push_back(run);
      std::size_t d = along_;
      while (d > 0 && at[d - 1] == high_[d - 1]) {
        --d;
        run.start -= (high_[d] - low_[d]) * frame_.step(d);
        at[d] = low_[d];
      }
      if (d == 0) return;
      ++at[d - 1];
      run.start += frame_.step(d - 1);
    }
  }

 private:
  const Frame& frame_;
  Coordinates low_;
  Coordinates high_;
  std::size_t along_;  ///< the dimension along which a run goes
};

/// A list of blocks; they may overlap.
class Blocks {
 public:
  Blocks(const std::vector<std::uint64_t>& coordinates, const Frame& frame)
      : coordinates_(coordinates), frame_(frame), count_(coordinates.size() / (2 * frame.rank())) {
    for (std::size_t i = 0; i < count_; ++i) {
      require_inside(frame, high(i), "block", i);
      for (std::size_t d = 0; d < frame.rank(); ++d) {
        if (low(i)[d] > high(i)[d])
          corrupt(fmt::format("block {} goes from {} to {} in dimension {}", i, low(i)[d], high(i)[d], d));
      }
    }
  }

  Selection selection(std::uint64_t runs_at_most) const {
    if (count_ == 0) return Selection::none(frame_);
    if (count_ > 1) return Selection::of_runs(frame_, runs(runs_at_most));
    std::vector<SlabDimension> box;
    for (std::size_t d = 0; d < frame_.rank(); ++d)
      box.push_back({low(0)[d], 1, 1, high(0)[d] - low(0)[d] + 1});
    return Selection::regular(frame_, std::move(box));
  }

 private:
  Coordinates low(std::size_t i) const { return coordinates_.subspan(2 * i * frame_.rank(), frame_.rank()); }
  Coordinates high(std::size_t i) const {
    return coordinates_.subspan((2 * i + 1) * frame_.rank(), frame_.rank());
  }
  BlockRows rows(std::size_t i) const { return {frame_, low(i), high(i)}; }

  RunSet runs(std::uint64_t at_most) const {
    // Blocks of one row each were paid for with their own bytes.
    const std::uint64_t most = std::max<std::uint64_t>(at_most, count_);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint64_t more = rows(i).count();
      if (more > most - expected) {
        throw Error(ErrorKind::limit,
                    fmt::format("selection: its {} blocks make more than {} runs", count_, most));
      }
      expected += more;
    }
    std::vector<Run> list;
    list.reserve(static_cast<std::size_t>(expected));
    for (std::size_t i = 0; i < count_; ++i) rows(i).add_to(list);
    return RunSet::of_runs(std::move(list));
  }

  Coordinates coordinates_;
  const Frame& frame_;
  std::size_t count_;
};

Selection regular(const Frame& frame, std::vector<SlabDimension> dims) {
  try {
    return Selection::regular(frame, std::move(dims));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::invalid_argument) throw;
    throw Error(ErrorKind::corrupt, error.message());
  }
}

bool is_unlimited(const SlabDimension& d) { return d.count == unlimited || d.block == unlimited; }

void check_unlimited(const SlabDimension& d, std::size_t number) {
  const bool possible = d.count == unlimited ? d.block != 0 && d.block != unlimited && d.stride >= d.block
                                             : d.count == 1 && d.stride != 0;
  if (!possible) {
    corrupt(fmt::format("the unlimited hyperslab in dimension {} has a stride of {}, {} blocks of {}", number,
                        d.stride, d.count, d.block));
  }
}

void decode_slab(const EncodedSelection& encoded, const Frame& frame, DecodedSelection& into) {
  std::vector<SlabDimension> dims;
  for (const auto& d : encoded.slab) dims.push_back({d.start, d.stride, d.count, d.block});
  const auto endless = std::ranges::find_if(dims, is_unlimited);
  if (endless == dims.end()) {
    into.selection = regular(frame, std::move(dims));
    return;
  }
  if (std::find_if(endless + 1, dims.end(), is_unlimited) != dims.end())
    corrupt("the hyperslab is unlimited in more than one dimension");
  check_unlimited(*endless, static_cast<std::size_t>(endless - dims.begin()));
  into.unlimited_slab = dims;
  *endless = {0, 1, 0, 1};
  into.selection = regular(frame, std::move(dims));
}

}  // namespace

DecodedSelection decode_selection(Bytes bytes, const Frame& frame, const DecodeOptions& options) {
  EncodedSelection encoded;
  DecodedSelection decoded;
  decoded.bytes = format::decode(encoded, bytes, {}, options.where);
  const bool ranked = encoded.type == SelectionType::points || encoded.type == SelectionType::hyperslab;
  if (ranked && encoded.rank != frame.rank())
    corrupt(fmt::format("it has {} dimensions, the extent {}", encoded.rank, frame.rank()));
  switch (encoded.type) {
    case SelectionType::none:
      decoded.selection = Selection::none(frame);
      break;
    case SelectionType::all:
      decoded.selection = Selection::all(frame);
      break;
    case SelectionType::points:
      decoded.selection = points_of(encoded.coordinates, frame);
      break;
    case SelectionType::hyperslab:
      if (encoded.regular) {
        decode_slab(encoded, frame, decoded);
      } else {
        decoded.selection = Blocks(encoded.coordinates, frame).selection(options.runs_at_most);
      }
      break;
  }
  return decoded;
}

DecodedDataspace decode_dataspace(Bytes bytes, const DecodeOptions& options) {
  format::EncodedExtent head;
  DecodedDataspace decoded;
  decoded.bytes = format::decode(head, bytes, {}, options.where);
  const format::Widths widths{8, head.length_bytes};
  decoded.extent = format::decode<format::DataspaceMessage>(head.message, widths, options.where);
  decoded.selection = decode_selection(bytes.subspan(decoded.bytes), frame_of(decoded.extent), options);
  decoded.bytes += decoded.selection.bytes;
  return decoded;
}

Selection decode_defined(Bytes bytes, const Frame& chunk, const DecodeOptions& options) {
  DecodedDataspace decoded = decode_dataspace(bytes, options);
  if (decoded.extent.dims != chunk.dims()) {
    corrupt(fmt::format("its extent is ({}), the chunk's ({})", fmt::join(decoded.extent.dims, ", "),
                        fmt::join(chunk.dims(), ", ")));
  }
  if (!decoded.selection.unlimited_slab.empty()) corrupt("a chunk cannot define elements without end");
  return std::move(decoded.selection.selection);
}

}  // namespace filigree::space
