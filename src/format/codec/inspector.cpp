// SPDX-License-Identifier: Apache-2.0
#include "format/codec/inspector.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/field_text.hpp"

namespace filigree::format {

void Inspector::note(std::size_t offset, std::string_view name, std::string value) {
  auto& fields = found_.fields;
  if (name == "signature" && !fields.empty() && fields.back().name == name &&
      fields.back().offset + fields.back().bytes == offset) {
    fields.back().bytes = position() - fields.back().offset;
    fields.back().value = quoted_text(as_text(bytes_.subspan(fields.back().offset, fields.back().bytes)));
    return;
  }
  if (is_full()) return void(++omitted_);
  if (name == "signature") value = quoted_text(as_text(bytes_.subspan(offset, position() - offset)));
  fields.push_back({offset, position() - offset, std::string(name), std::move(value)});
}

void Inspector::primitive_word(std::string_view name, std::uint64_t& v, unsigned width) {
  const std::size_t offset = position();
  decoder_.primitive_word(name, v, width);
  if (!faulty()) note(offset, name, is_full() ? "" : word_text(v, width));
}

void Inspector::primitive_words(std::string_view name, std::vector<std::uint64_t>& list, unsigned width) {
  const std::size_t offset = position();
  decoder_.primitive_words(name, list, width);
  if (!faulty()) note(offset, name, words_text(list, width));
}

void Inspector::primitive_text(std::string_view name, std::string& text, std::uint64_t count) {
  const std::size_t offset = position();
  decoder_.primitive_text(name, text, count);
  if (!faulty()) note(offset, name, quoted_text(text));
}

void Inspector::primitive_terminated(std::string_view name, std::string& text, unsigned multiple) {
  const std::size_t offset = position();
  decoder_.primitive_terminated(name, text, multiple);
  if (!faulty()) note(offset, name, quoted_text(text));
}

void Inspector::primitive_blob(std::string_view name, Buffer& bytes, std::uint64_t count) {
  const std::size_t offset = position();
  decoder_.primitive_blob(name, bytes, count);
  if (!faulty()) note(offset, name, blob_text(bytes));
}

void Inspector::primitive_checksum() {
  if (faulty()) return;
  const std::size_t offset = position();
  decoder_.primitive_checksum();
  if (position() == offset) return;  // the bytes end before
  note(offset, "checksum", fmt::format("{:#010x}", load_word(bytes_.data() + offset, 4)));
}

Inspection Inspector::take() {
  if (omitted_ > 0)
    found_.fields.push_back({position(), 0, "further fields", fmt::format("{} are not listed", omitted_)});
  try {
    decoder_.finish();
  } catch (const Error& error) {
    found_.fault = error.message();
  }
  return std::move(found_);
}

}  // namespace filigree::format
