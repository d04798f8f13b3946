// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/selection_blob.hpp"

#include <algorithm>

#include "base/checksum.hpp"

namespace filigree::filter {
namespace {

constexpr std::size_t outer_bytes = 7;
constexpr std::size_t sum_bytes = 4;
constexpr std::size_t most_dims = 32;

bool is_width(std::uint64_t bytes) { return bytes == 2 || bytes == 4 || bytes == 8; }

std::size_t extent_bytes(const BlobShape& shape) {
  return (shape.extent_version == 1 ? 8 : 4) + shape.length_bytes * (shape.dims.size() + shape.max.size());
}

/// The number of bytes of a selection before its items.
std::size_t head_bytes(const BlobShape& shape) {
  if (shape.kind == BlobKind::none || shape.kind == BlobKind::all) return 16;
  if (shape.kind == BlobKind::points) return shape.version == 1 ? 24 : 13 + shape.width;
  if (shape.version == 1) return 24;
  if (shape.version == 2) return 17;
  return shape.regular ? 14 : 14 + shape.width;
}

/// Reads numbers from bytes that may end early. After the first fault, all numbers are zero.
class Cursor {
 public:
  explicit Cursor(Bytes bytes) : bytes_(bytes) {}
  std::uint64_t word(unsigned width) {
    if (!good_ || bytes_.size() - at_ < width) {
      good_ = false;
      return 0;
    }
    at_ += width;
    return load_word(bytes_.data() + at_ - width, width);
  }
  void expect(std::uint64_t value, unsigned width) {
    if (word(width) != value) good_ = false;
  }
  void require(bool holds) { good_ = good_ && holds; }
  bool good() const { return good_; }
  Bytes rest() const { return bytes_.subspan(at_); }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

template <unsigned width>
void load_words(const std::byte* from, std::span<std::uint64_t> words) {
  for (std::uint64_t& word : words) {
    word = load_word(from, width);
    from += width;
  }
}

template <unsigned width>
void store_words(std::byte* to, std::span<const std::uint64_t> words) {
  for (const std::uint64_t word : words) {
    store_word(to, word, width);
    to += width;
  }
}

void parse_extent(Cursor& in, BlobShape& shape) {
  in.expect(1, 1);
  in.expect(0, 1);
  shape.length_bytes = static_cast<std::uint8_t>(in.word(1));
  const std::uint64_t bytes = in.word(4);
  shape.extent_version = static_cast<std::uint8_t>(in.word(1));
  const std::uint64_t rank = in.word(1), flags = in.word(1);
  in.require(is_width(shape.length_bytes) && rank >= 1 && rank <= most_dims && flags <= 1);
  if (shape.extent_version == 1) {
    in.expect(0, 5);
  } else {
    in.require(shape.extent_version == 2);
    in.expect(1, 1);
  }
  if (!in.good()) return;
  shape.has_max = flags == 1;
  shape.dims.resize(rank);
  for (std::uint64_t& dim : shape.dims) dim = in.word(shape.length_bytes);
  shape.max.resize(shape.has_max ? rank : 0);
  for (std::uint64_t& dim : shape.max) dim = in.word(shape.length_bytes);
  in.require(bytes == extent_bytes(shape));
}

/// Reads everything before the items and returns their number. The caller checks lengths, since it knows all
/// bytes.
std::uint64_t parse_head(Cursor& in, BlobShape& shape) {
  const std::uint64_t kind = in.word(4), version = in.word(4);
  in.require(kind <= 3 && version >= 1 && version <= 3);
  if (!in.good()) return 0;
  shape.kind = static_cast<BlobKind>(kind);
  shape.version = static_cast<std::uint8_t>(version);
  const bool hyperslab = shape.kind == BlobKind::hyperslab;
  shape.width = 4;
  shape.regular = hyperslab && version == 2;
  if (shape.kind == BlobKind::none || shape.kind == BlobKind::all) {
    in.require(version == 1);
    in.expect(0, 8);
    return 0;
  }
  std::uint64_t length = 0;
  if (version == 1) {
    in.expect(0, 4);
    length = in.word(4);
  } else if (shape.regular) {
    in.expect(1, 1);
    in.expect(4 + 32 * shape.rank(), 4);
    shape.width = 8;
  } else {
    if (hyperslab) {
      const std::uint64_t flags = in.word(1);
      in.require(flags <= 1);
      shape.regular = flags == 1;
    }
    shape.width = static_cast<std::uint8_t>(in.word(1));
    in.require(hyperslab || version == 2);
  }
  in.expect(shape.rank(), 4);
  in.require(is_width(shape.width));
  const std::uint64_t items = shape.regular ? 1 : in.word(in.good() ? shape.width : 0);
  if (version == 1) in.require(length == 8 + 4 * shape.item_words() * items);
  return items;
}

}  // namespace

std::size_t BlobShape::item_words() const {
  if (kind == BlobKind::points) return rank();
  if (kind == BlobKind::hyperslab) return regular ? 4 * rank() : 2 * rank();
  return 0;
}

std::optional<std::uint64_t> BlobShape::elements() const {
  std::uint64_t product = 1;
  for (const std::uint64_t dim : dims) {
    if (__builtin_mul_overflow(product, dim, &product) || product >> 62 != 0) return std::nullopt;
  }
  return product;
}

bool is_known(const BlobShape& shape) {
  if (shape.rank() < 1 || shape.rank() > most_dims || !is_width(shape.length_bytes) ||
      !is_width(shape.width)) {
    return false;
  }
  if (shape.kind == BlobKind::hyperslab) {
    if (shape.version == 1) return !shape.regular && shape.width == 4;
    if (shape.version == 2) return shape.regular && shape.width == 8;
    return shape.version == 3;
  }
  if (shape.regular) return false;
  if (shape.kind == BlobKind::points && shape.version == 2) return true;
  return shape.version == 1 && shape.width == 4;
}

std::optional<Blob> parse_blob(Bytes unfiltered) {
  Blob blob;
  BlobShape& shape = blob.shape;
  Cursor in(unfiltered);
  parse_extent(in, shape);
  if (!in.good()) return std::nullopt;
  const std::uint64_t items = parse_head(in, shape);
  if (!in.good() || !is_known(shape)) return std::nullopt;
  const Bytes rest = in.rest();
  const std::uint64_t item_bytes = shape.item_words() * shape.width;
  if (item_bytes != 0 && items > rest.size() / item_bytes) return std::nullopt;
  const std::size_t left = rest.size() - items * item_bytes;
  if (left == sum_bytes) {
    const Bytes before = unfiltered.first(unfiltered.size() - sum_bytes);
    if (load_word(unfiltered.data() + before.size(), sum_bytes) != lookup3(before)) return std::nullopt;
    shape.summed = true;
  } else if (left != 0) {
    return std::nullopt;
  }
  blob.words.resize(items * shape.item_words());
  if (shape.width == 2) load_words<2>(rest.data(), blob.words);
  if (shape.width == 4) load_words<4>(rest.data(), blob.words);
  if (shape.width == 8) load_words<8>(rest.data(), blob.words);
  return blob;
}

std::uint64_t blob_bytes(const BlobShape& shape, std::uint64_t items) {
  const std::uint64_t fixed =
      outer_bytes + extent_bytes(shape) + head_bytes(shape) + (shape.summed ? sum_bytes : 0);
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(items, shape.item_words() * shape.width, &bytes) ||
      __builtin_add_overflow(bytes, fixed, &bytes)) {
    return ~std::uint64_t{0};
  }
  return bytes;
}

Buffer write_blob(const BlobShape& shape, std::span<const std::uint64_t> words) {
  const std::uint64_t items = shape.item_words() == 0 ? 0 : words.size() / shape.item_words();
  Buffer unfiltered(blob_bytes(shape, items));
  std::byte* to = unfiltered.data();
  const auto put = [&](std::uint64_t value, unsigned width) {
    store_word(to, value, width);
    to += width;
  };
  put(1, 1);
  put(0, 1);
  put(shape.length_bytes, 1);
  put(extent_bytes(shape), 4);
  put(shape.extent_version, 1);
  put(shape.rank(), 1);
  put(shape.has_max, 1);
  shape.extent_version == 1 ? put(0, 5) : put(1, 1);
  for (const std::uint64_t dim : shape.dims) put(dim, shape.length_bytes);
  for (const std::uint64_t dim : shape.max) put(dim, shape.length_bytes);

  put(static_cast<std::uint64_t>(shape.kind), 4);
  put(shape.version, 4);
  if (shape.kind == BlobKind::none || shape.kind == BlobKind::all) {
    put(0, 8);
  } else {
    const bool hyperslab = shape.kind == BlobKind::hyperslab;
    if (shape.version == 1) {
      put(0, 4);
      put(8 + 4 * words.size(), 4);
    } else if (hyperslab && shape.version == 2) {
      put(1, 1);
      put(4 + 8 * words.size(), 4);
    } else {
      if (hyperslab) put(shape.regular, 1);
      put(shape.width, 1);
    }
    put(shape.rank(), 4);
    if (!shape.regular) put(items, shape.width);
  }
  if (shape.width == 2) store_words<2>(to, words);
  if (shape.width == 4) store_words<4>(to, words);
  if (shape.width == 8) store_words<8>(to, words);
  if (shape.summed) {
    const std::size_t summed = unfiltered.size() - sum_bytes;
    store_word(unfiltered.data() + summed, lookup3(Bytes(unfiltered).first(summed)), sum_bytes);
  }
  return unfiltered;
}

}  // namespace filigree::filter
