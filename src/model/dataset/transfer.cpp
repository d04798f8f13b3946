// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/transfer.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/executor.hpp"
#include "chunk/sparse/defined_query.hpp"
#include "chunk/sparse/eraser.hpp"
#include "chunk/transfer/chunk_reader.hpp"
#include "chunk/transfer/chunk_writer.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/data_bytes.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/layout/external_bytes.hpp"
#include "model/layout/transfer_plan.hpp"
#include "model/virtual/virtual_dataset.hpp"
#include "space/point_order.hpp"
#include "store/file_store.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {
namespace {

/// Smaller transfers use one thread.
constexpr std::uint64_t least_parallel_bytes = 1u << 20;
/// The largest size of unwritten elements that is read at once, because a small file can claim any number.
constexpr std::uint64_t most_unwritten_bytes = 1u << 30;
/// The largest plausible compression ratio of chunks.
constexpr std::uint64_t most_packing = 1100;
/// The largest unwritten element that a conversion buffers.
constexpr std::uint64_t most_unwritten_element_bytes = 64u << 20;

/// In each batch new variable-length values are stored before the old ones are freed. Space that the last
/// batch frees is lost when the file is closed, so these batches are small.
constexpr std::uint64_t replacing_staging_bytes = 16u << 10;

/// The smallest transfer buffer.
constexpr std::uint64_t least_buffer_bytes = 4u << 10;

/// Batches that are converted in place stay in the second-level cache.
constexpr std::uint64_t in_place_batch_bytes = 256u << 10;

/// The number of batches with a transfer buffer that are planned at once per thread.
constexpr std::size_t staged_per_thread = 4;

/// How a transfer is split into batches.
struct Plan {
  space::Side destination = space::Side::memory;
  bool direct = false;  ///< pieces may skip staging
  PlanLimits limits;
  std::size_t batches_per_thread = staged_per_thread;  ///< planned at once
};

Plan plan_reading(const Transfer& transfer, const type::Conversion::Traits& traits,
                  std::uint64_t buffer_bytes) {
  Plan plan;
  plan.limits.staging_bytes = std::max(buffer_bytes, least_buffer_bytes);
  plan.direct = traits.copies;
  if (!traits.copies && traits.in_place && transfer.on_fault == nullptr) {
    plan.direct = true;
    plan.limits.direct_batch_bytes = in_place_batch_bytes;
    plan.batches_per_thread = 32;
  }
  return plan;
}

Plan plan_writing(bool replaces, const type::Conversion::Traits& traits, std::uint64_t buffer_bytes) {
  Plan plan;
  plan.limits.staging_bytes = std::max(buffer_bytes, least_buffer_bytes);
  plan.destination = space::Side::file;
  plan.direct = traits.copies;
  if (replaces) plan.limits.staging_bytes = std::min(plan.limits.staging_bytes, replacing_staging_bytes);
  // Operating systems serialise writes to one file, so small batches would only add overhead.
  plan.limits.direct_batch_bytes = 1u << 30;
  return plan;
}

/// One transfer between memory and the bytes of a dataset, with the state that its batches share.
class Job {
 public:
  Job(File& file, const Transfer& transfer, const DatasetMessages& parts, type::ConversionPointer conversion,
      const Plan& plan)
      : file_(file),
        transfer_(transfer),
        parts_(parts),
        conversion_(std::move(conversion)),
        elements_(space::in_file_order(transfer.file_elements, transfer.memory_elements, plan.destination)),
        values_(file, elements_.file.elements()),
        planner_({elements_.file, parts.type.size}, {elements_.memory, transfer.memory_type.size},
                 plan.direct, plan.limits),
        batches_per_thread_(plan.batches_per_thread) {
    context_.on_fault = transfer.on_fault;
    context_.memory = transfer.memory;
  }

  void read(DataBytes& data, std::byte* memory) {
    context_.from_file = &values_;
    if (conversion_->traits().copies && data.read_selected(elements_, parts_.type.size, memory)) return;
    run(
        [&](const Batch& batch, Buffer& staging) {
          for (const auto& p : batch.staged) {
            data.require(p.offset, p.bytes);
            if (p.bytes > most_unwritten_element_bytes && !data.stores(p.offset, p.bytes)) refuse_to_stage(p);
          }
          for (const auto& p : batch.direct) data.require(p.offset, p.bytes);
          read_batch(data, batch, staging, memory);
        },
        [](std::span<const Batch>, std::span<const Buffer>) {});
  }

