// SPDX-License-Identifier: Apache-2.0
//
// Selected elements of one or several datasets that one request to the driver transfers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/bytes.hpp"
#include "io/extent.hpp"
#include "space/point_order.hpp"

namespace filigree::io {

/// Collects the pieces of a request, and what follows when they have been transferred.
///
/// *Thread safety*: one thread at a time.
template <class Piece>
class SelectionBatch {
 public:
  using Memory = std::conditional_t<std::is_same_v<Piece, SelectionRead>, MutableBytes, Bytes>;
  using Send = std::function<void(std::span<const Piece>)>;
  using Step = std::function<void()>;

  /// Where an array is in the file.
  struct ArrayLocation {
    std::uint64_t offset = 0;  ///< of the first element of the frame of the file's selection
    std::uint32_t element_bytes = 1;
  };

  /// A batch of more staged bytes, or of more pieces, is sent in several requests.
  static constexpr std::uint64_t most_staged_bytes = std::uint64_t{64} << 20;
  static constexpr std::size_t most_pieces = 16384;

  explicit SelectionBatch(Send send) : send_(std::move(send)) {}
  /// What was not sent fails.
  ~SelectionBatch();
  SelectionBatch(const SelectionBatch&) = delete;
  SelectionBatch& operator=(const SelectionBatch&) = delete;

  /// Adds elements. `memory` begins with the first element of the frame of the selection of memory, and lives
  /// until the piece is sent.
  void add(space::Matched elements, const ArrayLocation& array, Memory memory);
  /// Adds a range of bytes of the file.
  void add_bytes(std::uint64_t offset, Memory memory);
  /// Zeroed memory that lives until the pieces so far are sent and their steps have run.
  MutableBytes stage(std::uint64_t bytes);
  /// Counts memory of the caller that lives as long, for is_full().
  void count_staged(std::uint64_t bytes) { staged_bytes_ += bytes; }
  /// Adds a step: `sent` runs after the pieces so far were transferred, in the order of the steps. If they
  /// were not, or if an earlier step failed, `failed` runs instead; its errors are dropped.
  void then(Step sent, Step failed = nullptr);

  /// Transfers all pieces with one request, then runs the steps. *Throws*: the first error.
  void send();
  /// Whether there are so many pieces or staged bytes that more would take too much memory.
  bool is_full() const { return pieces_.size() >= most_pieces || staged_bytes_ >= most_staged_bytes; }
  void send_if_full() {
    if (is_full()) send();
  }

 private:
  struct Steps {
    Step sent;
    Step failed;
  };
  static void fail(std::span<const Steps> steps) noexcept;
  void clear() noexcept;

  Send send_;
  std::deque<space::Matched> selections_;  ///< the pieces refer to them
  std::vector<Piece> pieces_;
  std::deque<Buffer> staged_;
  std::uint64_t staged_bytes_ = 0;
  std::vector<Steps> steps_;
};

using SelectionReads = SelectionBatch<SelectionRead>;
using SelectionWrites = SelectionBatch<SelectionWrite>;
extern template class SelectionBatch<SelectionRead>;
extern template class SelectionBatch<SelectionWrite>;

}  // namespace filigree::io
