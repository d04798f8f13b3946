// SPDX-License-Identifier: Apache-2.0
//
// What `filigree ls --verbose` adds to the line of an object.
#pragma once

#include <string>

#include <filigree/filigree.hpp>

namespace filigree::tools {

/// Text in the form in which listings show what is broken.
std::string error_mark(const std::string& message);

/// "file" line: size and format of the whole file.
std::string file_details(const File& file);

struct Details {
  std::string text;      ///< indented lines
  bool complete = true;  ///< false when something could not be read; the text says what
};
Details object_details(const Object& object);

}  // namespace filigree::tools
