// SPDX-License-Identifier: Apache-2.0
//
// The datatype and dataspace of an attribute message, either of which may be a shared message.
#pragma once

#include <string_view>

#include "base/address.hpp"
#include "format/messages/attribute.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::model {

class File;

/// Returns the datatype, resolved if it is shared.
format::DatatypeMessage attribute_datatype(File& file, const format::AttributeMessage& attribute);
/// Returns the dataspace, resolved if it is shared.
format::DataspaceMessage attribute_dataspace(File& file, const format::AttributeMessage& attribute);
/// Increments the reference counts of the shared messages of an attribute.
void acquire_attribute_parts(File& file, const format::AttributeMessage& attribute);
/// Decrements the reference counts of the shared messages of an attribute that is removed.
void release_attribute_parts(File& file, const format::AttributeMessage& attribute);

/// Returns an attribute whose elements are zero bytes. `committed` is the header of the committed datatype to
/// refer to, or Address::undefined to store the datatype in the message.
format::AttributeMessage make_attribute(File& file, std::string_view name,
                                        const format::DatatypeMessage& type, format::DataspaceMessage space,
                                        Address committed);

/// Sets the character set of the name, and the message version that it requires.
void set_charset(File& file, format::AttributeMessage& attribute, format::CharacterSet charset);

/// Returns the attribute with another name, in the message version that the name requires.
format::AttributeMessage renamed_attribute(File& file, format::AttributeMessage attribute,
                                           std::string_view name);

}  // namespace filigree::model
