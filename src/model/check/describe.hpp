// SPDX-License-Identifier: Apache-2.0
//
// The fields of the structure at an address.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/check.hpp>

namespace filigree::model {

class File;

/// Describes what the walk finds at an address. Without that, the signature there decides, or `as`; see
/// structure_kinds(). Parameters that a structure does not store itself are then unknown, so that only those
/// fields are shown that do not depend on them.
/// Requires: as FileWalk. Throws: Error(invalid_argument) for an unknown kind, or an address beyond the end.
StructureDescription describe_structure(File& file, std::uint64_t address, std::string_view as);

/// The kinds that `as` may name.
std::vector<std::string> structure_kinds();

}  // namespace filigree::model
