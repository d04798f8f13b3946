// SPDX-License-Identifier: Apache-2.0
//
// `filigree rm`: removes links, and objects with their last link.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "changes.hpp"
#include "command.hpp"
#include "target.hpp"
#include "text.hpp"

namespace filigree::tools {
namespace {

struct RemoveCommand {
  std::vector<std::string> targets;
  bool recursive = false, force = false;
  Effect effect = Effect::made;
};

/// "dataset", "group with 3 links" and so on, and what becomes of it.
std::string fate_of(const Group& root, const Link& link, const std::string& path) {
  switch (link.kind) {
    case LinkKind::soft:
      return "a soft link";
    case LinkKind::external:
      return "an external link";
    case LinkKind::user:
      return "a user-defined link";
    case LinkKind::hard:
      break;
  }
  const Object object = root.open(path);
  std::string text = "a committed datatype";
  if (object.kind() == ObjectKind::dataset) text = "a dataset";
  if (object.kind() == ObjectKind::group) {
    const std::uint64_t links = Group(object).size();
    text = fmt::format("a group with {} link{}", grouped(links), links == 1 ? "" : "s");
  }
  const std::uint32_t others = object.info().link_count - 1;
  return others == 0 ? text : fmt::format("{}; {} other link{}", text, others, others == 1 ? "" : "s");
}

/// Throws: Error(invalid_argument) for a group that would be lost with its members.
void refuse_members(const Group& root, const Link& link, const std::string& path) {
  if (link.kind != LinkKind::hard) return;
  const Object object = root.open(path);
  if (object.kind() != ObjectKind::group || object.info().link_count > 1) return;
  if (Group(object).size() > 0)
    throw Error(ErrorKind::invalid_argument, fmt::format("the group '{}' is not empty; use -r", path));
}

void remove_link(const RemoveCommand& command, File& file, const std::string& shown_file,
                 const std::string& path) {
  Group root = file.root();
  if (path == "/") throw Error(ErrorKind::invalid_argument, "the root group cannot be removed");
  const auto link = root.find_link(path);
  if (!link) {
    if (command.force) return;
    throw Error(ErrorKind::not_found, fmt::format("there is no '{}'", path));
  }
  std::string fate = "damaged";
  try {
    if (!command.recursive) refuse_members(root, *link, path);
    fate = fate_of(root, *link, path);
  } catch (const Error& error) {
    // An object that cannot be read can be removed with --force: the link is all that there is.
    if (error.kind() == ErrorKind::invalid_argument || !command.force) throw;
  }
  if (command.effect == Effect::made) root.remove(path);
  const std::string what = fmt::format("{} ({})", path, fate);
  tell(command.effect, shown_file, "removed " + what, "remove " + what);
}

Exit remove_links(const RemoveCommand& command) {
  Exit result = Exit::ok;
  for (const std::string& argument : command.targets) {
    const Target target = split_target(argument);
    result = std::max(result, change_file(argument, target.file, command.effect, [&](File& file) {
                        remove_link(command, file, target.file, normalised(target.path));
                      }));
  }
  return result;
}

constexpr const char* explanation =
    R"(Removes links. An object goes with its last link, and a group with all below it. Its space is free for new
data of the file; 'filigree repack' makes the file smaller. Links are not followed: of a soft link, the link
is removed and its target stays.

Examples:
  filigree rm run.h5/entry/draft
  filigree rm -r run.h5/entry/old_group)";

}  // namespace

void set_up_rm(CLI::App& command, Run& run) {
  static RemoveCommand remove_command;
  command.add_flag("-r,--recursive", remove_command.recursive, "Remove groups with all below them");
  command.add_flag("-f,--force", remove_command.force,
                   "Ignore what does not exist, and remove objects that cannot be read");
  add_dry_run_option(command, remove_command.effect);
  command.add_option("TARGET", remove_command.targets, "FILE/path")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return remove_links(remove_command); }; });
}

}  // namespace filigree::tools
