// SPDX-License-Identifier: Apache-2.0
#include <filigree/driver.hpp>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "base/file_lock.hpp"
#include "model/file/user_file.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree {
namespace {

io::OpenMode open_mode(DriverMode mode) {
  switch (mode) {
    case DriverMode::read_only:
      return io::OpenMode::read_only;
    case DriverMode::read_write:
      return io::OpenMode::read_write;
    case DriverMode::create_new:
      return io::OpenMode::create_new;
    case DriverMode::create_truncate:
      break;
  }
  return io::OpenMode::create_truncate;
}

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

File open_through(const CustomDriver& driver, const std::string& path, OpenMode mode,
                  const AccessOptions& access) {
  const auto opened = model::open_through(std::make_shared<const CustomDriver>(driver), path, mode, access);
  if (mode == OpenMode::read_write && !opened->writable())
    throw Error(ErrorKind::read_only, fmt::format("'{}' is open already, for reading only", path));
  return Root(opened).file();
}

File create_through(const CustomDriver& driver, const std::string& path, CreateMode mode,
                    const CreateOptions& options, const AccessOptions& access) {
  return Root(
             model::create_through(std::make_shared<const CustomDriver>(driver), path, mode, options, access))
      .file();
}

FileDriver* driver_of(const File& file) {
  model::File& inside = Root(file).inside();
  const FileLock::Shared shared(inside.lock());
  const model::UserFile* const user = model::find_user_file(inside.store().file());
  return user == nullptr ? nullptr : user->driver();
}

std::unique_ptr<FileDriver> open_file_driver(const std::string& path, DriverMode mode,
                                             const AccessOptions& access) {
  return model::as_driver(model::open_driver(path, open_mode(mode), access));
}

}  // namespace filigree
