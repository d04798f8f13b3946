// SPDX-License-Identifier: Apache-2.0
//
// The external file list message of a dataset and the local heap with the names.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "model/dataset/messages.hpp"

namespace filigree::model {

class File;

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

}  // namespace filigree::model
