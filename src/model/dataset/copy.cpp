// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/copy.hpp"

#include <algorithm>
#include <vector>

#include <filigree/error.hpp>

#include "chunk/raw/chunk_copier.hpp"
#include "chunk/raw/release_chunks.hpp"
#include "format/codec/codec.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/dataset/storage.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"

namespace filigree::model {

using format::LayoutClass;
using format::MessageType;
namespace flag = format::message_flag;

namespace {

struct Message {
  MessageType type;
  std::uint8_t flags;
  Buffer body;
};

class DatasetCopier {
 public:
  DatasetCopier(File& from, Address header, File& to)
      : from_(from),
        header_(header),
        to_(to),
        messages_of_source_(load_messages(from, header)),
        parts_(*messages_of_source_),
        layout_(parts_.layout) {}

  Address copy(const format::DatatypeMessage& type, Address committed) {
    type_ = type;
    committed_ = committed;
    const auto entry = store::ObjectHeader(from_.store(), header_).load();
    try {
      copy_elements();
      for (const auto& m : entry->messages) copy_message(m.slot.type, m.slot.flags);
      return make_header(*entry);
    } catch (...) {
      undo();
      throw;
    }
  }

 private:
  void copy_elements() {
    if (layout_.layout == LayoutClass::compact)
      return copy_heap_values(from_, to_, parts_.type, layout_.compact_data);
    if (layout_.layout == LayoutClass::virtual_dataset) {
      copy_mappings(from_, to_, layout_);
      mapped_ = is_valid(layout_.address);
      return;
    }
    if (layout_.in_chunks()) return copy_chunks();
    if (!is_valid(layout_.address) || parts_.data_bytes == 0 || !parts_.external.empty()) return;
    layout_.address = Address::undefined;
    // This is checked before space is allocated: a truncated source cannot be copied.
    if (from_.store().available(parts_.layout.address) < parts_.data_bytes)
      throw Error(ErrorKind::truncated, "the dataset's elements run past the end of the file");
    layout_.address = to_.store().space().allocate(store::SpaceKind::raw, parts_.data_bytes);
    layout_.contiguous_bytes = parts_.data_bytes;
    std::uint64_t at = 0;
    for_each_tile(from_, parts_, [&](Bytes tile) {
      Buffer elements(tile.begin(), tile.end());
      copy_heap_values(from_, to_, parts_.type, elements);
      to_.store().write(layout_.address + at, elements);
      at += tile.size();
    });
  }

  void copy_chunks() {
    const auto copy_values = [&](MutableBytes elements) {
      copy_heap_values(from_, to_, parts_.type, elements);
    };
    chunk::ChunkCopier::Adapt adapt(copy_values);
    const auto table = from_.chunks().open(from_, header_, parts_);
    layout_ = chunk::ChunkCopier(*table).copy_to(to_.store(), chunk_facts(to_, parts_),
                                                 must_adapt() ? &adapt : nullptr);
    copied_chunks_ = true;
  }

  bool must_adapt() const { return refers_to_heap() || (&from_ != &to_ && has_references(parts_.type)); }

  /// Returns whether elements refer to the global heap. Structured chunks have a heap section instead.
  bool refers_to_heap() const {
    return has_heap_values(parts_.type) &&
           !(layout_.layout == LayoutClass::structured && parts_.layout.composition.has_heap());
  }

  void copy_message(MessageType type, std::uint8_t flags) {
    const format::Widths& widths = to_.store().widths();
    flags &= static_cast<std::uint8_t>(~(flag::shared | flag::shareable));
    switch (type) {
      case MessageType::dataspace:
        return add(type, flags, format::encode(parts_.space, widths));
      case MessageType::datatype:
        return copy_type(flags);
      case MessageType::layout:
        return add(type, flags, format::encode(layout_, widths));
      case MessageType::external_files:
        names_ = make_external_message(to_, parts_.external);
        return add(type, flags, names_);
      case MessageType::fill_value:
      case MessageType::fill_value_old:
        return copy_fill(type, flags);
      case MessageType::filter_pipeline:
      case MessageType::modification_time:
        return add(type, flags, get_message(from_, header_, type));
      default:
        return;  // attributes and comments are copied elsewhere; the rest is not copied
    }
  }