  /// `replaces`: the existing elements refer to the heap.
  void write(DataBytes& data, const std::byte* memory, bool replaces) {
    context_.to_file = &values_;
    if (conversion_->traits().copies && data.write_selected(elements_, parts_.type.size, memory)) return;
    Buffer old;
    run([&](const Batch& batch,
            Buffer& staging) { convert_batch(data, batch, staging, memory, replaces ? &old : nullptr); },
        [&](std::span<const Batch> batches, std::span<const Buffer> staging) {
          write_batches(data, batches, staging, memory);
          if (replaces) release_old(batches[0], old, staging[0]);
        });
  }

 private:
  /// Repeats until the end: plans some batches, calls `each` for every batch (in parallel if the order does
  /// not matter), then calls `then` for all of them.
  template <class Each, class Then>
  void run(Each each, Then then) {
    Executor& executor = Executor::default_executor();
    const std::uint64_t bytes = elements_.file.elements() * parts_.type.size;
    const bool parallel = !conversion_->traits().uses_files && transfer_.on_fault == nullptr &&
                          executor.threads() > 1 && bytes >= least_parallel_bytes;
    const std::size_t width = parallel ? executor.threads() * batches_per_thread_ : 1;
    const std::size_t most_staged = executor.threads() * staged_per_thread;
    std::vector<Batch> batches(width);
    std::vector<Buffer> staging(width);
    for (;;) {
      std::size_t planned = 0;
      std::size_t staged = 0;
      while (planned < width && staged < most_staged && planner_.next(batches[planned]))
        staged += batches[planned++].staged.empty() ? 0 : 1;
      if (planned == 0) return;
      const auto one = [&](std::size_t i) { each(batches[i], staging[i]); };
      if (planned == 1) {
        one(0);
      } else {
        executor.for_each(planned, one);
      }
      then(std::span(batches).first(planned), std::span(staging).first(planned));
    }
  }

  [[noreturn]] static void refuse_to_stage(const StagedPiece& piece) {
    throw Error(ErrorKind::limit,
                fmt::format("an element of {} bytes was never written, and is more than the {} that are "
                            "converted then",
                            piece.bytes, most_unwritten_element_bytes));
  }

  static std::vector<io::ReadExtent> staged_reads(const Batch& batch, Buffer& staging) {
    std::vector<io::ReadExtent> extents;
    for (const auto& p : batch.staged)
      extents.push_back({p.offset, MutableBytes(staging).subspan(p.staged, p.bytes)});
    return extents;
  }

  void read_batch(DataBytes& data, const Batch& batch, Buffer& staging, std::byte* memory) const {
    if (staging.size() < batch.staged_bytes) staging.resize(batch.staged_bytes);
    auto extents = staged_reads(batch, staging);
    for (const auto& p : batch.direct)
      extents.push_back({p.offset, MutableBytes(memory + p.memory, p.bytes)});
    data.read(extents);
    for (const Move& m : batch.moves) {
      conversion_->apply(
          {staging.data() + m.staged, m.staged_stride, memory + m.memory, m.memory_stride, m.count},
          context_);
    }
    if (conversion_->traits().copies) return;
    const std::uint64_t element_bytes = parts_.type.size;
    for (const auto& p : batch.direct) {
      std::byte* const place = memory + p.memory;
      conversion_->apply({place, element_bytes, place, element_bytes, p.bytes / element_bytes}, context_);
    }
  }

  /// If `old` is not null, it receives the previous elements.
  void convert_batch(DataBytes& data, const Batch& batch, Buffer& staging, const std::byte* memory,
                     Buffer* old) const {
    if (staging.size() < batch.staged_bytes) staging.resize(batch.staged_bytes);
    prepare_staging(data, batch, staging, old != nullptr);
    if (old != nullptr)
      old->assign(staging.begin(), staging.begin() + static_cast<std::ptrdiff_t>(batch.staged_bytes));
    for (const Move& m : batch.moves) {
      conversion_->apply(
          {memory + m.memory, m.memory_stride, staging.data() + m.staged, m.staged_stride, m.count},
          context_);
    }
  }

  static void write_batches(DataBytes& data, std::span<const Batch> batches, std::span<const Buffer> staging,
                            const std::byte* memory) {
    std::vector<io::WriteExtent> extents;
    for (std::size_t i = 0; i < batches.size(); ++i) {
      for (const auto& p : batches[i].staged)
        extents.push_back({p.offset, Bytes(staging[i]).subspan(p.staged, p.bytes)});
      for (const auto& p : batches[i].direct)
        extents.push_back({p.offset, Bytes(memory + p.memory, p.bytes)});
    }
    data.write(extents);
  }

