// SPDX-License-Identifier: Apache-2.0
//
// Conversion options of the public interface in the terms of the model.
#pragma once

#include <filigree/datatype.hpp>

#include "model/attribute/attribute_io.hpp"
#include "type/conversion.hpp"

namespace filigree::api {

/// The conversion options of a call. They refer to the public options, which must outlive this object.
class Conversions {
 public:
  explicit Conversions(const ConversionOptions& options);
  Conversions(const Conversions&) = delete;
  Conversions& operator=(const Conversions&) = delete;
  const model::ConversionChoice& choice() const { return choice_; }

 private:
  type::FaultHandler handler_;
  model::ConversionChoice choice_;
};

}  // namespace filigree::api
