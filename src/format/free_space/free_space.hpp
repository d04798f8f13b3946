// SPDX-License-Identifier: Apache-2.0
//
// A free-space manager as the file holds it: its header ("FSHD") and its list of free sections
// ("FSSE"). The same two structures serve the space of fractal heaps and the space of the file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// Whose space is managed.
enum class FreeSpaceClient : std::uint8_t { heap = 0, file = 1 };

/// Kinds of section in a fractal heap.
namespace heap_section {
inline constexpr std::uint8_t single = 0;      ///< a hole in an allocated direct block
inline constexpr std::uint8_t first_row = 1;   ///< stands for an indirect section
inline constexpr std::uint8_t normal_row = 2;  ///< implied by a first row; never stored
inline constexpr std::uint8_t indirect = 3;    ///< entries of an indirect block without blocks
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
  std::uint64_t free_bytes = 0;  ///< heap: ghost sections included
  std::uint64_t sections = 0;    ///< serialised + ghosts
  std::uint64_t serialised_sections = 0;
  std::uint64_t ghost_sections = 0;
  std::uint16_t section_classes = 4;  ///< heap 4, file 3
  std::uint16_t shrink_percent = 80;
  std::uint16_t expand_percent = 120;
  std::uint16_t address_bits = 0;          ///< heap: its maximum size in bits; file: 63
  std::uint64_t largest_section = 0;       ///< heap: largest direct block
  Address list = Address::undefined;       ///< undefined when there are no sections
  std::uint64_t list_bytes = 0;            ///< bytes of the list in use, checksum included
  std::uint64_t list_allocated_bytes = 0;  ///< space set aside at `list`
};

/// A free range. `address` is a file position, or an offset within a fractal heap.
struct FreeSection {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint8_t type = 0;
  Buffer class_data;  ///< heap types first_row and indirect only: see HeapSectionData
  friend bool operator==(const FreeSection&, const FreeSection&) = default;
};

/// Class data of heap sections of types first_row and indirect: which entries of which indirect block.
struct HeapSectionData {
  static constexpr std::string_view structure = "fractal heap free section";
  std::uint16_t address_bits = 0;  ///< from the header, not stored here
  std::uint64_t block_offset = 0;  ///< the indirect block's offset within the heap
  std::uint16_t row = 0;
  std::uint16_t column = 0;
  std::uint16_t entries = 0;
};

/// The list itself. The members before `manager` come from the header and are not stored in it.
struct FreeSpaceList {
  static constexpr std::string_view structure = "free-space section list";
  FreeSpaceClient client = FreeSpaceClient::heap;
  std::uint16_t section_classes = 4;
  std::uint16_t address_bits = 0;
  std::uint64_t largest_section = 0;
  std::uint64_t serialised_sections = 0;
  bool narrow_widths = false;  ///< as release 1.8.0 computed the widths of counts and sizes

  Address manager = Address::undefined;  ///< back pointer to the header
  std::vector<FreeSection> sections;     ///< ascending by size, then address
  std::uint64_t slack_bytes = 0;         ///< unused, before the checksum
};

/// The sections of the list that `header` (at `manager`) points to. `list` is exactly
/// `header.list_bytes` long. Throws Error(corrupt or truncated).
std::vector<FreeSection> decode_sections(const FreeSpaceHeader& header, Address manager, Bytes list,
                                         const Widths& widths);

/// The list of `sections`, in any order; exactly section_list_bytes() long. Of `header` only client,
/// section_classes, address_bits and largest_section count. The caller stores the number of sections and
/// of bytes in the header.
Buffer encode_sections(const FreeSpaceHeader& header, Address manager, std::span<const FreeSection> sections,
                       const Widths& widths);

/// Bytes that a list of these sections (in any order) needs. No sections need no list, but an
/// allocated empty one takes its frame.
std::size_t section_list_bytes(const FreeSpaceHeader& header, std::span<const FreeSection> sections,
                               const Widths& widths);

/// As above, when the caller keeps count itself: `sections` of `sizes` different sizes, with
/// `class_data_bytes` of class data in all.
std::size_t section_list_bytes(const FreeSpaceHeader& header, std::uint64_t sections, std::uint64_t sizes,
                               std::uint64_t class_data_bytes, const Widths& widths);

}  // namespace filigree::format
