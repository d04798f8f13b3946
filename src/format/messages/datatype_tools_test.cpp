// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <filigree/conversion.hpp>

#include "format/messages/datatype.hpp"

namespace filigree::format {
namespace {

DatatypeMessage compound() {
  DatatypeMessage type;
  type.type_class = TypeClass::compound;
  type.size = 8;
  type.members.push_back({"a", 0, {}, 0, fixed_point(4, true)});
  type.members.push_back({"b", 4, {}, 0, fixed_point(2, true)});
  return type;
}

DatatypeMessage enumeration() {
  DatatypeMessage type;
  type.type_class = TypeClass::enumeration;
  type.size = 1;
  type.base.push_back(fixed_point(1, true));
  type.enum_names = {"one", "two"};
  type.enum_values = {std::byte{1}, std::byte{2}};
  return type;
}

TEST(SameType, AcceptsMembersInAnyOrder) {
  DatatypeMessage other = compound();
  std::swap(other.members[0], other.members[1]);
  EXPECT_TRUE(same_type(compound(), other));
  other.members[0].byte_offset = 5;
  EXPECT_FALSE(same_type(compound(), other));
  other = compound();
  other.members[1].name = "c";
  EXPECT_FALSE(same_type(compound(), other));
  other = compound();
  other.size = 6;
  EXPECT_FALSE(same_type(compound(), other));
}

TEST(SameType, AcceptsEnumerationNamesInAnyOrder) {
  DatatypeMessage other = enumeration();
  std::swap(other.enum_names[0], other.enum_names[1]);
  EXPECT_FALSE(same_type(enumeration(), other));
  std::swap(other.enum_values[0], other.enum_values[1]);
  EXPECT_TRUE(same_type(enumeration(), other));
  other.enum_names[0] = "three";
  EXPECT_FALSE(same_type(enumeration(), other));
  other = enumeration();
  other.enum_values.pop_back();
  std::swap(other.enum_names[0], other.enum_names[1]);
  EXPECT_FALSE(same_type(enumeration(), other));
}

TEST(SameType, ComparesOnlyTheSizeOfContainers) {
  const Container wide{.bytes = 16};
  const Container narrow{.bytes = 8};
  const DatatypeMessage stored = variable_string(CharacterSet::ascii, 8);
  DatatypeMessage held = stored;
  held.container = &wide;
  EXPECT_TRUE(same_type(stored, held));
  held.container = &narrow;
  held.size = 8;
  EXPECT_FALSE(same_type(stored, held));
}

}  // namespace
}  // namespace filigree::format
