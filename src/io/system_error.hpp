// SPDX-License-Identifier: Apache-2.0
//
// Errors of system calls as Error.
#pragma once

#include <string_view>

#include <filigree/error.hpp>

namespace filigree::io {

ErrorKind kind_of_errno(int code) noexcept;

/// An Error "cannot <doing> '<file>': <message of the system>", of the kind that corresponds to `code`.
Error system_error(int code, std::string_view doing, std::string_view file);

}  // namespace filigree::io
