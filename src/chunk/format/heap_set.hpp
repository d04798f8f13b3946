// SPDX-License-Identifier: Apache-2.0
//
// The heap section that prototypes of structured chunks write: a set of global heap collections.
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

/// Builds such a set. Collections have up to 64 KiB, unless a single payload is larger.
class HeapSetWriter {
 public:
  /// Adds a payload and returns its reference; see HeapSet::payload().
  /// *Throws* Error(limit) if there are too many collections.
  std::uint64_t add(Bytes payload);
  /// Returns the section; empty without any payload. The writer cannot be used afterwards.
  Buffer finish();

 private:
  void close_collection();

  std::vector<Buffer> collections_;
  std::uint16_t last_index_ = 0;  ///< of the last object in the last collection
};

}  // namespace filigree::chunk
