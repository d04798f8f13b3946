// SPDX-License-Identifier: Apache-2.0
#include <filigree/dataspace.hpp>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/type_access.hpp"
#include "base/checked.hpp"
#include "format/codec/fields.hpp"

namespace filigree {

static_assert(unlimited == format::unlimited);

Dataspace Dataspace::null() {
  Dataspace space;
  space.kind_ = Kind::null;
  return space;
}

Dataspace Dataspace::simple(std::vector<std::uint64_t> dims, std::vector<std::uint64_t> max_dims) {
  if (dims.empty()) return scalar();
  if (dims.size() > 32)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} dimensions are more than the 32 that a dataspace can have", dims.size()));
  if (max_dims.empty()) max_dims = dims;
  if (max_dims.size() != dims.size())
    throw Error(ErrorKind::invalid_argument, "there must be as many maxima as dimensions");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == unlimited)
      throw Error(ErrorKind::invalid_argument,
                  "a dimension must have a size; only its maximum can be unlimited");
    if (max_dims[i] < dims[i]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("dimension {} is {}, above its maximum {}", i, dims[i], max_dims[i]));
    }
  }
  Dataspace space;
  space.kind_ = Kind::simple;
  space.dims_ = std::move(dims);
  space.max_dims_ = std::move(max_dims);
  return space;
}

std::uint64_t Dataspace::elements() const {
  if (kind_ == Kind::null) return 0;
  std::uint64_t count = 1;
  for (const std::uint64_t dim : dims_) {
    if (dim == 0) return 0;
    count = checked_multiply(count, dim, "the number of elements");
  }
  return count;
}

std::string Dataspace::text() const {
  if (kind_ == Kind::null) return "{NULL}";
  if (kind_ == Kind::scalar) return "{SCALAR}";
  std::string text = "{";
  for (std::size_t i = 0; i < dims_.size(); ++i) {
    if (i > 0) text += ", ";
    text += fmt::format("{}", dims_[i]);
    if (max_dims_[i] == unlimited) {
      text += "/Inf";
    } else if (max_dims_[i] != dims_[i]) {
      text += fmt::format("/{}", max_dims_[i]);
    }
  }
  return text + "}";
}

namespace api {

Dataspace to_public(const format::DataspaceMessage& space) {
  switch (space.kind) {
    case format::DataspaceKind::scalar:
      return Dataspace::scalar();
    case format::DataspaceKind::null:
      return Dataspace::null();
    case format::DataspaceKind::simple:
      return Dataspace::simple(space.dims, space.max_dims.value_or(space.dims));
  }
  return {};
}

format::DataspaceMessage to_message(const Dataspace& space) {
  format::DataspaceMessage message;
  message.kind = static_cast<format::DataspaceKind>(space.kind());
  message.dims = space.dims();
  if (space.kind() == Dataspace::Kind::simple) message.max_dims = space.max_dims();
  return message;
}

}  // namespace api
}  // namespace filigree
