// SPDX-License-Identifier: Apache-2.0
//
// The creation options of files and objects, as far as the file stores them.
#include <fmt/format.h>

#include <filigree/file.hpp>

#include "api/inside.hpp"
#include "api/type_access.hpp"
#include "format/codec/codec.hpp"
#include "model/attribute/attribute_io.hpp"
#include "model/dataset/create.hpp"
#include "model/file/file.hpp"
#include "model/link/group_filters.hpp"
#include "model/link/link_table.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/shared_messages/shared_messages.hpp"
#include "type/datatypes.hpp"

namespace filigree {
namespace {

template <class Work>
decltype(auto) looking_at(const model::OpenObject& object, Work&& work) {
  return api::inside(
      *object.file(), [&] { return fmt::format("looking at {}", object.text()); }, std::forward<Work>(work));
}

/// A variable-length value and the data it points to.
struct HeldValue {
  HeldValue(const Datatype& of, std::size_t size) : type(of), bytes(size) {}
  HeldValue(const HeldValue&) = delete;
  HeldValue& operator=(const HeldValue&) = delete;
  ~HeldValue() { type.release(bytes.data(), 1); }
  Datatype type;
  std::vector<std::byte> bytes;
};

void add_shared_messages(const model::File& file, CreateOptions& options) {
  if (file.shared_messages() == nullptr) return;
  constexpr SharedMessage kinds[] = {SharedMessage::dataspace, SharedMessage::datatype,
                                     SharedMessage::fill_value, SharedMessage::filter_pipeline,
                                     SharedMessage::attribute};
  for (const auto& index : file.shared_messages()->table().indexes) {
    SharedMessageIndexOptions made;
    for (const SharedMessage kind : kinds)
      if ((index.message_types & static_cast<std::uint16_t>(kind)) != 0) made.types.push_back(kind);
    made.least_bytes = index.smallest_bytes;
    options.shared_messages.push_back(std::move(made));
    options.shared_list_max = index.list_maximum;
    options.shared_btree_min = index.btree_minimum;
  }
}

}  // namespace

AttributeStorage Object::attribute_storage() const {
  return looking_at(*impl_, [&] {
    const auto shape = store::ObjectHeader(impl_->file()->store(), impl_->header()).load()->shape;
    AttributeStorage storage;
    storage.track_order = shape.attribute_order_tracked;
    storage.index_order = shape.attribute_order_indexed;
    if (shape.attribute_phase) {
      storage.max_compact = shape.attribute_phase->max_compact;
      storage.min_dense = shape.attribute_phase->min_dense;
    }
    return storage;
  });
}

bool Object::tracks_times() const {
  return looking_at(*impl_, [&] {
    const auto header = store::ObjectHeader(impl_->file()->store(), impl_->header()).load();
    return header->shape.version == 1 || header->shape.times.has_value();
  });
}

GroupOptions Group::creation_options() const {
  GroupOptions options = looking_at(*impl_, [&] {
    const model::GroupState state = model::LinkTable(*impl_->file(), impl_->header()).state();
    GroupOptions found;
    found.track_order = state.info.tracks_order;
    found.index_order = state.info.indexes_order;
    found.max_compact = state.phase().max_compact;
    found.min_dense = state.phase().min_dense;
    const format::LinkEstimate estimate = state.group.estimate.value_or(format::LinkEstimate{});
    found.expected_links = estimate.entries;
    found.expected_name_bytes = estimate.name_bytes;
    found.filters = model::decode_group_filters(model::stored_group_filters(*impl_->file(), impl_->header()),
                                                impl_->header());
    return found;
  });
  options.track_times = tracks_times();
  options.attributes = attribute_storage();
  return options;
}

CreateOptions File::creation_options() const {
  CreateOptions options = api::inside(
      *impl_, [&] { return fmt::format("looking at '{}'", name()); },
      [&] {
        const format::Superblock& superblock = impl_->superblock();
        CreateOptions found;
        found.user_block_bytes = impl_->store().base();
        found.offset_bytes = superblock.widths.offset_bytes;
        found.length_bytes = superblock.widths.length_bytes;
        found.group_leaf_k = superblock.group_leaf_k;
        found.group_internal_k = superblock.group_internal_k;
        found.chunk_k = superblock.chunk_k;
        found.space = impl_->space_options();
        add_shared_messages(*impl_, found);
        return found;
      });
  try {
    options.root = root().creation_options();
  } catch (const Error&) {
    // A damaged root group does not hide the properties of the file.
  }
  return options;
}

DatasetOptions Dataset::creation_options() const {
  const DatasetInfo info = dataset_info();
  DatasetOptions options;
  options.layout = info.layout;
  options.allocation = info.allocation;
  options.fill_time = info.fill_time;
  options.external = info.external;
  options.chunk = info.chunk;
  options.filters = info.filters;
  options.filter_partial_chunks = info.filter_partial_chunks;
  options.sparse = info.sparse;
  options.choose_section_filters = false;
  options.portable = info.portable;
  if (info.portable) options.filters = info.value_filters;
  options.heap_in_chunks = !info.sections.empty() && info.sections.back() == SectionKind::heap;
  options.selection_filters = info.selection_filters;
  options.heap_filters = info.heap_filters;
  options.heap_sets = info.heap_sets;
  options.virtual_sources = info.virtual_sources;
  const ObjectInfo object = Object::info();
  options.track_times = object.header_version == 1 ? object.modified.has_value() : tracks_times();
  options.attributes = attribute_storage();
  options.fill.state_ = info.fill;
  if (info.fill != Fill::State::value) return options;
  const Datatype stored = datatype();
  options.fill = Fill::of(stored, fill_bytes().data());
  if (!stored.has_variable_parts()) return options;
  const auto held = std::make_shared<HeldValue>(stored.native(), stored.native().size());
  looking_at(*impl_, [&] {
    model::read_attribute(*impl_->file(), api::TypeAccess::impl(stored).message, options.fill.bytes(),
                          api::TypeAccess::impl(held->type).message, held->bytes.data(), 1);
  });
  options.fill = Fill::of(held->type, held->bytes.data());
  options.fill.owner_ = held;
  return options;
}

}  // namespace filigree
