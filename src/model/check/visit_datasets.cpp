// SPDX-License-Identifier: Apache-2.0
//
// The storage of datasets.
#include <array>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "chunk/table/chunk_table.hpp"
#include "chunk/transfer/chunk_loader.hpp"
#include "format/messages/object_messages.hpp"
#include "index/chunk_index.hpp"
#include "model/check/file_walk.hpp"
#include "model/check/visitors.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/layout/layout.hpp"
#include "model/object/object.hpp"
#include "model/virtual/mappings.hpp"

namespace filigree::model {

using format::ChunkIndexType;
using format::LayoutClass;
using format::LayoutMessage;

namespace {

constexpr std::string_view chunk_structure = "chunk";

/// Decodes chunks, and follows what their elements refer to.
class ChunkCheck {
 public:
  ChunkCheck(FileWalk& walk, const Dataset& dataset)
      : walk_(walk), type_(dataset.messages().type), table_(dataset.layout().open_chunks(dataset)) {
    // Values of structured chunks are in a section of the chunk.
    const bool in_file = dataset.messages().layout.layout == LayoutClass::chunked;
    follows_ = (in_file && has_heap_values(type_)) || (has_references(type_) && !has_heap_values(type_));
  }

  /// Once a filter is missing, all further chunks would lack it, too.
  void check(index::ChunkCoordinates at, const index::ChunkLocation& location) {
    if (is_unsupported_) return;
    const std::uint64_t before = walk_.report().informations;
    const bool sound = walk_.guarded(chunk_structure, location.address, [&] {
      in_context([&] { return fmt::format("chunk {}", coordinates_text(at)); },
                 [&] { decode(at, location); });
    });
    if (!sound) walk_.elements_are_known = false;
    is_unsupported_ = walk_.report().informations > before;
  }

 private:
  static std::string coordinates_text(index::ChunkCoordinates at) {
    return fmt::format("({})", fmt::join(at.begin(), at.end(), ", "));
  }

  void decode(index::ChunkCoordinates at, const index::ChunkLocation& location) {
    std::array<chunk::PendingRead, 1> reads{
        {{0, location, table_->geometry().edge_at(at), false, nullptr, {}}}};
    chunk::ChunkLoader(*table_).load(reads, nullptr);
    ++walk_.report().chunks_read;
    // Formats may leave values as they are until somebody wants them.
    const chunk::DecodedChunk& decoded = *reads[0].decoded;
    table_->format().for_each_value(decoded, [&](Bytes elements) {
      if (follows_) visit_values(walk_, chunk_structure, location.address, type_, elements);
    });
  }

  FileWalk& walk_;
  const format::DatatypeMessage& type_;
  const std::shared_ptr<chunk::ChunkTable> table_;
  bool follows_ = false;
  bool is_unsupported_ = false;
};

/// The storage of one dataset.
class DatasetVisit {
 public:
  DatasetVisit(FileWalk& walk, Address header)
      : walk_(walk),
        header_(header),
        dataset_(walk.file(), header),
        messages_(dataset_.messages()),
        layout_(messages_.layout) {}

  void visit() {
    if (messages_.fill.state == format::FillState::user)
      visit_values(walk_, "fill value", header_, messages_.type, messages_.fill.value);
    switch (layout_.layout) {
      case LayoutClass::compact:
        return check_elements();
      case LayoutClass::contiguous:
        return visit_contiguous();
      case LayoutClass::chunked:
      case LayoutClass::structured:
        return visit_chunks();
      case LayoutClass::virtual_dataset:
        return visit_mappings();
    }
  }

 private:
  void visit_contiguous() {
    constexpr std::string_view structure = "contiguous elements";
    if (!messages_.external.empty() || !is_valid(layout_.address)) return;
    const std::uint64_t bytes = contiguous_bytes(walk_.file(), header_, layout_);
    walk_.use(structure, layout_.address, bytes);
    if (walk_.store().available(layout_.address) >= bytes) return check_elements();
    walk_.elements_are_known = false;
    walk_.damage(
        structure, layout_.address,
        fmt::format("{} bytes at {} run past the end of the file", bytes, to_string(layout_.address)));
  }

  void visit_mappings() {
    if (!is_valid(layout_.address)) return;
    if (walk_.visit_collection(layout_.address))
      load_mappings(walk_.file(), layout_, messages_.space.dims.size());
  }

  void check_elements() {
    if (!walk_.options().data || (!has_heap_values(messages_.type) && !has_references(messages_.type)))
      return;
    dataset_.layout().for_each_value(dataset_, [&](Bytes elements) {
      visit_values(walk_, format::LayoutMessage::structure, header_, messages_.type, elements);
    });
  }

