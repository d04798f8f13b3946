// SPDX-License-Identifier: Apache-2.0
//
// Datatypes: arrays, complex numbers and variable-length sequences.
#include <algorithm>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "capi/H5T/type_tools.hpp"

namespace filigree::capi {

using format::TypeClass;

namespace {

DatatypeMessage new_array(hid_t base_id, unsigned rank, const hsize_t* dims) {
  if (rank < 1 || rank > H5S_MAX_RANK)
    bad_value(fmt::format("an array has 1 to {} dimensions", H5S_MAX_RANK));
  required(dims, "dims");
  DatatypeMessage message;
  message.version = 2;
  message.type_class = TypeClass::array;
  for (unsigned i = 0; i < rank; ++i) {
    if (dims[i] == 0) bad_value(fmt::format("dimension {} has to be positive", i));
    if (dims[i] > 0xffffffffu) bad_value(fmt::format("dimension {} is too large", i));
    message.dims.push_back(static_cast<std::uint32_t>(dims[i]));
  }
  const DatatypeMessage base = *get_type(base_id)->value.get();
  std::uint64_t bytes = base.size;
  for (const std::uint32_t extent : message.dims)
    bytes = checked_multiply(bytes, extent, "the bytes of an array");
  message.size = element_size(bytes);
  message.base.push_back(base);
  return message;
}

DatatypeMessage new_complex(const DatatypeMessage& part) {
  if (part.type_class != TypeClass::floating_point)
    throw NestedFailure(type_bad_value(), "the parts of a complex number are floating-point numbers");
  DatatypeMessage message;
  message.version = 5;
  message.type_class = TypeClass::complex;
  message.size = element_size(2 * std::size_t{part.size});
  message.base.push_back(part);
  return message;
}

std::shared_ptr<const DatatypeMessage> get_array(hid_t id) {
  auto message = get_type(id)->value.get();
  if (message->type_class != TypeClass::array) bad_type("not an array datatype");
  return message;
}

int store_dims(const DatatypeMessage& array, hsize_t* dims) {
  if (dims != nullptr) std::ranges::copy(array.dims, dims);
  return static_cast<int>(array.dims.size());
}

}  // namespace
}  // namespace filigree::capi

using namespace filigree::capi;

hid_t H5Tarray_create2(hid_t base_id, unsigned ndims, const hsize_t* dim) {
  return api_call({"H5Tarray_create2", type_cant_init(), "unable to create the array"}, [&] {
    if (ndims < 1 || ndims > H5S_MAX_RANK) bad_value("the number of dimensions is out of range");
    required(dim, "dim");
    return add_type(new_array(base_id, ndims, dim));
  });
}

hid_t H5Tarray_create1(hid_t base_id, int ndims, const hsize_t* dim, const int*) {
  return api_call({"H5Tarray_create1", type_cant_init(), "unable to create the array"}, [&] {
    if (ndims < 1) bad_value("the number of dimensions is out of range");
    return add_type(new_array(base_id, static_cast<unsigned>(ndims), dim));
  });
}

int H5Tget_array_ndims(hid_t type_id) {
  return api_call({"H5Tget_array_ndims", {&H5E_DATATYPE_g, &H5E_CANTGET_g}, "unable to get the dimensions"},
                  [&] { return static_cast<int>(get_array(type_id)->dims.size()); });
}

int H5Tget_array_dims2(hid_t type_id, hsize_t* dims) {
  return api_call({"H5Tget_array_dims2", {&H5E_DATATYPE_g, &H5E_CANTGET_g}, "unable to get the dimensions"},
                  [&] { return store_dims(*get_array(type_id), dims); });
}

int H5Tget_array_dims1(hid_t type_id, hsize_t* dims, int*) {
  return api_call({"H5Tget_array_dims1", {&H5E_DATATYPE_g, &H5E_CANTGET_g}, "unable to get the dimensions"},
                  [&] { return store_dims(*get_array(type_id), dims); });
}

hid_t H5Tcomplex_create(hid_t base_type_id) {
  return api_call({"H5Tcomplex_create", type_cant_init(), "unable to create the complex number"}, [&] {
    const auto part = get_type(base_type_id)->value.get();
    return add_type(new_complex(*part));
  });
}

hid_t H5Tvlen_create(hid_t base_id) {
  return api_call({"H5Tvlen_create", type_cant_init(), "unable to create the sequence"}, [&] {
    DatatypeMessage message;
    message.type_class = filigree::format::TypeClass::variable_length;
    const auto base = get_type(base_id)->value.get();
    message.base.emplace_back();
    message = memory_form(message);
    message.base.front() = *base;  // already in memory form, with its members in their order
    return add_type(std::move(message));
  });
}
