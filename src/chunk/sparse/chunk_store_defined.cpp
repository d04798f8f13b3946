// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a dataset are defined, and making them undefined. All of it goes with the chunks that
// there are, however large the extent is.
#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "base/workspace.hpp"
#include "chunk/format/sparse_image.hpp"
#include "chunk/sparse/chunk_bands.hpp"
#include "chunk/sparse/chunk_questions.hpp"
#include "chunk/sparse/chunk_rows.hpp"
#include "chunk/table/chunk_store.hpp"
#include "chunk/transfer/chunk_parts.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Up to so many chunks are looked for one by one; more are taken from a walk along the index.
constexpr std::uint64_t few_chunks = 4096;
using Coordinates = std::vector<std::uint64_t>;

/// The chunks that the bounds of a selection touch; both corners belong to it.
struct ChunkBox {
  Coordinates first;
  Coordinates last;

  std::uint64_t chunks() const {
    std::uint64_t product = 1;
    for (std::size_t d = 0; d < first.size(); ++d)
      product = try_multiply(product, last[d] - first[d] + 1).value_or(~std::uint64_t{0});
    return product;
  }
  bool contains(index::ChunkCoordinates at) const {
    for (std::size_t d = 0; d < first.size(); ++d)
      if (at[d] < first[d] || at[d] > last[d]) return false;
    return true;
  }
  /// Of one chunk after the other, in ascending order.
  Coordinates each() const {
    Coordinates all;
    all.reserve(static_cast<std::size_t>(chunks()) * first.size());
    for (Coordinates at = first;;) {
      all.insert(all.end(), at.begin(), at.end());
      std::size_t d = at.size();
      while (d-- > 0 && ++at[d] > last[d]) at[d] = first[d];
      if (d == ~std::size_t{0}) return all;
    }
  }
};

ChunkBox touched(const space::ChunkGrid& grid, const space::Bounds& bounds) {
  ChunkBox box;
  for (std::size_t d = 0; d < grid.chunk().rank(); ++d) {
    box.first.push_back(bounds.low[d] / grid.chunk().dims()[d]);
    box.last.push_back(bounds.high[d] / grid.chunk().dims()[d]);
  }
  return box;
}

std::uint64_t elements_of(const space::Bounds& box) {
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < box.low.size(); ++d) elements *= box.high[d] - box.low[d] + 1;
  return elements;
}

/// Room behind values, so that a few may be copied without asking how many.
constexpr std::size_t slack = 16;

/// Copies so many bytes, and perhaps some of the slack.
void copy_few(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes <= slack) {
    std::memcpy(to, from, slack);
  } else {
    std::memcpy(to, from, bytes);
  }
}

/// More chunks than that side by side are better merged than looked at row by row.
constexpr std::size_t most_beside = 64;

bool is_box(const space::Selection& selection, const space::Bounds& bounds) {
  return selection.is_set() && elements_of(bounds) == selection.elements();
}

/// A pattern of more runs than that is asked for what is defined instead of being walked along: it may have
/// any number of them.
constexpr std::uint64_t many_runs = std::uint64_t{1} << 20;

bool is_large_pattern(const space::Selection& selection) {
  return selection.kind() == space::Selection::Kind::regular && selection.run_count() > many_runs;
}

}  // namespace

void ChunkStore::for_each_touched(const space::Selection& selection, See see) const {
  const auto bounds = selection.bounds();
  if (!bounds) return;
  const ChunkBox box = touched(*grid_, *bounds);
  // What is dirty is newer than the file, and may not be there yet.
  const auto dirty = cache_.dirty_chunks(owner_);
  Coordinates at(box.first.size());
  for (const std::uint64_t chunk : dirty) {
    grid_->chunks().coordinates(chunk, at.data());
    if (box.contains(at)) see(at, {}, cache_.find(key(chunk)));
  }
  const auto in_file = [&](index::ChunkCoordinates place, const index::ChunkLocation& location) {
    if (!std::ranges::binary_search(dirty, grid_->chunks().offset(place))) see(place, location, nullptr);
  };
  if (box.chunks() > few_chunks) {
    index_->for_each(
        [&](index::ChunkCoordinates place, const index::ChunkLocation& location) {
          // Chunks beyond the extent are no part of the dataset, whatever an index may hold.
          if (box.contains(place) && index_->grid().inside(place)) in_file(place, location);
          return !std::ranges::lexicographical_compare(box.last, place);
        },
        box.first);
    return;
  }
  const Coordinates wanted = box.each();
  std::vector<index::ChunkLocation> found(wanted.size() / at.size());
  index_->find(wanted, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_valid(found[i].address)) in_file(std::span(wanted).subspan(i * at.size(), at.size()), found[i]);
  }
}

