// SPDX-License-Identifier: Apache-2.0
//
// The attribute message (0x0C), versions 1 to 3; also the form of attributes in a dense heap.
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
  CharacterSet character_set = CharacterSet::ascii;  ///< of the name; stored by version 3
  std::string name;
  Buffer datatype;   ///< encoded, as long as stored; early 1.8 leaves surplus bytes at its end
  Buffer dataspace;  ///< encoded, as long as stored
  /// The rest of the message: elements in the datatype's encoding, then perhaps padding of a
  /// version 1 object header. attribute_elements() cuts that off.
  Buffer data;
  /// Stored length of the name field where it is longer than the name needs, as some writers make it.
  std::uint16_t name_bytes = 0;
};

/// Whether `body` is the message of an attribute of that name. Looks at the name alone, so that finding one
/// attribute does not decode all others.
bool is_attribute_named(Bytes body, std::string_view name);

/// Throws Error(invalid_argument) when the part is shared: then the reference must be followed first.
DatatypeMessage decode_datatype(const AttributeMessage& attribute, const Widths& widths,
                                Address where = Address::undefined);
DataspaceMessage decode_dataspace(const AttributeMessage& attribute, const Widths& widths,
                                  Address where = Address::undefined);

/// The bytes of `data` that elements take. Throws Error(truncated) when there are fewer.
Bytes attribute_elements(const AttributeMessage& attribute, const DatatypeMessage& type,
                         const DataspaceMessage& space);

}  // namespace filigree::format
