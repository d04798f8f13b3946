// SPDX-License-Identifier: Apache-2.0
//
// Chunks with values of variable length, dense and sparse.
#include "chunk/format/variable_format.hpp"

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "chunk/format/sparse_format.hpp"
#include "testing/hex.hpp"
#include "testing/selection_twin.hpp"
#include "type/datatypes.hpp"

namespace filigree::chunk {
namespace {

using filigree::testing::from_hex;
using filigree::testing::to_hex;
using space::ChunkRun;
using space::Frame;
using space::RunSet;
using ::testing::ElementsAre;
using Text = std::optional<std::string>;
using Specs = std::vector<filter::FilterSpec>;

const auto stored_text = format::variable_string(format::CharacterSet::ascii, 8);

std::vector<SectionRule> rules(std::size_t count, const Specs& specs = {}) {
  std::vector<SectionRule> made(count);
  for (SectionRule& rule : made) rule = {filter::Pipeline(specs, filter::ElementLayout{1, 0}), true};
  return made;
}

struct Fill {
  Buffer element{};
  Buffer heap{};
};
/// "none".
Fill some_fill() { return {from_hex("04000000 0400000000000000 00000000"), from_hex("00000000 6e6f6e65")}; }

std::unique_ptr<ChunkFormat> make_sparse(const Frame& chunk, const Specs& specs = {}, Fill fill = {}) {
  SparseShape shape;
  shape.chunk = chunk;
  shape.element_bytes = 16;
  shape.variable = std::make_shared<VariableLayout>(stored_text);
  shape.fill = std::move(fill.element);
  shape.fill_heap = std::move(fill.heap);
  return std::make_unique<SparseFormat>(std::move(shape), rules(3, specs));
}

std::unique_ptr<ChunkFormat> make_dense(const Frame& chunk, const Specs& specs = {}, Fill fill = {}) {
  VariableShape shape;
  shape.elements = chunk.elements();
  shape.layout = std::make_shared<VariableLayout>(stored_text);
  shape.fill = std::move(fill.element);
  shape.fill_heap = std::move(fill.heap);
  return std::make_unique<VariableFormat>(std::move(shape), rules(2, specs));
}

void write(const ChunkFormat& format, DecodedChunk& decoded, const std::vector<ChunkRun>& runs,
           std::vector<Text> texts) {
  std::vector<const char*> pointers;
  for (const Text& text : texts) pointers.push_back(text ? text->c_str() : nullptr);
  const auto conversion = type::prepare(type::c_type(stored_text), stored_text);
  const type::Context context;
  format.write(decoded, runs,
               {*conversion, context, reinterpret_cast<std::byte*>(pointers.data()), sizeof(char*)});
}

std::vector<Text> read(const ChunkFormat& format, const DecodedChunk& decoded, std::uint64_t start,
                       std::uint64_t count) {
  std::vector<char*> pointers(count);
  const auto held = type::c_type(stored_text);
  const auto conversion = type::prepare(stored_text, held);
  const type::Context context;
  const ChunkRun run{0, start, 0, count};
  auto* const memory = reinterpret_cast<std::byte*>(pointers.data());
  format.read(decoded, {&run, 1}, {*conversion, context, memory, sizeof(char*)});
  std::vector<Text> texts;
  for (const char* pointer : pointers) texts.push_back(pointer == nullptr ? Text() : Text(pointer));
  type::reclaim(held, memory, count, nullptr);
  return texts;
}

std::unique_ptr<DecodedChunk> through_file(const ChunkFormat& format, const DecodedChunk& decoded) {
  const StoredChunk stored = format.encode(decoded, ChunkEdge::full);
  return format.decode(stored.view(ChunkEdge::full));
}

TEST(SparseVariableChunk, IsThatOfTheWorkedExample) {
  const auto format = make_sparse(Frame({4}));
  const auto decoded = format->blank();
  write(*format, *decoded, {{0, 1, 0, 3}}, {"\1\2\3", Text(), "\11"});
  const StoredChunk stored = format->encode(*decoded, ChunkEdge::full);
  EXPECT_EQ(to_hex(stored.bytes),
            to_hex(from_hex(
                "01 00 08 18000000 | 01 01 01 5*00 04 7*00 04 7*00 |"
                "02000000 01000000 00000000 10000000 01000000 01000000 01000000 03000000 | 05381260 |"
                "03000000 0400000000000000 00000000 | 16*00 | 01000000 0700000000000000 00000000 | 3911c201 |"
                "00000000 01 02 03 09 | a1bbb5ee")));
  EXPECT_EQ(stored.bytes.size(), 131u);
  EXPECT_EQ(stored.info.sections.offsets, (std::array<std::uint64_t, 3>{0, 0x43, 0x77}));
  const auto back = format->decode(stored.view(ChunkEdge::full));
  EXPECT_THAT(read(*format, *back, 0, 4), ElementsAre(Text(), "\1\2\3", Text(), "\11"));
  EXPECT_EQ(format->defined_elements()->defined(*back), RunSet({1, 3}));
  EXPECT_FALSE(format->defined_elements()->finds_values(ChunkEdge::full));
}

TEST(SparseVariableChunk, ReadsTheFillValueWhereNothingIsDefined) {
  const auto format = make_sparse(Frame({4}), {}, some_fill());
  const auto decoded = format->blank();
  write(*format, *decoded, {{0, 2, 0, 1}}, {"x"});
  EXPECT_THAT(read(*format, *through_file(*format, *decoded), 1, 3), ElementsAre("none", "x", "none"));
  // It does not stay in the heap of those that were written.
  EXPECT_EQ(format->encode(*decoded, ChunkEdge::full).bytes.size(), 67u + 20 + 4 + 1 + 4);
}

TEST(DenseVariableChunk, HasEveryElementAndAHeap) {
  const auto format = make_dense(Frame({3}));
  const auto decoded = format->blank();
  write(*format, *decoded, {{0, 1, 0, 1}}, {"ab"});
  const StoredChunk stored = format->encode(*decoded, ChunkEdge::full);
  EXPECT_EQ(stored.info.sections.offsets, (std::array<std::uint64_t, 3>{0, 52, 0}));
  EXPECT_EQ(to_hex(Bytes(stored.bytes).first(48)),
            to_hex(from_hex("16*00 | 02000000 0400000000000000 00000000 | 16*00")));
  EXPECT_EQ(to_hex(Bytes(stored.bytes).subspan(52, 6)), to_hex(from_hex("00000000 6162")));
  EXPECT_THAT(read(*format, *through_file(*format, *decoded), 0, 3), ElementsAre(Text(), "ab", Text()));
  EXPECT_EQ(elements_held(*format, *decoded, 3), RunSet({0, 3}));
  // Without values there is no heap.
  EXPECT_EQ(format->encode(*format->blank(), ChunkEdge::full).bytes.size(), 52u);
}

TEST(DenseVariableChunk, IsFilledAndErased) {
  const auto format = make_dense(Frame({3}), {}, some_fill());
  const auto decoded = format->blank();
  write(*format, *decoded, {{0, 0, 0, 2}}, {"a", "b"});
  format->erase(*decoded, RunSet({1, 1}));
  EXPECT_THAT(read(*format, *through_file(*format, *decoded), 0, 3), ElementsAre("a", "none", "none"));
  const auto copy = format->copy(*decoded);
  write(*format, *copy, {{0, 0, 0, 1}}, {"z"});
  EXPECT_THAT(read(*format, *decoded, 0, 1), ElementsAre("a"));
}

TEST(VariableChunks, DoNotGrowWhenTheyAreOverwritten) {
  for (const auto& format : {make_sparse(Frame({4})), make_dense(Frame({4}))}) {
    const auto decoded = format->blank();
    for (int i = 0; i < 1000; ++i) write(*format, *decoded, {{0, 1, 0, 1}}, {std::string(1000, 'x')});
    EXPECT_LE(decoded->memory_bytes(), 4u * 65536);
    EXPECT_LE(format->encode(*decoded, ChunkEdge::full).bytes.size(), 1200u);
  }
}

TEST(VariableChunks, RefuseDamage) {
  for (const auto& format : {make_sparse(Frame({4})), make_dense(Frame({4}))}) {
    const auto decoded = format->blank();
    write(*format, *decoded, {{0, 1, 0, 3}}, {"one", "", "three"});
    const StoredChunk stored = format->encode(*decoded, ChunkEdge::full);
    for (std::size_t kept = 0; kept < stored.bytes.size(); ++kept)
      EXPECT_THROW(format->decode(view_of(Bytes(stored.bytes).first(kept), stored.info, ChunkEdge::full)),
                   Error)
          << kept;
    // Every section has its sum.
    for (std::size_t bit = 0; bit < 8 * stored.bytes.size(); ++bit) {
      Buffer bytes = stored.bytes;
      bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      EXPECT_THROW(format->decode(view_of(bytes, stored.info, ChunkEdge::full)), Error) << bit;
    }
  }
}

TEST(VariableChunks, NeedTheirNumberOfSections) {
  SparseShape sparse;
  sparse.chunk = Frame({4});
  sparse.element_bytes = 16;
  EXPECT_THROW(SparseFormat(sparse, rules(3)), Error);
  sparse.variable = std::make_shared<VariableLayout>(stored_text);
  EXPECT_THROW(SparseFormat(sparse, rules(2)), Error);
  VariableShape dense;
  dense.elements = 4;
  dense.layout = sparse.variable;
  EXPECT_THROW(VariableFormat(dense, rules(3)), Error);
  dense.elements = ~std::uint64_t{0};
  EXPECT_THROW(VariableFormat(dense, rules(2)), Error);
}

RC_GTEST_PROP(VariableChunks, BehaveLikeAnArrayOfTexts, ()) {
  const Frame frame = *filigree::testing::gen_frame(2);
  const bool sparse = *rc::gen::arbitrary<bool>();
  const Specs specs = *rc::gen::element(Specs{}, Specs{{1, "", false, {1}}}, Specs{{3, "", false, {}}});
  const Fill fill = *rc::gen::arbitrary<bool>() ? some_fill() : Fill{};
  const auto format = sparse ? make_sparse(frame, specs, fill) : make_dense(frame, specs, fill);
  const Text unwritten = fill.element.empty() ? Text() : Text("none");
  std::vector<Text> twin(frame.elements(), unwritten);
  auto decoded = format->blank();
  for (unsigned steps = *rc::gen::inRange(1u, 10u); steps > 0; --steps) {
    const auto points = *filigree::testing::gen_positions(frame);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
      case 1: {
        std::vector<ChunkRun> runs;
        std::vector<Text> texts;
        for (const std::uint64_t at : points) {
          runs.push_back({0, at, runs.size(), 1});
          texts.push_back(at % 5 == 4 ? Text() : Text(std::string((at * 7 + steps) % 11, char('a' + steps))));
          twin[at] = texts.back();
        }
        write(*format, *decoded, runs, texts);
        break;
      }
      case 2:
        format->erase(*decoded, RunSet::of_offsets(points));
        for (const std::uint64_t at : points) twin[at] = unwritten;
        break;
      case 3:
        decoded = through_file(*format, *decoded);
        break;
    }
    RC_ASSERT(read(*format, *decoded, 0, frame.elements()) == twin);
  }
}

}  // namespace
}  // namespace filigree::chunk
