// SPDX-License-Identifier: Apache-2.0
#include "model/layout/sparse_layout.hpp"

#include "base/immortal.hpp"
#include "chunk/sparse/defined_query.hpp"
#include "chunk/sparse/eraser.hpp"
#include "chunk/sparse/offset_writer.hpp"
#include "chunk/table/chunk_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

const Layout& sparse_layout() {
  static const Immortal<SparseLayout> layout;
  return *layout;
}

space::Selection SparseLayout::defined(const Dataset& dataset, const space::Selection& selection) const {
  return chunk::DefinedQuery(*open_chunks(dataset)).find(selection);
}

std::uint64_t SparseLayout::defined_count(const Dataset& dataset, const space::Selection& selection) const {
  return chunk::DefinedQuery(*open_chunks(dataset)).count(selection);
}

std::optional<space::Selection> SparseLayout::read_defined(
    const Dataset& dataset, const space::Selection& selection, const format::DatatypeMessage& memory_type,
    FunctionRef<std::byte*(std::uint64_t)> allocate) const {
  const auto conversion = type::prepare(dataset.messages().type, memory_type, type::Rules::natural);
  const auto table = open_chunks(dataset);
  if (conversion->traits().uses_files) return std::nullopt;
  const auto check_plausible = [&](std::uint64_t elements) {
    require_data(dataset, elements, memory_type.size);
  };
  const type::Context context;
  return chunk::DefinedQuery(*table).read(selection, {*conversion, context, nullptr, memory_type.size},
                                          check_plausible, allocate);
}

std::optional<std::uint64_t> SparseLayout::read_offsets(
    const Dataset& dataset, const space::Selection& selection, const format::DatatypeMessage& memory_type,
    const chunk::IndexFormat& indices, FunctionRef<chunk::OffsetBuffers(std::uint64_t)> allocate) const {
  const auto table = open_chunks(dataset);
  const auto conversion = type::prepare(dataset.messages().type, memory_type, type::Rules::natural);
  if (conversion->traits().uses_files) return std::nullopt;
  const auto check_plausible = [&](std::uint64_t elements) {
    require_data(dataset, elements, memory_type.size);
  };
  const type::Context context;
  return chunk::OffsetReader(*table, indices)
      .read(selection, {*conversion, context, nullptr, memory_type.size}, check_plausible, allocate);
}

bool SparseLayout::write_offsets(const Dataset& dataset, std::span<const std::uint64_t> offsets,
                                 space::Run covered, const format::DatatypeMessage& memory_type,
                                 const std::byte* memory) const {
  const DatasetMessages& messages = dataset.messages();
  const auto table = open_chunks(dataset);
  const auto conversion = type::prepare(memory_type, messages.type, type::Rules::natural);
  const type::Conversion::Traits& traits = conversion->traits();
  const bool fits = table->format().offset_codec() != nullptr && !traits.uses_files && !traits.partial;
  if (!fits || table->grid().extent().dims() != messages.space.dims) return false;
  DatasetExclusiveAccess access(dataset, table);
  const type::Context context;
  const chunk::Values values{*conversion, context, const_cast<std::byte*>(memory), memory_type.size};
  return chunk::OffsetWriter(*table).write(offsets, covered, values, access);
}

void SparseLayout::erase(const Dataset& dataset, const space::Selection& selection) const {
  chunk::Eraser(*open_chunks(dataset)).erase(selection);
}

}  // namespace filigree::model
