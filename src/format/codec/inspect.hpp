// SPDX-License-Identifier: Apache-2.0
//
// Decoding that keeps every field as text, and what was decoded before a fault. Like codec.hpp, the template
// is instantiated beside each description.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// A field as it is in the bytes.
struct InspectedField {
  std::uint64_t offset = 0;  ///< from the start of the structure
  std::uint64_t bytes = 0;
  std::string name, value;
};

struct Inspection {
  std::vector<InspectedField> fields;  ///< up to the fault, if there is one
  std::string fault;                   ///< empty if all fields are valid
};

/// Reads `model` as decode() does, and returns the fields. Never throws for a fault of the bytes. Of
/// structures with very many fields only the first ones are returned; a last field without bytes says so.
template <class T>
Inspection inspect(T& model, Bytes bytes, const Widths& widths);

}  // namespace filigree::format
