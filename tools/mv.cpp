// SPDX-License-Identifier: Apache-2.0
//
// `filigree mv`: renames a link, or moves it to another group of the same file.
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "changes.hpp"
#include "command.hpp"
#include "output_file.hpp"
#include "target.hpp"

namespace filigree::tools {
namespace {

struct MoveCommand {
  std::string from, to;
  bool parents = false, force = false;
  Effect effect = Effect::made;
};

/// Throws: Error(invalid_argument) if the group `from` is on the way to `to`. No path would lead to it then.
void refuse_own_member(const Group& root, const std::string& from, const std::string& to) {
  const Link link = root.link(from);
  if (link.kind != LinkKind::hard) return;
  const Object moved = root.open(from);
  for (std::size_t end = to.find('/', 1); end != std::string::npos; end = to.find('/', end + 1)) {
    const auto group = root.find(to.substr(0, end));
    if (group && *group == moved) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("'{}' cannot move into itself, to '{}'", from, to));
    }
  }
}

void move_link(const MoveCommand& command, File& file, const std::string& from, const std::string& wanted) {
  Group root = file.root();
  if (from == "/") throw Error(ErrorKind::invalid_argument, "the root group cannot be moved");
  if (!root.has_link(from)) throw Error(ErrorKind::not_found, fmt::format("there is no '{}'", from));
  const std::string to = new_link_path(root, wanted, last_component(from));
  if (to == from) throw Error(ErrorKind::invalid_argument, fmt::format("'{}' has this name already", from));
  refuse_own_member(root, from, to);
  const bool replaces = root.has_link(to);
  if (replaces && !command.force)
    throw Error(ErrorKind::already_exists, fmt::format("'{}' exists already; --force replaces it", to));
  if (command.effect == Effect::made) {
    if (replaces) root.remove(to);
    LinkOptions link;
    link.create_parents = command.parents;
    root.rename(from, to, link);
  }
  const std::string what = fmt::format("{} to {}{}", from, to, replaces ? ", replacing what was there" : "");
  tell(command.effect, split_target(command.from).file, "moved " + what, "move " + what);
}

Exit move(const MoveCommand& command) {
  const Target from = split_target(command.from);
  const Target to = split_target(command.to);
  if (!is_same_file(from.file, to.file)) {
    complain(command.to, fmt::format("this is not in {}; links move within a file, 'filigree copy' copies "
                                     "between files",
                                     from.file));
    return Exit::usage;
  }
  return change_file(command.from, from.file, command.effect, [&](File& file) {
    move_link(command, file, normalised(from.path), normalised(to.path));
  });
}

constexpr const char* explanation =
    R"(Renames a link. If NEW is a group, the link moves into it and keeps its name, as with mv. The object stays
where it is in the file, and so do its data; other links to it stay, too.

Examples:
  filigree mv run.h5/entry/data run.h5/entry/image
  filigree mv -p run.h5/entry/data run.h5/raw/detector/data)";

}  // namespace

void set_up_mv(CLI::App& command, Run& run) {
  static MoveCommand move_command;
  command.add_flag("-p,--parents", move_command.parents, "Create missing groups");
  command.add_flag("-f,--force", move_command.force, "Replace a link that exists");
  add_dry_run_option(command, move_command.effect);
  command.add_option("OLD", move_command.from, "FILE/path")->required();
  command.add_option("NEW", move_command.to, "FILE/path, of the same file")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return move(move_command); }; });
}

}  // namespace filigree::tools
