// SPDX-License-Identifier: Apache-2.0
//
// `dump -n`: the paths of a file; and `dump -B`: its superblock.
#pragma once

#include "dump_context.hpp"

namespace filigree::tools {

/// Writes "FILE_CONTENTS { ... }".
void dump_contents(DumpContext& context);
/// Writes "SUPER_BLOCK { ... }".
void dump_superblock(DumpContext& context);

}  // namespace filigree::tools
