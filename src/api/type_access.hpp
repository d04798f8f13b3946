// SPDX-License-Identifier: Apache-2.0
//
// Between public descriptions of types and shapes and those of the format.
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

struct Datatype::Impl {
  format::DatatypeMessage message;
  // Set for a type that has a name in a file.
  std::weak_ptr<model::File> file;
  Address committed = Address::undefined;
};

namespace api {

struct TypeAccess {
  static Datatype make(format::DatatypeMessage message) {
    return make(std::move(message), {}, Address::undefined);
  }
  static Datatype make(format::DatatypeMessage message, const std::shared_ptr<model::File>& file,
                       Address committed) {
    return Datatype(
        std::make_shared<const Datatype::Impl>(Datatype::Impl{std::move(message), file, committed}));
  }
  static const Datatype::Impl& impl(const Datatype& type) { return *type.impl_; }
  /// Header of the committed type that this is in `file`, or undefined.
  static Address committed_in(const Datatype& type, const model::File& file);
  /// The type as a file with offsets of that width stores it.
  static format::DatatypeMessage message(const Datatype& type, std::uint8_t offset_bytes);
};

Dataspace to_public(const format::DataspaceMessage& space);
format::DataspaceMessage to_message(const Dataspace& space);

}  // namespace api
}  // namespace filigree
