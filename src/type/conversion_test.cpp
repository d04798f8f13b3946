// SPDX-License-Identifier: Apache-2.0
#include "type/conversion.hpp"

#include <cmath>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "type/datatypes.hpp"

namespace filigree::type {
namespace {

using format::CharacterSet;
using format::CompoundMember;
using format::ReferenceKind;
using format::StringPadding;
using format::TypeClass;
using enum format::StringPadding;

const DatatypeMessage i16 = format::fixed_point(2, true);
const DatatypeMessage i32 = format::fixed_point(4, true);

DatatypeMessage compound(std::uint32_t size, std::vector<CompoundMember> members) {
  DatatypeMessage type;
  type.type_class = TypeClass::compound;
  type.size = size;
  type.members = std::move(members);
  return type;
}

DatatypeMessage array(const DatatypeMessage& base, std::uint32_t dim) {
  DatatypeMessage type;
  type.type_class = TypeClass::array;
  type.size = base.size * dim;
  type.dims = {dim};
  type.base.push_back(base);
  return type;
}

DatatypeMessage enumeration(std::vector<std::string> names, std::string_view values,
                            std::uint32_t bytes = 1) {
  DatatypeMessage type;
  type.type_class = TypeClass::enumeration;
  type.size = bytes;
  type.base.push_back(format::fixed_point(bytes, true));
  type.enum_names = std::move(names);
  const Bytes raw = as_bytes(values);
  type.enum_values.assign(raw.begin(), raw.end());
  return type;
}

/// Packed elements converted into bytes of '.'.
std::string convert(const DatatypeMessage& from, const DatatypeMessage& to, std::string_view elements,
                    Rules rules = Rules::hdf5, const FaultHandler* on_fault = nullptr) {
  const std::size_t count = elements.size() / from.size;
  std::string result(count * to.size, '.');
  prepare(from, to, rules)
      ->apply(
          {as_bytes(elements).data(), from.size, reinterpret_cast<std::byte*>(result.data()), to.size, count},
          {.on_fault = on_fault});
  return result;
}

using namespace std::string_view_literals;
using namespace std::string_literals;

ErrorKind kind_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

bool refused(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules = Rules::hdf5) {
  return kind_of([&] { prepare(from, to, rules); }) == ErrorKind::wrong_type;
}

DatatypeMessage text(std::uint32_t bytes, StringPadding padding, CharacterSet set = CharacterSet::ascii) {
  return format::fixed_string(bytes, padding, set);
}

TEST(FixedString, IsTruncatedAndPaddedLikeTheReference) {
  EXPECT_EQ(convert(text(5, nul_padded), text(3, nul_terminated), "abcde"sv), "ab\0"s);
  EXPECT_EQ(convert(text(3, space_padded), text(3, nul_terminated), "abc"sv), "ab\0"s);
  EXPECT_EQ(convert(text(5, nul_terminated), text(3, space_padded), "abcd\0"sv), "abc"s);
  EXPECT_EQ(convert(text(4, nul_terminated), text(6, space_padded), "a\0cd"sv), "a     "s);
  EXPECT_EQ(convert(text(4, space_padded), text(6, nul_padded), "a b "sv), "a b\0\0\0"s);
  EXPECT_EQ(convert(text(3, nul_padded), text(5, nul_terminated), "abc\0\0\0"sv), "abc\0\0\0\0\0\0\0"s);
}

TEST(FixedString, IsRejectedByNaturalRulesIfItDoesNotFit) {
  try {
    convert(text(5, nul_padded), text(3, nul_padded), "abcd\0"sv, Rules::natural);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_NE(error.message().find("4 bytes"), std::string::npos);
    EXPECT_NE(error.message().find("3 bytes"), std::string::npos);
  }
  EXPECT_EQ(convert(text(5, nul_padded), text(3, nul_padded), "abc\0\0"sv, Rules::natural), "abc");
  EXPECT_EQ(
      kind_of([] { convert(text(5, nul_padded), text(3, nul_terminated), "abc\0\0"sv, Rules::natural); }),
      ErrorKind::limit);
}

TEST(FixedString, KeepsItsCharacterSetUnderHdf5Rules) {
  const DatatypeMessage utf8 = text(4, nul_padded, CharacterSet::utf8);
  EXPECT_TRUE(refused(text(4, nul_padded), utf8));
  EXPECT_EQ(convert(text(4, nul_padded), utf8, "abcd"sv, Rules::natural), "abcd");
}

TEST(Enumeration, ConvertsByName) {
  const DatatypeMessage from = enumeration({"red", "green", "blue"}, "\1\2\3"sv);
  const DatatypeMessage to = enumeration({"blue", "red", "green"}, "\x0a\0\x0b\0\x0c\0"sv, 2);
  EXPECT_EQ(convert(from, to, "\1\1\2\3"sv), "\x0b\0\x0b\0\x0c\0\x0a\0"s);
}

TEST(Enumeration, FillsUnknownNamesWithOnes) {
  const DatatypeMessage from = enumeration({"a", "z"}, "\1\2"sv);
  const DatatypeMessage to = enumeration({"a"}, "\5\0"sv, 2);
  EXPECT_EQ(convert(from, to, "\2\1\7"sv), "\xff\xff\5\0\xff\xff"s);
}

TEST(Enumeration, CallsTheHandlerForUnknownValues) {
  const DatatypeMessage from = enumeration({"a"}, "\1"sv);
  const DatatypeMessage to = enumeration({"a"}, "\5\0"sv, 2);
  FaultHandling answer = FaultHandling::handled;
  const FaultHandler handler = [&](const FaultyValue& faulty) {
    EXPECT_EQ(faulty.fault, ConversionFault::range_high);
    EXPECT_EQ(faulty.from.size, 1u);
    if (answer == FaultHandling::handled) std::memcpy(faulty.result, "XY", 2);
    return answer;
  };
  EXPECT_EQ(convert(from, to, "\7\1"sv, Rules::hdf5, &handler), "XY\5\0"s);
  answer = FaultHandling::unhandled;
  EXPECT_EQ(convert(from, to, "\7\1"sv, Rules::hdf5, &handler), "\xff\xff\5\0"s);
  answer = FaultHandling::abort;
  EXPECT_EQ(kind_of([&] { convert(from, to, "\7"sv, Rules::hdf5, &handler); }), ErrorKind::conversion);
}

TEST(Enumeration, ConvertsToNumbersByValueAndBackByNaturalRules) {
  const DatatypeMessage type = enumeration({"a"}, "\1"sv);
  EXPECT_EQ(convert(type, i32, "\1\xfe"sv), "\1\0\0\0\xfe\xff\xff\xff"s);
  EXPECT_TRUE(refused(i32, type));
  EXPECT_EQ(convert(i32, type, "\1\0\0\0"sv, Rules::natural), "\1");
  EXPECT_TRUE(refused(format::ieee_float(4), type, Rules::natural));
  EXPECT_TRUE(refused(type, text(1, nul_padded)));
}

TEST(Compound, ConvertsMembersByNameAndKeepsOthers) {
  const DatatypeMessage from = compound(6, {{"a", 0, {}, 0, i32}, {"b", 4, {}, 0, i16}});
  const DatatypeMessage to =
      compound(9, {{"b", 1, {}, 0, i32}, {"new", 5, {}, 0, i16}, {"a", 7, {}, 0, i16}});
  EXPECT_EQ(convert(from, to, "\1\0\0\0\2\0"sv), ".\2\0\0\0..\1\0"s);
  EXPECT_TRUE(prepare(from, to)->traits().partial);
  EXPECT_FALSE(prepare(from, compound(4, {{"a", 0, {}, 0, i32}}))->traits().partial);
}

TEST(Compound, ConvertsManyElements) {
  const DatatypeMessage from = compound(6, {{"a", 0, {}, 0, i32}, {"b", 4, {}, 0, i16}});
  const DatatypeMessage to = compound(6, {{"b", 0, {}, 0, i16}, {"a", 2, {}, 0, i32}});
  const std::size_t count = 10000;  // several blocks
  Buffer source(count * 6);
  for (std::size_t i = 0; i < count; ++i) {
    store_word(source.data() + i * 6, i, 4);
    store_word(source.data() + i * 6 + 4, i % 100, 2);
  }
  Buffer result(count * 8, std::byte{0xaa});
  prepare(from, to)->apply({source.data(), 6, result.data(), 8, count}, {});
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(load_word(result.data() + i * 8, 2), i % 100);
    ASSERT_EQ(load_word(result.data() + i * 8 + 2, 4), i);
    ASSERT_EQ(load_word(result.data() + i * 8 + 6, 2), 0xaaaau);
  }
}

TEST(Compound, IsCopiedIfTheBytesAreEqual) {
  const DatatypeMessage type = compound(8, {{"a", 0, {}, 0, i32}, {"b", 4, {}, 0, i16}});
  EXPECT_TRUE(prepare(type, type)->traits().copies);
  DatatypeMessage reordered = type;
  std::swap(reordered.members[0], reordered.members[1]);
  EXPECT_TRUE(prepare(type, reordered)->traits().copies);
  // The same members without a hole, but the types differ by what a member nests.
  const DatatypeMessage old = compound(8, {{"a", 0, {2}, 0, i32}});
  const DatatypeMessage modern = compound(8, {{"a", 0, {}, 0, array(i32, 2)}});
  EXPECT_TRUE(prepare(old, modern)->traits().copies);
}

TEST(Compound, NamesTheMemberThatHasNoConversion) {
  const DatatypeMessage from = compound(4, {{"a", 0, {}, 0, i32}});
  const DatatypeMessage to = compound(4, {{"a", 0, {}, 0, text(4, nul_padded)}});
  try {
    prepare(from, to);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::wrong_type);
    const std::string what = error.what();
    EXPECT_NE(what.find("'a'"), std::string::npos);
    EXPECT_NE(what.find("32-bit little-endian integer"), std::string::npos);
    EXPECT_NE(what.find("string of 4 bytes"), std::string::npos);
  }
}

