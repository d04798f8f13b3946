// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/small_write.hpp"

#include <array>
#include <cstring>

#include <filigree/error.hpp>

#include "model/dataset/dataset.hpp"
#include "model/dataset/small_read.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/contiguous_layout.hpp"
#include "model/layout/layout.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

/// Returns how the elements become stored ones, or nothing for datasets that need the general path.
std::optional<SmallConversion> prepare_small_write(const Dataset& dataset,
                                                   const format::DatatypeMessage& memory_type) {
  const DatasetMessages& messages = dataset.messages();
  const bool fits = layout_of(messages).is_one_block() &&
                    messages.space.kind != format::DataspaceKind::null &&
                    messages.data_bytes <= SmallConversion::most_bytes;
  if (!fits || has_heap_values(messages.type) || has_references(messages.type) ||
      dataset.file().store().accepts_selections())
    return std::nullopt;
  auto conversion = prepare_small(memory_type, messages.type, messages.elements);
  if (conversion && conversion->conversion->traits().partial) return std::nullopt;
  return conversion;
}

/// Writes the bytes of all elements. If this fails, they read as what is in the file. New elements may be
/// gathered: before a flush, nothing in the file refers to them. Others are written at once, as programs
/// expect that survive a crash.
void put(const Dataset& dataset, Bytes elements) {
  store::FileStore& store = dataset.file().store();
  const Address before = dataset.messages().layout.address;
  if (is_valid(before)) return store.write(before, elements);
  const Address at = allocate_contiguous(dataset, true).address;
  try {
    store.write_small(at, elements);
  } catch (...) {
    try {
      store.reach(to_number(at) + elements.size());
    } catch (const Error&) {  // the first failure says more
    }
    throw;
  }
}

}  // namespace

bool write_small(const Dataset& dataset, const format::DatatypeMessage& memory_type,
                 const std::byte* memory) {
  const auto conversion = prepare_small_write(dataset, memory_type);
  if (!conversion) return false;
  const Change change(dataset.file(), "write a dataset");
  const std::uint64_t bytes = dataset.messages().data_bytes;
  if (conversion->conversion->traits().copies) {
    put(dataset, {memory, bytes});
    return true;
  }
  std::array<std::byte, SmallConversion::most_bytes> stored;
  std::memset(stored.data(), 0, bytes);  // padding in compounds is zero
  conversion->apply(memory, stored.data());
  put(dataset, Bytes(stored).first(bytes));
  return true;
}

}  // namespace filigree::model
