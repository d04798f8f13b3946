// SPDX-License-Identifier: Apache-2.0
//
// Values of variable length inside of their chunk: elements have descriptors (a count and an offset in the
// heap section), the heap section has the payloads. The file's global heap is not used.
//
// A descriptor keeps the size that it has in other datasets: elements (4 bytes), offset from the start of the
// section (as wide as the file's offsets), zero (4 bytes). The section is a count of unused bytes (4), then
// payloads; those of nested values are in the same section. Offset 0 is a null value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "format/messages/datatype.hpp"
#include "type/conversion.hpp"

namespace filigree::chunk {

/// Resolves descriptors for conversions. Several readers may share a section.
class HeapReader final : public type::FileValues {
 public:
  HeapReader(Bytes section, std::uint8_t offset_bytes) : section_(section), offset_bytes_(offset_bytes) {}
  std::uint8_t offset_bytes() const override { return offset_bytes_; }
  /// The bytes from the offset to the end of the section; the descriptor knows where the payload ends.
  Content fetch(const type::HeapObject& object) override;
  type::HeapObject store(Bytes content) override;

 private:
  Bytes section_;
  std::uint8_t offset_bytes_;
};

/// Appends payloads to a section, which may be empty.
class HeapWriter final : public type::FileValues {
 public:
  HeapWriter(Buffer& section, std::uint8_t offset_bytes) : section_(section), offset_bytes_(offset_bytes) {}
  std::uint8_t offset_bytes() const override { return offset_bytes_; }
  Content fetch(const type::HeapObject& object) override;
  type::HeapObject store(Bytes content) override;
  /// Allocates a payload; returns its offset. *Throws* Error(limit) if the offset is too large for
  /// descriptors.
  std::uint64_t allocate(std::size_t bytes);

 private:
  Buffer& section_;
  std::uint8_t offset_bytes_;
};

/// The largest heap section that is searched for when its size is not known.
inline constexpr std::uint64_t most_heap_bytes = std::uint64_t{1} << 36;

/// Elements with descriptors, and the heap section that these refer to.
struct VariableCells {
  Buffer elements;
  Buffer heap;
};

/// Whether most payloads of a heap may be unreferenced; `compact_bytes` is its size after it was last
/// compacted.
constexpr bool heap_has_grown(std::size_t bytes, std::size_t compact_bytes) {
  constexpr std::size_t not_worth_it = 65536;
  return bytes > 2 * compact_bytes + not_worth_it;
}

/// The descriptors of an element type, at any depth.
class VariableLayout {
 public:
  /// `type` is the type in the file. *Throws* Error(unsupported) if it has no parts of variable length.
  explicit VariableLayout(const format::DatatypeMessage& type);

  std::size_t element_bytes() const { return element_bytes_; }
  std::uint8_t offset_bytes() const { return offset_bytes_; }

  /// Appends the payloads of elements to the heap `to` and updates their descriptors, which referred to
  /// `from`. Each payload is then referenced once. Payloads in `from` may be shared.
  void move_payloads(Buffer& elements, Bytes from, Buffer& to) const;
  /// The same elements with a heap that has no unreferenced bytes.
  VariableCells compact(Buffer elements, Bytes heap) const;
  /// The same elements with a set of global heap collections ("HGLS"), which prototypes read.
  /// *Throws* Error(limit) for too many values, and if offsets in the file have less than 4 bytes.
  VariableCells encode_set(Buffer elements, Bytes heap) const;
  /// The same for untrusted sections, in the layout above or as a set of global heap collections ("HGLS",
  /// which prototypes write). *Throws* Error(corrupt) for descriptors that refer to bytes outside, and for
  /// payloads that are referenced twice.
  VariableCells decode(Buffer elements, Bytes heap) const;

 private:
  /// One descriptor, or an array whose elements have descriptors.
  struct Part {
    std::size_t offset = 0;
    std::size_t count = 1;          ///< of an array
    std::size_t stride = 0;         ///< of an array
    std::size_t payload_bytes = 0;  ///< for each element of a value; 0: no descriptor but an array
    std::vector<Part> below;        ///< in a payload's element, or in the array's
  };
  class Rebuild;
  class ToSet;

  void add(const format::DatatypeMessage& type, std::size_t offset, std::vector<Part>& parts);

  std::size_t element_bytes_;
  std::uint8_t offset_bytes_ = 0;
  std::vector<Part> parts_;
};

}  // namespace filigree::chunk
