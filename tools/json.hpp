// SPDX-License-Identifier: Apache-2.0
//
// JSON for programs. Every document is one line, and valid whatever names and values a file has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace filigree::tools {

/// Returns whether all of `text` is UTF-8.
bool is_utf8(std::string_view text);
/// Returns `text` as a JSON string. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// Writes a JSON document, value by value.
///
///     JsonWriter json;
///     json.begin_object().key("path").text(path).key("shape").numbers(dims).end_object();
class JsonWriter {
 public:
  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }
  /// Starts a member of the current object; its value follows.
  JsonWriter& key(std::string_view name);

  JsonWriter& text(std::string_view value) { return put(json_string(value)); }
  JsonWriter& number(std::uint64_t value);
  JsonWriter& number(std::int64_t value);
  JsonWriter& number(int value) { return number(std::int64_t{value}); }
  /// JSON has no NaN and no infinities: they become the strings "NaN", "Infinity" and "-Infinity".
  JsonWriter& number(double value);
  JsonWriter& number(float value);
  JsonWriter& boolean(bool value) { return put(value ? "true" : "false"); }
  JsonWriter& null() { return put("null"); }
  JsonWriter& numbers(const std::vector<std::uint64_t>& values);

  /// Adds a member with a name from a file. If it is not UTF-8, a member NAME_hex has its bytes.
  JsonWriter& name(std::string_view key, std::string_view bytes);
  /// Adds a value that is a string in a file: {"hex": "..."} if it is not UTF-8.
  JsonWriter& bytes_or_text(std::string_view bytes);
  JsonWriter& hex(std::string_view bytes);

  /// Writes what there is so far to standard output; long documents call this now and then.
  void flush();
  /// Does the same if there is much of it.
  void flush_if_long();
  /// Forgets what there is so far, for callers that print text instead.
  void drop() { out_.clear(); }
  /// Ends the document with a line feed, and writes it to standard output.
  void finish();
  /// Returns what was not written yet.
  const std::string& pending() const { return out_; }

 private:
  JsonWriter& begin(char bracket);
  JsonWriter& end(char bracket);
  JsonWriter& put(std::string_view value);
  void separate();

  std::string out_;
  bool after_value_ = false;  ///< a comma is needed before the next value
};

}  // namespace filigree::tools
