// SPDX-License-Identifier: Apache-2.0
//
// Values of properties as bytes, in the form that stock's H5Pencode gives them. One description of a value
// both writes and reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace filigree::capi {

class PlistCoder {
 public:
  /// Writes.
  PlistCoder() = default;
  /// Reads. How many bytes there are is not known: values are bounded instead.
  explicit PlistCoder(const std::byte* from) : at_(from) {}

  bool writing() const { return at_ == nullptr; }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  const std::byte* at() const { return at_; }

  /// `bytes` of a number, the lowest first.
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
  /// A byte that is at most `most`. Throws Failure for others.
  template <class T>
  void choice(T& value, unsigned most) {
    unsigned found = writing() ? static_cast<unsigned>(value) : 0;
    byte(found);
    if (found > most) refuse("a choice that there is not");
    value = static_cast<T>(found);
  }
  /// A number of 4 bytes, after that size.
  template <class T>
  void word(T& value) {
    size_mark(4);
    raw(value, 4);
  }
  /// A number in as many bytes as it needs, after their number.
  template <class T>
  void number(T& value) {
    std::uint64_t held = writing() ? static_cast<std::uint64_t>(value) : 0;
    code_number(held);
    if (!writing()) value = static_cast<T>(held);
  }
  void plain_real(double& value);
  /// After its size.
  void real(double& value) {
    size_mark(8);
    plain_real(value);
  }
  /// After its length, which may count a NUL.
  void text(std::string& value, bool with_nul = false);
  /// Up to its NUL.
  void terminated(std::string& value);
  void copy(void* bytes, std::size_t count);
  /// Says how large what follows is. Throws Failure for another size than ours.
  void size_mark(std::uint8_t bytes);
  /// A number of things. Throws Failure when there are more than `most`.
  void count(std::size_t& value, std::size_t most);
  [[noreturn]] static void refuse(const std::string& why);

 private:
  void code_word(std::uint64_t& value, std::size_t bytes);
  void code_number(std::uint64_t& value);

  const std::byte* at_ = nullptr;
  std::vector<std::byte> bytes_;
};

}  // namespace filigree::capi
