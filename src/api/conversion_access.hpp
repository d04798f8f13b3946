// SPDX-License-Identifier: Apache-2.0
//
// How the API's choices for conversions reach the engine.
#pragma once

#include <filigree/datatype.hpp>

#include "model/attribute/attribute_io.hpp"
#include "type/conversion.hpp"

namespace filigree::api {

/// The choices of a call, kept while it goes on.
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
