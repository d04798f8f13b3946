// SPDX-License-Identifier: Apache-2.0
//
// The superblock extension: an object header with messages about the whole file, for superblocks of version 2
// and later.
#pragma once

#include <cstdint>
#include <optional>

#include <filigree/driver_types.hpp>
#include <filigree/options.hpp>

#include "base/address.hpp"
#include "format/messages/file_messages.hpp"

namespace filigree::store {
class FileStore;
}

namespace filigree::model {

/// Returns whether files with these options store the sizes of B-tree nodes in their extension.
bool has_own_btree_k(const CreateOptions& options);

/// A new superblock extension.
struct NewExtension {
  Address address = Address::undefined;
  std::optional<format::SharedMessageTableInfo> shared_messages;
};

/// Creates an extension with the messages that follow from the creation options and never change: shared
/// messages and sizes of B-tree nodes. `version` is that of its object header.
NewExtension create_extension(store::FileStore& store, std::uint8_t version, const CreateOptions& options);

/// Stores driver information in the extension. Writes nothing if it is stored already.
void write_driver_info(store::FileStore& store, Address extension, const DriverInfo& info);

}  // namespace filigree::model
