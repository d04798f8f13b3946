// SPDX-License-Identifier: Apache-2.0
//
// The chunks of one dataset: found by its index, held by the shared cache, understood by their format.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "chunk/cache/chunk_cache.hpp"
#include "chunk/cache/look_ahead.hpp"
#include "chunk/format/chunk_format.hpp"
#include "chunk/format/sections.hpp"
#include "index/chunk_index.hpp"
#include "space/partition.hpp"
#include "space/selection.hpp"

namespace filigree {
class Workspace;
}
namespace filigree::store {
class FileStore;
}

namespace filigree::chunk {

struct BatchSize;

struct ChunkStoreSetup {
  std::unique_ptr<index::ChunkIndex> index;
  std::unique_ptr<const ChunkFormat> format;
  std::vector<std::uint64_t> extent;
  std::size_t element_bytes = 0;
  /// Elements of unwritten chunks are read as the format's blank image has them; otherwise memory stays as it
  /// was.
  bool reads_blank = true;
  /// With the first chunk that is written all others of the extent get their places.
  bool allocates_late = false;
  /// Told when the dataset's header has to say something else.
  std::function<void(const format::LayoutMessage&)> layout_changed;
  /// Told, if set, of elements that a new extent has cut off: as they were, and as they are now, which is
  /// nothing where their chunk has gone. Does not throw for what they are.
  std::function<void(Bytes, Bytes)> cut_off;
  /// Changes elements, if set, before their chunk is stored: nothing that they refer to may be shared then.
  std::function<void(MutableBytes)> separate;
};

/// Room for a chunk that its caller writes.
struct StoredPlace {
  Address address = Address::undefined;
  std::uint64_t bytes = 0;
  std::optional<index::ChunkLocation> stays{};  ///< it is the one that the chunk has already
};

/// Many threads may read; a writer is alone with the file. What was written may stay in the cache until
/// flush(). After a failure nothing is lost: images that could not be written are dirty still.
class ChunkStore {
 public:
  ChunkStore(store::FileStore& store, ChunkStoreSetup setup, ChunkCache& cache = ChunkCache::shared());
  /// Does not flush.
  ~ChunkStore();
  ChunkStore(const ChunkStore&) = delete;
  ChunkStore& operator=(const ChunkStore&) = delete;

  /// The file's selection has the extent as its frame; both have equally many elements. `parallel`: the
  /// conversion may run on several threads.
  void read(const space::Selection& file, const space::Selection& memory, const Values& values,
            bool parallel) const;
  void write(const space::Selection& file, const space::Selection& memory, const Values& values,
             bool parallel);
  /// Runs what it is given when nobody else is in the file, and tells whether it did: not when the dataset
  /// has another store or another extent by then.
  using Alone = FunctionRef<bool(FunctionRef<void()>)>;
  /// How somebody who shares the file with others gets to be alone.
  struct Others {
    Alone alone;
    /// Runs what it is given in any case, to give back space. Does not throw.
    FunctionRef<void(FunctionRef<void()>)> tidy;
  };
  /// As write(), for a caller who shares the file with others: chunks are encoded beside them, and those that
  /// need no encoding and have no place yet are written beside them. False when `alone` was; some chunks may
  /// be written by then.
  bool write(const space::Selection& file, const space::Selection& memory, const Values& values,
             bool parallel, const Others& others);

  /// Writes all dirty chunks.
  void flush();
  /// Gives every chunk of the extent its place, filled, but for those that an extent `before` had.
  void allocate_all(std::span<const std::uint64_t> before = {});
  /// Chunks outside are freed; what lies outside in those that are cut reads as blank when the extent grows
  /// again.
  void resize(std::span<const std::uint64_t> extent);
  /// Frees all chunks and the index. Space that several chunks claim stays allocated.
  void destroy();

  /// Shows the elements that chunks hold, in the file's type, many at a time.
  void for_each_value(FunctionRef<void(Bytes)> see) const;
  using Adapt = FunctionRef<void(MutableBytes)>;
  /// Copies chunks and index into `target`, for a dataset of these facts; `adapt`, where given, changes the
  /// elements on the way. Returns the layout of the copy. On failure what was taken is given back.
  format::LayoutMessage copy_to(store::FileStore& target, const index::DatasetFacts& facts,
                                Adapt* adapt) const;
  /// Frees an index and its chunks.
  static void release_chunks(store::FileStore& store, index::ChunkIndex& index);

