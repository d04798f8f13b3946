// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/sparse_format.hpp"

#include <malloc.h>

#include <atomic>
#include <map>
#include <numeric>
#include <thread>

#include <gmock/gmock.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "chunk/format/sparse_decoded_chunk.hpp"
#include "format/messages/datatype.hpp"
#include "testing/hex.hpp"

namespace filigree::chunk {
namespace {

using filigree::testing::from_hex;
using filigree::testing::to_hex;
using space::ChunkRun;
using space::Frame;
using space::Run;
using space::RunSet;
using ::testing::ElementsAre;

const filter::FilterSpec deflate{1, "deflate", false, {6}};
const filter::FilterSpec shuffle{2, "shuffle", false, {4}};
const filter::FilterSpec fletcher32{3, "fletcher32", false, {}};
using Specs = std::vector<filter::FilterSpec>;

struct FormatOptions {
  Specs selection{};
  Specs values{};
  bool filter_partial_edges = true;
  space::DefinedEncoding form = space::DefinedEncoding::standard;
  Buffer fill{};
  bool selection_packed = false;
};

/// Of int32.
SparseFormat make(const Frame& chunk, const FormatOptions& options = {}) {
  SparseShape shape;
  shape.chunk = chunk;
  shape.element_bytes = 4;
  shape.fill = options.fill;
  shape.filter_partial_edges = options.filter_partial_edges;
  shape.form = options.form;
  shape.selection_packed = options.selection_packed;
  const filter::ElementLayout layout{4, 0};
  std::vector<SectionRule> rules(2);
  rules[0] = {filter::Pipeline(options.selection, layout), true};
  rules[1] = {filter::Pipeline(options.values, layout), false};
  return {std::move(shape), std::move(rules)};
}

void write(const SparseFormat& format, DecodedChunk& decoded, std::vector<ChunkRun> runs,
           std::vector<int> values) {
  static const type::Context context;
  static const auto conversion = type::prepare(format::fixed_point(4, true), format::fixed_point(4, true));
  format.write(decoded, runs, {*conversion, context, reinterpret_cast<std::byte*>(values.data()), 4});
}

std::vector<int> read(const SparseFormat& format, const DecodedChunk& decoded, std::uint64_t start,
                      std::uint64_t count) {
  static const type::Context context;
  static const auto conversion = type::prepare(format::fixed_point(4, true), format::fixed_point(4, true));
  std::vector<int> values(count, -1);
  const ChunkRun run{0, start, 0, count};
  format.read(decoded, {&run, 1}, {*conversion, context, reinterpret_cast<std::byte*>(values.data()), 4});
  return values;
}

/// What decode_defined() and find_values() need.
StoredChunkView part_of(const SparseFormat& format, const StoredChunk& stored,
                        ChunkEdge edge = ChunkEdge::full) {
  const Run part = format.defined_part(stored.info, stored.bytes.size());
  return {Bytes(stored.bytes).subspan(part.start, part.length), stored.info, edge, stored.bytes.size()};
}

// The worked example of the format reference: rows 3 and 4, columns 2 to 4 of a chunk of 5 x 5.

const Frame example({5, 5});
const std::vector<ChunkRun> example_runs{{0, 17, 0, 3}, {0, 22, 3, 3}};
const std::vector<int> example_values{32, 33, 34, 42, 43, 44};
constexpr std::string_view example_hex =
    "01 00 08 28000000 | 01 02 01 5*00 05 7*00 05 7*00 05 7*00 05 7*00 |"
    "02000000 01000000 00000000 18000000 02000000 01000000 | 03000000 02000000 04000000 04000000 |"
    "fa5f9954 | 20000000 21000000 22000000 2a000000 2b000000 2c000000";

StoredChunkInfo example_info() {
  StoredChunkInfo info;
  info.sections.count = 2;
  info.sections.offsets = {0, 0x5b, 0};
  return info;
}

TEST(SparseChunk, IsThatOfTheWorkedExample) {
  const SparseFormat format = make(example);
  const auto decoded = format.blank();
  write(format, *decoded, example_runs, example_values);
  const StoredChunk stored = format.encode(*decoded, ChunkEdge::full);
  EXPECT_EQ(stored.bytes.size(), 0x73u);
  EXPECT_EQ(to_hex(stored.bytes), to_hex(from_hex(example_hex)));
  EXPECT_EQ(stored.info.sections, example_info().sections);

  const Buffer example_bytes = from_hex(example_hex);
  const auto back = format.decode(view_of(example_bytes, example_info(), ChunkEdge::full));
  EXPECT_EQ(format.defined(*back), RunSet::of_runs({{17, 3}, {22, 3}}));
  EXPECT_THAT(read(format, *back, 15, 10), ElementsAre(0, 0, 32, 33, 34, 0, 0, 42, 43, 44));
  EXPECT_EQ(format.encode(*back, ChunkEdge::full).bytes, stored.bytes);
}

TEST(SparseChunk, IsThatOfTheMatrixInTheRfc) {
  const SparseFormat format = make(Frame({4, 5}));
  const auto decoded = format.blank();
  write(format, *decoded, {{0, 12, 0, 3}, {0, 17, 3, 3}}, {66, 69, 72, 96, 99, 102});
  const StoredChunk stored = format.encode(*decoded, ChunkEdge::full);
  // One block from [2,2] to [3,4], its sum, the values.
  EXPECT_EQ(to_hex(Bytes(stored.bytes).subspan(71, 16)),
            to_hex(from_hex("02000000 02000000 03000000 04000000")));
  EXPECT_EQ(to_hex(Bytes(stored.bytes).subspan(91)),
            to_hex(from_hex("42000000 45000000 48000000 60000000 63000000 66000000")));
}

TEST(SparseChunk, DefinesWhatIsWrittenWhateverItsValue) {
  const SparseFormat format = make(Frame({10}), {{}, {}, true, {}, from_hex("07000000")});
  const auto decoded = format.blank();
  EXPECT_TRUE(format.is_empty(*decoded));
  EXPECT_EQ(read(format, *decoded, 0, 10), std::vector<int>(10, 7));
  write(format, *decoded, {{0, 4, 0, 2}}, {7, 0});
  EXPECT_FALSE(format.is_empty(*decoded));
  EXPECT_EQ(format.defined(*decoded), RunSet({4, 2}));
  EXPECT_THAT(read(format, *decoded, 3, 4), ElementsAre(7, 7, 0, 7));
  // A copy goes its own way.
  const auto other = format.copy(*decoded);
  format.erase(*other, RunSet({0, 10}));
  EXPECT_TRUE(format.is_empty(*other));
  EXPECT_EQ(format.defined(*decoded), RunSet({4, 2}));
}

TEST(SparseChunk, KeepsTheLastOfPointsWrittenTwice) {
  const SparseFormat format = make(Frame({10}));
  const auto decoded = format.blank();
  write(format, *decoded, {{0, 8, 0, 1}, {0, 3, 1, 1}, {0, 8, 2, 1}}, {1, 2, 3});
  EXPECT_THAT(read(format, *decoded, 0, 10), ElementsAre(0, 0, 0, 2, 0, 0, 0, 0, 3, 0));
}

TEST(SparseChunk, TakesElementsOneByOneInAnyOrder) {
  constexpr int count = 6000;
  const SparseFormat format = make(Frame({100'000}));
  const auto decoded = format.blank();
  std::map<std::uint64_t, int> expected;
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::uint64_t>(i) * 7919 % 50'021;
    const std::uint64_t again = i % 3 == 0 ? expected.empty() ? at : expected.begin()->first : at;
    write(format, *decoded, {{0, again, 0, 1}}, {i});
    expected[again] = i;
  }
  const auto copied = format.copy(*decoded);
  for (const DecodedChunk* chunk : {decoded.get(), copied.get()}) {
    EXPECT_EQ(format.defined(*chunk).elements(), expected.size());
    for (const auto& [at, value] : expected) ASSERT_THAT(read(format, *chunk, at, 1), ElementsAre(value));
  }
  const auto stored = format.decode(format.encode(*decoded, ChunkEdge::full).view(ChunkEdge::full));
  Buffer of_stored, of_decoded;
  EXPECT_EQ(to_hex(format.values(*stored, of_stored)), to_hex(format.values(*decoded, of_decoded)));
}

TEST(SparseChunk, MergesElementsOnceForAllReaders) {
  const SparseFormat format = make(Frame({1000}));
  for (int round = 0; round < 50; ++round) {
    const auto decoded = format.blank();
    for (int i = 0; i < 200; ++i) write(format, *decoded, {{0, (i * 37u) % 1000u, 0, 1}}, {i});
    std::atomic<int> wrong = 0;
    std::vector<std::thread> readers;
    for (int t = 0; t < 4; ++t) {
      readers.emplace_back([&, t] {
        for (int i = t; i < 200; ++i)
          if (read(format, *decoded, (i * 37u) % 1000u, 1) != std::vector{i}) ++wrong;
      });
    }
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(wrong, 0);
  }
}

TEST(SparseChunkCost, OfElementsOneByOneIsLinear) {
  const SparseFormat format = make(Frame({1u << 24}));
  const auto decoded = format.blank();
  // Memory follows the elements: the list of collected elements is not larger than what is merged.
  for (int i = 0; i < 20'000; ++i)
    write(format, *decoded, {{0, static_cast<std::uint64_t>(i) * 7919 % (1u << 24), 0, 1}}, {i});
  EXPECT_LT(decoded->memory_bytes(), 20'000u * (16 + 4 + 16 + 4) * 2);
  EXPECT_EQ(format.defined(*decoded).elements(), 20'000u);
}

TEST(SparseChunk, TellsWhatIsReplacedAndShowsWhatItHolds) {
  const SparseFormat format = make(Frame({10}), {{}, {}, true, {}, from_hex("07000000")});
  const auto decoded = format.blank();
  write(format, *decoded, {{0, 2, 0, 1}, {0, 8, 1, 1}}, {1, 2});
  const auto conversion = type::prepare(format::fixed_point(4, true), format::fixed_point(4, true));
  const type::Context context;
  std::vector<std::string> notified;
  const auto tell = [&](Bytes before, Bytes after) {
    notified.push_back(to_hex(before));
    notified.push_back(to_hex(after));
  };
  FunctionRef<void(Bytes, Bytes)> replaced(tell);
  std::vector<int> values{5, 6};
  const ChunkRun run{0, 1, 0, 2};
  format.write(*decoded, {&run, 1},
               {*conversion, context, reinterpret_cast<std::byte*>(values.data()), 4, &replaced});
  // What was not defined had the fill value.
  EXPECT_THAT(notified,
              ElementsAre(to_hex(from_hex("07000000 01000000")), to_hex(from_hex("05000000 06000000"))));
  format.for_each_value(*decoded,
                        FunctionRef<void(MutableBytes)>([](MutableBytes all) { all[8] = std::byte{9}; }));
  std::string seen;
  const DecodedChunk& held = *decoded;
  format.for_each_value(held, FunctionRef<void(Bytes)>([&](Bytes all) { seen = to_hex(all); }));
  EXPECT_EQ(seen, to_hex(from_hex("05000000 06000000 09000000")));
}

TEST(SparseChunk, FillsMembersThatNobodyWrote) {
  const auto compound = [](std::uint32_t size, std::vector<format::CompoundMember> members) {
    format::DatatypeMessage type;
    type.type_class = format::TypeClass::compound;
    type.size = size;
    type.members = std::move(members);
    return type;
  };
  const auto number = format::fixed_point(4, true);
  const auto pair = compound(8, {{"a", 0, {}, 0, number}, {"b", 4, {}, 0, number}});
  const auto single = compound(4, {{"b", 0, {}, 0, number}});
  SparseShape shape;
  shape.chunk = Frame({4});
  shape.element_bytes = 8;
  shape.fill = from_hex("05000000 06000000");
  std::vector<SectionRule> rules(2);
  rules[0].checked = true;
  const SparseFormat format(shape, std::move(rules));
  const auto decoded = format.blank();
  const auto conversion = type::prepare(single, pair);
  const type::Context context;
  int value = 9;
  const ChunkRun run{0, 2, 0, 1};
  format.write(*decoded, {&run, 1}, {*conversion, context, reinterpret_cast<std::byte*>(&value), 4});
  EXPECT_EQ(to_hex(static_cast<const SparseDecodedChunk&>(*decoded).values()),
            to_hex(from_hex("05000000 09000000")));
}

TEST(SparseChunk, ComesBackThroughFiltersOnEachSection) {
  const Frame chunk({64, 64});
  for (const Specs& selection : {Specs{}, Specs{deflate}, Specs{shuffle, deflate}, Specs{fletcher32}}) {
    for (const Specs& values : {Specs{}, Specs{deflate}, Specs{shuffle, deflate, fletcher32}}) {
      for (const ChunkEdge edge : {ChunkEdge::full, ChunkEdge::partial}) {
        const SparseFormat format = make(chunk, {selection, values, false});
        const auto decoded = format.blank();
        for (std::uint64_t i = 0; i < 100; ++i)
          write(format, *decoded, {{0, 37 * i, 0, 2}}, {int(i), -int(i)});
        const StoredChunk stored = format.encode(*decoded, edge);
        const auto back = format.decode(stored.view(edge));
        EXPECT_EQ(format.defined(*back), format.defined(*decoded));
        EXPECT_EQ(read(format, *back, 0, 4096), read(format, *decoded, 0, 4096));
        EXPECT_EQ(format.decode_defined(part_of(format, stored, edge)), format.defined(*decoded));
        EXPECT_EQ(format.finds_values(edge), values.empty() || edge == ChunkEdge::partial);
      }
    }
  }
}

// Values without the rest of their chunk.

std::vector<int> read_through(const SparseFormat& format, const StoredChunk& stored, const RunSet& wanted) {
  const StoredValues found = format.find_values(part_of(format, stored), wanted);
  Buffer values;
  for (const Run& run : found.bytes) {
    const Bytes bytes = Bytes(stored.bytes).subspan(run.start, run.length);
    values.insert(values.end(), bytes.begin(), bytes.end());
  }
  const auto decoded = format.assemble(found, std::move(values));
  std::vector<int> result;
  for (std::size_t i = 0; i < wanted.runs(); ++i) {
    const auto part = read(format, *decoded, wanted.run(i).start, wanted.run(i).length);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

TEST(SparseChunk, GivesValuesByRange) {
  const SparseFormat format = make(Frame({1000}), {{deflate}, {}});
  const auto decoded = format.blank();
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 1);
  write(format, *decoded, {{0, 100, 0, 50}, {0, 300, 50, 50}}, numbers);
  const StoredChunk stored = format.encode(*decoded, ChunkEdge::full);
  EXPECT_THAT(read_through(format, stored, RunSet::of_runs({{98, 4}, {348, 4}})),
              ElementsAre(0, 0, 1, 2, 99, 100, 0, 0));
  const std::uint64_t base = stored.info.sections.offsets[1];
  const auto found = [&](space::Run wanted) {
    return format.find_values(part_of(format, stored), RunSet(wanted)).bytes;
  };
  // What is stored together is one range.
  EXPECT_THAT(found({149, 152}), ElementsAre(space::Run{base + 49 * 4, 8}));
  EXPECT_THAT(found({150, 150}), ElementsAre());
}

/// A chunk of four values whose section 0 has this selection; the extent is (8).
StoredChunk of_selection(std::string_view selection, std::string_view values) {
  StoredChunk stored;
  stored.bytes = from_hex("01 00 08 0c000000 | 02 01 00 01 08 7*00");
  const Buffer tail = from_hex(selection);
  stored.bytes.insert(stored.bytes.end(), tail.begin(), tail.end());
  const std::uint32_t sum = lookup3(stored.bytes);
  stored.bytes.resize(stored.bytes.size() + 4);
  store_word(stored.bytes.data() + stored.bytes.size() - 4, sum, 4);
  stored.info.sections.count = 2;
  stored.info.sections.offsets[1] = stored.bytes.size();
  const Buffer numbers = from_hex(values);
  stored.bytes.insert(stored.bytes.end(), numbers.begin(), numbers.end());
  return stored;
}

TEST(SparseChunk, OfPointsHasValuesInTheOrderOfTheList) {
  const SparseFormat format = make(Frame({8}));
  // 6, 2, 6, 3: the last value of 6 counts.
  const StoredChunk stored = of_selection("01000000 02000000 02 01000000 0400 0600 0200 0600 0300",
                                          "01000000 02000000 03000000 04000000");
  const auto decoded = format.decode(stored.view(ChunkEdge::full));
  EXPECT_THAT(read(format, *decoded, 0, 8), ElementsAre(0, 0, 2, 4, 0, 0, 3, 0));
  EXPECT_EQ(read_through(format, stored, RunSet({0, 8})), read(format, *decoded, 0, 8));
  // In ascending order they are a set like any other.
  const StoredChunk sorted =
      of_selection("01000000 02000000 02 01000000 0200 0200 0300", "01000000 02000000");
  EXPECT_THAT(read(format, *format.decode(sorted.view(ChunkEdge::full)), 0, 5), ElementsAre(0, 0, 1, 2, 0));
}

TEST(SparseChunk, MayLeaveItsSelectionOutWhenAllIsDefined) {
  const SparseFormat format = make(Frame({2}));
  StoredChunkInfo info;
  info.sections.count = 2;
  const Buffer values = from_hex("01000000 02000000");
  EXPECT_THAT(read(format, *format.decode(view_of(values, info, ChunkEdge::full)), 0, 2), ElementsAre(1, 2));
  EXPECT_THROW(format.decode(view_of(Bytes(values).first(4), info, ChunkEdge::full)), Error);
  EXPECT_THROW(format.decode(view_of({}, info, ChunkEdge::full)), Error);
}

TEST(SparseChunk, RefusesWhatContradictsItself) {
  const SparseFormat format = make(Frame({8}));
  const auto refusal = [&](const StoredChunk& stored) {
    try {
      format.decode(stored.view(ChunkEdge::full));
    } catch (const Error& error) {
      EXPECT_THROW(format.decode_defined(part_of(format, stored)), Error);
      return error.kind();
    }
    return ErrorKind::internal;
  };
  constexpr std::string_view all = "03000000 01000000 00000000 00000000";
  constexpr std::string_view none = "00000000 01000000 00000000 00000000";
  EXPECT_EQ(refusal(of_selection(all, "32*01")), ErrorKind::internal);
  EXPECT_EQ(refusal(of_selection(all, "31*01")), ErrorKind::corrupt);
  EXPECT_EQ(refusal(of_selection(all, "36*01")), ErrorKind::corrupt);
  EXPECT_EQ(refusal(of_selection(none, "")), ErrorKind::internal);
  EXPECT_EQ(refusal(of_selection(none, "04*01")), ErrorKind::corrupt);
  // A point beyond the chunk, and a hyperslab without end.
  EXPECT_EQ(refusal(of_selection("01000000 02000000 02 01000000 0100 0800", "4*01")), ErrorKind::corrupt);
  EXPECT_EQ(refusal(of_selection("02000000 03000000 01 02 01000000 0000 0100 ffff 0100", "32*01")),
            ErrorKind::corrupt);
  // The extent of another chunk.
  const StoredChunk other = of_selection(all, "32*01");
  EXPECT_THROW(make(Frame({9})).decode(other.view(ChunkEdge::full)), Error);
}

// Damage.

TEST(SparseChunk, NeverDecodesDamagedBytesToOtherElements) {
  for (const Specs& values : {Specs{}, Specs{fletcher32}, Specs{shuffle, deflate, fletcher32}}) {
    for (const Specs& selection : {Specs{}, Specs{deflate}}) {
      const SparseFormat format = make(example, {selection, values});
      const auto decoded = format.blank();
      write(format, *decoded, example_runs, example_values);
      const StoredChunk stored = format.encode(*decoded, ChunkEdge::full);
      const auto check = [&](const Buffer& bytes, const StoredChunkInfo& info, bool value_may_change) {
        try {
          const auto back = format.decode(view_of(bytes, info, ChunkEdge::full));
          EXPECT_EQ(format.defined(*back), format.defined(*decoded));
          if (!value_may_change) {
            EXPECT_EQ(read(format, *back, 0, 25), read(format, *decoded, 0, 25));
          }
        } catch (const Error& error) {
          EXPECT_NE(error.kind(), ErrorKind::internal);
        }
      };
      for (std::size_t kept = 0; kept < stored.bytes.size(); ++kept)
        EXPECT_THROW(format.decode(view_of(Bytes(stored.bytes).first(kept), stored.info, ChunkEdge::full)),
                     Error);
      for (std::size_t bit = 0; bit < stored.bytes.size() * 8; ++bit) {
        Buffer bytes = stored.bytes;
        bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        check(bytes, stored.info, values.empty());
      }
      for (std::size_t bit = 0; bit < 64; ++bit) {
        for (std::size_t section = 0; section < 2; ++section) {
          StoredChunkInfo offsets = stored.info;
          offsets.sections.offsets[section] ^= std::uint64_t{1} << bit;
          EXPECT_THROW(format.decode(view_of(stored.bytes, offsets, ChunkEdge::full)), Error);
          StoredChunkInfo sizes = stored.info;
          sizes.sections.unfiltered_bytes[section] ^= std::uint64_t{1} << bit;
          check(stored.bytes, sizes, false);
          StoredChunkInfo masks = stored.info;
          masks.sections.filter_masks[section] ^= std::uint32_t{1} << bit % 32;
          check(stored.bytes, masks, true);
        }
      }
    }
  }
}

// Cost.

std::size_t bytes_in_use() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Sanitizers bring an allocator that does not keep this account.
bool account_is_kept() {
  const std::size_t before = bytes_in_use();
  const auto probe = std::make_unique<char[]>(std::size_t{1} << 20);
  return bytes_in_use() >= before + (std::size_t{1} << 20);
}

TEST(SparseChunkCost, OfOneElementGoesInBytesWhateverTheVolume) {
  const SparseFormat format = make(Frame({100'000, 100'000}));
  const std::size_t before = bytes_in_use();
  const auto decoded = format.blank();
  write(format, *decoded, {{0, 9'876'543'210, 0, 1}}, {5});
  const StoredChunk stored = format.encode(*decoded, ChunkEdge::full);
  const auto back = format.decode(stored.view(ChunkEdge::full));
  if (account_is_kept()) {
    EXPECT_LE(bytes_in_use() - before, 2000u);
  }
  EXPECT_EQ(stored.bytes.size(), 95u);
  EXPECT_LE(decoded->memory_bytes(), 256u);
  EXPECT_LE(back->memory_bytes(), 256u);
  EXPECT_THAT(read(format, *back, 9'876'543'209, 3), ElementsAre(0, 5, 0));
  format.erase(*back, RunSet({0, 10'000'000'000}));
  EXPECT_TRUE(format.is_empty(*back));
}

TEST(SparseChunkCost, OfWrittenRunsIsTheirValuesAndLittleMore) {
  const SparseFormat format = make(Frame({100'000, 100'000}));
  const auto decoded = format.blank();
  std::vector<ChunkRun> runs;
  for (std::uint64_t i = 0; i < 1000; ++i) runs.push_back({0, i * 9'999'999, i * 10, 10});
  write(format, *decoded, runs, std::vector<int>(10'000, 3));
  EXPECT_LE(decoded->memory_bytes(), 10'000u * 4 + 1000 * 17 + 512);
}

TEST(SparseChunkCost, IsNeverFarAboveADenseChunk) {
  const Frame chunk({64, 64});
  const std::size_t dense = 4096 * 4;
  const SparseFormat format = make(chunk);
  const auto all = format.blank();
  write(format, *all, {{0, 0, 0, 4096}}, std::vector<int>(4096, 1));
  EXPECT_LE(format.encode(*all, ChunkEdge::full).bytes.size(), dense + 64);
  // A chessboard: a list of blocks would be far larger than the chunk.
  const auto half = format.blank();
  std::vector<ChunkRun> runs;
  for (std::uint64_t i = 0; i < 2048; ++i) runs.push_back({0, 2 * i + i / 32 % 2, i, 1});
  write(format, *half, runs, std::vector<int>(2048, 1));
  const StoredChunk board = format.encode(*half, ChunkEdge::full);
  EXPECT_LE(board.bytes.size(), dense + 64);
  EXPECT_EQ(format.defined(*format.decode(board.view(ChunkEdge::full))), format.defined(*half));
  // A third of the elements, as points.
  const auto some = format.blank();
  runs.clear();
  for (std::uint64_t i = 0; i < 1365; ++i) runs.push_back({0, 3 * i + (i * i) % 2, i, 1});
  write(format, *some, runs, std::vector<int>(1365, 1));
  const StoredChunk scattered = format.encode(*some, ChunkEdge::full);
  EXPECT_LE(scattered.bytes.size(), dense + 64);
  EXPECT_EQ(format.defined(*format.decode(scattered.view(ChunkEdge::full))), format.defined(*some));
}

TEST(SparseChunk, PackedSelectionIsTheSameOnBothWays) {
  const Frame chunk({64, 64});
  FormatOptions options;
  options.selection = {{500, "packed", false, {}}};
  options.values = {deflate};
  const SparseFormat over_bytes = make(chunk, options);
  options.selection_packed = true;
  const SparseFormat over_runs = make(chunk, options);
  const std::vector<std::vector<ChunkRun>> cases{
      {{0, 5, 0, 3}},
      {{0, 0, 0, 64 * 64}},
      {{0, 63, 0, 2}, {0, 200, 2, 1}, {0, 264, 3, 1}, {0, 4095, 4, 1}},
      {{0, 128, 0, 640}, {0, 1000, 640, 1}},
  };
  for (const auto& runs : cases) {
    std::vector<int> values(64 * 64);
    std::iota(values.begin(), values.end(), 7);
    const auto decoded = over_runs.blank();
    write(over_runs, *decoded, runs, values);
    const StoredChunk quick = over_runs.encode(*decoded, ChunkEdge::full);
    const StoredChunk slow = over_bytes.encode(*decoded, ChunkEdge::full);
    EXPECT_EQ(to_hex(quick.bytes), to_hex(slow.bytes));
    EXPECT_EQ(quick.info.sections, slow.info.sections);
    for (const SparseFormat* format : {&over_bytes, &over_runs}) {
      const auto back = format->decode(quick.view(ChunkEdge::full));
      EXPECT_EQ(format->defined(*back), over_runs.defined(*decoded));
      EXPECT_EQ(read(*format, *back, 0, 64 * 64), read(over_runs, *decoded, 0, 64 * 64));
    }
  }
}

}  // namespace
}  // namespace filigree::chunk
