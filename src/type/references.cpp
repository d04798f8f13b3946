// SPDX-License-Identifier: Apache-2.0
//
// Conversions of references of the same kind, whose addresses have different widths or which are held in a
// container, and of older references of a file to revised ones in a container.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/selections/selection.hpp"
#include "type/conversion_parts.hpp"

namespace filigree::type {

using format::ReferenceKind;

namespace {

/// Zero and the undefined address keep their meaning.
void move_address(const std::byte* from, unsigned from_width, std::byte* to, unsigned to_width) {
  std::uint64_t address = load_word(from, from_width);
  if (address == widest_word(from_width)) {
    address = widest_word(to_width);
  } else if (address > widest_word(to_width)) {
    throw Error(ErrorKind::limit,
                fmt::format("a reference to {:#x} does not fit {} bytes", address, to_width));
  }
  store_word(to, address, to_width);
}

/// Converts an address and `tail` bytes after it.
class AddressConversion final : public Conversion {
 public:
  AddressConversion(const DatatypeMessage& from, const DatatypeMessage& to, std::uint32_t tail)
      : Conversion({.from_bytes = from.size, .to_bytes = to.size}), tail_(tail) {}

 private:
  void do_apply(const Tile& tile, const Context&) const override {
    const std::uint32_t from_width = traits().from_bytes - tail_;
    const std::uint32_t to_width = traits().to_bytes - tail_;
    for (std::size_t i = 0; i < tile.count; ++i) {
      const std::byte* from = tile.from + i * tile.from_stride;
      std::byte* to = tile.to + i * tile.to_stride;
      move_address(from, from_width, to, to_width);
      std::memcpy(to + to_width, from + from_width, tail_);
    }
  }

  std::uint32_t tail_;
};

/// Converts a revised reference: kind, flags, then the token with its length, or the identifier of a heap
/// object.
class RevisedConversion final : public Conversion {
 public:
  RevisedConversion(const DatatypeMessage& from, const DatatypeMessage& to)
      : Conversion({.from_bytes = from.size, .to_bytes = to.size}) {}

 private:
  static constexpr std::uint32_t around_address = 10;

  void do_apply(const Tile& tile, const Context&) const override {
    for (std::size_t i = 0; i < tile.count; ++i) {
      convert(tile.from + i * tile.from_stride, tile.to + i * tile.to_stride);
    }
  }

  void convert(const std::byte* from, std::byte* to) const {
    const unsigned from_width = traits().from_bytes - around_address;
    const unsigned to_width = traits().to_bytes - around_address;
    std::memset(to, 0, traits().to_bytes);
    if (from[0] == std::byte{0}) return;
    std::memcpy(to, from, 2);
    const bool inlined = from[0] == std::byte{2} && from[1] == std::byte{0};
    if (!inlined) {
      std::memcpy(to + 2, from + 2, 4);
      move_address(from + 6, from_width, to + 6, to_width);
      std::memcpy(to + 6 + to_width, from + 6 + from_width, 4);
      return;
    }
    const unsigned token = std::to_integer<unsigned>(from[2]);
    if (token > from_width) {
      throw Error(
          ErrorKind::corrupt,
          fmt::format("a reference has a token of {} bytes in a file of {}-byte offsets", token, from_width));
    }
    to[2] = static_cast<std::byte>(to_width);
    move_address(from + 3, token, to + 3, to_width);
  }
};

/// Converts between files and programs. A program holds kind, flags and the content of the heap object in a
/// container, with an address of 8 bytes.
class HeldConversion final : public Conversion {
 public:
  HeldConversion(const DatatypeMessage& from, const DatatypeMessage& to)
      : Conversion({.uses_files = true, .from_bytes = from.size, .to_bytes = to.size}),
        from_(from.container),
        to_(to.container) {}

 private:
  static constexpr unsigned held_width = 8;
  static constexpr std::uint32_t around_address = 10;

  void do_apply(const Tile& tile, const Context& context) const override {
    for (std::size_t i = 0; i < tile.count; ++i) {
      const std::byte* from = tile.from + i * tile.from_stride;
      std::byte* to = tile.to + i * tile.to_stride;
      if (to_ != nullptr) {
        load(from, to, context);
      } else {
        store(from, to, context);
      }
    }
  }

  static FileValues& needed(FileValues* file) {
    if (file == nullptr)
      throw Error(ErrorKind::internal, "references in a file need the file, but the context has none");
    return *file;
  }

  /// Copies a reference and changes the width of its address, which follows `before` bytes and its own
  /// length.
  static void copy(Bytes from, unsigned width, Buffer& to) {
    const unsigned has = from.empty() ? 0 : std::to_integer<unsigned>(from[0]);
    if (has == 0 || has > 8 || from.size() < 1 + std::size_t{has})
      throw Error(ErrorKind::corrupt, fmt::format("a reference has a token of {} bytes", has));
    const std::size_t at = to.size();
    to.resize(at + 1 + width);
    to[at] = static_cast<std::byte>(width);
    move_address(from.data() + 1, has, to.data() + at + 1, width);
    to.insert(to.end(), from.begin() + 1 + has, from.end());
  }

  void load(const std::byte* from, std::byte* to, const Context& context) const {
    if (from[0] == std::byte{0}) return to_->clear(to);
    Buffer made(from, from + 2);
    const unsigned width = traits().from_bytes - around_address;
    if (is_inlined(from)) {
      copy(Bytes(from + 2,
                 1 + std::min<std::size_t>(std::to_integer<unsigned>(from[2]), traits().from_bytes - 3)),
           held_width, made);
    } else {
      const HeapObject object{to_address(load_word(from + 6, width)),
                              static_cast<std::uint32_t>(load_word(from + 6 + width, 4))};
      const FileValues::Content content = needed(context.from_file).fetch(object);
      const std::size_t bytes = std::min<std::size_t>(content.bytes.size(), load_word(from + 2, 4));
      copy(content.bytes.first(bytes), held_width, made);
    }
    std::memcpy(to_->resize(to, made.size(), 1, context.memory), made.data(), made.size());
  }