TEST(Array, ConvertsItsElements) {
  EXPECT_EQ(convert(array(i16, 2), array(i32, 2), "\1\0\2\0\3\0\4\0"sv), "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0"s);
  EXPECT_TRUE(refused(array(i16, 2), array(i16, 3)));
  EXPECT_TRUE(refused(array(i16, 1), i16));
  DatatypeMessage plane = array(i16, 4);
  plane.dims = {2, 2};
  EXPECT_TRUE(refused(array(i16, 4), plane));
}

TEST(Array, AcceptsStrides) {
  for (const std::uint32_t parts : {2u, 20u}) {
    const std::size_t count = 12;
    const std::size_t stride = parts * 2 + 3;
    Buffer source(count * stride);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < parts; ++j) store_word(source.data() + i * stride + j * 2, i * 20 + j, 2);
    }
    const std::size_t to_stride = parts * 4 + 1;
    Buffer result(count * to_stride);
    prepare(array(i16, parts), array(i32, parts))
        ->apply({source.data(), stride, result.data(), to_stride, count}, {});
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < parts; ++j) {
        ASSERT_EQ(load_word(result.data() + i * to_stride + j * 4, 4), i * 20 + j);
      }
    }
  }
}

DatatypeMessage complex(std::uint32_t part_bytes) {
  DatatypeMessage type;
  type.type_class = TypeClass::complex;
  type.size = part_bytes * 2;
  type.base.push_back(format::ieee_float(part_bytes));
  return type;
}

