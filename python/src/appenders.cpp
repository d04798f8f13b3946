// SPDX-License-Identifier: Apache-2.0
//
// Streams of frames.
#include <filigree/error.hpp>
#include <filigree/frame_appender.hpp>

#include "core.hpp"

namespace filigree::python {

namespace {

/// Calls `append` with the values as a span of their type. *Throws*: TypeError for types that are not
/// numbers.
template <class Append>
auto with_values(const py::array& values, const Append& append) {
  if ((values.flags() & py::array::c_style) == 0) throw py::value_error("the values are not C-contiguous");
  const auto call = [&]<class T>(T) {
    return append(
        std::span<const T>(static_cast<const T*>(values.data()), static_cast<std::size_t>(values.size())));
  };
  const char kind = values.dtype().kind();
  const py::ssize_t bytes = values.dtype().itemsize();
  if (kind == 'f' && bytes == 4) return call(float{});
  if (kind == 'f' && bytes == 8) return call(double{});
  if (kind == 'u' && bytes == 1) return call(std::uint8_t{});
  if (kind == 'u' && bytes == 2) return call(std::uint16_t{});
  if (kind == 'u' && bytes == 4) return call(std::uint32_t{});
  if (kind == 'u' && bytes == 8) return call(std::uint64_t{});
  if (kind == 'i' && bytes == 1) return call(std::int8_t{});
  if (kind == 'i' && bytes == 2) return call(std::int16_t{});
  if (kind == 'i' && bytes == 4) return call(std::int32_t{});
  if (kind == 'i' && bytes == 8) return call(std::int64_t{});
  throw py::type_error("frames hold integers or floating-point numbers");
}

using Offsets = py::array_t<std::uint64_t, py::array::c_style>;

std::span<const std::uint64_t> span_of(const Offsets& offsets) {
  return {offsets.data(), static_cast<std::size_t>(offsets.size())};
}

std::uint64_t append_offsets(FrameAppender& appender, const Offsets& offsets, const py::array& values) {
  const auto at = span_of(offsets);
  return with_values(values, [&]<class T>(std::span<const T> span) {
    return released([&] { return appender.append_offsets<T>(at, span); });
  });
}

void append_offsets_at(FrameAppender& appender, std::uint64_t number, const Offsets& offsets,
                       const py::array& values) {
  const auto at = span_of(offsets);
  with_values(values, [&]<class T>(std::span<const T> span) {
    released([&] { appender.append_at<T>(number, at, span); });
  });
}

std::uint64_t append_region(FrameAppender& appender, const py::handle& start, const py::handle& count,
                            const py::array& values) {
  const Dims from = to_dims(start), size = to_dims(count);
  return with_values(values, [&]<class T>(std::span<const T> span) {
    return released([&] { return appender.append_region<T>(from, size, span); });
  });
}

void append_region_at(FrameAppender& appender, std::uint64_t number, const py::handle& start,
                      const py::handle& count, const py::array& values) {
  const Dims from = to_dims(start), size = to_dims(count);
  with_values(values, [&]<class T>(std::span<const T> span) {
    released([&] { appender.append_at<T>(number, from, size, span); });
  });
}

}  // namespace

void bind_appenders(py::module_& module) {
  py::class_<FrameAppender, Handle<FrameAppender>>(module, "FrameAppender")
      .def(py::init([](const Dataset& dataset, std::size_t buffer_bytes) {
        return Handle<FrameAppender>(
            released([&] { return new FrameAppender(dataset, {.buffer_bytes = buffer_bytes}); }));
      }))
      .def("append_offsets", &append_offsets)
      .def("append_offsets_at", &append_offsets_at)
      .def("append_region", &append_region)
      .def("append_region_at", &append_region_at)
      .def("append_empty", &FrameAppender::append_empty, Released())
      .def(
          "append_empty_at", [](FrameAppender& self, std::uint64_t number) { self.append_at(number); },
          Released())
      .def_property_readonly("frames", py::cpp_function(&FrameAppender::frames, Released()))
      .def("flush", &FrameAppender::flush, Released())
      .def("close", &FrameAppender::close, Released());
}

}  // namespace filigree::python
