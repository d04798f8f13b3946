// SPDX-License-Identifier: Apache-2.0
#include "filter/pipeline.hpp"

#include <random>
#include <thread>

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

Buffer encode(const Pipeline& pipeline, Bytes unfiltered, std::uint32_t expected_mask = 0) {
  std::uint32_t mask = 0xdead;
  Buffer stored = pipeline.encode(unfiltered, mask);
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

TEST(Pipeline, ReadsAChunkOfThreeFiltersWrittenByTheReference) {
  const Buffer stored = from_hex(
      "78dafbf5 9781998d 93875f48 54425a4e 51455d4b d7c0d8cc d2c69e81 81112b60 20110000 98d804c3 c581265d");
  EXPECT_EQ(to_hex(make({shuffle, deflate, fletcher}).decode(stored, 0, 96)), to_hex(numbers()));
}

TEST(Pipeline, EncodesWithoutTheFiltersOfAMask) {
  const Pipeline pipeline = make({shuffle, deflate, fletcher});
  std::uint32_t mask = 2;
  const Buffer stored = pipeline.encode_without(numbers(), mask);
  EXPECT_EQ(mask, 2u);
  EXPECT_EQ(stored.size(), 100u);
  EXPECT_EQ(pipeline.decode(stored, 2, 96), numbers());
}

TEST(Pipeline, SurvivesDamageOfBytesOfUnknownSize) {
  const FilterSpec zstd{32015, "", false, {3}}, lz4{32004, "", false, {}}, lzf{32000, "", false, {}};
  constexpr std::size_t any_size = std::size_t{1} << 40;
  for (const FilterSpec& filter : {deflate, zstd, lz4, lzf}) {
    const Pipeline pipeline = make({shuffle, filter});
    Buffer unfiltered(4000);
    for (std::size_t i = 0; i < unfiltered.size(); ++i) unfiltered[i] = static_cast<std::byte>(i / 40);
    std::uint32_t mask = 0;
    const Buffer stored = pipeline.encode(unfiltered, mask);
    EXPECT_EQ(pipeline.decode_unsized(stored, mask, any_size), unfiltered) << filter.id;
    const auto decode = [&](const Buffer& damaged) {
      try {
        (void)pipeline.decode_unsized(damaged, mask, any_size);
      } catch (const Error&) {  // std::bad_alloc is no answer
      }
    };
    for (std::size_t bytes = 0; bytes < stored.size(); ++bytes)
      decode(Buffer(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(bytes)));
    for (std::size_t bit = 0; bit < 8 * stored.size(); ++bit) {
      Buffer damaged = stored;
      damaged[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      decode(damaged);
    }
  }
}

TEST(Pipeline, FindsTheSizeOfWhatItDecodes) {
  const Pipeline pipeline = make({deflate, fletcher});
  for (const std::size_t size : {1u, 96u, 65535u, 65536u, 65537u, 5'000'000u}) {
    Buffer unfiltered(size, std::byte{7});
    unfiltered[size / 2] = std::byte{1};
    std::uint32_t mask = 0;
    const Buffer stored = pipeline.encode(unfiltered, mask);
    EXPECT_EQ(pipeline.decode_unsized(stored, mask, 10'000'000), unfiltered) << size;
    EXPECT_EQ(pipeline.decode_unsized(stored, mask, size), unfiltered) << size;
    if (mask == 0) {
      EXPECT_THROW(pipeline.decode_unsized(stored, mask, size - 1), Error) << size;
    }
    Buffer damaged = stored;
    damaged.back() ^= std::byte{1};
    EXPECT_THROW(pipeline.decode_unsized(damaged, mask, 10'000'000), Error) << size;
  }
}

TEST(Pipeline, DecodesIntoMemoryOfTheCaller) {
  const Buffer unfiltered = numbers();
  // With all filters, without each of them, and without any.
  const Pipeline pipeline = make({shuffle, deflate, fletcher});
  for (std::uint32_t mask = 0; mask < 8; ++mask) {
    std::vector<FilterSpec> used;
    const std::vector<FilterSpec> all{shuffle, deflate, fletcher};
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((mask >> i & 1) == 0) used.push_back(all[i]);
    const Buffer stored = encode(make(used), unfiltered);
    Buffer back(unfiltered.size());
    pipeline.decode_into(stored, mask, back);
    EXPECT_EQ(to_hex(back), to_hex(unfiltered)) << mask;
  }
}

TEST(Pipeline, RejectsAResultOfAnotherSizeInMemoryOfTheCaller) {
  const Pipeline pipeline = make({shuffle, deflate});
  const Buffer stored = encode(pipeline, numbers());
  for (const std::size_t bytes : {0, 95, 97, 200}) {
    Buffer memory(bytes + 8, std::byte{0x5a});
    EXPECT_THROW(pipeline.decode_into(stored, 0, MutableBytes(memory).first(bytes)), Error) << bytes;
    for (const std::byte b : Bytes(memory).last(8)) EXPECT_EQ(b, std::byte{0x5a});
  }
}

TEST(Pipeline, DecodesWhatItEncodesInEveryOrder) {
  const Buffer unfiltered = numbers();
  for (const auto& specs : {std::vector{shuffle, deflate, fletcher}, std::vector{fletcher, deflate, shuffle},
                            std::vector{deflate, deflate, fletcher, fletcher}, std::vector<FilterSpec>{}}) {
    const Pipeline pipeline = make(specs);
    EXPECT_EQ(pipeline.decode(encode(pipeline, unfiltered), 0, unfiltered.size()), unfiltered);
  }
}

TEST(Pipeline, AcceptsIncompressibleDataBetweenFilters) {
  std::mt19937 random(5);
  Buffer unfiltered(1 << 20);
  for (std::byte& b : unfiltered) b = static_cast<std::byte>(random());
  const Pipeline pipeline = make({fletcher, deflate, deflate, fletcher});
  EXPECT_EQ(pipeline.decode(encode(pipeline, unfiltered), 0, unfiltered.size()), unfiltered);
}

TEST(Pipeline, SkipsExactlyTheFiltersOfTheMask) {
  const Buffer unfiltered = numbers();
  const Pipeline all = make({shuffle, deflate, fletcher});
  for (std::uint32_t mask = 0; mask < 8; ++mask) {
    std::vector<FilterSpec> left;
    if ((mask & 1) == 0) left.push_back(shuffle);
    if ((mask & 2) == 0) left.push_back(deflate);
    if ((mask & 4) == 0) left.push_back(fletcher);
    EXPECT_EQ(all.decode(encode(make(left), unfiltered), mask, unfiltered.size()), unfiltered) << mask;
  }
}

TEST(Pipeline, MissingFilterFailsOnlyForChunksThatNeedIt) {
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

TEST(Pipeline, RejectsAResultOfAnotherSize) {
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
  EXPECT_THAT(error_of(make({{1, "", false, {77}}}), Buffer(96), 0, ErrorKind::corrupt),
              HasSubstr("filter 1 'deflate': deflate level is 77"));
}

TEST(Pipeline, InvalidParametersFailOnlyForChunksThatNeedTheFilter) {
  const FilterSpec bad{2, "shuffle", false, {}};
  const Pipeline pipeline = make({bad, deflate});
  const Buffer stored = encode(make({deflate}), numbers());
  EXPECT_EQ(pipeline.decode(stored, 1, 96), numbers());
  EXPECT_TRUE(pipeline.lacks_filter(0));
  EXPECT_FALSE(pipeline.lacks_filter(1));
  EXPECT_THAT(error_of(pipeline, stored, 0, ErrorKind::corrupt), HasSubstr("shuffle has 0 parameters"));
  std::uint32_t mask = 0;
  EXPECT_THROW(pipeline.encode(numbers(), mask), Error);
}

TEST(Pipeline, OptionalFilterWithInvalidParametersIsSkippedAndMasked) {
  const FilterSpec bad{2, "shuffle", true, {}};
  const Pipeline pipeline = make({bad, deflate});
  const Buffer stored = encode(pipeline, numbers(), 1);
  EXPECT_EQ(stored, encode(make({deflate}), numbers()));
  EXPECT_EQ(pipeline.decode(stored, 1, 96), numbers());
}

TEST(Pipeline, LimitsADecompressionBombBetweenFilters) {
  const Buffer bomb = encode(make({deflate}), Buffer(8 << 20));
  ASSERT_LT(bomb.size(), 10000u);
  EXPECT_THAT(error_of(make({fletcher, deflate}), bomb, 0, ErrorKind::corrupt),
              HasSubstr("filter 1 'deflate': "));
}

TEST(Pipeline, AcceptsUpTo32Filters) {
  const Pipeline pipeline = make(std::vector(32, fletcher));
  EXPECT_EQ(pipeline.decode(encode(pipeline, numbers()), 0, 96), numbers());
  EXPECT_EQ(pipeline.decode(numbers(), 0xffffffff, 96), numbers());
  EXPECT_THROW(make(std::vector(33, fletcher)), Error);
}

/// Adds one to every byte. `lies` makes decode() return more than `max_bytes`.
class PlusOne : public Filter {
 public:
  explicit PlusOne(bool lies = false) : lies_(lies) {}
  std::uint16_t id() const override { return 40000; }
  std::string_view name() const override { return "plus one"; }
  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t>,
                                          const ElementLayout&) const override {
    return std::make_unique<Bound>(*this);
  }

 private:
  class Bound : public BoundFilter {
   public:
    explicit Bound(const PlusOne& kind) : kind_(kind) {}
    Buffer encode(Bytes unfiltered) const override { return add(unfiltered, 1); }
    Buffer decode(Bytes stored, std::size_t max_bytes) const override {
      return kind_.lies_ ? Buffer(max_bytes + 1) : add(stored, 0xff);
    }

   private:
    static Buffer add(Bytes bytes, unsigned what) {
      Buffer sum(bytes.begin(), bytes.end());
      for (std::byte& b : sum) b = static_cast<std::byte>(std::to_integer<unsigned>(b) + what);
      return sum;
    }
    const PlusOne& kind_;
  };
  const bool lies_;
};

const FilterSpec plus_one{40000, "", false, {}};

TEST(FilterRegistry, UserDefinedFiltersWorkInPipelines) {
  FilterRegistry registry;
  registry.add(std::make_shared<PlusOne>());
  const std::vector specs{plus_one, deflate};
  const Pipeline pipeline(specs, {4, 24}, registry);
  // The pipeline keeps the filters that it was created with.
  EXPECT_TRUE(registry.remove(40000));
  EXPECT_FALSE(registry.remove(40000));
  EXPECT_EQ(registry.find(40000), nullptr);
  EXPECT_EQ(pipeline.decode(encode(pipeline, numbers()), 0, 96), numbers());
  EXPECT_EQ(shared_registry().find(40000), nullptr);
}

TEST(FilterRegistry, HoldsTheFiltersOfThisBuild) {
  const auto all = FilterRegistry().list();
  ASSERT_EQ(all.size(), builtin_filters().size());
  for (const auto& filter : all) EXPECT_EQ(shared_registry().find(filter->id()), filter);
  EXPECT_EQ(shared_registry().find(0), nullptr);
  EXPECT_EQ(shared_registry().find(65535), nullptr);
}

TEST(FilterRegistry, ErrorForAMissingFilterSaysWhatToDo) {
  const std::string named = shared_registry().missing(32026, "Blosc of tomorrow").what();
  EXPECT_THAT(named, HasSubstr("filter 32026, which the file calls 'Blosc of tomorrow'"));
  EXPECT_THAT(named, HasSubstr("deflate (1)"));
  EXPECT_THAT(named, HasSubstr("register"));
  EXPECT_THAT(std::string(shared_registry().missing(32013, "").what()), HasSubstr("usually ZFP"));
  EXPECT_THAT(std::string(shared_registry().missing(999, "").what()), HasSubstr("has no name"));
}

TEST(FilterRegistry, IsThreadSafe) {
  FilterRegistry registry;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 500; ++round) {
        if (i == 0) registry.add(std::make_shared<PlusOne>());
        if (i == 1) registry.remove(40000);
        EXPECT_NE(registry.find(1), nullptr);
        EXPECT_GE(registry.list().size(), builtin_filters().size());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Pipeline, DetectsAFilterThatReturnsTooMuch) {
  FilterRegistry registry;
  registry.add(std::make_shared<PlusOne>(true));
  const std::vector specs{fletcher, plus_one};
  EXPECT_THAT(error_of(Pipeline(specs, {4, 24}, registry), Buffer(96), 0, ErrorKind::corrupt),
              HasSubstr("filter 40000 'plus one'"));
}

TEST(Pipeline, OptionalFilterThatGainsNothingIsSkipped) {
  Buffer noise(1000);
  std::mt19937 random(9);
  for (std::byte& b : noise) b = static_cast<std::byte>(random());
  const FilterSpec optional{32000, "lzf", true, {}}, mandatory{32000, "lzf", false, {}};
  const Buffer skipped = encode(make({shuffle, optional, fletcher}), noise, 2);
  EXPECT_EQ(skipped, encode(make({shuffle, fletcher}), noise));
  const Pipeline all = make({shuffle, mandatory, fletcher});
  EXPECT_EQ(all.decode(encode(all, noise), 0, 1000), noise);
  EXPECT_LT(encode(make({optional}), Buffer(1000), 0).size(), 100u);
}

}  // namespace
}  // namespace filigree::filter
