// SPDX-License-Identifier: Apache-2.0
#include "io/system_error.hpp"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace filigree::io {

ErrorKind kind_of_errno(int code) noexcept {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return ErrorKind::not_found;
    case EEXIST:
      return ErrorKind::already_exists;
    case EISDIR:
      return ErrorKind::wrong_type;
    case EACCES:
    case EPERM:
      return ErrorKind::permission;
    case EROFS:
      return ErrorKind::read_only;
    case ENOSPC:
    case EDQUOT:
      return ErrorKind::no_space;
    case EFBIG:
    case EMFILE:
    case ENFILE:
      return ErrorKind::limit;
    case ENAMETOOLONG:
      return ErrorKind::invalid_argument;
    default:
      return ErrorKind::io;
  }
}

Error system_error(int code, std::string_view doing, std::string_view file) {
  return Error(kind_of_errno(code),
               fmt::format("cannot {} '{}': {}", doing, file, std::generic_category().message(code)));
}

}  // namespace filigree::io
