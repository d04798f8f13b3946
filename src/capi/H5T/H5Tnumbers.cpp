// SPDX-License-Identifier: Apache-2.0
//
// Datatypes: byte order, precision and fields of numbers. Enumerations, arrays and sequences report those of
// their base type.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "capi/H5T/type_tools.hpp"

namespace filigree::capi {

using format::ByteOrder;
using format::TypeClass;

namespace {

bool has_order(const DatatypeMessage& type) {
  return type.type_class == TypeClass::fixed_point || type.type_class == TypeClass::floating_point ||
         type.type_class == TypeClass::bitfield || type.type_class == TypeClass::time;
}

/// Returns the byte order. In compound types, members without a byte order are skipped, and different ones
/// give H5T_ORDER_MIXED.
H5T_order_t order_of(const DatatypeMessage& type) {
  const DatatypeMessage& inner = innermost(type);
  if (has_order(inner)) return static_cast<H5T_order_t>(inner.order);
  H5T_order_t joined = H5T_ORDER_NONE;
  for (const format::CompoundMember& member : inner.members) {
    const H5T_order_t order = order_of(member.type);
    if (order == H5T_ORDER_NONE) continue;
    if (joined != H5T_ORDER_NONE && joined != order) return H5T_ORDER_MIXED;
    joined = order;
  }
  return joined;
}

void set_order(DatatypeMessage& type, H5T_order_t order) {
  require_no_enumerators(type, type_unsupported());
  if (!type.base.empty()) return set_order(type.base.front(), order);
  if (type.type_class == TypeClass::compound) {
    if (order == H5T_ORDER_NONE) throw Failure(type_unsupported(), "a compound has a byte order");
    for (format::CompoundMember& member : type.members) set_order(member.type, order);
  } else if (has_order(type)) {
    if (order == H5T_ORDER_NONE) throw Failure(type_unsupported(), "numbers have a byte order");
    type.order = static_cast<ByteOrder>(order);
  }
}

/// Returns the base type, which must be an integer, a float, a bit field or a time.
const DatatypeMessage& bits_of(const DatatypeMessage& type, const char* what) {
  const DatatypeMessage& inner = innermost(type);
  if (!is_atomic(inner))
    throw Failure(type_unsupported(), fmt::format("a {} has no {}", format::describe_type(inner), what));
  return inner;
}

std::size_t precision_of(const DatatypeMessage& type) {
  const DatatypeMessage& inner = bits_of(type, "precision");
  return has_order(inner) ? inner.precision : std::size_t{inner.size} * 8;
}

DatatypeMessage& float_in(DatatypeMessage& type) {
  DatatypeMessage& inner = innermost(type);
  if (inner.type_class != TypeClass::floating_point)
    throw Failure(type_bad_type(), "not a datatype of floating-point numbers");
  return inner;
}
const DatatypeMessage& float_in(const DatatypeMessage& type) {
  return float_in(const_cast<DatatypeMessage&>(type));
}

bool fields_fit(const format::FloatFields& f, std::size_t bits) {
  return f.sign_position < bits && std::size_t{f.exponent_position} + f.exponent_bits <= bits &&
         std::size_t{f.mantissa_position} + f.mantissa_bits <= bits;
}

constexpr std::size_t most_bits = 0xffff;

void set_precision(DatatypeMessage& type, std::size_t bits) {
  DatatypeMessage& inner = innermost(type);
  if (!has_order(inner)) throw Failure(type_cant_set(), "the precision of this class cannot be set");
  if (bits > most_bits) bad_value(fmt::format("{} bits: the most is {}", bits, most_bits));
  std::size_t offset = inner.bit_offset;
  const std::size_t available_bits = std::size_t{inner.size} * 8;
  if (bits > available_bits) {
    offset = 0;
  } else if (offset + bits > available_bits) {
    offset = available_bits - bits;
  }
  if (inner.type_class == TypeClass::floating_point && !fields_fit(inner.floating, bits + offset))
    throw Failure(type_cant_set(), "sign, exponent and mantissa have to be moved first (H5Tset_fields)");
  if (bits > available_bits) inner.size = static_cast<std::uint32_t>((bits + 7) / 8);
  inner.precision = static_cast<std::uint16_t>(bits);
  inner.bit_offset = static_cast<std::uint16_t>(offset);
  settle_sizes(type);
}

void set_offset(DatatypeMessage& type, std::size_t offset) {
  DatatypeMessage& inner = innermost(type);
  if (!is_atomic(inner) || inner.type_class == TypeClass::reference)
    throw Failure(type_unsupported(), "the bit offset of this class cannot be set");
  if (!has_order(inner)) return;
  if (offset > most_bits) bad_value(fmt::format("a bit offset of {}: the most is {}", offset, most_bits));
  if (offset + inner.precision > std::size_t{inner.size} * 8)
    inner.size = static_cast<std::uint32_t>((offset + inner.precision + 7) / 8);
  inner.bit_offset = static_cast<std::uint16_t>(offset);
  settle_sizes(type);
}

void check_pad(H5T_pad_t pad, const char* what) {
  if (pad < H5T_PAD_ZERO || pad >= H5T_NPAD) bad_value(fmt::format("{} is not a kind of padding", what));
}

bool overlap(std::size_t a, std::size_t a_bits, std::size_t b, std::size_t b_bits) {
  return a < b + b_bits && b < a + a_bits;
}

format::FloatFields checked_fields(const DatatypeMessage& type, std::size_t spos, std::size_t epos,
                                   std::size_t esize, std::size_t mpos, std::size_t msize) {
  const std::size_t bits = type.precision;
  if (epos > bits || esize > bits - epos) bad_value("the exponent (epos, esize) does not fit the precision");
  if (mpos > bits || msize > bits - mpos) bad_value("the mantissa (mpos, msize) does not fit the precision");
  if (spos >= bits) bad_value("the sign (spos) does not fit the precision");
  if (overlap(spos, 1, epos, esize)) bad_value("sign and exponent overlap");
  if (overlap(spos, 1, mpos, msize)) bad_value("sign and mantissa overlap");
  if (overlap(epos, esize, mpos, msize)) bad_value("exponent and mantissa overlap");
  if (std::max({spos, epos, esize, mpos, msize}) > 255) bad_value("a position beyond bit 255");
  format::FloatFields fields = type.floating;
  fields.sign_position = static_cast<std::uint8_t>(spos);
  fields.exponent_position = static_cast<std::uint8_t>(epos);
  fields.exponent_bits = static_cast<std::uint8_t>(esize);
  fields.mantissa_position = static_cast<std::uint8_t>(mpos);
  fields.mantissa_bits = static_cast<std::uint8_t>(msize);
  return fields;
}

/// Finds a type that can be changed, and calls `work` to change it.
template <class Work>
void change_type(hid_t id, Code refused, Work&& work) {
  const auto type = get_type(id);
  require_changeable(*type, refused);
  type->value.change(std::forward<Work>(work));
}

template <class T>
void store_if(T* to, T value) {
  if (to != nullptr) *to = value;
}

// The two enumerations have opposite orders.
H5T_norm_t to_c(format::Normalisation n) { return static_cast<H5T_norm_t>(2 - static_cast<int>(n)); }
format::Normalisation from_c(H5T_norm_t n) { return static_cast<format::Normalisation>(2 - n); }

/// As in HDF5, an invalid id is reported as an error of datatypes here.
std::shared_ptr<TypeHandle> type_for_order(hid_t id) {
  auto type = ids().find_as<TypeHandle>(id);
  if (type == nullptr) throw Failure(type_bad_type(), "not a datatype");
  return type;
}

}  // namespace
}  // namespace filigree::capi

