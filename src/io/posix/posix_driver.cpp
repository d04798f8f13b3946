// SPDX-License-Identifier: Apache-2.0
#include "io/posix/posix_driver.hpp"

namespace filigree::io {

PosixOptions posix_options(const AccessOptions& access) {
  PosixOptions options;
  switch (access.locking) {
    case Locking::automatic:
      options.lock = LockPolicy::writers;
      break;
    case Locking::off:
      options.lock = LockPolicy::never;
      break;
    case Locking::on:
      options.lock = LockPolicy::required;
      break;
  }
  return options;
}

DriverKind posix_driver() {
  DriverKind kind;
  kind.name = PosixDriver::driver_name;
  kind.open = [](const DriverRequest& request) {
    return std::make_unique<PosixFile>(request.path, request.mode, posix_options(request.access));
  };
  return kind;
}

}  // namespace filigree::io
