// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/small_read.hpp"

#include <array>
#include <cstring>

#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

void SmallConversion::apply(const std::byte* stored, std::byte* memory) const {
  const type::Conversion::Traits& traits = conversion->traits();
  if (traits.copies) {
    std::memcpy(memory, stored, count * traits.from_bytes);
  } else {
    conversion->apply({stored, traits.from_bytes, memory, traits.to_bytes, count}, {});
  }
}

std::optional<SmallConversion> prepare_small(const format::DatatypeMessage& from,
                                             const format::DatatypeMessage& to, std::uint64_t count) {
  if (count == 0 || from.size == 0 || count > SmallConversion::most_bytes / from.size) return std::nullopt;
  if (has_heap_values(from) || has_references(from)) return std::nullopt;
  auto conversion = type::prepare(from, to, type::Rules::hdf5);
  if (conversion->traits().uses_files) return std::nullopt;
  return SmallConversion{nullptr, std::move(conversion), static_cast<std::size_t>(count)};
}

std::optional<SmallRead> prepare_small_read(const Dataset& dataset,
                                            const format::DatatypeMessage& memory_type) {
  auto messages = load_messages(dataset.file(), dataset.header());
  if (messages->space.kind == format::DataspaceKind::null) return std::nullopt;
  const auto stored = layout_of(*messages).stored_elements(*messages);
  if (!stored) return std::nullopt;
  auto conversion = prepare_small(messages->type, memory_type, messages->elements);
  if (!conversion) return std::nullopt;
  return SmallRead{*std::move(conversion), std::move(messages), *stored};
}

bool read_small(const Dataset& dataset, const SmallRead& read, std::byte* memory) {
  const Address at = read.stored.address;
  if (!is_valid(at)) {
    read.apply(read.stored.in_header.data(), memory);
    return true;
  }
  const store::FileStore& store = dataset.file().store();
  const std::size_t bytes = read.count * read.messages->type.size;
  if (read.conversion->traits().copies) return store.read_small(at, {memory, bytes});
  std::array<std::byte, SmallConversion::most_bytes> stored;
  if (!store.read_small(at, std::span(stored).first(bytes))) return false;
  read.apply(stored.data(), memory);
  return true;
}

}  // namespace filigree::model
