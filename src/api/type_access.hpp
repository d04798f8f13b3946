// SPDX-License-Identifier: Apache-2.0
//
// Conversion between public datatypes and dataspaces and those of the file format.
#pragma once

#include <memory>

#include <filigree/dataspace.hpp>
#include <filigree/datatype.hpp>

#include "base/address.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::model {
class File;
}

namespace filigree {

/// The representation of a public datatype.
struct Datatype::Impl {
  format::DatatypeMessage message;
  // Set for a committed datatype.
  std::weak_ptr<model::File> file;
  Address committed = Address::undefined;
};

namespace api {

/// Access to the representation of public datatypes.
struct TypeAccess {
  /// Returns a datatype that is not committed.
  static Datatype make(format::DatatypeMessage message) {
    return make(std::move(message), {}, Address::undefined);
  }
  /// Returns the committed datatype with the header `committed` in `file`.
  static Datatype make(format::DatatypeMessage message, const std::shared_ptr<model::File>& file,
                       Address committed) {
    return Datatype(
        std::make_shared<const Datatype::Impl>(Datatype::Impl{std::move(message), file, committed}));
  }
  static const Datatype::Impl& impl(const Datatype& type) { return *type.impl_; }
  /// Returns what is the same for copies of a datatype, and for no other one while the result exists.
  static const std::shared_ptr<const Datatype::Impl>& identity(const Datatype& type) { return type.impl_; }
  /// Returns the header of the committed datatype in `file`, or Address::undefined.
  static Address committed_in(const Datatype& type, const model::File& file);
  /// Returns the datatype message for a file with that size of offsets.
  static format::DatatypeMessage message(const Datatype& type, std::uint8_t offset_bytes);
};

Dataspace to_public(const format::DataspaceMessage& space);
format::DataspaceMessage to_message(const Dataspace& space);

}  // namespace api
}  // namespace filigree
