// SPDX-License-Identifier: Apache-2.0
//
// One structure that has an address of its own in a file. The first byte of the input chooses the structure,
// the second the widths. The next two are parameters that its owner would know (a rank, a depth, a count).
#include <array>
#include <cstdint>

#include "format/btrees/btree1.hpp"
#include "format/btrees/btree2.hpp"
#include "format/btrees/btree2_records.hpp"
#include "format/btrees/symbol_node.hpp"
#include "format/free_space/free_space.hpp"
#include "format/heaps/fractal_heap.hpp"
#include "format/heaps/global_heap.hpp"
#include "format/heaps/local_heap.hpp"
#include "format/messages/file_messages.hpp"
#include "format/object_header/object_header.hpp"
#include "format/object_header/shared_message_index.hpp"
#include "format/superblock/superblock.hpp"
#include "round_trip.hpp"

namespace {

using namespace filigree;
using namespace filigree::format;

struct Input {
  Bytes bytes;
  Widths widths;
  std::uint8_t first, second;  ///< parameters that are not part of the structure
};

template <class T>
void plain(const Input& in) {
  fuzz::round_trip(T{}, in.bytes, in.widths);
}

void btree1_node(const Input& in) {
  BTree1Node node;
  node.type = in.first & 1 ? BTree1Type::chunk : BTree1Type::group;
  node.k = static_cast<std::uint16_t>(in.second + 1);
  if (node.type == BTree1Type::chunk) node.key_offsets = static_cast<std::uint8_t>(in.first / 2 % 33 + 1);
  fuzz::round_trip(node, in.bytes, in.widths);
}

void symbol_node(const Input& in) {
  SymbolNode node;
  node.leaf_k = static_cast<std::uint16_t>(in.first + 1);
  fuzz::round_trip(node, in.bytes, in.widths);
}

void btree2_node(const Input& in) {
  fuzz::survives([&] {
    const BTree2Geometry geometry(512, static_cast<std::uint16_t>(in.first % 32 + 1), in.widths.offset_bytes);
    BTree2Node node;
    node.geometry = &geometry;
    node.type = 5;
    node.depth = static_cast<std::uint16_t>(in.second % 4);
    node.count = in.second / 4;
    fuzz::round_trip(node, in.bytes, in.widths);
  });
}

void btree2_header(const Input& in) {
  if (!fuzz::round_trip(BTree2Header{}, in.bytes, in.widths)) return;
  fuzz::survives([&] {
    const auto header = decode<BTree2Header>(in.bytes, in.widths);
    const BTree2Geometry geometry(header.node_bytes, header.record_bytes, in.widths.offset_bytes);
    (void)geometry.used_bytes(header.depth, header.root_records);
  });
}

void btree2_records(const Input& in) {
  plain<HugeIndirectRecord>(in);
  plain<HugeIndirectFilteredRecord>(in);
  plain<HugeDirectRecord>(in);
  plain<HugeDirectFilteredRecord>(in);
  plain<LinkNameRecord>(in);
  plain<LinkOrderRecord>(in);
  plain<AttributeNameRecord>(in);
  plain<AttributeOrderRecord>(in);
  plain<SharedMessageRecord>(in);
}

void heap_header(const Input& in) {
  if (!fuzz::round_trip(FractalHeapHeader{}, in.bytes, in.widths)) return;
  fuzz::survives([&] {
    const auto header = decode<FractalHeapHeader>(in.bytes, in.widths);
    const DoublingTable table(header, in.widths);
    (void)table.covered(table.max_root_rows());
    (void)table.usable(table.max_root_rows());
    (void)table.find(in.first * std::uint64_t{in.second});
    const HeapIdLayout layout(header, in.widths);
    if (in.bytes.size() >= layout.id_bytes) (void)decode_heap_id(in.bytes.last(layout.id_bytes), layout);
  });
}

void heap_indirect(const Input& in) {
  FractalHeapIndirectBlock block;
  block.rows = in.first % 20;
  block.width = 1u << (in.second % 5);
  block.direct_rows = in.second / 8 % 16;
  block.offset_bytes = in.first / 32 + 1;
  block.filtered = in.second >= 128;
  fuzz::round_trip(block, in.bytes, in.widths);
}

void heap_direct(const Input& in) {
  FractalHeapDirectPrefix prefix;
  prefix.offset_bytes = in.first % 8 + 1;
  prefix.has_checksum = in.second & 1;
  fuzz::round_trip(prefix, in.bytes, in.widths);
}

void free_space_list(const Input& in) {
  FreeSpaceHeader header;
  header.client = in.first & 1 ? FreeSpaceClient::file : FreeSpaceClient::heap;
  header.section_classes = header.client == FreeSpaceClient::file ? 3 : 4;
  header.address_bits = header.client == FreeSpaceClient::file ? 63 : 32;
  header.largest_section = std::uint64_t{1} << (in.first / 2 % 40);
  header.sections = header.serialised_sections = in.second;
  header.list_bytes = header.list_allocated_bytes = in.bytes.size();
  fuzz::survives([&] {
    for (const FreeSection& section : decode_sections(header, to_address(0), in.bytes, in.widths)) {
      if (section.class_data.empty()) continue;
      HeapSectionData data;
      data.address_bits = header.address_bits;
      fuzz::round_trip(data, section.class_data, in.widths);
    }
  });
}

void shared_table(const Input& in) {
  SharedMessageTable table;
  table.index_count = in.first % 9;
  fuzz::round_trip(table, in.bytes, in.widths);
}

void shared_list(const Input& in) {
  SharedMessageList list;
  list.record_count = in.second;
  fuzz::round_trip(list, in.bytes, in.widths);
}

void global_heap(const Input& in) {
  fuzz::survives([&] {
    for (const GlobalHeapObject& object : decode_global_heap(in.bytes, in.widths, to_address(0)).objects) {
      if (object.offset > in.bytes.size() || object.bytes > in.bytes.size() - object.offset) std::abort();
    }
  });
}

void header_messages(const Input& in) {
  const HeaderShape shape{static_cast<std::uint8_t>(in.first % 2 + 1), in.first >= 128 && in.first % 2 == 1};
  std::uint32_t gap = 0;
  fuzz::survives([&] {
    for (const MessageSlot& slot : walk_messages(in.bytes, 0, shape, to_address(0), gap)) {
      if (slot.body_at > in.bytes.size() || slot.body_bytes > in.bytes.size() - slot.body_at) std::abort();
    }
  });
}

/// Contains the widths itself. Only the bytes after them can be encoded again.
void superblock(const Input& in) {
  fuzz::survives([&] {
    const auto model = decode<Superblock>(in.bytes, in.widths);
    fuzz::round_trip(Superblock{}, in.bytes, model.widths);
  });
}

// make_seeds uses the same order.
constexpr std::array structures = {
    btree1_node,
    symbol_node,
    btree2_header,
    btree2_node,
    btree2_records,
    heap_header,
    heap_indirect,
    heap_direct,
    plain<FreeSpaceHeader>,
    free_space_list,
    shared_table,
    shared_list,
    global_heap,
    plain<LocalHeapPrefix>,
    header_messages,
    plain<ObjectHeaderPrefixV1>,
    plain<ObjectHeaderPrefixV2>,
    superblock,
    plain<CacheImage>,
    plain<DriverInfoBlock>,
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data) + 4, size - 4);
  structures[data[0] % structures.size()]({bytes, fuzz::choose_widths(data[1]), data[2], data[3]});
  return 0;
}
