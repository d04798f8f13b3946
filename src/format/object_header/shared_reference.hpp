// SPDX-License-Identifier: Apache-2.0
//
// References to shared messages, which replace the body of a message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/address.hpp"

namespace filigree::format {

/// The identifier of an object in a shared message heap.
using SharedHeapId = std::array<std::byte, 8>;

enum class SharedKind : std::uint8_t {
  heap = 1,    ///< in the heap of the index that tracks the message's type
  header = 2,  ///< the first message of the same type in another object's header
};

/// The body of a message with the flag `shared`. Bytes after it are leftovers of the longer original.
/// Attributes contain it as well. Versions 1 and 2 refer only to object headers.
struct SharedReference {
  static constexpr std::string_view structure = "shared message reference";
  std::uint8_t version = 2;
  SharedKind kind = SharedKind::header;
  Address header = Address::undefined;  ///< SharedKind::header
  SharedHeapId heap_id{};               ///< SharedKind::heap
  std::uint64_t name_offset = 0;        ///< version 1 embeds a symbol table entry; unused
};

}  // namespace filigree::format
