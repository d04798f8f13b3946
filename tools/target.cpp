// SPDX-License-Identifier: Apache-2.0
#include "target.hpp"

#include <filesystem>

namespace filigree::tools {

namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

}  // namespace

Target split_target(const std::string& argument) {
  std::size_t end = argument.size();
  while (end > 0 && end != std::string::npos) {
    const std::string file = argument.substr(0, end);
    if (is_file(file)) return {file, "/" + argument.substr(std::min(argument.size(), end + 1))};
    end = argument.rfind('/', end - 1);
  }
  return {argument, "/"};
}

}  // namespace filigree::tools
