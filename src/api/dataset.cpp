// SPDX-License-Identifier: Apache-2.0
#include <filigree/dataset.hpp>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>
#include <filigree/sparse.hpp>

#include "api/conversion_access.hpp"
#include "api/filter_faults.hpp"
#include "api/inside.hpp"
#include "api/object_access.hpp"
#include "api/selection_access.hpp"
#include "api/transfer_selections.hpp"
#include "api/type_access.hpp"
#include "api/with_dataset.hpp"
#include "base/checked.hpp"
#include "base/executor.hpp"
#include "format/chunk_index/portable_chunk.hpp"
#include "model/dataset/small_box.hpp"
#include "model/dataset/small_read.hpp"
#include "model/dataset/small_write.hpp"
#include "model/file/file.hpp"
#include "model/layout/direct_chunks.hpp"
#include "model/object/object.hpp"
#include "model/virtual/mappings.hpp"
#include "model/virtual/sources.hpp"
#include "model/virtual/virtual_layout.hpp"
#include "store/file_store.hpp"

namespace filigree {

using api::file_selection;
using api::memory_selection;
using api::with_dataset;

namespace {

/// A read of elements of one type with one set of options.
class ElementRead {
 public:
  ElementRead(const Datatype& memory_type, const TransferOptions& options)
      : type_(api::TypeAccess::impl(memory_type).message),
        options_(options),
        conversions_(options),
        faults_(options) {}

  const format::DatatypeMessage& type() const { return type_; }
  /// Reads into an array of `count` elements.
  void read(const model::Dataset& dataset, const space::Selection& from, void* elements,
            std::uint64_t count) const {
    transfer(dataset, from, memory_selection(options_, count), elements);
  }
  /// Does the same for a dataset with 2^64 elements or more.
  void read_huge(const model::Dataset& dataset, const Selection& from, void* elements,
                 std::uint64_t count) const {
    for (const auto& [excerpt, file, memory] : api::divide(dataset, from, memory_selection(options_, count)))
      transfer(model::Dataset(dataset, excerpt), file, memory, elements);
  }

 private:
  void transfer(const model::Dataset& dataset, const space::Selection& from, const space::Selection& to,
                void* elements) const {
    const auto& [rules, on_fault, memory] = conversions_.choice();
    dataset.read({from, to, type_, rules, on_fault, memory, nullptr, options_.verify_checksums,
                  faults_.handler(), options_.selection_io, options_.collective},
                 static_cast<std::byte*>(elements));
  }

  const format::DatatypeMessage& type_;
  const TransferOptions& options_;
  const api::Conversions conversions_;
  const api::FilterFaults faults_;
};

/// with_dataset() for a transfer of elements. Members of a communicator meet before and after a collective
/// one.
template <class Work>
void transfer_elements(const model::OpenObject& object, const char* doing, const TransferOptions& options,
                       Work work) {
  model::File& file = *object.file();
  if (!options.collective || !file.parallel())
    return with_dataset(object, doing, [&](model::Dataset& dataset) { work(dataset); });
  const FileLock::Exclusive exclusive(file.lock());
  file.store();  // throws for a closed file, without waiting for the others
  const bool is_read = std::string_view(doing) == "reading";
  file.collectively(is_read ? "Dataset::read" : "Dataset::write", object.path(), to_number(object.header()),
                    [&] { with_dataset(object, doing, [&](model::Dataset& dataset) { work(dataset); }); });
}

/// Checks that offsets ascend and are within the extent.
void check_offsets(std::span<const std::uint64_t> offsets, const std::vector<std::uint64_t>& dims) {
  constexpr std::size_t at_once = 65536;
  Executor::default_executor().for_each((offsets.size() + at_once - 1) / at_once, [&](std::size_t part) {
    bool ascending = true;  // accumulated without branches
    const std::size_t end = std::min(offsets.size(), (part + 1) * at_once);
    for (std::size_t i = std::max<std::size_t>(1, part * at_once); i < end; ++i)
      ascending &= offsets[i - 1] < offsets[i];
    if (!ascending) throw Error(ErrorKind::invalid_argument, "the offsets do not ascend");
  });
  const std::uint64_t elements = space::Frame(dims).elements();
  if (!offsets.empty() && offsets.back() >= elements) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("offset {} is out of range: the dataset has {} elements", offsets.back(), elements));
  }
}

