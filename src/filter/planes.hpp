// SPDX-License-Identifier: Apache-2.0
//
// Splitting elements into planes of bytes or bits, and joining them again.
#pragma once

#include <cstddef>
#include <vector>

#include "base/bytes.hpp"

namespace filigree::filter {

/// The instruction sets with their own loops. All give the same result.
enum class Kernel { scalar, sse2, avx2 };

/// The kernels that this machine can run, best last.
std::vector<Kernel> usable_kernels();
Kernel best_kernel();

/// Writes all first bytes of the elements of `width` bytes, then all second bytes, and so on. Bytes after the
/// last complete element keep their offsets. *Requires* that `to` has as many bytes as `elements` and does
/// not overlap it.
void split_planes(Bytes elements, std::size_t width, std::byte* to, Kernel kernel = best_kernel());

/// The inverse of split_planes().
void join_planes(Bytes planes, std::size_t width, std::byte* to, Kernel kernel = best_kernel());

/// Transposes every 8 bytes as a matrix of 8 x 8 bits: bit k of byte j becomes bit j of byte k. *Requires* a
/// multiple of 8 bytes.
void transpose_bits(MutableBytes bytes, Kernel kernel = best_kernel());

}  // namespace filigree::filter
