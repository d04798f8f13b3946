// SPDX-License-Identifier: Apache-2.0
//
// The heap section that prototypes of structured chunks write: a set of global heap collections. Read only.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace filigree::chunk {

class HeapSet {
 public:
  /// Whether a heap section is one. As a count of unused bytes its signature would be 1.4 GB.
  static bool recognises(Bytes section);
  /// Of untrusted bytes, which outlive the set. Throws Error(corrupt or truncated).
  explicit HeapSet(Bytes section);
  /// `reference` is a slot (2 bytes), an index (2 bytes) and zeros. Throws Error(corrupt) when there is no
  /// such object, or when it has not exactly these bytes.
  Bytes payload(std::uint64_t reference, std::uint64_t bytes) const;

 private:
  void read_slot(std::uint64_t slot, Bytes collection);
  std::vector<std::pair<std::uint64_t, Bytes>> objects_;  ///< by reference, ascending
};

}  // namespace filigree::chunk
