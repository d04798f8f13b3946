// SPDX-License-Identifier: Apache-2.0
#include "io/uring/uring_driver.hpp"

#include <algorithm>

#include "io/posix/posix_driver.hpp"
#include "io/uring/uring_file.hpp"

namespace filigree::io {
namespace {

std::unique_ptr<VirtualFile> open(const DriverRequest& request) {
  const UringDriver* const chosen = request.access.driver.options<UringDriver>();
  UringOptions options;
  options.posix = posix_options(request.access);
  options.depth = std::clamp(chosen == nullptr ? UringDriver{}.depth : chosen->depth, 1u, 4096u);
  auto file = std::make_unique<UringFile>(request.path, request.mode, options);
  const auto& log = request.access.log;
  if (file->refusal() && log && log->sink) log->sink(*file->refusal());
  return file;
}

}  // namespace

DriverKind uring_driver() {
  DriverKind kind;
  kind.name = UringDriver::driver_name;
  kind.open = open;
  return kind;
}

}  // namespace filigree::io