  void store(const std::byte* from, std::byte* to, const Context& context) const {
    std::memset(to, 0, traits().to_bytes);
    const Container::View view = from_->view(from);
    if (view.missing || view.count < 3) return;
    const Bytes held(static_cast<const std::byte*>(view.elements), view.count);
    const unsigned width = traits().to_bytes - around_address;
    Buffer content;
    copy(held.subspan(2), width, content);
    std::memcpy(to, held.data(), 2);
    if (is_inlined(held.data())) {
      std::memcpy(to + 2, content.data(), std::min<std::size_t>(content.size(), traits().to_bytes - 2));
      return;
    }
    const HeapObject object = needed(context.to_file).store(content);
    store_word(to + 2, content.size(), 4);
    store_word(to + 6, to_number(object.collection), width);
    store_word(to + 6 + width, object.index, 4);
  }

  static bool is_inlined(const std::byte* reference) {
    return reference[0] == std::byte{2} && reference[1] == std::byte{0};
  }

  const Container* from_;
  const Container* to_;
};

/// Converts object and region references of HDF5 1.8 in a file to revised references in a container.
class RevisingConversion final : public Conversion {
 public:
  RevisingConversion(const DatatypeMessage& from, const DatatypeMessage& to)
      : Conversion({.uses_files = true, .from_bytes = from.size, .to_bytes = to.size}),
        region_(from.reference == ReferenceKind::region),
        to_(to.container) {}

 private:
  static constexpr unsigned held_width = 8;
  static constexpr std::size_t token_at = 3;  // behind kind, flags and size of the token

  void do_apply(const Tile& tile, const Context& context) const override {
    for (std::size_t i = 0; i < tile.count; ++i)
      convert(tile.from + i * tile.from_stride, tile.to + i * tile.to_stride, context);
  }

  void convert(const std::byte* from, std::byte* to, const Context& context) const {
    const unsigned width = traits().from_bytes - (region_ ? 4 : 0);
    const std::uint64_t at = load_word(from, width);
    if (at == 0 || at == widest_word(width)) return to_->clear(to);
    const Buffer made = region_ ? held_region(from, width, context) : held_object(from, width);
    std::memcpy(to_->resize(to, made.size(), 1, context.memory), made.data(), made.size());
  }

  static Buffer with_token(ReferenceKind kind, const std::byte* address, unsigned width) {
    Buffer made(token_at + held_width);
    made[0] = static_cast<std::byte>(kind);
    made[2] = std::byte{held_width};
    move_address(address, width, made.data() + token_at, held_width);
    return made;
  }

  static Buffer held_object(const std::byte* from, unsigned width) {
    return with_token(ReferenceKind::revised_object, from, width);
  }

  static Buffer held_region(const std::byte* from, unsigned width, const Context& context) {
    if (context.from_file == nullptr)
      throw Error(ErrorKind::unsupported, "references to regions are converted only where a file is read");
    const HeapObject object{to_address(load_word(from, width)),
                            static_cast<std::uint32_t>(load_word(from + width, 4))};
    const FileValues::Content content = context.from_file->fetch(object);
    if (content.bytes.size() < width)
      throw Error(ErrorKind::corrupt, "a reference to a region ends in the address of its dataset");
    const Bytes selection = content.bytes.subspan(width);
    format::EncodedSelection encoded;
    format::decode(encoded, selection, {}, Address::undefined);
    Buffer made = with_token(ReferenceKind::revised_region, content.bytes.data(), width);
    const std::size_t end = made.size();
    made.resize(end + 8);
    store_word(made.data() + end, selection.size(), 4);
    store_word(made.data() + end + 4, encoded.rank, 4);
    made.insert(made.end(), selection.begin(), selection.end());
    return made;
  }

  bool region_;
  const Container* to_;
};

bool is_revised(const DatatypeMessage& type) { return type.reference > ReferenceKind::region; }

bool has_width(const DatatypeMessage& type, std::uint32_t around) {
  return type.size > around && type.size <= around + 8;
}

}  // namespace

ConversionPointer prepare_reference(const DatatypeMessage& from, const DatatypeMessage& to) {
  if (!is_revised(from) && is_revised(to) && to.container != nullptr) {
    const bool known = has_width(from, from.reference == ReferenceKind::region ? 4 : 0);
    return known ? std::make_shared<RevisingConversion>(from, to) : nullptr;
  }
  if (is_revised(from) != is_revised(to)) return nullptr;
  if (from.container != nullptr || to.container != nullptr) {
    const DatatypeMessage& stored = from.container != nullptr ? to : from;
    if (stored.container != nullptr) return make_copy(to.size);
    return has_width(stored, 10) ? std::make_shared<HeldConversion>(from, to) : nullptr;
  }
  if (is_revised(from)) {
    if (from.size == to.size) return make_copy(to.size);
    if (!has_width(from, 10) || !has_width(to, 10)) return nullptr;
    return std::make_shared<RevisedConversion>(from, to);
  }
  if (from.reference != to.reference) return nullptr;
  if (from.size == to.size) return make_copy(to.size);
  const std::uint32_t tail = from.reference == ReferenceKind::region ? 4 : 0;
  if (!has_width(from, tail) || !has_width(to, tail)) return nullptr;
  return std::make_shared<AddressConversion>(from, to, tail);
}

}  // namespace filigree::type
