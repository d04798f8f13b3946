// SPDX-License-Identifier: Apache-2.0
//
// Stored chunks.
#include <filigree/dataset.hpp>
#include <filigree/filters.hpp>

#include "core.hpp"

namespace filigree::python {

namespace {

/// A chunk as (filter mask, bytes).
py::tuple read_chunk(const Dataset& dataset, const py::handle& offset) {
  const Dims at = to_dims(offset);
  const RawChunk chunk = released([&] { return dataset.read_chunk(std::span<const std::uint64_t>(at)); });
  return py::make_tuple(chunk.filter_mask,
                        py::bytes(reinterpret_cast<const char*>(chunk.bytes.data()), chunk.bytes.size()));
}

/// The bytes of an object with a contiguous buffer.
class Bytes {
 public:
  explicit Bytes(const py::object& object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw py::error_already_set();
  }
  ~Bytes() { PyBuffer_Release(&view_); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  std::span<const std::byte> span() const {
    return {static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_;
};

void write_chunk(Dataset& dataset, const py::handle& offset, const py::object& object,
                 std::uint32_t filter_mask) {
  const Dims at = to_dims(offset);
  const Bytes bytes(object);
  released([&] { dataset.write_chunk(std::span<const std::uint64_t>(at), bytes.span(), filter_mask); });
}

/// A chunk as (offset, filter mask, address, stored bytes).
py::tuple from_info(const ChunkInfo& info) {
  return py::make_tuple(to_tuple(info.offset), info.filter_mask, info.address, info.stored_bytes);
}

py::list chunks_of(const Dataset& dataset, const Selection& selection) {
  std::vector<ChunkInfo> found;
  released([&] {
    dataset.for_each_chunk(
        [&](const ChunkInfo& info) {
          found.push_back(info);
          return true;
        },
        selection);
  });
  py::list list;
  for (const ChunkInfo& info : found) list.append(from_info(info));
  return list;
}

}  // namespace

void bind_chunks(py::module_& module) {
  const py::object dataset = module.attr("Dataset");
  const auto add = [&](const char* name, auto function) {
    dataset.attr(name) = py::cpp_function(function, py::name(name), py::is_method(dataset));
  };
  add("read_chunk", &read_chunk);
  add("write_chunk", &write_chunk);
  add("chunks", &chunks_of);
  dataset.attr("chunk_count") = py::cpp_function([](const Dataset& self) { return self.chunk_count(); },
                                                 py::name("chunk_count"), py::is_method(dataset), Released());
  module.def("has_filter", [](std::uint16_t id) {
    const auto filter = filters::find(id);
    return filter && filter->encodes;
  });
}

}  // namespace filigree::python
