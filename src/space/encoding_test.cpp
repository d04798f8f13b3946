// SPDX-License-Identifier: Apache-2.0
#include "space/encoding.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/codec/codec.hpp"
#include "testing/hex.hpp"

namespace filigree::space {
namespace {

using filigree::testing::from_hex;
using filigree::testing::to_hex;
using format::DataspaceKind;
using format::DataspaceMessage;
using format::EncodedSelection;
using format::SelectionType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t giant = std::uint64_t{1} << 33;
constexpr Release every_release[] = {Release::earliest, Release::v18, Release::v110, Release::v112,
                                     Release::v114};

Buffer bytes_of(const EncodedSelection& encoded) { return format::encode(encoded, {}); }

DecodedSelection decoded(const EncodedSelection& encoded, const Frame& frame) {
  const Buffer bytes = bytes_of(encoded);
  DecodedSelection back = decode_selection(bytes, frame);
  EXPECT_EQ(back.bytes, bytes.size());
  return back;
}

/// The kind of the Error; `internal` if there is none.
template <class Work>
ErrorKind refusal(Work work, const std::string& text = "") {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr(text));
    return error.kind();
  }
  return ErrorKind::internal;
}

ErrorKind refusal(std::string_view hex, std::vector<std::uint64_t> dims, const std::string& text) {
  return refusal([&] { decode_selection(from_hex(hex), Frame(std::move(dims))); }, text);
}

Selection box_of(const Frame& frame, std::uint64_t row, std::uint64_t rows, std::uint64_t column,
                 std::uint64_t columns) {
  return Selection::regular(frame, {{row, 1, 1, rows}, {column, 1, 1, columns}});
}

// Random selections.

Frame some_frame() {
  std::vector<std::uint64_t> dims;
  const unsigned rank = *rc::gen::inRange(1u, 6u);
  for (unsigned d = 0; d < rank; ++d) dims.push_back(*rc::gen::inRange(1u, 8u));
  return Frame(std::move(dims));
}

Selection some_slab(const Frame& frame) {
  std::vector<SlabDimension> dims;
  for (const std::uint64_t extent : frame.dims()) {
    SlabDimension d;
    d.start = *rc::gen::inRange<std::uint64_t>(0, extent);
    d.block = *rc::gen::inRange<std::uint64_t>(1, extent - d.start + 1);
    d.stride = d.block + *rc::gen::inRange<std::uint64_t>(0, 3);
    d.count = 1 + *rc::gen::inRange<std::uint64_t>(0, (extent - d.start - d.block) / d.stride + 1);
    dims.push_back(d);
  }
  return Selection::regular(frame, std::move(dims));
}

Selection some_set(const Frame& frame) {
  Selection set = some_slab(frame);
  for (unsigned more = *rc::gen::inRange(0u, 4u); more > 0; --more)
    set = combine(set, *rc::gen::element(SetOperator::unite, SetOperator::differ), some_slab(frame));
  return set;
}

Selection some_points(const Frame& frame) {
  return Selection::of_points(frame, *rc::gen::container<std::vector<std::uint64_t>>(
                                         rc::gen::inRange<std::uint64_t>(0, frame.elements())));
}

RC_GTEST_PROP(SelectionEncoding, RestoresASetInEveryVersion, ()) {
  const Selection set = some_set(some_frame());
  for (const Release low : every_release) {
    const Selection back = decoded(hdf5_encoding(set, {low, Release::latest}), set.frame()).selection;
    RC_ASSERT(back.is_set());
    RC_ASSERT(same_elements(back, set));
  }
}

RC_GTEST_PROP(SelectionEncoding, RestoresPointsInTheirOrder, ()) {
  const Selection points = some_points(some_frame());
  for (const Release low : every_release) {
    const Selection back = decoded(hdf5_encoding(points, {low, Release::latest}), points.frame()).selection;
    RC_ASSERT(same_elements(back, points));
  }
}

