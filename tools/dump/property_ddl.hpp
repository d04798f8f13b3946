// SPDX-License-Identifier: Apache-2.0
//
// Layout, filters, fill value and allocation time of a dataset in DDL.
#pragma once

#include <filigree/filigree.hpp>

#include "dump_context.hpp"

namespace filigree::tools {

/// Writes the blocks of `dump -p`.
void dump_properties(DumpContext& context, const Dataset& data);
/// Writes the block FILTERS.
void dump_filters(DumpContext& context, const std::vector<FilterChoice>& filters);
/// Returns "SIZE n", with the ratio to the size before filters if `filters` is not empty.
std::string size_ddl(std::uint64_t stored, std::uint64_t original, bool filtered);

}  // namespace filigree::tools
