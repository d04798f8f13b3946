// SPDX-License-Identifier: Apache-2.0
//
// Exceptions: the high bits of the few values that have more bits than others.
#pragma once

#include <cstdint>
#include <span>

#include <filigree/error.hpp>

#include "filter/packed_selection/rice.hpp"

namespace filigree::filter {

/// Collects exceptions in the order of their values.
class ExceptionWriter {
 public:
  /// Notes that `high` times 2^bits has to be added to the value with this index.
  void add(std::size_t index, std::uint64_t high) {
    put_varint(list_, index - next_);
    put_varint(list_, high);
    next_ = index + 1;
    ++count_;
  }
  std::uint64_t count() const { return count_; }
  /// The exceptions, without their count.
  const Buffer& list() const { return list_; }

 private:
  Buffer list_;
  std::size_t next_ = 0;
  std::uint64_t count_ = 0;
};

/// About the bytes of an exception with this many high bits.
constexpr std::uint64_t exception_bytes(unsigned high_bits) { return 2 + (high_bits + 6) / 7; }

/// An exception, as a reader finds it.
struct Exception {
  std::uint64_t index = 0, high = 0;
};

/// Reads `count` exceptions and calls `visit(exception)` for each. *Throws* Error if one is not among
/// `values` values.
template <class Visit>
void for_each_exception(VarintReader& in, std::uint64_t count, std::uint64_t values, Visit visit) {
  std::uint64_t next = 0;
  for (; count > 0; --count) {
    const std::uint64_t gap = in.varint(), high = in.varint();
    if (gap >= values - next) throw Error(ErrorKind::corrupt, "packed values have an exception too many");
    visit(Exception{next + gap, high});
    next += gap + 1;
  }
}

}  // namespace filigree::filter