/// The offsets of the elements in the order in which they are visited.
std::vector<std::uint64_t> order_of(const Selection& selection) {
  if (!selection.is_set()) return {selection.points().begin(), selection.points().end()};
  std::vector<std::uint64_t> order;
  const RunSet runs = selection.runs();
  for (std::size_t i = 0; i < runs.runs(); ++i)
    for (std::uint64_t at = runs.run(i).start; at < runs.run(i).end(); ++at) order.push_back(at);
  return order;
}

RC_GTEST_PROP(SelectionEncoding, SmallestIsNoLargerThanOthersAndHasTheSameElements, ()) {
  const Frame frame = some_frame();
  const Selection selection = *rc::gen::arbitrary<bool>() ? some_set(frame) : some_points(frame);
  const EncodedSelection smallest = smallest_encoding(selection);
  RC_ASSERT(order_of(decoded(smallest, frame).selection) == order_of(selection));
  const Selection listed = Selection::of_points(frame, order_of(selection));
  for (const Release low : every_release) {
    for (const Selection& other : {selection, listed})
      RC_ASSERT(bytes_of(smallest).size() <= bytes_of(hdf5_encoding(other, {low, Release::latest})).size());
  }
}

RC_GTEST_PROP(DefinedElements, AreRestoredAsRuns, ()) {
  const Selection set = some_set(some_frame());
  for (const DefinedEncoding form :
       {DefinedEncoding::standard, DefinedEncoding::compact, DefinedEncoding::smallest}) {
    const Buffer bytes = encode_defined(set.frame(), set.runs(), form);
    RC_ASSERT(decode_defined(bytes, set.frame()).runs() == set.runs());
  }
}

// The worked example of docs/format/structured-chunks.md: rows 3 and 4, columns 2 to 4 of a chunk of 5 x 5.

TEST(DefinedElements, EncodeToTheWorkedExample) {
  const Frame chunk({5, 5});
  const RunSet defined = box_of(chunk, 3, 2, 2, 3).runs();
  const Buffer standard = encode_defined(chunk, defined, DefinedEncoding::standard);
  EXPECT_EQ(to_hex(standard),
            to_hex(from_hex("01 00 08 28000000 | 01 02 01 5*00 05 7*00 05 7*00 05 7*00 05 7*00 |"
                            "02000000 01000000 00000000 18000000 02000000 01000000 |"
                            "03000000 02000000 04000000 04000000")));
  EXPECT_EQ(lookup3(standard), 0x54995ffau);
  const Buffer compact = encode_defined(chunk, defined, DefinedEncoding::compact);
  EXPECT_EQ(to_hex(compact), to_hex(from_hex("01 00 08 14000000 | 02 02 00 01 05 7*00 05 7*00 |"
                                             "02000000 03000000 01 02 02000000 |"
                                             "0300 0100 0100 0200  0200 0100 0100 0300")));
  EXPECT_EQ(lookup3(compact), 0x5002d6d4u);
}

TEST(DefinedElements, EncodeScatteredElementsAsPoints) {
  const Frame chunk({5, 70000});
  const RunSet defined = RunSet::of_offsets({3, 70008, 210001});
  EXPECT_EQ(to_hex(encode_defined(chunk, defined, DefinedEncoding::smallest)),
            to_hex(from_hex("01 00 04 0c000000 | 02 02 00 01 05000000 70110100 |"
                            "01000000 02000000 02 02000000 0300 0000 0300 0100 0800 0300 0100")));
  // A full chunk is encoded as its extent alone.
  EXPECT_EQ(to_hex(encode_defined(Frame({5, 5}), RunSet({0, 25}), DefinedEncoding::smallest)),
            to_hex(from_hex("01 00 02 08000000 | 02 02 00 01 0500 0500 | 03000000 01000000 8*00")));
}

