// SPDX-License-Identifier: Apache-2.0
//
// Starting threads that leave signals to the program.
#pragma once

#include <csignal>

#include <pthread.h>

namespace filigree {

/// Blocks signals in threads that start within its scope: signal handlers belong to the program's threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace filigree
