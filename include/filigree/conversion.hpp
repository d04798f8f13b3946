// SPDX-License-Identifier: Apache-2.0
//
// Datatype conversion: variable-length values in memory, and the handling of values that the destination type
// cannot represent.
#pragma once

#include <cstddef>
#include <cstdint>

namespace filigree {

/// How a variable-length value is held in memory: as std::string, std::vector<T>, or a C pointer.
struct Container {
  /// The elements of one value.
  struct View {
    const void* elements = nullptr;
    std::size_t count = 0;
    bool missing = false;  ///< a null pointer, which a file distinguishes from a value without elements
  };

  std::uint32_t bytes = 0;  ///< the size of the value itself, without its elements
  std::uint32_t alignment = 1;
  /// Returns the elements of the value.
  View (*view)(const void* value) = nullptr;
  /// Resizes the value to `count` elements of `element_bytes` and returns the address of the first one. The
  /// elements are valid objects of their type; C values are zero bytes. `memory` comes from the caller of the
  /// conversion.
  void* (*resize)(void* value, std::size_t count, std::size_t element_bytes, void* memory) = nullptr;
  /// Makes the value missing, or empty if the container cannot express a missing value.
  void (*clear)(void* value) = nullptr;
  /// The value is {length, pointer} or char*, as in C. The program owns and frees the memory.
  bool is_c = false;
};

/// Why a value cannot be converted; the numbers are those of H5T_conv_except_t.
enum class ConversionFault : std::uint8_t {
  range_high = 0,
  range_low = 1,
  precision = 2,
  truncated = 3,
  positive_infinity = 4,
  negative_infinity = 5,
  not_a_number = 6,
};

/// What a conversion handler decided; the numbers are those of H5T_conv_ret_t.
enum class FaultHandling : std::int8_t {
  abort = -1,     ///< the conversion throws Error(conversion)
  unhandled = 0,  ///< the value is clipped, truncated or rounded, as without a handler
  handled = 1,    ///< the handler has written the result
};

/// The allocator for variable-length values of C programs; null functions mean malloc and free.
struct CMemory {
  void* (*allocate)(std::size_t bytes, void* info) = nullptr;
  void (*release)(void* block, void* info) = nullptr;
  void* allocate_info = nullptr;
  void* release_info = nullptr;
};

/// The set of supported conversions.
enum class ConversionRules : std::uint8_t {
  natural,  ///< HDF5's, plus fixed to variable strings, character sets, and integers to enumerations; a
            ///< string that is too long for its destination is an error
  hdf5,     ///< exactly those of HDF5, which truncates such strings
};

}  // namespace filigree
