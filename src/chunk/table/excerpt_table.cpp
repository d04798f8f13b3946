// SPDX-License-Identifier: Apache-2.0
#include "chunk/table/excerpt_table.hpp"

#include <algorithm>
#include <utility>

namespace filigree::chunk {
namespace {

using index::ChunkCoordinates;
using index::ChunkLocation;

index::DatasetFacts facts_of(const ChunkTable& table, const space::Excerpt& excerpt) {
  index::DatasetFacts facts;
  facts.extent = excerpt.frame().dims();
  facts.max_extent = facts.extent;
  facts.filtered = table.index().is_filtered();
  return facts;
}

/// The part of another index that an excerpt shows.
class ExcerptIndex final : public index::ChunkIndex {
 public:
  ExcerptIndex(ChunkTable& table, std::shared_ptr<const space::Excerpt> excerpt)
      : ChunkIndex(table.store(), table.index().layout(), facts_of(table, *excerpt)),
        whole_(table.index()),
        seen_revision_(whole_.layout_revision()),
        excerpt_(std::move(excerpt)) {}

  bool preallocates_chunks() const override { return whole_.preallocates_chunks(); }
  std::uint64_t index_bytes() const override { return whole_.index_bytes(); }
  void allocate() override {
    whole_.allocate();
    follow();
  }

 private:
  std::vector<std::uint64_t> in_extent(std::span<const std::uint64_t> coordinates) const {
    std::vector<std::uint64_t> mapped(coordinates.size());
    for (std::size_t i = 0; i < coordinates.size(); i += grid_.rank())
      excerpt_->chunk_in_extent(coordinates.subspan(i, grid_.rank()), &mapped[i]);
    return mapped;
  }
  /// Takes over a change of the layout message.
  void follow() {
    if (seen_revision_ == whole_.layout_revision()) return;
    seen_revision_ = whole_.layout_revision();
    edit_layout() = whole_.layout();
  }

  std::optional<ChunkLocation> do_find(ChunkCoordinates at) const override {
    return std::as_const(whole_).find(in_extent(at));
  }
  void do_find_many(std::span<const std::uint64_t> coordinates,
                    std::span<ChunkLocation> found) const override {
    whole_.find(in_extent(coordinates), found);
  }
  bool do_for_each(Visitor visitor, ChunkCoordinates from) const override {
    std::vector<std::uint64_t> start(grid_.rank(), 0), at(grid_.rank());
    if (grid_.inside(from)) start.assign(from.begin(), from.end());
    bool stopped = false;
    std::as_const(whole_).for_each(
        [&](ChunkCoordinates chunk, const ChunkLocation& location) {
          if (chunk[0] > excerpt_->last_chunk(0)) return false;
          if (!excerpt_->chunk_in_excerpt(chunk, at.data())) return true;
          if (std::ranges::lexicographical_compare(at, from)) return true;
          stopped = !visitor(at, location);
          return !stopped;
        },
        in_extent(start));
    return !stopped;
  }
  std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) override {
    const auto before = whole_.insert(in_extent(at), location);
    follow();
    return before;
  }
  void do_insert_many(std::span<const std::uint64_t> coordinates, std::span<const ChunkLocation> locations,
                      std::size_t& done) override {
    whole_.insert(in_extent(coordinates), locations, done);
    follow();
  }
  std::optional<ChunkLocation> do_remove(ChunkCoordinates at) override {
    const auto removed = whole_.remove(in_extent(at));
    follow();
    return removed;
  }
  void do_destroy() override {}  // the dataset owns the index

  index::ChunkIndex& whole_;
  std::uint64_t seen_revision_;
  const std::shared_ptr<const space::Excerpt> excerpt_;
};

}  // namespace

std::unique_ptr<ChunkTable> make_excerpt_table(ChunkTable& table,
                                               std::shared_ptr<const space::Excerpt> excerpt) {
  ChunkTableSetup setup;
  setup.extent = excerpt->frame().dims();
  setup.index = std::make_unique<ExcerptIndex>(table, std::move(excerpt));
  setup.format = table.shared_format();
  setup.traits = table.traits();
  setup.traits.allocates_late = false;
  setup.callbacks = table.callbacks();
  setup.callbacks.layout_changed = [&table](const format::LayoutMessage&) { table.publish_layout(); };
  return std::make_unique<ChunkTable>(table.store(), std::move(setup), table.cache());
}

}  // namespace filigree::chunk
