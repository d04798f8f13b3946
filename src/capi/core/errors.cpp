// SPDX-License-Identifier: Apache-2.0
#include "capi/core/errors.hpp"

#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "base/thread_value.hpp"
#include "capi/H5FD/mpio.hpp"
#include "capi/core/error_codes.hpp"

namespace filigree::capi {
namespace {

// HDF5 keeps as many.
constexpr std::size_t max_records = 32;

std::string text_of(hid_t message) {
  const auto found = ids().find_as<ErrorMessageHandle>(message);
  return found == nullptr ? "No message" : found->text;
}

void print_class(const ErrorClassHandle* owner, std::FILE* to) {
  if (owner == nullptr) {
    std::fputs("unknown class-DIAG: Error detected:\n", to);
    return;
  }
  const MpioLibrary* const mpi = mpio_library();
  const std::optional<int> rank = mpi == nullptr ? std::nullopt : mpi->process();
  fmt::print(to, "{}-DIAG: Error detected in {} ({}) {}:\n", owner->name, owner->library, owner->version,
             rank ? fmt::format("MPI-process {}", *rank) : "thread 0");
}

}  // namespace

ErrorStack& thread_errors() { return thread_value<ErrorStack, ErrorStack>(); }

ErrorStack& error_stack(hid_t id, std::shared_ptr<Handle>& keep) {
  if (id == H5E_DEFAULT) return thread_errors();
  const auto handle = ids().get<ErrorStackHandle>(id, "an error stack ID");
  keep = handle;
  return handle->stack;
}

void push_error(ErrorStack& stack, ErrorRecord record) {
  if (stack.paused == 0 && stack.records.size() < max_records)
    stack.records.push_back(std::make_shared<const ErrorRecord>(std::move(record)));
}

void print_errors(const ErrorStack& stack, std::FILE* to) {
  hid_t last_class = H5I_INVALID_HID;
  std::size_t number = 0;
  for (auto at = stack.records.rbegin(); at != stack.records.rend(); ++at, ++number) {
    const ErrorRecord& record = **at;
    if (number == 0 || record.error_class != last_class)
      print_class(ids().find_as<ErrorClassHandle>(record.error_class).get(), to);
    last_class = record.error_class;
    fmt::print(to, "  #{:03}: {} line {} in {}(): {}\n    major: {}\n    minor: {}\n", number, record.file,
               record.line, record.function, record.text, text_of(record.major), text_of(record.minor));
  }
}

void report_errors() noexcept {
  try {
    const ErrorStack& stack = thread_errors();
    const ErrorReporting how = stack.reporting;
    if (how.is_default) {
      print_errors(stack, stderr);
    } else if (how.second_form) {
      if (how.second != nullptr) how.second(H5E_DEFAULT, how.data);
    } else if (how.first != nullptr) {
      how.first(how.data);
    }
  } catch (...) {  // There is nowhere left to report to.
  }
}

void set_up_errors() {
  const auto ours = std::make_shared<ErrorClassHandle>(
      "HDF5", "HDF5", fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE), true);
  H5E_ERR_CLS_g = ids().add(ours);
  for (const ErrorCode& code : major_codes())
    *code.id = ids().add(std::make_shared<ErrorMessageHandle>(ours, H5E_MAJOR, code.text));
  for (const ErrorCode& code : minor_codes())
    *code.id = ids().add(std::make_shared<ErrorMessageHandle>(ours, H5E_MINOR, code.text));
  H5E_ATOM_g = H5E_ID_g;
  H5E_BADATOM_g = H5E_BADID_g;
  H5E_LOGFAIL_g = H5E_LOGGING_g;
}

}  // namespace filigree::capi
