// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/sections.hpp"

#include <gmock/gmock.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "testing/hex.hpp"

namespace filigree::chunk {
namespace {

using filigree::testing::from_hex;
using filigree::testing::to_hex;
using ::testing::HasSubstr;

constexpr std::uint64_t plenty = 1'000'000;
const filter::FilterSpec deflate{1, "deflate", false, {6}};
const filter::FilterSpec unknown{32767, "nobody's", true, {}};
const filter::FilterSpec fletcher32{3, "fletcher32", false, {}};

filter::Pipeline pipeline(std::vector<filter::FilterSpec> specs) {
  return filter::Pipeline(specs, filter::ElementLayout{4, 0});
}

/// Section 0 is checked, section 1 is not, section 2 is.
Sections make(std::vector<filter::FilterSpec> first = {}, std::vector<filter::FilterSpec> second = {},
              std::vector<filter::FilterSpec> third = {}, bool filter_partial_edges = true) {
  std::vector<SectionRule> rules(3);
  rules[0] = {pipeline(std::move(first)), true};
  rules[1] = {pipeline(std::move(second)), false};
  rules[2] = {pipeline(std::move(third)), true};
  return {std::move(rules), filter_partial_edges};
}

std::vector<Buffer> unpack(const Sections& sections, const StoredChunk& chunk,
                           ChunkEdge edge = ChunkEdge::full) {
  std::vector<Buffer> contents;
  for (std::size_t i = 0; i < sections.count(); ++i) {
    const space::Run run = sections.extent(i, chunk.info, chunk.bytes.size());
    contents.push_back(
        sections.unpack(i, Bytes(chunk.bytes).subspan(run.start, run.length), chunk.info, edge, plenty));
    EXPECT_EQ(sections.content_bytes(i, chunk.info, chunk.bytes.size(), edge), contents.back().size());
  }
  return contents;
}

StoredChunk pack(const Sections& sections, const std::vector<Buffer>& contents,
                 ChunkEdge edge = ChunkEdge::full) {
  return sections.pack(std::vector<Bytes>(contents.begin(), contents.end()), edge);
}

const std::vector<Buffer> sample{from_hex("61"), from_hex("200*05"), from_hex("70*01 02 70*03")};

TEST(Sections, AreContiguousWithTheirSums) {
  const Sections sections = make();
  const StoredChunk chunk = pack(sections, {from_hex("61"), from_hex("0102"), from_hex("61")});
  // The sum of "a" is known.
  EXPECT_EQ(to_hex(chunk.bytes), to_hex(from_hex("61 0887d658 | 0102 | 61 0887d658")));
  EXPECT_EQ(chunk.info.sections.count, 3);
  EXPECT_EQ(chunk.info.sections.offsets, (std::array<std::uint64_t, 3>{0, 5, 7}));
  EXPECT_EQ(chunk.info.sections.unfiltered_bytes, (std::array<std::uint64_t, 3>{}));
  EXPECT_EQ(unpack(sections, chunk)[2], from_hex("61"));
}

TEST(Sections, ComeBackThroughTheirOwnFilters) {
  for (const Sections& sections : {make({deflate}), make({}, {deflate, fletcher32}),
                                   make({fletcher32}, {deflate}, {deflate}), make({}, {}, {fletcher32})}) {
    const StoredChunk chunk = pack(sections, sample);
    EXPECT_TRUE(sections.filtered());
    EXPECT_EQ(chunk.info.sections.unfiltered_bytes, (std::array<std::uint64_t, 3>{5, 200, 145}));
    EXPECT_EQ(unpack(sections, chunk), sample);
  }
  EXPECT_LT(pack(make({}, {deflate}, {deflate}), sample).bytes.size(), 100u);
}

TEST(Sections, RememberWhichFiltersWereSkipped) {
  const Sections sections = make({unknown}, {deflate, unknown});
  const StoredChunk chunk = pack(sections, sample);
  EXPECT_EQ(chunk.info.sections.filter_masks, (std::array<std::uint32_t, 3>{1, 2, 0}));
  EXPECT_EQ(chunk.info.sections.offsets[1], 5u);
  EXPECT_EQ(unpack(sections, chunk), sample);
}

TEST(Sections, ThatAreEmptyTakeNothing) {
  const Sections sections = make({deflate}, {deflate}, {deflate});
  const StoredChunk chunk = pack(sections, {sample[0], {}, {}});
  EXPECT_EQ(chunk.info.sections.unfiltered_bytes, (std::array<std::uint64_t, 3>{5, 0, 0}));
  EXPECT_EQ(chunk.info.sections.filter_masks, (std::array<std::uint32_t, 3>{}));
  EXPECT_EQ(chunk.info.sections.offsets[1], chunk.bytes.size());
  EXPECT_EQ(chunk.info.sections.offsets[2], chunk.bytes.size());
  EXPECT_EQ(unpack(sections, chunk), (std::vector<Buffer>{sample[0], {}, {}}));
}

TEST(Sections, OfNothingButASumAreTolerated) {
  const Sections sections = make();
  const Buffer stored = from_hex("efbeadde");
  EXPECT_EQ(sections.unpack(2, stored, {}, ChunkEdge::full, plenty), Buffer());
}

TEST(Sections, OfPartialEdgeChunksMayStayUnfiltered) {
  const Sections sections = make({deflate}, {deflate}, {deflate}, false);
  const StoredChunk chunk = pack(sections, sample, ChunkEdge::partial);
  EXPECT_EQ(chunk.bytes.size(), 5u + 200 + 145);
  EXPECT_EQ(chunk.info.sections.unfiltered_bytes, (std::array<std::uint64_t, 3>{5, 200, 145}));
  EXPECT_EQ(chunk.info.sections.filter_masks, (std::array<std::uint32_t, 3>{}));
  EXPECT_EQ(unpack(sections, chunk, ChunkEdge::partial), sample);
  EXPECT_EQ(unpack(sections, pack(sections, sample, ChunkEdge::full), ChunkEdge::full), sample);
}

TEST(Sections, RefuseTablesThatLie) {
  const Sections sections = make();
  StoredChunkInfo info;
  const auto refused = [&](std::size_t count, std::array<std::uint64_t, 3> offsets) {
    info.sections.count = static_cast<std::uint8_t>(count);
    info.sections.offsets = offsets;
    for (std::size_t i = 0; i < 3; ++i) {
      try {
        sections.extent(i, info, 20);
        return false;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::corrupt);
      }
    }
    return true;
  };
  EXPECT_FALSE(refused(3, {0, 20, 20}));
  EXPECT_TRUE(refused(2, {0, 5, 0}));
  EXPECT_TRUE(refused(3, {1, 5, 9}));
  EXPECT_TRUE(refused(3, {0, 5, 4}));
  EXPECT_TRUE(refused(3, {0, 5, 21}));
  EXPECT_TRUE(refused(3, {0, ~std::uint64_t{0}, 21}));
}

TEST(Sections, NeverDecodeToMoreThanMakesSense) {
  const Sections sections = make({}, {deflate});
  StoredChunk chunk = pack(sections, sample);
  const space::Run run = sections.extent(1, chunk.info, chunk.bytes.size());
  const Bytes stored = Bytes(chunk.bytes).subspan(run.start, run.length);
  EXPECT_NO_THROW(sections.unpack(1, stored, chunk.info, ChunkEdge::full, 200));
  EXPECT_THROW(sections.unpack(1, stored, chunk.info, ChunkEdge::full, 199), Error);
  for (const std::uint64_t declared : {std::uint64_t{0}, std::uint64_t{199}, std::uint64_t{201},
                                       std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    chunk.info.sections.unfiltered_bytes[1] = declared;
    EXPECT_THROW(sections.unpack(1, stored, chunk.info, ChunkEdge::full, ~std::uint64_t{0}), Error)
        << declared;
  }
}

TEST(Sections, NoticeEveryFlippedBitOfWhatIsChecked) {
  const Sections sections = make({}, {}, {deflate});
  const StoredChunk chunk = pack(sections, sample);
  for (const std::size_t section : {0, 2}) {
    const space::Run run = sections.extent(section, chunk.info, chunk.bytes.size());
    const auto begin = chunk.bytes.begin() + static_cast<std::ptrdiff_t>(run.start);
    for (std::size_t kept = 1; kept < run.length; ++kept)
      EXPECT_THROW(sections.unpack(section, Buffer(begin, begin + static_cast<std::ptrdiff_t>(kept)),
                                   chunk.info, ChunkEdge::full, plenty),
                   Error);
    for (std::size_t bit = 0; bit < run.length * 8; ++bit) {
      Buffer bytes(begin, begin + static_cast<std::ptrdiff_t>(run.length));
      bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      try {
        // Bits of a zlib stream that mean nothing may change.
        EXPECT_EQ(sections.unpack(section, bytes, chunk.info, ChunkEdge::full, plenty), sample[section]);
        EXPECT_EQ(section, 2u);
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("section"));
      }
    }
  }
}

const auto any_size = [](std::size_t, Bytes) { return SectionSize{plenty, false}; };

RawSection raw(const Sections& sections, std::size_t section, const StoredChunk& chunk,
               ChunkEdge edge = ChunkEdge::full) {
  const space::Run run = sections.extent(section, chunk.info, chunk.bytes.size());
  return sections.raw(
      section, {Bytes(chunk.bytes).subspan(run.start, run.length), chunk.info, edge, chunk.bytes.size()},
      {plenty});
}

TEST(Sections, AreGivenAndTakenBack) {
  for (const ChunkEdge edge : {ChunkEdge::full, ChunkEdge::partial}) {
    for (const Sections& sections : {make(), make({deflate}), make({unknown}, {deflate, unknown}),
                                     make({deflate, fletcher32}, {fletcher32}, {deflate}, false)}) {
      const StoredChunk chunk = pack(sections, sample, edge);
      std::vector<RawSection> given;
      for (std::size_t i = 0; i < 3; ++i) {
        given.push_back(raw(sections, i, chunk, edge));
        const auto facts = sections.raw_facts(i, chunk.info, chunk.bytes.size(), edge);
        if (!sections.is_recoded(i, chunk.info, edge)) {
          EXPECT_EQ(facts.bytes, given[i].bytes.size());
        }
        EXPECT_EQ(facts.original_bytes, sample[i].size());
        EXPECT_EQ(given[i].original_bytes, sample[i].size());
        EXPECT_EQ(facts.filter_mask, given[i].filter_mask);
      }
      const StoredChunk again = sections.assemble(given, edge, any_size);
      EXPECT_EQ(again.bytes, chunk.bytes);
      EXPECT_EQ(again.info.sections, chunk.info.sections);
      // Sizes that are not known are found.
      for (RawSection& section : given) section.original_bytes = 0;
      const StoredChunk unsized = sections.assemble(given, edge, any_size);
      EXPECT_EQ(unsized.bytes, chunk.bytes);
      EXPECT_EQ(unsized.info.sections, chunk.info.sections);
    }
  }
}

TEST(Sections, AreGivenWithoutTheirSumsEvenIfFiltered) {
  const Sections sections = make({deflate});
  const StoredChunk chunk = pack(sections, sample);
  const RawSection first = raw(sections, 0, chunk);
  EXPECT_EQ(pipeline({deflate}).decode(first.bytes, 0, 1), sample[0]);
  EXPECT_EQ(first.original_bytes, 1u);
  EXPECT_EQ(raw(sections, 2, chunk).bytes.size(), 141u);
  const std::vector<RawSection> unfiltered{{sample[0], 1}, {sample[1]}, {sample[2]}};
  const StoredChunk skipped = sections.assemble(unfiltered, ChunkEdge::full, any_size);
  EXPECT_EQ(to_hex(Bytes(skipped.bytes).first(5)), to_hex(from_hex("61 0887d658")));
  EXPECT_EQ(skipped.info.sections.filter_masks[0], 1u);
  EXPECT_EQ(skipped.info.sections.unfiltered_bytes, (std::array<std::uint64_t, 3>{5, 200, 145}));
  EXPECT_EQ(unpack(sections, skipped), sample);
  StoredChunk damaged = skipped;
  damaged.bytes[0] ^= std::byte{1};
  EXPECT_THROW(raw(sections, 0, damaged), Error);
}

TEST(Sections, OfAKnownSizeAreNotDecodedForIt) {
  const Sections sections = make({}, {unknown});
  const std::vector<RawSection> given{{sample[0]}, {sample[1]}, {sample[2]}};
  const auto exact = [](std::size_t, Bytes first) {
    EXPECT_EQ(to_hex(first), to_hex(sample[0]));
    return SectionSize{800, true};
  };
  EXPECT_EQ(sections.assemble(given, ChunkEdge::full, exact).info.sections.unfiltered_bytes[1], 800u);
  EXPECT_THROW(sections.assemble(given, ChunkEdge::full, any_size), Error);
}

TEST(Sections, AreDecodableWhereNoFilterIsMissing) {
  const Sections sections = make({unknown}, {deflate});
  StoredChunkInfo info;
  info.sections.count = 3;
  EXPECT_FALSE(sections.decodable(info, ChunkEdge::full));
  info.sections.filter_masks[0] = 1;
  EXPECT_TRUE(sections.decodable(info, ChunkEdge::full));
}

TEST(Sections, AreOneToThree) {
  EXPECT_THROW(Sections({}, true), Error);
  EXPECT_THROW(Sections(std::vector<SectionRule>(4), true), Error);
}

}  // namespace
}  // namespace filigree::chunk
