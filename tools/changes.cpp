// SPDX-License-Identifier: Apache-2.0
#include "changes.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "details.hpp"
#include "output_file.hpp"
#include "target.hpp"
#include "text.hpp"

namespace filigree::tools {

namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

/// Returns the end of the first part of `argument` that is no folder.
std::size_t new_file_end(const std::string& argument) {
  for (std::size_t end = argument.find('/', 1); end != std::string::npos; end = argument.find('/', end + 1))
    if (!is_folder(argument.substr(0, end))) return end;
  return argument.size();
}

}  // namespace

Destination parse_destination(const std::string& argument) {
  const Target target = split_target(argument);
  if (exists(target.file) && !is_folder(target.file)) return {target.file, normalised(target.path), false};
  if (target.file != argument) return {target.file, normalised(target.path), true};  // the user wrote '::'
  const std::size_t end = new_file_end(argument);
  const std::string file = argument.substr(0, end);
  if (is_folder(file)) throw Error(ErrorKind::invalid_argument, fmt::format("'{}' is a folder", file));
  if (!std::filesystem::path(file).has_extension()) {
    throw Error(ErrorKind::not_found,
                fmt::format("there is no file '{}'; to create one without a suffix, write {}::/path", file,
                            printable(file)));
  }
  return {file, normalised(argument.substr(end)), true};
}

std::string last_component(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string new_link_path(const Group& root, const std::string& path, const std::string& name) {
  const auto object = path == "/" ? std::optional<Object>(root) : root.find(path);
  if (!object || object->kind() != ObjectKind::group) return path;
  if (name.empty())
    throw Error(ErrorKind::invalid_argument, "the root group has no name; name its copy, as in FILE/copy");
  return (path == "/" ? "" : path) + "/" + name;
}

Exit change_file(const std::string& argument, const std::string& file, Effect effect,
                 const std::function<void(File&)>& work) {
  try {
    const DelayedInterrupts delayed(file);
    File opened = File::open(file, effect == Effect::made ? OpenMode::read_write : OpenMode::read_only,
                             access_for_one_visit());
    work(opened);
    opened.close();
    return Exit::ok;
  } catch (const Error& error) {
    complain(argument, error_text(error, file));
    return Exit::failed;
  }
}

void tell(Effect effect, const std::string& file, const std::string& done, const std::string& intended) {
  if (effect == Effect::made)
    fmt::print("{}: {}\n", printable(file), printable(done));
  else
    fmt::print("{}: would {}\n", printable(file), printable(intended));
}

void add_dry_run_option(CLI::App& command, Effect& effect) {
  effect = Effect::made;
  command.add_flag_callback(
      "-n,--dry-run", [&effect] { effect = Effect::told; }, "Only say what would be done");
}

}  // namespace filigree::tools