TEST(Complex, ConvertsItsParts) {
  const float parts[] = {1.5f, -2.0f};
  const std::string_view element(reinterpret_cast<const char*>(parts), 8);
  const std::string wide = convert(complex(4), complex(8), element);
  double read[2];
  std::memcpy(read, wide.data(), 16);
  EXPECT_EQ(read[0], 1.5);
  EXPECT_EQ(read[1], -2.0);
  const DatatypeMessage pair =
      compound(8, {{"i", 0, {}, 0, format::ieee_float(4)}, {"r", 4, {}, 0, format::ieee_float(4)}});
  EXPECT_TRUE(refused(complex(4), pair));
  const std::string swapped = convert(complex(4), pair, element, Rules::natural);
  EXPECT_EQ(swapped, std::string(element.substr(4)) + std::string(element.substr(0, 4)));
  EXPECT_EQ(convert(pair, complex(4), swapped, Rules::natural), element);
  DatatypeMessage other = pair;
  other.members[0].name = "x";
  EXPECT_TRUE(refused(complex(4), other, Rules::natural));
  EXPECT_TRUE(refused(complex(4), i32, Rules::natural));
}

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

TEST(Complex, IsConvertedFromAndToNumbers) {
  const DatatypeMessage f64 = format::ieee_float(8);
  EXPECT_EQ(convert(complex(4), f64, bytes_of({1.5f, -2.0f})), bytes_of({1.5}));
  EXPECT_EQ(convert(complex(4), i32, bytes_of({7.9f, 5.0f})), bytes_of({7}));
  EXPECT_EQ(convert(i32, complex(4), bytes_of({-3})), bytes_of({-3.0f, 0.0f}));
  EXPECT_EQ(convert(i32, complex(8), bytes_of({-3}), Rules::natural), bytes_of({-3.0, 0.0}));
  EXPECT_EQ(convert(f64, complex(4), bytes_of({1e300})), bytes_of({HUGE_VALF, 0.0f}));
}

