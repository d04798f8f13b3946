// SPDX-License-Identifier: Apache-2.0
//
// `filigree copy`: copies an object with all below it, within a file or to another one.
#include <optional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "changes.hpp"
#include "command.hpp"
#include "details.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "target.hpp"
#include "text.hpp"

namespace filigree::tools {
namespace {

struct CopyCommand {
  std::string source, destination;
  CopyOptions options;
  bool force = false;
  Effect effect = Effect::made;
};

/// Returns a name for a link that does not exist yet, beside `path`.
std::string unused_path(const Group& root, const std::string& path) {
  for (unsigned n = 0;; ++n)
    if (std::string found = fmt::format("{}.copy{}", path, n); !root.has_link(found)) return found;
}

/// One run of the command.
class Copying {
 public:
  explicit Copying(const CopyCommand& command)
      : command_(command),
        source_(split_target(command.source)),
        to_(parse_destination(command.destination)) {
    source_.path = normalised(source_.path);
  }

  Exit run() {
    if (to_.is_new_file) return command_.effect == Effect::made ? create_file() : tell_new_file();
    if (is_same_file(source_.file, to_.file)) {
      return change_file(command_.destination, to_.file, command_.effect,
                         [this](File& file) { copy(open_source(file), file); });
    }
    const File from = File::open(source_.file, OpenMode::read_only, access_for_one_visit());
    const Object object = open_source(from);
    return change_file(command_.destination, to_.file, command_.effect,
                       [&](File& file) { copy(object, file); });
  }

 private:
  Object open_source(const File& file) const {
    return source_.path == "/" ? Object(file.root()) : file.root().open(source_.path);
  }

  /// Copies to `file`, unless it is only to be told.
  void copy(const Object& object, File& file) {
    const Group root = file.root();
    const std::string path = new_link_path(root, to_.path, last_component(source_.path));
    const bool replaces = root.has_link(path);
    if (replaces && !command_.force) {
      throw Error(ErrorKind::already_exists, fmt::format("'{}' exists already; --force replaces it", path));
    }
    if (command_.effect == Effect::made) replaces ? replace(object, root, path) : copy_to(object, root, path);
    tell_copied(path, replaces);
  }

  void copy_to(const Object& object, const Group& root, const std::string& path) const {
    LinkOptions link;
    link.create_parents = command_.options.create_parents;
    object.copy_to(root, path, command_.options, link);
  }

  /// The old link is removed when the copy is complete.
  void replace(const Object& object, Group root, const std::string& path) const {
    const std::string made = unused_path(root, path);
    copy_to(object, root, made);
    root.remove(path);
    root.rename(made, path);
  }

  Exit create_file() {
    const File from = File::open(source_.file, OpenMode::read_only, access_for_one_visit());
    const Object object = open_source(from);
    OutputFile output(to_.file, false);
    AccessOptions access;
    access.versions.low = from.info().versions.low;
    File made = File::create(output.temporary_path(), CreateMode::truncate, {}, access);
    const std::string path = new_link_path(made.root(), to_.path, last_component(source_.path));
    {
      const auto written = [file = output.temporary_path()] { return file_bytes(file); };
      const Progress progress("copy", file_bytes(source_.file), written);
      copy_to(object, made.root(), path);
      made.close();
    }
    output.commit();
    tell_copied(path, false);
    return Exit::ok;
  }

  Exit tell_new_file() {
    const File from = File::open(source_.file, OpenMode::read_only, access_for_one_visit());
    open_source(from);
    const std::string name = last_component(source_.path);
    tell_copied(to_.path == "/" ? "/" + name : to_.path, false);
    return Exit::ok;
  }

  void tell_copied(const std::string& path, bool replaced) const {
    const std::string what =
        fmt::format("{}{} to {}{}", source_.file, source_.path == "/" ? "" : source_.path, path,
                    replaced ? ", replacing what was there" : "");
    const char* const fresh = to_.is_new_file ? "created; " : "";
    tell(command_.effect, to_.file, fmt::format("{}copied {}", fresh, what),
         fmt::format("{}copy {}", to_.is_new_file ? "be created; " : "", what));
  }

  const CopyCommand& command_;
  Target source_;
  Destination to_;
};

Exit copy_object(const CopyCommand& command) {
  try {
    return Copying(command).run();
  } catch (const Error& error) {
    complain(command.source,
             OutputFile::with_final_name(error_text(error, split_target(command.source).file)));
    return Exit::failed;
  }
}

constexpr const char* explanation =
    R"(Copies an object: for a group, all below it. If DESTINATION is a group, the copy gets the name of the
source in it, as with cp. A file that does not exist is created, and gets its name when it is complete.
Chunks are copied as they are stored. References within the copy lead to copied objects only with
--expand-references, as with h5copy.

Examples:
  filigree copy run.h5/entry/data picked.h5
  filigree copy run.h5/entry/data run.h5/entry/backup
  filigree copy -p run.h5/entry all.h5/2024/run7)";

}  // namespace

void set_up_copy(CLI::App& command, Run& run) {
  static CopyCommand copy;
  command.add_flag("-p,--parents", copy.options.create_parents, "Create missing groups of the destination");
  command.add_flag("-f,--force", copy.force, "Replace a link that exists");
  command.add_flag("--shallow", copy.options.shallow,
                   "Of a group, copy only its members; groups in it empty");
  command.add_flag("--expand-soft", copy.options.expand_soft,
                   "Copy the targets of soft links instead of the links");
  command.add_flag("--expand-external", copy.options.expand_external,
                   "Copy the targets of external links instead of the links");
  command.add_flag("--expand-references", copy.options.expand_references,
                   "Copy the objects that references lead to");
  command.add_flag("--without-attributes", copy.options.without_attributes, "Copy no attributes");
  command.add_flag("--merge-datatypes", copy.options.merge_datatypes,
                   "Use equal committed datatypes of the destination");
  add_dry_run_option(command, copy.effect);
  command.add_option("SOURCE", copy.source, "FILE/path")->required();
  command.add_option("DESTINATION", copy.destination, "FILE[/path]")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return copy_object(copy); }; });
}

}  // namespace filigree::tools
