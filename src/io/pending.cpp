// SPDX-License-Identifier: Apache-2.0
#include "io/pending.hpp"

#include <utility>

namespace filigree::io {

void PendingSet::wait() {
  for (std::unique_ptr<Pending>& pending : std::exchange(pending_, {})) {
    try {
      pending->wait();
    } catch (...) {
      failures_.add_current();
    }
  }
  failures_.rethrow();
}

}  // namespace filigree::io
