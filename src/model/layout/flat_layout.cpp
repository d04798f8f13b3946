// SPDX-License-Identifier: Apache-2.0
#include "model/layout/flat_layout.hpp"

#include "model/dataset/dataset.hpp"
#include "model/layout/byte_transfer.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {

void FlatLayout::read(const Dataset& dataset, const Transfer& transfer,
                      const type::ConversionPointer& conversion, std::byte* memory) const {
  if (const auto data = open_for_reading(dataset)) read_bytes(dataset, transfer, conversion, *data, memory);
}

void FlatLayout::write(const Dataset& dataset, const Transfer& transfer,
                       const type::ConversionPointer& conversion, const std::byte* memory) const {
  const DatasetMessages& messages = dataset.messages();
  const type::Conversion::Traits& traits = conversion->traits();
  const bool covers_all = transfer.file_elements.is_set() &&
                          transfer.file_elements.elements() == messages.elements && !traits.uses_files &&
                          !traits.partial;
  // A conversion that does not use the heap leaves all references unchanged.
  const bool replaces = has_storage(dataset) && traits.uses_files && type::has_variable_parts(messages.type);
  const auto data = open_for_writing(dataset, covers_all);
  write_bytes(dataset, transfer, conversion, *data, memory, replaces);
}

}  // namespace filigree::model
