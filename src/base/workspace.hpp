// SPDX-License-Identifier: Apache-2.0
//
// Reusable memory for intermediate results.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "base/bytes.hpp"

namespace filigree {

/// A buffer for one intermediate result at a time. The memory is not cleared, and the thread keeps it for its
/// next workspace, so large results cost neither page faults nor zeroing after the first.
///
/// *Thread safety*: a workspace is used by one thread at a time.
class Workspace {
 public:
  /// Takes over a buffer that an earlier workspace of this thread left, if there is one.
  Workspace();
  /// Uses `lent` for requests that fit; larger requests fall back to the thread's buffer. *Requires* that
  /// `lent` outlives the workspace.
  explicit Workspace(MutableBytes lent) : lent_(lent) {}
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// Returns `bytes` of uninitialised memory. *Invalidates* the memory that this workspace returned before.
  MutableBytes allocate(std::size_t bytes);
  /// Takes ownership of a result that was made elsewhere and returns a view of it.
  Bytes keep(Buffer result) {
    kept_ = std::move(result);
    return kept_;
  }
  void swap(Workspace& other) noexcept;

  /// The alignment of lists, and the most padding bytes that a list may need.
  static constexpr std::size_t list_alignment = 16;
  /// Splits a list of `items` off the front of `rest`, which stays aligned for the next list. *Requires* that
  /// `rest` has the items and list_alignment bytes for each list.
  template <class T>
  static std::span<T> allocate_list(MutableBytes& rest, std::size_t items) {
    const std::size_t bytes = (items * sizeof(T) + list_alignment - 1) / list_alignment * list_alignment;
    const std::span<T> list(reinterpret_cast<T*>(rest.data()), items);
    rest = rest.subspan(bytes);
    return list;
  }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes = 0;
  };
  struct Spare;
  static Spare* spare();

  Block block_;
  Buffer kept_;
  MutableBytes lent_;
};

}  // namespace filigree