TEST(Complex, IsTheSameAsAPairOfItsParts) {
  const auto f32 = format::ieee_float(4);
  const std::string element = bytes_of({1.5f, -2.0f});
  for (const auto& [real, imaginary] :
       {std::pair("r", "i"), {"re", "im"}, {"real", "imag"}, {"rea", "imaginary"}}) {
    const DatatypeMessage pair = compound(8, {{real, 0, {}, 0, f32}, {imaginary, 4, {}, 0, f32}});
    EXPECT_EQ(convert(complex(4), pair, element), element) << real;
    EXPECT_EQ(convert(pair, complex(4), element), element) << real;
    EXPECT_TRUE(refused(pair, complex(8))) << real;
  }
  EXPECT_TRUE(refused(complex(4), compound(8, {{"real", 0, {}, 0, f32}, {"imaginaryx", 4, {}, 0, f32}})));
  EXPECT_TRUE(refused(complex(4), compound(8, {{"x", 0, {}, 0, f32}, {"i", 4, {}, 0, f32}})));
  EXPECT_TRUE(refused(complex(4), compound(12, {{"r", 0, {}, 0, f32}, {"i", 4, {}, 0, f32}})));
  EXPECT_TRUE(refused(complex(4), compound(8, {{"r", 0, {}, 0, i32}, {"i", 4, {}, 0, i32}})));
  DatatypeMessage array;
  array.type_class = TypeClass::array;
  array.size = 8;
  array.dims = {1, 2};
  array.base.push_back(f32);
  EXPECT_EQ(convert(complex(4), array, element), element);
  EXPECT_EQ(convert(array, complex(4), element), element);
  EXPECT_TRUE(refused(array, complex(8)));
}

TEST(Complex, FaultsNameTheWholeNumber) {
  const DatatypeMessage from = complex(8), to = complex(4);
  const auto conversion = prepare(from, to);
  const double parts[] = {1.0, 1e300};
  float results[] = {0, 0};
  int calls = 0;
  const FaultHandler handler = [&](const FaultyValue& faulty) {
    ++calls;
    EXPECT_EQ(faulty.from.type_class, TypeClass::complex);
    EXPECT_EQ(faulty.to.size, 8u);
    EXPECT_EQ(static_cast<const void*>(faulty.value), parts);
    EXPECT_EQ(static_cast<void*>(faulty.result), results);
    return FaultHandling::unhandled;
  };
  Context context;
  context.on_fault = &handler;
  conversion->apply(
      {reinterpret_cast<const std::byte*>(parts), 16, reinterpret_cast<std::byte*>(results), 8, 1}, context);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(results[0], 1.0f);
  EXPECT_EQ(results[1], HUGE_VALF);
}

