// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/transformed_io.hpp"

#include <vector>

#include "api/type_access.hpp"
#include "capi/H5D/packed_values.hpp"
#include "capi/H5Z/data_transform.hpp"

namespace filigree::capi {

void read_transformed(const Dataset& dataset, const Datatype& type, void* memory, std::uint64_t elements,
                      const Selection& selection, const TransferOptions& options,
                      const std::string& expression) {
  std::vector<std::byte> values = buffer_for(type.size(), elements);
  dataset.read_elements(type, values.data(), elements, selection, packed(options));
  DataTransform::parse(expression).apply(values.data(), api::TypeAccess::impl(type).message, elements);
  scatter(values, memory, type.size(), options, elements);
}

void write_transformed(Dataset dataset, const Datatype& type, const void* memory, std::uint64_t elements,
                       const Selection& selection, const TransferOptions& options,
                       const std::string& expression) {
  std::vector<std::byte> values = gather(memory, type.size(), options, elements);
  DataTransform::parse(expression).apply(values.data(), api::TypeAccess::impl(type).message, elements);
  dataset.write_elements(type, values.data(), elements, selection, packed(options));
}

}  // namespace filigree::capi
