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
  /// Whether a heap section is such a set. Read as a count of unused bytes, its signature would be 1.4 GB.
  static bool recognises(Bytes section);
  /// *Requires*: the bytes, which are untrusted, outlive the set. *Throws* Error(corrupt) or
  /// Error(truncated).
  explicit HeapSet(Bytes section);
  /// `reference` is a slot (2 bytes), an index (2 bytes) and zeros. *Throws* Error(corrupt) if there is no
  /// such object, or if it has another size.
  Bytes payload(std::uint64_t reference, std::uint64_t bytes) const;

 private:
  void read_slot(std::uint64_t slot, Bytes collection);
  std::vector<std::pair<std::uint64_t, Bytes>> objects_;  ///< by reference, ascending
};

}  // namespace filigree::chunk
