// SPDX-License-Identifier: Apache-2.0
//
// The distribution of a transfer of a virtual dataset to its sources.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/function_ref.hpp"
#include "model/dataset/transfer.hpp"
#include "model/virtual/join.hpp"
#include "model/virtual/mappings.hpp"
#include "model/virtual/pieces.hpp"
#include "model/virtual/virtual_layout.hpp"
#include "space/point_order.hpp"

namespace filigree::model {

class Dataset;

/// Returns the checked mappings of a virtual dataset. Requires: the file lock.
std::shared_ptr<const CheckedMappings> mappings_of(const Dataset& dataset);

/// The part of each source in a transfer, and what no source has.
/// Thread safety: one thread at a time.
class Distribution {
 public:
  /// Requires: the file lock; the transfer lives as long.
  Distribution(const Dataset& dataset, const Transfer& transfer, space::Side destination);
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;

  const VirtualJoin& join() const { return join_; }
  /// Calls `visit` for every source, in the order of the mappings. Requires: the thread holds no file lock.
  void for_each(FunctionRef<void(const SourcePiece&)> visit) const;
  /// Returns the part of the transfer in a piece; empty if there is none.
  std::optional<JoinedPart> take(const SourcePiece& piece);
  /// Returns the transfer of a part from its source, or to it. Both must live as long.
  Transfer partial(const JoinedPart& part) const;

  /// Whether mappings overlap in the transfer. Requires: all pieces were taken, once.
  bool has_overlaps() const { return taken_ > elements_.file.elements(); }
  /// Returns the elements without a source, and their offsets in memory. Requires: all pieces were taken.
  JoinedPart uncovered() const;
  /// Elements that can be written have one source. Requires: all pieces were taken, once.
  /// Throws: Error(invalid_argument) if one has no source or several.
  void require_single_sources() const;

 private:
  File& file_;
  const Transfer& transfer_;
  std::uint64_t budget_ = most_sources;
  const VirtualTrail trail_;
  const std::shared_ptr<const CheckedMappings> checked_;
  const space::Matched elements_;
  const VirtualJoin join_;
  std::vector<space::Run> covered_;
  std::uint64_t taken_ = 0;
};

/// The sources of a transfer, in the order of the mappings.
struct SourcePieces {
  std::vector<SourcePiece> pieces{};
  std::vector<JoinedPart> parts{};  ///< of the pieces, equally many
};

/// Takes all sources. Requires: the thread holds no file lock.
SourcePieces find_sources(Distribution& wanted);
/// Takes elements with several sources from the last of them only, as if sources were read in their order.
void keep_last_sources(SourcePieces& found, const VirtualJoin& join);
/// Calls `visit_virtual` for those sources that are virtual themselves, with the transfer of the part, and
/// `visit` for all others. Requires: the thread holds no file lock.
void divide(const SourcePieces& found, const Distribution& wanted, FunctionRef<void(const SourcePart&)> visit,
            FunctionRef<void(const Dataset&, const Transfer&)> visit_virtual);

}  // namespace filigree::model
