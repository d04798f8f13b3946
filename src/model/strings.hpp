// SPDX-License-Identifier: Apache-2.0
//
// Strings of a file, fixed and variable.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "format/datatype.hpp"

namespace filigree::model {

class File;

/// The strings without their padding. Throws Error(wrong_type) for other types.
std::vector<std::string> read_strings(File& file, const format::DatatypeMessage& type, Bytes elements);
/// Fixed strings are padded; one that is too long is Error(limit). Variable ones go to the global heap.
void write_strings(File& file, const format::DatatypeMessage& type, MutableBytes elements,
                   std::span<const std::string_view> values);

}  // namespace filigree::model
