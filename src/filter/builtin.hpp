// SPDX-License-Identifier: Apache-2.0
//
// The table of the filters of this build. A new filter is a source with the function `const Filter&
// NAME_filter()` and a row here, in the order of filter ids. The source describes the data and the parameters
// of its filter. The suite in builtin_filters_test.cpp tests every row.
#pragma once

#include "filter/filter.hpp"

// clang-format off
#define FILIGREE_BUILTIN_FILTERS(row) \
  row(deflate)                        \
  row(shuffle)                        \
  row(fletcher32)                     \
  row(szip)                           \
  row(nbit)                           \
  row(scale_offset)                   \
  row(packed_selection)               \
  row(packed_values)                  \
  row(lzf)                            \
  row(blosc)                          \
  row(lz4)                            \
  row(bitshuffle)                     \
  row(zstd)
// clang-format on

namespace filigree::filter {

#define FILIGREE_DECLARE_FILTER(name) const Filter& name##_filter();
FILIGREE_BUILTIN_FILTERS(FILIGREE_DECLARE_FILTER)
#undef FILIGREE_DECLARE_FILTER

}  // namespace filigree::filter
