// SPDX-License-Identifier: Apache-2.0
//
// `filigree ls`: lists objects and links in the format of h5ls.
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "details.hpp"
#include "target.hpp"
#include "text.hpp"
#include "tree.hpp"

namespace filigree::tools {

namespace {

constexpr std::size_t name_columns = 24;

struct ListOptions {
  std::vector<std::string> targets;
  bool recursive = false;
  bool verbose = false;
  bool json = false;
};

std::string_view kind_text(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::group:
      return "Group";
    case ObjectKind::dataset:
      return "Dataset";
    case ObjectKind::datatype:
      return "Type";
  }
  return "Unknown";
}

std::string link_text(const Link& link) {
  switch (link.kind) {
    case LinkKind::hard:
      return "Hard Link";
    case LinkKind::soft:
      return fmt::format("Soft Link {{{}}}", printable(link.target));
    case LinkKind::external: {
      const char* slash = link.target.starts_with('/') ? "/" : "//";
      return fmt::format("External Link {{{}{}{}}}", printable(link.file), slash, printable(link.target));
    }
    case LinkKind::user:
      return "UD Link {cannot follow UD links}";
  }
  return "Unknown Link";
}

/// Joins `top`, the path of the listed group, and `path`, which starts at that group.
std::string below(const std::string& top, const std::string& path) {
  if (path == ".") return top;
  return top == "/" ? "/" + path : top + "/" + path;
}

/// Lists one target on standard output and records whether all of it could be read.
class Listing {
 public:
  explicit Listing(const ListOptions& options) : options_(options) {}

  void run(const Target& target) {
    const File file = File::open(target.file, OpenMode::read_only, access_for_one_visit());
    file_ = file.name();
    if (options_.verbose) put(file_details(file));
    const std::string path = normalised(target.path);
    const Group root = file.root();
    if (path != "/" && !target.path.ends_with('/')) {
      if (const Link link = root.link(path); link.kind != LinkKind::hard) return list_link(path, link);
    }
    const Object object = path == "/" ? Object(root) : root.open(path);
    if (object.kind() == ObjectKind::group) {
      list_group(Group(object), path);
    } else {
      list_object(options_.recursive ? path : path.substr(path.rfind('/') + 1), object);
    }
  }

  bool complete() const { return complete_; }

 private:
  static void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

  void line(const std::string& name, const std::string& what, const Error* error = nullptr) {
    std::string text = padded(escaped_name(name), name_columns) + " " + what;
    if (error != nullptr) {
      complete_ = false;
      text += (what.empty() ? "" : " ") + error_mark(*error, file_);
    }
    put(text + "\n");
  }

  void list_link(const std::string& path, const Link& link) {
    line(options_.recursive ? path : path.substr(path.rfind('/') + 1), link_text(link));
    if (options_.verbose && link.kind == LinkKind::user) {
      put(fmt::format("    {:<11} {}, {} bytes of data\n", "Kind:", link.user_kind, link.user_data.size()));
    }
  }

  void list_object(const std::string& name, const Object& object, const Error* error = nullptr) {
    const ObjectKind kind = object.kind();
    std::string what(kind_text(kind));
    try {
      if (kind == ObjectKind::dataset) what += " " + Dataset(object).space().text();
      line(name, what, error);
    } catch (const Error& broken) {
      line(name, what, &broken);
    }
    if (!options_.verbose) return;
    const Details details = object_details(object);
    put(details.text);
    if (!details.complete) complete_ = false;
  }

  void list_group(const Group& group, const std::string& top) {
    VisitOptions visit;
    visit.into_groups = options_.recursive;
    visit.keep_going = true;
    group.visit(
        [&](const Visited& visited) {
          list_visited(visited, top);
          return true;
        },
        visit);
  }

  void list_visited(const Visited& visited, const std::string& top) {
    const bool itself = visited.link == nullptr;
    if (itself && !options_.recursive && visited.error == nullptr) return;
    const std::string path = below(top, visited.path);
    const std::string& name = options_.recursive ? path : visited.path;
    if (!itself && visited.link->kind != LinkKind::hard) return list_link(path, *visited.link);
    if (!visited.object) return line(name, "", visited.error);
    if (visited.seen_before) {
      return line(name, fmt::format("{}, same as {}", kind_text(visited.object->kind()),
                                    escaped_name(below(top, visited.first_path))));
    }
    list_object(name, *visited.object, visited.error);
  }

  const ListOptions& options_;
  std::string file_;
  bool complete_ = true;
};

/// The document is that of `filigree tree`.
Exit print_json(const ListOptions& options) {
  TreeOptions tree;
  tree.targets = options.targets;
  tree.json = true;
  tree.attributes = options.verbose;
  if (!options.recursive) tree.levels = 1;
  return show_trees(tree);
}

Exit list_targets(const ListOptions& options) {
  if (options.json) return print_json(options);
  Exit result = Exit::ok;
  for (std::size_t i = 0; i < options.targets.size(); ++i) {
    const std::string& argument = options.targets[i];
    if (options.targets.size() > 1) fmt::print("{}{}:\n", i > 0 ? "\n" : "", printable(argument));
    const Target target = split_target(argument);
    Listing listing(options);
    try {
      listing.run(target);
    } catch (const Error& error) {
      complain(argument, error_text(error, target.file));
      result = Exit::failed;
    }
    if (!listing.complete()) {
      complain(argument, "some of it could not be read; see [error: ...] above");
      result = Exit::failed;
    }
  }
  return result;
}

constexpr const char* examples =
    R"(The path names an object in the file; the default is the root group. For a group, the
command lists its links; for any other object, the object itself. Each line has a name and:
  Group, Dataset {shape}, Type       an object; 10/Inf in a shape is size/maximum
  ..., same as /x                    another hard link to an object that was listed before
  Soft Link {path}                   a soft link, not followed
  External Link {file//path}         a link to an object in another file, not followed
  UD Link {...}                      a user-defined link, not followed
  [error: ...]                       this object cannot be read; the rest is listed, and
                                     the exit code is 1
If the path ends in '/', the command follows a link and lists its target.
Spaces and special characters in names are escaped with a backslash.

Examples:
  filigree ls data.h5                the links of the root group
  filigree ls data.h5/run/1          the links of group /run/1
  filigree ls -r data.h5             all objects and links, with full paths
  filigree ls -v data.h5/run/1/image one dataset with its type and attributes)";

}  // namespace

void set_up_ls(CLI::App& command, Run& run) {
  static ListOptions options;
  command.add_flag("-r,--recursive", options.recursive, "List subgroups too, with full paths");
  command.add_flag("-v,--verbose", options.verbose,
                   "Show attributes, types, addresses, headers, times and comments");
  command.add_flag("--json", options.json, "Print what tree --json prints, one level or with -r all");
  command
      .add_option("FILE", options.targets, "A file, or a file and the path of an object in it: FILE[/path]")
      ->required();
  command.footer(examples);
  command.callback([&run] { run = [] { return list_targets(options); }; });
}

}  // namespace filigree::tools
