// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/packed_values.hpp"

#include <cstring>

#include "base/checked.hpp"

namespace filigree::capi {
namespace {

/// Returns where the elements of a transfer are in memory, in the order of the transfer.
std::vector<Selection::Run> memory_runs(const TransferOptions& options, std::uint64_t elements) {
  if (!options.memory) return {{0, elements}};
  const Selection selection = options.memory->selection.within(options.memory->dims);
  if (selection.kind() != Selection::Kind::points) return selection.runs();
  std::vector<Selection::Run> single;
  for (const std::uint64_t offset : selection.offsets()) single.push_back({offset, 1});
  return single;
}

}  // namespace

TransferOptions packed(TransferOptions options) {
  options.memory.reset();
  return options;
}

std::vector<std::byte> buffer_for(std::size_t element_bytes, std::uint64_t elements) {
  return std::vector<std::byte>(checked_multiply(elements, element_bytes, "the elements of a transfer"));
}

std::vector<std::byte> gather(const void* memory, std::size_t element_bytes, const TransferOptions& options,
                              std::uint64_t elements) {
  std::vector<std::byte> values = buffer_for(element_bytes, elements);
  std::byte* to = values.data();
  for (const Selection::Run& run : memory_runs(options, elements)) {
    std::memcpy(to, static_cast<const std::byte*>(memory) + run.start * element_bytes,
                run.length * element_bytes);
    to += run.length * element_bytes;
  }
  return values;
}

void scatter(const std::vector<std::byte>& values, void* memory, std::size_t element_bytes,
             const TransferOptions& options, std::uint64_t elements) {
  const std::byte* from = values.data();
  for (const Selection::Run& run : memory_runs(options, elements)) {
    std::memcpy(static_cast<std::byte*>(memory) + run.start * element_bytes, from,
                run.length * element_bytes);
    from += run.length * element_bytes;
  }
}

}  // namespace filigree::capi
