// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/create.hpp"

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/object_messages.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/dataset/check.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/destroy.hpp"
#include "model/dataset/external_files.hpp"
#include "model/dataset/header_messages.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/layout.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

using format::AllocationTime;
using format::FillState;
using format::FillTime;
using format::MessageType;
namespace flag = format::message_flag;

namespace {

/// The space that HDF5 reserves for messages in the header of every dataset.
constexpr std::uint32_t usual_area_bytes = 256;

/// Returns the messages of the new header in the versions for the file. `type` is the datatype in its
/// version.
DatasetMessages make_messages(File& file, const NewDataset& made, format::DatatypeMessage type) {
  const Formats& formats = file.formats();
  DatasetMessages parts;
  parts.type = std::move(type);
  parts.committed = made.committed;
  parts.space = made.space;
  parts.space.version = formats.dataspace(made.space.kind == format::DataspaceKind::null);
  // HDF5 always writes the maximum dimensions of an array.
  if (made.space.kind != format::DataspaceKind::simple) {
    parts.space.max_dims.reset();
  } else if (!parts.space.max_dims) {
    parts.space.max_dims = made.space.dims;
  }
  parts.elements = logical_elements(made.layout, made.space);
  parts.data_bytes = logical_bytes(made.layout, made.space, made.type.size);
  parts.external = made.external;
  parts.layout.version = formats.layout();
  parts.layout.layout = made.layout;
  parts.layout.contiguous_bytes = parts.data_bytes;
  parts.fill.version = formats.fill_value();
  parts.fill.allocation = made.allocation;
  if (made.allocation == AllocationTime::by_layout) {
    const Layout& layout = layout_of(made);
    const bool early = file.parallel() && layout.wants_early_space(made);
    parts.fill.allocation = early ? AllocationTime::early : layout.usual_allocation();
  }
  parts.fill.write = made.fill_time;
  const bool zeros_needed = made.fill_time == FillTime::if_set &&
                            made.fill_state == FillState::default_value && has_heap_values(made.type);
  if (zeros_needed) parts.fill.write = FillTime::on_allocation;
  parts.fill.state = made.fill_state;
  if (made.fill_state == FillState::user) parts.fill.value = made.fill;
  layout_of(made).describe_new(file, made, parts);
  return parts;
}

void add_type(File& file, store::ObjectHeader& header, const DatasetMessages& parts) {
  const format::Widths& widths = file.store().widths();
  if (!is_valid(parts.committed))
    return add_shareable(file, header, MessageType::datatype, flag::constant,
                         format::encode(parts.type, widths));
  format::SharedReference reference;
  reference.header = parts.committed;
  header.add(MessageType::datatype, flag::constant | flag::shared, format::encode(reference, widths));
  try {
    add_link_to(file, parts.committed);
  } catch (...) {
    header.remove(MessageType::datatype);
    throw;
  }
}

void add_fill(File& file, store::ObjectHeader& header, const format::FillValue& fill) {
  const format::Widths& widths = file.store().widths();
  add_shareable(file, header, MessageType::fill_value, flag::constant, format::encode(fill, widths));
  if (fill.state != FillState::user || !file.formats().old_fill_value()) return;
  format::FillValueOld old;
  old.value = fill.value;
  header.add(MessageType::fill_value_old, flag::constant, format::encode(old, widths));
}

void add_layout(File& file, store::ObjectHeader& header, const NewDataset& made, DatasetMessages& parts) {
  const Layout& layout = layout_of(parts);
  layout.allocate_new(file, made, parts);
  try {
    header.add(MessageType::layout, layout.is_constant(parts) ? flag::constant : std::uint8_t{0},
               format::encode(parts.layout, file.store().widths()));
  } catch (...) {
    layout.discard(file, parts, parts.layout);
    throw;
  }
}

void add_filters(File& file, store::ObjectHeader& header, const DatasetMessages& parts) {
  if (!parts.section_filters.sections.empty())
    header.add(MessageType::section_filters, flag::constant,
               format::encode(parts.section_filters, file.store().widths()));
  if (parts.pipeline.filters.empty()) return;
  add_shareable(file, header, MessageType::filter_pipeline, flag::constant,
                format::encode(parts.pipeline, file.store().widths()));
}

void add_external(File& file, store::ObjectHeader& header, const DatasetMessages& parts) {
  if (parts.external.empty()) return;
  const Buffer body = make_external_message(file, parts.external);
  try {
    header.add(MessageType::external_files, flag::constant, body);
  } catch (...) {
    destroy_external_names(file, body);
    throw;
  }
}

void add_messages(File& file, store::ObjectHeader& header, DatasetMessages& parts, const NewDataset& made) {
  const format::Widths& widths = file.store().widths();
  add_shareable(file, header, MessageType::dataspace, 0, format::encode(parts.space, widths));
  add_type(file, header, parts);
  add_fill(file, header, parts.fill);
  add_filters(file, header, parts);
  add_external(file, header, parts);
  add_layout(file, header, made, parts);
  if (!made.track_times || header.load()->shape.version != 1) return;
  format::ModificationTime time;
  time.seconds = static_cast<std::uint32_t>(file.seconds());
  header.add(MessageType::modification_time, 0, format::encode(time, widths));
}

/// Returns the space that the messages of a new header need, and one that continues the header elsewhere.
std::uint32_t least_area_bytes(File& file, const store::HeaderShape& shape, const DatasetMessages& parts,
                               const NewDataset& made) {
  const format::Widths& widths = file.store().widths();
  const std::uint32_t prefix = shape.version == 1 ? 8 : shape.attribute_order_tracked ? 6 : 4;
  std::size_t area = 0;
  const auto add = [&](std::size_t body) { area += prefix + (shape.version == 1 ? pad8(body) : body); };
  add(format::encoded_bytes(parts.space, widths));
  add(is_valid(parts.committed) ? format::encoded_bytes(format::SharedReference{}, widths)
                                : format::encoded_bytes(parts.type, widths));
  add(format::encoded_bytes(parts.layout, widths));
  add(format::encoded_bytes(parts.fill, widths));
  add(std::size_t{widths.offset_bytes} + widths.length_bytes);
  if (parts.fill.state == FillState::user && file.formats().old_fill_value()) {
    format::FillValueOld old;
    old.value = parts.fill.value;
    add(format::encoded_bytes(old, widths));
  }
  if (!parts.section_filters.sections.empty()) add(format::encoded_bytes(parts.section_filters, widths));
  if (!parts.pipeline.filters.empty()) add(format::encoded_bytes(parts.pipeline, widths));
  if (!parts.external.empty()) {
    format::ExternalFiles message;
    message.allocated = static_cast<std::uint16_t>(parts.external.size());
    message.files.resize(parts.external.size());
    add(format::encoded_bytes(message, widths));
  }
  if (made.track_times && shape.version == 1) add(format::encoded_bytes(format::ModificationTime{}, widths));
  return static_cast<std::uint32_t>(area);
}

/// Whether load_messages() would return the messages as they are here. Others refer to messages elsewhere, or
/// get their storage only when the header is complete.
bool decodes_to_itself(File& file, const DatasetMessages& parts) {
  const bool is_number = parts.type.type_class == format::TypeClass::fixed_point ||
                         parts.type.type_class == format::TypeClass::floating_point;
  return is_number && layout_of(parts).is_one_block() && !is_valid(parts.committed) &&
         parts.fill.state == FillState::default_value && file.shared_messages() == nullptr;
}

Address create_local(File& file, const NewDataset& made) {
  DatasetMessages parts = make_messages(file, made, check_new_dataset(file, made));
  const store::HeaderShape shape = make_header_shape(file, made.attributes, made.track_times);
  const auto usual = static_cast<std::uint32_t>(usual_area_bytes + parts.layout.compact_data.size());
  const std::uint32_t area = made.minimised_header ? least_area_bytes(file, shape, parts, made) : usual;
  auto header = store::ObjectHeader::create(file.store(), shape, area);
  try {
    add_messages(file, header, parts, made);
    if (parts.fill.allocation == AllocationTime::early)
      layout_of(parts).allocate_early(Dataset(file, header.address()));
  } catch (...) {
    destroy_dataset_storage(file, header.address());
    destroy_header(file, header.address());
    throw;
  }
  // A new dataset is mostly written next, which needs its messages.
  if (decodes_to_itself(file, parts))
    file.derived_values().set(header.load(), std::make_shared<const DatasetMessages>(std::move(parts)));
  return header.address();
}

}  // namespace

Address create_dataset(File& file, const NewDataset& made) {
  if (!file.parallel()) return create_local(file, made);
  Address created = Address::undefined;
  file.collectively("Group::create_dataset", file.name(), 0, [&] {
    created = create_local(file, made);
    file.store().grow_to_allocation();
  });
  return created;
}

}  // namespace filigree::model
