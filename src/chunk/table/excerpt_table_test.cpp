// SPDX-License-Identifier: Apache-2.0
//
// Excerpts of a dataset with 2^64 elements or more against a map of coordinates to values.
#include "chunk/table/excerpt_table.hpp"

#include <map>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "chunk/format/dense_format.hpp"
#include "chunk/raw/resizer.hpp"
#include "chunk/table/chunk_allocation.hpp"
#include "chunk/table/chunk_walk.hpp"
#include "chunk/transfer/chunk_reader.hpp"
#include "chunk/transfer/chunk_writer.hpp"
#include "format/messages/datatype.hpp"
#include "io/memory/memory_file.hpp"
#include "store/file_store.hpp"
#include "testing/store_fixture.hpp"

namespace filigree::chunk {
namespace {

using Dims = std::vector<std::uint64_t>;
using rc::gen::inRange;

constexpr std::uint64_t far = std::uint64_t{1} << 40;
constexpr std::int16_t fill = 9;
const Dims chunk_dims{3, 4};

/// A table of a huge extent, and the elements that it should hold.
class Twin {
 public:
  explicit Twin(std::uint8_t layout_version) : cache_(1u << 16) {
    store::FileStore::Setup setup;
    setup.end_of_file = 512;
    file_store_ = std::make_unique<store::FileStore>(std::make_unique<io::MemoryFile>(Buffer(512)), setup,
                                                     std::make_unique<testing::TestSpace>(512));
    layout_ = index::choose_index(facts(), chunk_dims, 2, {layout_version});
    open();
  }

  ChunkTable& chunks() { return *chunks_; }
  const Dims& dims() const { return dims_; }
  const std::map<Dims, std::int16_t>& values() const { return values_; }

  void open() {
    chunks_.reset();
    ChunkTableSetup setup;
    setup.index = index::make_index(*file_store_, layout_, facts());
    setup.extent = dims_;
    setup.traits.element_bytes = 2;
    setup.callbacks.layout_changed = [this](const format::LayoutMessage& layout) { layout_ = layout; };
    DenseShape shape;
    shape.elements = chunk_dims[0] * chunk_dims[1];
    shape.element_bytes = 2;
    shape.fill = {std::byte{fill}, std::byte{0}};
    const filter::ElementLayout layout{2, shape.elements};
    const std::vector<filter::FilterSpec> filters{{1, "", true, {6}}};
    setup.format = std::make_unique<DenseFormat>(std::move(shape), filter::Pipeline(filters, layout));
    chunks_ = std::make_unique<ChunkTable>(*file_store_, std::move(setup), cache_);
  }

  void write(const space::HugeSelection& selection, std::int16_t first) {
    std::vector<std::int16_t> memory(selection.elements());
    std::iota(memory.begin(), memory.end(), first);
    const Dims list = selection.coordinates();
    for (std::size_t i = 0; i < memory.size(); ++i) values_[{list[2 * i], list[2 * i + 1]}] = memory[i];
    for_each_part(selection, memory, [&](ChunkTable& table, const auto& part, const Values& values) {
      ChunkWriter(table).write(part.file, part.memory, values, true);
      table.flush();
    });
  }

  void check(const space::HugeSelection& selection) {
    std::vector<std::int16_t> memory(selection.elements(), -1), expected;
    const Dims list = selection.coordinates();
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const auto one = values_.find({list[2 * i], list[2 * i + 1]});
      expected.push_back(one == values_.end() ? fill : one->second);
    }
    for_each_part(selection, memory, [&](ChunkTable& table, const auto& part, const Values& values) {
      ChunkReader(table).read(part.file, part.memory, values, true);
    });
    RC_ASSERT(memory == expected);
  }

  void resize(const Dims& now) {
    Resizer(*chunks_).resize(now);
    dims_ = now;
    std::erase_if(values_, [&](const auto& one) { return one.first[0] >= now[0] || one.first[1] >= now[1]; });
  }

 private:
  index::DatasetFacts facts() const { return {dims_, Dims(2, format::unlimited), true, 2}; }

  template <class Work>
  void for_each_part(const space::HugeSelection& selection, std::vector<std::int16_t>& memory, Work work) {
    const auto type = format::fixed_point(2, true);
    const auto conversion = type::prepare(type, type);
    const auto all = space::Selection::all(space::Frame({memory.size()}));
    for (const space::ExcerptPart& part : space::divide(selection, dims_, chunk_dims, all))
      work(*make_excerpt_table(*chunks_, part.excerpt), part,
           Values{*conversion, context_, reinterpret_cast<std::byte*>(memory.data()), 2});
  }

