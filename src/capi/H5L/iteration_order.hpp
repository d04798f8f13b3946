// SPDX-License-Identifier: Apache-2.0
//
// Iteration order of links and attributes.
#pragma once

#include <filigree/options.hpp>

#include "capi/core/api_call.hpp"

namespace filigree::capi {

/// The index and the direction of an iteration.
struct IterationOrder {
  IndexBy by = IndexBy::name;
  Direction direction = Direction::ascending;
};

/// *Throws* bad_value() for invalid arguments.
inline IterationOrder iteration_order(H5_index_t index, H5_iter_order_t order) {
  if (index <= H5_INDEX_UNKNOWN || index >= H5_INDEX_N) bad_value("invalid index type specified");
  if (order <= H5_ITER_UNKNOWN || order >= H5_ITER_N) bad_value("invalid iteration order specified");
  return {index == H5_INDEX_NAME ? IndexBy::name : IndexBy::creation_order,
          order == H5_ITER_INC   ? Direction::ascending
          : order == H5_ITER_DEC ? Direction::descending
                                 : Direction::native};
}

}  // namespace filigree::capi
