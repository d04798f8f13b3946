// SPDX-License-Identifier: Apache-2.0
//
// Dumps an example of each structure that docs/format shows as a table; scripts/print-formats turns the dumps
// into tables. Every example is dumped at several widths of offsets and lengths, which tells which fields
// have them.
#include <cstdint>
#include <cstdio>
#include <string>

#include "format/btrees/btree2.hpp"
#include "format/chunk_index/chunk_record.hpp"
#include "format/chunk_index/extensible_array.hpp"
#include "format/chunk_index/fixed_array.hpp"
#include "format/chunk_index/portable_chunk.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/layout.hpp"
#include "format/messages/pipeline.hpp"
#include "format/object_header/object_header.hpp"
#include "format/selections/selection.hpp"
#include "format/superblock/superblock.hpp"

namespace {

using namespace filigree;
using namespace filigree::format;

constexpr Widths all_widths[] = {{8, 8}, {4, 8}, {8, 4}};

template <class Make>
void show_each(const char* name, Make make) {
  std::printf("structure %s\n", name);
  for (const Widths& widths : all_widths) {
    const auto model = make(widths);
    std::printf("widths %d %d\n%sbytes %zu\n", widths.offset_bytes, widths.length_bytes,
                dump(model, widths).c_str(), encoded_bytes(model, widths));
  }
}

template <class T>
void show(const char* name, const T& model) {
  show_each(name, [&](const Widths&) { return model; });
}

Buffer zeros(std::size_t bytes) { return Buffer(bytes); }

void show_superblocks() {
  for (std::uint8_t version = 0; version <= 3; ++version) {
    show_each(("superblock-" + std::to_string(version)).c_str(), [&](const Widths& widths) {
      Superblock m;
      m.version = version;
      m.widths = widths;
      m.end_of_file = 2048;
      m.root.header = to_address(version < 2 ? 96 : 48);
      if (version < 2) {
        m.root.cache = EntryCache::group;
        m.root.cached_btree = to_address(136);
        m.root.cached_heap = to_address(680);
      }
      return m;
    });
  }
}

void show_object_headers() {
  show("object-header-1", ObjectHeaderPrefixV1{4, 1, 256});
  ObjectHeaderPrefixV2 second;
  second.times = ObjectTimes{};
  second.attribute_phase = AttributePhase{};
  second.tracks_attribute_order = true;
  second.area_bytes = 120;
  show("object-header-2", second);
  show("message-prefix-1", MessagePrefix{{1, false}, MessageType::layout, 24, 0, 0});
  show("message-prefix-2", MessagePrefix{{2, true}, MessageType::layout, 18, 0, 3});
}

LayoutMessage layout(std::uint8_t version, LayoutClass kind) {
  LayoutMessage m;
  m.version = version;
  m.layout = kind;
  m.address = to_address(0x864);
  if (kind == LayoutClass::compact) m.compact_data = zeros(40);
  if (kind == LayoutClass::contiguous) m.contiguous_bytes = 400;
  if (version < 3 && kind != LayoutClass::chunked) m.dims = {10, 10};
  if (m.in_chunks()) m.dims = {5, 5, 4};
  if (kind == LayoutClass::virtual_dataset) m.heap_index = 1;
  return m;
}

LayoutMessage chunked(ChunkIndexType index) {
  LayoutMessage m = layout(4, LayoutClass::chunked);
  m.index = index;
  return m;
}

LayoutMessage structured(ChunkIndexType index, bool heap = false) {
  LayoutMessage m = layout(5, LayoutClass::structured);
  m.composition = ChunkComposition::make(true, heap);
  m.index = index;
  return m;
}

void show_layouts() {
  show("layout-1-contiguous", layout(1, LayoutClass::contiguous));
  show("layout-2-compact", layout(2, LayoutClass::compact));
  show("layout-2-chunked", layout(2, LayoutClass::chunked));
  show("layout-3-compact", layout(3, LayoutClass::compact));
  show("layout-3-contiguous", layout(3, LayoutClass::contiguous));
  show("layout-3-chunked", layout(3, LayoutClass::chunked));
  show("layout-4-virtual", layout(4, LayoutClass::virtual_dataset));
  LayoutMessage single = chunked(ChunkIndexType::single_chunk);
  single.single_chunk_filtered = true;
  single.single_chunk_bytes = 77;
  show("layout-4-single", single);
  show("layout-4-implicit", chunked(ChunkIndexType::implicit));
  show("layout-4-fixed-array", chunked(ChunkIndexType::fixed_array));
  show("layout-4-extensible-array", chunked(ChunkIndexType::extensible_array));
  show("layout-4-btree", chunked(ChunkIndexType::btree_v2));
  show("layout-5-fixed-array", structured(ChunkIndexType::fixed_array));
  show("layout-5-heap", structured(ChunkIndexType::extensible_array, true));
  LayoutMessage sections = structured(ChunkIndexType::single_chunk);
  sections.single_chunk_filtered = true;
  sections.single_chunk_bytes = 115;
  sections.single_chunk_sections = {2, {0, 91}, {91, 24}, {}};
  show("layout-5-single", sections);
}

/// The chunk of the example in portable-chunks.md.
void show_portable_chunks() {
  PortableEnvelope envelope;
  envelope.defined = 3;
  envelope.sections[0] = {0, 0, 25, 72};
  envelope.sections[1] = {1, 0, 6, 6};
  show("portable-envelope", envelope);
  PortableParameters parameters;
  parameters.dims = {256, 300};
  parameters.element_bytes = 2;
  parameters.fill = {std::byte{5}, std::byte{0}};
  parameters.filters[0] = {{500, 0, "", {}}};
  parameters.filters[1] = {{32015, 1, "", {3}}};
  show("portable-parameters", parameters);
}

void show_pipelines() {
  const PipelineFilter shuffle{2, 1, "shuffle", {4}, 0}, deflate{1, 1, "deflate", {6}, 0};
  const PipelineFilter packed{500, 1, "filigree packed selection", {}, 0};
  show("pipeline-1", PipelineMessage{1, {shuffle}});
  show("pipeline-2", PipelineMessage{2, {packed}});
  const PipelineFilter short_shuffle{2, 1, "", {4}, 0}, short_deflate{1, 1, "", {6}, 0};
  show("section-filters", SectionPipelinesMessage{1, {{1, {short_shuffle, short_deflate}}}});
}

void show_arrays() {
  FixedArrayHeader fixed;
  fixed.client = 2;
  fixed.element_bytes = 18;
  fixed.elements = 4;
  fixed.data_block = to_address(0x880);
  show("fixed-array-header", fixed);
  show("fixed-array-block", FixedArrayBlock{2, 0, 1, 0, to_address(0x864), zeros(1), {}});
  ExtensibleArrayHeader extensible;
  extensible.client = 2;
  extensible.element_bytes = 18;
  extensible.index_end = 4;
  extensible.slots = 4;
  extensible.index_block = to_address(0x900);
  show("extensible-array-header", extensible);
  ExtensibleArrayIndexBlock index;
  index.client = 2;
  index.element_total_bytes = 72;
  index.elements = zeros(72);
  index.header = to_address(0x864);
  index.data_block_count = 6;
  index.data_blocks.resize(6, Address::undefined);
  index.super_block_count = 25;
  index.super_blocks.resize(25, Address::undefined);
  show("extensible-array-index-block", index);
  show("extensible-array-super-block",
       ExtensibleArraySuperBlock{2, 0, 4, 1, 4, to_address(0x864), 116, zeros(1),
                                 std::vector<Address>(4, Address::undefined)});
  show("extensible-array-data-block",
       ExtensibleArrayDataBlock{2, 0, 4, 288, to_address(0x864), 0, zeros(288)});
}

void show_trees() {
  BTree2Header header;
  header.type = 12;
  header.node_bytes = 2048;
  header.record_bytes = 34;
  header.root = to_address(0xa00);
  header.root_records = 1;
  header.total_records = 1;
  show("btree-header", header);
  const BTree2Geometry geometry(2048, 34, 8);
  BTree2Node leaf;
  leaf.geometry = &geometry;
  leaf.type = 12;
  leaf.count = 1;
  leaf.records = zeros(34);
  show("btree-leaf", leaf);
}

void show_records() {
  for (const std::uint8_t rank : {0, 2}) {
    for (const bool sections : {false, true}) {
      for (const bool filtered : {false, true}) {
        const auto composition = ChunkComposition::make(true, false);
        ChunkRecord m;
        m.layout = sections ? ChunkRecordLayout::make(filtered, 100, composition, rank)
                            : ChunkRecordLayout::make(filtered, 100, 4, {}, rank);
        m.address = to_address(0x8da);
        m.stored_bytes = 115;
        m.scaled = {1, 0};
        if (sections) m.sections.count = 2;
        m.sections.offsets[1] = 91;
        if (filtered) m.sections.unfiltered_bytes = {91, 24};
        const unsigned number = rank == 0 ? m.layout.array_client() : m.layout.tree_type();
        show(("record-" + std::to_string(number)).c_str(), m);
      }
    }
  }
}

void show_selections() {
  show("dataspace-1", DataspaceMessage{1, DataspaceKind::simple, {5, 5}, std::vector<std::uint64_t>{5, 5}});
  show("dataspace-2", DataspaceMessage{2, DataspaceKind::simple, {5, 5}, std::vector<std::uint64_t>{5, 5}});
  show("encoded-extent", EncodedExtent{8, zeros(40)});
  EncodedSelection all;
  show("selection-all", all);
  EncodedSelection points{SelectionType::points, 1, 4, 2, false, {}, {3, 2, 0, 4}};
  show("selection-points-1", points);
  points.version = 2;
  points.number_bytes = 2;
  show("selection-points-2", points);
  EncodedSelection blocks{SelectionType::hyperslab, 1, 4, 2, false, {}, {3, 2, 4, 4}};
  show("selection-hyperslab-1", blocks);
  EncodedSelection regular{SelectionType::hyperslab, 2, 8, 2, true, {{3, 1, 1, 2}, {2, 1, 1, 3}}, {}};
  show("selection-hyperslab-2", regular);
  regular.version = 3;
  regular.number_bytes = 2;
  show("selection-hyperslab-3-regular", regular);
  blocks.version = 3;
  blocks.number_bytes = 2;
  show("selection-hyperslab-3-blocks", blocks);
}

}  // namespace

int main() {
  show_superblocks();
  show_object_headers();
  show_layouts();
  show_pipelines();
  show_portable_chunks();
  show_arrays();
  show_trees();
  show_records();
  show_selections();
}
