// SPDX-License-Identifier: Apache-2.0
//
// Memory for intermediate results that is used again and again.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "base/bytes.hpp"

namespace filigree {

/// Room for one result at a time. It is not cleared, and what a workspace leaves behind serves the next one
/// of its thread; so large results cost neither page faults nor zeroing once a thread is warm.
class Workspace {
 public:
  Workspace();
  /// Has what fits in there, in memory of somebody else; of all that does not fit nothing is different.
  explicit Workspace(MutableBytes lent) : lent_(lent) {}
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// `bytes` of any content. What was given out before is gone.
  MutableBytes allocate(std::size_t bytes);
  /// Holds a result that was made elsewhere.
  Bytes keep(Buffer result) {
    kept_ = std::move(result);
    return kept_;
  }
  void swap(Workspace& other) noexcept;

  /// Bytes that the end of a list may need beside its items.
  static constexpr std::size_t list_alignment = 16;
  /// The first part of `rest` as a list, which begins where lists may begin.
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
