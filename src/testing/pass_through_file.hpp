// SPDX-License-Identifier: Apache-2.0
//
// The base of test files that watch or disturb.
#pragma once

#include "io/stack/pass_through_file.hpp"

namespace filigree::testing {

using io::PassThroughFile;

}  // namespace filigree::testing