using namespace filigree::capi;
using filigree::format::TypeClass;

H5T_order_t H5Tget_order(hid_t type_id) {
  return api_call({"H5Tget_order", type_unsupported(), "unable to get the byte order"},
                  [&] { return order_of(*type_for_order(type_id)->value.get()); });
}

herr_t H5Tset_order(hid_t type_id, H5T_order_t order) {
  return api_call({"H5Tset_order", type_unsupported(), "unable to set the byte order"}, [&] {
    const auto type = type_for_order(type_id);
    if (order < H5T_ORDER_LE || order > H5T_ORDER_NONE || order == H5T_ORDER_MIXED)
      throw Failure(type_bad_value(), "order is not a byte order");
    require_changeable(*type, type_cant_init());
    type->value.change([&](DatatypeMessage& message) { set_order(message, order); });
  });
}

size_t H5Tget_precision(hid_t type_id) {
  return api_call_or(size_t{0}, {"H5Tget_precision", type_unsupported(), "unable to get the precision"},
                     [&] { return precision_of(*get_type(type_id)->value.get()); });
}

herr_t H5Tset_precision(hid_t type_id, size_t prec) {
  return api_call({"H5Tset_precision", type_cant_set(), "unable to set the precision"}, [&] {
    change_type(type_id, args_cant_set(), [&](DatatypeMessage& message) {
      if (prec == 0) bad_value("prec cannot be 0");
      require_no_enumerators(message, type_cant_set());
      if (message.type_class == TypeClass::string)
        throw Failure({&H5E_ARGS_g, &H5E_UNSUPPORTED_g}, "the precision of strings follows from their size");
      bits_of(message, "precision");
      set_precision(message, prec);
    });
  });
}