  void visit_chunks() {
    if (!is_valid(layout_.address)) return;
    const std::uint64_t before = walk_.damages();
    visit_index();
    const bool sound = walk_.damages() == before;
    const index::DatasetFacts facts = chunk_facts(walk_.file(), messages_);
    try {
      const auto index = index::make_index(walk_.store(), layout_, facts);
      if (index_type() == ChunkIndexType::implicit) use_implicit(index->grid());
      visit_chunks_of(*index);
    } catch (const Error&) {
      walk_.elements_are_known = false;
      if (sound) throw;  // otherwise the fault was found already
    }
    if (messages_.is_portable() && walk_.damages() == before) count_chunks_from_hdf5();
  }

  ChunkIndexType index_type() const { return layout_.version < 4 ? ChunkIndexType::btree_v1 : layout_.index; }

  void visit_index() {
    switch (index_type()) {
      case ChunkIndexType::btree_v1: {
        format::BTree1Node like;
        like.type = format::BTree1Type::chunk;
        like.k = walk_.file().superblock().chunk_k;
        like.key_offsets = static_cast<std::uint8_t>(layout_.dims.size());
        return visit_btree1(walk_, layout_.address, like, [](const format::BTree1Node&) {});
      }
      case ChunkIndexType::btree_v2: {
        const bool filtered = chunk_facts(walk_.file(), messages_).filtered;
        const bool structured = layout_.layout == LayoutClass::structured;
        const auto type = static_cast<std::uint8_t>(10 + (structured ? 2 : 0) + (filtered ? 1 : 0));
        visit_btree2(walk_, layout_.address, type, [](Bytes) {});
        return;
      }
      case ChunkIndexType::fixed_array:
        return visit_fixed_array(walk_, layout_.address);
      case ChunkIndexType::extensible_array:
        return visit_extensible_array(walk_, layout_.address);
      case ChunkIndexType::single_chunk:
      case ChunkIndexType::implicit:
        return;
    }
  }

  /// The chunks of the maximum extent are contiguous.
  void use_implicit(const index::IndexGrid& grid) {
    std::uint64_t bytes = grid.chunk_bytes;
    for (const std::uint64_t count : grid.max_counts)
      bytes = checked_multiply(bytes, count, "the chunks of an implicit index");
    walk_.use(chunk_structure, layout_.address, bytes);
    if (walk_.store().available(layout_.address) < bytes)
      throw Error(ErrorKind::truncated, fmt::format("chunks of {} bytes at {} run past the end of the file",
                                                    bytes, to_string(layout_.address)));
  }

  void visit_chunks_of(const index::ChunkIndex& index) {
    const bool owned_by_index = index.preallocates_chunks();
    const bool decodes = walk_.options().data && can_decode(index.grid().chunk_bytes);
    std::optional<ChunkCheck> check;
    if (decodes) check.emplace(walk_, dataset_);
    index.for_each([&](index::ChunkCoordinates at, const index::ChunkLocation& location) {
      ++walk_.report().chunks;
      if (!owned_by_index) walk_.use(chunk_structure, location.address, location.stored_bytes);
      if (check) check->check(at, location);
      return true;
    });
  }

  bool can_decode(std::uint64_t chunk_bytes) {
    if (chunk_bytes <= walk_.options().most_chunk_bytes) return true;
    walk_.elements_are_known = false;
    walk_.find(Severity::information, chunk_structure, layout_.address, 0,
               fmt::format("chunks of {} bytes are larger than the limit and were not decoded", chunk_bytes));
    return false;
  }

  void count_chunks_from_hdf5() {
    const std::uint64_t count = dataset_.count_chunks_from_hdf5();
    if (count == 0) return;
    walk_.find(
        Severity::information, chunk_structure, layout_.address, 0,
        fmt::format("{} chunks were stored by HDF5: no element with the fill value is defined there", count));
  }

  FileWalk& walk_;
  const Address header_;
  const Dataset dataset_;
  const DatasetMessages& messages_;
  const LayoutMessage& layout_;
};

}  // namespace

void visit_dataset(FileWalk& walk, Address header) {
  File& file = walk.file();
  const bool was_open = file.chunks().find(header) != nullptr;
  if (const auto body = find_message(file, header, format::MessageType::external_files)) {
    walk.guarded(format::ExternalFiles::structure, header, [&] {
      const auto message = format::decode<format::ExternalFiles>(*body, walk.widths(), header);
      visit_local_heap(walk, message.heap);
    });
  }
  const bool sound = walk.guarded("dataset", header, [&] { DatasetVisit(walk, header).visit(); });
  if (!sound) walk.elements_are_known = false;
  // The chunk tables of all datasets would take much memory.
  if (!was_open && !file.writable()) file.chunks().forget(header);
}

}  // namespace filigree::model
