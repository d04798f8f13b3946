// SPDX-License-Identifier: Apache-2.0
#include "space/sequences.hpp"

#include <algorithm>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::space {
namespace {

/// A list of limited length that joins adjacent runs.
class List {
 public:
  List(std::span<ByteRun> runs, SequenceOrder order) : runs_(runs), order_(order) {}

  /// Adds a run; returns false, without adding it, if the list is full or the order forbids it.
  bool add(const ByteRun& run) {
    if (size_ != 0) {
      ByteRun& last = runs_[size_ - 1];
      if (last.end() == run.offset) {
        last.length += run.length;
        return true;
      }
      if (order_ == SequenceOrder::ascending && run.offset < last.offset) return false;
    }
    if (size_ == runs_.size()) return false;
    runs_[size_++] = run;
    return true;
  }
  std::size_t size() const { return size_; }

 private:
  std::span<ByteRun> runs_;
  std::size_t size_ = 0;
  SequenceOrder order_;
};

}  // namespace

SequenceIterator::SequenceIterator(const Selection& selection, std::uint64_t element_bytes,
                                   SequenceOrder order)
    : cursor_(selection), element_bytes_(element_bytes), order_(order) {
  if (element_bytes == 0) throw Error(ErrorKind::invalid_argument, "elements of no size");
  checked_multiply(selection.frame().elements(), element_bytes, "the number of bytes in the extent");
}

SequenceCount SequenceIterator::fill(std::span<ByteRun> into, std::uint64_t elements_at_most) {
  List list(into, order_);
  std::uint64_t left = std::min(elements_at_most, cursor_.remaining());
  const std::uint64_t requested = left;
  for (bool fits = true; fits && left != 0;) {
    const RunPattern pattern = cursor_.pattern();
    const std::uint64_t left_before = left;
    for (std::uint64_t i = 0; i < pattern.count && left != 0; ++i) {
      const std::uint64_t length = std::min(pattern.length, left);
      const std::uint64_t start = pattern.start + i * pattern.stride;
      fits = list.add({start * element_bytes_, length * element_bytes_});
      if (!fits) break;
      left -= length;
    }
    cursor_.advance(left_before - left);
  }
  return {list.size(), requested - left};
}

}  // namespace filigree::space
