// SPDX-License-Identifier: Apache-2.0
#include "io/user/user_driver.hpp"

#include <unordered_map>
#include <utility>

#include <filigree/error.hpp>

#include "base/mutex.hpp"
#include "io/user/user_driver_file.hpp"

namespace filigree::io {
namespace {

/// A number for every name, in place of an inode on a device that does not exist.
FileIdentity identity_of(const UserDriver& driver, const std::string& path) {
  constexpr std::uint64_t device = ~std::uint64_t{0};
  const std::string name = user_driver_identity(driver, path);
  static Mutex mutex;
  static auto* const numbers = new std::unordered_map<std::string, std::uint64_t>;  // never destroyed
  const MutexLock lock(mutex);
  return {device, numbers->try_emplace(name, numbers->size()).first->second};
}

const UserDriver& chosen(const DriverChoice& choice) {
  if (const UserDriver* const driver = choice.options<UserDriver>()) return *driver;
  throw Error(ErrorKind::invalid_argument, "the driver 'user' is chosen by a UserDriver, not by its name");
}

/// `find(choice)` is the driver that a row stands for.
template <class Find>
DriverKind kind_of(std::string name, Find find) {
  DriverKind kind;
  kind.name = std::move(name);
  kind.open = [find](const DriverRequest& request) {
    return open_user_driver(find(request.access.driver), request.path, request.mode, request.access);
  };
  kind.identity = [find](const std::string& path, const DriverChoice& choice) {
    return std::optional(identity_of(find(choice), path));
  };
  kind.remove = [find](const std::string& path, const DriverChoice& choice) {
    if (const UserDriver& driver = find(choice); driver.remove) driver.remove(path);
  };
  return kind;
}

}  // namespace

DriverKind user_driver() { return kind_of(std::string(UserDriver::driver_name), chosen); }

DriverKind registered_driver(UserDriver driver) {
  const auto owned = std::make_shared<const UserDriver>(std::move(driver));
  DriverKind kind =
      kind_of(owned->name, [owned](const DriverChoice&) -> const UserDriver& { return *owned; });
  kind.url_scheme = owned->url_scheme;
  kind.takes_configuration = true;
  return kind;
}

}  // namespace filigree::io
