// SPDX-License-Identifier: Apache-2.0
//
// Selections of elements: boxes, sets and points, and their algebra.
#include <pybind11/stl.h>

#include <filigree/selection.hpp>

#include "core.hpp"

namespace filigree::python {

namespace {

using Offsets = py::array_t<std::uint64_t, py::array::c_style>;
using Mask = py::array_t<std::uint8_t, py::array::c_style>;

template <class T>
std::span<const T> span_of(const py::array_t<T, py::array::c_style>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

Selection regular(const py::handle& starts, const py::handle& strides, const py::handle& counts,
                  const py::handle& blocks) {
  const Dims start = to_dims(starts), stride = to_dims(strides), count = to_dims(counts),
             block = to_dims(blocks);
  if (stride.size() != start.size() || count.size() != start.size() || block.size() != start.size())
    throw py::value_error("start, stride, count and block have different numbers of dimensions");
  std::vector<Selection::Range> ranges;
  for (std::size_t i = 0; i < start.size(); ++i) ranges.push_back({start[i], stride[i], count[i], block[i]});
  return Selection::blocks(std::move(ranges));
}

/// The elements whose coordinate in one dimension is in a list that ascends.
Selection along(const py::handle& dims, std::size_t dimension, const Offsets& indices) {
  const Dims extent = to_dims(dims);
  if (dimension >= extent.size()) throw py::value_error("there is no such dimension");
  const auto list = span_of(indices);
  return released([&] {
    std::vector<Selection::Box> boxes;
    for (const std::uint64_t index : list) {
      if (!boxes.empty() && boxes.back().high[dimension] + 1 == index) {
        boxes.back().high[dimension] = index;
        continue;
      }
      Selection::Box box{Dims(extent.size(), 0), extent};
      for (std::uint64_t& high : box.high) high -= high != 0;
      box.low[dimension] = box.high[dimension] = index;
      boxes.push_back(std::move(box));
    }
    return Selection::of_boxes(extent, boxes);
  });
}

Selection of_points(const py::handle& dims, const Offsets& coordinates, bool in_order) {
  const Dims extent = to_dims(dims);
  const auto list = span_of(coordinates);
  return released(
      [&] { return in_order ? Selection::points(extent, list) : Selection::of_coordinates(extent, list); });
}

py::array offsets_of(const Selection& selection) {
  const std::vector<std::uint64_t> offsets = released([&] { return selection.offsets(); });
  return py::array_t<std::uint64_t>(static_cast<py::ssize_t>(offsets.size()), offsets.data());
}

py::array mask_of(const Selection& selection, const py::handle& dims) {
  const Dims extent = to_dims(dims);
  const auto mask = released([&] { return selection.within(extent).mask(); });
  return py::array_t<std::uint8_t>(static_cast<py::ssize_t>(mask.size()), mask.data());
}

/// The coordinates as an array of (rank, elements).
py::array coordinates_of(const Selection& selection) {
  const std::vector<Dims> columns = released([&] { return selection.columns(); });
  const std::size_t count = columns.empty() ? 0 : columns.front().size();
  py::array_t<std::uint64_t> result({columns.size(), count});
  for (std::size_t i = 0; i < columns.size(); ++i)
    std::copy(columns[i].begin(), columns[i].end(), result.mutable_data() + i * count);
  return result;
}

py::object bounds_of(const Selection& selection) {
  const auto box = released([&] { return selection.bounds(); });
  if (!box) return py::none();
  return py::make_tuple(to_tuple(box->low), to_tuple(box->high));
}

/// start, stride, count and block of each dimension; None unless the selection is regular.
py::object ranges_of(const Selection& selection) {
  const auto ranges = released([&]() -> std::optional<std::vector<Selection::Range>> {
    // Those of a regular selection may be unlimited, which no set is.
    if (selection.kind() == Selection::Kind::regular) return selection.ranges();
    return selection.regular();
  });
  if (!ranges) return py::none();
  py::list list;
  for (const Selection::Range& range : *ranges)
    list.append(py::make_tuple(range.start, range.stride, range.count, range.block));
  return list;
}

void bind_sets(py::class_<Selection>& selection) {
  selection.def_static("all", &Selection::all)
      .def_static("none", &Selection::none)
      .def_static("regular", &regular)
      .def_static("along", &along)
      .def_static("points", &of_points)
      .def_static("of_offsets",
                  [](const py::handle& dims, const Offsets& offsets) {
                    const Dims extent = to_dims(dims);
                    const auto list = span_of(offsets);
                    return released([&] { return Selection::of_offsets(extent, list); });
                  })
      .def_static("of_mask", [](const py::handle& dims, const Mask& mask) {
        const Dims extent = to_dims(dims);
        const auto list = span_of(mask);
        return released([&] { return Selection::of_mask(extent, list); });
      });
}

const char* kind_of(const Selection& selection) {
  switch (selection.kind()) {
    case Selection::Kind::none:
      return "none";
    case Selection::Kind::all:
      return "all";
    case Selection::Kind::regular:
      return "regular";
    case Selection::Kind::set:
      return "set";
    case Selection::Kind::points:
      return "points";
  }
  return "";
}

}  // namespace

void bind_selections(py::module_& module) {
  py::class_<Selection> selection(module, "Selection");
  bind_sets(selection);
  selection.def_property_readonly("kind", &kind_of)
      .def("count",
           [](const Selection& self, const py::handle& dims) {
             const Dims extent = to_dims(dims);
             return released([&] { return self.elements(extent); });
           })
      .def("within",
           [](const Selection& self, const py::handle& dims) {
             const Dims extent = to_dims(dims);
             return released([&] { return self.within(extent); });
           })
      .def_property_readonly("extent",
                             [](const Selection& self) -> py::object {
                               const auto extent = self.extent();
                               return extent ? py::object(to_tuple(*extent)) : py::object(py::none());
                             })
      .def("mask", &mask_of)
      .def("offsets", &offsets_of)
      .def("coordinates", &coordinates_of)
      .def("bounds", &bounds_of)
      .def("ranges", &ranges_of)
      .def(
          "union", [](const Selection& a, const Selection& b) { return a | b; }, Released())
      .def(
          "intersection", [](const Selection& a, const Selection& b) { return a & b; }, Released())
      .def(
          "difference", [](const Selection& a, const Selection& b) { return a - b; }, Released())
      .def(
          "symmetric_difference", [](const Selection& a, const Selection& b) { return a ^ b; }, Released())
      .def(
          "equals", [](const Selection& a, const Selection& b) { return a == b; }, Released());
}

}  // namespace filigree::python
