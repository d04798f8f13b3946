// SPDX-License-Identifier: Apache-2.0
//
// `filigree clear`: removes the mark of files that were not closed.
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
      fmt::print("{}: {}\n", printable(file), File::clear_write_mark(file) ? "cleared" : "was not marked");
    } catch (const Error& error) {
      complain(file, error_text(error, file));
      result = Exit::failed;
    }
  }
  return result;
}

constexpr const char* explanation =
    R"(A program that ends while it changes a file leaves a mark in it, and the file is refused
from then on. This removes the mark and nothing else: what was written after the last flush
may be incomplete, so make a copy first and look at everything afterwards.)";

}  // namespace

void add_clear(CLI::App& app, Run& run) {
  static std::vector<std::string> files;
  CLI::App* clear = app.add_subcommand("clear", "Remove the mark of a file that was not closed");
  clear->add_option("FILE", files, "The file")->required();
  clear->footer(explanation);
  clear->callback([&run] { run = [] { return clear_files(files); }; });
}

}  // namespace filigree::tools
