// SPDX-License-Identifier: Apache-2.0
//
// Conversions between the number types of the processor, as tables of functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "type/numbers_general.hpp"

namespace filigree::type {

/// The number types of the processor.
enum class Native : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, f80 };
inline constexpr std::size_t natives = 11;

/// The native type with this layout, if there is one. `any_order` also accepts big-endian types.
std::optional<Native> find_native(const DatatypeMessage& type, bool any_order = false);

/// Converts contiguous elements; results are clipped to the range of the destination.
using NativeKernel = void (*)(const std::byte* from, std::byte* to, std::size_t count);
/// The hardware conversion of HDF5 without a fault handler.
NativeKernel hard_kernel(Native from, Native to);
/// The software conversion of HDF5; null if only the bit-by-bit conversion gives the same result.
NativeKernel soft_kernel(Native from, Native to);

/// Converts one element and reports faults like the hardware conversions of HDF5.
using CarefulKernel = void (*)(const FaultSink& faults);
CarefulKernel careful_kernel(Native from, Native to);

}  // namespace filigree::type
