// SPDX-License-Identifier: Apache-2.0
//
// `dump -b`: the bytes of datasets.
#pragma once

#include <filigree/filigree.hpp>

#include "dump_context.hpp"

namespace filigree::tools {

/// Writes the selected elements to the stream of values, in the form that the options name.
/// Throws: Error(unsupported) for elements of variable length.
void write_binary(DumpContext& context, const Dataset& data, const std::vector<Selection::Range>& ranges);

}  // namespace filigree::tools
