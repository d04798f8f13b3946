// SPDX-License-Identifier: Apache-2.0
#include <filigree/driver.hpp>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "base/file_lock.hpp"
#include "io/drivers.hpp"
#include "io/user/user_driver_file.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree {
namespace {

/// The way between handles and files of model/.
class Root : public Object {
 public:
  explicit Root(const File& file) : Object(file.root()) {}
  explicit Root(const std::shared_ptr<model::File>& file)
      : Object(std::make_shared<model::OpenObject>(file, file->root(), "/")) {}
  model::File& inside() const { return *impl_->file(); }
};

}  // namespace

Selection DriverSelection::selection() const { return api::SelectionAccess::make(*inside_); }

std::vector<std::uint64_t> DriverSelection::extent() const { return inside_->frame().dims(); }

File open_through(const UserDriver& driver, const std::string& path, OpenMode mode,
                  const AccessOptions& access) {
  AccessOptions through = access;
  through.driver = driver;
  const auto opened = model::File::open_path(path, mode, through);
  if (mode == OpenMode::read_write && !opened->writable())
    throw Error(ErrorKind::read_only, fmt::format("'{}' is open already, for reading only", path));
  return Root(opened).file();
}

File create_through(const UserDriver& driver, const std::string& path, CreateMode mode,
                    const CreateOptions& options, const AccessOptions& access) {
  AccessOptions through = access;
  through.driver = driver;
  return Root(model::File::create_path(path, mode, options, through)).file();
}

FileDriver* driver_of(const File& file) {
  model::File& inside = Root(file).inside();
  const FileLock::Shared shared(inside.lock());
  const io::UserDriverFile* const user = io::find_user_driver_file(inside.store().file());
  return user == nullptr ? nullptr : user->driver();
}

std::unique_ptr<FileDriver> open_file_driver(const std::string& path, DriverOpenMode mode,
                                             const AccessOptions& access) {
  return io::as_file_driver(io::open_driver(path, mode, access));
}

namespace drivers {

void add(UserDriver driver) { io::add_driver(std::move(driver)); }

bool remove(std::string_view name) { return io::remove_driver(name); }

std::optional<DriverDescription> find(std::string_view name) {
  for (DriverDescription& driver : list())
    if (driver.name == name) return std::move(driver);
  return std::nullopt;
}

std::vector<DriverDescription> list() { return io::list_drivers(); }

}  // namespace drivers
}  // namespace filigree
