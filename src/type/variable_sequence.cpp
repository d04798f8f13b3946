// SPDX-License-Identifier: Apache-2.0
//
// Conversions of variable-length sequences.
#include <cstring>

#include "base/checked.hpp"
#include "type/conversion_parts.hpp"
#include "type/variable.hpp"

namespace filigree::type {

using format::VariableKind;

namespace {

class SequenceConversion final : public Conversion {
 public:
  SequenceConversion(const DatatypeMessage& from, const DatatypeMessage& to, ConversionPointer base)
      : Conversion(
            {.uses_files = from.container == nullptr || to.container == nullptr || base->traits().uses_files,
             .from_bytes = from.size,
             .to_bytes = to.size}),
        from_(from),
        to_(to),
        base_(std::move(base)),
        keeps_empty_(to.variable == VariableKind::string) {}

 private:
  void do_apply(const Tile& tile, const Context& context) const override {
    from_.check(context.from_file);
    to_.check(context.to_file);
    Buffer scratch;
    for (std::size_t i = 0; i < tile.count; ++i) {
      const VariableValue value = from_.get(tile.from + i * tile.from_stride, context.from_file);
      std::byte* to = tile.to + i * tile.to_stride;
      // An empty sequence and a null sequence are the same; only strings distinguish them.
      if (value.missing || (value.count == 0 && !keeps_empty_)) {
        to_.clear(to);
      } else if (to_.in_file()) {
        put_in_file(to, value, context, scratch);
      } else {
        put_in_memory(to, value, context);
      }
    }
  }

  void convert(const VariableValue& value, void* to, const Context& context) const {
    if (value.count == 0) return;
    base_->apply({value.elements, from_.element_bytes(), static_cast<std::byte*>(to), to_.element_bytes(),
                  value.count},
                 context);
  }

  void put_in_file(std::byte* to, const VariableValue& value, const Context& context, Buffer& scratch) const {
    if (base_->traits().copies) {
      return to_.store(to, value.count, value.bytes(from_.element_bytes()), context.to_file);
    }
    scratch.assign(checked_multiply(value.count, to_.element_bytes(), "the bytes of a sequence"),
                   std::byte{0});
    convert(value, scratch.data(), context);
    to_.store(to, value.count, scratch, context.to_file);
  }

  void put_in_memory(std::byte* to, const VariableValue& value, const Context& context) const {
    convert(value, to_.container()->resize(to, value.count, to_.element_bytes(), context.memory), context);
  }

  VariableStorage from_;
  VariableStorage to_;
  ConversionPointer base_;
  bool keeps_empty_;
};

/// Returns the type with the size that stored elements have. HDF5 declares references in sequences with their
/// size in memory, but stores them like others.
DatatypeMessage with_stored_size(DatatypeMessage type) {
  constexpr std::uint32_t around_sequence_address = 8, around_reference_address = 10;
  DatatypeMessage& base = type.base.front();
  const bool revised =
      base.type_class == format::TypeClass::reference && base.reference > format::ReferenceKind::region;
  if (revised && type.container == nullptr && type.size > around_sequence_address)
    base.size = type.size - around_sequence_address + around_reference_address;
  return type;
}

}  // namespace

ConversionPointer prepare_sequence(const DatatypeMessage& declared_from, const DatatypeMessage& declared_to,
                                   Rules rules) {
  if (declared_from.base.size() != 1 || declared_to.base.size() != 1) return nullptr;
  const DatatypeMessage from = with_stored_size(declared_from), to = with_stored_size(declared_to);
  return std::make_shared<SequenceConversion>(from, to, prepare(from.base.front(), to.base.front(), rules));
}

}  // namespace filigree::type
