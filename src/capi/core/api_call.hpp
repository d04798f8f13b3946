// SPDX-License-Identifier: Apache-2.0
//
// How every function of the C API is entered and left. Nothing is thrown into C: what fails goes to the
// error stack of the thread, once, with the codes that programs written for HDF5 look for.
#pragma once

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include <hdf5.h>

namespace filigree::capi {

/// A pair of codes. They are ids that exist only once the library is set up, hence the addresses.
struct Code {
  const hid_t* major = nullptr;
  const hid_t* minor = nullptr;
};

/// A line of our sources. What std::source_location is for, which clang has not as early as gcc.
struct SourceLine {
  const char* file;
  unsigned line;
  static constexpr SourceLine current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

/// A function of the API, and how its failures are summed up when what went wrong is further inside.
struct ApiFunction {
  ApiFunction(const char* name, Code summary, const char* words, SourceLine line = SourceLine::current())
      : function(name), code(summary), text(words), where(line) {}
  const char* function;
  Code code;
  const char* text;
  SourceLine where;
};

/// What a function finds wrong itself, with its arguments for instance: the only record of the stack.
class Failure : public std::exception {
 public:
  Failure(Code code, std::string text) : code_(code), text_(std::move(text)) {}
  Code code() const { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Code code_;
  std::string text_;
};

/// What goes wrong further inside: the function's own summary stands above it.
class NestedFailure : public Failure {
 public:
  using Failure::Failure;
};

/// A callback of the program has failed; what it left on the stack stays there.
class CallbackFailure : public Failure {
 public:
  using Failure::Failure;
};

// The most common ones.
[[noreturn]] void bad_value(std::string text);  ///< H5E_ARGS, H5E_BADVALUE
[[noreturn]] void bad_type(std::string text);   ///< H5E_ARGS, H5E_BADTYPE: an id of another kind
/// Throws bad_value() with "no <what> specified" for null and empty texts.
const char* required_string(const char* text, const char* what);
/// Throws bad_value() for null.
template <class T>
T* required(T* pointer, const char* what) {
  if (pointer == nullptr) bad_value(std::string(what) + " cannot be NULL");
  return pointer;
}

/// Sets the library up when that is still to be done, and empties the stack of the thread.
void begin_call() noexcept;
/// Only sets up: for the functions that look at the stack.
void begin_call_keeping_errors() noexcept;
/// To be called in a handler: puts the exception on the stack and reports.
void fail_call(const ApiFunction& entry) noexcept;

/// Runs `work` and returns what it returns, or `failed`.
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

/// Runs `work`, which returns nothing (then success is 0) or a number of which -1 stands for failure.
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

/// As api_call(), for functions that work on the error stack itself.
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

/// Reports that a function is not built; `instead` may be empty.
void unavailable(const char* function, const char* instead) noexcept;

}  // namespace filigree::capi