DatatypeMessage reference(ReferenceKind kind, std::uint32_t bytes) {
  DatatypeMessage type;
  type.type_class = TypeClass::reference;
  type.reference = kind;
  type.size = bytes;
  return type;
}

TEST(Reference, ChangesTheWidthOfItsAddress) {
  const DatatypeMessage narrow = reference(ReferenceKind::object, 4);
  const DatatypeMessage wide = reference(ReferenceKind::object, 8);
  EXPECT_EQ(convert(narrow, wide, "\1\2\0\0\0\0\0\0\xff\xff\xff\xff"sv),
            "\1\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"s);
  EXPECT_EQ(convert(wide, narrow, "\1\2\0\0\0\0\0\0"sv), "\1\2\0\0"s);
  EXPECT_EQ(kind_of([&] { convert(wide, narrow, "\0\0\0\0\1\0\0\0"sv); }), ErrorKind::limit);
  EXPECT_EQ(convert(reference(ReferenceKind::region, 8), reference(ReferenceKind::region, 12),
                    "\1\2\0\0\7\0\0\0"sv),
            "\1\2\0\0\0\0\0\0\7\0\0\0"s);
}

TEST(Reference, KeepsItsKind) {
  EXPECT_TRUE(refused(reference(ReferenceKind::object, 8), reference(ReferenceKind::region, 12)));
  EXPECT_TRUE(refused(reference(ReferenceKind::object, 8), reference(ReferenceKind::revised_object, 18)));
  EXPECT_TRUE(refused(reference(ReferenceKind::object, 8), format::fixed_point(8, false)));
}

TEST(Reference, OfTheRevisedKindKeepsTokensAndHeapObjects) {
  const DatatypeMessage narrow = reference(ReferenceKind::revised_object, 14);
  const DatatypeMessage wide = reference(ReferenceKind::revised_object, 18);
  EXPECT_EQ(convert(narrow, wide, "\2\0\4\1\2\0\0.......\0............."sv),
            "\2\0\x08\1\2\0\0\0\0\0\0\0\0\0\0\0\0\0"s + std::string(18, '\0'));
  EXPECT_EQ(convert(narrow, wide, "\3\0\x09\0\0\0\1\2\0\0\7\0\0\0"sv),
            "\3\0\x09\0\0\0\1\2\0\0\0\0\0\0\7\0\0\0"s);
  EXPECT_EQ(kind_of([&] { convert(narrow, wide, "\2\0\x09..........."sv); }), ErrorKind::corrupt);
}

TEST(Conversion, OfOpaqueAndTimeTypesRequiresTheSameType) {
  DatatypeMessage opaque;
  opaque.type_class = TypeClass::opaque;
  opaque.size = 3;
  opaque.tag = "tag";
  EXPECT_EQ(convert(opaque, opaque, "abc"sv), "abc");
  DatatypeMessage other = opaque;
  other.tag = "other";
  EXPECT_TRUE(refused(opaque, other));
  other = opaque;
  other.size = 4;
  EXPECT_TRUE(refused(opaque, other, Rules::natural));
  DatatypeMessage time = i32;
  time.type_class = TypeClass::time;
  EXPECT_TRUE(prepare(time, time)->traits().copies);
  EXPECT_TRUE(refused(time, i32));
  EXPECT_TRUE(refused(i32, text(4, nul_padded)));
  EXPECT_TRUE(refused(compound(4, {{"a", 0, {}, 0, i32}}), i32));
}

}  // namespace
}  // namespace filigree::type
