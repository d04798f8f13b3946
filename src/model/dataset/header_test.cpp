// SPDX-License-Identifier: Apache-2.0
//
// Headers of new datasets against those of HDF5 1.10.8, byte by byte. Times are zeroed, and addresses of
// other structures are written as @ signs.
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "format/codec/codec.hpp"
#include "format/messages/object_messages.hpp"
#include "format/object_header/shared_reference.hpp"
#include "io/memory/memory_file.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/heaps/local_heap.hpp"
#include "testing/hex.hpp"

namespace filigree::model {
namespace {

using format::AllocationTime;
using format::FillState;
using format::FillTime;
using format::LayoutClass;
using format::MessageType;

std::shared_ptr<File> make_file(Version low) {
  AccessOptions access;
  access.versions.low = low;
  auto file = File::create(std::make_unique<io::MemoryFile>(), {}, access);
  file->begin_change("test");
  return file;
}

format::DataspaceMessage extent(std::vector<std::uint64_t> dims) {
  format::DataspaceMessage space;
  space.kind = format::DataspaceKind::simple;
  space.dims = std::move(dims);
  return space;
}

NewDataset plain() {
  NewDataset made;
  made.type = format::fixed_point(4, true);
  made.space = extent({10, 20});
  return made;
}

NewDataset user(NewDataset made, LayoutClass layout = LayoutClass::contiguous) {
  made.layout = layout;
  made.fill_state = FillState::user;
  made.fill = testing::from_hex("09000000");
  return made;
}

/// {int32 a; float64 b[3];}
format::DatatypeMessage compound_with_array() {
  format::DatatypeMessage array;
  array.type_class = format::TypeClass::array;
  array.size = 24;
  array.dims = {3};
  array.base = {format::ieee_float(8)};
  format::DatatypeMessage type;
  type.type_class = format::TypeClass::compound;
  type.size = 28;
  type.members.resize(2);
  type.members[0].name = "a";
  type.members[0].type = format::fixed_point(4, true);
  type.members[1].name = "b";
  type.members[1].byte_offset = 4;
  type.members[1].type = array;
  return type;
}

NewDataset make_case(File& file, const std::string& name) {
  NewDataset made = plain();
  if (name == "notimes") made.track_times = false;
  if (name == "user") return user(made);
  if (name == "compactuser") {
    made.space = extent({3});
    return user(made, LayoutClass::compact);
  }
  if (name == "early") made.allocation = AllocationTime::early;
  if (name == "neveruser") {
    made.fill_time = FillTime::never;
    return user(made);
  }
  if (name == "vlen" || name == "vlenearly") {
    made.type = format::variable_string(format::CharacterSet::ascii, 8);
    made.space = extent({4});
    if (name == "vlenearly") made.allocation = AllocationTime::early;
  }
  if (name == "committed") made.committed = create_committed_datatype(file, made.type);
  if (name == "ext2") made.external = {{"a.raw", 16, 400}, {"dir/longer-name.raw", 0, format::unlimited}};
  if (name == "compound") {
    made.type = compound_with_array();
    made.space = extent({4});
  }
  if (name == "order") made.attributes.track_order = true;
  if (name == "phase") {
    made.attributes.max_compact = 4;
    made.attributes.min_dense = 2;
  }
  if (name == "null") {
    made.space = {};
    made.space.kind = format::DataspaceKind::null;
  }
  if (name == "undefined" || name == "ext_early") made.space = extent({10});
  if (name == "undefined") made.fill_state = FillState::undefined;
  if (name == "ext_early") {
    made.allocation = AllocationTime::early;
    made.external = {{"x.raw", 0, 40}};
  }
  return made;
}

struct Golden {
  const char* name;
  Version low;
  const char* header;
};

const Golden goldens[] = {
    {"plain", Version::earliest,
     "01000600010000000001000000000000"
     " 01:00:01020100000000000a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:0202020100000000"
     " 08:00:0301ffffffffffffffff2003000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:112*00"},
    {"plain", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:030a"
     " 08:00:0301ffffffffffffffff2003000000000000"
     " 00:00:168*00"},
    {"notimes", Version::earliest,
     "01000500010000000001000000000000"
     " 01:00:01020100000000000a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:0202020100000000"
     " 08:00:0301ffffffffffffffff2003000000000000000000000000"
     " 00:00:128*00"},
    {"notimes", Version::v1_8,
     "4f48445202010001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:030a"
     " 08:00:0301ffffffffffffffff2003000000000000"
     " 00:00:168*00"},
    {"user", Version::earliest,
     "01000700010000000001000000000000"
     " 01:00:01020100000000000a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:02020201040000000900000000000000"
     " 04:01:0400000009000000"
     " 08:00:0301ffffffffffffffff2003000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:88*00"},
    {"user", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:032a0400000009000000"
     " 08:00:0301ffffffffffffffff2003000000000000"
     " 00:00:160*00"},
    {"compactuser", Version::earliest,
     "01000700010000001001000000000000"
     " 01:00:010101000000000003000000000000000300000000000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:02010201040000000900000000000000"
     " 04:01:0400000009000000"
     " 08:00:03000c00090000000900000009000000"
     " 12:00:0100000000000000"
     " 00:00:128*00"},
    {"compactuser", Version::v1_8,
     "4f4844520221000000000000000000000000000000000c01"
     " 01:00:0201010103000000000000000300000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:03290400000009000000"
     " 08:00:03000c00090000000900000009000000"
     " 00:00:190*00"},
    {"early", Version::earliest,
     "01000600010000000001000000000000"
     " 01:00:01020100000000000a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:0201020100000000"
     " 08:01:0301@@@@@@@@@@@@@@@@2003000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:112*00"},
    {"early", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:0309"
     " 08:01:0301@@@@@@@@@@@@@@@@2003000000000000"
     " 00:00:168*00"},
    {"neveruser", Version::earliest,
     "01000700010000000001000000000000"
     " 01:00:01020100000000000a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:02020101040000000900000000000000"
     " 04:01:0400000009000000"
     " 08:00:0301ffffffffffffffff2003000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:88*00"},
    {"neveruser", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:03260400000009000000"
     " 08:00:0301ffffffffffffffff2003000000000000"
     " 00:00:160*00"},
    {"vlen", Version::earliest,
     "01000600010000000001000000000000"
     " 01:00:010101000000000004000000000000000400000000000000"
     " 03:01:190100001000000010000000010000000000080000000000"
     " 05:01:0202000100000000"
     " 08:00:0301ffffffffffffffff4000000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:120*00"},
    {"vlen", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:0201010104000000000000000400000000000000"
     " 03:01:1901000010000000100000000100000000000800"
     " 05:01:0302"
     " 08:00:0301ffffffffffffffff4000000000000000"
     " 00:00:176*00"},
    {"vlenearly", Version::earliest,
     "01000600010000000001000000000000"
     " 01:00:010101000000000004000000000000000400000000000000"
     " 03:01:190100001000000010000000010000000000080000000000"
     " 05:01:0201000100000000"
     " 08:01:0301@@@@@@@@@@@@@@@@4000000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:120*00"},
    {"vlenearly", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:0201010104000000000000000400000000000000"
     " 03:01:1901000010000000100000000100000000000800"
     " 05:01:0301"
     " 08:01:0301@@@@@@@@@@@@@@@@4000000000000000"
     " 00:00:176*00"},
    {"committed", Version::earliest,
     "01000600010000000001000000000000"
     " 01:00:01020100000000000a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:03:0202@@@@@@@@@@@@@@@@000000000000"
     " 05:01:0202020100000000"
     " 08:00:0301ffffffffffffffff2003000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:112*00"},
    {"committed", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:03:0202@@@@@@@@@@@@@@@@"
     " 05:01:030a"
     " 08:00:0301ffffffffffffffff2003000000000000"
     " 00:00:170*00"},
    {"ext2", Version::earliest,
     "01000700010000000001000000000000"
     " 01:00:01020100000000000a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:0202020100000000"
     " 07:01:0100000002000200@@@@@@@@@@@@@@@@"
     "08000000000000001000000000000000900100000000000010000000000000000000000000000000ffffffffffffffff"
     " 08:00:0301ffffffffffffffff2003000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:40*00"},
    {"ext2", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:030a"
     " 07:01:0100000002000200@@@@@@@@@@@@@@@@"
     "08000000000000001000000000000000900100000000000010000000000000000000000000000000ffffffffffffffff"
     " 08:00:0301ffffffffffffffff2003000000000000"
     " 00:00:100*00"},
    {"compound", Version::earliest,
     "01000600010000000001000000000000"
     " 01:00:010101000000000004000000000000000400000000000000"
     " 03:01:"
     "260200001c0000006100000000000000000000001008000004000000000020006200000000000000040000002a0000001800000"
     "001000000030000000000000011203f000800000000004000340b0034ff03000000000000"
     " 05:01:0202020100000000"
     " 08:00:0301ffffffffffffffff7000000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:56*00"},
    {"compound", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:0201010104000000000000000400000000000000"
     " 03:01:"
     "360200001c0000006100001008000004000000000020006200043a00000018000000010300000011203f0008000000000040003"
     "40b0034ff030000"
     " 05:01:030a"
     " 08:00:0301ffffffffffffffff7000000000000000"
     " 00:00:137*00"},
    {"order", Version::earliest,
     "4f4844520225000000000000000000000000000000000001"
     " 01:00:01020100000000000a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:0202020100000000"
     " 08:00:0301ffffffffffffffff2003000000000000"
     " 00:00:148*00"},
    {"order", Version::v1_8,
     "4f4844520225000000000000000000000000000000000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:030a"
     " 08:00:0301ffffffffffffffff2003000000000000"
     " 00:00:158*00"},
    {"null", Version::earliest,
     "01000600010000000001000000000000"
     " 01:00:0200000200000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:0202020100000000"
     " 08:00:0301ffffffffffffffff0000000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:144*00"},
    {"null", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:02000002"
     " 03:01:100800000400000000002000"
     " 05:01:030a"
     " 08:00:0301ffffffffffffffff0000000000000000"
     " 00:00:200*00"},
    {"plain", Version::v1_10,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:030a"
     " 08:00:0401ffffffffffffffff2003000000000000"
     " 00:00:168*00"},
    {"compactuser", Version::v1_10,
     "4f4844520221000000000000000000000000000000000c01"
     " 01:00:0201010103000000000000000300000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:03290400000009000000"
     " 08:00:04000c00090000000900000009000000"
     " 00:00:190*00"},
    {"ext2", Version::v1_10,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:030a"
     " 07:01:0100000002000200@@@@@@@@@@@@@@@@"
     "08000000000000001000000000000000900100000000000010000000000000000000000000000000ffffffffffffffff"
     " 08:00:0401ffffffffffffffff2003000000000000"
     " 00:00:100*00"},
    {"phase", Version::v1_10,
     "4f484452023100000000000000000000000000000000040002000001"
     " 01:00:020201010a0000000000000014000000000000000a000000000000001400000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:030a"
     " 08:00:0401ffffffffffffffff2003000000000000"
     " 00:00:168*00"},
    {"undefined", Version::earliest,
     "01000600010000000001000000000000"
     " 01:00:01010100000000000a000000000000000a00000000000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:0202020000000000"
     " 08:00:0301ffffffffffffffff2800000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:128*00"},
    {"undefined", Version::v1_8,
     "4f4844520221000000000000000000000000000000000001"
     " 01:00:020101010a000000000000000a00000000000000"
     " 03:01:100800000400000000002000"
     " 05:01:031a"
     " 08:00:0301ffffffffffffffff2800000000000000"
     " 00:00:184*00"},
    {"ext_early", Version::earliest,
     "01000700010000000001000000000000"
     " 01:00:01010100000000000a000000000000000a00000000000000"
     " 03:01:10080000040000000000200000000000"
     " 05:01:0201020100000000"
     " 07:01:0100000001000100@@@@@@@@@@@@@@@@080000000000000000000000000000002800000000000000"
     " 08:01:0301ffffffffffffffff2800000000000000000000000000"
     " 12:00:0100000000000000"
     " 00:00:80*00"},
};

/// Hexadecimal digits with "@" over those of each address that the message holds.
std::string masked(const store::HeaderEntry& entry, const store::HeaderEntry::Message& m,
                   const format::Widths& widths) {
  const Bytes body = entry.body(m);
  std::string hex = testing::to_hex(body);
  std::erase_if(hex, [](char c) { return c == ' '; });
  const auto mask = [&](std::size_t byte) { hex.replace(byte * 2, 16, 16, '@'); };
  if (m.slot.type == MessageType::modification_time) hex.replace(8, 8, 8, '0');
  if (m.slot.type == MessageType::datatype && (m.slot.flags & format::message_flag::shared) != 0) mask(2);
  if (m.slot.type == MessageType::external_files) mask(8);
  if (m.slot.type == MessageType::layout) {
    const auto layout = format::decode<format::LayoutMessage>(body, widths);
    if (layout.layout == LayoutClass::contiguous && is_valid(layout.address)) mask(2);
  }
  return hex;
}

std::string header_text(File& file, Address header) {
  const auto entry = store::ObjectHeader(file.store(), header).load();
  EXPECT_EQ(entry->blocks.size(), 1u);
  const auto& block = entry->blocks.at(0);
  Buffer prefix(block.bytes.begin(), block.bytes.begin() + block.area_at);
  if (entry->shape.times) std::fill_n(prefix.begin() + 6, 16, std::byte{0});
  std::string text = testing::to_hex(prefix);
  std::erase_if(text, [](char c) { return c == ' '; });
  std::size_t end = block.area_at;
  for (const auto& m : entry->messages) {
    const bool nil = m.slot.type == MessageType::nil;
    text +=
        fmt::format(" {:02x}:{:02x}:{}", static_cast<unsigned>(m.slot.type), m.slot.flags,
                    nil ? fmt::format("{}*00", m.slot.body_bytes) : masked(*entry, m, file.store().widths()));
    end = m.slot.body_at + m.slot.body_bytes;
  }
  EXPECT_EQ(end, block.area_end);
  return text;
}

class NewHeader : public ::testing::TestWithParam<Golden> {};

TEST_P(NewHeader, HasTheBytesOfTheReference) {
  const auto file = make_file(GetParam().low);
  const Address header = create_dataset(*file, make_case(*file, GetParam().name));
  file->flush();  // so that the prefix is complete
  EXPECT_EQ(header_text(*file, header), GetParam().header);
}

INSTANTIATE_TEST_SUITE_P(Reference, NewHeader, ::testing::ValuesIn(goldens), [](const auto& row) {
  return fmt::format("{}_{}", row.param.name, static_cast<unsigned>(row.param.low));
});

TEST(NewDataset, KeepsTheNamesOfExternalFilesInAHeapAsTheReferenceDoes) {
  const auto file = make_file(Version::earliest);
  const Address header = create_dataset(*file, make_case(*file, "ext2"));
  file->flush();
  const auto message = format::decode<format::ExternalFiles>(
      get_message(*file, header, MessageType::external_files), file->store().widths());
  const auto heap = store::LocalHeap(file->store(), message.heap).entry();
  Buffer stored = file->store().read(message.heap, 72, "heap");
  EXPECT_EQ(heap->data(), message.heap + 32);
  std::fill_n(stored.begin() + 24, 8, std::byte{0});  // the address of the data
  EXPECT_EQ(testing::to_hex(stored),
            testing::to_hex(testing::from_hex(
                "48454150 00000000 2800000000000000 0100000000000000 0000000000000000 0000000000000000"
                "612e726177000000 6469722f6c6f6e676572 2d6e616d652e7261770000 000000")));
}

}  // namespace
}  // namespace filigree::model
