// SPDX-License-Identifier: Apache-2.0
//
// What the commands that change files share: how they name what does not exist yet, and how they change a
// file.
#pragma once

#include <functional>
#include <string>

#include <filigree/filigree.hpp>

#include "command.hpp"

namespace filigree::tools {

/// A path in a file, both of which may be new.
struct Destination {
  std::string file;
  std::string path;  ///< normalised
  bool is_new_file = false;
};

/// Takes an argument apart. If no part of it names a file, then the first part that is no folder names a new
/// one: "d/new.h5/x". It must have a suffix, unless '::' follows, so that a misspelt folder creates no file.
/// Throws: Error(not_found) if it has none.
Destination parse_destination(const std::string& argument);

/// Returns the path of a link that is to be created: `path`, or `name` below it if it is a group, as in a
/// shell. Throws: Error(invalid_argument) if it would be the root group.
std::string new_link_path(const Group& root, const std::string& path, const std::string& name);

/// Returns the last component of a path; nothing for "/".
std::string last_component(const std::string& path);

/// Whether changes are made or only told.
enum class Effect : bool { told, made };

/// Opens `file`, for writing if changes are made, runs `work` and closes the file. Signals that end the
/// process wait until the file is closed. Reports failures as those of `argument`.
Exit change_file(const std::string& argument, const std::string& file, Effect effect,
                 const std::function<void(File&)>& work);

/// Prints "FILE: DONE" or "FILE: would INTENDED".
void tell(Effect effect, const std::string& file, const std::string& done, const std::string& intended);

/// Adds the option -n.
void add_dry_run_option(CLI::App& command, Effect& effect);

}  // namespace filigree::tools