/// What is in the cache is not looked for in the file.
std::vector<ChunkStore::Asked> ChunkStore::ask_few(std::span<const std::uint64_t> coordinates) const {
  const std::size_t rank = grid_->chunks().rank(), count = coordinates.size() / rank;
  const auto nth = [&](std::size_t i) { return coordinates.subspan(i * rank, rank); };
  std::vector<std::uint64_t> chunks(count);
  for (std::size_t i = 0; i < count; ++i) chunks[i] = grid_->chunks().offset(nth(i));
  auto images = cache_.find_held(owner_, chunks);
  Coordinates others;
  for (std::size_t i = 0; i < count; ++i)
    if (!images[i]) others.insert(others.end(), nth(i).begin(), nth(i).end());
  std::vector<index::ChunkLocation> found(others.size() / rank);
  index_->find(others, found);
  std::vector<Asked> asked;
  asked.reserve(count);
  std::size_t missed = 0;
  for (std::size_t i = 0, next = 0; i < count; ++i) {
    index::ChunkLocation location;
    if (!images[i]) location = found[next++];
    if (!images[i] && !is_valid(location.address)) continue;
    missed += !images[i];
    asked.push_back({chunks[i], {nth(i).begin(), nth(i).end()}, location, std::move(images[i]), {}});
  }
  cache_.count_misses(missed);
  return asked;
}

std::vector<ChunkStore::Asked> ChunkStore::ask(const space::Selection& selection) const {
  const auto bounds = selection.bounds();
  if (!bounds) return {};
  if (const ChunkBox box = touched(*grid_, *bounds); box.chunks() <= few_chunks) return ask_few(box.each());
  std::vector<Asked> asked;
  for_each_touched(selection, [&](index::ChunkCoordinates at, const index::ChunkLocation& location,
                                  const ImagePointer& newer) {
    const std::uint64_t chunk = grid_->chunks().offset(at);
    asked.push_back({chunk, {at.begin(), at.end()}, location, newer ? newer : cache_.find(key(chunk)), {}});
  });
  std::ranges::sort(asked, {}, &Asked::chunk);
  return asked;
}

std::vector<ChunkStore::Band> ChunkStore::bands_of(std::span<Asked> asked) const {
  const std::uint64_t along = BandGrid(*grid_).chunks();
  std::vector<Band> bands;
  for (std::size_t first = 0, end = 0; first < asked.size(); first = end) {
    while (end < asked.size() && asked[end].chunk / along == asked[first].chunk / along) ++end;
    bands.push_back({asked.subspan(first, end - first)});
  }
  return bands;
}

/// One request for all that is not in the cache: with values the chunks, otherwise what says what is defined.
void ChunkStore::fetch(std::span<Band> bands, bool with_values, Workspace& room) const {
  const auto part_of = [&](const Asked& one) {
    if (one.image) return space::Run{};
    if (with_values) return space::Run{0, one.location.stored_bytes};
    return format_->defined_part(form_of(one.location), one.location.stored_bytes);
  };
  std::uint64_t bytes = 0;
  for (const Band& band : bands)
    for (const Asked& one : band.chunks) bytes += part_of(one).length;
  MutableBytes rest = room.allocate(static_cast<std::size_t>(bytes));
  std::vector<io::ReadExtent> extents;
  for (Band& band : bands) {
    for (Asked& one : band.chunks) {
      const space::Run part = part_of(one);
      one.bytes = rest.first(part.length);
      if (part.length > 0)
        add_extent(extents, to_number(one.location.address) + part.start, rest.first(part.length));
      rest = rest.subspan(part.length);
    }
  }
  if (!extents.empty()) store_.read_raw(Address{0}, extents);
}

