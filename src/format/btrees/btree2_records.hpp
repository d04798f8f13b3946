// SPDX-License-Identifier: Apache-2.0
//
// The records of version 2 B-trees of types 1 to 6, 8 and 9. A tree holds them as bytes; these structures
// decode them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/address.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// The fractal heap ids of links and attributes.
using LinkHeapId = std::array<std::byte, 7>;
using AttributeHeapId = std::array<std::byte, 8>;

/// A huge object of a fractal heap with an indirect id; ordered by the id.
struct HugeIndirectRecord {
  static constexpr std::string_view structure = "huge object record";
  static constexpr std::uint8_t type = 1;
  static constexpr std::uint16_t record_bytes(const Widths& w) { return w.offset_bytes + 2 * w.length_bytes; }
  Address at = Address::undefined;
  std::uint64_t bytes = 0;
  std::uint64_t id = 0;
};

/// The same in a heap with filters.
struct HugeIndirectFilteredRecord {
  static constexpr std::string_view structure = "filtered huge object record";
  static constexpr std::uint8_t type = 2;
  static constexpr std::uint16_t record_bytes(const Widths& w) {
    return w.offset_bytes + 3 * w.length_bytes + 4;
  }
  Address at = Address::undefined;
  std::uint64_t bytes = 0;        ///< size as stored
  std::uint32_t filter_mask = 0;  ///< bit i is set if filter i was skipped
  std::uint64_t unfiltered_bytes = 0;
  std::uint64_t id = 0;
};

/// A huge object whose heap id holds its address; ordered by address, then length.
struct HugeDirectRecord {
  static constexpr std::string_view structure = "huge object record";
  static constexpr std::uint8_t type = 3;
  static constexpr std::uint16_t record_bytes(const Widths& w) { return w.offset_bytes + w.length_bytes; }
  Address at = Address::undefined;
  std::uint64_t bytes = 0;
};

/// The same in a heap with filters.
struct HugeDirectFilteredRecord {
  static constexpr std::string_view structure = "filtered huge object record";
  static constexpr std::uint8_t type = 4;
  static constexpr std::uint16_t record_bytes(const Widths& w) {
    return w.offset_bytes + 2 * w.length_bytes + 4;
  }
  Address at = Address::undefined;
  std::uint64_t bytes = 0;  ///< size as stored
  std::uint32_t filter_mask = 0;
  std::uint64_t unfiltered_bytes = 0;
};

/// A link by name; ordered by the lookup3 hash of the name, then by the name.
struct LinkNameRecord {
  static constexpr std::string_view structure = "link name record";
  static constexpr std::uint8_t type = 5;
  static constexpr std::uint16_t record_bytes(const Widths&) { return 11; }
  std::uint32_t hash = 0;
  LinkHeapId heap_id{};
};

/// A link by creation order.
struct LinkOrderRecord {
  static constexpr std::string_view structure = "link creation order record";
  static constexpr std::uint8_t type = 6;
  static constexpr std::uint16_t record_bytes(const Widths&) { return 15; }
  std::int64_t order = 0;
  LinkHeapId heap_id{};
};

/// An attribute by name; ordered by the lookup3 hash of the name, then by the name.
struct AttributeNameRecord {
  static constexpr std::string_view structure = "attribute name record";
  static constexpr std::uint8_t type = 8;
  static constexpr std::uint16_t record_bytes(const Widths&) { return 17; }
  AttributeHeapId heap_id{};
  std::uint8_t message_flags = 0;  ///< bit 1 is set if the attribute is in the shared message heap
  std::uint32_t order = 0;         ///< creation order; 65535 if it is not tracked
  std::uint32_t hash = 0;
};

/// An attribute by creation order.
struct AttributeOrderRecord {
  static constexpr std::string_view structure = "attribute creation order record";
  static constexpr std::uint8_t type = 9;
  static constexpr std::uint16_t record_bytes(const Widths&) { return 13; }
  AttributeHeapId heap_id{};
  std::uint8_t message_flags = 0;
  std::uint32_t order = 0;
};

}  // namespace filigree::format
