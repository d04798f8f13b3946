// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/copy.hpp"

#include <vector>

#include "format/codec/codec.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/external_files.hpp"
#include "model/dataset/header_messages.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/layout.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

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
  DatasetCopier(const Dataset& source, File& to)
      : source_(source), from_(source.file()), to_(to), parts_(source.messages()) {}

  Address copy(const format::DatatypeMessage& type, Address committed) {
    // The copy would lack the message, and so could not be understood even by who knows it.
    parts_.require_known("copy");
    type_ = type;
    committed_ = committed;
    const auto entry = store::ObjectHeader(from_.store(), source_.header()).load();
    layout_ = source_.layout().copy_to(source_, to_);
    try {
      for (const auto& m : entry->messages) copy_message(m.slot.type, m.slot.flags);
      return make_header(*entry);
    } catch (...) {
      undo();
      throw;
    }
  }

 private:
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
        if (source_.layout().has_sections()) return copy_section_filters(flags);
        return add(type, flags, get_message(from_, source_.header(), type));
      case MessageType::section_filters:
        return copy_section_filters(flags);
      case MessageType::modification_time:
        return add(type, flags, get_message(from_, source_.header(), type));
      default:
        return;  // attributes and comments are copied elsewhere; the rest is not copied
    }
  }

  /// The copy has them in the message that new datasets have, whatever the source has.
  void copy_section_filters(std::uint8_t flags) {
    format::SectionPipelinesMessage filters = parts_.section_filters;
    filters.version = format::SectionPipelinesMessage::own_version;
    if (!filters.sections.empty())
      add(MessageType::section_filters, flags, format::encode(filters, to_.store().widths()));
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
    if (!refers) return add(type, flags, get_message(from_, source_.header(), type));
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
    source_.layout().discard(to_, parts_, layout_);
    if (!names_.empty()) destroy_external_names(to_, names_);
  }

  const Dataset& source_;
  File& from_;
  File& to_;
  const DatasetMessages& parts_;
  format::LayoutMessage layout_;  ///< of the copy
  format::DatatypeMessage type_;
  Address committed_ = Address::undefined;
  Buffer names_;  ///< message of external files, once it has a heap
  Buffer fill_;   ///< fill value of the copy, where that refers to a heap
  std::vector<Message> messages_;
};

}  // namespace

Address copy_dataset(const Dataset& source, File& to, const format::DatatypeMessage& type,
                     Address committed) {
  return DatasetCopier(source, to).copy(type, committed);
}

}  // namespace filigree::model
