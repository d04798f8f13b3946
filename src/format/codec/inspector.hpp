// SPDX-License-Identifier: Apache-2.0
//
// The visitor behind inspect(): a Decoder that keeps the fields as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/codec/inspect.hpp"
#include "format/codec/visitors.hpp"

namespace filigree::format {

/// Passes every field to a Decoder, and notes what that has read.
class Inspector : public Fields<Inspector> {
 public:
  static constexpr bool decodes = true;
  static constexpr bool dumps = false;
  static constexpr std::size_t most_fields = 20000;

  Inspector(Bytes bytes, const Widths& widths, std::string_view structure)
      : bytes_(bytes), decoder_(bytes, widths, structure, Address::undefined) {}

  const Widths& widths() const { return decoder_.widths(); }
  std::size_t position() const { return decoder_.position(); }
  std::size_t remaining() const { return decoder_.remaining(); }
  bool faulty() const { return decoder_.faulty(); }
  void set_widths(const Widths& widths) { decoder_.set_widths(widths); }
  void skip_to(std::size_t position) { decoder_.skip_to(position); }

  void primitive_word(std::string_view name, std::uint64_t& v, unsigned width);
  void primitive_words(std::string_view name, std::vector<std::uint64_t>& list, unsigned width);
  void primitive_text(std::string_view name, std::string& text, std::uint64_t count);
  void primitive_terminated(std::string_view name, std::string& text, unsigned multiple);
  void primitive_blob(std::string_view name, Buffer& bytes, std::uint64_t count);
  void primitive_checksum();
  void out_of_range(std::string_view name, std::uint64_t found, std::uint64_t low, std::uint64_t high) {
    decoder_.out_of_range(name, found, low, high);
  }
  void violated(std::string_view name, std::string_view otherwise) { decoder_.violated(name, otherwise); }
  void truncated(std::string_view name) { decoder_.truncated(name); }

  Inspection take();

 private:
  /// Notes the field that began at `offset`. The characters of a signature become one field.
  void note(std::size_t offset, std::string_view name, std::string value);
  bool is_full() const { return found_.fields.size() >= most_fields; }

  Bytes bytes_;
  Decoder decoder_;
  Inspection found_;
  std::uint64_t omitted_ = 0;
};

}  // namespace filigree::format
