// SPDX-License-Identifier: Apache-2.0
#include "base/gate.hpp"

#include <algorithm>
#include <vector>

#include "base/thread_value.hpp"

namespace filigree {
namespace {

std::vector<Gate::Stay>& gates_of_thread() { return thread_value<std::vector<Gate::Stay>, Gate::Stay>(); }

}  // namespace

void Gate::enter(bool alone) {
  auto& gates = gates_of_thread();
  auto inside = std::ranges::find(gates, this, &Stay::gate);
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
  const auto inside = std::ranges::find(gates, this, &Stay::gate);
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

std::optional<Gate::Stay> Gate::step_out() {
  auto& gates = gates_of_thread();
  const auto inside = std::ranges::find(gates, this, &Stay::gate);
  if (inside == gates.end()) return std::nullopt;
  const Stay was = *inside;
  gates.erase(inside);  // the room for it stays, so that it can come back
  was.alone_from != 0 ? mutex_.unlock() : mutex_.unlock_shared();
  return was;
}

void Gate::come_back(const Stay& was) {
  was.alone_from != 0 ? mutex_.lock() : mutex_.lock_shared();
  gates_of_thread().push_back(was);
}

}  // namespace filigree