  /// Those of the selected elements that are defined; of sparse chunks only the first section is read.
  space::Selection defined_elements(const space::Selection& selection) const;
  /// Whether it is worth reading chunks as a whole to get at defined elements and their values.
  bool reads_defined_at_once(const space::Selection& selection) const;
  /// What is defined, as above, with its values in one pass. Only where that is worth it, of elements of a
  /// fixed size, and by conversions that many threads may use. `warrant` is told on the way how many elements
  /// there are at least, and may throw; `room` gives memory for all of them.
  space::Selection read_defined(const space::Selection& selection, Values values,
                                FunctionRef<void(std::uint64_t)> warrant,
                                FunctionRef<std::byte*(std::uint64_t)> room) const;
  /// The same one by one: memory for what is defined.
  struct Room {
    std::uint64_t* places = nullptr;  ///< numbers in the extent
    std::byte* values = nullptr;
  };
  /// Whether chunks can be taken apart and made from single elements.
  bool knows_points() const;
  /// Everything that is defined, in ascending order, with its values; of formats that know points. `room` is
  /// asked once for memory, perhaps more than is needed in the end; returns how many elements there are.
  /// Nothing, before it is asked, where chunks claim more than can be believed: read_defined() finds out.
  std::optional<std::uint64_t> read_points(const Values& values, FunctionRef<void(std::uint64_t)> warrant,
                                           FunctionRef<Room(std::uint64_t)> room) const;
  /// Elements at ascending places of the extent, whose values stand one behind the other in memory. Of
  /// `covered` nothing else is expected soon: chunks in it that are new go past the cache. As write() beside
  /// others; of formats that know points.
  bool write_points(std::span<const std::uint64_t> places, space::Run covered, const Values& values,
                    const Others& others);
  /// Undefines elements. A chunk that defines nothing any more leaves index and file.
  void erase(const space::Selection& selection);

  const index::ChunkIndex& index() const { return *index_; }
  const space::ChunkGrid& grid() const { return *grid_; }

  // Chunks as they are stored, past filters and cache (direct_chunks.cpp). Coordinates are those of the chunk
  // in the grid.

  /// Where it is; nothing when it has no place in the file. An image in the cache may know better.
  std::optional<index::ChunkLocation> find_stored(std::span<const std::uint64_t> scaled) const;
  void read_stored(const index::ChunkLocation& location, Buffer& into) const;
  /// Writing takes three steps, so that the second one needs nobody to be alone: the bytes, at most those
  /// that were announced, go to where the place says. A place of a chunk that stays where it is must be
  /// written before anything else happens to the chunk.
  StoredPlace place_stored(std::span<const std::uint64_t> scaled, std::uint64_t bytes);
  /// The chunk is there now. A cached image is dropped, dirty or not.
  void settle_stored(std::span<const std::uint64_t> scaled, const StoredPlace& place, const StoredForm& form);

  // Structured chunks, section by section. Error(unsupported) for others.

  /// Puts together what then goes to the file by place_stored() and settle_stored(). The sections are decoded
  /// once, as far as filters are there, and have to make a chunk that defines something, and nothing beyond
  /// the extent: Error(invalid_argument). Holds while the extent stays. For any thread.
  StoredChunk assemble(std::span<const std::uint64_t> scaled, std::span<const RawSection> sections) const;
  /// `stored` is what read_stored() gave; the sections are parts of it.
  std::vector<RawSection> sections_in(Bytes stored, std::span<const std::uint64_t> scaled,
                                      const index::ChunkLocation& location) const;
  /// What they are, one for each section.
  std::vector<RawSectionFacts> describe_sections(std::span<const std::uint64_t> scaled,
                                                 const index::ChunkLocation& location) const;

  bool has_unwritten() const { return cache_.has_dirty(owner_); }
  bool unwritten(std::span<const std::uint64_t> scaled) const;
  /// Writes one chunk if its image is dirty.
  void flush_one(std::span<const std::uint64_t> scaled);
  ChunkCacheCounters cache_counters() const { return cache_.counters(); }

