// SPDX-License-Identifier: Apache-2.0
//
// The command `filigree`: chooses the subcommand and turns failures into exit codes.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "text.hpp"

namespace filigree::tools {

void complain(std::string_view subject, std::string_view message) {
  std::fflush(stdout);
  const std::string line = fmt::format("filigree: {}: {}\n", printable(subject), printable(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

namespace {

/// Letters to insert, drop or replace to turn `a` into `b`.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

Exit refuse_command(const std::vector<std::string>& names, const std::string& word) {
  const auto nearest =
      std::ranges::min_element(names, {}, [&](const std::string& name) { return distance(name, word); });
  const bool close = distance(*nearest, word) <= std::max<std::size_t>(1, word.size() / 2);
  complain(word, close ? fmt::format("no such command; did you mean '{}'?", *nearest)
                       : fmt::format("no such command; there are: {} (see filigree --help)",
                                     fmt::join(names, ", ")));
  return Exit::usage;
}

/// A full device shows when the last output is pushed out.
Exit finish_output(Exit result) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return result;
  if (errno != EPIPE) complain("standard output", std::strerror(errno));
  return Exit::failed;
}

Exit run_command(int argc, char** argv) {
  CLI::App app{"Looks at HDF5 files.", "filigree"};
  app.set_version_flag("--version", "filigree " FILIGREE_VERSION, "Show the version and end");
  app.set_help_flag("-h,--help", "Show this help and end");
  app.require_subcommand(1);
  app.footer(
      "'filigree COMMAND --help' tells more about a command.\n"
      "Exit codes: 0 all went well, 1 something could not be read, 2 wrong usage.");
  Run run;
  add_ls(app, run);
  add_clear(app, run);
  const std::vector<std::string> names = command_names(app);
  if (argc > 1 && argv[1][0] != '-' && std::ranges::find(names, argv[1]) == names.end())
    return refuse_command(names, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    app.exit(asked);  // --help and --version
    return Exit::ok;
  } catch (const CLI::ParseError& error) {
    const std::string command =
        app.get_subcommands().empty() ? "" : " " + app.get_subcommands().front()->get_name();
    std::fputs(
        fmt::format("filigree: {}\nSee filigree{} --help.\n", printable(error.what()), command).c_str(),
        stderr);
    return Exit::usage;
  }
  return run();
}

}  // namespace
}  // namespace filigree::tools

int main(int argc, char** argv) {
  using filigree::tools::Exit;
  // Some parents ignore it, which would turn a reader that has seen enough into an error message.
  std::signal(SIGPIPE, SIG_DFL);
  Exit result = Exit::failed;
  try {
    result = filigree::tools::run_command(argc, argv);
  } catch (const std::exception& error) {
    filigree::tools::complain("unexpected failure", error.what());
  }
  return static_cast<int>(filigree::tools::finish_output(result));
}
