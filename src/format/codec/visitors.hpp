// SPDX-License-Identifier: Apache-2.0
//
// The four visitors of a description: Decoder, Encoder, Sizer and Dumper.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/codec/fields.hpp"

namespace filigree::format {

/// Reads fields from untrusted bytes. After the first fault, all fields read as zero and lists stay empty.
/// finish() throws that fault with field and offset.
class Decoder : public Fields<Decoder> {
 public:
  static constexpr bool decodes = true;
  static constexpr bool dumps = false;

  Decoder(Bytes bytes, const Widths& widths, std::string_view structure, Address where)
      : bytes_(bytes), widths_(widths), structure_(structure), where_(where) {}

  const Widths& widths() const { return widths_; }
  /// The offset of the next field from the start of the structure.
  std::size_t position() const { return at_; }
  /// The number of bytes after the current field; 0 after a fault.
  std::size_t remaining() const { return faulty_ ? 0 : bytes_.size() - at_; }
  bool faulty() const { return faulty_; }
  /// Changes the widths: the superblock declares those of the following fields.
  void set_widths(const Widths& widths) { widths_ = widths; }
  /// Moves to `position` within the bytes, for fields at a computed offset.
  void skip_to(std::size_t position);

  // The primitives that Fields is built on. Each reads one field and reports a fault if the bytes end within
  // it.
  void primitive_word(std::string_view name, std::uint64_t& v, unsigned width) {
    v = 0;
    if (faulty_) return;
    field_at_ = at_;
    if (width > bytes_.size() - at_) return truncated(name);
    v = load_word(bytes_.data() + at_, width);
    at_ += width;
  }
  /// Reads as many numbers as `list` holds. *Requires* that the bytes hold them.
  void primitive_words(std::string_view name, std::vector<std::uint64_t>& list, unsigned width);
  void primitive_text(std::string_view name, std::string& text, std::uint64_t count);
  void primitive_terminated(std::string_view name, std::string& text, unsigned multiple);
  void primitive_blob(std::string_view name, Buffer& bytes, std::uint64_t count);
  void primitive_checksum();
  // The faults that Fields reports.
  void out_of_range(std::string_view name, std::uint64_t found, std::uint64_t low, std::uint64_t high);
  void violated(std::string_view name, std::string_view otherwise);
  void truncated(std::string_view name);
  /// *Throws* the fault, if there was one.
  void finish() const;

 private:
  /// Records the first fault and ignores later ones.
  void fail(bool truncated, std::string what);

  Bytes bytes_;
  Widths widths_;
  std::string_view structure_;
  Address where_;
  std::size_t at_ = 0;
  std::size_t field_at_ = 0;  ///< start of the last field, for error messages
  bool faulty_ = false;
  bool truncated_ = false;
  std::string fault_;
};

/// Writes fields to a buffer of the exact size.
class Encoder : public Fields<Encoder> {
 public:
  static constexpr bool decodes = false;
  static constexpr bool dumps = false;

  Encoder(MutableBytes out, const Widths& widths, std::string_view structure)
      : out_(out), widths_(widths), structure_(structure) {}

  const Widths& widths() const { return widths_; }
  std::size_t position() const { return at_; }

  void primitive_word(std::string_view name, std::uint64_t v, unsigned width) {
    if (v > widest_word(width)) too_large(name, v, width);
    store_word(take(name, width), v, width);
  }
  void primitive_words(std::string_view name, std::span<const std::uint64_t> list, unsigned width);
  void primitive_text(std::string_view name, std::string_view text, std::uint64_t count);
  void primitive_terminated(std::string_view name, std::string_view text, unsigned multiple);
  void primitive_blob(std::string_view name, Bytes bytes, std::uint64_t count);
  void primitive_checksum();
  [[noreturn]] void out_of_range(std::string_view name, std::uint64_t found, std::uint64_t low,
                                 std::uint64_t high);
  [[noreturn]] void violated(std::string_view name, std::string_view otherwise);

 private:
  /// Returns the memory of the next `bytes` and advances past them.
  std::byte* take(std::string_view name, std::size_t bytes) {
    if (bytes > out_.size() - at_) throw_full(name);
    std::byte* const field = out_.data() + at_;
    at_ += bytes;
    return field;
  }
  void put(std::string_view name, Bytes bytes);
  [[noreturn]] void too_large(std::string_view name, std::uint64_t v, unsigned width) const;
  [[noreturn]] void throw_full(std::string_view name) const;

  MutableBytes out_;
  Widths widths_;
  std::string_view structure_;
  std::size_t at_ = 0;
};

/// Counts the bytes that an Encoder would write.
class Sizer : public Fields<Sizer> {
 public:
  static constexpr bool decodes = false;
  static constexpr bool dumps = false;

  explicit Sizer(const Widths& widths) : widths_(widths) {}

  const Widths& widths() const { return widths_; }
  std::size_t position() const { return at_; }

  void primitive_word(std::string_view, std::uint64_t, unsigned width) { at_ += width; }
  void primitive_words(std::string_view, std::span<const std::uint64_t> list, unsigned width) {
    at_ += list.size() * width;
  }
  void primitive_text(std::string_view, std::string_view, std::uint64_t count) { at_ += count; }
  void primitive_terminated(std::string_view, std::string_view text, unsigned multiple) {
    at_ += (text.size() + 1 + multiple - 1) / multiple * multiple;
  }
  void primitive_blob(std::string_view, Bytes, std::uint64_t count) { at_ += count; }
  void primitive_checksum() { at_ += 4; }
  void out_of_range(std::string_view, std::uint64_t, std::uint64_t, std::uint64_t) {}
  void violated(std::string_view, std::string_view) {}

 private:
  Widths widths_;
  std::size_t at_ = 0;
};

/// Prints one line per field: offset, name, value.
class Dumper : public Fields<Dumper> {
 public:
  static constexpr bool decodes = false;
  static constexpr bool dumps = true;

  explicit Dumper(const Widths& widths) : widths_(widths) {}

  const Widths& widths() const { return widths_; }
  std::size_t position() const { return at_; }
  std::string take() { return std::move(text_); }

  void primitive_word(std::string_view name, std::uint64_t v, unsigned width);
  void primitive_words(std::string_view name, std::span<const std::uint64_t> list, unsigned width);
  void primitive_text(std::string_view name, std::string_view text, std::uint64_t count);
  void primitive_terminated(std::string_view name, std::string_view text, unsigned multiple);
  void primitive_blob(std::string_view name, Bytes bytes, std::uint64_t count);
  void primitive_checksum();
  void out_of_range(std::string_view name, std::uint64_t found, std::uint64_t low, std::uint64_t high);
  void violated(std::string_view name, std::string_view otherwise);

 private:
  void line(std::string_view name, std::string_view value, std::size_t bytes);

  Widths widths_;
  std::size_t at_ = 0;
  std::string text_;
};

}  // namespace filigree::format
