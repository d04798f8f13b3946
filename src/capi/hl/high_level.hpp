// SPDX-License-Identifier: Apache-2.0
//
// For functions that are made of other functions of the API. When one of these fails, its records are what is
// told, as with stock.
#pragma once

#include <string>
#include <utility>

#include "capi/core/errors.hpp"

namespace filigree::capi {

/// While it lives, failures in this thread are recorded but not reported.
class QuietErrors {
 public:
  QuietErrors() : before_(thread_errors().reporting) {
    ErrorReporting silent;
    silent.is_default = false;
    thread_errors().reporting = silent;
  }
  ~QuietErrors() { thread_errors().reporting = before_; }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

  /// Runs a function of the program, which is told of errors as it has asked for.
  template <class Call>
  static auto call_program(const QuietErrors& outer, Call&& call) {
    struct Restore {
      ErrorReporting silent = thread_errors().reporting;
      ~Restore() { thread_errors().reporting = silent; }
    } const restore;
    thread_errors().reporting = outer.before_;
    return call();
  }

 private:
  ErrorReporting before_;
};

/// A function of the API that was called inside has failed, and its records are on the stack.
struct NestedCallFailed {};

/// What a function of the API returned, unless it failed.
template <class Result>
Result checked(Result result) {
  if (result < 0) throw NestedCallFailed();
  return result;
}

/// The function that is made of others.
inline ApiFunction outer(const char* function, SourceLine line = SourceLine::current()) {
  return {function, {&H5E_DATASET_g, &H5E_CANTGET_g}, "the call failed", line};
}

/// As api_call_or(). `work` gets the QuietErrors that hold while it runs.
template <class Result, class Work>
Result high_level(Result failed, const ApiFunction& entry, Work&& work) noexcept {
  return api_call_or(failed, entry, [&]() -> Result {
    try {
      const QuietErrors quiet;
      return static_cast<Result>(work(quiet));
    } catch (const NestedCallFailed&) {
      report_errors();
      return failed;
    }
  });
}

/// The same for functions that return nothing but success.
template <class Work>
herr_t high_level(const ApiFunction& entry, Work&& work) noexcept {
  return high_level(herr_t{-1}, entry, [&](const QuietErrors& quiet) {
    work(quiet);
    return herr_t{0};
  });
}

/// What is wrong with the arguments themselves. Stock leaves no record of that.
[[noreturn]] inline void refuse(std::string text) {
  throw Failure({&H5E_DATASET_g, &H5E_CANTSET_g}, std::move(text));
}

/// An id that belongs to a scope. It goes without a call of the API, which would empty the error stack.
class OwnedId {
 public:
  explicit OwnedId(hid_t id) : id_(checked(id)) {}
  OwnedId(OwnedId&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  OwnedId& operator=(OwnedId&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~OwnedId() {
    if (id_ == H5I_INVALID_HID) return;
    try {
      ids().release(id_);
    } catch (...) {  // as when a failure to close it is not looked at
    }
  }
  operator hid_t() const { return id_; }
  hid_t take() { return std::exchange(id_, H5I_INVALID_HID); }

 private:
  hid_t id_;
};

}  // namespace filigree::capi