  ChunkCache cache_;
  Dims dims_{far + 5, far + 2};
  std::map<Dims, std::int16_t> values_;
  std::unique_ptr<store::FileStore> file_store_;
  format::LayoutMessage layout_;
  std::unique_ptr<ChunkTable> chunks_;
  const type::Context context_{};
};

/// Near the start or the end of the extent.
std::uint64_t gen_start(std::uint64_t dim) {
  const auto near = *inRange<std::uint64_t>(0, 9);
  return *rc::gen::arbitrary<bool>() ? near : dim - 1 - near;
}

space::HugeSelection gen_selection(const Dims& dims) {
  if (*inRange(0, 3) == 0) {
    Dims points;
    const int count = *inRange(1, 9);
    for (int i = 0; i < 2 * count; ++i) points.push_back(gen_start(dims[static_cast<std::size_t>(i % 2)]));
    return space::HugeSelection::points(2, std::move(points));
  }
  std::vector<space::SlabDimension> slab;
  for (const std::uint64_t dim : dims) {
    const std::uint64_t start = gen_start(dim);
    slab.push_back({start, 1, 1, std::min(dim - start, *inRange<std::uint64_t>(1, 9))});
  }
  return space::HugeSelection::regular(std::move(slab));
}

RC_GTEST_PROP(ExcerptTable, ElementsAreThoseOfTheMap, ()) {
  Twin twin(*rc::gen::element<std::uint8_t>(3, 4));
  std::int16_t next = 100;
  const int steps = *inRange(1, 12);
  for (int i = 0; i < steps; ++i) {
    switch (*inRange(0, 6)) {
      case 0:
        twin.open();
        break;
      case 1:
        twin.resize({twin.dims()[0] - *inRange<std::uint64_t>(0, 5),
                     twin.dims()[1] + 3 - *inRange<std::uint64_t>(0, 7)});
        break;
      default: {
        const auto selection = gen_selection(twin.dims());
        twin.write(selection, next);
        next = static_cast<std::int16_t>(next + selection.elements());
        twin.check(selection);
      }
    }
    twin.check(gen_selection(twin.dims()));
  }
  for (const auto& [at, value] : twin.values()) twin.check(space::HugeSelection::points(2, at));
}

RC_GTEST_PROP(ExcerptTable, ChunksAreThoseOfTheExcerpt, ()) {
  Twin twin(4);
  twin.write(gen_selection(twin.dims()), 1);
  twin.write(gen_selection(twin.dims()), 1000);
  const auto box = gen_selection(twin.dims());
  const auto all = space::Selection::all(space::Frame({box.elements()}));
  for (const space::ExcerptPart& part : space::divide(box, twin.dims(), chunk_dims, all)) {
    const auto table = make_excerpt_table(twin.chunks(), part.excerpt);
    std::vector<Dims> stored, visited, shown;
    Dims local(2), mapped(2);
    for_each_chunk(twin.chunks(), [&](auto at, const auto&, const auto&) {
      if (part.excerpt->chunk_in_excerpt(at, local.data())) stored.push_back(local);
    });
    for_each_chunk(*table,
                   [&](auto at, const auto&, const auto&) { visited.emplace_back(at.begin(), at.end()); });
    table->index().for_each([&](auto at, const auto&) {
      shown.emplace_back(at.begin(), at.end());
      part.excerpt->chunk_in_extent(at, mapped.data());
      RC_ASSERT(part.excerpt->chunk_in_excerpt(mapped, local.data()));
      RC_ASSERT(std::ranges::equal(local, at));
      return true;
    });
    RC_ASSERT(visited == stored);
    RC_ASSERT(shown == stored);
  }
}

TEST(ExcerptTable, TheTableOfTheDatasetHasNoNumbers) {
  Twin twin(4);
  EXPECT_TRUE(twin.chunks().geometry().is_huge());
  EXPECT_EQ(twin.chunks().geometry().chunks(), 0u);
  EXPECT_EQ(twin.chunks().geometry().edge_at(Dims{0, 0}), ChunkEdge::full);
  EXPECT_EQ(twin.chunks().geometry().edge_at(Dims{(far + 4) / 3, 0}), ChunkEdge::full);
  EXPECT_EQ(twin.chunks().geometry().edge_at(Dims{0, (far + 1) / 4}), ChunkEdge::partial);
  EXPECT_FALSE(twin.chunks().geometry().contains(Dims{0, (far + 1) / 4 + 1}));
  EXPECT_THROW(allocate_all_chunks(twin.chunks()), Error);
}

}  // namespace
}  // namespace filigree::chunk
