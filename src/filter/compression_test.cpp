// SPDX-License-Identifier: Apache-2.0
//
// LZF, LZ4, Zstandard, Blosc and bitshuffle. The stored bytes below come from HDF5 with the plug-ins of
// their authors, unless noted otherwise.
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "filter/builtin.hpp"
#include "testing/filter_suite.hpp"
#include "testing/hex.hpp"

namespace filigree::filter {
namespace {

using ::filigree::testing::expect_filter;
using ::filigree::testing::expect_survives;
using ::filigree::testing::from_hex;
using ::filigree::testing::to_hex;
using ::testing::ElementsAre;
using Params = std::vector<std::uint32_t>;

std::unique_ptr<const BoundFilter> bind(const Filter& filter, Params params) {
  return filter.bind(params, {4, 24});
}

template <class Value>
Buffer elements(std::size_t count, unsigned width, const Value& value) {
  Buffer bytes(count * width);
  for (std::size_t i = 0; i < count; ++i) store_word(bytes.data() + width * i, value(i), width);
  return bytes;
}

Buffer rising(std::size_t count, unsigned width) {
  return elements(count, width, [](std::size_t i) { return 250 + 3 * i; });
}

Buffer weekdays(std::size_t count) {
  return elements(count, 4, [](std::size_t i) { return i % 7; });
}

Buffer random_bytes(std::size_t count) {
  std::mt19937 random(7);
  Buffer bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

/// Smooth, rough and intermediate data of many lengths.
void expect_round_trips(const BoundFilter& filter) {
  for (const std::size_t count :
       {0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 100, 264, 300, 1000, 8191, 8192, 8200, 70000}) {
    for (const Buffer& unfiltered :
         {Buffer(count), random_bytes(count), elements(count, 1, [](std::size_t i) { return i * i / 100; }),
          elements(count, 1, [](std::size_t i) { return i % 250; })}) {
      ASSERT_EQ(filter.decode(filter.encode(unfiltered), count), unfiltered) << count;
    }
  }
}

void expect_corrupt(const Filter& filter, Params params) {
  try {
    bind(filter, std::move(params));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
  }
}

ChunkFacts numbers_of(std::uint32_t bytes, std::vector<std::uint64_t> dims) {
  return {{TypeFacts::Kind::integer, bytes, TypeFacts::Order::little, 8 * bytes}, std::move(dims)};
}

TEST(Lzf, ReadsDataWrittenByTheReference) {
  expect_filter(*bind(lzf_filter(), {4, 261, 160}), weekdays(40),
                from_hex("04000000 00012003 00022003 00032003 00042003 00052003 00062003 4000e075 1b010000"));
}

TEST(Lzf, DecodesWhatItEncodes) { expect_round_trips(*bind(lzf_filter(), {4, 261, 0})); }

TEST(Lzf, RejectsCopiesFromBeforeTheStart) {
  const auto filter = bind(lzf_filter(), {});
  EXPECT_EQ(to_hex(filter->decode(from_hex("00aa 2000"), 100)), to_hex(from_hex("aaaaaaaa")));
  EXPECT_THROW(filter->decode(from_hex("00aa 2001"), 100), Error);
  EXPECT_THROW(filter->decode(from_hex("2000"), 100), Error);
  EXPECT_THROW(filter->decode(from_hex("00aa e0ff00"), 264), Error);
  EXPECT_EQ(filter->decode(from_hex("00aa e0ff00"), 265), Buffer(265, std::byte{0xaa}));
}

TEST(Lz4, ReadsBlocksWrittenByTheReference) {
  expect_filter(
      *bind(lz4_filter(), {100}), weekdays(40),
      from_hex("00000000 000000a0 00000064 "
               "| 00000027 f00a0000 00000100 00000200 00000300 00000400 00000500 00000619 000f1c00 2f500003 "
               "000000 "
               "| 00000023 a2040000 00050000 00060001 00cf0100 00000200 00000300 00001c00 08500004 000000"));
}

TEST(Lz4, ReadsUncompressedBlocks) {
  Buffer stored = from_hex("00000000 00000060 00000060 00000060");
  const Buffer unfiltered = rising(24, 4);
  stored.insert(stored.end(), unfiltered.begin(), unfiltered.end());
  expect_filter(*bind(lz4_filter(), {}), unfiltered, stored);
  EXPECT_EQ(to_hex(bind(lz4_filter(), {})->encode(unfiltered)), to_hex(stored));
}

TEST(Lz4, DecodesWhatItEncodesAtEveryBlockSize) {
  for (const Params& params :
       {Params{}, Params{0}, Params{1}, Params{64}, Params{1000}, Params{0xffffffff}}) {
    expect_round_trips(*bind(lz4_filter(), params));
  }
}

TEST(Lz4, RejectsFalseTotalsBeforeAllocating) {
  EXPECT_THROW(bind(lz4_filter(), {})->decode(from_hex("0000ffff ffffffff 40000000 00000001 00"), SIZE_MAX),
               Error);
  EXPECT_THROW(bind(lz4_filter(), {})->decode(from_hex("00000000 00000010 00000000 00000001 00"), 16), Error);
}

// Both come from HDF5 1.14 with the HDF Group's plug-ins.
TEST(Zstd, ReadsDataWrittenByTheReference) {
  expect_filter(
      *bind(zstd_filter(), {}), rising(24, 4),
      from_hex("28b52ffd 2060f501 0002860e 1ac0673a d0ffffff ffff5b11 00440010 01208da2 288aa268 239902b7 "
               "38c5250e 7187335c e1083738 c1050e70 cf39d71c 73cb2997 1c72c77d e38c00"));
}

TEST(Zstd, DecodesWhatItEncodesAtEveryLevel) {
  for (const Params& params : {Params{}, Params{0}, Params{1}, Params{9}, Params{0xfffffffb}, Params{1000}}) {
    expect_round_trips(*bind(zstd_filter(), params));
  }
}

TEST(Zstd, RejectsADecompressionBomb) {
  const auto filter = bind(zstd_filter(), {});
  const Buffer bomb = filter->encode(Buffer(8 << 20));
  ASSERT_LT(bomb.size(), 10000u);
  EXPECT_THROW(filter->decode(bomb, 4096), Error);
  EXPECT_THROW(filter->decode(from_hex("28b52ffd"), SIZE_MAX), Error);
}

TEST(Blosc, ReadsDataWrittenByTheReference) {
  expect_filter(
      *bind(blosc_filter(), {2, 2, 4, 160}), weekdays(40),
      from_hex("02011104 a0000000 a0000000 2b000000 14000000 13000000 26000102 03040506 e0180600 00e06c00 "
               "010000"));
  expect_filter(
      *bind(blosc_filter(), {2, 2, 4, 160, 9, 2, 1}), weekdays(40),
      from_hex("02013404 a0000000 a0000000 33000000 14000000 1b000000 ff012a95 4aa5524c 2693c964 70381c0e "
               "87000100 78500000 000000"));
}

TEST(Blosc, DecodesWhatItEncodesWithEveryCodec) {
  for (const std::uint32_t codec : {0u, 1u, 2u, 4u, 5u}) {
    for (const std::uint32_t shuffle : {0u, 1u, 2u}) {
      expect_round_trips(*bind(blosc_filter(), {2, 2, 4, 0, 5, shuffle, codec}));
    }
  }
  expect_round_trips(*bind(blosc_filter(), {}));
}

TEST(Blosc, ChecksAndBuildsParameters) {
  expect_corrupt(blosc_filter(), {2, 2, 4, 160, 10});
  expect_corrupt(blosc_filter(), {2, 2, 4, 160, 5, 3});
  expect_corrupt(blosc_filter(), {2, 2, 4, 160, 5, 1, 6});
  EXPECT_THAT(blosc_filter().prepare({}, numbers_of(4, {5, 8})), ElementsAre(2, 2, 4, 160));
  EXPECT_THAT(blosc_filter().prepare(Params{0, 0, 0, 0, 9, 2, 5}, numbers_of(300, {10})),
              ElementsAre(2, 2, 1, 3000, 9, 2, 5));
  EXPECT_THROW(blosc_filter().prepare(Params{0, 0, 0, 0, 10}, numbers_of(4, {10})), Error);
}

TEST(Bitshuffle, MatchesTheReferenceWithoutCompression) {
  const auto filter = bind(bitshuffle_filter(), {0, 3, 2});
  const Buffer stored =
      from_hex("aaaa9999 d2d2e31c 031f03e0 03000300 fcff0000 00000000 00000000 00000000 2a012d01 3001");
  expect_filter(*filter, rising(19, 2), stored);
  EXPECT_EQ(to_hex(filter->encode(rising(19, 2))), to_hex(stored));
}

TEST(Bitshuffle, ReadsDataWrittenByTheReferenceWithLz4) {
  expect_filter(
      *bind(bitshuffle_filter(), {0, 3, 4, 16, 2}), weekdays(43),
      from_hex("00000000 000000ac 00000040 | 00000011 7f2a954c 26703800 01002150 00000000 00 | 00000011 "
               "7f4aa593 c91c0e00 01002150 00000000 00 | 0000000e 4f526487 00010004 50000000 0000 | "
               "05000000 06000000 00000000"));
}

// It comes from HDF5 1.14 with the HDF Group's plug-ins.
TEST(Bitshuffle, ReadsDataWrittenByTheReferenceWithZstandard) {
  expect_filter(
      *bind(bitshuffle_filter(), {0, 4, 4, 0, 3, 5}), rising(24, 4),
      from_hex("00000000 00000060 00002000 | 0000002b 28b52ffd 20601501 00e0aaaa aa999999 d2d2d2e3 1ce3031f "
               "fc03e0ff 03000003 0000fcff ff000100 040a9c"));
}

TEST(Bitshuffle, DecodesWhatItEncodes) {
  for (const std::uint32_t width : {1u, 2u, 3u, 4u, 8u, 13u, 16u, 1000u}) {
    for (const std::uint32_t block : {0u, 8u, 1024u}) {
      for (const std::uint32_t packing : {0u, 2u, 3u}) {
        expect_round_trips(*bind(bitshuffle_filter(), {0, 4, width, block, packing}));
      }
    }
  }
}

TEST(Bitshuffle, ChecksAndBuildsParameters) {
  expect_corrupt(bitshuffle_filter(), {});
  expect_corrupt(bitshuffle_filter(), {0, 4, 0});
  expect_corrupt(bitshuffle_filter(), {0, 4, 4, 7});
  expect_corrupt(bitshuffle_filter(), {0, 4, 4, 0, 1});
  expect_corrupt(bitshuffle_filter(), {0, 4, 0xffffffff, 0xfffffff8, 2});
  EXPECT_THAT(bitshuffle_filter().prepare(Params{0, 2}, numbers_of(4, {10})), ElementsAre(0, 4, 4, 0, 2));
  EXPECT_THROW(bitshuffle_filter().prepare(Params{0, 1}, numbers_of(4, {10})), Error);
  EXPECT_THROW(bitshuffle_filter().prepare(Params{7, 2}, numbers_of(4, {10})), Error);
}

TEST(Compression, LargeChunksSurviveDamage) {
  // Several blocks, so that the headers between them are damaged too.
  Buffer unfiltered = elements(5000, 4, [](std::size_t i) { return i * i % 1000; });
  for (const auto& filter :
       {bind(lzf_filter(), {}), bind(lz4_filter(), {3000}), bind(zstd_filter(), {}),
        bind(blosc_filter(), {2, 2, 4, 0, 5, 1, 0}), bind(blosc_filter(), {2, 2, 4, 0, 5, 2, 5}),
        bind(bitshuffle_filter(), {0, 4, 4, 0, 2}), bind(bitshuffle_filter(), {0, 4, 4, 0, 3})}) {
    const Buffer stored = filter->encode(unfiltered);
    ASSERT_LT(stored.size(), unfiltered.size());
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
      Buffer bytes = stored;
      for (int change = 0; change < 3; ++change)
        bytes[random() % bytes.size()] = static_cast<std::byte>(random());
      if (round % 4 == 0) bytes.resize(random() % bytes.size());
      expect_survives(*filter, bytes, unfiltered.size());
    }
  }
}

}  // namespace
}  // namespace filigree::filter
