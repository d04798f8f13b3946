// SPDX-License-Identifier: Apache-2.0
//
// How every function of the C API begins and ends.
//
// No exception leaves the library. A failure goes to the error stack of the thread, with the codes that
// programs written for HDF5 expect. A function finds the handles of its ids, checks its arguments, calls the
// C++ API, and registers ids for the results.
#pragma once

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include <hdf5.h>

namespace filigree::capi {

/// A major and a minor error code. The codes are ids that exist only after the library is set up, so their
/// addresses are kept.
struct Code {
  const hid_t* major = nullptr;
  const hid_t* minor = nullptr;
};

/// A line of our sources, for error records. It stands in for std::source_location, which older versions of
/// clang lack.
struct SourceLine {
  const char* file;
  unsigned line;
  static constexpr SourceLine current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

/// A function of the API, with the record that goes above the record of a nested error.
struct ApiFunction {
  ApiFunction(const char* name, Code summary, const char* words, SourceLine line = SourceLine::current())
      : function(name), code(summary), text(words), where(line) {}
  const char* function;
  Code code;
  const char* text;
  SourceLine where;
};

/// An error that a function detects itself, in its arguments for instance. It is the only record on the
/// stack.
class Failure : public std::exception {
 public:
  Failure(Code code, std::string text) : code_(code), text_(std::move(text)) {}
  /// The codes of the error record.
  Code code() const { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Code code_;
  std::string text_;
};

/// An error in something that the function calls: the record of the function goes above it.
class NestedFailure : public Failure {
 public:
  using Failure::Failure;
};

/// A callback of the program has failed. The records that it left on the stack stay there.
class CallbackFailure : public Failure {
 public:
  using Failure::Failure;
};

// The most common failures.
[[noreturn]] void bad_value(std::string text);  ///< H5E_ARGS, H5E_BADVALUE
[[noreturn]] void bad_type(std::string text);   ///< H5E_ARGS, H5E_BADTYPE: an id of another type
/// Returns `text`. *Throws* bad_value() for null and for empty strings; `what` names the parameter.
const char* required_string(const char* text, const char* what);
/// Returns `pointer`. *Throws* bad_value() for null; `what` names the parameter.
template <class T>
T* required(T* pointer, const char* what) {
  if (pointer == nullptr) bad_value(std::string(what) + " cannot be NULL");
  return pointer;
}

/// Sets the library up on first use, and clears the error stack of the thread.
void begin_call() noexcept;
/// Sets the library up on first use. The functions of H5E keep the stack that they work on.
void begin_call_keeping_errors() noexcept;
/// Puts the current exception on the error stack and reports the stack. *Requires* a call from a catch
/// handler.
void fail_call(const ApiFunction& entry) noexcept;

/// Runs `work` and returns its result. Returns `failed` when `work` throws.
template <class Result, class Work>
Result api_call_or(Result failed, const ApiFunction& entry, Work&& work) noexcept {
  begin_call();
  try {
    return work();
  } catch (...) {
    fail_call(entry);
    return failed;
  }
}

/// Runs `work` and returns its result, or -1 when it throws. Where `work` returns nothing, success is 0.
template <class Work>
auto api_call(const ApiFunction& entry, Work&& work) noexcept {
  using Result = std::invoke_result_t<Work>;
  if constexpr (std::is_void_v<Result>) {
    return api_call_or(herr_t{-1}, entry, [&] {
      work();
      return herr_t{0};
    });
  } else {
    return api_call_or(Result(-1), entry, std::forward<Work>(work));
  }
}

/// Does the same as api_call_or(), but keeps the records that are on the error stack.
template <class Result, class Work>
Result api_call_keeping_errors(Result failed, const ApiFunction& entry, Work&& work) noexcept {
  begin_call_keeping_errors();
  try {
    return work();
  } catch (...) {
    fail_call(entry);
    return failed;
  }
}

/// Reports a function that is not implemented. `instead` says what to use; it may be empty.
void unavailable(const char* function, const char* instead) noexcept;

}  // namespace filigree::capi
