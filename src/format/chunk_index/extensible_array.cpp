// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_index/extensible_array.hpp"

#include <bit>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {
namespace {

/// More elements than any file can hold, and far below the limit at which sums would wrap.
constexpr unsigned most_groups = 56;
constexpr std::uint64_t most_elements = std::uint64_t{1} << most_groups;

template <class Io, class M>
void describe_parameters(Io& io, M& m) {
  // The layout message has the same fields in another order.
  io.u8("maximum elements bits", m.max_elements_bits);
  io.range("maximum elements bits", m.max_elements_bits, 1, 64);
  io.u8("index block elements", m.index_block_elements);
  io.range("index block elements", m.index_block_elements, 1, 255);
  io.u8("minimum data block elements", m.min_data_block_elements);
  io.require(std::has_single_bit(m.min_data_block_elements), "minimum data block elements",
             "is no power of two");
  io.u8("minimum data block pointers", m.min_data_block_pointers);
  io.require(std::has_single_bit(m.min_data_block_pointers), "minimum data block pointers",
             "is no power of two");
  io.u8("page bits", m.page_bits);
  io.range("page bits", m.page_bits, 1, 31);
}

template <class Io, class M>
void describe_start(Io& io, M& m, std::string_view signature) {
  io.signature(signature);
  io.u8("version", m.version);
  io.range("version", m.version, 0, m.client >= 2 ? 1 : 0);
  io.constant("client", m.client);
  io.address("header", m.header);
}

template <class Io, class List>
void describe_addresses(Io& io, std::string_view name, List& list, std::uint64_t count) {
  io.resize(name, list, count, io.widths().offset_bytes);
  for (auto& address : list) io.address(name, address);
}

[[noreturn]] void throw_corrupt(const char* what) {
  throw Error(ErrorKind::corrupt, std::string(ExtensibleArrayHeader::structure) + ": " + what);
}

}  // namespace

ExtensibleArrayGeometry::ExtensibleArrayGeometry(const ExtensibleArrayParameters& parameters)
    : parameters_(parameters) {
  const unsigned least = parameters.min_data_block_elements;
  const unsigned pointers = parameters.min_data_block_pointers;
  if (!std::has_single_bit(least) || !std::has_single_bit(pointers))
    throw_corrupt("the least number of elements or pointers is no power of two");
  least_bits_ = static_cast<unsigned>(std::countr_zero(least));
  if (parameters.max_elements_bits > 64 || parameters.max_elements_bits < least_bits_ ||
      parameters.page_bits < 1 || parameters.page_bits > 31)
    throw_corrupt("the bits of its elements or pages are out of range");
  groups_ = 1 + parameters.max_elements_bits - least_bits_;
  direct_groups_ = 2 * static_cast<unsigned>(std::countr_zero(pointers));
  direct_blocks_ = 2 * (std::uint64_t{pointers} - 1);
  if (direct_groups_ > groups_) throw_corrupt("the index block lists more data blocks than there can be");
  if (direct_groups_ > 0 && group(direct_groups_ - 1).pages > 0)
    throw_corrupt("data blocks that the index block lists would have pages");
}

ExtensibleArrayGeometry::Group ExtensibleArrayGeometry::group(unsigned u) const {
  if (u >= most_groups) throw_corrupt("it has more blocks than any file can hold");
  Group g;
  g.blocks = std::uint64_t{1} << (u / 2);
  g.block_elements = std::uint64_t{1} << (least_bits_ + (u + 1) / 2);
  g.first_element = ((std::uint64_t{1} << u) - 1) << least_bits_;
  // Two groups for every number of blocks: 1, 1, 2, 2, 4, 4 ...
  g.first_block = 2 * (g.blocks - 1) + (u % 2 == 1 ? g.blocks : 0);
  if (g.block_elements > page_elements()) g.pages = g.block_elements >> parameters_.page_bits;
  return g;
}

ExtensibleArrayGeometry::Location ExtensibleArrayGeometry::locate(std::uint64_t index) const {
  const std::uint64_t rest = index - parameters_.index_block_elements;
  Location p;
  if (rest >= most_elements) return {groups_, 0, 0};
  p.group = static_cast<unsigned>(std::bit_width((rest >> least_bits_) + 1)) - 1;
  if (p.group >= groups_) return {groups_, 0, 0};
  const unsigned block_bits = least_bits_ + (p.group + 1) / 2;
  const std::uint64_t within = rest - (((std::uint64_t{1} << p.group) - 1) << least_bits_);
  p.block = within >> block_bits;
  p.element = within & ((std::uint64_t{1} << block_bits) - 1);
  return p;
}

template <class Io, Model<ExtensibleArrayHeader> M>
void describe(Io& io, M& m) {
  io.signature("EAHD");
  io.u8("version", m.version);
  io.u8("client", m.client);
  io.range("client", m.client, 0, 3);
  io.range("version", m.version, 0, m.client >= 2 ? 1 : 0);
  io.u8("element bytes", m.element_bytes);
  io.range("element bytes", m.element_bytes, 1, 255);
  describe_parameters(io, m.parameters);
  io.length("super blocks", m.super_blocks);
  io.length("super block bytes", m.super_block_bytes);
  io.length("data blocks", m.data_blocks);
  io.length("data block bytes", m.data_block_bytes);
  io.length("index end", m.index_end);
  io.length("slots", m.slots);
  io.address("index block", m.index_block);
  io.checksum();
}

template <class Io, Model<ExtensibleArrayIndexBlock> M>
void describe(Io& io, M& m) {
  describe_start(io, m, "EAIB");
  io.blob("elements", m.elements, m.element_total_bytes);
  describe_addresses(io, "data block", m.data_blocks, m.data_block_count);
  describe_addresses(io, "super block", m.super_blocks, m.super_block_count);
  io.checksum();
}

template <class Io, Model<ExtensibleArraySuperBlock> M>
void describe(Io& io, M& m) {
  describe_start(io, m, "EASB");
  io.word("first element", m.first_element, m.offset_bytes);
  io.blob("page bitmap", m.page_bitmap, m.bitmap_bytes);
  describe_addresses(io, "data block", m.data_blocks, m.data_block_count);
  io.checksum();
}

template <class Io, Model<ExtensibleArrayDataBlock> M>
void describe(Io& io, M& m) {
  describe_start(io, m, "EADB");
  io.word("first element", m.first_element, m.offset_bytes);
  io.blob("elements", m.elements, m.element_total_bytes);
  io.checksum();
}

FILIGREE_DESCRIBED(ExtensibleArrayHeader);
FILIGREE_DESCRIBED(ExtensibleArrayIndexBlock);
FILIGREE_DESCRIBED(ExtensibleArraySuperBlock);
FILIGREE_DESCRIBED(ExtensibleArrayDataBlock);

}  // namespace filigree::format
