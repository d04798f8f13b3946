// SPDX-License-Identifier: Apache-2.0
//
// The driver "local" opens URLs of the form local://PATH as the POSIX driver opens PATH.
#include "io/local/local_driver.hpp"

#include <memory>
#include <string>

#include "io/posix/posix_driver.hpp"

namespace filigree::io {
namespace {

std::string system_path(const std::string& path) {
  const std::string prefix = "local://";
  return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

}  // namespace

DriverKind local_driver() {
  DriverKind kind;
  kind.name = kind.url_scheme = "local";
  kind.open = [](const DriverRequest& request) {
    return std::make_unique<PosixFile>(system_path(request.path), request.mode,
                                       posix_options(request.access));
  };
  kind.superblock_path = [](const std::string& path, const DriverChoice&) { return system_path(path); };
  return kind;
}

}  // namespace filigree::io