void ChunkStore::for_each_fetched(std::span<Band> bands, bool with_values, FunctionRef<void(Band&)> work,
                                  FunctionRef<void(std::span<const Band>)> then) const {
  for (std::size_t first = 0, end = 0; first < bands.size(); first = end) {
    std::uint64_t bytes = 0;
    while (end < bands.size() && (end == first || bytes < most_fetched_bytes)) bytes += bands[end++].weight();
    const auto some = bands.subspan(first, end - first);
    for_each_batch(
        some, true, [](const Band& band) { return band.weight(); },
        [&](std::span<Band> batch) {
          Workspace room;
          fetch(batch, with_values, room);
          for (Band& band : batch) work(band);
        });
    then(some);
  }
}

/// What one chunk of a band has: its elements, and their values from `first` on.
struct ChunkStore::Found {
  space::RunSet elements{};
  std::uint64_t first = 0;
};

/// `box`, where given, is what is wanted of the extent.
void ChunkStore::look_into(Band& band, const space::Bounds* box, const Values* values) const {
  std::vector<Found> found;
  Buffer found_values;
  std::uint64_t elements = 0;
  for (const Asked& one : band.chunks) {
    const StoredForm form = form_of(one.location);
    ImagePointer image = one.image;
    if (!image && values != nullptr) image = format_->decode(one.bytes, form, whole(one.chunk));
    const space::RunSet all =
        image ? format_->defined(*image)
              : format_->decode_defined(one.bytes, form, one.location.stored_bytes, whole(one.chunk));
    const space::RunSet part =
        box == nullptr ? all : elements_in_box(grid_->chunk(), all, box_in_chunk(*grid_, one.at, *box));
    found.push_back({part, elements});
    elements += part.elements();
    if (values == nullptr) continue;
    append_values(*image, all, part, *values, found_values);
    // Who reads everything is not likely to come back soon.
    if (box != nullptr && !one.image) cache_.put(key(one.chunk), std::move(image), false);
  }
  found_values.resize(found_values.size() + slack);
  if (are_rows_in_order(*grid_) && found.size() <= most_beside) {
    bring_into_order_by_rows(band, found, found_values, values == nullptr ? 0 : values->element_bytes);
  } else {
    bring_into_order(band, found, found_values, values == nullptr ? 0 : values->element_bytes);
  }
}

void ChunkStore::bring_into_order(Band& band, std::span<const Found> found, Bytes values,
                                  std::size_t element_bytes) const {
  std::vector<PlacedRun> places;
  std::vector<std::size_t> ends{0};
  for (std::size_t i = 0; i < found.size(); ++i) {
    append_places(*grid_, band.chunks[i].at, found[i].elements, found[i].first, places);
    ends.push_back(places.size());
  }
  merge_places(places, std::move(ends));
  space::RunSetWriter writer(places.size());
  for (const PlacedRun& run : places) writer.add({run.place, run.length});
  band.places = writer.finish();
  if (element_bytes == 0) return;
  const auto bytes = static_cast<std::size_t>(band.places.elements()) * element_bytes;
  band.values.resize(bytes + slack);
  std::byte* to = band.values.data();
  for (const PlacedRun& run : places) {
    copy_few(to, values.data() + run.rank * element_bytes, run.length * element_bytes);
    to += run.length * element_bytes;
  }
  band.values.resize(bytes);
}

/// The same where the elements of the chunks alternate from row to row, which is much faster.
void ChunkStore::bring_into_order_by_rows(Band& band, std::span<const Found> found, Bytes values,
                                          std::size_t element_bytes) const {
  std::vector<ChunkBeside> beside;
  std::vector<const std::byte*> from;
  std::uint64_t elements = 0, runs = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    beside.push_back({band.chunks[i].at, found[i].elements.edges()});
    from.push_back(values.data() + found[i].first * element_bytes);
    elements += found[i].elements.elements();
    runs += found[i].elements.runs();
  }
  if (element_bytes == 0) {
    if (auto places = places_of_rows(*grid_, beside)) {
      band.places = std::move(*places);
      return;
    }
  }
  band.values.resize(static_cast<std::size_t>(elements) * element_bytes + slack);
  std::byte* to = band.values.data();
  space::RunSetWriter writer(runs);
  for_each_row(*grid_, beside, [&](std::size_t i, space::Run run, std::uint64_t kept) {
    if (kept != 0) {
      writer.add({run.start, kept});
      copy_few(to, from[i], kept * element_bytes);
      to += kept * element_bytes;
    }
    from[i] += run.length * element_bytes;
  });
  band.places = writer.finish();
  band.values.resize(static_cast<std::size_t>(to - band.values.data()));
}

