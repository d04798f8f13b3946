// SPDX-License-Identifier: Apache-2.0
//
// The parts of an attribute message: datatype, dataspace and elements.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/attribute.hpp"

namespace filigree::format {

namespace {

template <class T>
T decode_part(const AttributeMessage& attribute, const Buffer& part, bool shared, const Widths& widths,
              Address where) {
  return in_context([&] { return fmt::format("attribute '{}'", attribute.name); },
                    [&] {
                      if (shared) {
                        throw Error(ErrorKind::invalid_argument,
                                    fmt::format("its {} is shared", T::structure));
                      }
                      return decode<T>(Bytes(part), widths, where);
                    });
}

}  // namespace

DatatypeMessage decode_datatype(const AttributeMessage& attribute, const Widths& widths, Address where) {
  return decode_part<DatatypeMessage>(attribute, attribute.datatype, attribute.shared_datatype, widths,
                                      where);
}

DataspaceMessage decode_dataspace(const AttributeMessage& attribute, const Widths& widths, Address where) {
  return decode_part<DataspaceMessage>(attribute, attribute.dataspace, attribute.shared_dataspace, widths,
                                       where);
}

Bytes attribute_elements(const AttributeMessage& attribute, const DatatypeMessage& type,
                         const DataspaceMessage& space) {
  const std::uint64_t bytes = checked_multiply(element_count(space), type.size, "bytes of an attribute");
  if (bytes > attribute.data.size()) {
    throw Error(ErrorKind::truncated, fmt::format("attribute '{}': its elements take {} bytes, {} are stored",
                                                  attribute.name, bytes, attribute.data.size()));
  }
  return Bytes(attribute.data).first(static_cast<std::size_t>(bytes));
}

bool is_attribute_named(Bytes body, std::string_view name) {
  if (body.size() < 9) return false;
  const std::size_t at = std::to_integer<unsigned>(body[0]) >= 3 ? 9 : 8;
  if (load_word(body.data() + 2, 2) <= name.size() || body.size() - at <= name.size()) return false;
  return as_text(body.subspan(at, name.size())) == name && body[at + name.size()] == std::byte{0};
}

}  // namespace filigree::format
