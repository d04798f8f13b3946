// SPDX-License-Identifier: Apache-2.0
//
// Conversion of attribute elements between file and memory.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "format/messages/datatype.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

class File;

/// The conversion options of a call.
struct ConversionChoice {
  type::Rules rules = type::Rules::natural;
  const type::FaultHandler* on_fault = nullptr;
  void* memory = nullptr;  ///< for Container::resize
};

/// Converts the elements of an attribute to memory.
/// Requires: `stored` holds `count` elements of `type`, and `memory` has space for as many of `memory_type`.
void read_attribute(File& file, const format::DatatypeMessage& type, Bytes stored,
                    const format::DatatypeMessage& memory_type, std::byte* memory, std::uint64_t count,
                    const ConversionChoice& choice = {});
/// Converts elements in memory to the elements of an attribute, in `stored`. Compound members that
/// `memory_type` lacks keep their values.
/// Requires: as read_attribute(); variable-length data needs the exclusive file lock.
void write_attribute(File& file, const format::DatatypeMessage& type, MutableBytes stored,
                     const format::DatatypeMessage& memory_type, const std::byte* memory, std::uint64_t count,
                     const ConversionChoice& choice = {});

}  // namespace filigree::model