  /// Fills the transfer buffer with the bytes of the file where the new elements do not cover them.
  void prepare_staging(DataBytes& data, const Batch& batch, Buffer& staging, bool always) const {
    if (always || conversion_->traits().partial) {
      data.read(staged_reads(batch, staging));
      return;
    }
    // Otherwise padding in compounds would contain data of earlier batches.
    const bool holes = parts_.type.type_class == format::TypeClass::compound ||
                       parts_.type.type_class == format::TypeClass::array;
    std::vector<io::ReadExtent> extents;
    for (const auto& p : batch.staged) {
      const MutableBytes place = MutableBytes(staging).subspan(p.staged, p.bytes);
      if (p.gaps) {
        extents.push_back({p.offset, place});
      } else if (holes) {
        std::ranges::fill(place, std::byte{0});
      }
    }
    if (!extents.empty()) data.read(extents);
  }

  void release_old(const Batch& batch, Bytes old, Bytes staging) const {
    Buffer before;
    Buffer now;
    for (const Move& m : batch.moves) {
      for (std::uint64_t i = 0; i < m.count; ++i) {
        const std::uint64_t at = m.staged + i * m.staged_stride;
        const Bytes element = old.subspan(at, parts_.type.size);
        const Bytes successor = staging.subspan(at, parts_.type.size);
        before.insert(before.end(), element.begin(), element.end());
        now.insert(now.end(), successor.begin(), successor.end());
      }
    }
    release_replaced_values(file_, parts_.type, before, now);
  }

  File& file_;
  const Transfer& transfer_;
  const DatasetMessages& parts_;
  type::ConversionPointer conversion_;
  space::Matched elements_;
  HeapFileValues values_;
  TransferPlanner planner_;
  std::size_t batches_per_thread_;
  type::Context context_;
};

/// Elements that are partitioned at once are processed chunk by chunk in any order. More points than that are
/// sorted first, so that not every batch visits all chunks.
space::Matched in_chunk_order(const Transfer& transfer, space::Side destination) {
  const bool repeats = destination == space::Side::memory && !transfer.memory_elements.is_set();
  if (!repeats && transfer.file_elements.elements() <= space::PartitionLimits{}.most_runs)
    return {transfer.file_elements, transfer.memory_elements};
  return space::in_file_order(transfer.file_elements, transfer.memory_elements, destination);
}

void read_chunks(File& file, Address dataset, const Transfer& transfer, const DatasetMessages& parts,
                 const type::Conversion& conversion, std::byte* memory) {
  const auto table = file.chunks().open(file, dataset, parts);
  const space::Matched elements = in_chunk_order(transfer, space::Side::memory);
  HeapFileValues values(file, elements.file.elements());
  type::Context context;
  context.from_file = &values;
  context.on_fault = transfer.on_fault;
  context.memory = transfer.memory;
  const bool parallel = !conversion.traits().uses_files && transfer.on_fault == nullptr;
  const chunk::Values memory_values{conversion, context, memory, transfer.memory_type.size};
  chunk::ChunkReader(*table).read(elements.file, elements.memory, memory_values, parallel);
}

/// Whether most of a write can be prepared while other threads have access to the file.
bool can_prepare_shared(const Transfer& transfer, const DatasetMessages& parts,
                        const type::Conversion& conversion) {
  return parts.layout.in_chunks() && !conversion.traits().uses_files && transfer.on_fault == nullptr;
}

bool write_chunks_shared(File& file, Address dataset, const Transfer& transfer, const DatasetMessages& parts,
                         const type::Conversion& conversion, const std::byte* memory) {
  const auto table = file.chunks().open(file, dataset, parts);
  DatasetExclusiveAccess access(file, dataset, table, parts.space.dims);
  const space::Matched elements = in_chunk_order(transfer, space::Side::file);
  type::Context context;
  context.memory = transfer.memory;
  const chunk::Values values{conversion, context, const_cast<std::byte*>(memory), transfer.memory_type.size};
  return chunk::ChunkWriter(*table).write(elements.file, elements.memory, values, true, access);
}

void write_chunks(File& file, Address dataset, const Transfer& transfer, const DatasetMessages& parts,
                  const type::Conversion& conversion, const std::byte* memory) {
  const auto table = file.chunks().open(file, dataset, parts);
  const space::Matched elements = in_chunk_order(transfer, space::Side::file);
  HeapFileValues heap(file);
  type::Context context;
  context.to_file = &heap;
  context.on_fault = transfer.on_fault;
  context.memory = transfer.memory;
  const bool parallel = !conversion.traits().uses_files && transfer.on_fault == nullptr;
  chunk::Values values{conversion, context, const_cast<std::byte*>(memory), transfer.memory_type.size};
  const auto release_old = [&](Bytes before, Bytes now) { release_chunk_values(file, parts, before, now); };
  FunctionRef<void(Bytes, Bytes)> replaced(release_old);
  if (conversion.traits().uses_files && owns_heap_values(parts)) values.replaced = &replaced;
  chunk::ChunkWriter(*table).write(elements.file, elements.memory, values, parallel);
}

void read_mapped(File& file, Address dataset, const Transfer& transfer, const DatasetMessages& parts,
                 type::ConversionPointer conversion, std::byte* memory) {
  read_virtual(file, dataset, parts, transfer, memory, [&](const Transfer& unmapped) {
    const auto fill = make_fill_bytes(parts);
    const Plan plan = plan_reading(unmapped, conversion->traits(), file.access().transfer_buffer_bytes);
    Job(file, unmapped, parts, conversion, plan).read(*fill, memory);
  });
}

void check_counts(const Transfer& transfer) {
  const std::uint64_t file = transfer.file_elements.elements();
  const std::uint64_t memory = transfer.memory_elements.elements();
  if (file != memory) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} elements are selected in the dataset, {} in memory", file, memory));
  }
}

