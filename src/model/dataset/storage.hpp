// SPDX-License-Identifier: Apache-2.0
//
// Helpers for creating, copying and deleting datasets: shared messages, names of external files, and
// allocation of contiguous storage.
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

/// The approximate size of the buffer in which elements are processed.
inline constexpr std::uint64_t tile_bytes = 1u << 20;

/// Adds a message. It becomes a shared message if the file shares messages of its type.
void add_shareable(File& file, store::ObjectHeader& header, format::MessageType type, std::uint8_t flags,
                   Bytes body);
/// Replaces the body of the first message of `type`, which is not shared afterwards.
void replace_body(File& file, Address header, format::MessageType type, Bytes body);

/// Creates the local heap of file names and returns the external file list message.
Buffer make_external_message(File& file, std::span<const ExternalSegment> segments);
/// Frees the local heap of an external file list message.
void destroy_external_names(File& file, Bytes message);
/// Decodes the external file list; empty if the header has none.
/// Throws: Error(corrupt).
std::vector<ExternalSegment> load_external(File& file, Address header);
/// Returns the size of all segments; `unlimited` if the last one is.
/// Throws: Error(limit) on overflow.
std::uint64_t external_bytes(std::span<const ExternalSegment> segments);

/// Returns `count` fill values. Variable-length data is copied for each element.
Buffer make_fill(File& file, const DatasetMessages& parts, std::uint64_t count);

/// Allocates contiguous storage and writes fill values if fill time and fill value require it. On failure the
/// storage is freed.
Address make_contiguous(File& file, const DatasetMessages& parts, bool about_to_cover);

/// Returns the sizes of the chunk index, the names of external files and the mappings of a dataset.
MetadataBytes dataset_metadata(File& file, Address header);

/// Calls `use` with the elements of a compact or allocated contiguous dataset, in parts of complete elements.
void for_each_tile(File& file, const DatasetMessages& parts, FunctionRef<void(Bytes)> use);

/// Frees everything that the messages of a dataset refer to: elements, variable-length data, names of
/// external files. Damaged structures stay allocated, because the object must be deleted in any case. Throws:
/// only failures of the device.
void destroy_dataset_storage(File& file, Address header);

}  // namespace filigree::model
