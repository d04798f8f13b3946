// SPDX-License-Identifier: Apache-2.0
//
// What conversions between types ask of their callers: where variable-length values stand in
// memory, and what to do with a value that the other type cannot hold.
#pragma once

#include <cstddef>
#include <cstdint>

namespace filigree {

/// How a variable-length value stands in memory: as std::string, std::vector<T>, or a C pointer.
struct Container {
  struct View {
    const void* elements = nullptr;
    std::size_t count = 0;
    bool missing = false;  ///< a null pointer, which a file tells from a value without elements
  };

  std::uint32_t bytes = 0;  ///< of the value itself, without its elements
  std::uint32_t alignment = 1;
  View (*view)(const void* value) = nullptr;
  /// Makes the value hold `count` elements of `element_bytes` and returns where they stand. The elements are
  /// valid objects of their type (or, in the C forms, zero bytes). `memory` comes from the caller of the
  /// conversion.
  void* (*resize)(void* value, std::size_t count, std::size_t element_bytes, void* memory) = nullptr;
  /// Makes the value a missing one, or an empty one where the form knows no difference.
  void (*clear)(void* value) = nullptr;
  /// {length, pointer} or char*, as C programs hold values: the block is theirs to free.
  bool is_c = false;
};

/// What can be wrong with a value; the numbers are those of the C API.
enum class ConversionFault : std::uint8_t {
  range_high = 0,
  range_low = 1,
  precision = 2,
  truncated = 3,
  positive_infinity = 4,
  negative_infinity = 5,
  not_a_number = 6,
};

enum class FaultHandling : std::int8_t {
  abort = -1,     ///< the conversion throws Error(conversion)
  unhandled = 0,  ///< the value is clipped, cut or rounded as without a handler
  handled = 1,    ///< the handler has written the result
};

/// Where variable-length values of C programs get their memory, and give it back; null means malloc and free.
struct CMemory {
  void* (*allocate)(std::size_t bytes, void* info) = nullptr;
  void (*release)(void* block, void* info) = nullptr;
  void* allocate_info = nullptr;
  void* release_info = nullptr;
};

enum class ConversionRules : std::uint8_t {
  natural,  ///< also between fixed and variable strings and between character sets, and integers to
            ///< enumerations; a string too long for its destination is an error
  stock,    ///< exactly those of the stock library, which cuts such strings
};

}  // namespace filigree
