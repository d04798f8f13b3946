// SPDX-License-Identifier: Apache-2.0
#include "format/codec/inspect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/chunk_index/fixed_array.hpp"
#include "format/codec/codec.hpp"
#include "format/free_space/free_space.hpp"

namespace filigree::format {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr Widths widths;

FixedArrayHeader header() {
  FixedArrayHeader value;
  value.element_bytes = 8;
  value.elements = 300;
  value.data_block = to_address(0x1000);
  return value;
}

TEST(Inspect, KeepsEachFieldWithItsOffset) {
  const Buffer bytes = encode(header(), widths);
  FixedArrayHeader decoded;
  const Inspection found = inspect(decoded, bytes, widths);
  EXPECT_THAT(found.fault, IsEmpty());
  EXPECT_EQ(decoded.elements, 300u);
  ASSERT_EQ(found.fields.size(), 8u);
  EXPECT_EQ(found.fields[0].name, "signature");
  EXPECT_EQ(found.fields[0].value, "\"FAHD\"");
  EXPECT_EQ(found.fields[0].bytes, 4u);
  EXPECT_EQ(found.fields[5].name, "elements");
  EXPECT_EQ(found.fields[5].offset, 8u);
  EXPECT_EQ(found.fields[5].value, "300 (0x12c)");
  EXPECT_EQ(found.fields[7].name, "checksum");
  EXPECT_EQ(found.fields[7].offset + found.fields[7].bytes, bytes.size());
}

TEST(Inspect, StopsAtTheFirstFault) {
  Buffer bytes = encode(header(), widths);
  bytes[6] = std::byte{0};  // the size of an element
  FixedArrayHeader decoded;
  const Inspection found = inspect(decoded, bytes, widths);
  EXPECT_THAT(found.fault, HasSubstr("element bytes"));
  ASSERT_EQ(found.fields.size(), 4u);
  EXPECT_EQ(found.fields.back().name, "element bytes");
}

TEST(Inspect, ShowsAWrongChecksum) {
  Buffer bytes = encode(header(), widths);
  bytes.back() ^= std::byte{1};
  FixedArrayHeader decoded;
  const Inspection found = inspect(decoded, bytes, widths);
  EXPECT_THAT(found.fault, HasSubstr("checksum"));
  EXPECT_EQ(found.fields.back().name, "checksum");
}

TEST(Inspect, NeverReadsBeyondTheBytes) {
  const Buffer bytes = encode(header(), widths);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Buffer part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    FixedArrayHeader decoded;
    const Inspection found = inspect(decoded, part, widths);
    EXPECT_FALSE(found.fault.empty());
    for (const InspectedField& field : found.fields) EXPECT_LE(field.offset + field.bytes, size);
  }
}

TEST(Inspect, ListsABoundedNumberOfFields) {
  FreeSpaceHeader manager;
  manager.address_bits = 63;
  manager.section_classes = 3;
  manager.client = FreeSpaceClient::file;
  manager.largest_section = 1u << 30;
  std::vector<FreeSection> sections;
  for (std::uint64_t i = 0; i < 30000; ++i) sections.push_back({i * 100, 50, 0, {}});
  FreeSpaceList list;
  list.client = manager.client;
  list.section_classes = manager.section_classes;
  list.address_bits = manager.address_bits;
  list.largest_section = manager.largest_section;
  list.serialised_sections = sections.size();
  const Buffer bytes = encode_sections(manager, to_address(8), sections, widths);
  const Inspection found = inspect(list, bytes, widths);
  EXPECT_THAT(found.fault, IsEmpty());
  EXPECT_LT(found.fields.size(), 25000u);
  EXPECT_EQ(found.fields.back().name, "further fields");
}

}  // namespace
}  // namespace filigree::format
