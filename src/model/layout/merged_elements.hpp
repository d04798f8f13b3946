// SPDX-License-Identifier: Apache-2.0
//
// Writes that change stored elements of a contiguous dataset without replacing them completely: some members
// of compounds, and values of variable length, whose predecessors in the global heap are freed.
//
//  1. A request reads the elements of all writes, if any of their bytes or heap values matter.
//  2. The writes change the elements in memory, one after the other.
//  3. A request writes the elements back.
//  4. Heap values that no element refers to any more are freed. Before that, a failure leaves the old ones.
#pragma once

#include <cstdint>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "io/selection_batch.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "space/selection.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

/// One of several writes of a dataset.
struct PlannedWrite {
  Transfer transfer;
  type::ConversionPointer conversion;
  const std::byte* memory = nullptr;
};

/// Which elements are read, changed and written.
struct MergePlan {
  std::vector<PlannedWrite> writes;
  bool has_old_elements = false;  ///< the dataset had storage before
  bool keeps_members = false;     ///< some members of old elements stay
  bool frees_values = false;      ///< values in the global heap are replaced
  space::Selection elements{};    ///< of all writes

  bool needs_old_elements() const { return keeps_members || (has_old_elements && frees_values); }
  /// Sets all but `writes` and `has_old_elements`. Returns false if that takes more memory.
  bool choose_elements(const DatasetMessages& messages, std::uint64_t most_bytes);
};

/// The elements of a contiguous dataset that a request has in memory.
/// Requires: the exclusive lock is held, and this object lives, until the requests are sent.
/// Thread safety: one thread at a time.
class MergedElements {
 public:
  MergedElements(const Dataset& dataset, Address at, MergePlan plan);
  /// The memory that the elements take.
  std::uint64_t memory_bytes() const;
  /// Adds the elements to a request, if they are needed.
  void add_read(io::SelectionReads& batch);
  /// Changes the elements, and adds them to a request.
  void add_write(io::SelectionWrites& batch);

 private:
  void apply(const PlannedWrite& write);
  /// Returns where an element is in `bytes_`.
  std::byte* find(std::uint64_t element);
  void release_replaced() const;

  const Dataset dataset_;
  const Address at_;
  const MergePlan plan_;
  const std::uint32_t element_bytes_;
  const space::RunSet runs_;
  std::vector<std::uint64_t> run_starts_;  ///< how many elements precede each run
  Buffer bytes_;
  std::vector<Buffer> earlier_;  ///< the elements before each write, if their heap values are freed
};

}  // namespace filigree::model
