// SPDX-License-Identifier: Apache-2.0
#include "model/layout/contiguous_layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/immortal.hpp"
#include "format/codec/codec.hpp"
#include "format/codec/fields.hpp"
#include "model/dataset/check.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/fill.hpp"
#include "model/dataset/header_messages.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/flat_layout.hpp"
#include "model/layout/merged_elements.hpp"
#include "model/layout/selected_values.hpp"
#include "model/object/object.hpp"
#include "space/point_order.hpp"
#include "store/file_store.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {

using format::FillState;
using format::FillTime;

namespace {

/// Contiguous storage in the file.
class ContiguousBytes : public DataBytes {
 public:
  ContiguousBytes(store::FileStore& store, Address at, std::uint64_t bytes)
      : store_(store), at_(at), bytes_(bytes) {}

  void read(std::span<const io::ReadExtent> extents) const override { store_.read_raw(at_, extents); }
  void write(std::span<const io::WriteExtent> extents) override { store_.write_raw(at_, extents); }
  void require(std::uint64_t offset, std::uint64_t bytes) const override {
    const std::uint64_t held = store_.available(at_);
    if (offset <= held && bytes <= held - offset) return;
    throw Error(ErrorKind::truncated, fmt::format("its data at {} needs {} bytes, the file holds {} there",
                                                  to_string(at_), offset + bytes, held));
  }
  void abandon() override { store_.reach(to_number(at_) + bytes_); }

 private:
  store::FileStore& store_;
  Address at_;
  std::uint64_t bytes_;
};

enum class Filling { nothing, zeros, values };

/// HDF5 does not write default fill values, so that reused space shows its old bytes. Zeros are written here
/// instead, and for variable-length elements always, because old bytes would be taken for heap references.
Filling filling_of(const DatasetMessages& parts, bool about_to_cover) {
  const bool has_values = has_heap_values(parts.type);
  if (about_to_cover && !has_values) return Filling::nothing;
  if (parts.fill.write != FillTime::never && parts.fill.state == FillState::user)
    return about_to_cover ? Filling::zeros : Filling::values;
  if (has_values) return Filling::zeros;
  const bool anything_goes = parts.fill.write == FillTime::never || parts.fill.state == FillState::undefined;
  return anything_goes ? Filling::nothing : Filling::zeros;
}

void write_zeros(store::FileStore& store, Address at, std::uint64_t bytes) {
  const Buffer zeros(std::min(bytes, tile_bytes));
  for (std::uint64_t done = 0; done < bytes; done += zeros.size())
    store.write(at + done, Bytes(zeros).first(std::min<std::uint64_t>(zeros.size(), bytes - done)));
}

void write_values(File& file, const DatasetMessages& parts, Address at) {
  const std::uint64_t most = elements_per_tile(parts.type);
  const bool repeats = !has_heap_values(parts.type);
  Buffer tile;
  for (std::uint64_t done = 0; done < parts.elements;) {
    const std::uint64_t count = std::min(most, parts.elements - done);
    if (tile.size() != count * parts.type.size || !repeats) tile = make_fill(file, parts, count);
    file.store().write(at + done * parts.type.size, tile);
    done += count;
  }
}

/// Allocates contiguous storage and writes fill values if fill time and fill value require it. On failure the
/// storage is freed.
Address make_contiguous(File& file, const DatasetMessages& parts, bool about_to_cover) {
  store::FileStore& store = file.store();
  const Address at = store.space().allocate(store::SpaceKind::raw, parts.data_bytes);
  const Filling filling = filling_of(parts, about_to_cover);
  try {
    const std::uint64_t end = to_number(at) + parts.data_bytes;
    const std::uint64_t held = store.known_end(at);
    // Space at the end of the file reads as zeros without a write. Extending the file also shows a full
    // device.
    if (end > held && !(about_to_cover && filling == Filling::nothing)) store.reach(end);
    if (filling == Filling::values) write_values(file, parts, at);
    if (filling == Filling::zeros && to_number(at) < held)
      write_zeros(store, at, std::min(end, held) - to_number(at));
  } catch (...) {
    store.space().release(store::SpaceKind::raw, at, parts.data_bytes);
    throw;
  }
  return at;
}

[[noreturn]] void report_truncated(Address at, std::uint64_t bytes, std::uint64_t held) {
  throw Error(ErrorKind::truncated, fmt::format("its data at {} needs {} bytes, the file holds {} there",
                                                to_string(at), bytes, held));
}

/// Elements in one block of the file.
class ContiguousLayout final : public FlatLayout {
 public:
  void check_new(File& file, const NewDataset& made, std::uint64_t bytes) const override {
    if (const std::size_t dim = find_extendible(made); dim < made.space.dims.size())
      refuse_extendible(made, dim, "a dataset that is stored in one piece cannot");
    const std::uint64_t widest = widest_word(file.store().widths().offset_bytes) - 1;
    const std::uint64_t reach = std::min(largest_position, widest);
    if (bytes > reach) {
      throw Error(ErrorKind::limit,
                  fmt::format("a dataset of {} bytes is larger than the {} that offsets of the file reach",
                              bytes, reach));
    }
  }
  format::AllocationTime usual_allocation() const override { return format::AllocationTime::late; }
  bool is_constant(const DatasetMessages& messages) const override {
    return messages.fill.allocation == format::AllocationTime::early && messages.elements > 0;
  }
  void allocate_new(File& file, const NewDataset&, DatasetMessages& messages) const override {
    if (is_constant(messages)) messages.layout.address = make_contiguous(file, messages, false);
  }
  void check(const DatasetMessages& messages, Address header) const override {
    const format::LayoutMessage& layout = messages.layout;
    // Before version 3 the layout message has no size.
    const bool too_small =
        layout.version >= 3 && is_valid(layout.address) && layout.contiguous_bytes < messages.data_bytes;
    if (too_small) {
      contradict(header, fmt::format("its storage has {} bytes, but its elements need {}",
                                     layout.contiguous_bytes, messages.data_bytes));
    }
  }
  bool sends_selections(const Dataset&) const override { return true; }
  std::optional<StoredElements> stored_elements(const DatasetMessages& messages) const override {
    if (!is_valid(messages.layout.address)) return std::nullopt;
    return StoredElements{messages.layout.address, {}};
  }
  bool is_one_block() const override { return true; }
  ParallelWrite parallel_write(const DatasetMessages&) const override {
    return {ParallelWrite::Form::in_place, "a contiguous dataset"};
  }
  bool wants_early_space(const NewDataset&) const override { return true; }
  void allocate_all(const Dataset& dataset) const override { allocate_contiguous(dataset, false); }
  bool plan_read(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
                 std::byte* memory, io::SelectionReads& batch) const override;
  bool plan_write(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
                  const std::byte* memory, io::SelectionWrites& batch) const override;
  std::shared_ptr<MergedElements> merge_writes(const Dataset& dataset, std::vector<PlannedWrite> writes,
                                               std::uint64_t most_bytes) const override;
  void require_data(const Dataset& dataset, std::uint64_t elements,
                    std::uint64_t memory_bytes) const override {
    const DatasetMessages& messages = dataset.messages();
    if (!has_storage(dataset)) return Layout::require_data(dataset, elements, memory_bytes);
    const std::uint64_t bytes =
        checked_multiply(elements, messages.type.size, "the size of the selected data");
    const std::uint64_t held = dataset.file().store().available(messages.layout.address);
    if (bytes > held) report_truncated(messages.layout.address, bytes, held);
  }
  std::uint64_t stored_bytes(const Dataset& dataset) const override {
    return has_storage(dataset) ? dataset.messages().data_bytes : 0;
  }
  format::LayoutMessage copy_to(const Dataset& dataset, File& to) const override;
  void discard(File& file, const DatasetMessages& messages,
               const format::LayoutMessage& layout) const override {
    if (is_valid(layout.address) && messages.data_bytes > 0)
      file.store().space().release(store::SpaceKind::raw, layout.address, messages.data_bytes);
  }
  void for_each_value(const Dataset& dataset, FunctionRef<void(Bytes)> use) const override;
  void free(const Dataset& dataset, const format::LayoutMessage& layout) const override {
    if (!is_valid(layout.address)) return;
    File& file = dataset.file();
    const std::uint64_t bytes = contiguous_bytes(file, dataset.header(), layout);
    if (bytes > 0) file.store().space().release(store::SpaceKind::raw, layout.address, bytes);
  }

