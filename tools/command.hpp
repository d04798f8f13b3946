// SPDX-License-Identifier: Apache-2.0
//
// What the subcommands share: how they are registered, and how they end.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace filigree::tools {

/// What the process returns.
enum class Exit : int { ok = 0, failed = 1, usage = 2 };

/// Adds a subcommand to `app`; when it is chosen, `run` is set to what it does.
using Run = std::function<Exit()>;
void add_clear(CLI::App& app, Run& run);
void add_ls(CLI::App& app, Run& run);

/// "filigree: SUBJECT: MESSAGE" on the error stream, after what was printed so far.
void complain(std::string_view subject, std::string_view message);

}  // namespace filigree::tools
