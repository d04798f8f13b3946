// SPDX-License-Identifier: Apache-2.0
//
// Transfers of datasets in a file that several processes use together.
//
// A read may be independent for every layout: nothing that it reads is kept where another process writes.
// Elements that others can overwrite, those of contiguous datasets and of unfiltered chunks, are read as
// selections, which bypass the chunk cache.
//
// A write replaces elements in space that the dataset has already, so that no member changes metadata alone.
// A collective write first allocates what is missing, on all members.
//
// Where elements change metadata or the size of chunks, as with filters, a collective write gathers the
// elements of all members on all of them. Each encodes all chunks, and writes a share of the bytes.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/file_lock.hpp"
#include "base/hash128.hpp"
#include "chunk/table/chunk_allocation.hpp"
#include "chunk/table/chunk_table.hpp"
#include "index/chunk_index.hpp"
#include "io/stack/parallel_file.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/gathered_write.hpp"
#include "model/file/file.hpp"
#include "model/layout/contiguous_layout.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/layout/layout.hpp"
#include "model/layout/selected_values.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::unsupported,
              fmt::format("in a file that several processes use together, {} cannot be written yet", what));
}

/// Returns how elements are written. Throws: Error(unsupported) if they cannot be written at all.
ParallelWrite how_to_write(const Dataset& dataset) {
  if (dataset.excerpt() != nullptr || dataset.is_huge()) refuse("a dataset of 2^64 elements or more");
  const ParallelWrite how = dataset.layout().parallel_write(dataset.messages());
  if (how.form == ParallelWrite::Form::refused) refuse(how.dataset);
  return how;
}

bool is_allocated(const Dataset& dataset) {
  const DatasetMessages& messages = dataset.messages();
  return is_valid(messages.layout.address) || messages.data_bytes == 0;
}

/// Allocates the elements with fill values. On all members, in a collective call.
void allocate(const Dataset& dataset) {
  dataset.layout().allocate_all(dataset);
  dataset.file().store().grow_to_allocation();
}

/// Writes elements of the dataset's type, and keeps nothing of them back: what a cache evicts depends on what
/// else a member has read.
void write_elements_of_all(const Dataset& dataset, const GatheredElements& elements) {
  const DatasetMessages& messages = dataset.messages();
  const space::Frame frame(messages.space.dims);
  std::uint64_t count = 0;
  for (const space::Run& run : elements.runs) count += run.length;
  space::Selection where = space::Selection::none(frame);
  if (elements.ascend()) {
    where = space::Selection::of_runs(frame, space::RunSet::of_runs(elements.runs));
  } else {
    std::vector<std::uint64_t> offsets;
    for (const space::Run& run : elements.runs)
      for (std::uint64_t i = 0; i < run.length; ++i) offsets.push_back(run.start + i);
    where = space::Selection::of_points(frame, std::move(offsets));
  }
  const auto all = space::Selection::all(space::Frame({count}));
  const Transfer transfer{where, all, messages.type};
  dataset.layout().write(dataset, transfer, type::prepare(messages.type, messages.type, transfer.rules),
                         elements.values.data());
  dataset.file().chunks().flush();
}

}  // namespace

void Dataset::read_in_parallel(const Transfer& transfer, std::byte* memory) const {
  const auto read = [&] {
    io::SelectionReads batch = make_reads(file_);
    const bool simple = excerpt_ == nullptr && layout().sends_selections(*this);
    if (simple && plan_read(transfer, memory, batch)) return batch.send();
    check_transfer(transfer);
    if (transfer.file_elements.elements() == 0 || messages().space.kind == format::DataspaceKind::null)
      return;
    if (excerpt_ != nullptr && !layout().reads_huge_in_parallel())
      throw Error(ErrorKind::unsupported,
                  "a dataset of 2^64 elements or more cannot be read in a file that several processes use");
    layout().read(*this, transfer, type::prepare(messages().type, transfer.memory_type, transfer.rules),
                  memory);
  };
  if (!transfer.collective) return read();
  const io::RequestScope scope(file_.parallel(), io::Requests::collective);
  read();
  file_.finish_reads();
}

void Dataset::write_in_parallel(const Transfer& transfer, const std::byte* memory) {
  const FileLock::Exclusive exclusive(file_.lock());
  file_.store().require_writable("write a dataset");
  reload();
  const auto& state = file_.parallel();
  if (const ParallelWrite how = how_to_write(*this); how.form == ParallelWrite::Form::gathered) {
    if (transfer.collective) return write_gathered(transfer, memory);
    throw Error(ErrorKind::unsupported,
                fmt::format("{} must be written collectively in a file that several processes use together",
                            how.dataset));
  }
  if (transfer.collective && !is_allocated(*this)) {
    const Change change(file_, "allocate elements");
    const io::RequestScope scope(state, io::Requests::replicated);
    allocate(*this);
    reload();
  }
  if (!is_allocated(*this) && transfer.file_elements.elements() > 0) {
    throw Error(
        ErrorKind::unsupported,
        "it has no space yet, and independent writes cannot allocate it: write it collectively once, or "
        "create it with AllocationTime::early");
  }
  const io::RequestScope scope(state,
                               transfer.collective ? io::Requests::collective : io::Requests::independent);
  io::SelectionWrites batch = make_writes(file_);
  if (!plan_write(transfer, memory, batch))
    refuse("elements of variable length, references and parts of compound elements");
  batch.send();
  if (transfer.collective) file_.finish_writes();
}

void Dataset::write_gathered(const Transfer& transfer, const std::byte* memory) {
  check_transfer(transfer);
  messages().require_known("write");
  const auto conversion = type::prepare(transfer.memory_type, messages().type, transfer.rules);
  if (!writes_complete_elements(*this, *conversion))
    refuse("elements of variable length, references and parts of compound elements");
  const auto write_all = [&](const GatheredElements& elements) {
    const Change change(file_, "write a dataset");
    const Dataset now(file_, header_);
    write_elements_of_all(now, elements);
  };
  GatheredWrite gathered(file_.parallel(), messages().type.size, write_all);
  io::SelectionWrites batch([&](std::span<const io::SelectionWrite> pieces) { gathered.send(pieces); });
  if (transfer.file_elements.elements() > 0) {
    const auto elements =
        space::in_file_order(transfer.file_elements, transfer.memory_elements, space::Side::file);
    add_flat_write(batch, {to_address(0), messages().type.size}, elements,
                   SelectedValues::make(file_, transfer, conversion, const_cast<std::byte*>(memory)));
  }
  batch.send();
  gathered.finish();
}

void Dataset::resize_in_parallel(const std::vector<std::uint64_t>& dims) {
  if (is_huge()) refuse("the extent of a dataset of 2^64 elements or more");
  Hash128 what;
  for (const std::uint64_t dim : dims) what.add(dim);
  file_.collectively("Dataset::resize", fmt::format("object at {}", to_string(header_)), what.folded(), [&] {
    file_.note_change("resize", to_string(header_), what.folded());
    layout().resize(*this, dims);
    file_.chunks().flush();
    // Chunks that were cut are in the cache, and may be written by others from now on.
    file_.chunks().forget(header_);
    file_.store().grow_to_allocation();
  });
  reload();
}

}  // namespace filigree::model
