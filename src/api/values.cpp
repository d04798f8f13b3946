// SPDX-License-Identifier: Apache-2.0
#include <filigree/values.hpp>

namespace filigree {
namespace {

Container::View view_string(const void* value) {
  const auto& text = *static_cast<const std::string*>(value);
  return {text.data(), text.size(), false};
}

void* resize_string(void* value, std::size_t count, std::size_t, void*) {
  auto& text = *static_cast<std::string*>(value);
  text.resize(count);
  return text.data();
}

void clear_string(void* value) { static_cast<std::string*>(value)->clear(); }

Container::View view_text(const void* value) {
  const auto& text = *static_cast<const std::string_view*>(value);
  return {text.data(), text.size(), false};
}

constexpr Container string_container{sizeof(std::string), alignof(std::string), view_string, resize_string,
                                     clear_string};
constexpr Container view_container{sizeof(std::string_view), alignof(std::string_view), view_text, nullptr,
                                   nullptr};

}  // namespace

Datatype ElementType<bool>::memory_type() {
  static const Datatype type = Datatype::enumeration(Datatype::integer(1, true), {{"FALSE", 0}, {"TRUE", 1}});
  return type;
}

Datatype ElementType<std::string>::memory_type() {
  static const Datatype type = Datatype::string_in(string_container);
  return type;
}

Datatype ElementType<std::string_view>::memory_type() {
  static const Datatype type = Datatype::string_in(view_container);
  return type;
}

Datatype detail::array_of(const Datatype& base, std::uint32_t count) {
  if (base.type_class() != TypeClass::array) return Datatype::array(base, {count});
  std::vector<std::uint32_t> dims = base.dims();
  dims.insert(dims.begin(), count);
  return Datatype::array(base.base(), std::move(dims));
}

}  // namespace filigree
