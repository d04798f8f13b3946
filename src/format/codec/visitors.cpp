// SPDX-License-Identifier: Apache-2.0
#include "format/codec/visitors.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/codec/field_text.hpp"

namespace filigree::format {

namespace {

/// Calls `work` with the width as a compile-time constant, so that a word takes one load or store.
template <class Work>
void with_width(unsigned width, Work work) {
  switch (width) {
    case 2:
      return work(std::integral_constant<unsigned, 2>());
    case 4:
      return work(std::integral_constant<unsigned, 4>());
    case 8:
      return work(std::integral_constant<unsigned, 8>());
    default:
      return work(width);
  }
}

}  // namespace

void Decoder::skip_to(std::size_t position) {
  if (faulty_) return;
  if (position > bytes_.size()) return truncated("position");
  at_ = position;
}

void Decoder::primitive_words(std::string_view, std::vector<std::uint64_t>& list, unsigned width) {
  if (faulty_) return;
  field_at_ = at_;
  const std::byte* from = bytes_.data() + at_;
  with_width(width, [&](auto step) {
    for (std::uint64_t& v : list) {
      v = load_word(from, step);
      from += step;
    }
  });
  at_ += list.size() * width;
}

void Decoder::primitive_text(std::string_view name, std::string& text, std::uint64_t count) {
  text.clear();
  if (faulty_) return;
  field_at_ = at_;
  if (count > bytes_.size() - at_) return truncated(name);
  text.assign(as_text(bytes_.subspan(at_, count)));
  at_ += count;
}

void Decoder::primitive_terminated(std::string_view name, std::string& text, unsigned multiple) {
  text.clear();
  if (faulty_) return;
  field_at_ = at_;
  // No message has more bytes. This limits the damage if the size is unknown.
  constexpr std::size_t most_text_bytes = 65536;
  const auto rest = bytes_.subspan(at_, std::min(most_text_bytes, bytes_.size() - at_));
  const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
  if (end == rest.end()) return truncated(name);
  const std::size_t characters = end - rest.begin();
  const std::size_t stored = (characters + 1 + multiple - 1) / multiple * multiple;
  if (stored > rest.size()) return truncated(name);
  text.assign(as_text(rest.first(characters)));
  at_ += stored;
}

void Decoder::primitive_blob(std::string_view name, Buffer& bytes, std::uint64_t count) {
  bytes.clear();
  if (faulty_) return;
  field_at_ = at_;
  if (count > bytes_.size() - at_) return truncated(name);
  bytes.assign(bytes_.begin() + at_, bytes_.begin() + at_ + count);
  at_ += count;
}

void Decoder::primitive_checksum() {
  if (faulty_) return;
  const std::uint32_t computed = lookup3(bytes_.first(at_));
  std::uint64_t stored = 0;
  primitive_word("checksum", stored, 4);
  if (!faulty_ && !checksum_holds(stored, computed)) {
    fail(false, fmt::format("field 'checksum' at byte {} is {:#010x}, the bytes give {:#010x}", field_at_,
                            stored, computed));
  }
}

void Decoder::out_of_range(std::string_view name, std::uint64_t found, std::uint64_t low,
                           std::uint64_t high) {
  fail(false,
       low == high
           ? fmt::format("field '{}' at byte {} is {}, only {} is allowed", name, field_at_, found, low)
           : fmt::format("field '{}' at byte {} is {}, allowed {} to {}", name, field_at_, found, low, high));
}

void Decoder::violated(std::string_view name, std::string_view otherwise) {
  fail(false, fmt::format("field '{}' at byte {} {}", name, field_at_, otherwise));
}

void Decoder::truncated(std::string_view name) {
  fail(true, fmt::format("field '{}' at byte {} runs past the end of the {} bytes at hand", name, at_,
                         bytes_.size()));
}

void Decoder::fail(bool truncated, std::string what) {
  if (faulty_) return;
  faulty_ = true;
  truncated_ = truncated;
  fault_ = std::move(what);
}

void Decoder::finish() const {
  if (!faulty_) return;
  const std::string location = is_valid(where_) ? " at " + to_string(where_) : "";
  throw Error(truncated_ ? ErrorKind::truncated : ErrorKind::corrupt,
              fmt::format("{}{}: {}", structure_, location, fault_));
}

void Encoder::throw_full(std::string_view name) const {
  throw Error(ErrorKind::internal,
              fmt::format("{}: the buffer is too small for field '{}' at byte {}", structure_, name, at_));
}

void Encoder::too_large(std::string_view name, std::uint64_t v, unsigned width) const {
  throw Error(ErrorKind::limit,
              fmt::format("{}: {} does not fit field '{}' of {} bytes", structure_, v, name, width));
}

void Encoder::put(std::string_view name, Bytes bytes) {
  std::copy(bytes.begin(), bytes.end(), take(name, bytes.size()));
}

void Encoder::primitive_words(std::string_view name, std::span<const std::uint64_t> list, unsigned width) {
  if (list.empty()) return;
  if (const std::uint64_t largest = std::ranges::max(list); largest > widest_word(width))
    too_large(name, largest, width);
  std::byte* to = take(name, list.size() * width);
  with_width(width, [&](auto step) {
    for (const std::uint64_t v : list) {
      store_word(to, v, step);
      to += step;
    }
  });
}

void Encoder::primitive_text(std::string_view name, std::string_view text, std::uint64_t count) {
  if (text.size() != count) violated(name, "does not match its length");
  put(name, as_bytes(text));
}

void Encoder::primitive_terminated(std::string_view name, std::string_view text, unsigned multiple) {
  if (text.find('\0') != std::string_view::npos) violated(name, "holds a NUL character");
  put(name, as_bytes(text));
  const std::size_t stored = (text.size() + 1 + multiple - 1) / multiple * multiple;
  std::fill_n(take(name, stored - text.size()), stored - text.size(), std::byte{0});
}

void Encoder::primitive_blob(std::string_view name, Bytes bytes, std::uint64_t count) {
  if (bytes.size() != count) violated(name, "does not match its length");
  put(name, bytes);
}

void Encoder::primitive_checksum() { primitive_word("checksum", lookup3(out_.first(at_)), 4); }

void Encoder::out_of_range(std::string_view name, std::uint64_t found, std::uint64_t low,
                           std::uint64_t high) {
  throw Error(ErrorKind::limit, fmt::format("{}: field '{}' would be {}, allowed {} to {}", structure_, name,
                                            found, low, high));
}

void Encoder::violated(std::string_view name, std::string_view otherwise) {
  throw Error(ErrorKind::limit, fmt::format("{}: field '{}' {}", structure_, name, otherwise));
}

void Dumper::line(std::string_view name, std::string_view value, std::size_t bytes) {
  fmt::format_to(std::back_inserter(text_), "{:6}  {:<28} {}\n", at_, name, value);
  at_ += bytes;
}

void Dumper::primitive_word(std::string_view name, std::uint64_t v, unsigned width) {
  line(name, word_text(v, width), width);
}

void Dumper::primitive_words(std::string_view name, std::span<const std::uint64_t> list, unsigned width) {
  line(name, words_text(list, width), list.size() * width);
}

void Dumper::primitive_text(std::string_view name, std::string_view text, std::uint64_t count) {
  line(name, quoted_text(text), count);
}

void Dumper::primitive_terminated(std::string_view name, std::string_view text, unsigned multiple) {
  line(name, quoted_text(text), (text.size() + 1 + multiple - 1) / multiple * multiple);
}

void Dumper::primitive_blob(std::string_view name, Bytes bytes, std::uint64_t count) {
  line(name, blob_text(bytes), count);
}

void Dumper::primitive_checksum() { line("checksum", "computed when written", 4); }

void Dumper::out_of_range(std::string_view name, std::uint64_t found, std::uint64_t low, std::uint64_t high) {
  line(name, fmt::format("OUT OF RANGE: {}, allowed {} to {}", found, low, high), 0);
}

void Dumper::violated(std::string_view name, std::string_view otherwise) {
  line(name, fmt::format("BROKEN: {}", otherwise), 0);
}

}  // namespace filigree::format
