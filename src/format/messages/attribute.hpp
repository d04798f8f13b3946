// SPDX-License-Identifier: Apache-2.0
//
// The attribute message (0x0C), versions 1 to 3, which is also the encoding of attributes in dense storage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"
#include "format/messages/character_set.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::format {

struct AttributeMessage {
  static constexpr std::string_view structure = "attribute";
  std::uint8_t version = 1;
  bool shared_datatype = false;   ///< versions 2, 3: `datatype` holds a shared message reference
  bool shared_dataspace = false;  ///< versions 2, 3: `dataspace` holds a shared message reference
  CharacterSet character_set = CharacterSet::ascii;  ///< character set of the name; stored in version 3
  std::string name;
  Buffer datatype;   ///< encoded; early releases of HDF5 1.8 leave extra bytes at its end
  Buffer dataspace;  ///< encoded
  /// The rest of the message: the elements, possibly followed by padding of a version 1 object header.
  /// attribute_elements() removes the padding.
  Buffer data;
  /// The stored length of the name field, if a writer made it longer than necessary.
  std::uint16_t name_bytes = 0;
};

/// Whether `body` is the message of an attribute of that name. Decodes only the name, so that a search is
/// fast.
bool is_attribute_named(Bytes body, std::string_view name);

/// *Throws* Error(invalid_argument) if the part is shared: the caller must resolve the reference first.
DatatypeMessage decode_datatype(const AttributeMessage& attribute, const Widths& widths,
                                Address where = Address::undefined);
DataspaceMessage decode_dataspace(const AttributeMessage& attribute, const Widths& widths,
                                  Address where = Address::undefined);

/// The bytes of `data` that belong to elements. *Throws* Error(truncated) if there are too few.
Bytes attribute_elements(const AttributeMessage& attribute, const DatatypeMessage& type,
                         const DataspaceMessage& space);

}  // namespace filigree::format