int H5Tget_offset(hid_t type_id) {
  return api_call({"H5Tget_offset", type_unsupported(), "unable to get the bit offset"},
                  [&] { return int{bits_of(*get_type(type_id)->value.get(), "bit offset").bit_offset}; });
}

herr_t H5Tset_offset(hid_t type_id, size_t offset) {
  return api_call({"H5Tset_offset", type_cant_init(), "unable to set the bit offset"}, [&] {
    change_type(type_id, args_cant_init(), [&](DatatypeMessage& message) {
      if (message.type_class == TypeClass::string && offset != 0) bad_value("the offset of strings is 0");
      require_no_enumerators(message, type_cant_init());
      set_offset(message, offset);
    });
  });
}

herr_t H5Tget_pad(hid_t type_id, H5T_pad_t* lsb, H5T_pad_t* msb) {
  return api_call({"H5Tget_pad", type_unsupported(), "unable to get the padding"}, [&] {
    const auto type = get_type(type_id)->value.get();
    const DatatypeMessage& inner = bits_of(*type, "padding");
    store_if(lsb, static_cast<H5T_pad_t>(inner.low_padding));
    store_if(msb, static_cast<H5T_pad_t>(inner.high_padding));
  });
}

herr_t H5Tset_pad(hid_t type_id, H5T_pad_t lsb, H5T_pad_t msb) {
  return api_call({"H5Tset_pad", type_unsupported(), "unable to set the padding"}, [&] {
    change_type(type_id, args_cant_init(), [&](DatatypeMessage& message) {
      check_pad(lsb, "lsb");
      check_pad(msb, "msb");
      require_no_enumerators(message, type_cant_init());
      bits_of(message, "padding");
      DatatypeMessage& inner = innermost(message);
      inner.low_padding = lsb == H5T_PAD_ONE;
      inner.high_padding = msb == H5T_PAD_ONE;
    });
  });
}

H5T_sign_t H5Tget_sign(hid_t type_id) {
  return api_call({"H5Tget_sign", type_cant_init(), "unable to get the sign"}, [&] {
    const auto type = get_type(type_id)->value.get();
    const DatatypeMessage& inner = innermost(*type);
    if (inner.type_class != TypeClass::fixed_point)
      throw Failure(type_cant_init(), "not a datatype of integers");
    return inner.is_signed ? H5T_SGN_2 : H5T_SGN_NONE;
  });
}

