// SPDX-License-Identifier: Apache-2.0
#include "base/gate.hpp"

#include <algorithm>
#include <vector>

#include "base/thread_value.hpp"

namespace filigree {
namespace {

/// How this thread is inside of a gate.
struct Inside {
  const Gate* gate;
  unsigned depth = 0;
  unsigned alone_from = 0;  ///< the depth at which it became alone; 0: it shares
};

std::vector<Inside>& gates_of_thread() { return thread_value<std::vector<Inside>, Inside>(); }

}  // namespace

void Gate::enter(bool alone) {
  auto& gates = gates_of_thread();
  auto inside = std::ranges::find(gates, this, &Inside::gate);
  if (inside == gates.end()) {
    gates.reserve(gates.size() + 1);  // nothing can fail once the lock is held
    alone ? mutex_.lock() : mutex_.lock_shared();
    gates.push_back({this, 1, alone ? 1u : 0u});
    return;
  }
  ++inside->depth;
  if (!alone || inside->alone_from != 0) return;
  mutex_.unlock_shared();
  mutex_.lock();
  inside->alone_from = inside->depth;
}

void Gate::leave() {
  auto& gates = gates_of_thread();
  const auto inside = std::ranges::find(gates, this, &Inside::gate);
  const bool was_alone = inside->alone_from == inside->depth;
  if (--inside->depth > 0) {
    if (!was_alone) return;
    inside->alone_from = 0;
    mutex_.unlock();
    mutex_.lock_shared();
    return;
  }
  gates.erase(inside);
  was_alone ? mutex_.unlock() : mutex_.unlock_shared();
}

}  // namespace filigree
