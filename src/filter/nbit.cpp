// SPDX-License-Identifier: Apache-2.0
//
// Filter 5, n-bit: stores only the significant bits of every number, contiguously. Parameters in the file: a
// description of the datatype (nbit_tree.hpp). A request has none.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "filter/bit_stream.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"
#include "filter/nbit_tree.hpp"

namespace filigree::filter {
namespace {

using Kind = NbitNode::Kind;

constexpr std::size_t most_word_bytes = 8;

/// Calls `work(byte index, lowest bit, bits)` for the significant bits of a number, from the most significant
/// byte to the least significant one.
template <class Work>
void each_byte(const NbitNode& number, const Work& work) {
  const unsigned end = number.offset_bits + number.precision_bits;
  for (unsigned byte = (end + 7) / 8; byte-- > number.offset_bits / 8;) {
    const unsigned low = std::max(number.offset_bits, 8 * byte), high = std::min(end, 8 * byte + 8);
    work(number.big_endian ? number.size - 1 - byte : byte, low - 8 * byte, high - low);
  }
}

class Packer {
 public:
  explicit Packer(std::byte* to) : bits_(to) {}
  void finish() { bits_.finish(); }

  void number(const NbitNode& node, const std::byte* from) {
    if (node.size <= most_word_bytes) {
      bits_.put(load(node, from) >> node.offset_bits, node.precision_bits);
      return;
    }
    each_byte(node, [&](std::size_t byte, unsigned low, unsigned bits) {
      bits_.put(std::to_integer<std::uint64_t>(from[byte]) >> low, bits);
    });
  }

  void bytes(const NbitNode& node, const std::byte* from) {
    for (std::size_t i = 0; i < node.size; ++i) bits_.put(std::to_integer<std::uint64_t>(from[i]), 8);
  }

 private:
  static std::uint64_t load(const NbitNode& node, const std::byte* from) {
    const auto size = static_cast<unsigned>(node.size);
    const std::uint64_t word = load_word(from, size);
    return node.big_endian ? __builtin_bswap64(word) >> (64 - 8 * size) : word;
  }

  BitWriter bits_;
};

/// *Requires* that the destination is zeroed.
class Unpacker {
 public:
  explicit Unpacker(const std::byte* from) : bits_(from) {}

  void number(const NbitNode& node, std::byte* to) {
    if (node.size <= most_word_bytes) {
      const auto size = static_cast<unsigned>(node.size);
      const std::uint64_t word = bits_.get(node.precision_bits) << node.offset_bits;
      store_word(to, node.big_endian ? __builtin_bswap64(word) >> (64 - 8 * size) : word, size);
      return;
    }
    each_byte(node, [&](std::size_t byte, unsigned low, unsigned bits) {
      to[byte] |= static_cast<std::byte>(bits_.get(bits) << low);
    });
  }

  void bytes(const NbitNode& node, std::byte* to) {
    for (std::size_t i = 0; i < node.size; ++i) to[i] = static_cast<std::byte>(bits_.get(8));
  }

 private:
  BitReader bits_;
};

/// Visits the parts of one element. One function serves both directions: `Byte` is const when packing.
template <class Worker, class Byte>
void walk(Worker& worker, const NbitNode& node, Byte* at) {
  switch (node.kind) {
    case Kind::number:
      return worker.number(node, at);
    case Kind::bytes:
      return worker.bytes(node, at);
    case Kind::array: {
      const NbitNode& base = node.parts[0];
      for (std::size_t i = 0; i + base.size <= node.size; i += base.size) walk(worker, base, at + i);
      return;
    }
    case Kind::compound:
      for (const NbitNode& member : node.parts) walk(worker, member, at + member.at);
      return;
  }
}

[[noreturn]] void fail_on_lost_members() {
  throw Error(
      ErrorKind::unsupported,
      "n-bit data as HDF5 writes them lack the members of a compound after an array of compounds or arrays");
}

class BoundNbit : public BoundFilter {
 public:
  explicit BoundNbit(NbitPlan plan)
      : plan_(std::move(plan)), element_bits_(plan_.packs ? plan_.element.packed_bits() : 0) {}

  Buffer encode(Bytes unfiltered) const override {
    if (!plan_.packs) return {unfiltered.begin(), unfiltered.end()};
    if (plan_.loses_members) fail_on_lost_members();
    const std::size_t size = plan_.element.size;
    const std::uint64_t elements = unfiltered.size() / size;
    if ((plan_.elements != 0 && elements != plan_.elements) || unfiltered.size() % size != 0) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("n-bit was set up for {} elements of {} bytes, not for {} "
                              "bytes of data",
                              plan_.elements, size, unfiltered.size()));
    }
    // HDF5 stores one byte more than needed if the bits end at a byte boundary.
    Buffer stored(elements * element_bits_ / 8 + 1);
    Packer packer(stored.data());
    for (std::size_t at = 0; at < unfiltered.size(); at += size)
      walk(packer, plan_.element, unfiltered.data() + at);
    packer.finish();
    return stored;
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    if (!plan_.packs) {
      check_fits(stored.size(), max_bytes);
      return {stored.begin(), stored.end()};
    }
    if (plan_.element.size == 0) fail_on_lost_members();
    const std::size_t size = plan_.element.size;
    const std::uint64_t elements = plan_.elements != 0 ? plan_.elements : max_bytes / size;
    // Both factors are below 2^32, or their product is the expected size. The number of bits must fit as
    // well.
    check_fits(elements * size, std::min(max_bytes, SIZE_MAX / 8));
    check_holds(stored.size(), (elements * element_bits_ + 7) / 8, "n-bit data");
    Buffer unfiltered(elements * size);
    Unpacker unpacker(stored.data());
    for (std::size_t at = 0; at < unfiltered.size(); at += size)
      walk(unpacker, plan_.element, unfiltered.data() + at);
    return unfiltered;
  }

 private:
  const NbitPlan plan_;
  const std::uint64_t element_bits_;
};

class Nbit : public Filter {
 public:
  std::uint16_t id() const override { return 5; }
  std::string_view name() const override { return "nbit"; }

  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    return std::make_unique<BoundNbit>(parse_nbit(params));
  }

  std::vector<std::uint32_t> prepare(std::span<const std::uint32_t>, const ChunkFacts& chunk) const override {
    return nbit_params(chunk);
  }
};

}  // namespace

const Filter& nbit_filter() {
  static const Immortal<Nbit> filter;
  return *filter;
}

}  // namespace filigree::filter