 private:
  struct Wanted;
  struct Outgoing;
  class Copier;
  /// Gets the image of a chunk that is newer in the cache than in the file, or where it is there.
  using See = FunctionRef<void(index::ChunkCoordinates, const index::ChunkLocation&, const ImagePointer&)>;

  ChunkKey key(std::uint64_t chunk) const { return {owner_, chunk}; }
  void set_extent(std::span<const std::uint64_t> extent);
  bool whole(std::uint64_t chunk) const;
  bool whole(std::span<const std::uint64_t> scaled) const { return whole(grid_->chunks().offset(scaled)); }
  const Sections& sections() const;
  /// Elements of the chunk that the extent has.
  std::uint64_t elements_inside(std::uint64_t chunk) const;
  std::vector<std::uint64_t> coordinates_of(std::span<const std::uint64_t> chunks) const;
  std::vector<index::ChunkLocation> locate(std::span<const std::uint64_t> chunks) const;
  /// How many chunks may be in memory together.
  std::size_t chunks_at_a_time() const;
  /// Calls `work(items, at_once)` on stretches of chunks that are read or written with one request: on all
  /// cores, or, where the file is far away, with much at a time and `at_once`.
  template <class Item, class Weigh, class Work>
  void for_each_request(std::span<Item> items, bool parallel, const BatchSize& size, Weigh weigh,
                        Work work) const;
  /// The image that all unwritten chunks have in common.
  ImagePointer blank() const;

  // Reading and writing, group by group of chunks.
  using Pieces = std::span<const space::ChunkPiece>;
  template <class Work>
  bool for_each_group(const space::Selection& file, const space::Selection& memory, Work work) const;
  void read_group(Pieces pieces, const Values& values, bool parallel) const;
  /// How a write gets to be alone, and who is in the file until then: null when nobody is.
  struct Turn {
    Alone alone;
    const Others* others;
  };
  bool write_groups(const space::Selection& file, const space::Selection& memory, const Values& values,
                    bool parallel, const Turn& turn);
  bool write_group(Pieces pieces, const Values& values, bool parallel, bool each_once, const Turn& turn);
  bool passes_by(Wanted& wanted, const Values& values, bool parallel) const;
  bool worth_ranges(const Wanted& wanted) const;
  void read_ranges(std::span<Wanted> wanted, const Values& values, bool parallel) const;
  /// Straight from the file to the memory, without images.
  void stream(std::span<const Wanted> wanted, const Values& values) const;
  /// One request; with `at_once`, all cores work on what it brought.
  void stream_batch(std::span<const Wanted> wanted, const Values& values, bool at_once) const;
  /// Makes the images; with `values`, their pieces are read at once.
  void load(std::span<Wanted> wanted, const Values* values) const;
  void load_batch(std::span<Wanted> wanted, const Values* values, bool at_once) const;
  /// As load(), for a small read; idle cores bring other chunks meanwhile.
  void load_looking_ahead(std::span<Wanted> wanted, const Values* values) const;
  /// Chunks that are worth it beside the wanted ones.
  std::vector<Wanted> choose_ahead(std::span<const Wanted> wanted) const;
  bool write_covered(Pieces pieces, const Values& values, bool parallel, const Turn& turn);
  /// Takes chunks that have no place yet out of the list; none where the index places them.
  std::vector<Outgoing> take_unplaced(std::vector<Outgoing>& outgoing) const;
  /// Writes them to places of their own, which nobody knows of before they are in the index. False when
  /// `alone` was. After that, and after a failure, the places have been given back.
  bool write_unplaced(std::span<Outgoing> outgoing, const Values& values, bool parallel,
                      const Others& others);
  void give_back(std::span<const Outgoing> outgoing);
  void write_plain(std::span<Outgoing> outgoing, const Values& values, bool parallel);
  void write_plain_places(std::span<const Outgoing> outgoing, const Values& values, bool parallel);
  void write_plain_batch(std::span<const Outgoing> outgoing, const Values& values, bool at_once);
  std::vector<std::unique_ptr<ChunkImage>> make_fresh(Pieces pieces, const Values& values,
                                                      bool parallel) const;
  void write_partial(Pieces pieces, std::span<std::unique_ptr<ChunkImage>> fresh, const Values& values,
                     bool parallel);

