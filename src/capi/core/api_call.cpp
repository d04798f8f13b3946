// SPDX-License-Identifier: Apache-2.0
#include "capi/core/api_call.hpp"

#include <cstring>
#include <new>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/core/api_lock.hpp"
#include "capi/core/errors.hpp"
#include "capi/core/library.hpp"

namespace filigree::capi {
namespace {

/// Returns the codes of the innermost record of an Error: those of HDF5 at the point where the error arises.
Code code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_argument:
      return {&H5E_ARGS_g, &H5E_BADVALUE_g};
    case ErrorKind::not_found:
      return {&H5E_SYM_g, &H5E_NOTFOUND_g};
    case ErrorKind::already_exists:
      return {&H5E_SYM_g, &H5E_EXISTS_g};
    case ErrorKind::wrong_type:
      return {&H5E_ARGS_g, &H5E_BADTYPE_g};
    case ErrorKind::not_hdf5:
      return {&H5E_FILE_g, &H5E_NOTHDF5_g};
    case ErrorKind::truncated:
      return {&H5E_FILE_g, &H5E_TRUNCATED_g};
    case ErrorKind::corrupt:
      return {&H5E_OHDR_g, &H5E_CANTLOAD_g};
    case ErrorKind::unsupported:
      return {&H5E_ARGS_g, &H5E_UNSUPPORTED_g};
    case ErrorKind::limit:
      return {&H5E_ARGS_g, &H5E_BADRANGE_g};
    case ErrorKind::read_only:
      return {&H5E_FILE_g, &H5E_WRITEERROR_g};
    case ErrorKind::locked:
      return {&H5E_FILE_g, &H5E_CANTLOCKFILE_g};
    case ErrorKind::permission:
      return {&H5E_FILE_g, &H5E_CANTOPENFILE_g};
    case ErrorKind::no_space:
      return {&H5E_IO_g, &H5E_WRITEERROR_g};
    case ErrorKind::io:
      return {&H5E_IO_g, &H5E_SYSERRSTR_g};
    case ErrorKind::conversion:
      return {&H5E_DATATYPE_g, &H5E_CANTCONVERT_g};
    case ErrorKind::closed:
      return {&H5E_FILE_g, &H5E_BADFILE_g};
    case ErrorKind::diverged:
      return {&H5E_INTERNAL_g, &H5E_MPI_g};
    case ErrorKind::internal:
      break;
  }
  return {&H5E_INTERNAL_g, &H5E_SYSTEM_g};
}

const char* file_name(const ApiFunction& entry) {
  const char* const slash = std::strrchr(entry.where.file, '/');
  return slash == nullptr ? entry.where.file : slash + 1;
}

void push(const ApiFunction& entry, Code code, std::string text) {
  push_error(thread_errors(), {H5E_ERR_CLS_g, *code.major, *code.minor, entry.where.line, entry.function,
                               file_name(entry), std::move(text)});
}

void push_both(const ApiFunction& entry, Code inner, std::string text) {
  push(entry, inner, std::move(text));
  push(entry, entry.code, entry.text);
}

void push_current_exception(const ApiFunction& entry) {
  try {
    throw;
  } catch (const NestedFailure& failure) {
    push_both(entry, failure.code(), failure.what());
  } catch (const Failure& failure) {
    push(entry, failure.code(), failure.what());
  } catch (const Error& error) {
    push_both(entry, code_of(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    push_both(entry, {&H5E_RESOURCE_g, &H5E_NOSPACE_g}, "memory allocation failed");
  } catch (const std::exception& other) {
    push_both(entry, {&H5E_INTERNAL_g, &H5E_SYSTEM_g}, other.what());
  } catch (...) {
    push_both(entry, {&H5E_INTERNAL_g, &H5E_SYSTEM_g}, "unknown exception");
  }
}

}  // namespace

void bad_value(std::string text) { throw Failure({&H5E_ARGS_g, &H5E_BADVALUE_g}, std::move(text)); }
void bad_type(std::string text) { throw Failure({&H5E_ARGS_g, &H5E_BADTYPE_g}, std::move(text)); }

const char* required_string(const char* text, const char* what) {
  if (text == nullptr) bad_value(fmt::format("{} parameter cannot be NULL", what));
  if (*text == '\0') bad_value(fmt::format("{} parameter cannot be an empty string", what));
  return text;
}

void begin_call_keeping_errors() noexcept {
  try {
    api_lock().wait();
    set_up_library();
  } catch (...) {  // Out of memory: without its predefined ids every call fails for that reason.
  }
}

void begin_call() noexcept {
  begin_call_keeping_errors();
  thread_errors().records.clear();
}

void fail_call(const ApiFunction& entry) noexcept {
  try {
    push_current_exception(entry);
  } catch (...) {  // Out of memory: the return value reports the failure.
  }
  report_errors();
}

void unavailable(const char* function, const char* instead) noexcept {
  begin_call();
  const ApiFunction entry(function, {&H5E_FUNC_g, &H5E_UNSUPPORTED_g}, "not available");
  try {
    const std::string hint = *instead == '\0' ? "" : fmt::format("; {}", instead);
    throw Failure(entry.code,
                  fmt::format("{} is not available in this version of Filigree{}", function, hint));
  } catch (...) {
    fail_call(entry);
  }
}

}  // namespace filigree::capi
