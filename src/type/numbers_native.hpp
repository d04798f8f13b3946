// SPDX-License-Identifier: Apache-2.0
//
// Conversions among the number types of the processor, as tables of functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "type/numbers_general.hpp"

namespace filigree::type {

enum class Native : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, f80 };
inline constexpr std::size_t natives = 11;

/// The processor's type of this layout, if there is one. `any_order` takes big-endian twins too.
std::optional<Native> find_native(const DatatypeMessage& type, bool any_order = false);

/// Converts elements that stand close together; results are clipped.
using NativeKernel = void (*)(const std::byte* from, std::byte* to, std::size_t count);
/// As the stock library's hardware conversions do where no handler is set.
NativeKernel hard_kernel(Native from, Native to);
/// As its software conversions do; null where only the bit by bit way does the same.
NativeKernel soft_kernel(Native from, Native to);

/// Converts one element, with faults raised as the stock library's hardware conversions do.
using CarefulKernel = void (*)(const FaultSink& faults);
CarefulKernel careful_kernel(Native from, Native to);

}  // namespace filigree::type
