// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_index/portable_chunk.hpp"

#include <gmock/gmock.h>

#include <filigree/error.hpp>

#include "testing/codec_suite.hpp"

namespace filigree::format {
namespace {

using filigree::testing::expect_codec;
using filigree::testing::from_hex;
using filigree::testing::Guard;
using filigree::testing::to_hex;

PortableParameters example() {
  PortableParameters made;
  made.dims = {1, 256, 300};
  made.element_bytes = 4;
  made.fill = from_hex("05000000");
  made.filters[0] = {{500, 0, "", {}}};
  made.filters[1] = {{2, 1, "", {2}}, {32015, 1, "", {3}}};
  return made;
}

TEST(PortableChunk, EnvelopesAreReadAsWritten) {
  SectionTable table;
  table.count = 2;
  table.offsets[1] = 5;
  table.unfiltered_bytes = {40, 12};
  table.filter_masks = {0, 2};
  const Buffer golden = encode_envelope(table, 11, 6, PortableEnvelope::written_by_plugin);
  ASSERT_EQ(golden.size(), PortableEnvelope::bytes);
  const auto read = expect_codec(PortableEnvelope{}, golden, {}, Guard::checksum);
  EXPECT_EQ(read.defined, 6u);
  EXPECT_EQ(read.flags, PortableEnvelope::written_by_plugin);
  EXPECT_EQ(read.table(), table);
  EXPECT_NO_THROW(decode_envelope(golden, 54 + 11));
  EXPECT_THROW(decode_envelope(golden, 54 + 10), Error);
  EXPECT_THROW(decode_envelope(golden, 54 + 12), Error);
}

TEST(PortableChunk, EnvelopeSizesAreLimited) {
  SectionTable table;
  table.count = 2;
  EXPECT_THROW(encode_envelope(table, 0xffffffff, 1, 0), Error);
}

TEST(PortableChunk, ParametersAreReadAsWritten) {
  const auto words = to_words(example());
  EXPECT_THAT(
      words, ::testing::ElementsAre(1, 3, 1, 256, 300, 4, 4, 5, 1, 500, 0, 0, 2, 2, 1, 1, 2, 32015, 1, 1, 3));
  const PortableParameters read = from_words(words);
  EXPECT_EQ(read.dims, example().dims);
  EXPECT_EQ(read.fill, example().fill);
  EXPECT_EQ(read.elements(), 256u * 300);
  EXPECT_EQ(read.filters[1][1].parameters, std::vector<std::uint32_t>{3});
  EXPECT_TRUE(read.filters[1][1].optional());
  EXPECT_FALSE(read.filters[0][0].optional());
}

TEST(PortableChunk, DamagedParametersAreRefusedOrMeanSomethingElse) {
  const auto words = to_words(example());
  for (std::size_t kept = 0; kept < words.size(); ++kept)
    EXPECT_THROW(from_words(std::span(words).first(kept)), Error) << kept;
  auto longer = words;
  longer.push_back(0);
  EXPECT_THROW(from_words(longer), Error);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      auto changed = words;
      changed[i] ^= 1u << bit;
      try {
        EXPECT_NE(to_words(from_words(changed)), words);
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated);
      }
    }
  }
}

TEST(PortableChunk, ParametersOfImpossibleChunksAreRefused) {
  PortableParameters large = example();
  large.dims = {65536, 65536};
  EXPECT_THROW(from_words(to_words(large)), Error);
  PortableParameters fill = example();
  fill.fill = from_hex("050000");  // of elements of 4 bytes
  EXPECT_THROW(from_words(to_words(fill)), Error);
}

}  // namespace
}  // namespace filigree::format
