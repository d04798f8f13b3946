// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on the values of a transfer (H5Pset_data_transform).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "format/messages/datatype.hpp"

namespace filigree::capi {

/// An expression of numbers, + - * /, parentheses, and a variable (any letter or word) that stands for the
/// value. Immutable.
class DataTransform {
 public:
  /// Throws Error(invalid_argument) that says where the text goes wrong.
  static DataTransform parse(std::string_view expression);
  /// Replaces each of `count` packed values of `type`, an integer or floating-point type of this machine's
  /// byte order. As stock does it, every step is one of C's arithmetic, and its result a value of the type:
  /// of integers, x*0.5*2 is not x. Throws Error(unsupported) for other types.
  void apply(void* values, const format::DatatypeMessage& type, std::size_t count) const;

  struct Node;

 private:
  explicit DataTransform(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace filigree::capi
