// SPDX-License-Identifier: Apache-2.0
//
// Filter 32000, LZF. Parameters in the file: 4, 0x105, bytes of a chunk. A request has none.
//
// A control byte n below 32 is followed by n + 1 literals. Any other control byte holds the length (3 bits)
// and the distance (5 bits, then a byte) of a copy from the data decoded so far.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"

namespace filigree::filter {
namespace {

constexpr std::uint32_t filter_revision = 4;
constexpr std::uint32_t format_version = 0x0105;

constexpr std::size_t most_literals = 32;
constexpr std::size_t shortest_copy = 3;
constexpr std::size_t longest_copy = 2 + 7 + 255;
constexpr std::size_t farthest = 8192;

/// A hash table that finds an earlier occurrence of three bytes.
class OffsetTable {
 public:
  OffsetTable() { offsets_.fill(none); }

  /// Returns the last offset recorded for the hash of the bytes at `position`, and records `position`. The
  /// bytes at that offset may differ.
  std::size_t exchange(Bytes unfiltered, std::size_t position) {
    std::uint32_t bytes = 0;
    for (std::size_t i = 0; i < shortest_copy; ++i) {
      bytes = bytes << 8 | std::to_integer<std::uint32_t>(unfiltered[position + i]);
    }
    std::size_t& slot = offsets_[bytes * 2654435761u >> (32 - slot_bits)];
    return std::exchange(slot, position);
  }

  static constexpr std::size_t none = SIZE_MAX;

 private:
  static constexpr unsigned slot_bits = 14;
  std::array<std::size_t, std::size_t{1} << slot_bits> offsets_;
};

class Encoder {
 public:
  explicit Encoder(Bytes unfiltered) : unfiltered_(unfiltered) {
    stored_.reserve(unfiltered.size() + unfiltered.size() / most_literals + 1);
  }

  Buffer run() {
    std::size_t at = 0;
    while (at + shortest_copy <= unfiltered_.size()) {
      const std::size_t earlier = offsets_.exchange(unfiltered_, at);
      const std::size_t length = common(earlier, at);
      if (length < shortest_copy) {
        ++at;
        continue;
      }
      put_literals(at);
      put_copy(length, at - earlier);
      for (std::size_t i = at + 1; i < at + length && i + shortest_copy <= unfiltered_.size(); ++i) {
        offsets_.exchange(unfiltered_, i);
      }
      at += length;
      literals_from_ = at;
    }
    put_literals(unfiltered_.size());
    return std::move(stored_);
  }

 private:
  std::size_t common(std::size_t earlier, std::size_t at) const {
    if (earlier == OffsetTable::none || at - earlier > farthest) return 0;
    const std::size_t most = std::min(longest_copy, unfiltered_.size() - at);
    std::size_t length = 0;
    while (length < most && unfiltered_[earlier + length] == unfiltered_[at + length]) ++length;
    return length;
  }

  void put_literals(std::size_t end) {
    while (literals_from_ < end) {
      const std::size_t count = std::min(most_literals, end - literals_from_);
      stored_.push_back(static_cast<std::byte>(count - 1));
      const Bytes literals = unfiltered_.subspan(literals_from_, count);
      stored_.insert(stored_.end(), literals.begin(), literals.end());
      literals_from_ += count;
    }
  }

  void put_copy(std::size_t length, std::size_t distance) {
    const std::size_t code = length - 2, back = distance - 1;
    stored_.push_back(static_cast<std::byte>(std::min<std::size_t>(code, 7) << 5 | back >> 8));
    if (code >= 7) stored_.push_back(static_cast<std::byte>(code - 7));
    stored_.push_back(static_cast<std::byte>(back));
  }

  Bytes unfiltered_;
  Buffer stored_;
  OffsetTable offsets_;
  std::size_t literals_from_ = 0;
};

class Decoder {
 public:
  Decoder(Bytes stored, std::size_t max_bytes) : stored_(stored), max_bytes_(max_bytes) {
    // A copy of 264 bytes takes three stored bytes.
    constexpr std::size_t ratio = longest_copy / 3;
    unfiltered_.reserve(stored.size() > max_bytes / ratio ? max_bytes : stored.size() * ratio);
  }

  Buffer run() {
    while (at_ < stored_.size()) {
      const std::size_t control = next();
      if (control < most_literals) {
        take_literals(control + 1);
      } else {
        take_copy(control);
      }
    }
    return std::move(unfiltered_);
  }

 private:
  std::size_t next() {
    check_holds(stored_.size(), at_ + 1, "LZF stream");
    return std::to_integer<std::size_t>(stored_[at_++]);
  }

  void take_literals(std::size_t count) {
    check_holds(stored_.size(), at_ + count, "LZF stream");
    check_fits(unfiltered_.size() + count, max_bytes_);
    const Bytes literals = stored_.subspan(at_, count);
    unfiltered_.insert(unfiltered_.end(), literals.begin(), literals.end());
    at_ += count;
  }

  void take_copy(std::size_t control) {
    std::size_t length = (control >> 5) + 2;
    if (control >> 5 == 7) length += next();
    const std::size_t distance = ((control & 31) << 8 | next()) + 1;
    if (distance > unfiltered_.size()) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("LZF stream copies from {} bytes back at byte {} of the data", distance,
                              unfiltered_.size()));
    }
    check_fits(unfiltered_.size() + length, max_bytes_);
    const std::size_t start = unfiltered_.size();
    unfiltered_.resize(start + length);
    // Byte by byte, because source and destination may overlap: that repeats a pattern.
    for (std::size_t i = start; i < start + length; ++i) unfiltered_[i] = unfiltered_[i - distance];
  }

  Bytes stored_;
  std::size_t max_bytes_;
  Buffer unfiltered_;
  std::size_t at_ = 0;
};

class BoundLzf : public BoundFilter {
 public:
  Buffer encode(Bytes unfiltered) const override { return Encoder(unfiltered).run(); }
  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    return Decoder(stored, max_bytes).run();
  }
  bool skips_growth() const override { return true; }
};

class Lzf : public Filter {
 public:
  std::uint16_t id() const override { return 32000; }
  std::string_view name() const override { return "lzf"; }

  /// The parameters are informative: a stream describes itself.
  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t>,
                                          const ElementLayout&) const override {
    return std::make_unique<BoundLzf>();
  }

  std::vector<std::uint32_t> prepare(std::span<const std::uint32_t>, const ChunkFacts& chunk) const override {
    return {filter_revision, format_version, static_cast<std::uint32_t>(chunk.elements() * chunk.type.bytes)};
  }
};

}  // namespace

const Filter& lzf_filter() {
  static const Immortal<Lzf> filter;
  return *filter;
}

}  // namespace filigree::filter
