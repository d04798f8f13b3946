// SPDX-License-Identifier: Apache-2.0
//
// Chooses the chunk format of a dataset. All formats are listed in the table of make_format.cpp.
#pragma once

#include <memory>

#include "chunk/format/chunk_format.hpp"
#include "chunk/format/format_setup.hpp"

namespace filigree::chunk {

/// *Requires*: a chunked or structured layout. *Throws* Error(corrupt) when the messages contradict each
/// other, Error(unsupported) for filters or types that chunks cannot have, Error(limit) for chunks that
/// memory cannot hold.
std::unique_ptr<const ChunkFormat> make_format(FormatSetup setup);

}  // namespace filigree::chunk
