// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "type/conversion.hpp"
#include "type/datatypes.hpp"

namespace filigree::type {
namespace {

using format::CharacterSet;
using format::StringPadding;
using format::TypeClass;

/// A heap of one collection, at 0x100.
class FakeHeap final : public FileValues {
 public:
  explicit FakeHeap(std::uint8_t width = 8) : width_(width) {}
  std::uint8_t offset_bytes() const override { return width_; }
  Content fetch(const HeapObject& object) override {
    const auto found = objects_.find(object.index);
    if (to_number(object.collection) != 0x100 || found == objects_.end()) {
      throw Error(ErrorKind::corrupt, "no such object");
    }
    auto copy = std::make_shared<Buffer>(found->second);
    return {Bytes(*copy), copy};
  }
  HeapObject store(Bytes content) override {
    objects_[++last_] = Buffer(content.begin(), content.end());
    return {to_address(0x100), last_};
  }
  const std::map<std::uint32_t, Buffer>& objects() const { return objects_; }

 private:
  std::uint8_t width_;
  std::uint32_t last_ = 0;
  std::map<std::uint32_t, Buffer> objects_;
};

DatatypeMessage stored_string(std::uint8_t width = 8, CharacterSet set = CharacterSet::ascii) {
  return format::variable_string(set, width);
}

DatatypeMessage stored_sequence(const DatatypeMessage& base, std::uint8_t width = 8) {
  DatatypeMessage type;
  type.type_class = TypeClass::variable_length;
  type.size = 8u + width;
  type.base.push_back(base);
  return type;
}

/// One element converted into zero bytes.
Buffer convert(const DatatypeMessage& from, const DatatypeMessage& to, const void* element,
               const Context& context, Rules rules = Rules::hdf5) {
  Buffer result(to.size);
  prepare(from, to, rules)
      ->apply({static_cast<const std::byte*>(element), from.size, result.data(), to.size, 1}, context);
  return result;
}

Buffer element(std::uint32_t length, std::uint64_t address, std::uint32_t index, unsigned width = 8) {
  Buffer bytes(8 + width);
  store_word(bytes.data(), length, 4);
  store_word(bytes.data() + 4, address, width);
  store_word(bytes.data() + 4 + width, index, 4);
  return bytes;
}

ErrorKind kind_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

TEST(VariableString, IsStoredInTheHeapAndReadBack) {
  for (const std::uint8_t width : {2, 4, 8}) {
    FakeHeap heap(width);
    const DatatypeMessage stored = stored_string(width);
    const DatatypeMessage held = c_type(stored);
    const char* text = "hello";
    const Buffer in_file = convert(held, stored, &text, {.to_file = &heap});
    EXPECT_EQ(in_file, element(5, 0x100, 1, width));
    EXPECT_EQ(as_text(heap.objects().at(1)), "hello");
    Buffer back = convert(stored, held, in_file.data(), {.from_file = &heap});
    EXPECT_STREQ(*reinterpret_cast<char**>(back.data()), "hello");
    reclaim(held, back.data(), 1, nullptr);
  }
}

TEST(VariableString, DistinguishesNullFromEmpty) {
  FakeHeap heap;
  const DatatypeMessage stored = stored_string();
  const DatatypeMessage held = c_type(stored);
  const char* missing = nullptr;
  const char* empty = "";
  EXPECT_EQ(convert(held, stored, &missing, {.to_file = &heap}), element(0, 0, 0));
  EXPECT_TRUE(heap.objects().empty());
  const Buffer stored_empty = convert(held, stored, &empty, {.to_file = &heap});
  EXPECT_EQ(stored_empty, element(0, 0x100, 1));
  EXPECT_TRUE(heap.objects().at(1).empty());
  Buffer back = convert(stored, held, stored_empty.data(), {.from_file = &heap});
  EXPECT_STREQ(*reinterpret_cast<char**>(back.data()), "");
  reclaim(held, back.data(), 1, nullptr);
  for (const std::uint64_t address : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    back = convert(stored, held, element(0, address, 0).data(), {.from_file = &heap});
    EXPECT_EQ(*reinterpret_cast<char**>(back.data()), nullptr);
  }
}

TEST(VariableString, EndsAtTheNulThatSomeWritersStore) {
  FakeHeap heap;
  heap.store(as_bytes(std::string_view("ab\0cd", 5)));
  const DatatypeMessage held = c_type(stored_string());
  Buffer back = convert(stored_string(), held, element(5, 0x100, 1).data(), {.from_file = &heap});
  EXPECT_STREQ(*reinterpret_cast<char**>(back.data()), "ab");
  reclaim(held, back.data(), 1, nullptr);
  // From file to file nothing is lost.
  FakeHeap other(4);
  const Buffer moved = convert(stored_string(), stored_string(4), element(5, 0x100, 1).data(),
                               {.from_file = &heap, .to_file = &other});
  EXPECT_EQ(moved, element(5, 0x100, 1, 4));
  EXPECT_EQ(other.objects().at(1).size(), 5u);
}

TEST(VariableString, IsCorruptIfItDeclaresMoreThanItsObject) {
  FakeHeap heap;
  heap.store(as_bytes("abc"));
  const DatatypeMessage held = c_type(stored_string());
  try {
    convert(stored_string(), held, element(4, 0x100, 1).data(), {.from_file = &heap});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_NE(error.message().find("4 elements"), std::string::npos);
    EXPECT_NE(error.message().find("3 bytes"), std::string::npos);
  }
  EXPECT_EQ(
      kind_of([&] { convert(stored_string(), held, element(4, 0x200, 1).data(), {.from_file = &heap}); }),
      ErrorKind::corrupt);
}

TEST(VariableString, RequiresAHeapWithTheAddressWidthOfTheType) {
  FakeHeap narrow(4);
  const DatatypeMessage held = c_type(stored_string());
  EXPECT_EQ(
      kind_of([&] { convert(stored_string(), held, element(1, 0x100, 1).data(), {.from_file = &narrow}); }),
      ErrorKind::internal);
  EXPECT_EQ(kind_of([&] { convert(stored_string(), held, element(1, 0x100, 1).data(), {}); }),
            ErrorKind::internal);
}

TEST(VariableString, IsConvertedByNaturalButNotByHdf5Rules) {
  const DatatypeMessage fixed = format::fixed_string(4, StringPadding::space_padded, CharacterSet::ascii);
  const DatatypeMessage held = c_type(stored_string());
  const DatatypeMessage utf8 = c_type(stored_string(8, CharacterSet::utf8));
  for (const auto& [from, to] :
       {std::pair{fixed, held}, {held, fixed}, {held, stored_string(8, CharacterSet::utf8)}}) {
    EXPECT_EQ(kind_of([&] { prepare(from, to); }), ErrorKind::wrong_type);
    EXPECT_NO_THROW(prepare(from, to, Rules::natural));
  }
  Buffer text = convert(fixed, utf8, "ab  ", {}, Rules::natural);
  EXPECT_STREQ(*reinterpret_cast<char**>(text.data()), "ab");
  EXPECT_EQ(as_text(convert(utf8, fixed, text.data(), {}, Rules::natural)), "ab  ");
  reclaim(utf8, text.data(), 1, nullptr);
  const char* missing = nullptr;
  EXPECT_EQ(as_text(convert(held, fixed, &missing, {}, Rules::natural)), "    ");
  const char* long_text = "abcde";
  EXPECT_EQ(kind_of([&] { convert(held, fixed, &long_text, {}, Rules::natural); }), ErrorKind::limit);
}

TEST(VariableString, KeepsItsPointerInMemoryUnderHdf5Rules) {
  const DatatypeMessage held = c_type(stored_string());
  EXPECT_TRUE(prepare(held, held)->traits().copies);
  EXPECT_FALSE(prepare(held, held, Rules::natural)->traits().copies);
  // In files the same bytes do not mean the same value.
  EXPECT_FALSE(prepare(stored_string(), stored_string())->traits().copies);
  EXPECT_TRUE(prepare(stored_string(), stored_string())->traits().uses_files);
}

TEST(VariableSequence, ConvertsItsElements) {
  FakeHeap heap;
  const DatatypeMessage stored = stored_sequence(format::fixed_point(4, true, true));
  const DatatypeMessage held = c_type(stored_sequence(format::fixed_point(2, true)));
  std::int16_t numbers[] = {1, -2, 300};
  const struct {
    std::size_t length;
    void* elements;
  } value{3, numbers};
  const Buffer in_file = convert(held, stored, &value, {.to_file = &heap});
  EXPECT_EQ(in_file, element(3, 0x100, 1));
  const std::uint8_t expected[] = {0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 0, 0, 1, 0x2c};
  ASSERT_EQ(heap.objects().at(1).size(), sizeof expected);
  EXPECT_EQ(std::memcmp(heap.objects().at(1).data(), expected, sizeof expected), 0);
  Buffer back = convert(stored, held, in_file.data(), {.from_file = &heap});
  const Container::View view = c_sequence.view(back.data());
  ASSERT_EQ(view.count, 3u);
  EXPECT_EQ(std::memcmp(view.elements, numbers, sizeof numbers), 0);
  reclaim(held, back.data(), 1, nullptr);
  EXPECT_TRUE(c_sequence.view(back.data()).missing);
}

TEST(VariableSequence, WithoutElementsIsNull) {
  FakeHeap heap;
  const DatatypeMessage stored = stored_sequence(format::fixed_point(4, true));
  const DatatypeMessage held = c_type(stored);
  const Buffer none(16);
  EXPECT_EQ(convert(held, stored, none.data(), {.to_file = &heap}), element(0, 0, 0));
  EXPECT_EQ(convert(stored, held, element(0, 0x100, 7).data(), {.from_file = &heap}), none);
}

TEST(VariableSequence, IsCorruptIfItDeclaresMoreThanItsObject) {
  FakeHeap heap;
  heap.store(Buffer(11));
  const DatatypeMessage stored = stored_sequence(format::fixed_point(4, true));
  for (const std::uint32_t length : {3u, 0xffffffffu}) {
    EXPECT_EQ(kind_of([&] {
                convert(stored, c_type(stored), element(length, 0x100, 1).data(), {.from_file = &heap});
              }),
              ErrorKind::corrupt);
  }
}

/// A sequence of compounds, each with a string and a sequence of strings.
DatatypeMessage deep_type() {
  DatatypeMessage compound;
  compound.type_class = TypeClass::compound;
  compound.size = 36;
  compound.members.push_back({"number", 0, {}, 0, format::fixed_point(4, true)});
  compound.members.push_back({"name", 4, {}, 0, stored_string()});
  compound.members.push_back({"names", 20, {}, 0, stored_sequence(stored_string())});
  return stored_sequence(compound);
}

TEST(VariableSequence, NestsToAnyDepth) {
  FakeHeap heap;
  FakeHeap other(4);
  const DatatypeMessage stored = deep_type();
  const DatatypeMessage held = c_type(stored);
  struct Sequence {
    std::size_t length;
    const void* elements;
  };
  const char* inner_names[] = {"x", nullptr, "zz"};
#pragma pack(push, 4)
  struct {
    std::int32_t number;
    const char* name;
    Sequence names;
  } items[2] = {{7, "seven", {3, inner_names}}, {8, nullptr, {0, nullptr}}};
#pragma pack(pop)
  ASSERT_EQ(held.base.at(0).size, sizeof items[0]);
  const Sequence outer{2, items};
  const Buffer first = convert(held, stored, &outer, {.to_file = &heap});
  const DatatypeMessage narrow = file_type(stored, 4);
  const Buffer second = convert(stored, narrow, first.data(), {.from_file = &heap, .to_file = &other});
  Buffer back = convert(narrow, held, second.data(), {.from_file = &other});
  const Container::View view = c_sequence.view(back.data());
  ASSERT_EQ(view.count, 2u);
  decltype(items[0]) read = items[1];
  std::memcpy(static_cast<void*>(&read), view.elements, sizeof read);
  EXPECT_EQ(read.number, 7);
  EXPECT_STREQ(read.name, "seven");
  ASSERT_EQ(read.names.length, 3u);
  const auto* names = static_cast<const char* const*>(read.names.elements);
  EXPECT_STREQ(names[0], "x");
  EXPECT_EQ(names[1], nullptr);
  EXPECT_STREQ(names[2], "zz");
  reclaim(held, back.data(), 1, nullptr);
}

TEST(Reclaim, FreesAllThatWasAllocated) {
  struct Count {
    int blocks = 0;
  } count;
  CMemory memory;
  memory.allocate = [](std::size_t bytes, void* info) {
    ++static_cast<Count*>(info)->blocks;
    return std::malloc(bytes);
  };
  memory.release = [](void* block, void* info) {
    --static_cast<Count*>(info)->blocks;
    std::free(block);
  };
  memory.allocate_info = memory.release_info = &count;
  FakeHeap heap;
  heap.store(as_bytes("ab"));
  Buffer item(36);
  const Buffer text = element(2, 0x100, 1);
  std::memcpy(item.data() + 4, text.data(), 16);
  heap.store(text);
  const Buffer names = element(1, 0x100, 2);
  std::memcpy(item.data() + 20, names.data(), 16);
  heap.store(item);
  const DatatypeMessage held = c_type(deep_type());
  Buffer value =
      convert(deep_type(), held, element(1, 0x100, 3).data(), {.from_file = &heap, .memory = &memory});
  EXPECT_EQ(count.blocks, 4);
  reclaim(held, value.data(), 1, &memory);
  EXPECT_EQ(count.blocks, 0);
  reclaim(held, value.data(), 1, &memory);
  EXPECT_EQ(count.blocks, 0);
}

TEST(VariableSequence, OfBytesAndStringsConvertToEachOther) {
  const DatatypeMessage text = c_type(stored_string());
  const DatatypeMessage bytes = c_type(stored_sequence(format::fixed_point(1, false)));
  const char* value = "abc";
  Buffer sequence = convert(text, bytes, &value, {});
  EXPECT_EQ(c_sequence.view(sequence.data()).count, 3u);
  Buffer back = convert(bytes, text, sequence.data(), {});
  EXPECT_STREQ(*reinterpret_cast<char**>(back.data()), "abc");
  reclaim(bytes, sequence.data(), 1, nullptr);
  reclaim(text, back.data(), 1, nullptr);
}

}  // namespace
}  // namespace filigree::type
