// SPDX-License-Identifier: Apache-2.0
//
// A lock that many may share or one may have, and that a thread may take again.
#pragma once

#include <optional>
#include <shared_mutex>

namespace filigree {

/// A thread that is inside may enter again, in either way: callbacks that a call makes may call back. One
/// that shares the gate and wants to be alone steps out and waits for its turn, so what it saw before may
/// have changed; afterwards it shares the gate again.
class Gate {
 public:
  /// How a thread is inside of a gate.
  struct Stay {
    const Gate* gate = nullptr;
    unsigned depth = 0;
    unsigned alone_from = 0;  ///< the depth at which it became alone; 0: it shares
  };

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

  /// A thread that is inside steps out, and comes back as it was: for what has to enter other gates, since
  /// two that wait for each other inside of theirs would do so forever. What it saw before may have changed
  /// by then. Nothing for a thread that is not inside.
  class Outside {
   public:
    explicit Outside(Gate& gate) : gate_(gate), was_(gate_.step_out()) {}
    ~Outside() {
      if (was_) gate_.come_back(*was_);
    }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

   private:
    friend class Gate;
    Gate& gate_;
    const std::optional<Stay> was_;
  };

 private:
  void enter(bool alone);
  void leave();
  std::optional<Stay> step_out();
  void come_back(const Stay& was);

  std::shared_mutex mutex_;
};

}  // namespace filigree
