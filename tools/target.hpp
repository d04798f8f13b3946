// SPDX-License-Identifier: Apache-2.0
//
// Arguments of the form FILE[/path], FILE/path[slice] and FILE::path.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "slice.hpp"

namespace filigree::tools {

struct Target {
  std::string file;
  std::string path;  ///< of an object in the file; begins with '/'
};

/// Splits `argument` after its longest prefix that names a file and that '/', '::' or nothing follows.
/// Without such a prefix, all of it is the file, up to '::' if there is one.
Target split_target(const std::string& argument);

/// Removes empty components and dots: "/a//./b/" becomes "/a/b".
std::string normalised(std::string_view path);

/// How commands open files: they visit an object once, so more cached metadata would only take memory.
AccessOptions access_for_one_visit();

/// Opens a file that was not closed, too, for commands that tell what is in a file. Sets `not_closed` then.
File open_unclosed(const std::string& path, bool& not_closed);

/// An object that the user named, and the slice behind its name.
struct OpenTarget {
  std::string argument;  ///< as the user wrote it
  File file;
  std::string path;  ///< normalised
  Object object;
  std::optional<std::vector<SliceItem>> slice;
  std::size_t slice_position = 0;  ///< of the first character after the bracket, in the argument

  /// The last component of the path; the name of the file for the root group.
  std::string name() const;
};

/// Opens the file and the object. A name that ends in brackets is a slice, unless there is such an object.
/// Throws: SliceError, with a position in the argument, for a malformed slice; Error.
OpenTarget open_target(const std::string& argument, const AccessOptions& access = access_for_one_visit());

/// Applies the slice of a target to its dataset, all of which is selected without a slice.
/// Throws: SliceError, with a position in the argument.
std::vector<SliceRange> slice_of(const OpenTarget& target, const Dataspace& space);

/// Whether a command takes slices.
enum class Slices : bool { refused, accepted };

/// Opens the targets one after the other and runs `work` for each. Reports what cannot be opened and what
/// `work` throws. Returns the gravest result: wrong usage, then failures.
Exit for_each_target(const std::vector<std::string>& arguments, Slices slices,
                     const std::function<Exit(const OpenTarget&)>& work);

/// Reports that marks in the output show what could not be read, and returns the exit code for that.
Exit report_incomplete(const std::string& argument);

/// Reports a malformed slice, with a mark below the wrong character.
void complain_about_slice(const std::string& argument, const SliceError& error);

}  // namespace filigree::tools
