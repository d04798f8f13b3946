// SPDX-License-Identifier: Apache-2.0
#include "model/layout/byte_transfer.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/executor.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/data_bytes.hpp"
#include "model/layout/transfer_plan.hpp"
#include "space/point_order.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

/// Smaller transfers use one thread.
constexpr std::uint64_t least_parallel_bytes = 1u << 20;
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

/// One transfer, with the state that its batches share.
class ByteTransfer {
 public:
  ByteTransfer(const Dataset& dataset, const Transfer& transfer, type::ConversionPointer conversion,
               const Plan& plan)
      : file_(dataset.file()),
        transfer_(transfer),
        type_(dataset.messages().type),
        conversion_(std::move(conversion)),
        elements_(space::in_file_order(transfer.file_elements, transfer.memory_elements, plan.destination)),
        values_(file_, elements_.file.elements()),
        planner_({elements_.file, type_.size}, {elements_.memory, transfer.memory_type.size}, plan.direct,
                 plan.limits),
        batches_per_thread_(plan.batches_per_thread) {
    context_.on_fault = transfer.on_fault;
    context_.memory = transfer.memory;
  }

  void read(DataBytes& data, std::byte* memory) {
    context_.from_file = &values_;
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
    const std::uint64_t bytes = elements_.file.elements() * type_.size;
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
    const std::uint64_t element_bytes = type_.size;
    for (const auto& p : batch.direct) {
      std::byte* const elements = memory + p.memory;
      conversion_->apply({elements, element_bytes, elements, element_bytes, p.bytes / element_bytes},
                         context_);
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
    const bool holes =
        type_.type_class == format::TypeClass::compound || type_.type_class == format::TypeClass::array;
    std::vector<io::ReadExtent> extents;
    for (const auto& p : batch.staged) {
      const MutableBytes buffer = MutableBytes(staging).subspan(p.staged, p.bytes);
      if (p.gaps) {
        extents.push_back({p.offset, buffer});
      } else if (holes) {
        std::ranges::fill(buffer, std::byte{0});
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
        const Bytes element = old.subspan(at, type_.size);
        const Bytes successor = staging.subspan(at, type_.size);
        before.insert(before.end(), element.begin(), element.end());
        now.insert(now.end(), successor.begin(), successor.end());
      }
    }
    release_replaced_values(file_, type_, before, now);
  }

  File& file_;
  const Transfer& transfer_;
  const format::DatatypeMessage& type_;
  type::ConversionPointer conversion_;
  space::Matched elements_;
  HeapFileValues values_;
  TransferPlanner planner_;
  std::size_t batches_per_thread_;
  type::Context context_;
};

}  // namespace

void read_bytes(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
                DataBytes& data, std::byte* memory) {
  const std::uint64_t buffer_bytes = dataset.file().access().transfer_buffer_bytes;
  Plan plan = plan_reading(transfer, conversion->traits(), buffer_bytes);
  const DriverCapabilities& driver = dataset.file().store().file().capabilities();
  plan.limits.gap_bytes = std::min(plan.limits.gap_bytes, driver.coalescing.read_gap_bytes);
  ByteTransfer(dataset, transfer, conversion, plan).read(data, memory);
}

void write_bytes(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
                 DataBytes& data, const std::byte* memory, bool replaces) {
  const std::uint64_t buffer_bytes = dataset.file().access().transfer_buffer_bytes;
  Plan plan = plan_writing(replaces, conversion->traits(), buffer_bytes);
  const DriverCapabilities& driver = dataset.file().store().file().capabilities();
  plan.limits.gap_bytes = std::min(plan.limits.gap_bytes, driver.coalescing.write_gap_bytes);
  try {
    ByteTransfer(dataset, transfer, conversion, plan).write(data, memory, replaces);
  } catch (...) {
    data.abandon();
    throw;
  }
}

}  // namespace filigree::model
