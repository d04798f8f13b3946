// SPDX-License-Identifier: Apache-2.0
#include "format/free_space/free_space.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {
namespace {

constexpr unsigned checksum_bytes = 4;

/// The width of values up to `largest` as release 1.8.0 computed it: one byte too small for 2^8n.
unsigned narrow_bytes(std::uint64_t largest) {
  const unsigned log2 = largest == 0 ? 0 : std::bit_width(largest) - 1;
  return std::max(1u, (log2 + 7) / 8);
}

unsigned count_width(const FreeSpaceList& m) {
  return m.narrow_widths ? narrow_bytes(m.serialised_sections) : bytes_to_hold(m.serialised_sections);
}

unsigned size_width(const FreeSpaceList& m) {
  return m.narrow_widths ? narrow_bytes(m.largest_section) : bytes_to_hold(m.largest_section);
}

unsigned address_width(std::uint16_t address_bits) { return (address_bits + 7u) / 8; }

bool has_class_data(FreeSpaceClient client, std::uint8_t type) {
  return client == FreeSpaceClient::heap &&
         (type == heap_section::first_row || type == heap_section::indirect);
}

unsigned class_data_bytes(const FreeSpaceList& m, std::uint8_t type) {
  return has_class_data(m.client, type) ? address_width(m.address_bits) + 6 : 0;
}

}  // namespace

template <class Io, Model<FreeSpaceHeader> M>
void describe(Io& io, M& m) {
  io.signature("FSHD");
  io.constant("version", 0);
  io.u8("client", m.client);
  io.range("client", m.client, 0, 1);
  io.length("free bytes", m.free_bytes);
  io.length("sections", m.sections);
  io.length("serialised sections", m.serialised_sections);
  io.length("ghost sections", m.ghost_sections);
  io.require(m.serialised_sections <= m.sections && m.ghost_sections == m.sections - m.serialised_sections,
             "ghost sections", "does not complete the number of sections");
  io.u16("section classes", m.section_classes);
  io.u16("shrink percent", m.shrink_percent);
  io.u16("expand percent", m.expand_percent);
  io.u16("address bits", m.address_bits);
  io.range("address bits", m.address_bits, 1, 64);
  io.length("largest section", m.largest_section);
  io.address("section list", m.list);
  io.length("section list bytes", m.list_bytes);
  io.length("section list allocated bytes", m.list_allocated_bytes);
  io.require(m.list_bytes <= m.list_allocated_bytes, "section list bytes", "exceeds what is allocated");
  io.checksum();
}

template <class Io, Model<HeapSectionData> M>
void describe(Io& io, M& m) {
  io.word("indirect block offset", m.block_offset, address_width(m.address_bits));
  io.u16("row", m.row);
  io.u16("column", m.column);
  io.u16("entries", m.entries);
}

template <class Io, class M, class S>
void describe_section(Io& io, M& m, S& section) {
  io.word("section address", section.address, address_width(m.address_bits));
  io.u8("section type", section.type);
  io.require(section.type < m.section_classes, "section type", "is unknown");
  io.require(section.address <= ~section.size, "section address", "lies too far out");
  io.blob("section class data", section.class_data, class_data_bytes(m, section.type));
}

template <class Io, class M>
void describe_sets(Io& io, M& m) {
  [[maybe_unused]] const std::size_t least_bytes = address_width(m.address_bits) + 1;
  if constexpr (Io::decodes) m.sections.clear();
  std::uint64_t at = 0;
  while (at < m.serialised_sections) {
    std::uint64_t count = 0, size = 0;
    if constexpr (!Io::decodes) {
      size = m.sections[at].size;
      while (at + count < m.sections.size() && m.sections[at + count].size == size) ++count;
    }
    io.word("sections in set", count, count_width(m));
    io.range("sections in set", count, 1, m.serialised_sections - at);
    io.word("section size", size, size_width(m));
    io.require(size > 0, "section size", "is zero");
    if constexpr (Io::decodes) {
      if (count > io.remaining() / least_bytes) io.truncated("sections");
      if (io.faulty()) return;
      m.sections.resize(at + count);
    }
    for (; count > 0; --count, ++at) {
      if constexpr (Io::decodes) m.sections[at].size = size;
      describe_section(io, m, m.sections[at]);
    }
  }
}

