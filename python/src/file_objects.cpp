// SPDX-License-Identifier: Apache-2.0
#include "file_objects.hpp"

#include <filigree/error.hpp>

namespace filigree::python {

namespace {

/// Runs `work` with the interpreter's lock, and turns exceptions of Python into errors of the driver.
template <class Work>
auto locked(const char* doing, const Work& work) {
  const py::gil_scoped_acquire acquire;
  try {
    return work();
  } catch (py::error_already_set& failure) {
    throw Error(ErrorKind::io,
                std::string("the file-like object fails in ") + doing + "(): " + failure.what());
  }
}

/// An object that several threads may release.
using Shared = std::shared_ptr<py::object>;

Shared share(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            const py::gil_scoped_acquire acquire;
            delete held;
          }};
}

class FileObject : public FileDriver {
 public:
  explicit FileObject(Shared object) : object_(std::move(object)) {}

  void read(std::span<const ReadExtent> extents) override {
    locked("read", [&] {
      for (const ReadExtent& extent : extents) read_one(extent);
    });
  }
  void write(std::span<const WriteExtent> extents) override {
    locked("write", [&] {
      for (const WriteExtent& extent : extents) {
        object_->attr("seek")(extent.offset);
        object_->attr("write")(py::memoryview::from_memory(
            const_cast<std::byte*>(extent.from.data()), static_cast<py::ssize_t>(extent.from.size()), true));
      }
    });
  }
  std::uint64_t size() override {
    return locked("seek", [&] { return py::cast<std::uint64_t>(object_->attr("seek")(0, 2)); });
  }
  void truncate(std::uint64_t bytes) override {
    locked("truncate", [&] {
      const auto end = py::cast<std::uint64_t>(object_->attr("seek")(0, 2));
      if (end >= bytes) return void(object_->attr("truncate")(bytes));
      // Not every file-like object grows by truncate().
      object_->attr("seek")(bytes - 1);
      object_->attr("write")(py::bytes("\0", 1));
    });
  }
  void flush() override {
    locked("flush", [&] {
      if (py::hasattr(*object_, "flush")) object_->attr("flush")();
    });
  }
  void lock(LockKind) override {}

 private:
  void read_one(const ReadExtent& extent) {
    object_->attr("seek")(extent.offset);
    std::size_t done = 0;
    while (done < extent.into.size()) {
      const auto rest = extent.into.subspan(done);
      std::size_t got = 0;
      if (py::hasattr(*object_, "readinto")) {
        const py::object count = object_->attr("readinto")(
            py::memoryview::from_memory(rest.data(), static_cast<py::ssize_t>(rest.size())));
        got = count.is_none() ? 0 : py::cast<std::size_t>(count);
      } else {
        const py::bytes bytes = object_->attr("read")(rest.size());
        const std::string_view view = bytes;
        got = std::min(view.size(), rest.size());
        std::copy_n(reinterpret_cast<const std::byte*>(view.data()), got, rest.data());
      }
      if (got == 0 || got > rest.size())
        throw Error(ErrorKind::truncated, "the file-like object returns fewer bytes than it has");
      done += got;
    }
  }

  Shared object_;
};

}  // namespace

UserDriver file_object_driver(py::object object) {
  const Shared shared = share(std::move(object));
  UserDriver driver;
  driver.name = "file-like object";
  driver.open = [shared](const DriverOpenRequest& request) -> std::unique_ptr<FileDriver> {
    auto file = std::make_unique<FileObject>(shared);
    if (request.mode == DriverOpenMode::create_truncate) file->truncate(0);
    return file;
  };
  return driver;
}

}  // namespace filigree::python
