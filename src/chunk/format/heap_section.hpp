// SPDX-License-Identifier: Apache-2.0
//
// Values of variable length inside the chunk they belong to: elements hold descriptors (how many, and where
// in the heap section), the heap section holds what they stand for. Nothing goes to the file's global heap.
//
// A descriptor keeps the size that it has in other datasets: elements (4 bytes), offset from the start of the
// section (as wide as the file's offsets), zero (4 bytes). The section is a count of unused bytes (4), then
// payloads; those of nested values stand in the same section. Offset 0 is a missing value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "format/messages/datatype.hpp"
#include "type/conversion.hpp"

namespace filigree::chunk {

/// What conversions read descriptors of a chunk through. Many may read one section.
class HeapReader final : public type::FileValues {
 public:
  HeapReader(Bytes section, std::uint8_t offset_bytes) : section_(section), offset_bytes_(offset_bytes) {}
  std::uint8_t offset_bytes() const override { return offset_bytes_; }
  /// From the offset to the end of the section: where a payload ends its descriptor knows.
  Content fetch(const type::HeapObject& object) override;
  type::HeapObject store(Bytes content) override;

 private:
  Bytes section_;
  std::uint8_t offset_bytes_;
};

/// Appends to a section, which may be empty still.
class HeapWriter final : public type::FileValues {
 public:
  HeapWriter(Buffer& section, std::uint8_t offset_bytes) : section_(section), offset_bytes_(offset_bytes) {}
  std::uint8_t offset_bytes() const override { return offset_bytes_; }
  Content fetch(const type::HeapObject& object) override;
  type::HeapObject store(Bytes content) override;
  /// Room for a payload; returns its offset. Throws Error(limit) when offsets are too narrow for it.
  std::uint64_t allocate(std::size_t bytes);

 private:
  Buffer& section_;
  std::uint8_t offset_bytes_;
};

/// Elements with descriptors, and the section that these point into.
struct VariableCells {
  Buffer elements;
  Buffer heap;
};

/// Whether most of a heap may be payloads that nobody points to, when it had so many bytes after it was last
/// compacted.
constexpr bool heap_has_grown(std::size_t bytes, std::size_t compact_bytes) {
  constexpr std::size_t not_worth_it = 65536;
  return bytes > 2 * compact_bytes + not_worth_it;
}

/// Where an element of a type has its descriptors, at any depth; prepared once.
class VariableLayout {
 public:
  /// `type` is the form in files, with parts of variable length. Throws Error(unsupported) when it has none.
  explicit VariableLayout(const format::DatatypeMessage& type);

  std::size_t element_bytes() const { return element_bytes_; }
  std::uint8_t offset_bytes() const { return offset_bytes_; }

  /// Appends the payloads of elements to the heap `to`; their descriptors, which pointed into `from`, follow.
  /// Each payload is then referenced once. `from` is trusted so far that it may share payloads.
  void move_payloads(Buffer& elements, Bytes from, Buffer& to) const;
  /// The same elements with a heap of their own that has no bytes to spare.
  VariableCells compact(Buffer elements, Bytes heap) const;
  /// The same of untrusted sections, in the layout above or as a set of global heap collections ("HGLS",
  /// which prototypes write). Throws Error(corrupt) for descriptors that lead outside, and for more payload
  /// than the section has: nothing may be referenced twice.
  VariableCells decode(Buffer elements, Bytes heap) const;

 private:
  /// Neighbours that are alike: one descriptor, or an array of things with descriptors.
  struct Part {
    std::size_t offset = 0;
    std::size_t count = 1;          ///< of an array
    std::size_t stride = 0;         ///< of an array
    std::size_t payload_bytes = 0;  ///< for each element of a value; 0: no descriptor but an array
    std::vector<Part> below;        ///< in a payload's element, or in the array's
  };
  class Rebuild;

  void add(const format::DatatypeMessage& type, std::size_t offset, std::vector<Part>& parts);

  std::size_t element_bytes_;
  std::uint8_t offset_bytes_ = 0;
  std::vector<Part> parts_;
};

}  // namespace filigree::chunk