/// The offsets of a write, and the range in which the caller expects no further writes soon.
struct WrittenOffsets {
  std::span<const std::uint64_t> offsets;
  space::Run covered;
};

void write_offsets_of(Dataset& data, const model::Dataset& dataset, const Datatype& memory_type,
                      const void* elements, const WrittenOffsets& written) {
  const auto dims = dataset.extent().dims;
  check_offsets(written.offsets, dims);
  if (written.offsets.empty()) return;
  const auto& type = api::TypeAccess::impl(memory_type).message;
  const auto* const bytes = static_cast<const std::byte*>(elements);
  if (dataset.write_offsets_shared(written.offsets, written.covered, type, bytes)) return;
  data.write_elements(memory_type, elements, written.offsets.size(),
                      Selection::of_offsets(dims, written.offsets));
}

void add_sources(DatasetInfo& info, const model::Dataset& dataset) {
  const model::DatasetMessages& parts = dataset.messages();
  for (const auto& m : model::load_mappings(dataset.file(), parts.layout, parts.space.dims.size())) {
    info.virtual_sources.push_back(
        {m.file, m.dataset, api::from_mapped(m.source_elements), api::from_mapped(m.virtual_elements)});
  }
  info.data_bytes = model::logical_bytes(parts.layout.layout, dataset.extent(), parts.type.size);
}

std::vector<FilterChoice> to_choices(const std::vector<format::PipelineFilter>& filters) {
  std::vector<FilterChoice> choices;
  for (const auto& f : filters) choices.push_back({f.id, f.parameters, f.optional(), f.name});
  return choices;
}

Fill::State to_public(format::FillState state) {
  switch (state) {
    case format::FillState::undefined:
      return Fill::State::undefined;
    case format::FillState::user:
      return Fill::State::value;
    case format::FillState::default_value:
      break;
  }
  return Fill::State::standard;
}

void tell_sections(const model::DatasetMessages& parts, DatasetInfo& info) {
  const auto filters = [&](std::uint8_t section) {
    const format::SectionPipeline* const found = parts.section_filters.find(section);
    return found == nullptr ? std::vector<FilterChoice>{} : to_choices(found->filters);
  };
  info.sparse = parts.layout.composition.sparse();
  info.heap_sets = parts.layout.composition.has_heap_set();
  std::uint8_t section = 0;
  if (info.sparse) info.selection_filters = filters(section++);
  info.filters = filters(section++);
  info.heap_filters = filters(section);
  info.sections = model::section_kinds(parts.layout);
}

void tell_portable(const model::DatasetMessages& parts, DatasetInfo& info) {
  const format::PortableParameters parameters = format::from_words(parts.pipeline.filters[0].parameters);
  info.sparse = info.portable = true;
  info.selection_filters = to_choices(parameters.filters[0]);
  info.value_filters = to_choices(parameters.filters[1]);
  info.sections = model::portable_section_kinds();
}

/// Runs `read` under the shared file lock with what is remembered of this revision of the metadata, or null.
/// What `read` puts into its place is remembered.
template <class Remembered, class Read>
bool read_remembered(const model::OpenObject& object, Remembered& remembered, const Read& read) {
  model::File& file = *object.file();
  const FileLock::Shared shared(file.lock());
  const std::uint64_t revision = file.store().cache().revision();
  const model::Dataset dataset(file, object.header());
  return in_context([&] { return "reading " + object.text(); },
                    [&] {
                      auto known = remembered.find(revision);
                      const auto before = known.get();
                      const bool done = read(dataset, known);
                      if (known.get() != before) remembered.set(revision, std::move(known));
                      return done;
                    });
}

