// SPDX-License-Identifier: Apache-2.0
//
// All writes of one dataset that share a request.
//
// A driver may transfer the parts of a request in any order, so no two of them may have the same elements:
//
//  - Where writes replace elements completely, the last one of an element remains, and earlier ones are cut.
//  - If one of the writes changes some members of compounds, or values of variable length, all of them change
//    the elements in memory, in their order: in the chunk cache, or in MergedElements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "base/address.hpp"
#include "io/selection_batch.hpp"
#include "model/dataset/transfer.hpp"
#include "space/point_order.hpp"

namespace filigree::model {

class File;
class MergedElements;

/// The writes of a dataset, in their order.
/// Requires: the exclusive file lock, within a Change, until the last request is sent; this object and what
/// the transfers refer to live as long.
/// Thread safety: one thread at a time.
class DatasetWrites {
 public:
  DatasetWrites(File& file, Address header) : file_(file), header_(header) {}

  /// Throws: Error as Dataset::write(); nothing is written then.
  void add(const Transfer& transfer, const std::byte* memory);
  /// Adds elements that are needed first to a request. `bytes_left` limits the memory for elements of all
  /// datasets that are merged in memory; it decreases.
  void plan_reads(io::SelectionReads& batch, std::uint64_t& bytes_left);
  /// Adds the elements to a request, when the other one has been sent. Returns false, having done nothing, if
  /// write() has to do it.
  bool plan_writes(io::SelectionWrites& batch);
  /// Writes one after the other.
  void write() const;

 private:
  struct Write {
    Transfer transfer;
    const std::byte* memory;
  };
  bool merges() const;
  bool have_common_elements() const;
  /// Cuts elements that a later write replaces. Returns false if the selections take too much memory.
  bool cut_replaced();

  File& file_;
  const Address header_;
  std::deque<Write> writes_;
  std::deque<Write> planned_;       ///< after cut_replaced()
  std::deque<space::Matched> cut_;  ///< planned writes refer to them
  std::shared_ptr<MergedElements> merged_;
};

}  // namespace filigree::model