herr_t H5Tset_sign(hid_t type_id, H5T_sign_t sign) {
  return api_call({"H5Tset_sign", type_cant_init(), "unable to set the sign"}, [&] {
    change_type(type_id, args_cant_init(), [&](DatatypeMessage& message) {
      if (sign < H5T_SGN_NONE || sign >= H5T_NSGN) bad_value("sign is not a kind of sign");
      require_no_enumerators(message, type_cant_init());
      DatatypeMessage& inner = innermost(message);
      if (inner.type_class != TypeClass::fixed_point)
        throw Failure(type_cant_init(), "not a datatype of integers");
      inner.is_signed = sign == H5T_SGN_2;
    });
  });
}

herr_t H5Tget_fields(hid_t type_id, size_t* spos, size_t* epos, size_t* esize, size_t* mpos, size_t* msize) {
  return api_call({"H5Tget_fields", type_bad_type(), "unable to get the fields"}, [&] {
    const auto type = get_type(type_id)->value.get();
    const filigree::format::FloatFields& fields = float_in(*type).floating;
    store_if(spos, size_t{fields.sign_position});
    store_if(epos, size_t{fields.exponent_position});
    store_if(esize, size_t{fields.exponent_bits});
    store_if(mpos, size_t{fields.mantissa_position});
    store_if(msize, size_t{fields.mantissa_bits});
  });
}

herr_t H5Tset_fields(hid_t type_id, size_t spos, size_t epos, size_t esize, size_t mpos, size_t msize) {
  return api_call({"H5Tset_fields", type_bad_type(), "unable to set the fields"}, [&] {
    change_type(type_id, args_cant_set(), [&](DatatypeMessage& message) {
      DatatypeMessage& inner = float_in(message);
      inner.floating = checked_fields(inner, spos, epos, esize, mpos, msize);
    });
  });
}

size_t H5Tget_ebias(hid_t type_id) {
  return api_call_or(size_t{0}, {"H5Tget_ebias", type_bad_type(), "unable to get the bias of the exponent"},
                     [&] {
                       const auto type = get_type(type_id)->value.get();
                       return size_t{float_in(*type).floating.exponent_bias};
                     });
}

herr_t H5Tset_ebias(hid_t type_id, size_t ebias) {
  return api_call({"H5Tset_ebias", type_bad_type(), "unable to set the bias of the exponent"}, [&] {
    change_type(type_id, args_cant_set(), [&](DatatypeMessage& message) {
      auto& floating = float_in(message).floating;
      if (ebias > 0xffffffffu) bad_value("ebias takes more than 32 bits");
      floating.exponent_bias = static_cast<std::uint32_t>(ebias);
    });
  });
}

H5T_norm_t H5Tget_norm(hid_t type_id) {
  return api_call({"H5Tget_norm", type_bad_type(), "unable to get the normalisation"}, [&] {
    const auto type = get_type(type_id)->value.get();
    return to_c(float_in(*type).floating.normalisation);
  });
}

herr_t H5Tset_norm(hid_t type_id, H5T_norm_t norm) {
  return api_call({"H5Tset_norm", type_bad_type(), "unable to set the normalisation"}, [&] {
    change_type(type_id, args_cant_set(), [&](DatatypeMessage& message) {
      if (norm < H5T_NORM_IMPLIED || norm > H5T_NORM_NONE) bad_value("norm is not a kind of normalisation");
      float_in(message).floating.normalisation = from_c(norm);
    });
  });
}

H5T_pad_t H5Tget_inpad(hid_t type_id) {
  return api_call({"H5Tget_inpad", type_bad_type(), "unable to get the inner padding"}, [&] {
    const auto type = get_type(type_id)->value.get();
    return static_cast<H5T_pad_t>(float_in(*type).internal_padding);
  });
}

herr_t H5Tset_inpad(hid_t type_id, H5T_pad_t pad) {
  return api_call({"H5Tset_inpad", type_bad_type(), "unable to set the inner padding"}, [&] {
    change_type(type_id, args_cant_set(), [&](DatatypeMessage& message) {
      check_pad(pad, "pad");
      float_in(message).internal_padding = pad == H5T_PAD_ONE;
    });
  });
}
