// SPDX-License-Identifier: Apache-2.0
//
// Error stacks: the records of the last failed call of a thread, the innermost error first.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capi/core/ids.hpp"

namespace filigree::capi {

/// An error class: a library or program with codes of its own.
class ErrorClassHandle final : public Handle {
 public:
  ErrorClassHandle(std::string class_name, std::string library_name, std::string library_version, bool ours)
      : name(std::move(class_name)),
        library(std::move(library_name)),
        version(std::move(library_version)),
        permanent_(ours) {}
  H5I_type_t type() const override { return H5I_ERROR_CLASS; }
  bool permanent() const override { return permanent_; }
  const std::string name, library, version;

 private:
  bool permanent_;
};

/// A major or a minor code.
class ErrorMessageHandle final : public Handle {
 public:
  ErrorMessageHandle(std::shared_ptr<ErrorClassHandle> owner, H5E_type_t kind, std::string words)
      : error_class(std::move(owner)), message_type(kind), text(std::move(words)) {}
  H5I_type_t type() const override { return H5I_ERROR_MSG; }
  bool permanent() const override { return error_class->permanent(); }
  const std::shared_ptr<ErrorClassHandle> error_class;
  const H5E_type_t message_type;
  const std::string text;
};

/// A record of an error stack: class, codes, source location and description of one error.
struct ErrorRecord {
  hid_t error_class = H5I_INVALID_HID;
  hid_t major = H5I_INVALID_HID;
  hid_t minor = H5I_INVALID_HID;
  unsigned line = 0;
  std::string function;
  std::string file;
  std::string text;
};

/// The automatic error handler (H5Eset_auto).
struct ErrorReporting {
  bool second_form = true;  ///< `second` is called, or else `first`
  H5E_auto1_t first = nullptr;
  H5E_auto2_t second = nullptr;
  void* data = nullptr;
  bool is_default = true;  ///< H5Eprint to stderr
};

/// The records of a thread or of an id, with the automatic error handler.
struct ErrorStack {
  /// The innermost record first. Programs may keep the strings that H5Ewalk shows them until the stack
  /// changes.
  std::vector<std::shared_ptr<const ErrorRecord>> records;
  ErrorReporting reporting;
  unsigned paused = 0;  ///< number of H5Epause_stack calls; while it is not zero, nothing is added
};

/// An error stack with an id: a copy of that of a thread, or a new one.
class ErrorStackHandle final : public Handle {
 public:
  H5I_type_t type() const override { return H5I_ERROR_STACK; }
  ErrorStack stack;
};

/// Returns the error stack of the calling thread.
ErrorStack& thread_errors();
/// Returns the stack of an id; H5E_DEFAULT is that of the thread. `keep` keeps the handle alive. *Throws*
/// Failure.
ErrorStack& error_stack(hid_t id, std::shared_ptr<Handle>& keep);

/// Adds a record as the outermost one, unless the stack is paused. Like HDF5, it drops records beyond the
/// 32nd.
void push_error(ErrorStack& stack, ErrorRecord record);
/// Prints the stack in the format of H5Eprint.
void print_errors(const ErrorStack& stack, std::FILE* to);
/// Calls the automatic error handler, which prints by default.
void report_errors() noexcept;

/// Creates the error class and the codes of the library. Called once, when the library is set up.
void set_up_errors();

}  // namespace filigree::capi
