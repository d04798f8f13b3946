// SPDX-License-Identifier: Apache-2.0
//
// `filigree count`: prints the number of links in the root group. A test adds it to a scratch copy of the
// tree.
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"

namespace filigree::tools {

void set_up_count(CLI::App& command, Run& run) {
  static std::string file;
  command.add_option("FILE", file, "The file")->required();
  command.callback([&run] {
    run = [] {
      fmt::print("{} links\n", File::open(file).root().group_info().links);
      return Exit::ok;
    };
  });
}

}  // namespace filigree::tools
