// SPDX-License-Identifier: Apache-2.0
#include <filigree/error.hpp>

#include <utility>

namespace filigree {

std::string_view to_string(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument:
      return "invalid argument";
    case ErrorKind::not_found:
      return "not found";
    case ErrorKind::already_exists:
      return "already exists";
    case ErrorKind::wrong_type:
      return "wrong type";
    case ErrorKind::not_hdf5:
      return "not an HDF5 file";
    case ErrorKind::truncated:
      return "truncated";
    case ErrorKind::corrupt:
      return "corrupt";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::limit:
      return "limit exceeded";
    case ErrorKind::read_only:
      return "read-only";
    case ErrorKind::locked:
      return "locked";
    case ErrorKind::permission:
      return "permission denied";
    case ErrorKind::no_space:
      return "no space left";
    case ErrorKind::io:
      return "input/output error";
    case ErrorKind::conversion:
      return "conversion";
    case ErrorKind::closed:
      return "closed";
    case ErrorKind::diverged:
      return "diverged";
    case ErrorKind::internal:
      return "internal error";
  }
  return "unknown";
}

Error::Error(ErrorKind kind, std::string message)
    : kind_(kind), message_(std::move(message)), text_(message_) {}

Error::~Error() = default;

void Error::add_frame(std::string doing) {
  text_ = doing + ": " + text_;
  frames_.push_back(std::move(doing));
}

}  // namespace filigree
