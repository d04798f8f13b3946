// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::tools {

namespace {

/// The file that a signal has to remove; empty if there is none. A signal handler may read nothing else.
std::array<char, 4096> unfinished{};

extern "C" void remove_unfinished_and_exit(int signal) {
  if (unfinished[0] != '\0') unlink(unfinished.data());
  _exit(128 + signal);
}

[[noreturn]] void fail(const std::string& doing, const std::string& path) {
  const ErrorKind kind = errno == ENOENT   ? ErrorKind::not_found
                         : errno == EACCES ? ErrorKind::permission
                         : errno == ENOSPC ? ErrorKind::no_space
                                           : ErrorKind::io;
  throw Error(kind, fmt::format("{} '{}': {}", doing, path, std::strerror(errno)));
}

[[noreturn]] void refuse_existing(const std::string& path) {
  throw Error(ErrorKind::already_exists, fmt::format("'{}' exists already; --force replaces it", path));
}

/// mkstemp() lets only the owner read; new files have the usual permissions.
void set_usual_permissions(int file) {
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);
}

}  // namespace

void handle_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;  // as with nohup
    action.sa_handler = remove_unfinished_and_exit;
    sigemptyset(&action.sa_mask);
    action.sa_flags = 0;
    sigaction(signal, &action, nullptr);
  }
}

OutputFile::OutputFile(std::string path, bool replace) : path_(std::move(path)), replace_(replace) {
  std::error_code ignored;
  if (!replace_ && std::filesystem::exists(std::filesystem::symlink_status(path_, ignored)))
    refuse_existing(path_);
  const std::filesystem::path final_path(path_);
  const std::filesystem::path folder = final_path.parent_path();
  const std::string name = "." + final_path.filename().string().substr(0, 200) + ".XXXXXX";
  temporary_ = (folder / name).string();
  if (temporary_.size() >= unfinished.size())
    throw Error(ErrorKind::limit, fmt::format("the path '{}' is too long", path_));
  // The name is published before the file exists, so that no signal leaves it behind.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  const int file = mkstemp(temporary_.data());
  if (file >= 0) std::memcpy(unfinished.data(), temporary_.c_str(), temporary_.size() + 1);
  const int reason = errno;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  if (file < 0) fail("creating", path_);
  set_usual_permissions(file);
  close(file);
}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  unfinished[0] = '\0';
}

void OutputFile::commit() {
  const int file = open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || fsync(file) != 0) fail("writing", path_);
  close(file);
  // A hard link fails where rename() would replace.
  if (!replace_ && link(temporary_.c_str(), path_.c_str()) == 0)
    return;  // the destructor removes the other name
  if (!replace_ && errno == EEXIST) refuse_existing(path_);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("renaming a temporary file to", path_);
  temporary_.clear();
  unfinished[0] = '\0';
}

}  // namespace filigree::tools
