// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/packed_io.hpp"

#include <utility>

#include "capi/H5D/converted_io.hpp"
#include "capi/H5D/packed_values.hpp"
#include "capi/H5D/transformed_io.hpp"

namespace filigree::capi {
namespace {

template <class Request, class Memory, class Values>
Request make_request(const TransferredElements<Memory>& elements, Datatype type, Values* values) {
  return {elements.dataset, std::move(type),    values,
          elements.count,   elements.selection, packed(elements.options)};
}

}  // namespace

std::unique_ptr<PackedRead> packed_read(const TransferredElements<void>& elements) {
  return elements.settings.expression.empty() ? converted_read(elements) : transformed_read(elements);
}

std::unique_ptr<PackedWrite> packed_write(const TransferredElements<const void>& elements) {
  return elements.settings.expression.empty() ? converted_write(elements) : transformed_write(elements);
}

DatasetRead packed_request(const TransferredElements<void>& elements, Datatype type, void* values) {
  return make_request<DatasetRead>(elements, std::move(type), values);
}
DatasetRead packed_request(const TransferredElements<const void>& elements, Datatype type, void* values) {
  return make_request<DatasetRead>(elements, std::move(type), values);
}
DatasetWrite packed_request(const TransferredElements<const void>& elements, Datatype type,
                            const void* values) {
  return make_request<DatasetWrite>(elements, std::move(type), values);
}

}  // namespace filigree::capi
