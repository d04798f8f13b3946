// SPDX-License-Identifier: Apache-2.0
//
// Elements taken apart into planes of bytes or bits, and put together again.
#pragma once

#include <cstddef>
#include <vector>

#include "base/bytes.hpp"

namespace filigree::filter {

/// Instruction sets these loops exist for. All give the same bytes.
enum class Kernel { plain, sse2, avx2 };

/// Those this machine can run, best last.
std::vector<Kernel> usable_kernels();
Kernel best_kernel();

/// All first bytes of the elements of `width` bytes, then all second bytes, and so on. What is behind the
/// last whole element keeps its place. `to` has as many bytes and does not overlap.
void split_planes(Bytes elements, std::size_t width, std::byte* to, Kernel kernel = best_kernel());

/// The inverse.
void join_planes(Bytes planes, std::size_t width, std::byte* to, Kernel kernel = best_kernel());

/// Takes every 8 bytes as 8 x 8 bits and mirrors them at the diagonal: bit k of byte j becomes bit j of
/// byte k. `bytes` is a multiple of 8.
void mirror_bits(MutableBytes bytes, Kernel kernel = best_kernel());

}  // namespace filigree::filter
