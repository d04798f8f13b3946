// SPDX-License-Identifier: Apache-2.0
//
// Values of properties in the encoded form of H5Pencode. One description of a value both writes and reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace filigree::capi {

/// Writes or reads values, one after the other. The same calls in the same order do both.
class PlistCoder {
 public:
  /// Starts writing.
  PlistCoder() = default;
  /// Starts reading. The number of bytes is not known, so the sizes of values are limited instead.
  explicit PlistCoder(const std::byte* from) : at_(from) {}

  /// Whether values are written, and not read.
  bool writing() const { return at_ == nullptr; }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  const std::byte* at() const { return at_; }

  /// Codes a number in `bytes` bytes, little-endian.
  template <class T>
  void raw(T& value, std::size_t bytes) {
    std::uint64_t word = writing() ? static_cast<std::uint64_t>(value) : 0;
    code_word(word, bytes);
    if (!writing()) value = static_cast<T>(word);
  }
  template <class T>
  void byte(T& value) {
    raw(value, 1);
  }
  /// Codes a value from 0 to `most` in one byte. *Throws* Failure for other values.
  template <class T>
  void choice(T& value, unsigned most) {
    unsigned found = writing() ? static_cast<unsigned>(value) : 0;
    byte(found);
    if (found > most) refuse("a choice that there is not");
    value = static_cast<T>(found);
  }
  /// Codes a number in 4 bytes, after a byte with that size.
  template <class T>
  void word(T& value) {
    size_mark(4);
    raw(value, 4);
  }
  /// Codes a number in as few bytes as possible, after their number.
  template <class T>
  void number(T& value) {
    std::uint64_t held = writing() ? static_cast<std::uint64_t>(value) : 0;
    code_number(held);
    if (!writing()) value = static_cast<T>(held);
  }
  /// Codes a floating-point number in 8 bytes.
  void plain_real(double& value);
  /// Codes a number after a byte with its size.
  void real(double& value) {
    size_mark(8);
    plain_real(value);
  }
  /// Codes a string after its length. With `with_nul`, the length includes a NUL.
  void text(std::string& value, bool with_nul = false);
  /// Codes a string with a NUL at the end.
  void terminated(std::string& value);
  /// Codes bytes as they are.
  void copy(void* bytes, std::size_t count);
  /// Codes the size of the value that follows. *Throws* Failure for another size.
  void size_mark(std::uint8_t bytes);
  /// Codes a number of entries. *Throws* Failure for more than `most`.
  void count(std::size_t& value, std::size_t most);
  /// *Throws* NestedFailure: the bytes are no encoded property list.
  [[noreturn]] static void refuse(const std::string& why);

 private:
  void code_word(std::uint64_t& value, std::size_t bytes);
  void code_number(std::uint64_t& value);

  const std::byte* at_ = nullptr;
  std::vector<std::byte> bytes_;
};

}  // namespace filigree::capi
