// SPDX-License-Identifier: Apache-2.0
#include "filter/pipeline.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "filter/table.hpp"
#include "testing/hex.hpp"

namespace filigree::filter {
namespace {

using ::filigree::testing::from_hex;
using ::filigree::testing::to_hex;
using ::testing::HasSubstr;

const FilterSpec deflate{1, "deflate", true, {9}};
const FilterSpec shuffle{2, "shuffle", true, {4}};
const FilterSpec fletcher{3, "fletcher32", false, {}};
const FilterSpec unknown{32013, "ZFP compression", false, {3}};

Pipeline make(std::vector<FilterSpec> specs) { return Pipeline(specs, ElementLayout{4, 24}); }

Buffer numbers() {
  Buffer bytes(24 * 4);
  for (std::size_t i = 0; i < 24; ++i) store_word(bytes.data() + 4 * i, 250 + 3 * i, 4);
  return bytes;
}

Buffer encode(const Pipeline& pipeline, Bytes plain, std::uint32_t expected_mask = 0) {
  std::uint32_t mask = 0xdead;
  Buffer stored = pipeline.encode(plain, mask);
  EXPECT_EQ(mask, expected_mask);
  return stored;
}

std::string error_of(const Pipeline& pipeline, Bytes stored, std::uint32_t mask, ErrorKind kind) {
  try {
    pipeline.decode(stored, mask, 96);
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
}

TEST(Pipeline, ReadsAChunkOfThreeFiltersThatStockWrote) {
  const Buffer stored = from_hex(
      "78dafbf5 9781998d 93875f48 54425a4e 51455d4b d7c0d8cc d2c69e81 81112b60 20110000 98d804c3 c581265d");
  EXPECT_EQ(to_hex(make({shuffle, deflate, fletcher}).decode(stored, 0, 96)), to_hex(numbers()));
}

TEST(Pipeline, DecodesWhatItEncodesInEveryOrder) {
  const Buffer plain = numbers();
  for (const auto& specs : {std::vector{shuffle, deflate, fletcher}, std::vector{fletcher, deflate, shuffle},
                            std::vector{deflate, deflate, fletcher, fletcher}, std::vector<FilterSpec>{}}) {
    const Pipeline pipeline = make(specs);
    EXPECT_EQ(pipeline.decode(encode(pipeline, plain), 0, plain.size()), plain);
  }
}

TEST(Pipeline, DataThatDoNotCompressPassBetweenFilters) {
  std::mt19937 random(5);
  Buffer plain(1 << 20);
  for (std::byte& b : plain) b = static_cast<std::byte>(random());
  const Pipeline pipeline = make({fletcher, deflate, deflate, fletcher});
  EXPECT_EQ(pipeline.decode(encode(pipeline, plain), 0, plain.size()), plain);
}

TEST(Pipeline, MaskSkipsExactlyItsFilters) {
  const Buffer plain = numbers();
  const Pipeline all = make({shuffle, deflate, fletcher});
  for (std::uint32_t mask = 0; mask < 8; ++mask) {
    std::vector<FilterSpec> left;
    if ((mask & 1) == 0) left.push_back(shuffle);
    if ((mask & 2) == 0) left.push_back(deflate);
    if ((mask & 4) == 0) left.push_back(fletcher);
    EXPECT_EQ(all.decode(encode(make(left), plain), mask, plain.size()), plain) << mask;
  }
}

TEST(Pipeline, MissingFilterFailsOnlyWhereAChunkNeedsIt) {
  const Pipeline pipeline = make({shuffle, unknown});
  const Buffer stored = encode(make({shuffle}), numbers());
  EXPECT_EQ(pipeline.decode(stored, 2, 96), numbers());
  const std::string text = error_of(pipeline, stored, 0, ErrorKind::unsupported);
  EXPECT_THAT(text, HasSubstr("32013"));
  EXPECT_THAT(text, HasSubstr("ZFP compression"));
  EXPECT_THAT(text, HasSubstr("h5repack"));
  std::uint32_t mask = 0;
  EXPECT_THROW(pipeline.encode(numbers(), mask), Error);
}

TEST(Pipeline, MissingOptionalFilterIsSkippedAndMasked) {
  FilterSpec optional = unknown;
  optional.optional = true;
  const Pipeline pipeline = make({shuffle, optional, fletcher});
  const Buffer stored = encode(pipeline, numbers(), 2);
  EXPECT_EQ(stored, encode(make({shuffle, fletcher}), numbers()));
  EXPECT_EQ(pipeline.decode(stored, 2, 96), numbers());
}

TEST(Pipeline, ResultOfAnotherSizeIsCorrupt) {
  const Pipeline pipeline = make({shuffle, deflate});
  EXPECT_THAT(error_of(pipeline, encode(pipeline, Buffer(95)), 0, ErrorKind::corrupt),
              HasSubstr("decode to 95 bytes instead of 96"));
  EXPECT_NE(error_of(pipeline, encode(pipeline, Buffer(97)), 0, ErrorKind::corrupt), "no error");
  EXPECT_THAT(error_of(Pipeline(), Buffer(97), 0, ErrorKind::corrupt), HasSubstr("97"));
  EXPECT_THAT(error_of(pipeline, Buffer(95), 3, ErrorKind::corrupt), HasSubstr("95"));
}

TEST(Pipeline, ErrorsNameTheFilter) {
  EXPECT_THAT(error_of(make({deflate}), from_hex("0102 0304"), 0, ErrorKind::corrupt),
              HasSubstr("filter 1 'deflate': "));
  try {
    make({{1, "", false, {77}}});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("filter 1 'deflate': deflate level is 77"));
  }
}

TEST(Pipeline, BombBetweenFiltersIsBounded) {
  const Buffer bomb = encode(make({deflate}), Buffer(8 << 20));
  ASSERT_LT(bomb.size(), 10000u);
  EXPECT_THAT(error_of(make({fletcher, deflate}), bomb, 0, ErrorKind::corrupt),
              HasSubstr("filter 1 'deflate': "));
}

TEST(Pipeline, TakesUpTo32Filters) {
  const Pipeline pipeline = make(std::vector(32, fletcher));
  EXPECT_EQ(pipeline.decode(encode(pipeline, numbers()), 0, 96), numbers());
  EXPECT_EQ(pipeline.decode(numbers(), 0xffffffff, 96), numbers());
  EXPECT_THROW(make(std::vector(33, fletcher)), Error);
}

TEST(FilterTable, ListsEachFilterOnceInOrderOfId) {
  std::uint16_t before = 0;
  for (const Filter* filter : builtin_filters()) {
    EXPECT_GT(filter->id(), before);
    before = filter->id();
  }
  EXPECT_EQ(builtin_filters().size(), 11u);
}

}  // namespace
}  // namespace filigree::filter
