// SPDX-License-Identifier: Apache-2.0
//
// The system's refusals as Errors.
#pragma once

#include <string_view>

#include <filigree/error.hpp>

namespace filigree::io {

ErrorKind kind_of_errno(int code) noexcept;

/// "cannot <doing> '<file>': <the system's words>", of the kind that fits `code`.
Error system_error(int code, std::string_view doing, std::string_view file);

}  // namespace filigree::io
