// SPDX-License-Identifier: Apache-2.0
//
// New files, which get their name when they are complete.
#pragma once

#include <cstdint>
#include <string>

namespace filigree::tools {

/// A file that is written under a temporary name in the folder of its final name.
///
/// It disappears when the object is destroyed before commit(), and when a signal that handle_interrupts()
/// handles ends the process. There is at most one at a time.
class OutputFile {
 public:
  /// Creates an empty file. Throws: Error(already_exists) if `path` exists, unless `replace`; Error.
  OutputFile(std::string path, bool replace);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& temporary_path() const { return temporary_; }
  /// Writes the file to the device and gives it its name. Requires: no other handle has unwritten data.
  /// Throws: Error(already_exists) if a file of that name has appeared, unless it is to be replaced.
  void commit();

  /// Returns `text` with the final name of the last such file where it has the temporary one, which users do
  /// not know.
  static std::string with_final_name(std::string text);

 private:
  std::string path_, temporary_;
  bool replace_;
};

/// Returns whether two paths name the same file.
bool is_same_file(const std::string& a, const std::string& b);
/// Returns the size of a file; 0 if there is none.
std::uint64_t file_bytes(const std::string& path);

/// While it lives, a signal that would end the process waits until it is destroyed, so that a file is closed
/// before. A second signal does not wait. There is at most one at a time.
class DelayedInterrupts {
 public:
  /// `file` is the file that is being changed, for the message that the first signal prints.
  explicit DelayedInterrupts(const std::string& file);
  /// Ends the process if a signal came.
  ~DelayedInterrupts();
  DelayedInterrupts(const DelayedInterrupts&) = delete;
  DelayedInterrupts& operator=(const DelayedInterrupts&) = delete;
};

/// SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU end the process from now on with the exit code 128 plus the
/// number of the signal: 130 after Ctrl-C. SIGXFSZ is ignored. main() calls this once.
void handle_interrupts();

}  // namespace filigree::tools
