// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of descriptions of on-disk structures. A description is a function template `describe(io,
// model)` that names the fields in file order. The visitors Decoder, Encoder, Sizer and Dumper execute it. A
// description has no side effects and handles no errors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/address.hpp"
#include "base/bytes.hpp"

namespace filigree::format {

/// The sizes of offsets and lengths in a file, as the superblock declares them: 2, 4 or 8 bytes each.
struct Widths {
  std::uint8_t offset_bytes = 8;
  std::uint8_t length_bytes = 8;
  friend bool operator==(const Widths&, const Widths&) = default;
};

/// A length without limit, which is stored with all bits set.
inline constexpr std::uint64_t unlimited = ~std::uint64_t{0};

namespace detail {
/// The value of a number, an enumerator or a bool as an unsigned word.
template <class T>
std::uint64_t to_word(const T& v) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<std::underlying_type_t<T>>>(v));
  } else if constexpr (std::is_same_v<T, bool>) {
    return v ? 1 : 0;
  } else {
    return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(v));
  }
}
}  // namespace detail

/// The functions that every visitor offers. `Self` supplies `decodes`, `widths()`, `position()`, and the
/// primitives word(), blob(), resize(), require() and checksum().
template <class Self>
class Fields {
 public:
  /// An unsigned (or enumerated, or boolean) field of `width` bytes.
  template <class T>
  void word(std::string_view name, T& v, unsigned width) {
    std::uint64_t w = 0;
    if constexpr (Self::decodes) {
      self().primitive_word(name, w, width);
      // A field that is narrower in memory than in the file must not lose bits silently.
      if constexpr (!std::is_same_v<T, bool>) {
        if (sizeof(T) < 8 && width > sizeof(T)) require(w <= widest_word(sizeof(T)), name, "is too large");
      }
      v = static_cast<T>(w);
    } else {
      w = detail::to_word(v) & (sizeof(T) < 8 ? widest_word(sizeof(T)) : ~std::uint64_t{0});
      self().primitive_word(name, w, width);
    }
  }
  /// Unsigned fields of 1, 2, 3, 4 and 8 bytes.
  template <class T>
  void u8(std::string_view name, T& v) {
    word(name, v, 1);
  }
  template <class T>
  void u16(std::string_view name, T& v) {
    word(name, v, 2);
  }
  template <class T>
  void u24(std::string_view name, T& v) {
    word(name, v, 3);
  }
  template <class T>
  void u32(std::string_view name, T& v) {
    word(name, v, 4);
  }
  template <class T>
  void u64(std::string_view name, T& v) {
    word(name, v, 8);
  }

  /// An address in the offset width of the file; all bits set means `Address::undefined`.
  template <class T>
  void address(std::string_view name, T& v) {
    sentinel_word(name, v, self().widths().offset_bytes);
  }

  /// A size or count in the length width of the file.
  template <class T>
  void length(std::string_view name, T& v) {
    word(name, v, self().widths().length_bytes);
  }

  /// Like length(), with all bits set for `unlimited`.
  template <class T>
  void length_or_unlimited(std::string_view name, T& v) {
    word_or_unlimited(name, v, self().widths().length_bytes);
  }

  /// Like word(), with all bits set for `unlimited`.
  template <class T>
  void word_or_unlimited(std::string_view name, T& v, unsigned width) {
    sentinel_word(name, v, width);
  }

  /// `count` numbers of `width` bytes each in a `std::vector<std::uint64_t>`, for lists that are too long to
  /// be described one by one.
  template <class List>
  void words(std::string_view name, List& list, std::uint64_t count, unsigned width) {
    resize(name, list, count, width);
    self().primitive_words(name, list, width);
  }

  /// Reserved bytes, which are skipped when reading and zero when writing.
  void reserved(std::size_t count) {
    for (; count > 0; count -= std::min<std::size_t>(count, 8)) {
      std::uint64_t zero = 0;
      self().primitive_word("reserved", zero, static_cast<unsigned>(std::min<std::size_t>(count, 8)));
    }
  }

  /// Bytes that must have exactly this value, such as a signature.
  void signature(std::string_view text) {
    for (char expected : text) {
      std::uint64_t found = static_cast<unsigned char>(expected);
      self().primitive_word("signature", found, 1);
      require(found == static_cast<unsigned char>(expected), "signature", "does not match");
    }
  }

  /// A one-byte field that has one legal value.
  void constant(std::string_view name, std::uint8_t value) {
    std::uint8_t found = value;
    self().u8(name, found);
    range(name, found, value, value);
  }

  /// Checks the range of the previous field. A violation is a fault when reading, and an error of the caller
  /// when writing.
  template <class T, class Low, class High>
  void range(std::string_view name, const T& v, Low low, High high) {
    const std::uint64_t w = detail::to_word(v);
    if (w < static_cast<std::uint64_t>(low) || w > static_cast<std::uint64_t>(high)) {
      self().out_of_range(name, w, static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high));
    }
  }
  /// Checks a condition on the previous fields; `otherwise` completes the sentence "field `name` ...".
  void require(bool holds, std::string_view name, std::string_view otherwise) {
    if (!holds) self().violated(name, otherwise);
  }

  /// Exactly `count` characters, without terminator.
  template <class Text>
  void characters(std::string_view name, Text& text, std::uint64_t count) {
    self().primitive_text(name, text, count);
  }

  /// A NUL-terminated string; with `multiple` > 1, NUL-padded to a multiple of that.
  template <class Text>
  void terminated(std::string_view name, Text& text, unsigned multiple = 1) {
    self().primitive_terminated(name, text, multiple);
  }

  /// `count` raw bytes.
  template <class Raw>
  void blob(std::string_view name, Raw& bytes, std::uint64_t count) {
    self().primitive_blob(name, bytes, count);
  }

  /// All bytes up to the end of the input; when writing, all of `bytes`.
  template <class Raw>
  void rest(std::string_view name, Raw& bytes) {
    if constexpr (Self::decodes) {
      self().primitive_blob(name, bytes, self().remaining());
    } else {
      self().primitive_blob(name, bytes, bytes.size());
    }
  }

  /// Resizes `list` to `count` elements before they are described one by one. If the input cannot hold that
  /// many elements of `least_bytes` each, this is a fault, and nothing is allocated.
  template <class List>
  void resize(std::string_view name, List& list, std::uint64_t count, std::size_t least_bytes = 1) {
    if constexpr (Self::decodes) {
      if (count > self().remaining() / least_bytes) self().truncated(name);
      list.resize(self().faulty() ? 0 : static_cast<std::size_t>(count));
    } else {
      require(list.size() == count, name, "does not match its count");
    }
  }

  /// The lookup3 checksum of all bytes from the start of the structure.
  void checksum() { self().primitive_checksum(); }

 private:
  Self& self() { return static_cast<Self&>(*this); }

  /// A word whose largest value in the file becomes the largest 64-bit value in memory.
  template <class T>
  void sentinel_word(std::string_view name, T& v, unsigned width) {
    std::uint64_t w = 0;
    if constexpr (Self::decodes) {
      self().primitive_word(name, w, width);
      v = static_cast<T>(w == widest_word(width) ? ~std::uint64_t{0} : w);
    } else {
      w = static_cast<std::uint64_t>(v);
      if (w == ~std::uint64_t{0}) w = widest_word(width);
      self().primitive_word(name, w, width);
    }
  }
};

}  // namespace filigree::format
