// SPDX-License-Identifier: Apache-2.0
#include "elements.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include "element_plan.hpp"

namespace filigree::python {

Elements::Elements(Datatype type, const py::dtype& dtype)
    : memory_type_(type), bytes_(static_cast<std::size_t>(dtype.itemsize())) {
  if (!py::cast<bool>(dtype.attr("hasobject"))) {
    require_size(type, bytes_);
    return;
  }
  plan_ = make_plan(type, dtype);
  memory_type_ = plan_->memory_type();
}

Elements::~Elements() = default;

std::size_t Elements::count_in(const py::array& array) const {
  if ((array.flags() & py::array::c_style) == 0) throw py::value_error("the array is not C-contiguous");
  if (bytes_ == 0) return static_cast<std::size_t>(array.size());
  const auto total = static_cast<std::size_t>(array.nbytes());
  if (total % bytes_ != 0) throw py::value_error("the array has other elements than the transfer");
  return total / bytes_;
}

void Elements::read(void* array, std::size_t count, const std::function<void(void*)>& transfer) const {
  if (!plan_) return released([&] { transfer(array); });
  ReadBuffer buffer(*this, count);
  released([&] { transfer(buffer.data()); });
  buffer.convert(array, count);
}

void Elements::write(const void* array, std::size_t count,
                     const std::function<void(const void*)>& transfer) const {
  if (!plan_) return released([&] { transfer(array); });
  WriteArena arena;
  std::vector<std::byte> values(count * plan_->memory_bytes());
  for (std::size_t i = 0; i < count; ++i)
    plan_->from_python(static_cast<const std::byte*>(array) + i * bytes_,
                       values.data() + i * plan_->memory_bytes(), arena);
  released([&] { transfer(values.data()); });
}

ReadBuffer::ReadBuffer(const Elements& elements, std::size_t count) : elements_(elements), count_(count) {
  const std::size_t size = elements.memory_type().size();
  if (size != 0 && count > static_cast<std::size_t>(PY_SSIZE_T_MAX) / size) throw std::bad_alloc();
  bytes_.resize(count * size);
}

void ReadBuffer::convert(void* array, std::size_t count) const {
  const auto* plan = elements_.plan();
  const std::size_t bytes = elements_.bytes();
  if (plan == nullptr) {
    std::memcpy(array, bytes_.data(), count * bytes);
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    plan->to_python(bytes_.data() + i * plan->memory_bytes(), static_cast<std::byte*>(array) + i * bytes);
}

ReadBuffer::~ReadBuffer() {
  const auto* plan = elements_.plan();
  if (plan == nullptr) return;
  for (std::size_t i = 0; i < count_; ++i) plan->release(bytes_.data() + i * plan->memory_bytes());
}

void bind_elements(py::module_& module) {
  py::class_<Elements>(module, "Elements")
      .def(py::init<Datatype, py::dtype>())
      .def_property_readonly("has_objects", &Elements::has_objects)
      .def_property_readonly("bytes", &Elements::bytes);
  bind_references(module);
}

}  // namespace filigree::python
