// SPDX-License-Identifier: Apache-2.0
//
// Elements of attributes to and from a program's memory.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "format/messages/datatype.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

class File;

/// How elements are converted.
struct ConversionChoice {
  type::Rules rules = type::Rules::natural;
  const type::FaultHandler* on_fault = nullptr;
  void* memory = nullptr;  ///< for Container::resize
};

/// `stored` are `count` elements of `type`.
void read_attribute(File& file, const format::DatatypeMessage& type, Bytes stored,
                    const format::DatatypeMessage& memory_type, std::byte* memory, std::uint64_t count,
                    const ConversionChoice& choice = {});
/// Members that memory_type lacks keep what `stored` holds.
void write_attribute(File& file, const format::DatatypeMessage& type, MutableBytes stored,
                     const format::DatatypeMessage& memory_type, const std::byte* memory, std::uint64_t count,
                     const ConversionChoice& choice = {});

}  // namespace filigree::model
