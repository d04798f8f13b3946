// SPDX-License-Identifier: Apache-2.0
//
// The program `filigree`: runs the command that the user names and turns failures into exit codes.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "output_file.hpp"
#include "target.hpp"
#include "text.hpp"

namespace filigree::tools {

namespace {

constexpr Command commands[] = {
#define FILIGREE_COMMAND(name, summary) {#name, summary, set_up_##name},
#include "commands.inc"
#undef FILIGREE_COMMAND
};

/// The edit distance: letters to insert, delete or replace to turn `a` into `b`.
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

/// The name that users write: "portable-filter" for portable_filter.
std::string shown_name(const Command& command) {
  std::string name = command.name;
  std::ranges::replace(name, '_', '-');
  return name;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(shown_name(command));
  return names;
}

/// Whether the user names a file where a command may be.
bool names_file(const std::string& argument) {
  std::error_code ignored;
  const auto status = std::filesystem::status(split_target(argument).file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
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

/// Flushes standard output. A full device may fail only now.
Exit finish_output(Exit result, Exit failure) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return result;
  if (errno != EPIPE) complain("standard output", std::strerror(errno));
  return std::max(result, failure);
}

/// Returns the exit code of a failure. That of diff is h5diff's, where 1 means that there are differences.
Exit failure_of(const CLI::App& app) { return app.got_subcommand("diff") ? Exit::usage : Exit::failed; }

/// Sets `failure` to the exit code of what fails later, or throws.
Exit run_command(int argc, char** argv, Exit& failure) {
  CLI::App app{"Shows, compares, checks and changes HDF5 files.", "filigree"};
  app.set_version_flag("--version", "filigree " FILIGREE_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);
  app.footer(
      "'filigree help COMMAND' describes one command; 'filigree FILE' is 'filigree tree FILE'.\n"
      "Exit codes: 0 success, 1 a finding, such as something that cannot be read, 2 wrong usage;\n"
      "of diff: 0 no difference, 1 some, 2 failure. 130 after Ctrl-C.");
  Run run;
  for (const Command& command : commands)
    command.set_up(*app.add_subcommand(shown_name(command), command.summary), run);
  const std::vector<std::string> names = command_names();
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && !arguments[0].starts_with('-') &&
      std::ranges::find(names, arguments[0]) == names.end() && arguments[0] != "help") {
    if (!names_file(arguments[0])) return refuse_command(names, arguments[0]);
    arguments.insert(arguments.begin(), "tree");
  }
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.push_back("--help");
  }
  std::ranges::reverse(arguments);  // as CLI11 takes them
  try {
    app.parse(arguments);
  } catch (const CLI::Success& request) {
    app.exit(request);  // --help and --version
    return Exit::ok;
  } catch (const CLI::ParseError& error) {
    const std::string command =
        app.get_subcommands().empty() ? "" : " " + app.get_subcommands().front()->get_name();
    std::fputs(
        fmt::format("filigree: {}\nSee filigree{} --help.\n", printable(error.what()), command).c_str(),
        stderr);
    return Exit::usage;
  }
  failure = failure_of(app);
  return run();
}

}  // namespace
}  // namespace filigree::tools

int main(int argc, char** argv) {
  using filigree::tools::Exit;
  // A parent process may ignore SIGPIPE. Then a reader that closes the pipe early would cause an error
  // message.
  std::signal(SIGPIPE, SIG_DFL);
  filigree::tools::handle_interrupts();
  Exit result = Exit::failed, failure = Exit::failed;
  try {
    result = filigree::tools::run_command(argc, argv, failure);
  } catch (const std::exception& error) {
    filigree::tools::complain("unexpected failure", error.what());
    result = failure;
  }
  return static_cast<int>(filigree::tools::finish_output(result, failure));
}
