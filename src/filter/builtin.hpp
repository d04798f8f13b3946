// SPDX-License-Identifier: Apache-2.0
//
// The filters of this folder; table.cpp lists them.
#pragma once

#include "filter/filter.hpp"

namespace filigree::filter {

/// 1: a zlib stream. Parameter: level 0 to 9.
const Filter& deflate_filter();

/// 2: all first bytes of the elements, then all second bytes, and so on. Parameter: bytes of an element.
const Filter& shuffle_filter();

/// 3: a checksum of four bytes behind the data. No parameters.
const Filter& fletcher32_filter();

}  // namespace filigree::filter
