// SPDX-License-Identifier: Apache-2.0
//
// A lock that many may share or one may have, and that a thread may take again.
#pragma once

#include <shared_mutex>

namespace filigree {

/// A thread that is inside may enter again, in either way: callbacks that a call makes may call back. One
/// that shares the gate and wants to be alone steps out and waits for its turn, so what it saw before may
/// have changed; afterwards it shares the gate again.
class Gate {
 public:
  class Shared {
   public:
    explicit Shared(Gate& gate) : gate_(gate) { gate_.enter(false); }
    ~Shared() { gate_.leave(); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

   private:
    Gate& gate_;
  };

  class Alone {
   public:
    explicit Alone(Gate& gate) : gate_(gate) { gate_.enter(true); }
    ~Alone() { gate_.leave(); }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    Gate& gate_;
  };

 private:
  void enter(bool alone);
  void leave();

  std::shared_mutex mutex_;
};

}  // namespace filigree
