// SPDX-License-Identifier: Apache-2.0
//
// Messages of dataset headers, which may be shared messages.
#pragma once

#include <cstdint>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/object_header/message_type.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {

class File;

/// Adds a message. It becomes a shared message if the file shares messages of its type.
void add_shareable(File& file, store::ObjectHeader& header, format::MessageType type, std::uint8_t flags,
                   Bytes body);
/// Replaces the body of the first message of `type`, which is not shared afterwards.
void replace_body(File& file, Address header, format::MessageType type, Bytes body);

}  // namespace filigree::model
