// SPDX-License-Identifier: Apache-2.0
//
// Error stacks: what went wrong in the last call of a thread, from the inside out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capi/core/ids.hpp"

namespace filigree::capi {

/// The library, or the program, that has the codes.
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

struct ErrorRecord {
  hid_t error_class = H5I_INVALID_HID;
  hid_t major = H5I_INVALID_HID;
  hid_t minor = H5I_INVALID_HID;
  unsigned line = 0;
  std::string function;
  std::string file;
  std::string text;
};

/// What is told of errors without being asked.
struct ErrorReporting {
  bool second_form = true;  ///< which of the two functions counts
  H5E_auto1_t first = nullptr;
  H5E_auto2_t second = nullptr;
  void* data = nullptr;
  bool is_default = true;  ///< H5Eprint to stderr
};

struct ErrorStack {
  /// The innermost first. Programs keep the texts that they see while walking, until the stack changes.
  std::vector<std::shared_ptr<const ErrorRecord>> records;
  ErrorReporting reporting;
};

/// A stack that was taken from a thread, or made by the program.
class ErrorStackHandle final : public Handle {
 public:
  H5I_type_t type() const override { return H5I_ERROR_STACK; }
  ErrorStack stack;
};

/// Of this thread.
ErrorStack& thread_errors();
/// H5E_DEFAULT, or an id; throws Failure.
ErrorStack& error_stack(hid_t id, std::shared_ptr<Handle>& keep);

/// Adds the outermost record. When there are more than stock keeps (32), it is dropped.
void push_error(ErrorStack& stack, ErrorRecord record);
/// As H5Eprint prints it.
void print_errors(const ErrorStack& stack, std::FILE* to);
/// Tells the program's function, or prints.
void report_errors() noexcept;

/// Class and codes of the library; called once when it is set up.
void set_up_errors();

}  // namespace filigree::capi
