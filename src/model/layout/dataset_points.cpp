// SPDX-License-Identifier: Apache-2.0
#include "model/layout/dataset_points.hpp"

#include <algorithm>

#include "chunk/table/chunk_store.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "space/bulk.hpp"
#include "store/file_store.hpp"
#include "type/conversion.hpp"

namespace filigree::model {
namespace {

/// The chunks of a sparse dataset whose elements can be taken one by one; else null.
std::shared_ptr<chunk::ChunkStore> point_chunks(File& file, Address dataset, const DatasetParts& parts) {
  if (parts.layout.layout != format::LayoutClass::structured || !parts.layout.composition.sparse())
    return nullptr;
  auto chunks = file.chunks().open(file, dataset, parts);
  return chunks->knows_points() ? chunks : nullptr;
}

}  // namespace

std::uint64_t read_defined_points(File& file, Address dataset, const space::Selection& selection,
                                  const format::DatatypeMessage& memory_type,
                                  FunctionRef<PointRoom(std::uint64_t)> room) {
  const DatasetParts parts = load_dataset(file, dataset);
  if (selection.kind() == space::Selection::Kind::all) {
    const auto chunks = point_chunks(file, dataset, parts);
    const auto conversion = type::prepare(parts.type, memory_type, type::Rules::natural);
    if (chunks && !conversion->traits().uses_files) {
      const auto warrant = [&](std::uint64_t elements) {
        require_data(file, dataset, elements, memory_type.size);
      };
      const auto found = chunks->read_points({*conversion, {}, nullptr, memory_type.size}, warrant,
                                             [&](std::uint64_t elements) {
                                               const PointRoom given = room(elements);
                                               return chunk::ChunkStore::Room{given.places, given.values};
                                             });
      if (found) return *found;
    }
  }
  PointRoom given;
  const auto found = read_defined(file, dataset, selection, memory_type, [&](std::uint64_t elements) {
    given = room(elements);
    return given.values;
  });
  const auto places = space::to_offsets(found);
  std::ranges::copy(places, given.places);
  return places.size();
}

bool write_points_beside(File& file, Address dataset, std::span<const std::uint64_t> places,
                         space::Run covered, const format::DatatypeMessage& memory_type,
                         const std::byte* memory) {
  file.store().require_writable("write a dataset");
  const DatasetParts parts = load_dataset(file, dataset);
  const auto chunks = point_chunks(file, dataset, parts);
  const auto conversion = type::prepare(memory_type, parts.type, type::Rules::natural);
  const type::Conversion::Traits& traits = conversion->traits();
  if (!chunks || traits.uses_files || traits.partial || chunks->grid().extent().dims() != parts.space.dims)
    return false;
  const auto alone = [&](FunctionRef<void()> work) {
    return change_chunks(file, dataset, chunks, parts.space.dims, work);
  };
  const auto tidy = [&](FunctionRef<void()> work) { tidy_chunks(file, work); };
  const type::Context context;
  return chunks->write_points(places, covered,
                              {*conversion, context, const_cast<std::byte*>(memory), memory_type.size},
                              {alone, tidy});
}

}  // namespace filigree::model
