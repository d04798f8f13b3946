// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "text.hpp"

namespace filigree::tools {

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = first_character(text.substr(i)).bytes;
    if (bytes == 0) return false;
    i += bytes;
  }
  return true;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const Character character = first_character(text.substr(i));
    if (character.bytes == 0) {
      out += "\\ufffd";
    } else if (text[i] == '"' || text[i] == '\\') {
      out += {'\\', text[i]};
    } else if (character.is_control) {
      out += fmt::format("\\u{:04x}", character.code);
    } else {
      out += text.substr(i, character.bytes);
    }
    i += std::max<std::size_t>(character.bytes, 1);
  }
  return out + '"';
}

void JsonWriter::separate() {
  if (after_value_) out_ += ", ";
  after_value_ = false;
}

JsonWriter& JsonWriter::begin(char bracket) {
  separate();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  out_ += bracket;
  after_value_ = true;
  return *this;
}

JsonWriter& JsonWriter::put(std::string_view value) {
  separate();
  out_ += value;
  after_value_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  put(json_string(name));
  out_ += ": ";
  after_value_ = false;
  return *this;
}

JsonWriter& JsonWriter::number(std::uint64_t value) { return put(fmt::format("{}", value)); }
JsonWriter& JsonWriter::number(std::int64_t value) { return put(fmt::format("{}", value)); }

namespace {

template <class T>
std::string number_text(T value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return fmt::format("{}", value);
}

}  // namespace

JsonWriter& JsonWriter::number(double value) { return put(number_text(value)); }
JsonWriter& JsonWriter::number(float value) { return put(number_text(value)); }

JsonWriter& JsonWriter::numbers(const std::vector<std::uint64_t>& values) {
  begin_array();
  for (const std::uint64_t value : values) number(value);
  return end_array();
}

JsonWriter& JsonWriter::hex(std::string_view bytes) {
  std::string digits = "\"";
  for (const char c : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return put(digits + '"');
}

JsonWriter& JsonWriter::name(std::string_view name_key, std::string_view bytes) {
  key(name_key).text(bytes);
  if (!is_utf8(bytes)) key(std::string(name_key) + "_hex").hex(bytes);
  return *this;
}

JsonWriter& JsonWriter::bytes_or_text(std::string_view bytes) {
  if (is_utf8(bytes)) return text(bytes);
  return begin_object().key("hex").hex(bytes).end_object();
}

void JsonWriter::flush() {
  std::fwrite(out_.data(), 1, out_.size(), stdout);
  out_.clear();
}

void JsonWriter::flush_if_long() {
  if (out_.size() > 1u << 16) flush();
}

void JsonWriter::finish() {
  out_ += '\n';
  flush();
}

}  // namespace filigree::tools
