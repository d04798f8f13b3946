// SPDX-License-Identifier: Apache-2.0
#include "model/attribute/attribute_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "format/object_header/message_type.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/file/file.hpp"
#include "model/link/names.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/shared_messages/shared_messages.hpp"

namespace filigree::model {

using format::MessageType;

namespace {

constexpr std::uint64_t largest_attribute_bytes = 0xffff0000;

}  // namespace

format::DatatypeMessage attribute_datatype(File& file, const format::AttributeMessage& attribute) {
  if (!attribute.shared_datatype) return format::decode_datatype(attribute, file.store().widths());
  const Buffer body = store::resolve_shared(file.store(), file.shared_messages(), MessageType::datatype,
                                            attribute.datatype, Address::undefined);
  return format::decode<format::DatatypeMessage>(body, file.store().widths());
}

format::DataspaceMessage attribute_dataspace(File& file, const format::AttributeMessage& attribute) {
  if (!attribute.shared_dataspace) return format::decode_dataspace(attribute, file.store().widths());
  const Buffer body = store::resolve_shared(file.store(), file.shared_messages(), MessageType::dataspace,
                                            attribute.dataspace, Address::undefined);
  return format::decode<format::DataspaceMessage>(body, file.store().widths());
}

namespace {

/// Calls `use` with the reference to each shared message of the attribute.
template <class Use>
void for_each_shared_part(File& file, const format::AttributeMessage& attribute, Use&& use) {
  const auto one = [&](bool shared, const Buffer& part, MessageType type) {
    if (shared) use(type, format::decode<format::SharedReference>(part, file.store().widths()));
  };
  one(attribute.shared_datatype, attribute.datatype, MessageType::datatype);
  one(attribute.shared_dataspace, attribute.dataspace, MessageType::dataspace);
}

}  // namespace

void acquire_attribute_parts(File& file, const format::AttributeMessage& attribute) {
  for_each_shared_part(file, attribute, [&](MessageType type, const format::SharedReference& reference) {
    if (reference.kind == format::SharedKind::header) {
      add_link_to(file, reference.header);
    } else if (file.shared_messages() != nullptr) {
      file.shared_messages()->share(type, file.shared_messages()->read(type, reference.heap_id));
    }
  });
}

void release_attribute_parts(File& file, const format::AttributeMessage& attribute) {
  for_each_shared_part(file, attribute, [&](MessageType type, const format::SharedReference& reference) {
    if (reference.kind == format::SharedKind::header) {
      drop_link_to(file, reference.header);
    } else if (file.shared_messages() != nullptr) {
      file.shared_messages()->release(type, reference.heap_id);
    }
  });
}

void set_charset(File& file, format::AttributeMessage& attribute, format::CharacterSet charset) {
  const bool shares_parts = attribute.shared_datatype || attribute.shared_dataspace;
  attribute.character_set = charset;
  attribute.version = file.formats().attribute(shares_parts, charset);
}

format::AttributeMessage make_attribute(File& file, std::string_view name,
                                        const format::DatatypeMessage& type, format::DataspaceMessage space,
                                        Address committed) {
  const format::Widths& widths = file.store().widths();
  format::AttributeMessage attribute;
  attribute.name = name;
  attribute.shared_datatype = is_valid(committed);
  set_charset(file, attribute, charset_of(name));
  space.version = file.formats().dataspace(space.kind == format::DataspaceKind::null);
  // HDF5 always writes the maximum dimensions of an array.
  if (space.kind == format::DataspaceKind::simple && !space.max_dims) space.max_dims = space.dims;
  if (attribute.shared_datatype) {
    format::SharedReference reference;
    reference.header = committed;
    attribute.datatype = format::encode(reference, widths);
  } else {
    attribute.datatype = format::encode(versioned_type(file, type), widths);
  }
  attribute.dataspace = format::encode(space, widths);
  const std::uint64_t bytes =
      checked_multiply(format::element_count(space), type.size, "the size of the attribute");
  if (bytes > largest_attribute_bytes) {
    throw Error(ErrorKind::limit,
                fmt::format("an attribute of {} bytes is larger than the {} bytes that are allowed", bytes,
                            largest_attribute_bytes));
  }
  attribute.data.resize(bytes);
  return attribute;
}

format::AttributeMessage renamed_attribute(File& file, format::AttributeMessage attribute,
                                           std::string_view name) {
  attribute.name = name;
  attribute.name_bytes = 0;
  const bool keeps = charset_of(name) == format::CharacterSet::ascii;
  const std::uint8_t version = attribute.version;
  set_charset(file, attribute, keeps ? attribute.character_set : format::CharacterSet::utf8);
  attribute.version = std::max(attribute.version, version);
  return attribute;
}

}  // namespace filigree::model