/// Removes the elements of a failed write. Best effort: the original error is already being reported.
void restore_extent(const model::Dataset& dataset, const std::vector<std::uint64_t>& dims) {
  try {
    model::Dataset(dataset.file(), dataset.header()).resize(dims);
  } catch (...) {  // the extent stays larger, and the new elements read as the fill value
  }
}

}  // namespace

Fill Fill::undefined() {
  Fill fill;
  fill.state_ = State::undefined;
  return fill;
}

Fill Fill::of(const Datatype& type, const void* element) {
  Fill fill;
  fill.state_ = State::value;
  fill.type_ = type;
  const auto* bytes = static_cast<const std::byte*>(element);
  fill.bytes_.assign(bytes, bytes + type.size());
  return fill;
}

Dataset::Dataset(const Object& object) : Object(object) { api::require_kind(object, ObjectKind::dataset); }

Dataspace Dataset::space() const {
  return with_dataset(*impl_, "looking at",
                      [](const model::Dataset& dataset) { return api::to_public(dataset.extent()); });
}

Datatype Dataset::datatype() const {
  return with_dataset(*impl_, "looking at", [&](const model::Dataset& dataset) {
    const Address committed = model::committed_type(dataset.file(), dataset.header());
    return api::TypeAccess::make(model::object_datatype(dataset.file(), dataset.header()), impl_->file(),
                                 committed);
  });
}

bool Dataset::is_virtual() const {
  return with_dataset(*impl_, "looking at", [](const model::Dataset& dataset) {
    return model::has_virtual_layout(dataset.file(), dataset.header());
  });
}

DatasetInfo Dataset::dataset_info() const {
  return with_dataset(*impl_, "looking at", [](const model::Dataset& dataset) {
    const model::DatasetMessages& parts = dataset.messages();
    DatasetInfo info;
    info.layout = static_cast<Layout>(parts.layout.layout);
    info.allocation = static_cast<AllocationTime>(parts.fill.allocation);
    info.fill_time = static_cast<FillTime>(parts.fill.write);
    info.fill = to_public(parts.fill.state);
    for (const auto& e : parts.external) info.external.push_back({e.path, e.offset, e.bytes});
    if (parts.layout.in_chunks() && !parts.layout.dims.empty())
      info.chunk.assign(parts.layout.dims.begin(), parts.layout.dims.end() - 1);
    info.chunk_index = static_cast<ChunkIndexKind>(parts.layout.index);
    info.filters = to_choices(parts.pipeline.filters);
    info.filter_partial_chunks = !parts.layout.raw_partial_chunks;
    if (parts.layout.layout == format::LayoutClass::structured) tell_sections(parts, info);
    if (parts.is_portable()) tell_portable(parts, info);
    info.data_bytes = parts.data_bytes;
    if (parts.is_virtual()) add_sources(info, dataset);
    if (parts.layout.layout == format::LayoutClass::contiguous && filigree::is_valid(parts.layout.address))
      info.data_address = dataset.file().store().base() + to_number(parts.layout.address);
    if (parts.layout.in_chunks() && filigree::is_valid(parts.layout.address))
      info.index_address = dataset.file().store().base() + to_number(parts.layout.address);
    return info;
  });
}

std::vector<std::byte> Dataset::fill_bytes() const {
  return with_dataset(*impl_, "looking at", [](const model::Dataset& dataset) {
    const Buffer& value = dataset.messages().fill.value;
    return std::vector<std::byte>(value.begin(), value.end());
  });
}

