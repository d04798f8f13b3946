// SPDX-License-Identifier: Apache-2.0
//
// The base class of test files that observe or disturb the requests to another file.
#pragma once

#include "io/stack/pass_through_file.hpp"

namespace filigree::testing {

using io::PassThroughFile;

}  // namespace filigree::testing
