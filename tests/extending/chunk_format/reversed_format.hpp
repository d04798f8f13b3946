// SPDX-License-Identifier: Apache-2.0
//
// Chunks whose bytes are stored in reverse order, for chunked layouts of 7 dimensions. A test adds the format
// to a scratch copy of the tree.
#pragma once

#include <memory>

#include "chunk/format/chunk_format.hpp"
#include "chunk/format/format_setup.hpp"

namespace filigree::chunk {

inline bool is_reversed(const FormatSetup& setup) {
  return setup.layout.layout == format::LayoutClass::chunked && setup.layout.dims.size() == 7 + 1;
}

std::unique_ptr<const ChunkFormat> make_reversed_format(FormatSetup setup);

}  // namespace filigree::chunk