void Dataset::read_allocated(const Datatype& memory_type, const Selection& selection,
                             const TransferOptions& options,
                             const std::function<ElementBuffer(std::size_t)>& allocate) const {
  transfer_elements(*impl_, "reading", options, [&](const model::Dataset& dataset) {
    const ElementRead reading(memory_type, options);
    const auto checked_buffer = [&](std::uint64_t elements) {
      dataset.require_data(elements, reading.type().size);
      return allocate(static_cast<std::size_t>(elements));
    };
    if (dataset.is_huge()) {
      const ElementBuffer buffer = checked_buffer(api::count_selected(dataset, selection));
      return reading.read_huge(dataset, selection, buffer.elements, buffer.count);
    }
    const auto from = file_selection(dataset, selection);
    const ElementBuffer buffer = checked_buffer(from.elements());
    reading.read(dataset, from, buffer.elements, buffer.count);
  });
}

void Dataset::require_elements(const Datatype& memory_type, std::uint64_t count) const {
  with_dataset(*impl_, "reading", [&](const model::Dataset& dataset) {
    dataset.require_data(count, api::TypeAccess::impl(memory_type).message.size);
  });
}

void Dataset::read_elements(const Datatype& memory_type, void* elements, std::uint64_t count,
                            const Selection& selection, const TransferOptions& options) const {
  transfer_elements(*impl_, "reading", options, [&](const model::Dataset& dataset) {
    const ElementRead reading(memory_type, options);
    if (dataset.is_huge()) return reading.read_huge(dataset, selection, elements, count);
    reading.read(dataset, file_selection(dataset, selection), elements, count);
  });
}

bool Dataset::read_small(const Datatype& memory_type, void* elements) const {
  const auto& identity = api::TypeAccess::identity(memory_type);
  return read_remembered(*impl_, impl_->small_read(), [&](const model::Dataset& dataset, auto& read) {
    if (read == nullptr || read->memory_type != identity) {
      auto prepared = model::prepare_small_read(dataset, identity->message);
      if (!prepared) return false;
      prepared->memory_type = identity;
      read = std::make_shared<const model::SmallRead>(*std::move(prepared));
    }
    return model::read_small(dataset, *read, static_cast<std::byte*>(elements));
  });
}

bool Dataset::read_small(const Datatype& memory_type, std::span<const std::uint64_t> start,
                         std::span<const std::uint64_t> count, void* elements) const {
  const auto& identity = api::TypeAccess::identity(memory_type);
  return read_remembered(*impl_, impl_->small_boxes(), [&](const model::Dataset& dataset, auto& read) {
    if (read == nullptr || read->memory_type != identity) {
      auto prepared = model::prepare_small_boxes(dataset, identity->message);
      prepared.memory_type = identity;
      read = std::make_shared<const model::SmallBoxRead>(std::move(prepared));
    }
    return model::read_small_box(dataset, *read, {start, count}, static_cast<std::byte*>(elements));
  });
}

bool Dataset::write_small(const Datatype& memory_type, const void* elements) {
  model::File& file = *impl_->file();
  return api::exclusively(
      file, [&] { return "writing " + impl_->text(); },
      [&] {
        if (!file.store().writable() || file.parallel()) return false;
        return model::write_small(model::Dataset(file, impl_->header()),
                                  api::TypeAccess::impl(memory_type).message,
                                  static_cast<const std::byte*>(elements));
      });
}

void Dataset::write_elements(const Datatype& memory_type, const void* elements, std::uint64_t count,
                             const Selection& selection, const TransferOptions& options) {
  transfer_elements(*impl_, "writing", options, [&](model::Dataset& dataset) {
    const auto from = memory_selection(options, count);
    const api::Conversions conversions(options);
    const api::FilterFaults faults(options);
    const auto pass = [&](FunctionRef<bool(const model::Transfer&)> write, const space::Selection& file,
                          const space::Selection& source) {
      const auto& [rules, on_fault, memory] = conversions.choice();
      const auto& type = api::TypeAccess::impl(memory_type).message;
      return write({file, source, type, rules, on_fault, memory, nullptr, options.verify_checksums,
                    faults.handler(), options.selection_io, options.collective});
    };
    const auto* const bytes = static_cast<const std::byte*>(elements);
    if (!dataset.is_huge()) {
      const auto with_transfer = [&](FunctionRef<bool(const model::Transfer&)> write) {
        return pass(write, file_selection(dataset, selection), from);
      };
      return dataset.write_selected(count, with_transfer, bytes);
    }
    for (const space::ExcerptPart& part : api::divide(dataset, selection, from)) {
      const auto with_transfer = [&](FunctionRef<bool(const model::Transfer&)> write) {
        return pass(write, part.file, part.memory);
      };
      model::Dataset(dataset, part.excerpt).write_selected(0, with_transfer, bytes);
    }
  });
}

