// SPDX-License-Identifier: Apache-2.0
#include "type/numbers.hpp"

#include <array>
#include <cstring>

#include "type/numbers_native.hpp"
#include "type/numbers_swap.hpp"

namespace filigree::type {

using format::ByteOrder;
using format::TypeClass;

namespace {

class CopyConversion final : public Conversion {
 public:
  explicit CopyConversion(std::uint32_t bytes)
      : Conversion({.copies = true, .from_bytes = bytes, .to_bytes = bytes}) {}

 private:
  void do_apply(const Tile& tile, const Context&) const override {
    const std::size_t bytes = traits().to_bytes;
    if (tile.from_stride == bytes && tile.to_stride == bytes) {
      std::memcpy(tile.to, tile.from, tile.count * bytes);
      return;
    }
    for (std::size_t i = 0; i < tile.count; ++i) {
      std::memcpy(tile.to + i * tile.to_stride, tile.from + i * tile.from_stride, bytes);
    }
  }
};

class SwapConversion final : public Conversion {
 public:
  explicit SwapConversion(std::uint32_t bytes)
      : Conversion({.in_place = swaps_in_place(bytes), .from_bytes = bytes, .to_bytes = bytes}) {}

 private:
  void do_apply(const Tile& tile, const Context&) const override { swap_bytes(tile, traits().to_bytes); }
};

bool is_close(const Tile& tile, const Conversion::Traits& traits) {
  return tile.from_stride == traits.from_bytes && tile.to_stride == traits.to_bytes;
}

class NativeConversion final : public Conversion {
 public:
  NativeConversion(const DatatypeMessage& from, const DatatypeMessage& to, Native from_native,
                   Native to_native)
      : Conversion({.in_place = from.size == to.size, .from_bytes = from.size, .to_bytes = to.size}),
        from_(from),
        to_(to),
        kernel_(hard_kernel(from_native, to_native)),
        careful_(careful_kernel(from_native, to_native)) {}

 private:
  void do_apply(const Tile& tile, const Context& context) const override {
    if (context.on_fault == nullptr && is_close(tile, traits())) {
      if (tile.from == tile.to) return apply_in_place(tile.to, tile.count);
      return kernel_(tile.from, tile.to, tile.count);
    }
    FaultSink faults{context.on_fault, from_, to_, tile.from, tile.to};
    for (std::size_t i = 0; i < tile.count; ++i) {
      careful_(faults);
      faults.value += tile.from_stride;
      faults.result += tile.to_stride;
    }
  }

  /// Converts through a buffer that fits into the L1 cache, since vector loops need separate source and
  /// destination.
  void apply_in_place(std::byte* elements, std::size_t count) const {
    alignas(32) std::array<std::byte, 4096> before;
    const std::size_t bytes = traits().to_bytes;
    const std::size_t step = before.size() / bytes;
    for (std::size_t done = 0; done < count; done += step) {
      const std::size_t some = std::min(step, count - done);
      std::memcpy(before.data(), elements + done * bytes, some * bytes);
      kernel_(before.data(), elements + done * bytes, some);
    }
  }

  const DatatypeMessage from_;
  const DatatypeMessage to_;
  NativeKernel kernel_;
  CarefulKernel careful_;
};

/// Converts between native types of any byte order, through buffers that fit into the L1 cache. With a fault
/// handler, the bit-by-bit conversion is used instead.
class ReorderedConversion final : public Conversion {
 public:
  ReorderedConversion(const DatatypeMessage& from, const DatatypeMessage& to, NativeKernel kernel,
                      ConversionPointer general)
      : Conversion({.in_place = from.size == to.size, .from_bytes = from.size, .to_bytes = to.size}),
        swap_from_(from.order != ByteOrder::little),
        swap_to_(to.order != ByteOrder::little),
        kernel_(kernel),
        general_(std::move(general)) {}

 private:
  static constexpr std::size_t step = 512;

  void do_apply(const Tile& tile, const Context& context) const override {
    if (context.on_fault != nullptr) return general_->apply(tile, context);
    for (std::size_t done = 0; done < tile.count; done += step) {
      apply_step({tile.from + done * tile.from_stride, tile.from_stride, tile.to + done * tile.to_stride,
                  tile.to_stride, std::min(step, tile.count - done)});
    }
  }

  void apply_step(Tile tile) const {
    alignas(32) std::array<std::byte, step * 8> before;
    alignas(32) std::array<std::byte, step * 8> after;
    const std::size_t from_bytes = traits().from_bytes;
    const std::size_t to_bytes = traits().to_bytes;
    const std::byte* from = tile.from;
    if (swap_from_ || tile.from_stride != from_bytes) {
      const Tile part{tile.from, tile.from_stride, before.data(), from_bytes, tile.count};
      swap_from_ ? swap_bytes(part, from_bytes) : copy_elements(part, from_bytes);
      from = before.data();
    }
    if (!swap_to_ && tile.to_stride == to_bytes) return kernel_(from, tile.to, tile.count);
    kernel_(from, after.data(), tile.count);
    const Tile part{after.data(), to_bytes, tile.to, tile.to_stride, tile.count};
    swap_to_ ? swap_bytes(part, to_bytes) : copy_elements(part, to_bytes);
  }

  static void copy_elements(const Tile& tile, std::size_t bytes) {
    for (std::size_t i = 0; i < tile.count; ++i) {
      std::memcpy(tile.to + i * tile.to_stride, tile.from + i * tile.from_stride, bytes);
    }
  }

  bool swap_from_;
  bool swap_to_;
  NativeKernel kernel_;
  ConversionPointer general_;
};

bool is_full(const DatatypeMessage& type) { return type.precision == std::uint64_t{type.size} * 8; }

/// Whether HDF5 converts between the two types by swapping bytes. For integers it compares sizes and byte
/// orders, but neither sign nor precision.
bool is_mirrored(const DatatypeMessage& from, const DatatypeMessage& to) {
  if (from.type_class != to.type_class || from.size != to.size) return false;
  if (from.bit_offset != 0 || to.bit_offset != 0) return false;
  const bool opposite = (from.order == ByteOrder::little && to.order == ByteOrder::big) ||
                        (from.order == ByteOrder::big && to.order == ByteOrder::little);
  if (!opposite) return false;
  if (from.type_class == TypeClass::bitfield) return is_full(from) && is_full(to);
  return from.type_class == TypeClass::fixed_point || from.floating == to.floating;
}

}  // namespace

ConversionPointer prepare_number(const DatatypeMessage& from, const DatatypeMessage& to) {
  if (format::same_type(from, to)) return std::make_shared<CopyConversion>(to.size);
  if (is_mirrored(from, to)) return std::make_shared<SwapConversion>(to.size);
  const auto from_native = find_native(from, true);
  const auto to_native = find_native(to, true);
  if (!from_native || !to_native) return prepare_general(from, to);
  if (find_native(from) && find_native(to)) {
    return std::make_shared<NativeConversion>(from, to, *from_native, *to_native);
  }
  const NativeKernel kernel = soft_kernel(*from_native, *to_native);
  if (kernel == nullptr) return prepare_general(from, to);
  return std::make_shared<ReorderedConversion>(from, to, kernel, prepare_general(from, to));
}

}  // namespace filigree::type
