// SPDX-License-Identifier: Apache-2.0
#include "model/layout/dataset_offsets.hpp"

#include <algorithm>

#include "chunk/sparse/offset_writer.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "space/bulk.hpp"
#include "store/file_store.hpp"
#include "type/conversion.hpp"

namespace filigree::model {
namespace {

/// Returns the table of a sparse dataset if its chunk format has an offset codec; null otherwise.
std::shared_ptr<chunk::ChunkTable> offset_table(File& file, Address dataset, const DatasetMessages& parts) {
  if (parts.layout.layout != format::LayoutClass::structured || !parts.layout.composition.sparse())
    return nullptr;
  auto table = file.chunks().open(file, dataset, parts);
  return table->format().offset_codec() != nullptr ? table : nullptr;
}

}  // namespace

std::uint64_t read_defined_offsets(File& file, Address dataset, const space::Selection& selection,
                                   const format::DatatypeMessage& memory_type,
                                   FunctionRef<OffsetBuffers(std::uint64_t)> allocate) {
  const auto messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  if (selection.kind() == space::Selection::Kind::all) {
    const auto table = offset_table(file, dataset, parts);
    const auto conversion = type::prepare(parts.type, memory_type, type::Rules::natural);
    if (table && !conversion->traits().uses_files) {
      const auto check_plausible = [&](std::uint64_t elements) {
        require_data(file, dataset, elements, memory_type.size);
      };
      const auto found = chunk::OffsetReader(*table).read({*conversion, {}, nullptr, memory_type.size},
                                                          check_plausible, allocate);
      if (found) return *found;
    }
  }
  OffsetBuffers buffers;
  const auto found = read_defined(file, dataset, selection, memory_type, [&](std::uint64_t elements) {
    buffers = allocate(elements);
    return buffers.values;
  });
  const auto offsets = space::to_offsets(found);
  std::ranges::copy(offsets, buffers.offsets);
  return offsets.size();
}

bool write_offsets_shared(File& file, Address dataset, std::span<const std::uint64_t> offsets,
                          space::Run covered, const format::DatatypeMessage& memory_type,
                          const std::byte* memory) {
  file.store().require_writable("write a dataset");
  const auto messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  const auto table = offset_table(file, dataset, parts);
  const auto conversion = type::prepare(memory_type, parts.type, type::Rules::natural);
  const type::Conversion::Traits& traits = conversion->traits();
  if (!table || traits.uses_files || traits.partial || table->grid().extent().dims() != parts.space.dims)
    return false;
  DatasetExclusiveAccess access(file, dataset, table, parts.space.dims);
  const type::Context context;
  const chunk::Values values{*conversion, context, const_cast<std::byte*>(memory), memory_type.size};
  return chunk::OffsetWriter(*table).write(offsets, covered, values, access);
}

}  // namespace filigree::model