  void copy_type(std::uint8_t flags) {
    const format::Widths& widths = to_.store().widths();
    if (!is_valid(committed_)) return add(MessageType::datatype, flags, format::encode(type_, widths));
    format::SharedReference reference;
    reference.header = committed_;
    add(MessageType::datatype, flags | flag::shared, format::encode(reference, widths));
  }

  /// Both fill value messages of a dataset refer to the same heap object.
  void copy_fill(MessageType type, std::uint8_t flags) {
    const bool refers = parts_.fill.state == format::FillState::user && has_heap_values(parts_.type);
    if (!refers) return add(type, flags, get_message(from_, header_, type));
    if (fill_.empty()) {
      fill_ = parts_.fill.value;
      copy_heap_values(from_, to_, parts_.type, fill_);
    }
    const format::Widths& widths = to_.store().widths();
    if (type == MessageType::fill_value_old) {
      format::FillValueOld old;
      old.value = fill_;
      return add(type, flags, format::encode(old, widths));
    }
    format::FillValue fill = parts_.fill;
    fill.value = fill_;
    add(type, flags, format::encode(fill, widths));
  }

  void add(MessageType type, std::uint8_t flags, Buffer body) {
    messages_.push_back({type, flags, std::move(body)});
  }

  /// As in HDF5, the header is as large as its messages, unless attributes or a comment follow.
  std::uint32_t area_bytes(const store::HeaderEntry& source) const {
    const bool more = source.find(MessageType::attribute) != nullptr ||
                      source.find(MessageType::attribute_info) != nullptr ||
                      source.find(MessageType::comment) != nullptr;
    if (more) return source.blocks[0].area_end - source.blocks[0].area_at;
    std::uint64_t bytes = 0;
    for (const Message& m : messages_)
      bytes += source.prefix_bytes() + (source.shape.version == 1 ? pad8(m.body.size()) : m.body.size());
    return static_cast<std::uint32_t>(bytes);
  }

  Address make_header(const store::HeaderEntry& source) {
    auto made = store::ObjectHeader::create(to_.store(), source.shape, area_bytes(source));
    try {
      for (const Message& m : messages_) {
        if (format::is_shareable(m.type) && (m.flags & flag::shared) == 0)
          add_shareable(to_, made, m.type, m.flags, m.body);
        else
          made.add(m.type, m.flags, m.body);
      }
    } catch (...) {
      destroy_header(to_, made.address());
      throw;
    }
    return made.address();
  }

  void undo() {
    const bool took_space = layout_.layout == LayoutClass::contiguous && is_valid(layout_.address) &&
                            layout_.address != parts_.layout.address;
    if (took_space) to_.store().space().release(store::SpaceKind::raw, layout_.address, parts_.data_bytes);
    if (mapped_) to_.global_heap().remove({layout_.address, layout_.heap_index});
    if (copied_chunks_ && is_valid(layout_.address)) {
      chunk::release_chunks(to_.store(), *index::make_index(to_.store(), layout_, chunk_facts(to_, parts_)));
    }
    if (!names_.empty()) destroy_external_names(to_, names_);
  }

  File& from_;
  const Address header_;
  File& to_;
  const std::shared_ptr<const DatasetMessages> messages_of_source_;
  const DatasetMessages& parts_;
  format::LayoutMessage layout_;  ///< of the copy
  bool mapped_ = false;           ///< the copy has a block of mappings
  bool copied_chunks_ = false;
  format::DatatypeMessage type_;
  Address committed_ = Address::undefined;
  Buffer names_;  ///< message of external files, once it has a heap
  Buffer fill_;   ///< fill value of the copy, where that refers to a heap
  std::vector<Message> messages_;
};

}  // namespace

Address copy_dataset(File& from, Address header, File& to, const format::DatatypeMessage& type,
                     Address committed) {
  return DatasetCopier(from, header, to).copy(type, committed);
}

}  // namespace filigree::model