void Dataset::write_offsets(const Datatype& memory_type, const void* elements,
                            std::span<const std::uint64_t> offsets, Selection::Run covered) {
  with_dataset(*impl_, "writing", [&](const model::Dataset& dataset) {
    write_offsets_of(*this, dataset, memory_type, elements, {offsets, {covered.start, covered.length}});
  });
}

void Dataset::write_coordinates(const Datatype& memory_type, std::span<const std::uint64_t> coordinates,
                                std::size_t count,
                                const std::function<const void*(std::span<const std::size_t>)>& arrange) {
  with_dataset(*impl_, "writing", [&](const model::Dataset& dataset) {
    std::vector<std::size_t> order;
    if (dataset.is_huge())
      return write_elements(memory_type, arrange(order), count,
                            Selection::points(dataset.extent().dims, coordinates));
    const auto offsets = coordinate_offsets(dataset.extent().dims, coordinates, count, order);
    write_offsets_of(*this, dataset, memory_type, arrange(order), {offsets, {0, 0}});
  });
}

void Dataset::erase(const Selection& selection) {
  with_dataset(*impl_, "erasing in", [&](const model::Dataset& dataset) {
    const model::Change change(dataset.file(), "erase elements");
    api::erase_selected(dataset, selection);
  });
}

void Dataset::set_virtual_view(const std::optional<VirtualView>& view) {
  with_dataset(*impl_, "looking at", [&](const model::Dataset& dataset) {
    dataset.file().virtuals().set_view(dataset.header(), view);
  });
}

void Dataset::close_sources() {
  model::File& file = *impl_->file();
  const auto keeper = file.set()->keeper(file);
  keeper->virtuals().flush_sources();
  keeper->virtuals().release_sources();
}

void Dataset::set_virtual_prefix(const std::optional<std::string>& folder) {
  impl_->file()->virtual_prefixes().set(impl_->header(), folder);
}

void Dataset::set_external_data_prefix(const std::optional<std::string>& folder) {
  impl_->file()->external_prefixes().set(impl_->header(), folder);
}

void Dataset::resize(const std::vector<std::uint64_t>& dims) {
  with_dataset(*impl_, "resizing", [&](model::Dataset& dataset) {
    const model::Change change(dataset.file(), "resize a dataset");
    dataset.resize(dims);
  });
}

void Dataset::downgrade() {
  with_dataset(*impl_, "converting", [&](model::Dataset& dataset) {
    if (!dataset.has_newer_form()) return;
    const model::Change change(dataset.file(), "convert a dataset");
    dataset.downgrade();
  });
}

void Dataset::extend(const std::vector<std::uint64_t>& dims, const std::function<void()>& write) {
  with_dataset(*impl_, "appending to", [&](model::Dataset& dataset) {
    const model::Change change(dataset.file(), "append to a dataset");
    const std::vector<std::uint64_t> before = dataset.extent().dims;
    for (std::size_t d = 0; d < std::min(dims.size(), before.size()); ++d) {
      if (dims[d] >= before[d]) continue;
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("dimension {} would shrink from {} to {}", d, before[d], dims[d]));
    }
    dataset.resize(dims);
    try {
      write();
    } catch (...) {
      restore_extent(dataset, before);
      throw;
    }
  });
}

}  // namespace filigree
