// SPDX-License-Identifier: Apache-2.0
#include "type/datatypes.hpp"

#include <functional>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree::type {
namespace {

using format::CharacterSet;
using format::CompoundMember;
using format::StringPadding;
using format::TypeClass;

DatatypeMessage compound(std::uint32_t size, std::vector<CompoundMember> members) {
  DatatypeMessage type;
  type.type_class = TypeClass::compound;
  type.size = size;
  type.members = std::move(members);
  return type;
}

DatatypeMessage array(const DatatypeMessage& base, std::vector<std::uint32_t> dims) {
  DatatypeMessage type;
  type.type_class = TypeClass::array;
  type.size = base.size;
  for (const std::uint32_t dim : dims) type.size *= dim;
  type.dims = std::move(dims);
  type.base.push_back(base);
  return type;
}

DatatypeMessage sequence(const DatatypeMessage& base) {
  DatatypeMessage type;
  type.type_class = TypeClass::variable_length;
  type.size = 16;
  type.base.push_back(base);
  return type;
}

DatatypeMessage enumeration() {
  DatatypeMessage type;
  type.type_class = TypeClass::enumeration;
  type.size = 1;
  type.base.push_back(format::fixed_point(1, true));
  type.enum_names = {"A"};
  type.enum_values = {std::byte{1}};
  return type;
}

const DatatypeMessage i32 = format::fixed_point(4, true);
const DatatypeMessage text = format::variable_string(CharacterSet::utf8, 8);

TEST(DerivedTypes, MoveMembersByTheGrowthOfEarlierMembers) {
  // A string between two numbers, with holes of 1 and 2 bytes that stay.
  const DatatypeMessage stored =
      compound(29, {{"last", 23, {}, 0, i32}, {"text", 5, {}, 0, text}, {"first", 0, {}, 0, i32}});
  const DatatypeMessage held = c_type(stored);
  EXPECT_EQ(held.size, 21u);
  ASSERT_EQ(held.members.size(), 3u);
  EXPECT_EQ(held.members[0].name, "first");
  EXPECT_EQ(held.members[1].byte_offset, 5u);
  EXPECT_EQ(held.members[1].type.container, &c_string);
  EXPECT_EQ(held.members[2].byte_offset, 15u);
  EXPECT_TRUE(format::same_type(file_type(held, 8), stored));
  EXPECT_EQ(file_type(held, 4).size, 25u);
  EXPECT_EQ(file_type(held, 4).members[1].type.size, 12u);
}

TEST(DerivedTypes, IncludeArraysAndSequences) {
  const DatatypeMessage stored = array(sequence(compound(16, {{"t", 0, {}, 0, text}})), {2, 3});
  EXPECT_TRUE(has_variable_parts(stored));
  EXPECT_FALSE(has_references(stored));
  const DatatypeMessage held = c_type(stored);
  EXPECT_EQ(held.size, 96u);
  EXPECT_EQ(held.base[0].container, &c_sequence);
  EXPECT_EQ(held.base[0].base[0].size, 8u);
  EXPECT_EQ(file_type(held, 2).size, 60u);
}

TEST(DerivedTypes, WidenReferencesInMemoryOnly) {
  DatatypeMessage object;
  object.type_class = TypeClass::reference;
  object.size = 4;
  EXPECT_TRUE(has_references(sequence(object)));
  EXPECT_EQ(c_type(object).size, 8u);
  EXPECT_EQ(file_type(object, 8).size, 4u);
  DatatypeMessage region = object;
  region.reference = format::ReferenceKind::region;
  region.size = 8;
  EXPECT_EQ(c_type(region).size, 12u);
}

TEST(DerivedTypes, AreRejectedIfTheyDoNotFit) {
  DatatypeMessage type = array(text, {1});
  type.dims = {0xffffffffu};
  EXPECT_THROW(c_type(type), Error);
}

TEST(Packed, HasNoHolesAtAnyDepth) {
  const DatatypeMessage inner =
      compound(12, {{"b", 8, {}, 0, i32}, {"a", 1, {}, 0, format::fixed_point(1, true)}});
  const DatatypeMessage type = compound(40, {{"x", 2, {}, 0, array(inner, {2})}, {"y", 30, {}, 0, i32}});
  const DatatypeMessage result = packed(type);
  EXPECT_EQ(result.size, 14u);
  EXPECT_EQ(result.members[1].byte_offset, 10u);
  const DatatypeMessage& part = result.members[0].type.base[0];
  EXPECT_EQ(part.size, 5u);
  EXPECT_EQ(part.members[0].name, "a");
  EXPECT_EQ(part.members[1].byte_offset, 1u);
}

TEST(Native, HasTheLayoutOfC) {
  const DatatypeMessage stored = compound(11, {{"c", 0, {}, 0, format::fixed_point(1, true)},
                                               {"d", 1, {}, 0, format::ieee_float(8, true)},
                                               {"s", 9, {}, 0, format::fixed_point(2, false, true)}});
  const DatatypeMessage native = native_type(stored);
  EXPECT_EQ(native.size, 24u);
  EXPECT_EQ(native.members[1].byte_offset, 8u);
  EXPECT_EQ(native.members[2].byte_offset, 16u);
  EXPECT_TRUE(format::same_type(native.members[2].type, format::fixed_point(2, false)));
}

TEST(Native, DependsOnThePrecisionOfIntegersAndTheSizeOfFloats) {
  DatatypeMessage odd = format::fixed_point(8, true, true);
  odd.precision = 17;
  odd.bit_offset = 3;
  EXPECT_TRUE(format::same_type(native_type(odd), i32));
  EXPECT_TRUE(format::same_type(native_type(format::ieee_float(2)), format::ieee_float(4)));
  DatatypeMessage huge = format::fixed_point(16, false);
  EXPECT_TRUE(format::same_type(native_type(huge), format::fixed_point(8, false)));
  EXPECT_EQ(native_type(text).container, &c_string);
}

TEST(Native, ConvertsTheValuesOfEnumerations) {
  DatatypeMessage type = enumeration();
  type.size = 2;
  type.base[0] = format::fixed_point(2, true, true);
  type.enum_values = {std::byte{1}, std::byte{2}};
  const DatatypeMessage native = native_type(type);
  EXPECT_EQ(native.enum_values, (Buffer{std::byte{2}, std::byte{1}}));
}

TEST(Native, RejectsTimes) {
  DatatypeMessage time = i32;
  time.type_class = TypeClass::time;
  try {
    native_type(time);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  }
}

TEST(Versions, FollowTheBoundInContainersOnly) {
  for (const std::uint8_t least : {1, 3, 4}) {
    DatatypeMessage type = compound(8, {{"e", 0, {}, 0, enumeration()}, {"i", 4, {}, 0, i32}});
    set_versions(type, least);
    EXPECT_EQ(type.version, least);
    EXPECT_EQ(type.members[0].type.version, least);
    EXPECT_EQ(type.members[0].type.base[0].version, 1);
    EXPECT_EQ(type.members[1].type.version, 1);
  }
}

// As HDF5 1.10 encodes these types.
TEST(Versions, ArraysRaiseTheMembersBeforeThem) {
  const CompoundMember e{"e", 0, {}, 0, enumeration()};
  const CompoundMember a{"a", 4, {}, 0, array(format::fixed_point(2, true), {2})};
  DatatypeMessage before = compound(8, {e, a});
  set_versions(before, 1);
  EXPECT_EQ(before.version, 2);
  EXPECT_EQ(before.members[0].type.version, 2);
  DatatypeMessage after = compound(8, {a, e});
  set_versions(after, 1);
  EXPECT_EQ(after.version, 2);
  EXPECT_EQ(after.members[1].type.version, 1);
  DatatypeMessage outer = array(enumeration(), {2});
  set_versions(outer, 1);
  EXPECT_EQ(outer.version, 2);
  EXPECT_EQ(outer.base[0].version, 1);
}

TEST(Versions, OfSequencesEqualThoseOfTheirBases) {
  DatatypeMessage numbers = sequence(i32);
  set_versions(numbers, 4);
  EXPECT_EQ(numbers.version, 1);
  DatatypeMessage arrays = sequence(array(i32, {2}));
  set_versions(arrays, 1);
  EXPECT_EQ(arrays.version, 2);
  DatatypeMessage vax = sequence(format::ieee_float(4));
  vax.base[0].order = format::ByteOrder::vax;
  set_versions(vax, 1);
  EXPECT_EQ(vax.version, 3);
  EXPECT_EQ(vax.base[0].version, 3);
}

TEST(Versions, OfRevisedReferencesAndComplexNumbersAreHigh) {
  DatatypeMessage reference;
  reference.type_class = TypeClass::reference;
  reference.reference = format::ReferenceKind::revised_object;
  reference.size = 18;
  DatatypeMessage type = compound(18, {{"r", 0, {}, 0, reference}});
  set_versions(type, 1);
  EXPECT_EQ(type.version, 4);
  DatatypeMessage complex;
  complex.type_class = TypeClass::complex;
  complex.size = 8;
  complex.base.push_back(format::ieee_float(4));
  set_versions(complex, 1);
  EXPECT_EQ(complex.version, 5);
}

TEST(Versions, TurnDimensionsOfOldMembersIntoArrays) {
  DatatypeMessage type = compound(8, {{"a", 0, {2}, 0, i32}});
  set_versions(type, 1);
  EXPECT_EQ(type.version, 2);
  EXPECT_TRUE(type.members[0].dims.empty());
  EXPECT_EQ(type.members[0].type.type_class, TypeClass::array);
}

void expect_refused(const DatatypeMessage& type) {
  try {
    check_type(type);
    ADD_FAILURE() << "taken: " << format::describe_type(type);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << error.what();
  }
}

DatatypeMessage with(DatatypeMessage type, const std::function<void(DatatypeMessage&)>& change) {
  change(type);
  return type;
}

TEST(CheckType, AcceptsTypesThatFilesCanHold) {
  EXPECT_NO_THROW(check_type(compound(36, {{"b", 4, {}, 0, array(enumeration(), {3})},
                                           {"a", 0, {}, 0, i32},
                                           {"t", 8, {}, 0, text},
                                           {"o", 24, {3}, 0, i32}})));
  EXPECT_NO_THROW(check_type(c_type(sequence(text))));
}

TEST(CheckType, RejectsTypesThatNoFileCanHold) {
  expect_refused(with(i32, [](auto& t) { t.size = 0; }));
  expect_refused(with(i32, [](auto& t) { t.precision = 33; }));
  expect_refused(with(i32, [](auto& t) { t.precision = 0; }));
  expect_refused(with(i32, [](auto& t) { t.bit_offset = 1; }));
  expect_refused(with(format::ieee_float(4), [](auto& t) { t.floating.mantissa_bits = 24; }));
  expect_refused(with(format::ieee_float(4), [](auto& t) { t.floating.sign_position = 32; }));
  expect_refused(compound(8, {}));
  expect_refused(compound(8, {{"a", 0, {}, 0, i32}, {"a", 4, {}, 0, i32}}));
  expect_refused(compound(8, {{"a", 0, {}, 0, i32}, {"b", 3, {}, 0, i32}}));
  expect_refused(compound(8, {{"a", 5, {}, 0, i32}}));
  expect_refused(compound(8, {{"a", 0, {3}, 0, i32}}));
  expect_refused(compound(8, {{"", 0, {}, 0, i32}}));
  expect_refused(with(enumeration(), [](auto& t) { t.enum_values.clear(); }));
  expect_refused(with(enumeration(), [](auto& t) { t.base[0] = format::ieee_float(4), t.size = 4; }));
  expect_refused(with(array(i32, {2}), [](auto& t) { t.size = 4; }));
  expect_refused(with(array(i32, {2}), [](auto& t) { t.dims = {0}; }));
  expect_refused(with(array(i32, {2}), [](auto& t) { t.base.clear(); }));
  expect_refused(with(text, [](auto& t) { t.size = 8; }));
  DatatypeMessage deep = i32;
  for (int i = 0; i < 32; ++i) deep = sequence(deep);
  expect_refused(deep);
}

}  // namespace
}  // namespace filigree::type
