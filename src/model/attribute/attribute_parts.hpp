// SPDX-License-Identifier: Apache-2.0
//
// The datatype and dataspace inside an attribute message, either of which may live elsewhere.
#pragma once

#include <string_view>

#include "base/address.hpp"
#include "format/messages/attribute.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::model {

class File;

format::DatatypeMessage attribute_datatype(File& file, const format::AttributeMessage& attribute);
format::DataspaceMessage attribute_dataspace(File& file, const format::AttributeMessage& attribute);
/// One more attribute uses the shared parts of this one.
void acquire_attribute_parts(File& file, const format::AttributeMessage& attribute);
/// The attribute goes: what it shared has one user less.
void release_attribute_parts(File& file, const format::AttributeMessage& attribute);

/// An attribute with zero bytes as values. `committed` is the header of a committed datatype to refer to
/// instead of repeating the type, or undefined.
format::AttributeMessage make_attribute(File& file, std::string_view name,
                                        const format::DatatypeMessage& type, format::DataspaceMessage space,
                                        Address committed);

/// Says in which set the name of a new attribute is, whatever its bytes, in the version that this needs.
void set_charset(File& file, format::AttributeMessage& attribute, format::CharacterSet charset);

/// The same attribute under another name, in the version that the name needs.
format::AttributeMessage renamed_attribute(File& file, format::AttributeMessage attribute,
                                           std::string_view name);

}  // namespace filigree::model
