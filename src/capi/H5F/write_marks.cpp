// SPDX-License-Identifier: Apache-2.0
#include "capi/H5F/write_marks.hpp"

#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace filigree::capi {

bool is_marked(const Error& error) {
  return error.kind() == ErrorKind::locked &&
         std::string_view(error.what()).find("was not closed") != std::string_view::npos;
}

bool is_locked_for_writing(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(descriptor);
  return locked;
}

}  // namespace filigree::capi
