// SPDX-License-Identifier: Apache-2.0
//
// Structured chunks and defined elements in DDL, in the notation of the RFC on tools for sparse datasets.
#pragma once

#include <filigree/filigree.hpp>

#include "dump_context.hpp"

namespace filigree::tools {

/// Writes "STRUCTURED_CHUNK ( 5, 4 ) { ... }" with the sizes and filters of all sections.
void dump_structured_layout(DumpContext& context, const Dataset& data, const DatasetInfo& info);

/// Writes "DATA { ... }" with the places of defined elements: blocks first, then single elements, each in
/// row-major order; also the elements, if the options say so.
void dump_defined(DumpContext& context, const Dataset& data, const std::vector<Selection::Range>& ranges);

}  // namespace filigree::tools
