// SPDX-License-Identifier: Apache-2.0
//
// What the commands share: how a command is set up, and how it reports its result.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace filigree::tools {

/// The exit code of the process.
enum class Exit : int { ok = 0, failed = 1, usage = 2 };

/// The work of a command, which runs after all arguments were parsed.
using Run = std::function<Exit()>;

/// One row of the table in commands.inc.
struct Command {
  const char* name;
  const char* summary;
  /// Adds options and help to `command`, and a callback that sets `run` when the user chooses the command.
  void (*set_up)(CLI::App& command, Run& run);
};

#define FILIGREE_COMMAND(name, summary) void set_up_##name(CLI::App& command, Run& run);
#include "commands.inc"
#undef FILIGREE_COMMAND

/// Prints "filigree: SUBJECT: MESSAGE" on the error stream, after what was printed so far.
void complain(std::string_view subject, std::string_view message);

}  // namespace filigree::tools