/// Values of the elements `part` of `all` that the image has.
void ChunkStore::append_values(const ChunkImage& image, const space::RunSet& all, const space::RunSet& part,
                               const Values& values, Buffer& found) const {
  const std::size_t before = found.size();
  found.resize(before + static_cast<std::size_t>(part.elements()) * values.element_bytes);
  const auto taken = part == all ? std::vector<Stretch>{{0, 0, all.elements()}} : stretches(part, all);
  format_->for_each_value(image, [&](Bytes stored) {
    for (const Stretch& stretch : taken) {
      values.conversion.apply({stored.data() + stretch.whole_rank * element_bytes_, element_bytes_,
                               found.data() + before + stretch.part_rank * values.element_bytes,
                               values.element_bytes, stretch.length},
                              values.context);
    }
  });
}

std::vector<ChunkStore::Band> ChunkStore::find_defined(std::span<Asked> asked, const space::Bounds* box,
                                                       const Values* values,
                                                       FunctionRef<void(std::uint64_t)> warrant) const {
  std::vector<Band> bands = bands_of(asked);
  std::uint64_t elements = 0;
  for_each_fetched(
      bands, values != nullptr, [&](Band& band) { look_into(band, box, values); },
      [&](std::span<const Band> some) {
        for (const Band& band : some) elements += band.places.elements();
        warrant(elements);
      });
  return bands;
}

space::Selection ChunkStore::joined(std::span<const Band> bands) const {
  std::uint64_t runs = 0;
  for (const Band& band : bands) runs += band.places.runs();
  space::RunSetWriter writer(runs);
  for (const Band& band : bands) writer.add(band.places);
  return space::Selection::of_runs(grid_->extent(), writer.finish());
}

space::Selection ChunkStore::defined_elements(const space::Selection& selection) const {
  const auto bounds = selection.bounds();
  if (!bounds) return space::Selection::none(grid_->extent());
  std::vector<Asked> asked = ask(selection);
  const bool all_wanted = selection.kind() == space::Selection::Kind::all;
  const bool box_wanted = !all_wanted && is_box(selection, *bounds);
  const auto all =
      joined(find_defined(asked, box_wanted ? &*bounds : nullptr, nullptr, [](std::uint64_t) {}));
  if (all_wanted || box_wanted) return all;
  if (is_large_pattern(selection) && selection.run_count() > all.run_count()) {
    const Coordinates origin(grid_->extent().rank(), 0);
    return space::Selection::of_runs(grid_->extent(),
                                     elements_in_slab(grid_->extent(), all.runs(), origin, selection.slab()));
  }
  const auto wanted =
      selection.is_set() ? selection : space::Selection::of_runs(selection.frame(), selection.runs());
  return space::combine(wanted, space::SetOperator::intersect, all);
}

bool ChunkStore::reads_defined_at_once(const space::Selection& selection) const {
  if (selection.kind() == space::Selection::Kind::all) return true;
  const auto bounds = selection.bounds();
  return bounds && is_box(selection, *bounds) && !format_->finds_values(true) &&
         !format_->finds_values(false);
}

