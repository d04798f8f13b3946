// SPDX-License-Identifier: Apache-2.0
//
// Sparse chunks beside a naive twin: an array of values that may be missing.
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "chunk/format/sparse_format.hpp"
#include "filter/packed_selection/packed_selection.hpp"
#include "format/messages/datatype.hpp"
#include "testing/selection_twin.hpp"

namespace filigree::chunk {
namespace {

using filigree::testing::gen_frame;
using filigree::testing::gen_positions;
using filigree::testing::gen_set;
using filigree::testing::make;
using space::ChunkRun;
using space::Frame;
using space::RunSet;

constexpr int fill = 7;

class Twins {
 public:
  /// Shorts in the chunk, ints in memory.
  explicit Twins(const Frame& frame)
      : frame_(frame), format_(make_format(frame)), decoded_(format_->blank()), values_(frame.elements()) {}

  void write(const RunSet& set) {
    std::vector<ChunkRun> runs;
    std::uint64_t memory = 0;
    for (std::size_t i = 0; i < set.runs(); ++i) {
      runs.push_back({0, set.run(i).start, memory, set.run(i).length});
      memory += set.run(i).length;
    }
    write(runs, memory);
  }
  void write(const std::vector<std::uint64_t>& points) {
    std::vector<ChunkRun> runs;
    for (const std::uint64_t at : points) runs.push_back({0, at, runs.size(), 1});
    write(runs, points.size());
  }
  void erase(const RunSet& set) {
    format_->erase(*decoded_, set);
    for (std::size_t i = 0; i < set.runs(); ++i)
      for (std::uint64_t at = set.run(i).start; at < set.run(i).end(); ++at) values_[at].reset();
  }
  /// Through the file.
  void store(ChunkEdge edge) {
    const StoredChunk stored = format_->encode(*decoded_, edge);
    const space::Run part = format_->defined_part(stored.info, stored.bytes.size());
    const Bytes bytes = Bytes(stored.bytes).subspan(part.start, part.length);
    RC_ASSERT(format_->decode_defined({bytes, stored.info, edge, stored.bytes.size()}) ==
              format_->defined(*decoded_));
    decoded_ = format_->decode(stored.view(edge));
    RC_ASSERT(format_->encode(*decoded_, edge).bytes == stored.bytes);
  }
  void copy() { decoded_ = format_->copy(*decoded_); }

  void check(const RunSet& wanted) const {
    std::vector<ChunkRun> runs;
    for (std::size_t i = 0; i < wanted.runs(); ++i)
      runs.push_back({0, wanted.run(i).start, wanted.run(i).start, wanted.run(i).length});
    std::vector<int> seen(values_.size(), -1);
    std::vector<int> expected = seen;
    for (const ChunkRun& run : runs)
      for (std::uint64_t at = run.chunk_offset; at < run.chunk_offset + run.length; ++at)
        expected[at] = values_[at].value_or(fill);
    const auto conversion = type::prepare(format::fixed_point(2, true), format::fixed_point(4, true));
    format_->read(*decoded_, runs, {*conversion, context_, reinterpret_cast<std::byte*>(seen.data()), 4});
    RC_ASSERT(seen == expected);
    const RunSet defined = format_->defined(*decoded_);
    std::uint64_t count = 0;
    for (std::uint64_t at = 0; at < values_.size(); ++at) {
      RC_ASSERT(defined.contains(at) == values_[at].has_value());
      count += values_[at].has_value();
    }
    RC_ASSERT(format_->is_empty(*decoded_) == (count == 0));
  }

 private:
  static std::unique_ptr<SparseFormat> make_format(const Frame& frame) {
    using Specs = std::vector<filter::FilterSpec>;
    const auto specs =
        rc::gen::element(Specs{}, Specs{{1, "", false, {1}}}, Specs{{2, "", true, {2}}, {1, "", true, {6}}},
                         Specs{{3, "", false, {}}});
    SparseShape shape;
    shape.chunk = frame;
    shape.element_bytes = 2;
    shape.fill = {std::byte{fill}, std::byte{0}};
    shape.filter_partial_edges = *rc::gen::arbitrary<bool>();
    shape.form = *rc::gen::element(space::DefinedEncoding::standard, space::DefinedEncoding::compact,
                                   space::DefinedEncoding::smallest);
    shape.least_compact_elements = *rc::gen::element<std::uint64_t>(1, 5, 8192);
    const filter::ElementLayout layout{2, 0};
    std::vector<SectionRule> rules(2);
    const bool packed = *rc::gen::arbitrary<bool>();
    shape.selection_packed = packed;
    rules[0] = {
        filter::Pipeline(packed ? Specs{{filter::packed_selection_id, "", true, {}}} : *specs, layout), true};
    rules[1] = {filter::Pipeline(*specs, layout), false};
    return std::make_unique<SparseFormat>(shape, std::move(rules));
  }
  void write(const std::vector<ChunkRun>& runs, std::uint64_t count) {
    std::vector<int> numbers(count);
    for (int& number : numbers) number = next_++ % 30'000;
    const auto conversion = type::prepare(format::fixed_point(4, true), format::fixed_point(2, true));
    format_->write(*decoded_, runs, {*conversion, context_, reinterpret_cast<std::byte*>(numbers.data()), 4});
    for (const ChunkRun& run : runs)
      for (std::uint64_t i = 0; i < run.length; ++i) values_[run.chunk_offset + i] = numbers[run.memory + i];
  }

  Frame frame_;
  type::Context context_;
  std::unique_ptr<SparseFormat> format_;
  std::unique_ptr<DecodedChunk> decoded_;
  std::vector<std::optional<int>> values_;
  int next_ = 1;
};

RC_GTEST_PROP(SparseChunkModel, BehavesLikeAnArrayWithAMask, ()) {
  const Frame frame = *gen_frame();
  Twins twins(frame);
  for (unsigned steps = *rc::gen::inRange(1u, 12u); steps > 0; --steps) {
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
      case 1:
        twins.write(make(*gen_set(frame)).runs());
        break;
      case 2:
        twins.write(*gen_positions(frame));
        break;
      case 3:
        twins.erase(make(*gen_set(frame)).runs());
        break;
      case 4:
        twins.store(*rc::gen::element(ChunkEdge::full, ChunkEdge::partial));
        break;
      case 5:
        twins.copy();
        break;
    }
    // Not after each step: written elements are merged when the chunk is looked at.
    if (*rc::gen::arbitrary<bool>()) twins.check(make(*gen_set(frame)).runs());
  }
  twins.check(RunSet({0, frame.elements()}));
}

}  // namespace
}  // namespace filigree::chunk
