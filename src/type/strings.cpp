// SPDX-License-Identifier: Apache-2.0
#include "type/strings.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "type/conversion_parts.hpp"

namespace filigree::type {

using format::StringPadding;

std::string_view FixedText::get(const std::byte* element) const {
  const auto* text = reinterpret_cast<const char*>(element);
  std::size_t length = bytes;
  if (padding == StringPadding::space_padded) {
    while (length > 0 && text[length - 1] == ' ') --length;
  } else if (const void* end = std::memchr(text, 0, length)) {
    length = static_cast<std::size_t>(static_cast<const char*>(end) - text);
  }
  return {text, length};
}

void FixedText::put(std::byte* element, std::string_view text) const {
  const std::size_t capacity = bytes - (padding == StringPadding::nul_terminated ? 1 : 0);
  if (text.size() > capacity) {
    if (!cuts) {
      throw Error(ErrorKind::limit, fmt::format("a string of {} bytes does not fit a type of {} bytes{}",
                                                text.size(), bytes, capacity < bytes ? " with its NUL" : ""));
    }
    text = text.substr(0, capacity);
  }
  if (!text.empty()) std::memcpy(element, text.data(), text.size());
  const int filler = padding == StringPadding::space_padded ? ' ' : 0;
  std::memset(element + text.size(), filler, bytes - text.size());
}

namespace {

class FixedToFixed final : public Conversion {
 public:
  FixedToFixed(const FixedText& from, const FixedText& to)
      : Conversion({.from_bytes = from.bytes, .to_bytes = to.bytes}), from_(from), to_(to) {}

 private:
  void do_apply(const Tile& tile, const Context&) const override {
    for (std::size_t i = 0; i < tile.count; ++i) {
      to_.put(tile.to + i * tile.to_stride, from_.get(tile.from + i * tile.from_stride));
    }
  }

  FixedText from_;
  FixedText to_;
};

}  // namespace

ConversionPointer prepare_string(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules) {
  const bool cuts = rules == Rules::hdf5;
  if (cuts && from.character_set != to.character_set) return nullptr;
  return std::make_shared<FixedToFixed>(FixedText{from.size, from.padding, cuts},
                                        FixedText{to.size, to.padding, cuts});
}

}  // namespace filigree::type
