// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/dataset.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/messages/object_messages.hpp"
#include "model/file/file.hpp"
#include "model/layout/layout.hpp"
#include "model/layout/selected_values.hpp"
#include "model/layout/sparse_operations.hpp"
#include "model/object/object.hpp"
#include "model/virtual/virtual_layout.hpp"
#include "space/bulk.hpp"
#include "space/excerpt.hpp"
#include "store/file_store.hpp"
#include "store/heaps/local_heap.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

void check_counts(const Transfer& transfer) {
  const std::uint64_t file = transfer.file_elements.elements();
  const std::uint64_t memory = transfer.memory_elements.elements();
  if (file != memory) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} elements are selected in the dataset, {} in memory", file, memory));
  }
}

}  // namespace

const DatasetMessages& Dataset::messages() const {
  if (!messages_) messages_ = load_messages(file_, header_);
  return *messages_;
}

const Layout& Dataset::layout() const { return layout_of(messages()); }

const format::DataspaceMessage& Dataset::extent(const VirtualTrail* trail) const {
  if (extent_) return *extent_;
  // A dataset whose other messages are damaged still has an extent, so they are decoded only if needed.
  if (!messages_) messages_ = find_messages(file_, header_);
  if (!messages_ && !has_virtual_layout(file_, header_))
    return extent_.emplace(object_dataspace(file_, header_));
  if (layout().computes_extent()) extent_ = layout().current_extent(*this, trail);
  return extent_ ? *extent_ : messages().space;
}

bool Dataset::is_huge() const { return space::is_huge(extent().dims); }

void Dataset::reload() {
  messages_.reset();
  extent_.reset();
}

namespace {

bool is_empty(const Dataset& dataset, const Transfer& transfer) {
  return dataset.messages().space.kind == format::DataspaceKind::null ||
         transfer.file_elements.elements() == 0;
}

void check_extent(const Dataset& dataset, const Transfer& transfer) {
  if (dataset.layout().computes_extent()) return;
  const std::vector<std::uint64_t>& extent = dataset.messages().space.dims;
  const space::Excerpt* const excerpt = dataset.excerpt().get();
  const bool fits = excerpt == nullptr
                        ? transfer.file_elements.frame().dims() == extent
                        : transfer.file_elements.frame() == excerpt->frame() && excerpt->extent() == extent;
  if (!fits) throw Error(ErrorKind::internal, "the selection was made for another extent");
}

}  // namespace

void Dataset::check_transfer(const Transfer& transfer) const {
  check_counts(transfer);
  check_extent(*this, transfer);
}

void Dataset::read(const Transfer& transfer, std::byte* memory) const {
  if (file_.parallel()) return read_in_parallel(transfer, memory);
  if (sends_selections(transfer)) {
    io::SelectionReads batch = make_reads(file_);
    if (plan_read(transfer, memory, batch)) return batch.send();
  }
  check_counts(transfer);
  const auto conversion = type::prepare(messages().type, transfer.memory_type, transfer.rules);
  if (is_empty(*this, transfer)) return;
  check_extent(*this, transfer);
  layout().read(*this, transfer, conversion, memory);
}

bool Dataset::sends_selections(const Transfer& transfer) const {
  return transfer.selections && file_.store().accepts_selections() && excerpt_ == nullptr &&
         layout().sends_selections(*this);
}

bool Dataset::plan_read(const Transfer& transfer, std::byte* memory, io::SelectionReads& batch) const {
  check_counts(transfer);
  const auto conversion = type::prepare(messages().type, transfer.memory_type, transfer.rules);
  if (is_empty(*this, transfer)) return true;
  check_extent(*this, transfer);
  return layout().plan_read(*this, transfer, conversion, memory, batch);
}

