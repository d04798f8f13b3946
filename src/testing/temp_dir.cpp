// SPDX-License-Identifier: Apache-2.0
#include "testing/temp_dir.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <stdlib.h>

namespace filigree::testing {
namespace {

void set_environment(const std::string& name, const std::optional<std::string>& value) {
  if (value) {
    setenv(name.c_str(), value->c_str(), 1);
  } else {
    unsetenv(name.c_str());
  }
}

}  // namespace

TempDir::TempDir() : path_((std::filesystem::temp_directory_path() / "filigree-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "mkdtemp " + path_);
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ScopedEnvironment::ScopedEnvironment(std::string name, std::optional<std::string> value)
    : name_(std::move(name)) {
  if (const char* before = std::getenv(name_.c_str())) before_ = before;
  set_environment(name_, value);
}

ScopedEnvironment::~ScopedEnvironment() { set_environment(name_, before_); }

}  // namespace filigree::testing
