// SPDX-License-Identifier: Apache-2.0
//
// The commands as the program itself describes them, for manual pages and completions.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace filigree::tools {

/// An option or argument of a command.
struct DescribedOption {
  std::vector<std::string> names;    ///< "-n", "--lines"; the word of an argument, such as "TARGET"
  std::string value;                 ///< "N"; empty for flags and arguments
  std::vector<std::string> choices;  ///< all values that it takes; empty for others
  std::string text;
  bool is_argument = false;
  bool is_required = false, is_repeated = false;  ///< of arguments
};

/// A command, or one of its subcommands.
struct DescribedCommand {
  std::string name;  ///< "tree", "attr set"
  std::string summary;
  std::string text;  ///< what its help says below the options, without examples
  std::string examples;
  std::vector<DescribedOption> options;
  std::vector<DescribedCommand> commands;
};

/// Describes the whole program; hidden commands are left out.
DescribedCommand describe_program(const CLI::App& program);

/// Returns the page of a command in the language of man(7); `all` is the whole program.
std::string manual_page(const DescribedCommand& command, const DescribedCommand& all);

/// Returns the name of the page: "filigree", "filigree-tree".
std::string manual_name(const DescribedCommand& command);

}  // namespace filigree::tools