bool Dataset::plan_sources(const Transfer& transfer, std::byte* memory,
                           FunctionRef<void(const SourcePart&)> visit) const {
  check_counts(transfer);
  const auto conversion = type::prepare(messages().type, transfer.memory_type, transfer.rules);
  return is_empty(*this, transfer) || layout().plan_sources(*this, transfer, conversion, memory, visit);
}

bool Dataset::plan_written_sources(const Transfer& transfer,
                                   FunctionRef<void(const SourcePart&)> visit) const {
  if (!layout().writes_other_files()) return false;
  file_.store().require_writable("write a dataset");
  (void)prepare_write(transfer);
  return is_empty(*this, transfer) || layout().plan_written_sources(*this, transfer, visit);
}

type::ConversionPointer Dataset::prepare_write(const Transfer& transfer) const {
  check_counts(transfer);
  messages().require_known("write");
  return type::prepare(transfer.memory_type, messages().type, transfer.rules);
}

bool Dataset::plan_write(const Transfer& transfer, const std::byte* memory,
                         io::SelectionWrites& batch) const {
  const auto conversion = prepare_write(transfer);
  if (is_empty(*this, transfer)) return true;
  check_extent(*this, transfer);
  return layout().plan_write(*this, transfer, conversion, memory, batch);
}

void Dataset::plan_read_before_write(const Transfer& transfer, io::SelectionReads& batch) const {
  const auto conversion = type::prepare(transfer.memory_type, messages().type, transfer.rules);
  if (!is_empty(*this, transfer)) layout().plan_read_before_write(*this, transfer, conversion, batch);
}

void Dataset::write(const Transfer& transfer, const std::byte* memory) const {
  const auto conversion = prepare_write(transfer);
  if (is_empty(*this, transfer)) return;
  if (layout().writes_other_files())
    throw Error(ErrorKind::not_found, "a virtual dataset has taken its place meanwhile");
  check_extent(*this, transfer);
  if (sends_selections(transfer) && writes_complete_elements(*this, *conversion)) {
    io::SelectionWrites batch = make_writes(file_);
    if (plan_write(transfer, memory, batch)) return batch.send();
  }
  layout().write(*this, transfer, conversion, memory);
}

bool Dataset::write_shared(const Transfer& transfer, const std::byte* memory) const {
  file_.store().require_writable("write a dataset");
  const auto conversion = prepare_write(transfer);
  const std::uint64_t elements = transfer.file_elements.elements();
  if (layout().writes_other_files()) {
    return elements == 0 || layout().write_shared(*this, transfer, conversion, memory);
  }
  if (elements < least_shared_elements || excerpt_ != nullptr) return false;
  check_extent(*this, transfer);
  return layout().write_shared(*this, transfer, conversion, memory);
}

void Dataset::write_selected(std::uint64_t count,
                             FunctionRef<bool(FunctionRef<bool(const Transfer&)>)> with_transfer,
                             const std::byte* memory) {
  const auto write_it_shared = [&](const Transfer& transfer) { return write_shared(transfer, memory); };
  if (file_.parallel()) {
    with_transfer([&](const Transfer& transfer) {
      write_in_parallel(transfer, memory);
      return true;
    });
    return;
  }
  const bool shared = count >= least_shared_elements || layout().writes_other_files();
  if (shared && with_transfer(write_it_shared)) return;
  const Change change(file_, "write a dataset");
  reload();
  with_transfer([&](const Transfer& transfer) {
    write(transfer, memory);
    return true;
  });
}

void Dataset::require_data(std::uint64_t elements, std::uint64_t memory_bytes) const {
  layout().require_data(*this, elements, memory_bytes);
}

space::Selection Dataset::defined(const space::Selection& selection) const {
  const SparseOperations* const sparse = layout().sparse();
  return sparse != nullptr ? sparse->defined(*this, selection) : selection;
}