template <class Io, Model<FreeSpaceList> M>
void describe(Io& io, M& m) {
  io.signature("FSSE");
  io.constant("version", 0);
  io.address("manager", m.manager);
  if constexpr (!Io::decodes) {
    io.require(m.sections.size() == m.serialised_sections, "sections", "does not match its count");
  }
  describe_sets(io, m);
  if constexpr (Io::decodes) {
    // The checksum is at the end of the used bytes, wherever the sets end.
    if (io.remaining() < checksum_bytes) io.truncated("checksum");
    m.slack_bytes = io.faulty() ? 0 : io.remaining() - checksum_bytes;
  }
  io.reserved(m.slack_bytes);
  io.checksum();
}

FILIGREE_DESCRIBED(FreeSpaceHeader);
FILIGREE_DESCRIBED(HeapSectionData);
FILIGREE_DESCRIBED(FreeSpaceList);

namespace {

FreeSpaceList blank_list(const FreeSpaceHeader& header) {
  FreeSpaceList list;
  list.client = header.client;
  list.section_classes = header.section_classes;
  list.address_bits = header.address_bits;
  list.largest_section = header.largest_section;
  list.serialised_sections = header.serialised_sections;
  return list;
}

/// Whether the widths of release 1.8.0 consume the list exactly; `list` is then the decoded list.
bool reads_narrow(FreeSpaceList& list, const FreeSpaceHeader& header, Bytes bytes, const Widths& widths) {
  FreeSpaceList narrow = blank_list(header);
  narrow.narrow_widths = true;
  if (count_width(narrow) == count_width(list) && size_width(narrow) == size_width(list)) return false;
  try {
    decode(narrow, bytes, widths);
  } catch (const Error&) {
    return false;
  }
  if (narrow.slack_bytes > 0) return false;
  list = std::move(narrow);
  return true;
}

}  // namespace

std::vector<FreeSection> decode_sections(const FreeSpaceHeader& header, Address manager, Bytes bytes,
                                         const Widths& widths) {
  if (bytes.size() != header.list_bytes) {
    throw Error(ErrorKind::internal, fmt::format("{}: {} bytes given, {} in use", FreeSpaceList::structure,
                                                 bytes.size(), header.list_bytes));
  }
  FreeSpaceList list = blank_list(header);
  try {
    decode(list, bytes, widths, header.list);
    if (list.slack_bytes > 0) reads_narrow(list, header, bytes, widths);
  } catch (const Error&) {
    if (!reads_narrow(list, header, bytes, widths)) throw;
  }
  if (list.manager != manager) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{} at {}: belongs to the manager at {}, not {}", FreeSpaceList::structure,
                            to_string(header.list), to_string(list.manager), to_string(manager)));
  }
  return std::move(list.sections);
}

Buffer encode_sections(const FreeSpaceHeader& header, Address manager, std::span<const FreeSection> sections,
                       const Widths& widths) {
  FreeSpaceList list = blank_list(header);
  list.serialised_sections = sections.size();
  list.manager = manager;
  list.sections.assign(sections.begin(), sections.end());
  std::sort(list.sections.begin(), list.sections.end(), [](const FreeSection& a, const FreeSection& b) {
    return a.size != b.size ? a.size < b.size : a.address < b.address;
  });
  return encode(list, widths);
}

std::size_t section_list_bytes(const FreeSpaceHeader& header, std::span<const FreeSection> sections,
                               const Widths& widths) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(sections.size());
  std::uint64_t class_data = 0;
  for (const FreeSection& section : sections) {
    sizes.push_back(section.size);
    class_data += section.class_data.size();
  }
  std::sort(sizes.begin(), sizes.end());
  const auto different = std::unique(sizes.begin(), sizes.end()) - sizes.begin();
  return section_list_bytes(header, sections.size(), static_cast<std::uint64_t>(different), class_data,
                            widths);
}

std::size_t section_list_bytes(const FreeSpaceHeader& header, std::uint64_t sections, std::uint64_t sizes,
                               std::uint64_t class_data_bytes, const Widths& widths) {
  const std::uint64_t frame = 4 + 1 + widths.offset_bytes + checksum_bytes;
  const std::uint64_t set_head = bytes_to_hold(sections) + bytes_to_hold(header.largest_section);
  return frame + sizes * set_head + sections * (address_width(header.address_bits) + 1) + class_data_bytes;
}

}  // namespace filigree::format
