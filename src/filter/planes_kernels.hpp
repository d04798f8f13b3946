// SPDX-License-Identifier: Apache-2.0
//
// The vectorised loops of planes.cpp, which move 16 or 32 elements of 2, 4, 8 or 16 bytes at a time.
#pragma once

#include <cstddef>

#include "base/bytes.hpp"

namespace filigree::filter {

enum class Direction { split, join };

/// Moves the leading elements that form complete groups and returns their number; 0 for other widths.
std::size_t move_groups_sse2(Direction direction, Bytes in, std::byte* out, std::size_t width);
std::size_t move_groups_avx2(Direction direction, Bytes in, std::byte* out, std::size_t width);

bool machine_has_sse2();
bool machine_has_avx2();

}  // namespace filigree::filter