void check_extent(const Transfer& transfer, const DatasetMessages& parts) {
  if (transfer.file_elements.frame().dims() != parts.space.dims)
    throw Error(ErrorKind::internal, "the selection was made for another extent");
}

}  // namespace

void read_elements(File& file, Address dataset, const Transfer& transfer, std::byte* memory) {
  check_counts(transfer);
  const auto messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  auto conversion = type::prepare(parts.type, transfer.memory_type, transfer.rules);
  if (parts.space.kind == format::DataspaceKind::null || transfer.file_elements.elements() == 0) return;
  if (parts.layout.layout == format::LayoutClass::virtual_dataset)
    return read_mapped(file, dataset, transfer, parts, std::move(conversion), memory);
  check_extent(transfer, parts);
  if (parts.layout.in_chunks()) return read_chunks(file, dataset, transfer, parts, *conversion, memory);
  const auto data = open_for_reading(file, dataset, parts);
  if (!data) return;
  const Plan plan = plan_reading(transfer, conversion->traits(), file.access().transfer_buffer_bytes);
  Job(file, transfer, parts, std::move(conversion), plan).read(*data, memory);
}

bool write_elements_shared(File& file, Address dataset, const Transfer& transfer, const std::byte* memory) {
  file.store().require_writable("write a dataset");
  check_counts(transfer);
  const auto messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  const auto conversion = type::prepare(transfer.memory_type, parts.type, transfer.rules);
  if (parts.layout.layout == format::LayoutClass::virtual_dataset) {
    if (transfer.file_elements.elements() != 0) write_virtual(file, dataset, parts, transfer, memory);
    return true;
  }
  if (transfer.file_elements.elements() < least_shared_elements) return false;
  if (!can_prepare_shared(transfer, parts, *conversion)) return false;
  check_extent(transfer, parts);
  return write_chunks_shared(file, dataset, transfer, parts, *conversion, memory);
}

void write_elements(File& file, Address dataset, const Transfer& transfer, const std::byte* memory) {
  check_counts(transfer);
  const auto messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  auto conversion = type::prepare(transfer.memory_type, parts.type, transfer.rules);
  if (parts.space.kind == format::DataspaceKind::null || transfer.file_elements.elements() == 0) return;
  if (parts.layout.layout == format::LayoutClass::virtual_dataset)
    throw Error(ErrorKind::not_found, "a virtual dataset has taken its place meanwhile");
  check_extent(transfer, parts);
  if (parts.layout.in_chunks()) return write_chunks(file, dataset, transfer, parts, *conversion, memory);
  const bool fresh = parts.layout.layout == format::LayoutClass::contiguous && parts.external.empty() &&
                     !is_valid(parts.layout.address);
  const type::Conversion::Traits& traits = conversion->traits();
  const bool covers_all = transfer.file_elements.is_set() &&
                          transfer.file_elements.elements() == parts.elements && !traits.uses_files &&
                          !traits.partial;
  const auto data = open_for_writing(file, dataset, parts, covers_all);
  // A conversion that does not use the heap leaves all references unchanged.
  const bool replaces = !fresh && traits.uses_files && type::has_variable_parts(parts.type);
  const Plan plan = plan_writing(replaces, traits, file.access().transfer_buffer_bytes);
  try {
    Job(file, transfer, parts, std::move(conversion), plan).write(*data, memory, replaces);
  } catch (...) {
    data->abandon();
    throw;
  }
}

