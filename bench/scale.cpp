// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"
namespace bench {
void run_scale() {}
}  // namespace bench