  /// Chunks whose bytes change because the extent was `before` and is now another.
  std::vector<std::uint64_t> chunks_to_rewrite(const space::Frame& before) const;
  void rewrite(std::span<const std::uint64_t> chunks, const space::ChunkGrid& before);
  void erase_outside(std::uint64_t chunk, ChunkImage& image) const;
  Buffer all_values(const ChunkImage& image) const;
  /// Chunks that are in the index no more, when somebody wants to know what was in them.
  void drop(std::span<Wanted> gone);
  void allocate_before_writing();
  void separate_values(const ImagePointer& image);

  /// Gives all chunks their places, writes them (by `write`, if given), and tells the index.
  void store_chunks(std::span<Outgoing> outgoing);
  void store_chunks(std::span<Outgoing> outgoing, FunctionRef<void()> write);
  void place(std::span<const std::uint64_t> coordinates, std::span<Outgoing> outgoing);
  /// Whether a stored chunk may be overwritten by another one of its size.
  bool overwritable(bool whole) const;
  void enter(std::span<const std::uint64_t> coordinates, std::span<const Outgoing> outgoing,
             std::size_t& entered);
  void flush_chunks(std::span<const std::uint64_t> chunks);
  void tell_layout();
  /// Chunks that the bounds of a selection touch.
  void for_each_touched(const space::Selection& selection, See see) const;
  space::Selection all_elements() const { return space::Selection::all(grid_->extent()); }
  struct Asked;
  struct Band;
  struct Found;
  std::vector<Asked> ask(const space::Selection& selection) const;
  std::vector<Asked> ask_few(std::span<const std::uint64_t> coordinates) const;
  std::vector<Band> bands_of(std::span<Asked> asked) const;
  void fetch(std::span<Band> bands, bool with_values, Workspace& room) const;
  /// Fetches some bands after the others, has `work` done on each, on all cores, and `then` on some.
  void for_each_fetched(std::span<Band> bands, bool with_values, FunctionRef<void(Band&)> work,
                        FunctionRef<void(std::span<const Band>)> then) const;
  class PointReader;
  class PointWriter;
  void look_into(Band& band, const space::Bounds* box, const Values* values) const;
  void bring_into_order(Band& band, std::span<const Found> found, Bytes values,
                        std::size_t element_bytes) const;
  void bring_into_order_by_rows(Band& band, std::span<const Found> found, Bytes values,
                                std::size_t element_bytes) const;
  void append_values(const ChunkImage& image, const space::RunSet& all, const space::RunSet& part,
                     const Values& values, Buffer& found) const;
  std::vector<Band> find_defined(std::span<Asked> asked, const space::Bounds* box, const Values* values,
                                 FunctionRef<void(std::uint64_t)> warrant) const;
  space::Selection joined(std::span<const Band> bands) const;
  using Choose = FunctionRef<space::RunSet(const space::RunSet&)>;
  void erase_pattern(const space::Slab& slab, std::span<const Asked> asked);
  void erase_pieces(const space::Selection& selection, std::span<Asked> asked);
  void erase_part(const Asked& one, std::uint64_t elements, Choose choose);
  void remove_chunk(index::ChunkCoordinates at);

  store::FileStore& store_;
  std::unique_ptr<index::ChunkIndex> index_;
  std::unique_ptr<const ChunkFormat> format_;
  std::optional<space::ChunkGrid> grid_;
  bool cuts_chunks_ = false;  ///< the extent does
  std::size_t element_bytes_;
  std::uint64_t chunk_bytes_;
  std::uint64_t image_bytes_;  ///< what an image may take; a guess
  bool reads_blank_;
  bool allocates_late_;
  std::function<void(const format::LayoutMessage&)> layout_changed_;
  std::function<void(Bytes, Bytes)> cut_off_;
  std::function<void(MutableBytes)> separate_;
  std::uint64_t told_revision_;
  ChunkCache& cache_;
  std::uint64_t owner_;
  mutable LookAhead look_ahead_{0};
  mutable std::once_flag blank_made_;
  mutable ImagePointer blank_;
};

}  // namespace filigree::chunk
