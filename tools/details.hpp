// SPDX-License-Identifier: Apache-2.0
//
// The lines that `filigree ls --verbose` adds below an object.
#pragma once

#include <string>

#include <filigree/filigree.hpp>

namespace filigree::tools {

/// The message of `error`, without the name of the file, which the reader knows.
std::string error_text(const Error& error, const std::string& file);
/// The same message as listings show it: "[error: MESSAGE]".
std::string error_mark(const Error& error, const std::string& file);

/// The line that describes the whole file: its size and its format.
std::string file_details(const File& file);

/// Describes where elements are: "contiguous", "sparse chunks of {4, 8}".
std::string layout_text(const DatasetInfo& info);

struct Details {
  std::string text;      ///< indented lines
  bool complete = true;  ///< false if something could not be read; the text says what
};
Details object_details(const Object& object);

}  // namespace filigree::tools
