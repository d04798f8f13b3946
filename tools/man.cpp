// SPDX-License-Identifier: Apache-2.0
//
// `filigree man`: manual pages, made from the same source as --help.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "manual.hpp"

namespace filigree::tools {
namespace {

struct ManualOptions {
  std::string command, folder;
};

bool write_page(const std::filesystem::path& folder, const DescribedCommand& command,
                const DescribedCommand& all) {
  std::ofstream page(folder / (manual_name(command) + ".1"), std::ios::binary);
  page << manual_page(command, all);
  return static_cast<bool>(page.flush());
}

Exit write_pages(const DescribedCommand& all, const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  bool done = !failure && write_page(folder, all, all);
  for (const DescribedCommand& command : all.commands) done = done && write_page(folder, command, all);
  if (!done) complain(folder, "the pages cannot be written");
  return done ? Exit::ok : Exit::failed;
}

Exit print_manual(const DescribedCommand& all, const ManualOptions& options) {
  if (!options.folder.empty()) return write_pages(all, options.folder);
  const DescribedCommand* found = options.command.empty() ? &all : nullptr;
  for (const DescribedCommand& command : all.commands)
    if (command.name == all.name + " " + options.command) found = &command;
  if (found == nullptr) {
    complain(options.command, "no such command; see filigree --help");
    return Exit::usage;
  }
  const std::string page = manual_page(*found, all);
  std::fwrite(page.data(), 1, page.size(), stdout);
  return Exit::ok;
}

constexpr const char* explanation =
    R"(Prints a manual page in the language of man(7). 'make install' installs all of them.

Examples:
  filigree man show | man -l -
  filigree man --folder ~/.local/share/man/man1)";

}  // namespace

void set_up_man(CLI::App& command, Run& run) {
  static ManualOptions options;
  command.add_option("--folder", options.folder, "Write all pages into this folder")->type_name("FOLDER");
  command.add_option("COMMAND", options.command, "The command; without one, the program");
  command.footer(explanation);
  command.callback([&command, &run] {
    run = [&command] { return print_manual(describe_program(*command.get_parent()), options); };
  });
}

}  // namespace filigree::tools
