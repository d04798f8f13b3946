// SPDX-License-Identifier: Apache-2.0
//
// The form of high-level functions, which call other functions of the API. As in HDF5, the error stack of a
// failed call is what the function reports.
#pragma once

#include <string>
#include <utility>

#include "capi/core/errors.hpp"

namespace filigree::capi {

/// A scope in which errors of this thread are recorded but not reported.
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

  /// Runs a callback of the program with the automatic error handler of the program.
  template <class Call>
  static auto call_user_function(const QuietErrors& outer, Call&& call) {
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

/// A nested call of an API function has failed, and its records are on the stack.
struct NestedCallFailed {};

/// Returns the result of an API function. *Throws* NestedCallFailed for negative results.
template <class Result>
Result checked(Result result) {
  if (result < 0) throw NestedCallFailed();
  return result;
}

/// Describes a high-level function.
inline ApiFunction outer(const char* function, SourceLine line = SourceLine::current()) {
  return {function, {&H5E_DATASET_g, &H5E_CANTGET_g}, "the call failed", line};
}

/// Does the same as api_call_or(). `work` gets the QuietErrors that are in effect while it runs.
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

/// The same for functions that return only success or failure.
template <class Work>
herr_t high_level(const ApiFunction& entry, Work&& work) noexcept {
  return high_level(herr_t{-1}, entry, [&](const QuietErrors& quiet) {
    work(quiet);
    return herr_t{0};
  });
}

/// Reports invalid arguments. HDF5 puts no record on the stack for these.
[[noreturn]] inline void refuse(std::string text) {
  throw Failure({&H5E_DATASET_g, &H5E_CANTSET_g}, std::move(text));
}

/// Returns `argument`. *Throws* Failure for null; `name` names the parameter.
template <class T>
T* required_argument(T* argument, const char* name) {
  if (argument == nullptr) refuse(std::string(name) + " cannot be NULL");
  return argument;
}

/// An id that is released when the scope ends. The release is no API call, which would clear the error stack.
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
    } catch (...) {  // A failure to close the id is ignored here.
    }
  }
  operator hid_t() const { return id_; }
  hid_t take() { return std::exchange(id_, H5I_INVALID_HID); }

 private:
  hid_t id_;
};

/// Opens the dataset at a path. `parameter` names the parameter that has the path, which cannot be null.
inline OwnedId open_dataset(hid_t loc_id, const char* path, const char* parameter = "dset_name") {
  return OwnedId(H5Dopen2(loc_id, required_argument(path, parameter), H5P_DEFAULT));
}

}  // namespace filigree::capi
