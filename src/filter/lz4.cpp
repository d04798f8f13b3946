// SPDX-License-Identifier: Apache-2.0
//
// Filter 32004, LZ4. Parameter: bytes of a block (optional).
//
// Stored data have the number of data bytes (8) and of block bytes (4), then for each block its stored bytes
// (4) and content. A block that does not shrink is stored uncompressed. All numbers are big-endian.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "filter/big_endian.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"
#include "filter/lz4_codec.hpp"

namespace filigree::filter {
namespace {

constexpr std::size_t header_bytes = 12;
constexpr std::size_t block_header_bytes = 4;
constexpr std::size_t default_block_bytes = std::size_t{1} << 30;

class BoundLz4 : public BoundFilter {
 public:
  explicit BoundLz4(std::size_t block_bytes) : block_bytes_(block_bytes) {}

  Buffer encode(Bytes unfiltered) const override {
    const std::size_t block = std::min(block_bytes_, unfiltered.size());
    Buffer stored(header_bytes);
    store_big(stored.data(), unfiltered.size(), 8);
    store_big(stored.data() + 8, block, 4);
    for (std::size_t at = 0; at < unfiltered.size(); at += block) {
      append_block(stored, unfiltered.subspan(at, std::min(block, unfiltered.size() - at)));
    }
    return stored;
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    check_holds(stored.size(), header_bytes, "header of LZ4 blocks");
    const std::uint64_t total = load_big(stored.data(), 8);
    const std::size_t block = load_big(stored.data() + 8, 4);
    check_fits(total, max_bytes);
    lz4::check_ratio(stored.size(), total);
    if (block == 0 && total != 0) throw Error(ErrorKind::corrupt, "LZ4 blocks of 0 bytes");
    Buffer unfiltered(total);
    std::size_t from = header_bytes;
    for (std::size_t at = 0; at < total;) {
      const std::size_t bytes = std::min<std::uint64_t>(block, total - at);
      from += decode_block(stored.subspan(from), MutableBytes(unfiltered).subspan(at, bytes));
      at += bytes;
    }
    return unfiltered;
  }

 private:
  static void append_block(Buffer& stored, Bytes unfiltered) {
    const std::size_t start = stored.size();
    stored.resize(start + block_header_bytes + lz4::most_stored_bytes(unfiltered.size()));
    const MutableBytes output = MutableBytes(stored).subspan(start + block_header_bytes);
    std::size_t bytes = lz4::compress(unfiltered, output);
    if (bytes >= unfiltered.size()) {
      std::copy(unfiltered.begin(), unfiltered.end(), output.begin());
      bytes = unfiltered.size();
    }
    store_big(stored.data() + start, bytes, block_header_bytes);
    stored.resize(start + block_header_bytes + bytes);
  }

  /// Returns the number of stored bytes that the block takes.
  static std::size_t decode_block(Bytes stored, MutableBytes unfiltered) {
    check_holds(stored.size(), block_header_bytes, "header of an LZ4 block");
    const std::size_t bytes = load_big(stored.data(), block_header_bytes);
    check_holds(stored.size() - block_header_bytes, bytes, "LZ4 block");
    const Bytes content = stored.subspan(block_header_bytes, bytes);
    if (bytes == unfiltered.size()) {
      std::copy(content.begin(), content.end(), unfiltered.begin());
    } else {
      lz4::decompress(content, unfiltered);
    }
    return block_header_bytes + bytes;
  }

  const std::size_t block_bytes_;
};

class Lz4 : public Filter {
 public:
  std::uint16_t id() const override { return 32004; }
  std::string_view name() const override {
    return "HDF5 lz4 filter; see http://www.hdfgroup.org/services/contributions.html";
  }

  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    const std::size_t block = params.empty() || params[0] == 0 ? default_block_bytes : params[0];
    return std::make_unique<BoundLz4>(std::min(block, lz4::most_unfiltered_bytes()));
  }
};

}  // namespace

const Filter& lz4_filter() {
  static const Immortal<Lz4> filter;
  return *filter;
}

}  // namespace filigree::filter