space::Selection Dataset::read_defined(const space::Selection& selection,
                                       const format::DatatypeMessage& memory_type,
                                       FunctionRef<std::byte*(std::uint64_t)> allocate) const {
  if (const SparseOperations* const sparse = layout().sparse()) {
    if (auto found = sparse->read_defined(*this, selection, memory_type, allocate)) return *std::move(found);
  }
  auto elements = defined(selection);
  require_data(elements.elements(), memory_type.size);
  std::byte* const memory = allocate(elements.elements());
  const auto all = space::Selection::all(space::Frame({elements.elements()}));
  read({elements, all, memory_type}, memory);
  return elements;
}

std::uint64_t Dataset::read_defined_offsets(const space::Selection& selection,
                                            const format::DatatypeMessage& memory_type,
                                            FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const {
  if (const SparseOperations* const sparse = layout().sparse())
    if (const auto found = sparse->read_offsets(*this, selection, memory_type, {}, allocate)) return *found;
  OffsetBuffers buffers;
  const auto found = read_defined(selection, memory_type, [&](std::uint64_t elements) {
    buffers = allocate(elements);
    return buffers.values;
  });
  const auto offsets = space::to_offsets(found);
  std::ranges::copy(offsets, static_cast<std::uint64_t*>(buffers.offsets));
  return offsets.size();
}

std::optional<std::uint64_t> Dataset::read_defined_columns(
    const format::DatatypeMessage& memory_type, const chunk::IndexFormat& indices,
    FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const {
  const SparseOperations* const sparse = layout().sparse();
  if (sparse == nullptr) return std::nullopt;
  const auto all = space::Selection::all(space::Frame(extent().dims));
  return sparse->read_offsets(*this, all, memory_type, indices, allocate);
}

std::uint64_t Dataset::defined_count(const space::Selection& selection) const {
  const SparseOperations* const sparse = layout().sparse();
  return sparse != nullptr ? sparse->defined_count(*this, selection) : selection.elements();
}

std::uint64_t Dataset::count_chunks_from_hdf5() const {
  const SparseOperations* const sparse = layout().sparse();
  return sparse != nullptr ? sparse->count_chunks_from_hdf5(*this) : 0;
}

bool Dataset::write_offsets_shared(std::span<const std::uint64_t> offsets, space::Run covered,
                                   const format::DatatypeMessage& memory_type,
                                   const std::byte* memory) const {
  file_.store().require_writable("write a dataset");
  file_.require_one_process("write elements by their offsets");
  messages().require_known("write");
  const SparseOperations* const sparse = layout().sparse();
  return sparse != nullptr && excerpt_ == nullptr &&
         sparse->write_offsets(*this, offsets, covered, memory_type, memory);
}

void Dataset::erase(const space::Selection& selection) const {
  const SparseOperations* const sparse = layout().sparse();
  if (sparse == nullptr)
    throw Error(ErrorKind::unsupported, "only elements of sparse datasets can be erased; this one is dense");
  file_.require_one_process("erase elements");
  messages().require_known("erase elements");
  sparse->erase(*this, selection);
}

void Dataset::resize(const std::vector<std::uint64_t>& dims) {
  messages().require_known("resize");
  if (file_.parallel()) return resize_in_parallel(dims);
  layout().resize(*this, dims);
  reload();
}

void Dataset::downgrade() {
  layout().downgrade(*this);
  reload();
}

bool Dataset::has_newer_form() const { return layout().has_newer_form(messages().layout); }

std::uint64_t Dataset::stored_bytes() const { return layout().stored_bytes(*this); }

MetadataBytes Dataset::metadata_bytes() const {
  MetadataBytes bytes = layout().metadata_bytes(*this);
  if (const auto body = find_message(file_, header_, format::MessageType::external_files)) {
    const format::Widths& widths = file_.store().widths();
    const auto message = format::decode<format::ExternalFiles>(*body, widths, header_);
    if (is_valid(message.heap))
      bytes.heap += store::LocalHeap(file_.store(), message.heap).entry()->file_bytes();
  }
  return bytes;
}

}  // namespace filigree::model