void write_selected(File& file, Address dataset, std::uint64_t count,
                    FunctionRef<bool(FunctionRef<bool(const Transfer&)>)> with_transfer,
                    const std::byte* memory) {
  const bool shared = count >= least_shared_elements || is_virtual(file, dataset);
  const auto write_shared = [&](const Transfer& transfer) {
    return write_elements_shared(file, dataset, transfer, memory);
  };
  if (shared && with_transfer(write_shared)) return;
  const Change change(file, "write a dataset");
  with_transfer([&](const Transfer& transfer) {
    write_elements(file, dataset, transfer, memory);
    return true;
  });
}

namespace {

bool is_sparse(const DatasetMessages& parts) {
  return parts.layout.layout == format::LayoutClass::structured && parts.layout.composition.sparse();
}

}  // namespace

space::Selection defined_elements(File& file, Address dataset, const space::Selection& selection) {
  const auto messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  if (!is_sparse(parts)) return selection;
  return chunk::DefinedQuery(*file.chunks().open(file, dataset, parts)).find(selection);
}

space::Selection read_defined(File& file, Address dataset, const space::Selection& selection,
                              const format::DatatypeMessage& memory_type,
                              FunctionRef<std::byte*(std::uint64_t)> allocate) {
  const auto check_plausible = [&](std::uint64_t elements) {
    require_data(file, dataset, elements, memory_type.size);
  };
  const auto messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  if (is_sparse(parts)) {
    const auto conversion = type::prepare(parts.type, memory_type, type::Rules::natural);
    const auto table = file.chunks().open(file, dataset, parts);
    const chunk::DefinedQuery query(*table);
    if (!conversion->traits().uses_files && query.reads_values(selection))
      return query.read(selection, {*conversion, {}, nullptr, memory_type.size}, check_plausible, allocate);
  }
  auto elements = defined_elements(file, dataset, selection);
  check_plausible(elements.elements());
  std::byte* const memory = allocate(elements.elements());
  const auto all = space::Selection::all(space::Frame({elements.elements()}));
  read_elements(file, dataset, {elements, all, memory_type}, memory);
  return elements;
}

void erase_elements(File& file, Address dataset, const space::Selection& selection) {
  const auto messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  if (!is_sparse(parts))
    throw Error(ErrorKind::unsupported, "only elements of sparse datasets can be erased; this one is dense");
  chunk::Eraser(*file.chunks().open(file, dataset, parts)).erase(selection);
}

void require_data(File& file, Address dataset, std::uint64_t elements, std::uint64_t memory_bytes) {
  const auto messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  const std::uint64_t bytes = checked_multiply(elements, parts.type.size, "the size of the selected data");
  if (parts.layout.layout == format::LayoutClass::contiguous && is_valid(parts.layout.address)) {
    const std::uint64_t held = file.store().available(parts.layout.address);
    if (bytes <= held) return;
    throw Error(ErrorKind::truncated, fmt::format("its data at {} needs {} bytes, the file holds {} there",
                                                  to_string(parts.layout.address), bytes, held));
  }
  std::uint64_t warranted = most_unwritten_bytes;
  if (parts.layout.in_chunks()) {
    const std::uint64_t unpacked =
        try_multiply(file.store().file_bytes(), most_packing).value_or(~std::uint64_t{0} - warranted);
    warranted = try_add(unpacked, warranted).value_or(~std::uint64_t{0});
  }
  const std::uint64_t wanted =
      std::max(bytes, checked_multiply(elements, memory_bytes, "the size of the selected data in memory"));
  if (parts.layout.layout == format::LayoutClass::virtual_dataset && wanted > warranted) {
    const auto unpacked = try_multiply(source_file_bytes(file, dataset, parts), most_packing);
    warranted = try_add(unpacked.value_or(~std::uint64_t{0}), warranted).value_or(~std::uint64_t{0});
  }
  for (const ExternalSegment& segment : parts.external) {
    std::error_code failure;
    const auto held = std::filesystem::file_size(external_path(file, dataset, segment.path), failure);
    if (!failure) warranted = try_add(warranted, held).value_or(~std::uint64_t{0});
  }
  if (wanted > warranted) {
    throw Error(ErrorKind::limit,
                fmt::format("{} bytes are asked for, but no more than {} can be in the file: "
                            "read it in parts, or into memory of your own",
                            wanted, warranted));
  }
}

}  // namespace filigree::model
