// SPDX-License-Identifier: Apache-2.0
#include "file_objects.hpp"

#include <optional>
#include <span>
#include <string>

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
    // The library knows only errors; the interpreter raises the interrupt anew in the main thread.
    if (failure.matches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();
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
      for (const WriteExtent& extent : extents) write_one(extent.offset, extent.from);
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
      constexpr std::byte nul{};
      write_one(bytes - 1, {&nul, 1});
    });
  }
  void flush() override {
    locked("flush", [&] {
      if (py::hasattr(*object_, "flush")) object_->attr("flush")();
    });
  }
  void lock(LockKind) override {}

 private:
  /// Calls a method with a view of memory, which ends with the call: nobody may keep it. Returns the number
  /// of bytes that the method says, or nothing for None.
  std::optional<std::size_t> call(const char* method, const py::memoryview& view) {
    py::object count;
    try {
      count = object_->attr(method)(view);
    } catch (py::error_already_set&) {
      try {
        view.attr("release")();
      } catch (py::error_already_set&) {  // the first failure is the one to report
      }
      throw;
    }
    view.attr("release")();
    if (count.is_none()) return std::nullopt;
    return py::cast<std::size_t>(count);
  }

  /// Writes all bytes: a raw stream may write fewer than it is given.
  void write_one(std::uint64_t offset, std::span<const std::byte> from) {
    object_->attr("seek")(offset);
    while (!from.empty()) {
      const auto count = call("write", py::memoryview::from_memory(static_cast<const void*>(from.data()),
                                                                   static_cast<py::ssize_t>(from.size())));
      if (!count) return;  // an object that does not count writes everything
      if (*count == 0 || *count > from.size())
        throw Error(ErrorKind::io, "the file-like object writes fewer bytes than it is given");
      from = from.subspan(*count);
    }
  }

  void read_one(const ReadExtent& extent) {
    object_->attr("seek")(extent.offset);
    std::size_t done = 0;
    while (done < extent.into.size()) {
      const auto rest = extent.into.subspan(done);
      std::size_t got = 0;
      if (py::hasattr(*object_, "readinto")) {
        got =
            call("readinto", py::memoryview::from_memory(rest.data(), static_cast<py::ssize_t>(rest.size())))
                .value_or(0);
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
    // The files of external links and virtual datasets are opened by the driver of the file that names them.
    if (!request.path.empty())
      throw Error(ErrorKind::not_found,
                  "a file-like object holds one file: there is no '" + request.path + "'");
    auto file = std::make_unique<FileObject>(shared);
    if (request.mode == DriverOpenMode::create_truncate) file->truncate(0);
    return file;
  };
  return driver;
}

}  // namespace filigree::python