 protected:
  bool has_storage(const Dataset& dataset) const override {
    return is_valid(dataset.messages().layout.address);
  }
  std::unique_ptr<DataBytes> open_for_reading(const Dataset& dataset) const override {
    const DatasetMessages& messages = dataset.messages();
    if (has_storage(dataset)) return open(dataset, messages.layout.address);
    if (messages.fill.write == FillTime::never) return nullptr;
    if (messages.fill.state == FillState::undefined)
      throw Error(ErrorKind::not_found, "nothing has been written to it, and it has no fill value");
    return make_fill_bytes(messages);
  }
  std::unique_ptr<DataBytes> open_for_writing(const Dataset& dataset, bool covers_all) const override {
    return open(dataset, allocate_contiguous(dataset, covers_all).address);
  }

 private:
  static std::unique_ptr<DataBytes> open(const Dataset& dataset, Address at) {
    return std::make_unique<ContiguousBytes>(dataset.file().store(), at, dataset.messages().data_bytes);
  }
};

bool ContiguousLayout::plan_read(const Dataset& dataset, const Transfer& transfer,
                                 const type::ConversionPointer& conversion, std::byte* memory,
                                 io::SelectionReads& batch) const {
  const DatasetMessages& messages = dataset.messages();
  const Address at = messages.layout.address;
  if (!has_storage(dataset) || dataset.file().store().available(at) < messages.data_bytes) return false;
  const auto elements =
      space::in_file_order(transfer.file_elements, transfer.memory_elements, space::Side::memory);
  add_flat_read(batch, {at, messages.type.size}, elements,
                SelectedValues::make(dataset.file(), transfer, conversion, memory));
  return true;
}

bool ContiguousLayout::plan_write(const Dataset& dataset, const Transfer& transfer,
                                  const type::ConversionPointer& conversion, const std::byte* memory,
                                  io::SelectionWrites& batch) const {
  if (transfer.merges || !writes_complete_elements(dataset, *conversion)) return false;
  const DatasetMessages& messages = dataset.messages();
  const bool covers_all =
      transfer.file_elements.is_set() && transfer.file_elements.elements() == messages.elements;
  const Address at = allocate_contiguous(dataset, covers_all).address;
  // Elements that a failed write has not reached must be readable.
  batch.then(nullptr, [&store = dataset.file().store(), end = to_number(at) + messages.data_bytes] {
    store.reach(end);
  });
  const auto elements =
      space::in_file_order(transfer.file_elements, transfer.memory_elements, space::Side::file);
  add_flat_write(batch, {at, messages.type.size}, elements,
                 SelectedValues::make(dataset.file(), transfer, conversion, const_cast<std::byte*>(memory)));
  return true;
}

std::shared_ptr<MergedElements> ContiguousLayout::merge_writes(const Dataset& dataset,
                                                               std::vector<PlannedWrite> writes,
                                                               std::uint64_t most_bytes) const {
  const DatasetMessages& messages = dataset.messages();
  MergePlan plan{.writes = std::move(writes), .has_old_elements = has_storage(dataset)};
  if (!plan.choose_elements(messages, most_bytes)) return nullptr;
  const bool covers_all = !plan.keeps_members && plan.elements.elements() == messages.elements;
  const Address at = allocate_contiguous(dataset, covers_all).address;
  const bool is_truncated =
      plan.has_old_elements && dataset.file().store().available(at) < messages.data_bytes;
  if (is_truncated) return nullptr;
  return std::make_shared<MergedElements>(dataset, at, std::move(plan));
}

/// Elements that other processes may write are read past the pages that hold metadata.
Buffer read_elements(File& file, Address at, std::uint64_t bytes) {
  if (!file.parallel()) return file.store().read(at, bytes, "raw data");
  Buffer elements(bytes);
  const io::ReadExtent extent{0, elements, io::MemoryType::raw};
  file.store().read_raw(at, std::span(&extent, 1));
  return elements;
}

void ContiguousLayout::for_each_value(const Dataset& dataset, FunctionRef<void(Bytes)> use) const {
  const DatasetMessages& messages = dataset.messages();
  if (messages.data_bytes == 0 || !has_storage(dataset)) return;
  const Address at = messages.layout.address;
  const std::uint64_t held = dataset.file().store().available(at);
  if (held < messages.data_bytes) report_truncated(at, messages.data_bytes, held);
  const std::uint64_t step = elements_per_tile(messages.type) * messages.type.size;
  for (std::uint64_t done = 0; done < messages.data_bytes; done += step)
    use(read_elements(dataset.file(), at + done, std::min(step, messages.data_bytes - done)));
}

format::LayoutMessage ContiguousLayout::copy_to(const Dataset& dataset, File& to) const {
  const DatasetMessages& messages = dataset.messages();
  File& from = dataset.file();
  format::LayoutMessage layout = messages.layout;
  if (!has_storage(dataset) || messages.data_bytes == 0) return layout;
  // This is checked before space is allocated: a truncated source cannot be copied.
  if (from.store().available(layout.address) < messages.data_bytes)
    throw Error(ErrorKind::truncated, "the dataset's elements run past the end of the file");
  layout.address = to.store().space().allocate(store::SpaceKind::raw, messages.data_bytes);
  layout.contiguous_bytes = messages.data_bytes;
  std::uint64_t done = 0;
  try {
    for_each_value(dataset, [&](Bytes tile) {
      Buffer elements(tile.begin(), tile.end());
      copy_heap_values(from, to, messages.type, elements);
      to.store().write(layout.address + done, elements);
      done += tile.size();
    });
  } catch (...) {
    discard(to, messages, layout);
    throw;
  }
  return layout;
}

}  // namespace

const Layout& contiguous_layout() {
  static const Immortal<ContiguousLayout> layout;
  return *layout;
}

format::LayoutMessage allocate_contiguous(const Dataset& dataset, bool about_to_cover) {
  const DatasetMessages& messages = dataset.messages();
  format::LayoutMessage layout = messages.layout;
  if (is_valid(layout.address) || messages.data_bytes == 0) return layout;
  File& file = dataset.file();
  layout.address = make_contiguous(file, messages, about_to_cover);
  layout.contiguous_bytes = messages.data_bytes;
  try {
    replace_body(file, dataset.header(), format::MessageType::layout,
                 format::encode(layout, file.store().widths()));
  } catch (...) {
    contiguous_layout().discard(file, messages, layout);
    throw;
  }
  touch(file, dataset.header());
  return layout;
}

}  // namespace filigree::model
