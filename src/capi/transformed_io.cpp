// SPDX-License-Identifier: Apache-2.0
#include "capi/transformed_io.hpp"

#include <cstring>
#include <vector>

#include "api/type_access.hpp"
#include "base/checked.hpp"
#include "capi/data_transform.hpp"

namespace filigree::capi {
namespace {

/// Where the elements of a transfer stand in memory, in the order of the transfer.
std::vector<Selection::Run> places(const TransferOptions& options, std::uint64_t elements) {
  if (!options.memory) return {{0, elements}};
  const Selection chosen = options.memory->selection.within(options.memory->dims);
  if (chosen.kind() != Selection::Kind::points) return chosen.runs();
  std::vector<Selection::Run> single;
  for (const std::uint64_t offset : chosen.offsets()) single.push_back({offset, 1});
  return single;
}

TransferOptions packed(TransferOptions options) {
  options.memory.reset();
  return options;
}

std::vector<std::byte> room_for(const Datatype& type, std::uint64_t elements) {
  return std::vector<std::byte>(checked_multiply(elements, type.size(), "the elements of a transfer"));
}

}  // namespace

void read_transformed(const Dataset& dataset, const Datatype& type, void* memory, std::uint64_t elements,
                      const Selection& selection, const TransferOptions& options,
                      const std::string& expression) {
  std::vector<std::byte> values = room_for(type, elements);
  dataset.read_elements(type, values.data(), elements, selection, packed(options));
  DataTransform::parse(expression).apply(values.data(), api::TypeAccess::impl(type).message, elements);
  const std::byte* from = values.data();
  for (const Selection::Run& run : places(options, elements)) {
    std::memcpy(static_cast<std::byte*>(memory) + run.start * type.size(), from, run.length * type.size());
    from += run.length * type.size();
  }
}

void write_transformed(Dataset dataset, const Datatype& type, const void* memory, std::uint64_t elements,
                       const Selection& selection, const TransferOptions& options,
                       const std::string& expression) {
  std::vector<std::byte> values = room_for(type, elements);
  std::byte* to = values.data();
  for (const Selection::Run& run : places(options, elements)) {
    std::memcpy(to, static_cast<const std::byte*>(memory) + run.start * type.size(),
                run.length * type.size());
    to += run.length * type.size();
  }
  DataTransform::parse(expression).apply(values.data(), api::TypeAccess::impl(type).message, elements);
  dataset.write_elements(type, values.data(), elements, selection, packed(options));
}

}  // namespace filigree::capi
