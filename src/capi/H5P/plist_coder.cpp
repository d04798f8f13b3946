// SPDX-License-Identifier: Apache-2.0
#include "capi/H5P/plist_coder.hpp"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "capi/core/api_call.hpp"

namespace filigree::capi {

namespace {
constexpr std::size_t most_text_bytes = std::size_t{1} << 16;
}

void PlistCoder::refuse(const std::string& why) {
  throw NestedFailure({&H5E_PLIST_g, &H5E_CANTDECODE_g}, "not an encoded property list: " + why);
}

void PlistCoder::copy(void* bytes, std::size_t count) {
  if (count == 0) return;
  if (writing()) {
    const auto* const from = static_cast<const std::byte*>(bytes);
    bytes_.insert(bytes_.end(), from, from + count);
  } else {
    std::memcpy(bytes, at_, count);
    at_ += count;
  }
}

void PlistCoder::code_word(std::uint64_t& value, std::size_t bytes) {
  std::byte buffer[8];
  for (std::size_t i = 0; i < bytes; ++i) buffer[i] = static_cast<std::byte>(value >> (8 * i));
  copy(buffer, bytes);
  value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(buffer[i]);
}

void PlistCoder::code_number(std::uint64_t& value) {
  std::uint64_t bytes = value == 0 ? 1 : static_cast<std::uint64_t>(std::bit_width(value) + 7) / 8;
  code_word(bytes, 1);
  if (bytes > 8) refuse(fmt::format("a number of {} bytes", bytes));
  code_word(value, static_cast<std::size_t>(bytes));
}

void PlistCoder::plain_real(double& value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  code_word(bits, 8);
  value = std::bit_cast<double>(bits);
}

void PlistCoder::size_mark(std::uint8_t bytes) {
  std::uint8_t found = bytes;
  byte(found);
  if (found != bytes) refuse(fmt::format("a value of {} bytes where {} are expected", found, bytes));
}

void PlistCoder::count(std::size_t& value, std::size_t most) {
  number(value);
  if (value > most) refuse(fmt::format("{} of what there can be {} of", value, most));
}

void PlistCoder::text(std::string& value, bool with_nul) {
  std::size_t length = value.empty() ? 0 : value.size() + (with_nul ? 1 : 0);
  count(length, most_text_bytes);
  if (writing()) return copy(value.data(), length);  // every std::string ends with a NUL
  value.assign(reinterpret_cast<const char*>(at_), length);
  at_ += length;
  if (const std::size_t end = value.find('\0'); end != std::string::npos) value.resize(end);
}

void PlistCoder::terminated(std::string& value) {
  if (writing()) return copy(value.data(), value.size() + 1);
  const auto* const start = reinterpret_cast<const char*>(at_);
  const std::size_t length = strnlen(start, most_text_bytes);
  if (length == most_text_bytes) refuse("a text without an end");
  value.assign(start, length);
  at_ += length + 1;
}

}  // namespace filigree::capi
