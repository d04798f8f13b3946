// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/several_io.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "api/type_access.hpp"
#include "capi/H5R/references.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {
namespace {

/// Of packed values that share requests.
constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

template <class Memory, class Packed>
struct Prepared {
  const PartOfCall<Memory>* part;
  std::unique_ptr<Packed> packed;  ///< null: the memory of the program is transferred

  std::uint64_t bytes() const { return packed == nullptr ? 0 : packed->bytes(); }
  /// Returns the file whose references are transferred, or null.
  std::shared_ptr<OpenFile> home() const {
    const auto& type = api::TypeAccess::impl(part->elements.memory_type).message;
    return type::has_references(type) || bytes() == unknown_bytes ? part->handle->open() : nullptr;
  }
};
using PreparedRead = Prepared<void, PackedRead>;
using PreparedWrite = Prepared<const void, PackedWrite>;

template <class Request, class Memory>
Request request_of(const PartOfCall<Memory>& part) {
  const TransferredElements<Memory>& elements = part.elements;
  return {elements.dataset, elements.memory_type, elements.memory,
          part.capacity,    elements.selection,   elements.options};
}

/// Whether a write may change elements of the dataset of the other one.
bool may_overlap(const DatasetHandle& one, const DatasetHandle& other) {
  if (one.is_virtual || other.is_virtual) return true;
  return one.dataset.address() == other.dataset.address() && one.open()->shared == other.open()->shared;
}

bool is_ordered(const PreparedRead&, std::span<const PreparedRead>) { return true; }

/// Whether the old values of a write may be read before the writes in front of it.
bool is_ordered(const PreparedWrite& write, std::span<const PreparedWrite> before) {
  return write.packed == nullptr || !write.packed->keeps_background() ||
         std::ranges::none_of(before, [&](const PreparedWrite& other) {
           return may_overlap(*write.part->handle, *other.part->handle);
         });
}

/// Transfers that share requests.
template <class Memory, class Packed>
class Batch {
 public:
  /// Returns false if the transfers so far must be done before this one.
  bool add(Prepared<Memory, Packed>& next) {
    // All processes divide a collective call in the same way, whatever the number of their elements.
    const std::uint64_t bytes = next.part->elements.options.collective ? 0 : next.bytes();
    auto home = next.home();
    const bool same_home = home == nullptr || home_ == nullptr || home == home_;
    if (!transfers.empty() && (bytes > bytes_left_ || !same_home || !is_ordered(next, transfers)))
      return false;
    bytes_left_ -= std::min(bytes, bytes_left_);
    if (home != nullptr) home_ = std::move(home);
    transfers.push_back(std::move(next));
    return true;
  }
  const std::shared_ptr<OpenFile>& home() const { return home_; }

  std::vector<Prepared<Memory, Packed>> transfers;

 private:
  std::uint64_t bytes_left_ = most_bytes;
  std::shared_ptr<OpenFile> home_;
};

/// Divides a call into batches. Calls `transfer(batch)` for each.
template <class Packed, class Memory, class Prepare, class Transfer>
void divide(std::span<const PartOfCall<Memory>> parts, Prepare prepare, Transfer transfer) {
  Batch<Memory, Packed> batch;
  for (const PartOfCall<Memory>& part : parts) {
    Prepared<Memory, Packed> next{&part, prepare(part.elements)};
    if (batch.add(next)) continue;
    transfer(batch);
    batch = {};
    batch.add(next);
  }
  transfer(batch);
}

void read_batch(const Batch<void, PackedRead>& batch) {
  const ReferenceFileScope home(batch.home());
  std::vector<DatasetRead> requests;
  for (const auto& [part, packed] : batch.transfers)
    requests.push_back(packed == nullptr ? request_of<DatasetRead>(*part) : packed->request());
  Dataset::read_several(requests);
  for (const auto& [part, packed] : batch.transfers)
    if (packed != nullptr) packed->finish();
}

void read_backgrounds(const Batch<const void, PackedWrite>& batch) {
  std::vector<DatasetRead> requests;
  for (const auto& [part, packed] : batch.transfers)
    if (auto request = packed == nullptr ? std::nullopt : packed->background())
      requests.push_back(std::move(*request));
  Dataset::read_several(requests);
}

void write_batch(const Batch<const void, PackedWrite>& batch) {
  const ReferenceFileScope home(batch.home());
  read_backgrounds(batch);
  std::vector<DatasetWrite> requests;
  for (const auto& [part, packed] : batch.transfers)
    requests.push_back(packed == nullptr ? request_of<DatasetWrite>(*part) : packed->request());
  Dataset::write_several(requests);
}

}  // namespace

void read_parts(std::span<const PartOfCall<void>> parts) {
  divide<PackedRead>(parts, packed_read, read_batch);
}

void write_parts(std::span<const PartOfCall<const void>> parts) {
  divide<PackedWrite>(parts, packed_write, write_batch);
}

}  // namespace filigree::capi
