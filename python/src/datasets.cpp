// SPDX-License-Identifier: Apache-2.0
//
// Datasets: properties, reading and writing.
#include <pybind11/stl.h>

#include <filigree/dataset.hpp>
#include <filigree/sparse.hpp>

#include "core.hpp"
#include "elements.hpp"
#include "options.hpp"

namespace filigree::python {

namespace {

void read(const Dataset& dataset, const Elements& elements, py::array array, const Selection& selection) {
  const std::size_t count = elements.count_in(array);
  TransferOptions options;
  options.rules = elements.rules();
  elements.read(array.mutable_data(), count, [&](void* memory) {
    dataset.read_elements(elements.memory_type(), memory, count, selection, options);
  });
}

void write(Dataset& dataset, const Elements& elements, const py::array& array, const Selection& selection) {
  const std::size_t count = elements.count_in(array);
  TransferOptions options;
  options.rules = elements.rules();
  elements.write(array.data(), count, [&](const void* memory) {
    dataset.write_elements(elements.memory_type(), memory, count, selection, options);
  });
}

/// Reads the fill value into an array of one element.
void read_fill(const Dataset& dataset, const Elements& elements, py::array array) {
  if (elements.count_in(array) != 1) throw py::value_error("the fill value is one element");
  // The default is zero, which the caller's array has.
  if (!elements.has_objects() && released([&] { return dataset.fill_bytes().empty(); })) return;
  TransferOptions options;
  options.rules = elements.rules();
  elements.read(array.mutable_data(), 1, [&](void* memory) {
    fill_element(dataset).read_elements(elements.memory_type(), memory, 1, {}, options);
  });
}

const char* layout_name(Layout layout) {
  switch (layout) {
    case Layout::compact:
      return "compact";
    case Layout::contiguous:
      return "contiguous";
    case Layout::chunked:
      return "chunked";
    case Layout::virtual_dataset:
      return "virtual";
    case Layout::structured:
      return "structured";
  }
  return "";
}

const char* fill_name(Fill::State state) {
  switch (state) {
    case Fill::State::standard:
      return "default";
    case Fill::State::undefined:
      return "undefined";
    case Fill::State::value:
      return "value";
  }
  return "";
}

py::dict info_of(const Dataset& dataset) {
  const DatasetInfo info = released([&] { return dataset.dataset_info(); });
  py::dict result;
  result["layout"] = layout_name(info.layout);
  result["fill"] = fill_name(info.fill);
  result["chunk"] = info.chunk.empty() ? py::object(py::none()) : py::object(to_tuple(info.chunk));
  result["filters"] = from_filters(info.filters);
  result["sparse"] = info.sparse;
  result["portable"] = info.portable;
  result["value_filters"] = from_filters(info.value_filters);
  result["selection_filters"] = from_filters(info.selection_filters);
  result["heap_filters"] = from_filters(info.heap_filters);
  result["data_bytes"] = info.data_bytes;
  result["data_address"] = info.data_address;
  return result;
}

py::list external_of(const Dataset& dataset) {
  const DatasetInfo info = released([&] { return dataset.dataset_info(); });
  py::list list;
  for (const ExternalFile& file : info.external)
    list.append(py::make_tuple(Text{file.path}, file.offset, file.bytes));
  return list;
}

py::list virtual_sources_of(const Dataset& dataset) {
  const DatasetInfo info = released([&] { return dataset.dataset_info(); });
  py::list list;
  for (const VirtualSource& source : info.virtual_sources)
    list.append(py::make_tuple(Text{source.file}, Text{source.dataset}, source.source, source.selection));
  return list;
}

/// Properties of the creation options that a new dataset of the same kind takes over.
py::dict creation_of(const Dataset& dataset) {
  const DatasetOptions options = released([&] { return dataset.creation_options(); });
  py::dict result;
  result["track_times"] = options.track_times;
  result["track_attribute_order"] = options.attributes.track_order;
  result["fill_time"] = options.fill_time == FillTime::never           ? "never"
                        : options.fill_time == FillTime::on_allocation ? "alloc"
                                                                       : "ifset";
  return result;
}

}  // namespace

void bind_datasets(py::module_& module) {
  py::class_<Dataset, Object, Handle<Dataset>>(module, "Dataset")
      .def_property_readonly(
          "space", [](const Dataset& self) { return from_dataspace(released([&] { return self.space(); })); })
      .def_property_readonly("datatype", py::cpp_function(&Dataset::datatype, Released()))
      .def_property_readonly("is_virtual", py::cpp_function(&Dataset::is_virtual, Released()))
      .def("info", &info_of)
      .def("creation", &creation_of)
      .def("external", &external_of)
      .def("virtual_sources", &virtual_sources_of)
      .def("stored_bytes", &Dataset::stored_bytes, Released())
      .def("read", &read)
      .def(
          "require_elements",
          [](const Dataset& self, const Elements& elements, std::uint64_t count) {
            self.require_elements(elements.memory_type(), count);
          },
          Released())
      .def("write", &write)
      .def("read_fill", &read_fill)
      .def("resize",
           [](Dataset& self, const py::handle& dims) {
             const Dims to = to_dims(dims);
             released([&] { self.resize(to); });
           })
      .def("region_reference", &Dataset::region_reference, Released())
      .def(
          "set_virtual_prefix",
          [](Dataset& self, const Text& folder) { self.set_virtual_prefix(folder.value); }, Released())
      .def(
          "set_external_data_prefix",
          [](Dataset& self, const Text& folder) { self.set_external_data_prefix(folder.value); }, Released())
      .def(
          "set_chunk_cache",
          [](Dataset& self, std::optional<std::size_t> chunks, std::optional<std::size_t> bytes,
             std::optional<double> preemption) {
            self.set_chunk_cache(ChunkCacheOptions{chunks, bytes, preemption});
          },
          Released());
}

}  // namespace filigree::python
