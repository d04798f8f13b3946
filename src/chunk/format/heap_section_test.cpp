// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/heap_section.hpp"

#include <gmock/gmock.h>

#include <filigree/error.hpp>

#include "testing/hex.hpp"

namespace filigree::chunk {
namespace {

using filigree::testing::from_hex;
using filigree::testing::to_hex;
using format::DatatypeMessage;
using format::TypeClass;
using ::testing::HasSubstr;

DatatypeMessage sequence_of(const DatatypeMessage& base) {
  DatatypeMessage type;
  type.type_class = TypeClass::variable_length;
  type.size = 16;
  type.base.push_back(base);
  return type;
}

DatatypeMessage array_of(const DatatypeMessage& base, std::uint32_t count) {
  DatatypeMessage type;
  type.type_class = TypeClass::array;
  type.size = base.size * count;
  type.dims = {count};
  type.base.push_back(base);
  return type;
}

DatatypeMessage compound_of(std::uint32_t size, std::vector<format::CompoundMember> members) {
  DatatypeMessage type;
  type.type_class = TypeClass::compound;
  type.size = size;
  type.members = std::move(members);
  return type;
}

const DatatypeMessage byte = format::fixed_point(1, false);

std::string refusal(const VariableLayout& layout, std::string_view elements, std::string_view heap) {
  try {
    layout.decode(from_hex(elements), from_hex(heap));
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated ||
                error.kind() == ErrorKind::limit)
        << error.what();
    return error.what();
  }
  return "";
}

// The worked example of the format reference: {1, 2, 3}, a missing value, {9}.

constexpr std::string_view flat_elements =
    "03000000 0400000000000000 00000000 | 16*00 | 01000000 0700000000000000 00000000";
constexpr std::string_view flat_heap = "00000000 01 02 03 09";
constexpr std::string_view set_elements = "03000000 0000 0100 8*00 | 16*00 | 01000000 0000 0200 8*00";
constexpr std::string_view set_heap =
    "48474c53 01 000000 01000000 1c00000000000000 4000000000000000"
    "47434f4c 01 000000 4000000000000000"
    "0100 0000 00000000 0300000000000000 0102030000000000"
    "0200 0000 00000000 0100000000000000 0900000000000000";

TEST(HeapSection, IsThatOfTheWorkedExample) {
  const VariableLayout layout(sequence_of(byte));
  const VariableCells cells = layout.decode(from_hex(flat_elements), from_hex(flat_heap));
  EXPECT_EQ(to_hex(cells.elements), to_hex(from_hex(flat_elements)));
  EXPECT_EQ(to_hex(cells.heap), to_hex(from_hex(flat_heap)));
}

TEST(HeapSection, IsReadFromCollectionsToo) {
  const VariableLayout layout(sequence_of(byte));
  const VariableCells cells = layout.decode(from_hex(set_elements), from_hex(set_heap));
  EXPECT_EQ(to_hex(cells.elements), to_hex(from_hex(flat_elements)));
  EXPECT_EQ(to_hex(cells.heap), to_hex(from_hex(flat_heap)));
}

TEST(HeapSection, LosesWhatNobodyPointsTo) {
  const VariableLayout layout(sequence_of(byte));
  // Of three payloads the middle one is in use; the count of unused bytes is not trusted.
  const VariableCells cells =
      layout.decode(from_hex("02000000 0700000000000000 00000000"), from_hex("04000000 010203 0405 0607"));
  EXPECT_EQ(to_hex(cells.heap), to_hex(from_hex("00000000 0405")));
}

TEST(HeapSection, TellsEmptyValuesFromMissingOnes) {
  const VariableLayout layout(sequence_of(byte));
  const auto elements = from_hex("00000000 0400000000000000 00000000 | 16*00");
  const VariableCells cells = layout.decode(elements, from_hex("00000000"));
  EXPECT_EQ(cells.elements, elements);
  EXPECT_EQ(to_hex(cells.heap), to_hex(from_hex("00000000")));
  EXPECT_TRUE(layout.decode(from_hex("32*00"), {}).heap.empty());
}

TEST(HeapSection, HoldsNestedValues) {
  // {number, 2 x sequence of {string, byte}}
  const auto inner = compound_of(17, {{"text", 0, {}, 0, sequence_of(byte)}, {"n", 16, {}, 0, byte}});
  const VariableLayout layout(
      compound_of(33, {{"n", 0, {}, 0, byte}, {"list", 1, {}, 0, array_of(sequence_of(inner), 2)}}));
  EXPECT_EQ(layout.element_bytes(), 33u);
  const auto elements = from_hex("aa | 16*00 | 02000000 0900000000000000 00000000");
  // Two bytes of another, then "hi" and the list, in no good order.
  const auto heap = from_hex("03000000 ff ff 6869 ee | 02000000 0600000000000000 00000000 07 | 16*00 08");
  const VariableCells cells = layout.decode(elements, heap);
  EXPECT_EQ(to_hex(cells.elements), to_hex(from_hex("aa | 16*00 | 02000000 0400000000000000 00000000")));
  EXPECT_EQ(to_hex(cells.heap),
            to_hex(from_hex("00000000 | 02000000 2600000000000000 00000000 07 | 16*00 08 | 6869")));
  EXPECT_EQ(layout.compact(cells.elements, cells.heap).heap, cells.heap);
}

TEST(HeapSection, IsNeverLeft) {
  const VariableLayout layout(sequence_of(format::fixed_point(4, false)));
  constexpr std::string_view heap = "00000000 11223344 55667788";
  EXPECT_EQ(refusal(layout, "02000000 0400000000000000 00000000", heap), "");
  EXPECT_THAT(refusal(layout, "03000000 0400000000000000 00000000", heap), HasSubstr("more bytes"));
  EXPECT_THAT(refusal(layout, "02000000 0500000000000000 00000000", heap), HasSubstr("at 5"));
  EXPECT_THAT(refusal(layout, "01000000 0300000000000000 00000000", heap), HasSubstr("at 3"));
  EXPECT_THAT(refusal(layout, "00000000 0d00000000000000 00000000", heap), HasSubstr("at 13"));
  EXPECT_THAT(refusal(layout, "01000000 f0ffffffffffffff 00000000", heap), HasSubstr("heap"));
  EXPECT_THAT(refusal(layout, "ffffffff 0400000000000000 00000000", heap), HasSubstr("more bytes"));
  EXPECT_THAT(refusal(layout, "01000000 0400000000000000 01000000", heap), HasSubstr("index"));
  EXPECT_THAT(refusal(layout, "01000000 0000000000000000 00000000", heap), HasSubstr("missing"));
  EXPECT_THAT(refusal(layout, "01000000 0400000000000000 00000000", ""), HasSubstr("more bytes"));
  EXPECT_THAT(refusal(layout, "00000000 0400000000000000 00000000", ""), HasSubstr("at 4"));
  EXPECT_THAT(refusal(layout, "00", heap), HasSubstr("1 bytes of elements"));
  EXPECT_THAT(refusal(layout, "16*00", "000000"), HasSubstr("3 bytes"));
  EXPECT_THAT(refusal(layout, "16*00", "05000000 00000000"), HasSubstr("5 unused"));
  EXPECT_EQ(refusal(layout, "16*00", "ffffffff 00000000"), "");
}

TEST(HeapSection, DoesNotMultiplyWhatIsReferencedTwice) {
  // Lists of lists of lists, each pointing at itself four times: 4^31 bytes if it were trusted.
  DatatypeMessage type = sequence_of(byte);
  for (int depth = 1; depth < 31; ++depth) type = sequence_of(type);
  const VariableLayout layout(type);
  const std::string_view self = "04000000 0400000000000000 00000000";
  Buffer heap = from_hex("00000000");
  for (int i = 0; i < 4; ++i) {
    const Buffer more = from_hex(self);
    heap.insert(heap.end(), more.begin(), more.end());
  }
  EXPECT_THROW(layout.decode(from_hex(self), heap), Error);
  const VariableLayout flat(sequence_of(byte));
  EXPECT_THAT(refusal(flat, "04000000 0400000000000000 00000000 04000000 0400000000000000 00000000",
                      "00000000 01020304"),
              HasSubstr("more bytes"));
}

TEST(HeapSection, SurvivesEveryFlippedBitAndEveryCut) {
  const VariableLayout layout(sequence_of(byte));
  for (const auto& [elements, heap] : {std::pair(from_hex(flat_elements), from_hex(flat_heap)),
                                       std::pair(from_hex(set_elements), from_hex(set_heap))}) {
    const auto survives = [&](const Buffer& some, const Buffer& other) {
      try {
        const VariableCells cells = layout.decode(some, other);
        EXPECT_EQ(cells.elements.size(), some.size());
        EXPECT_LE(cells.heap.size(), other.size());
      } catch (const Error&) {
      }
    };
    for (std::size_t bit = 0; bit < 8 * elements.size(); ++bit) {
      Buffer changed = elements;
      changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      survives(changed, heap);
    }
    for (std::size_t bit = 0; bit < 8 * heap.size(); ++bit) {
      Buffer changed = heap;
      changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      survives(elements, changed);
    }
    for (std::size_t kept = 0; kept < heap.size(); ++kept)
      EXPECT_THROW(layout.decode(elements, Bytes(heap).first(kept)), Error) << kept;
  }
}

TEST(HeapSection, OfCollectionsIsCheckedSlotBySlot) {
  const VariableLayout layout(sequence_of(byte));
  constexpr std::string_view one = "48474c53 01 000000 01000000";
  const auto set = [&](std::string_view directory, std::string_view rest = "") {
    return std::string(one) + " " + std::string(directory) + " " + std::string(rest);
  };
  EXPECT_THAT(refusal(layout, "16*00", "48474c53 02 000000 01000000 16*00"), HasSubstr("version"));
  EXPECT_THAT(refusal(layout, "16*00", "48474c53 01 000000 00000000"), HasSubstr("0 slots"));
  EXPECT_THAT(refusal(layout, "16*00", "48474c53 01 000000 ffffffff 16*00"), HasSubstr("slots"));
  EXPECT_EQ(refusal(layout, "16*00", set("16*00")), "");
  EXPECT_THAT(refusal(layout, "16*00", set("1c00000000000000 1000000000000000")), HasSubstr("slot 0"));
  EXPECT_THAT(refusal(layout, "16*00", set("1d00000000000000 0000000000000000", "00")), HasSubstr("slot 0"));
  EXPECT_THAT(refusal(layout, "16*00", set("16*00", "00")), HasSubstr("used"));
  // An object that is not there, and one of another size.
  EXPECT_THAT(refusal(layout, "03000000 0000 0300 8*00", set_heap), HasSubstr("no object 3 in slot 0"));
  EXPECT_THAT(refusal(layout, "02000000 0000 0100 8*00", set_heap), HasSubstr("3 bytes"));
}

TEST(HeapSet, IsWrittenAsThatOfTheWorkedExample) {
  const VariableLayout layout(sequence_of(byte));
  const VariableCells cells = layout.encode_set(from_hex(flat_elements), from_hex(flat_heap));
  EXPECT_EQ(to_hex(cells.elements), to_hex(from_hex(set_elements)));
  EXPECT_EQ(to_hex(cells.heap), to_hex(from_hex(set_heap)));
}

TEST(HeapSet, TellsEmptyValuesFromMissingOnes) {
  const VariableLayout layout(sequence_of(byte));
  const auto elements = from_hex("00000000 0400000000000000 00000000 | 16*00");
  const VariableCells set = layout.encode_set(elements, from_hex("00000000"));
  EXPECT_EQ(to_hex(set.elements), to_hex(from_hex("00000000 0000 0100 8*00 | 16*00")));
  EXPECT_EQ(layout.decode(set.elements, set.heap).elements, elements);
  EXPECT_TRUE(layout.encode_set(from_hex("32*00"), {}).heap.empty());
}

TEST(HeapSet, HoldsNestedValues) {
  const auto inner = compound_of(17, {{"text", 0, {}, 0, sequence_of(byte)}, {"n", 16, {}, 0, byte}});
  const VariableLayout layout(
      compound_of(33, {{"n", 0, {}, 0, byte}, {"list", 1, {}, 0, array_of(sequence_of(inner), 2)}}));
  const auto elements = from_hex("aa | 16*00 | 02000000 0400000000000000 00000000");
  const auto heap = from_hex("00000000 | 02000000 2600000000000000 00000000 07 | 16*00 08 | 6869");
  const VariableCells set = layout.encode_set(elements, heap);
  // The string is the first object, and the list that refers to it the second.
  EXPECT_EQ(to_hex(set.elements), to_hex(from_hex("aa | 16*00 | 02000000 0000 0200 8*00")));
  const VariableCells again = layout.decode(set.elements, set.heap);
  EXPECT_EQ(again.elements, elements);
  EXPECT_EQ(again.heap, heap);
}

TEST(HeapSet, SpreadsValuesOverCollections) {
  const VariableLayout layout(sequence_of(byte));
  constexpr std::size_t values = 70000;  // more than one collection numbers
  VariableCells flat{Buffer(16 * values), {}};
  HeapWriter writer(flat.heap, 8);
  for (std::size_t i = 0; i < values; ++i) {
    // One value is larger than a collection.
    const std::size_t bytes = i == 1000 ? 200000 : i % 3;
    const Buffer content(bytes, static_cast<std::byte>(i));
    store_word(&flat.elements[16 * i], bytes, 4);
    store_word(&flat.elements[16 * i + 4], to_number(writer.store(content).collection), 8);
  }
  const VariableCells set = layout.encode_set(flat.elements, flat.heap);
  EXPECT_GT(load_word(set.heap.data() + 8, 4), 20u);
  const VariableCells again = layout.decode(set.elements, set.heap);
  EXPECT_TRUE(again.elements == flat.elements);
  EXPECT_TRUE(again.heap == flat.heap);
}

TEST(HeapSet, NeedsOffsetsOfFourBytes) {
  DatatypeMessage narrow = sequence_of(byte);
  narrow.size = 10;
  EXPECT_THROW(VariableLayout(narrow).encode_set(Buffer(10), {}), Error);
  narrow.size = 12;
  EXPECT_TRUE(VariableLayout(narrow).encode_set(Buffer(12), {}).heap.empty());
}

TEST(HeapWriter, RefusesMoreThanItsOffsetsReach) {
  Buffer section(0xfffe);
  HeapWriter writer(section, 2);
  EXPECT_EQ(writer.allocate(1), 0xfffeu);
  EXPECT_THROW(writer.allocate(1), Error);
}

TEST(VariableLayout, IsForTypesWithVariableParts) {
  EXPECT_THROW(VariableLayout{byte}, Error);
  EXPECT_THROW(VariableLayout{array_of(byte, 3)}, Error);
}

}  // namespace
}  // namespace filigree::chunk
