// SPDX-License-Identifier: Apache-2.0
//
// Files: open, create, flush, close.
#include <pybind11/stl.h>

#include <filigree/driver.hpp>
#include <filigree/file.hpp>
#include <filigree/hdf5_ids.hpp>

#include "core.hpp"
#include "file_objects.hpp"
#include "options.hpp"

namespace filigree::python {

namespace {

OpenMode mode_of(bool writable) { return writable ? OpenMode::read_write : OpenMode::read_only; }
CreateMode mode_of_creation(bool exclusive) {
  return exclusive ? CreateMode::exclusive : CreateMode::truncate;
}

File open(const Text& path, bool writable, const py::dict& access) {
  const AccessOptions options = access_options(access);
  return released([&] { return File::open(path.value, mode_of(writable), options); });
}
File open_swmr(const Text& path, const py::dict& access) {
  const AccessOptions options = access_options(access);
  return released([&] { return File::open_swmr(path.value, options); });
}
File create(const Text& path, bool exclusive, const py::dict& creation, const py::dict& access) {
  const CreateOptions made = create_options(creation);
  const AccessOptions options = access_options(access);
  return released([&] { return File::create(path.value, mode_of_creation(exclusive), made, options); });
}
File create_in_memory(const py::dict& creation, const py::dict& access) {
  const CreateOptions made = create_options(creation);
  const AccessOptions options = access_options(access);
  return released([&] { return File::create_in_memory(made, options); });
}
File open_image(const py::bytes& image, bool writable, const py::dict& access) {
  const AccessOptions options = access_options(access);
  const std::string_view view = image;
  const auto* first = reinterpret_cast<const std::byte*>(view.data());
  std::vector<std::byte> bytes(first, first + view.size());
  return released([&] { return File::open_image(std::move(bytes), mode_of(writable), options); });
}
File open_object(const py::object& object, bool writable, const py::dict& access) {
  const UserDriver driver = file_object_driver(object);
  const AccessOptions options = access_options(access);
  return released([&] { return open_through(driver, "", mode_of(writable), options); });
}
File create_object(const py::object& object, bool exclusive, const py::dict& creation,
                   const py::dict& access) {
  const UserDriver driver = file_object_driver(object);
  const CreateOptions made = create_options(creation);
  const AccessOptions options = access_options(access);
  return released([&] { return create_through(driver, "", mode_of_creation(exclusive), made, options); });
}

py::bytes image_of(File& file) {
  const std::vector<std::byte> image = released([&] { return file.image(); });
  return {reinterpret_cast<const char*>(image.data()), image.size()};
}

const char* version_name(Version version) {
  switch (version) {
    case Version::earliest:
      return "earliest";
    case Version::v1_8:
      return "v108";
    case Version::v1_10:
      return "v110";
    case Version::v1_12:
      return "v112";
    case Version::v1_14:
      return "v114";
    case Version::v2_0:
      return "v200";
  }
  return "";
}

const char* strategy_name(SpaceStrategy strategy) {
  switch (strategy) {
    case SpaceStrategy::free_list:
      return "fsm";
    case SpaceStrategy::paged:
      return "page";
    case SpaceStrategy::aggregated:
      return "aggregate";
    case SpaceStrategy::none:
      return "none";
  }
  return "";
}

py::dict info_of(const File& file) {
  const FileInfo info = released([&] { return file.info(); });
  py::dict result;
  result["superblock_version"] = info.superblock_version;
  result["file_bytes"] = info.file_bytes;
  result["user_block_bytes"] = info.user_block_bytes;
  result["low"] = version_name(info.versions.low);
  result["high"] = version_name(info.versions.high);
  result["strategy"] = strategy_name(info.space.strategy);
  result["persist"] = info.space.persist;
  result["threshold"] = info.space.threshold;
  result["page_bytes"] = info.space.page_bytes;
  return result;
}

/// The object of an id of h5py; None unless h5py runs on this library. `function` is the address of
/// H5Iis_valid there.
py::object object_of_id(std::int64_t id, std::uintptr_t function) {
  const auto found = released([&] { return filigree::object_of_id(id, reinterpret_cast<void*>(function)); });
  return found ? opened(*found) : py::none();
}

void bind_file(py::class_<File, Handle<File>>& file) {
  file.def_static("open", &open)
      .def_static("open_swmr", &open_swmr)
      .def_static("create", &create)
      .def_static("create_in_memory", &create_in_memory)
      .def_static("open_image", &open_image)
      .def_static("open_object", &open_object)
      .def_static("create_object", &create_object)
      .def_static(
          "is_hdf5", [](const Text& path) { return File::is_hdf5(path.value); }, Released());
}

}  // namespace

void bind_files(py::module_& module) {
  py::class_<File, Handle<File>> file(module, "File");
  bind_file(file);
  file.def("root", &File::root, Released())
      .def_property_readonly("name", [](const File& self) { return Text{self.name()}; })
      .def_property_readonly("writable", py::cpp_function(&File::writable, Released()))
      .def("info", &info_of)
      .def("image", &image_of)
      .def("flush", &File::flush, Released())
      .def("close", &File::close, Released())
      .def("refresh", &File::refresh, Released())
      .def("start_swmr_write", &File::start_swmr_write, Released())
      .def("is_swmr_writer", &File::is_swmr_writer, Released())
      .def("descriptor", &File::descriptor, Released())
      .def(
          "__eq__", [](const File& a, const File& b) { return a == b; }, py::is_operator())
      .def("open_reference",
           [](const File& self, const ObjectReference& reference) {
             return opened(released([&] { return self.open_object(reference); }));
           })
      .def("open_region", [](const File& self, const RegionReference& reference) {
        Region region = released([&] { return self.open_region(reference); });
        return py::make_tuple(opened(region.dataset), region.selection);
      });
  file.attr("__hash__") = py::none();
  module.def("object_of_id", &object_of_id);
}

}  // namespace filigree::python
