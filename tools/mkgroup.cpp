// SPDX-License-Identifier: Apache-2.0
//
// `filigree mkgroup`: creates groups, and files for them.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "changes.hpp"
#include "command.hpp"
#include "details.hpp"
#include "output_file.hpp"
#include "target.hpp"

namespace filigree::tools {
namespace {

struct GroupCommand {
  std::vector<std::string> targets;
  bool parents = false, track_order = false, latest = false;
  Effect effect = Effect::made;
};

void create_group(const GroupCommand& command, File& file, const std::string& shown_file,
                  const std::string& path) {
  Group root = file.root();
  const auto existing = path == "/" ? std::optional<Object>(root) : root.find(path);
  if (existing && command.parents && existing->kind() == ObjectKind::group)
    return tell(command.effect, shown_file, path + " exists already",
                fmt::format("change nothing, {} exists", path));
  if (existing || root.has_link(path))
    throw Error(ErrorKind::already_exists, fmt::format("'{}' exists already", path));
  if (command.effect == Effect::made) {
    GroupOptions options;
    options.track_order = options.index_order = command.track_order;
    LinkOptions link;
    link.create_parents = command.parents;
    root.create_group(path, options, link);
  }
  tell(command.effect, shown_file, "created group " + path, "create group " + path);
}

void create_file(const GroupCommand& command, const Destination& to) {
  if (command.effect == Effect::told)
    return tell(command.effect, to.file, "", "be created; create group " + to.path);
  OutputFile output(to.file, false);
  AccessOptions access;
  if (command.latest) access.versions.low = Version::latest;
  CreateOptions options;
  options.root.track_order = options.root.index_order = command.track_order;
  File made = File::create(output.temporary_path(), CreateMode::truncate, options, access);
  if (to.path != "/") create_group(command, made, to.file, to.path);
  made.close();
  output.commit();
}

Exit create_one(const GroupCommand& command, const std::string& argument) {
  try {
    const Destination to = parse_destination(argument);
    if (!to.is_new_file) {
      return change_file(argument, to.file, command.effect,
                         [&](File& file) { create_group(command, file, to.file, to.path); });
    }
    create_file(command, to);
    return Exit::ok;
  } catch (const Error& error) {
    complain(argument, OutputFile::with_final_name(error_text(error, split_target(argument).file)));
    return Exit::failed;
  }
}

Exit create_groups(const GroupCommand& command) {
  Exit result = Exit::ok;
  for (const std::string& argument : command.targets)
    result = std::max(result, create_one(command, argument));
  return result;
}

constexpr const char* explanation =
    R"(Creates groups. A file that does not exist is created, too, if its name has a suffix.

Examples:
  filigree mkgroup run.h5/entry
  filigree mkgroup -p new.h5/entry/instrument/detector)";

}  // namespace

void set_up_mkgroup(CLI::App& command, Run& run) {
  static GroupCommand group_command;
  command.add_flag("-p,--parents", group_command.parents,
                   "Create missing groups on the way, and accept a group that exists");
  command.add_flag("--track-order", group_command.track_order, "Record the order in which links are created");
  command.add_flag("--latest", group_command.latest, "Give a new file the newest format");
  add_dry_run_option(command, group_command.effect);
  command.add_option("TARGET", group_command.targets, "FILE/path")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return create_groups(group_command); }; });
}

}  // namespace filigree::tools
