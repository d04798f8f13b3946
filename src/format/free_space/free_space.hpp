// SPDX-License-Identifier: Apache-2.0
//
// Free-space managers: the header ("FSHD") and the list of free sections ("FSSE"). The same structures manage
// the space of fractal heaps and of the file. See HDF5 File Format Specification, section "Free-space
// Manager".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// The client whose space is managed.
enum class FreeSpaceClient : std::uint8_t { heap = 0, file = 1 };

/// Kinds of section in a fractal heap.
namespace heap_section {
inline constexpr std::uint8_t single = 0;      ///< a hole in an allocated direct block
inline constexpr std::uint8_t first_row = 1;   ///< represents an indirect section
inline constexpr std::uint8_t normal_row = 2;  ///< implied by a first row; never stored
inline constexpr std::uint8_t indirect = 3;    ///< entries of an indirect block that have no blocks
}  // namespace heap_section

/// Kinds of section in a file.
namespace file_section {
inline constexpr std::uint8_t simple = 0;
inline constexpr std::uint8_t small = 1;  ///< within one page (paged aggregation)
inline constexpr std::uint8_t large = 2;  ///< whole pages
}  // namespace file_section

struct FreeSpaceHeader {
  static constexpr std::string_view structure = "free-space manager header";
  FreeSpaceClient client = FreeSpaceClient::heap;
  std::uint64_t free_bytes = 0;  ///< including ghost sections of a heap
  std::uint64_t sections = 0;    ///< number of serialised and ghost sections
  std::uint64_t serialised_sections = 0;
  std::uint64_t ghost_sections = 0;
  std::uint16_t section_classes = 4;  ///< heap 4, file 3
  std::uint16_t shrink_percent = 80;
  std::uint16_t expand_percent = 120;
  std::uint16_t address_bits = 0;          ///< heap: its maximum size in bits; file: 63
  std::uint64_t largest_section = 0;       ///< heap: largest direct block
  Address list = Address::undefined;       ///< undefined if there are no sections
  std::uint64_t list_bytes = 0;            ///< used size of the list including its checksum
  std::uint64_t list_allocated_bytes = 0;  ///< allocated size of the list
};

/// A free range. `address` is an address in the file, or an offset in a fractal heap.
struct FreeSection {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint8_t type = 0;
  Buffer class_data;  ///< heap types first_row and indirect only: see HeapSectionData
  friend bool operator==(const FreeSection&, const FreeSection&) = default;
};

/// The class data of heap sections of types first_row and indirect: entries of an indirect block.
struct HeapSectionData {
  static constexpr std::string_view structure = "fractal heap free section";
  std::uint16_t address_bits = 0;  ///< set by the caller from the header
  std::uint64_t block_offset = 0;  ///< offset of the indirect block in the heap
  std::uint16_t row = 0;
  std::uint16_t column = 0;
  std::uint16_t entries = 0;
};

/// The list of sections. The caller sets the members before `manager` from the header; they are not stored.
struct FreeSpaceList {
  static constexpr std::string_view structure = "free-space section list";
  FreeSpaceClient client = FreeSpaceClient::heap;
  std::uint16_t section_classes = 4;
  std::uint16_t address_bits = 0;
  std::uint64_t largest_section = 0;
  std::uint64_t serialised_sections = 0;
  bool narrow_widths = false;  ///< whether the widths of counts and sizes are those of release 1.8.0

  Address manager = Address::undefined;  ///< address of the header
  std::vector<FreeSection> sections;     ///< ordered by size, then address
  std::uint64_t slack_bytes = 0;         ///< unused bytes before the checksum
};

/// Decodes the list that `header` (at address `manager`) points to. *Requires* a `list` of exactly
/// `header.list_bytes`. *Throws* Error(corrupt) or Error(truncated).
std::vector<FreeSection> decode_sections(const FreeSpaceHeader& header, Address manager, Bytes list,
                                         const Widths& widths);

/// Encodes a list of `sections` in any order; the result has section_list_bytes(). Only client,
/// section_classes, address_bits and largest_section of `header` are used. The caller updates the counts in
/// the header.
Buffer encode_sections(const FreeSpaceHeader& header, Address manager, std::span<const FreeSection> sections,
                       const Widths& widths);

/// The size of a list of these sections, in any order. Without sections no list is needed; an allocated empty
/// list has only its prefix and checksum.
std::size_t section_list_bytes(const FreeSpaceHeader& header, std::span<const FreeSection> sections,
                               const Widths& widths);

/// The same from counts: `sections` sections of `sizes` different sizes, with `class_data_bytes` of class
/// data in total.
std::size_t section_list_bytes(const FreeSpaceHeader& header, std::uint64_t sections, std::uint64_t sizes,
                               std::uint64_t class_data_bytes, const Widths& widths);

}  // namespace filigree::format
