// SPDX-License-Identifier: Apache-2.0
//
// `filigree clear`: clears the status flags of files that were not closed.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "details.hpp"
#include "text.hpp"

namespace filigree::tools {
namespace {

Exit clear_files(const std::vector<std::string>& files) {
  Exit result = Exit::ok;
  for (const std::string& file : files) {
    try {
      fmt::print("{}: {}\n", printable(file),
                 File::clear_write_mark(file) ? "cleared" : "flags were not set");
    } catch (const Error& error) {
      complain(file, error_text(error, file));
      result = Exit::failed;
    }
  }
  return result;
}

constexpr const char* explanation =
    R"(A program that opens a file for writing sets status flags in its superblock. If the program
ends without closing the file, the flags stay set and the file cannot be opened. This command
clears the flags and changes nothing else: it repairs nothing. Data written after the last flush
may be incomplete, and flushed data may be missing if it was being changed. Make a copy of the
file first, and check its contents afterwards.)";

}  // namespace

void set_up_clear(CLI::App& command, Run& run) {
  static std::vector<std::string> files;
  command.add_option("FILE", files, "The files to clear")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return clear_files(files); }; });
}

}  // namespace filigree::tools
