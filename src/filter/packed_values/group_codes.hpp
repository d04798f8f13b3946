// SPDX-License-Identifier: Apache-2.0
//
// The group encoding of values: for few values that occur often. A group is a number of copies of the most
// frequent value, followed by another value, and has a prefix code. docs/format/packed-values.md specifies
// the layout.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "filter/packed_values/prefix_code.hpp"
#include "filter/packed_values/value_counts.hpp"

namespace filigree::filter {

/// The groups that have a code.
struct GroupShape {
  static constexpr unsigned most_values = 254, longest_run = 32, most_symbols = 1024, most_segments = 16;

  unsigned values = 0;        ///< size of the table of values
  unsigned literal_bits = 0;  ///< bits of values that are not in the table; 0 if there are none
  unsigned run = 0;           ///< the longest run of the most frequent value

  /// The number of values that may end a group; a literal counts as one.
  unsigned others() const { return values - 1 + (literal_bits != 0); }
  unsigned symbols() const { return run * others() + 1; }
  /// The symbol of `run` copies of the most frequent value, without another one.
  unsigned run_symbol() const { return run * others(); }
  /// Whether the file format permits the shape, for elements of this size.
  bool is_possible(unsigned element_bits) const {
    return values >= 1 && values <= most_values && literal_bits <= element_bits && run >= 1 &&
           run <= longest_run && symbols() >= 2 && symbols() <= most_symbols;
  }
};

/// Values as groups, before they are written.
struct GroupPlan {
  GroupShape shape = {};
  std::uint64_t base = 0;                 ///< the table and literals contain differences from it
  std::vector<std::uint64_t> table = {};  ///< the most frequent value first
  CodeLengths lengths = {};               ///< of the codes of all symbols
  unsigned segments = 1;
  std::uint64_t bits = 0;   ///< size of all codes
  std::uint64_t bytes = 0;  ///< approximate size of the encoding
};

/// Differences of values from a base.
struct Differences {
  std::span<const std::uint64_t> words;
  std::uint64_t base = 0;
  unsigned element_bytes = 1;
};

/// Returns the best groups for `words`, or nothing if they cannot take fewer than `most_bytes`. `counts` are
/// those of the words.
std::optional<GroupPlan> plan_groups(const Differences& from, const ValueCounts& counts,
                                     std::uint64_t most_bytes);
void write_groups(Buffer& to, const GroupPlan& plan, const Differences& from, const ValueCounts& counts);

/// Decodes `to.size()` values. *Throws* Error for invalid data.
template <class T>
void read_groups(Bytes stored, std::span<T> to);

}  // namespace filigree::filter
