// SPDX-License-Identifier: Apache-2.0
//
// What `filigree ls --verbose` adds to the line of an object.
#pragma once

#include <string>

#include <filigree/filigree.hpp>

namespace filigree::tools {

/// What happened, without the name of the file where the reader knows it.
std::string error_text(const Error& error, const std::string& file);
/// The same in the form in which listings show what is broken.
std::string error_mark(const Error& error, const std::string& file);

/// "file" line: size and format of the whole file.
std::string file_details(const File& file);

struct Details {
  std::string text;      ///< indented lines
  bool complete = true;  ///< false when something could not be read; the text says what
};
Details object_details(const Object& object);

}  // namespace filigree::tools
