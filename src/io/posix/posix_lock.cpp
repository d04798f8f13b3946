// SPDX-License-Identifier: Apache-2.0
#include "io/posix/posix_lock.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filigree/error.hpp>

#include "io/system_error.hpp"

namespace filigree::io {
namespace {

constexpr const char* lock_switch = "HDF5_USE_FILE_LOCKING";

bool means_no_locks_here(int code) {
  return code == ENOSYS || code == ENOLCK || code == EOPNOTSUPP || code == ENOTSUP;
}

/// " (held by process 123)" if the kernel names the holder, else nothing.
std::string describe_holder(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return {};
  const std::string inode =
      fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    char kind[16], file[64];
    long holder = 0;
    if (std::sscanf(line.c_str(), "%*s %15s %*s %*s %ld %63s", kind, &holder, file) != 3) continue;
    if (std::string_view(kind) == "FLOCK" && file == inode && holder > 0)
      return fmt::format(" (held by process {})", holder);
  }
  return {};
}

}  // namespace

LockPolicy effective_lock_policy(LockPolicy requested) {
  const char* text = std::getenv(lock_switch);
  const std::string_view value = text == nullptr ? std::string_view() : std::string_view(text);
  if (value == "FALSE" || value == "0") return LockPolicy::never;
  if (value == "TRUE" || value == "1") return LockPolicy::required;
  if (value == "BEST_EFFORT") return LockPolicy::best_effort;
  return requested;
}

int system_lock(int descriptor, int operation) { return flock(descriptor, operation); }

void lock_file(int descriptor, const std::string& name, bool writing, LockPolicy policy, LockCall lock) {
  if (policy == LockPolicy::never || (policy == LockPolicy::writers && !writing)) return;
  while (lock(descriptor, (writing ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
    const int code = errno;
    if (code == EINTR) continue;
    if (code == EWOULDBLOCK) {
      throw Error(
          ErrorKind::locked,
          fmt::format(
              "cannot lock '{}' for {}: it is open elsewhere{}; close it there, or set {}=FALSE to open it "
              "without a lock",
              name, writing ? "writing" : "reading", describe_holder(descriptor), lock_switch));
    }
    if (means_no_locks_here(code) && policy != LockPolicy::required) return;
    Error error = system_error(code, "lock", name);
    throw Error(error.kind(),
                fmt::format("{}; set {}=FALSE to open it without a lock", error.message(), lock_switch));
  }
}

void unlock_file(int descriptor, const std::string& name, LockPolicy policy, LockCall lock) {
  if (policy == LockPolicy::never) return;
  while (lock(descriptor, LOCK_UN) != 0) {
    const int code = errno;
    if (code == EINTR) continue;
    if (means_no_locks_here(code) && policy != LockPolicy::required) return;
    throw system_error(code, "unlock", name);
  }
}

}  // namespace filigree::io
