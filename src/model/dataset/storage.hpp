// SPDX-License-Identifier: Apache-2.0
//
// What creating, copying and deleting datasets have in common: messages that may be shared, names of external
// files, fresh space for elements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <filigree/object.hpp>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "format/messages/datatype.hpp"
#include "format/object_header/message_type.hpp"
#include "model/dataset/dataset.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {

/// Elements are moved through memory in pieces of about this size.
inline constexpr std::uint64_t tile_bytes = 1u << 20;

/// Adds a message, as a reference to the file's shared messages where those track its type.
void add_shareable(File& file, store::ObjectHeader& header, format::MessageType type, std::uint8_t flags,
                   Bytes body);
/// Gives the first message of `type` a body of its own, shared or not before.
void replace_body(File& file, Address header, format::MessageType type, Bytes body);

/// Makes the heap of names and returns the body of the message.
Buffer make_external_message(File& file, std::span<const ExternalSegment> segments);
/// Frees the heap of names of a message.
void destroy_external_names(File& file, Bytes message);
/// Nothing when the header has no such message. Throws Error(corrupt).
std::vector<ExternalSegment> load_external(File& file, Address header);
/// Bytes of all segments; `unlimited` when the last one is. Throws Error(limit).
std::uint64_t external_bytes(std::span<const ExternalSegment> segments);

/// `count` elements as `parts.fill` says; values of variable length are copied for each.
Buffer make_fill(File& file, const DatasetMessages& parts, std::uint64_t count);

/// Space for the elements of `parts`, filled as far as fill time and fill value ask for it. On failure the
/// space is given back.
Address make_contiguous(File& file, const DatasetMessages& parts, bool about_to_cover);

/// What the file spends on finding the elements: the chunk index, names of external files, mappings to
/// sources.
MetadataBytes dataset_metadata(File& file, Address header);

/// Calls `use` with the elements of a compact or allocated contiguous dataset, whole elements at a time.
void for_each_tile(File& file, const DatasetMessages& parts, FunctionRef<void(Bytes)> use);

/// Frees what the header's messages refer to: elements, their values of variable length, names of external
/// files. What contradicts itself stays allocated, since the object must go all the same; only failures of
/// the device are thrown.
void destroy_dataset_storage(File& file, Address header);

}  // namespace filigree::model
