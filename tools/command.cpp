// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "text.hpp"

namespace filigree::tools {

void complain(std::string_view subject, std::string_view message) {
  std::fflush(stdout);
  const std::string line = fmt::format("filigree: {}: {}\n", printable(subject), printable(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace filigree::tools
