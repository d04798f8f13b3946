// SPDX-License-Identifier: Apache-2.0
//
// The predefined datatypes.
#include <cstdint>

#include <filigree/error.hpp>

#include "capi/H5T/conversions.hpp"
#include "capi/H5T/type_tools.hpp"
#include "capi/core/library.hpp"

namespace filigree::capi {

using format::ByteOrder;
using format::TypeClass;

namespace {

void predefine(hid_t& id, DatatypeMessage message) {
  id = add_type(std::move(message), TypeState::immutable);
}

template <class T>
void predefine_integer(hid_t& id) {
  predefine(id, format::fixed_point(sizeof(T), std::is_signed_v<T>));
}

DatatypeMessage bitfield(std::uint32_t bytes, bool big_endian) {
  DatatypeMessage message = format::fixed_point(bytes, false, big_endian);
  message.type_class = TypeClass::bitfield;
  return message;
}

DatatypeMessage time(std::uint32_t bytes, bool big_endian) {
  DatatypeMessage message;
  message.type_class = TypeClass::time;
  message.size = bytes;
  message.order = big_endian ? ByteOrder::big : ByteOrder::little;
  message.precision = static_cast<std::uint16_t>(8 * bytes);
  return message;
}

DatatypeMessage vax_float(std::uint32_t bytes, std::uint32_t bias) {
  DatatypeMessage message = format::ieee_float(bytes);
  message.version = 3;
  message.order = ByteOrder::vax;
  message.floating.exponent_bias = bias;
  return message;
}

DatatypeMessage long_double() {
  DatatypeMessage message;
  message.type_class = TypeClass::floating_point;
  message.size = sizeof(long double);
  message.precision = 80;
  message.floating = {79, 64, 15, 0, 64, 16383, format::Normalisation::none};
  return message;
}

/// A number without gaps between sign, exponent and mantissa.
DatatypeMessage small_float(std::uint32_t bytes, std::uint8_t exponent_bits, std::uint8_t mantissa_bits,
                            bool big_endian = false) {
  DatatypeMessage message;
  message.type_class = TypeClass::floating_point;
  message.size = bytes;
  message.order = big_endian ? ByteOrder::big : ByteOrder::little;
  message.precision = static_cast<std::uint16_t>(1 + exponent_bits + mantissa_bits);
  const auto sign = static_cast<std::uint8_t>(exponent_bits + mantissa_bits);
  const std::uint32_t bias = (1u << (exponent_bits - 1)) - 1;
  message.floating = {
      sign, mantissa_bits, exponent_bits, 0, mantissa_bits, bias, format::Normalisation::msb_implied};
  return message;
}

DatatypeMessage complex(const DatatypeMessage& part) {
  DatatypeMessage message;
  message.version = 5;
  message.type_class = TypeClass::complex;
  message.size = 2 * part.size;
  message.base.push_back(part);
  return message;
}

DatatypeMessage reference(format::ReferenceKind kind, std::uint32_t bytes) {
  DatatypeMessage message;
  message.type_class = TypeClass::reference;
  message.reference = kind;
  message.size = bytes;
  return message;
}

DatatypeMessage any_reference() {
  DatatypeMessage message = reference(format::ReferenceKind::revised_object, 18);
  message.version = 4;
  message.reference_encoding = 1;
  return memory_form(message);
}

DatatypeMessage opaque_byte() {
  DatatypeMessage message;
  message.type_class = TypeClass::opaque;
  message.size = 1;
  return message;
}

void predefine_c_numbers() {
  predefine_integer<signed char>(H5T_NATIVE_SCHAR_g);
  predefine_integer<unsigned char>(H5T_NATIVE_UCHAR_g);
  predefine_integer<short>(H5T_NATIVE_SHORT_g);
  predefine_integer<unsigned short>(H5T_NATIVE_USHORT_g);
  predefine_integer<int>(H5T_NATIVE_INT_g);
  predefine_integer<unsigned>(H5T_NATIVE_UINT_g);
  predefine_integer<long>(H5T_NATIVE_LONG_g);
  predefine_integer<unsigned long>(H5T_NATIVE_ULONG_g);
  predefine_integer<long long>(H5T_NATIVE_LLONG_g);
  predefine_integer<unsigned long long>(H5T_NATIVE_ULLONG_g);
  predefine(H5T_NATIVE_FLOAT16_g, format::ieee_float(2));
  predefine(H5T_NATIVE_FLOAT_g, format::ieee_float(4));
  predefine(H5T_NATIVE_DOUBLE_g, format::ieee_float(8));
  predefine(H5T_NATIVE_LDOUBLE_g, long_double());
  predefine(H5T_NATIVE_FLOAT_COMPLEX_g, complex(format::ieee_float(4)));
  predefine(H5T_NATIVE_DOUBLE_COMPLEX_g, complex(format::ieee_float(8)));
  predefine(H5T_NATIVE_LDOUBLE_COMPLEX_g, complex(long_double()));
  predefine(H5T_NATIVE_B8_g, bitfield(1, false));
  predefine(H5T_NATIVE_B16_g, bitfield(2, false));
  predefine(H5T_NATIVE_B32_g, bitfield(4, false));
  predefine(H5T_NATIVE_B64_g, bitfield(8, false));
  predefine(H5T_NATIVE_OPAQUE_g, opaque_byte());
  predefine_integer<haddr_t>(H5T_NATIVE_HADDR_g);
  predefine_integer<hsize_t>(H5T_NATIVE_HSIZE_g);
  predefine_integer<hssize_t>(H5T_NATIVE_HSSIZE_g);
  predefine_integer<herr_t>(H5T_NATIVE_HERR_g);
  predefine_integer<std::uint8_t>(H5T_NATIVE_HBOOL_g);
}

void predefine_sized_integers() {
  predefine_integer<std::int8_t>(H5T_NATIVE_INT8_g);
  predefine_integer<std::uint8_t>(H5T_NATIVE_UINT8_g);
  predefine_integer<std::int_least8_t>(H5T_NATIVE_INT_LEAST8_g);
  predefine_integer<std::uint_least8_t>(H5T_NATIVE_UINT_LEAST8_g);
  predefine_integer<std::int_fast8_t>(H5T_NATIVE_INT_FAST8_g);
  predefine_integer<std::uint_fast8_t>(H5T_NATIVE_UINT_FAST8_g);
  predefine_integer<std::int16_t>(H5T_NATIVE_INT16_g);
  predefine_integer<std::uint16_t>(H5T_NATIVE_UINT16_g);
  predefine_integer<std::int_least16_t>(H5T_NATIVE_INT_LEAST16_g);
  predefine_integer<std::uint_least16_t>(H5T_NATIVE_UINT_LEAST16_g);
  predefine_integer<std::int_fast16_t>(H5T_NATIVE_INT_FAST16_g);
  predefine_integer<std::uint_fast16_t>(H5T_NATIVE_UINT_FAST16_g);
  predefine_integer<std::int32_t>(H5T_NATIVE_INT32_g);
  predefine_integer<std::uint32_t>(H5T_NATIVE_UINT32_g);
  predefine_integer<std::int_least32_t>(H5T_NATIVE_INT_LEAST32_g);
  predefine_integer<std::uint_least32_t>(H5T_NATIVE_UINT_LEAST32_g);
  predefine_integer<std::int_fast32_t>(H5T_NATIVE_INT_FAST32_g);
  predefine_integer<std::uint_fast32_t>(H5T_NATIVE_UINT_FAST32_g);
  predefine_integer<std::int64_t>(H5T_NATIVE_INT64_g);
  predefine_integer<std::uint64_t>(H5T_NATIVE_UINT64_g);
  predefine_integer<std::int_least64_t>(H5T_NATIVE_INT_LEAST64_g);
  predefine_integer<std::uint_least64_t>(H5T_NATIVE_UINT_LEAST64_g);
  predefine_integer<std::int_fast64_t>(H5T_NATIVE_INT_FAST64_g);
  predefine_integer<std::uint_fast64_t>(H5T_NATIVE_UINT_FAST64_g);
}

/// The types that HDF5 has since 2.0.
void predefine_new_numbers() {
  predefine(H5T_FLOAT_BFLOAT16LE_g, small_float(2, 8, 7));
  predefine(H5T_FLOAT_BFLOAT16BE_g, small_float(2, 8, 7, true));
  predefine(H5T_FLOAT_F8E4M3_g, small_float(1, 4, 3));
  predefine(H5T_FLOAT_F8E5M2_g, small_float(1, 5, 2));
  predefine(H5T_FLOAT_F6E2M3_g, small_float(1, 2, 3));
  predefine(H5T_FLOAT_F6E3M2_g, small_float(1, 3, 2));
  predefine(H5T_FLOAT_F4E2M1_g, small_float(1, 2, 1));
  predefine(H5T_COMPLEX_IEEE_F16LE_g, complex(format::ieee_float(2)));
  predefine(H5T_COMPLEX_IEEE_F16BE_g, complex(format::ieee_float(2, true)));
  predefine(H5T_COMPLEX_IEEE_F32LE_g, complex(format::ieee_float(4)));
  predefine(H5T_COMPLEX_IEEE_F32BE_g, complex(format::ieee_float(4, true)));
  predefine(H5T_COMPLEX_IEEE_F64LE_g, complex(format::ieee_float(8)));
  predefine(H5T_COMPLEX_IEEE_F64BE_g, complex(format::ieee_float(8, true)));
}

void predefine_standard() {
  struct Four {
    std::uint32_t bytes;
    hid_t *signed_little, *signed_big, *unsigned_little, *unsigned_big, *bits_little, *bits_big;
  };
  for (const Four& t : {Four{1, &H5T_STD_I8LE_g, &H5T_STD_I8BE_g, &H5T_STD_U8LE_g, &H5T_STD_U8BE_g,
                             &H5T_STD_B8LE_g, &H5T_STD_B8BE_g},
                        Four{2, &H5T_STD_I16LE_g, &H5T_STD_I16BE_g, &H5T_STD_U16LE_g, &H5T_STD_U16BE_g,
                             &H5T_STD_B16LE_g, &H5T_STD_B16BE_g},
                        Four{4, &H5T_STD_I32LE_g, &H5T_STD_I32BE_g, &H5T_STD_U32LE_g, &H5T_STD_U32BE_g,
                             &H5T_STD_B32LE_g, &H5T_STD_B32BE_g},
                        Four{8, &H5T_STD_I64LE_g, &H5T_STD_I64BE_g, &H5T_STD_U64LE_g, &H5T_STD_U64BE_g,
                             &H5T_STD_B64LE_g, &H5T_STD_B64BE_g}}) {
    predefine(*t.signed_little, format::fixed_point(t.bytes, true));
    predefine(*t.signed_big, format::fixed_point(t.bytes, true, true));
    predefine(*t.unsigned_little, format::fixed_point(t.bytes, false));
    predefine(*t.unsigned_big, format::fixed_point(t.bytes, false, true));
    predefine(*t.bits_little, bitfield(t.bytes, false));
    predefine(*t.bits_big, bitfield(t.bytes, true));
  }
  predefine(H5T_IEEE_F16LE_g, format::ieee_float(2));
  predefine(H5T_IEEE_F16BE_g, format::ieee_float(2, true));
  predefine(H5T_IEEE_F32LE_g, format::ieee_float(4));
  predefine(H5T_IEEE_F32BE_g, format::ieee_float(4, true));
  predefine(H5T_IEEE_F64LE_g, format::ieee_float(8));
  predefine(H5T_IEEE_F64BE_g, format::ieee_float(8, true));
  predefine(H5T_VAX_F32_g, vax_float(4, 129));
  predefine(H5T_VAX_F64_g, vax_float(8, 1025));
  predefine(H5T_UNIX_D32LE_g, time(4, false));
  predefine(H5T_UNIX_D32BE_g, time(4, true));
  predefine(H5T_UNIX_D64LE_g, time(8, false));
  predefine(H5T_UNIX_D64BE_g, time(8, true));
}

}  // namespace

void set_up_types() {
  at_library_close([] { user_conversions().clear(); });
  predefine_c_numbers();
  predefine_sized_integers();
  predefine_standard();
  predefine_new_numbers();
  predefine(H5T_STD_REF_OBJ_g, reference(format::ReferenceKind::object, 8));
  predefine(H5T_STD_REF_DSETREG_g, reference(format::ReferenceKind::region, 12));
  predefine(H5T_STD_REF_g, any_reference());
  predefine(H5T_C_S1_g,
            format::fixed_string(1, format::StringPadding::nul_terminated, format::CharacterSet::ascii));
  predefine(H5T_FORTRAN_S1_g,
            format::fixed_string(1, format::StringPadding::space_padded, format::CharacterSet::ascii));
}

}  // namespace filigree::capi
