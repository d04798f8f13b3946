// SPDX-License-Identifier: Apache-2.0
//
// The LZ4 filter: bytes of data (8), bytes of a block (4), then for each block its stored bytes (4) and
// content; a block that did not shrink is stored as it is. All numbers are big-endian.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

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

  Buffer encode(Bytes plain) const override {
    const std::size_t block = std::min(block_bytes_, plain.size());
    Buffer stored(header_bytes);
    store_big(stored.data(), plain.size(), 8);
    store_big(stored.data() + 8, block, 4);
    for (std::size_t at = 0; at < plain.size(); at += block) {
      append_block(stored, plain.subspan(at, std::min(block, plain.size() - at)));
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
    Buffer plain(total);
    std::size_t from = header_bytes;
    for (std::size_t at = 0; at < total;) {
      const std::size_t bytes = std::min<std::uint64_t>(block, total - at);
      from += take_block(stored.subspan(from), MutableBytes(plain).subspan(at, bytes));
      at += bytes;
    }
    return plain;
  }

 private:
  static void append_block(Buffer& stored, Bytes plain) {
    const std::size_t start = stored.size();
    stored.resize(start + block_header_bytes + lz4::most_stored_bytes(plain.size()));
    const MutableBytes room = MutableBytes(stored).subspan(start + block_header_bytes);
    std::size_t bytes = lz4::compress(plain, room);
    if (bytes >= plain.size()) {
      std::copy(plain.begin(), plain.end(), room.begin());
      bytes = plain.size();
    }
    store_big(stored.data() + start, bytes, block_header_bytes);
    stored.resize(start + block_header_bytes + bytes);
  }

  /// Returns the stored bytes used.
  static std::size_t take_block(Bytes stored, MutableBytes plain) {
    check_holds(stored.size(), block_header_bytes, "header of an LZ4 block");
    const std::size_t bytes = load_big(stored.data(), block_header_bytes);
    check_holds(stored.size() - block_header_bytes, bytes, "LZ4 block");
    const Bytes content = stored.subspan(block_header_bytes, bytes);
    if (bytes == plain.size()) {
      std::copy(content.begin(), content.end(), plain.begin());
    } else {
      lz4::decompress(content, plain);
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
    return std::make_unique<BoundLz4>(std::min(block, lz4::most_plain_bytes()));
  }
};

}  // namespace

const Filter& lz4_filter() {
  static const Lz4 filter;
  return filter;
}

}  // namespace filigree::filter
