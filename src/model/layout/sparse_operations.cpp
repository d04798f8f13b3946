// SPDX-License-Identifier: Apache-2.0
#include "model/layout/sparse_operations.hpp"

#include "base/immortal.hpp"
#include "chunk/sparse/defined_query.hpp"
#include "chunk/sparse/eraser.hpp"
#include "chunk/sparse/offset_writer.hpp"
#include "chunk/table/chunk_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/layout/layout.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

const SparseOperations& sparse_operations() {
  static const Immortal<SparseOperations> operations;
  return *operations;
}

space::Selection SparseOperations::defined(const Dataset& dataset, const space::Selection& selection) const {
  return chunk::DefinedQuery(*dataset.layout().open_chunks(dataset)).find(selection);
}

std::uint64_t SparseOperations::defined_count(const Dataset& dataset,
                                              const space::Selection& selection) const {
  return chunk::DefinedQuery(*dataset.layout().open_chunks(dataset)).count(selection);
}

std::uint64_t SparseOperations::count_chunks_from_hdf5(const Dataset& dataset) const {
  return chunk::DefinedQuery(*dataset.layout().open_chunks(dataset)).count_chunks_from_hdf5();
}

std::optional<space::Selection> SparseOperations::read_defined(
    const Dataset& dataset, const space::Selection& selection, const format::DatatypeMessage& memory_type,
    FunctionRef<std::byte*(std::uint64_t)> allocate) const {
  const auto conversion = type::prepare(dataset.messages().type, memory_type, type::Rules::natural);
  const auto table = dataset.layout().open_chunks(dataset);
  if (conversion->traits().uses_files) return std::nullopt;
  const auto check_plausible = [&](std::uint64_t elements) {
    dataset.require_data(elements, memory_type.size);
  };
  const type::Context context;
  return chunk::DefinedQuery(*table).read(selection, {*conversion, context, nullptr, memory_type.size},
                                          check_plausible, allocate);
}

std::optional<std::uint64_t> SparseOperations::read_offsets(
    const Dataset& dataset, const space::Selection& selection, const format::DatatypeMessage& memory_type,
    const chunk::IndexFormat& indices, FunctionRef<chunk::OffsetBuffers(std::uint64_t)> allocate) const {
  const auto table = dataset.layout().open_chunks(dataset);
  const auto conversion = type::prepare(dataset.messages().type, memory_type, type::Rules::natural);
  if (conversion->traits().uses_files) return std::nullopt;
  const auto check_plausible = [&](std::uint64_t elements) {
    dataset.require_data(elements, memory_type.size);
  };
  const type::Context context;
  return chunk::OffsetReader(*table, indices)
      .read(selection, {*conversion, context, nullptr, memory_type.size}, check_plausible, allocate);
}

bool SparseOperations::write_offsets(const Dataset& dataset, std::span<const std::uint64_t> offsets,
                                     space::Run covered, const format::DatatypeMessage& memory_type,
                                     const std::byte* memory) const {
  const DatasetMessages& messages = dataset.messages();
  const auto table = dataset.layout().open_chunks(dataset);
  const auto conversion = type::prepare(memory_type, messages.type, type::Rules::natural);
  const type::Conversion::Traits& traits = conversion->traits();
  const bool fits = table->format().offset_codec() != nullptr && !traits.uses_files && !traits.partial;
  if (!fits || table->geometry().dims() != messages.space.dims) return false;
  DatasetExclusiveAccess access(dataset, table);
  const type::Context context;
  const chunk::Values values{*conversion, context, const_cast<std::byte*>(memory), memory_type.size};
  return chunk::OffsetWriter(*table).write(offsets, covered, values, access);
}

void SparseOperations::erase(const Dataset& dataset, const space::Selection& selection) const {
  const auto table = dataset.layout().open_chunks(dataset);
  chunk::Eraser(*table).erase(selection);
  if (dataset.excerpt() != nullptr) table->flush();
}

}  // namespace filigree::model
