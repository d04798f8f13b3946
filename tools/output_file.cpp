// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "text.hpp"

namespace filigree::tools {

namespace {

/// The file that a signal has to remove; empty if there is none. A signal handler may read nothing else.
std::array<char, 4096> unfinished{};

/// For DelayedInterrupts. The text is set before signals are delayed, and a handler only reads it.
volatile std::sig_atomic_t delays_signals = 0, delayed_signal = 0;
std::array<char, 512> delay_notice{};

extern "C" void remove_unfinished_and_exit(int signal) {
  if (delays_signals != 0 && delayed_signal == 0) {
    delayed_signal = signal;
    const int kept = errno;
    const auto ignored [[maybe_unused]] =
        write(STDERR_FILENO, delay_notice.data(), std::strlen(delay_notice.data()));
    errno = kept;
    return;
  }
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

/// Delays signals while it lives. It keeps errno.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before_);
  }
  ~WithoutSignals() {
    const int reason = errno;
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    errno = reason;
  }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

/// Writes a file to the device. Sets errno if it fails.
bool sync_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = fsync(file) == 0;
  const int reason = errno;
  close(file);
  errno = reason;
  return done;
}

/// Renames a file, but not to a name that exists. Sets errno if it fails, which is EEXIST then.
bool rename_to_new(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
#endif
  // Not all file systems know that. Some of them have hard links, which replace nothing either.
  const WithoutSignals guard;
  if (link(from.c_str(), to.c_str()) == 0) {
    unlink(from.c_str());
    return true;
  }
  if (errno == EEXIST) return false;
  // The others can create a file that does not exist, which rename() may replace.
  const int made = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made < 0) return false;
  close(made);
  if (rename(from.c_str(), to.c_str()) == 0) return true;
  const int reason = errno;
  unlink(to.c_str());
  errno = reason;
  return false;
}

/// mkstemp() lets only the owner read; new files have the usual permissions.
void set_usual_permissions(int file) {
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);
}

}  // namespace

void handle_interrupts() {
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit fails instead, which is reported
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;  // as with nohup
    action.sa_handler = remove_unfinished_and_exit;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;  // for those that are delayed
    sigaction(signal, &action, nullptr);
  }
}

DelayedInterrupts::DelayedInterrupts(const std::string& file) {
  const std::string text = fmt::format(
      "filigree: {}: closing the file first; a second signal ends at once, and leaves it as not closed\n",
      printable(file).substr(0, 350));
  delay_notice.fill('\0');
  std::memcpy(delay_notice.data(), text.data(), std::min(text.size(), delay_notice.size() - 1));
  delays_signals = 1;
}

DelayedInterrupts::~DelayedInterrupts() {
  delays_signals = 0;
  if (delayed_signal == 0) return;
  std::fflush(stdout);
  remove_unfinished_and_exit(delayed_signal);
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

std::uint64_t file_bytes(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

namespace {

/// The names of the last output file.
struct OutputNames {
  std::string temporary, final_name;
};

OutputNames& last_names() {
  static OutputNames names;
  return names;
}

}  // namespace

std::string OutputFile::with_final_name(std::string text) {
  const auto& [temporary, final_name] = last_names();
  if (temporary.empty()) return text;
  for (std::size_t at = text.find(temporary); at != std::string::npos;
       at = text.find(temporary, at + final_name.size()))
    text.replace(at, temporary.size(), final_name);
  return text;
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
  int file = -1;
  {
    // The name is published before a signal is delivered, so that none leaves the file behind.
    const WithoutSignals guard;
    file = mkstemp(temporary_.data());
    if (file >= 0) std::memcpy(unfinished.data(), temporary_.c_str(), temporary_.size() + 1);
  }
  if (file < 0) fail("creating", path_);
  last_names() = {temporary_, path_};
  set_usual_permissions(file);
  close(file);
}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  unfinished[0] = '\0';
}

void OutputFile::commit() {
  if (!sync_file(temporary_)) fail("writing", path_);
  const bool done =
      replace_ ? rename(temporary_.c_str(), path_.c_str()) == 0 : rename_to_new(temporary_, path_);
  if (!done && !replace_ && errno == EEXIST) refuse_existing(path_);
  if (!done) fail("renaming a temporary file to", path_);
  unfinished[0] = '\0';
  temporary_.clear();
}

}  // namespace filigree::tools
