// SPDX-License-Identifier: Apache-2.0
//
// The objects of a file as a tree, for `filigree tree` and for the JSON of `filigree ls`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command.hpp"
#include "terminal.hpp"

namespace filigree::tools {

struct TreeOptions {
  std::vector<std::string> targets;
  bool attributes = false;               ///< show them with their values
  std::size_t levels = ~std::size_t{0};  ///< of groups
  bool json = false;
  ColorChoice color = ColorChoice::automatic;
};

Exit show_trees(const TreeOptions& options);

}  // namespace filigree::tools