TEST(DefinedElements, OfAFullChunkNeedNoList) {
  const Frame chunk({5, 5});
  const Buffer bytes = encode_defined(chunk, RunSet({0, 25}), DefinedEncoding::standard);
  EXPECT_EQ(bytes.size(), 7u + 40 + 16);
  EXPECT_EQ(decode_defined(bytes, chunk).kind(), Selection::Kind::all);
}

TEST(DefinedElements, RequireTheExtentOfTheChunk) {
  const Buffer bytes = encode_defined(Frame({5, 5}), RunSet({3, 2}), DefinedEncoding::compact);
  EXPECT_EQ(refusal([&] { decode_defined(bytes, Frame({5, 6})); }, "(5, 5)"), ErrorKind::corrupt);
}

TEST(DefinedElements, MayBeManyBlocks) {
  const Frame chunk({700, 600});
  RunSetWriter writer(100'000);
  for (std::uint64_t i = 0; i < 100'000; ++i) writer.add({4 * i + i % 2, 1 + i % 3 / 2});
  const RunSet defined = writer.finish();
  for (const DefinedEncoding form : {DefinedEncoding::standard, DefinedEncoding::compact})
    EXPECT_EQ(decode_defined(encode_defined(chunk, defined, form), chunk).runs(), defined);
}

// The versions that HDF5 writes.

TEST(Hdf5Encoding, ChoosesTheVersionOfPointsByBoundAndSize) {
  const Frame frame({2 * giant});
  const auto version = [&](std::uint64_t at, Release low) {
    return hdf5_encoding(Selection::of_points(frame, {at, 3}), {low, Release::latest}).version;
  };
  EXPECT_EQ(version(0xffffffff, Release::earliest), 1u);
  EXPECT_EQ(version(0xffffffff, Release::v110), 1u);
  EXPECT_EQ(version(1, Release::v112), 2u);
  EXPECT_EQ(version(0x100000000, Release::earliest), 2u);
}

struct VersionCase {
  Selection selection;
  std::uint32_t earliest, v110, v112;
};

TEST(Hdf5Encoding, ChoosesTheVersionOfHyperslabsByBoundSizeAndRegularity) {
  const Frame frame({2 * giant});
  const auto comb = [&](std::uint64_t start, std::uint64_t count) {
    return Selection::regular(frame, {{start, 3, count, 2}});
  };
  const auto irregular = [&](std::uint64_t start) {
    return combine(comb(start, 3), SetOperator::unite, comb(start + 50, 1));
  };
  const VersionCase cases[] = {
      {comb(0, 3), 1, 1, 3},
      {comb(0, 4), 1, 2, 3},
      {irregular(0), 1, 1, 3},
      {comb(giant, 2), 2, 2, 3},
      {irregular(giant), 3, 3, 3},
      // A regular set is recognised however it was created.
      {combine(comb(0, 3), SetOperator::unite, comb(9, 1)), 1, 2, 3},
      {combine(comb(giant, 1), SetOperator::unite, comb(giant + 2, 1)), 2, 2, 3},
  };
  for (const VersionCase& c : cases) {
    EXPECT_EQ(hdf5_encoding(c.selection, {Release::earliest, Release::latest}).version, c.earliest);
    EXPECT_EQ(hdf5_encoding(c.selection, {Release::v18, Release::latest}).version, c.earliest);
    EXPECT_EQ(hdf5_encoding(c.selection, {Release::v110, Release::latest}).version, c.v110);
    EXPECT_EQ(hdf5_encoding(c.selection, {Release::v112, Release::latest}).version, c.v112);
    EXPECT_TRUE(same_elements(decoded(hdf5_encoding(c.selection), frame).selection, c.selection));
  }
}

TEST(Hdf5Encoding, RejectsWhatTheNewestReleaseCannotRead) {
  const Frame frame({2 * giant});
  const auto refused = [](const Selection& selection, Release low, Release high) {
    return refusal([&] { hdf5_encoding(selection, {low, high}); }) == ErrorKind::limit;
  };
  const Selection regular = Selection::regular(frame, {{giant, 3, 4, 2}});
  EXPECT_TRUE(refused(regular, Release::earliest, Release::v18));
  EXPECT_FALSE(refused(regular, Release::earliest, Release::v110));
  const Selection irregular = combine(regular, SetOperator::unite, Selection::regular(frame, {{0, 1, 1, 1}}));
  EXPECT_TRUE(refused(irregular, Release::earliest, Release::v110));
  EXPECT_FALSE(refused(irregular, Release::earliest, Release::v112));
  const Selection points = Selection::of_points(frame, {giant});
  EXPECT_TRUE(refused(points, Release::earliest, Release::v110));
  EXPECT_FALSE(refused(points, Release::earliest, Release::v112));
}

TEST(Hdf5Encoding, RejectsTooManyBlocksForVersion1BeforeListingThem) {
  const Frame frame({std::uint64_t{1} << 31});
  const Selection comb = Selection::regular(frame, {{0, 2, std::uint64_t{1} << 30, 1}});
  EXPECT_EQ(refusal([&] { hdf5_encoding(comb); }), ErrorKind::limit);
  EXPECT_EQ(hdf5_encoding(comb, {Release::v110, Release::latest}).version, 2u);
}

TEST(Hdf5Encoding, ChoosesNumbersThatKeepAllOnesForUnlimited) {
  const Frame frame({1 << 20});
  const auto width = [&](SlabDimension d) {
    return hdf5_encoding(Selection::regular(frame, {d}), {Release::v112, Release::latest}).number_bytes;
  };
  EXPECT_EQ(width({65535, 1, 1, 65534}), 2);
  EXPECT_EQ(width({65535, 1, 1, 65535}), 4);
  EXPECT_EQ(width({65536, 1, 1, 1}), 4);
}

// Unlimited hyperslabs.

TEST(UnlimitedEncoding, KeepsTheDimensionsAndSelectsNothing) {
  const UnlimitedSlab slab({{1, 3, unlimited, 2}, {0, 1, 1, 6}});
  for (const Release low : {Release::earliest, Release::v112}) {
    const auto back = decoded(hdf5_encoding(slab, {low, Release::latest}), Frame({5, 6}));
    ASSERT_TRUE(back.unlimited);
    EXPECT_EQ(*back.unlimited, slab);
    EXPECT_EQ(back.selection.elements(), 0u);
  }
  EXPECT_EQ(refusal([&] { hdf5_encoding(slab, {Release::earliest, Release::v18}); }), ErrorKind::limit);
}

TEST(UnlimitedEncoding, RejectsInvalidArguments) {
  const auto refused = [](const std::vector<SlabDimension>& slab) {
    EncodedSelection written;
    written.type = SelectionType::hyperslab;
    written.version = 2;
    written.rank = static_cast<std::uint8_t>(slab.size());
    written.regular = true;
    for (const auto& d : slab) written.slab.push_back({d.start, d.stride, d.count, d.block});
    const Buffer bytes = bytes_of(written);
    return refusal([&] { decode_selection(bytes, Frame(std::vector<std::uint64_t>(slab.size(), 9))); }) ==
           ErrorKind::corrupt;
  };
  EXPECT_FALSE(refused({{1, 1, 1, unlimited}, {0, 2, 3, 2}}));
  EXPECT_TRUE(refused({{1, 1, unlimited, unlimited}}));
  EXPECT_TRUE(refused({{1, 1, 2, unlimited}}));
  EXPECT_TRUE(refused({{1, 1, unlimited, 2}}));
  EXPECT_TRUE(refused({{1, 0, 1, unlimited}}));
  EXPECT_TRUE(refused({{1, 1, 1, unlimited}, {0, 1, unlimited, 1}}));
  EXPECT_TRUE(refused({{1, 1, 1, unlimited}, {8, 1, 1, 2}}));
}

// Encodings that other writers may produce.

TEST(SelectionDecoding, UnitesBlocksThatOverlapInAnyOrder) {
  const Selection s =
      decode_selection(from_hex("02000000 03000000 00 02 02000000 0300"
                                "0200 0100 0300 0200  0100 0000 0200 0100  0300 0300 0300 0300"),
                       Frame({5, 4}))
          .selection;
  EXPECT_EQ(s.elements(), 8u);
  EXPECT_EQ(s.kind(), Selection::Kind::runs);
  EXPECT_THAT(s.runs().edges(), ElementsAre(4, 6, 8, 11, 13, 16));
}

TEST(SelectionDecoding, JoinsTheRowsOfAFullWidthBlock) {
  const Selection s = decode_selection(from_hex("02000000 03000000 00 02 03000000 0200"
                                                "0100 0000 0000 0200 0300 0400"
                                                "0000 0100 0000 0000 0100 0400"),
                                       Frame({3, 4, 5}))
                          .selection;
  EXPECT_THAT(s.runs().edges(), ElementsAre(5, 10, 20, 60));
}

TEST(SelectionDecoding, NamesElementsOutsideOfTheExtent) {
  constexpr auto corrupt = ErrorKind::corrupt;
  EXPECT_EQ(refusal("01000000 02000000 02 02000000 0200 0300 0200 0000 0500", {5, 5},
                    "element 1 reaches 5 in dimension 1"),
            corrupt);
  EXPECT_EQ(refusal("02000000 03000000 00 02 01000000 0200 0000 0100 0300 0500", {5},
                    "box 1 reaches 5 in dimension 0"),
            corrupt);
  EXPECT_EQ(refusal("02000000 03000000 00 02 01000000 0200 0000 0100 0300 0200", {5}, "from 3 back to 2"),
            corrupt);
  EXPECT_EQ(refusal("02000000 03000000 01 02 01000000 0300 0100 0100 0300", {5}, "dimension 0"), corrupt);
  EXPECT_EQ(refusal("02000000 03000000 01 02 01000000 0000 0000 0100 0300", {5}, "stride"), corrupt);
  EXPECT_EQ(refusal("02000000 03000000 01 02 01000000 0000 0100 0200 0200", {5}, "overlap"), corrupt);
  EXPECT_EQ(refusal("02000000 03000000 01 02 01000000 0000 0100 0100 0100", {5, 5}, "1 dimensions"), corrupt);
  EXPECT_EQ(refusal("01000000 02000000 02 01000000 0100 0000", {}, "1 dimensions"), corrupt);
}

TEST(SelectionDecoding, DecodesEmptyListsToAnEmptySelection) {
  for (const char* hex : {"01000000 02000000 02 01000000 0000", "02000000 03000000 00 02 01000000 0000",
                          "02000000 03000000 01 02 01000000 0000 0100 0000 0100"}) {
    EXPECT_EQ(decode_selection(from_hex(hex), Frame({5})).selection.kind(), Selection::Kind::none) << hex;
  }
}

TEST(SelectionDecoding, RejectsBlocksOfMoreRunsThanTheLimit) {
  // Two columns of a frame of 2^40 rows.
  const Buffer bytes = from_hex(
      "02000000 03000000 00 08 02000000 02 7*00 "
      "8*00 8*00  5*ff 3*00 8*00   8*00 02 7*00  5*ff 3*00 02 7*00");
  const Frame frame({std::uint64_t{1} << 40, 3});
  EXPECT_EQ(refusal([&] { decode_selection(bytes, frame); }, "rows"), ErrorKind::limit);
  // The same column 100 times.
  EncodedSelection many;
  many.type = SelectionType::hyperslab;
  many.version = 3;
  many.rank = 2;
  for (int i = 0; i < 100; ++i) many.coordinates.insert(many.coordinates.end(), {0, 0, 99, 0});
  const auto decode = [&](std::uint64_t runs_at_most) {
    return decode_selection(bytes_of(many), Frame({100, 2}), {runs_at_most, Address::undefined})
        .selection.elements();
  };
  EXPECT_EQ(decode(10'000), 100u);
  EXPECT_EQ(refusal([&] { decode(9'999); }), ErrorKind::limit);
}

TEST(SelectionDecoding, KeepsATallBlockRegular) {
  const Buffer bytes = from_hex("02000000 03000000 00 08 02000000 01 7*00 8*00 8*00  5*ff 3*00 8*00");
  const Selection s = decode_selection(bytes, Frame({std::uint64_t{1} << 40, 3})).selection;
  EXPECT_EQ(s.kind(), Selection::Kind::regular);
  EXPECT_EQ(s.elements(), std::uint64_t{1} << 40);
}

// Encoded dataspaces.

TEST(DataspaceDecoding, UsesTheWidthOfTheDimensions) {
  const char* samples[] = {
      "010008 20000000 01020000 00000000 05 7*00 06 7*00 | 8*00",
      "010004 10000000 01020000 00000000 05000000 06000000 | 00",
      "010002 0c000000 02020101 0500 0600 ffff 0600 | 0000",
      "010002 08000000 02020001 0500 0600 |",
  };
  const Buffer all = from_hex("03000000 01000000 00000000 00000000");
  for (const char* hex : samples) {
    Buffer bytes = from_hex(hex);
    bytes.resize(7 + load_word(bytes.data() + 3, 4));
    bytes.insert(bytes.end(), all.begin(), all.end());
    const std::size_t used = bytes.size();
    bytes.resize(used + 5);
    const DecodedDataspace back = decode_dataspace(bytes);
    EXPECT_EQ(back.bytes, used) << hex;
    EXPECT_THAT(back.extent.dims, ElementsAre(5, 6)) << hex;
    EXPECT_EQ(back.selection.selection.elements(), 30u);
  }
}

// From H5Sencode of HDF5.
TEST(DataspaceEncoding, MatchesTheReferenceForNullAndScalar) {
  for (const char* hex : {"01000804000000 02000002 03000000010000000000000000000000",
                          "01000804000000 02000002 00000000010000000000000000000000",
                          "01000808000000 0100000000000000 03000000010000000000000000000000",
                          "01000808000000 0100000000000000 00000000010000000000000000000000"}) {
    const Buffer bytes = from_hex(hex);
    const DecodedDataspace space = decode_dataspace(bytes);
    const Selection& selection = space.selection.selection;
    EXPECT_EQ(selection.elements(), space.extent.kind == DataspaceKind::scalar && bytes[15] == std::byte{3});
    EXPECT_EQ(to_hex(encode_dataspace(space.extent, hdf5_encoding(selection))), to_hex(bytes));
  }
}

TEST(DataspaceEncoding, SurvivesEveryTruncationAndEveryFlippedBit) {
  const Frame frame({5, 6});
  const Selection irregular =
      combine(box_of(frame, 0, 2, 0, 2), SetOperator::unite, box_of(frame, 3, 2, 3, 2));
  DataspaceMessage extent;
  extent.kind = DataspaceKind::simple;
  extent.dims = frame.dims();
  const Selection points = Selection::of_points(frame, {7, 3});
  for (const EncodedSelection& encoded :
       {hdf5_encoding(irregular), smallest_encoding(irregular), hdf5_encoding(box_of(frame, 1, 2, 3, 3)),
        hdf5_encoding(points), smallest_encoding(points)}) {
    const Buffer bytes = encode_dataspace(extent, encoded);
    for (std::size_t kept = 0; kept < bytes.size(); ++kept) {
      const Buffer cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(kept));
      EXPECT_THROW(decode_dataspace(cut), Error) << kept;
    }
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      Buffer flipped = bytes;
      flipped[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      try {
        const DecodedDataspace back = decode_dataspace(flipped);
        EXPECT_LE(back.bytes, flipped.size());
      } catch (const Error& error) {
        EXPECT_NE(error.kind(), ErrorKind::internal) << error.what();
        EXPECT_NE(error.kind(), ErrorKind::invalid_argument) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace filigree::space