space::Selection ChunkStore::read_defined(const space::Selection& selection, Values values,
                                          FunctionRef<void(std::uint64_t)> warrant,
                                          FunctionRef<std::byte*(std::uint64_t)> room) const {
  std::vector<Asked> asked = ask(selection);
  const auto bounds = selection.bounds();
  const bool all_wanted = selection.kind() == space::Selection::Kind::all;
  const auto bands = find_defined(asked, all_wanted ? nullptr : &*bounds, &values, warrant);
  std::vector<std::size_t> starts{0};
  for (const Band& band : bands) starts.push_back(starts.back() + band.values.size());
  values.memory = room(starts.back() / values.element_bytes);
  for_each(bands.size(), true,
           [&](std::size_t i) { std::ranges::copy(bands[i].values, values.memory + starts[i]); });
  return joined(bands);
}

void ChunkStore::erase(const space::Selection& selection) {
  const auto bounds = selection.bounds();
  if (!bounds) return;
  std::vector<Asked> asked;
  for_each_touched(selection, [&](index::ChunkCoordinates at, const index::ChunkLocation& location,
                                  const ImagePointer& newer) {
    asked.push_back({grid_->chunks().offset(at), {at.begin(), at.end()}, location, newer, {}});
  });
  if (is_large_pattern(selection)) return erase_pattern(selection.slab(), asked);
  if (!is_box(selection, *bounds)) return erase_pieces(selection, asked);
  for (const Asked& one : asked) {
    const space::Bounds box = box_in_chunk(*grid_, one.at, *bounds);
    erase_part(one, elements_of(box),
               [&](const space::RunSet& has) { return elements_in_box(grid_->chunk(), has, box); });
  }
}

void ChunkStore::erase_pattern(const space::Slab& slab, std::span<const Asked> asked) {
  for (const Asked& one : asked) {
    Coordinates corner(one.at.begin(), one.at.end());
    for (std::size_t d = 0; d < corner.size(); ++d) corner[d] *= grid_->chunk().dims()[d];
    erase_part(one, 0,
               [&](const space::RunSet& has) { return elements_in_slab(grid_->chunk(), has, corner, slab); });
  }
}

void ChunkStore::erase_pieces(const space::Selection& selection, std::span<Asked> asked) {
  std::ranges::sort(asked, {}, &Asked::chunk);
  std::vector<space::RunSet> unwanted(asked.size());
  const space::Selection places = space::Selection::all(space::Frame({selection.elements()}));
  space::Partition partition(*grid_, selection, places);
  for (std::vector<space::ChunkPiece> pieces; partition.next_batch(pieces);) {
    for (const space::ChunkPiece& piece : pieces) {
      const auto one = std::ranges::lower_bound(asked, piece.chunk, {}, &Asked::chunk);
      if (one == asked.end() || one->chunk != piece.chunk) continue;
      std::vector<space::Run> runs;
      for (const space::ChunkRun& run : piece.runs) runs.push_back({run.chunk_offset, run.length});
      space::RunSet& set = unwanted[static_cast<std::size_t>(one - asked.begin())];
      set = space::combine(set, space::SetOperator::unite, space::RunSet::of_runs(std::move(runs)));
    }
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!unwanted[i].empty())
      erase_part(asked[i], unwanted[i].elements(), [&](const space::RunSet&) { return unwanted[i]; });
  }
}

/// `choose` says which of the defined elements go; `elements` is how many of the chunk are meant, 0 when that
/// is not known.
void ChunkStore::erase_part(const Asked& one, std::uint64_t elements, Choose choose) {
  if (elements == elements_inside(one.chunk)) return remove_chunk(one.at);
  std::array<Wanted, 1> wanted{{{one.chunk, one.location, whole(one.chunk), false, nullptr, one.image}}};
  if (!one.image) load(wanted, nullptr);
  const space::RunSet unwanted = choose(format_->defined(*wanted[0].image));
  if (unwanted.empty()) return;
  auto changed = format_->copy(*wanted[0].image);
  format_->erase(*changed, unwanted);
  if (format_->empty(*changed)) return remove_chunk(one.at);
  cache_.put_dirty(key(one.chunk), std::move(changed));
}

void ChunkStore::remove_chunk(index::ChunkCoordinates at) {
  const auto removed = index_->remove(at);
  cache_.forget(key(grid_->chunks().offset(at)));
  if (removed && is_valid(removed->address))
    store_.space().release(store::SpaceKind::raw, removed->address, removed->stored_bytes);
  tell_layout();
}

}  // namespace filigree::chunk
