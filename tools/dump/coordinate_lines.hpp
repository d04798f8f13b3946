// SPDX-License-Identifier: Apache-2.0
//
// Coordinates of blocks and points on lines of a given width.
#pragma once

#include <cstddef>
#include <string_view>

#include "ddl_output.hpp"

namespace filigree::tools {

class CoordinateLines {
 public:
  CoordinateLines(const DdlOutput& out, std::size_t columns) : out_(out), columns_(columns) {}

  /// Starts a line with a label, behind a line feed.
  void begin(std::string_view label);
  /// Adds an item, with a comma behind it unless it is the last one.
  void add(std::string_view item, bool is_last);

 private:
  const DdlOutput& out_;
  const std::size_t columns_;
  std::size_t used_ = 0;
  bool is_first_ = true;
};

}  // namespace filigree::tools
