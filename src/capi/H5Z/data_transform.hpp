// SPDX-License-Identifier: Apache-2.0
//
// Data transforms: arithmetic on the values of a transfer (H5Pset_data_transform).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "format/messages/datatype.hpp"

namespace filigree::capi {

/// An expression of numbers, + - * /, parentheses, and a variable (any letter or word) for the value.
/// *Thread safety*: immutable.
class DataTransform {
 public:
  /// *Throws* Error(invalid_argument) with the position of the error.
  static DataTransform parse(std::string_view expression);
  /// Transforms `count` packed values of `type`, an integer or floating-point type in native byte order.
  /// As in HDF5, each step follows C's arithmetic and yields a value of the type: for integers, x*0.5*2 is
  /// not x.
  /// *Throws* Error(unsupported) for other types.
  void apply(void* values, const format::DatatypeMessage& type, std::size_t count) const;

  struct Node;

 private:
  explicit DataTransform(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace filigree::capi
