// SPDX-License-Identifier: Apache-2.0
//
// Elements of sparse chunks one by one: between lists of places with their values and stored chunks, without
// sets and images in between.
#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/workspace.hpp"
#include "chunk/sparse/chunk_bands.hpp"
#include "chunk/sparse/chunk_questions.hpp"
#include "chunk/table/chunk_store.hpp"
#include "chunk/transfer/chunk_parts.hpp"

namespace filigree::chunk {
namespace {

/// Parts of rows that are looked at, beside so many for each element.
constexpr std::uint64_t most_row_parts = std::uint64_t{1} << 16, row_parts_an_element = 16;
/// Chunks that share a band which is taken apart at once.
constexpr std::uint64_t most_band_chunks = std::uint64_t{1} << 16;
/// Memory of a core in which the elements of a band are spread over its chunks.
constexpr std::size_t most_spread_bytes = std::size_t{1} << 20;
/// Elements that are in memory once more at a time, unless a band has more.
constexpr std::size_t most_group_points = std::size_t{1} << 20;

constexpr std::uint64_t word_bits = 64;
/// Rows of more elements are not walked along by bits.
constexpr std::uint64_t most_row_words = 256;

/// Elements of a row that are taken without asking.
constexpr std::size_t at_once = 4;
/// Such that never come.
constexpr std::array<std::uint32_t, at_once> none{~std::uint32_t{0}, ~std::uint32_t{0}, ~std::uint32_t{0},
                                                  ~std::uint32_t{0}};

/// Calls `work` with the size of elements, known to the compiler where it is a usual one.
template <class Work>
void with_size(std::size_t bytes, Work work) {
  switch (bytes) {
    case 1:
      return work(std::integral_constant<std::size_t, 1>());
    case 2:
      return work(std::integral_constant<std::size_t, 2>());
    case 4:
      return work(std::integral_constant<std::size_t, 4>());
    case 8:
      return work(std::integral_constant<std::size_t, 8>());
    default:
      return work(bytes);
  }
}

}  // namespace

bool ChunkStore::knows_points() const { return format_->knows_points(); }

/// Brings the elements of bands into the order of the extent.
class ChunkStore::PointReader {
 public:
  PointReader(const ChunkStore& store, const Values& values)
      : store_(store), values_(values), bands_(*store.grid_), no_values_(at_once * values.element_bytes) {}

  std::optional<std::uint64_t> claimed(const Asked& one) const {
    if (one.image) return store_.format_->defined(*one.image).elements();
    return store_.format_->claimed_points(form_of(one.location), one.location.stored_bytes,
                                          store_.whole(one.chunk));
  }

  /// Puts the elements of a band into `room`, which is for `claimed` ones; returns how many there are.
  std::uint64_t read(Band& band, std::uint64_t claimed, const Room& room) const {
    // Where most is defined, runs are long.
    const BandGrid::Band place = place_of(band);
    if (claimed > (place.end_place - place.first_place) / 2 ||
        bands_.row_parts() > most_row_parts + row_parts_an_element * claimed)
      return read_runs(band, claimed, room);
    std::vector<ChunkPoints> found;
    bool all_bits =
        bands_.width() % word_bits == 0 && bands_.sides() * bands_.width() <= most_row_words * word_bits;
    for (const Asked& one : band.chunks) {
      found.push_back(one.image ? points_of(*store_.format_, *one.image)
                                : store_.format_->decode_points(one.bytes, form_of(one.location),
                                                                store_.whole(one.chunk)));
      all_bits &= found.back().positions.bits && store_.whole(one.chunk);
    }
    if (!all_bits) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        list(found[i]);
        if (!store_.whole(band.chunks[i].chunk)) cut(band.chunks[i], found[i]);
      }
    }
    return order(band, found, all_bits, claimed, room);
  }

 private:
  BandGrid::Band place_of(const Band& band) const { return bands_.band_of_chunk(band.chunks.front().chunk); }

  static void check(std::uint64_t elements, std::uint64_t claimed) {
    if (elements > claimed) throw Error(ErrorKind::corrupt, "chunks define more elements than they claim");
  }

  /// By way of sets of runs, which take time for what there is, however little that is.
  std::uint64_t read_runs(Band& band, std::uint64_t claimed, const Room& room) const {
    store_.look_into(band, nullptr, &values_);
    check(band.places.elements(), claimed);
    std::uint64_t* to = room.places;
    for (std::size_t i = 0; i < band.places.runs(); ++i) {
      const space::Run run = band.places.run(i);
      for (std::uint64_t place = run.start; place < run.end(); ++place) *to++ = place;
    }
    std::ranges::copy(band.values, room.values);
    const std::uint64_t elements = band.places.elements();
    band.places = {};
    band.values = {};
    return elements;
  }

  [[noreturn]] static void refuse_count() {
    throw Error(ErrorKind::corrupt, "a chunk defines other elements than it has values");
  }

  /// Elements that are bits become a list.
  void list(ChunkPoints& points) const {
    const std::size_t values = points.values.size() / store_.element_bytes_;
    points.positions = {std::nullopt, filter::listed(std::move(points.positions), values)};
    if (points.positions.list.size() != values) refuse_count();
  }

  /// Takes away what the extent does not have.
  void cut(const Asked& one, ChunkPoints& points) const {
    std::vector<std::uint32_t>& positions = points.positions.list;
    const space::Frame &chunk = store_.grid_->chunk(), &extent = store_.grid_->extent();
    const std::size_t size = store_.element_bytes_;
    std::array<std::uint64_t, space::max_rank> at;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      chunk.coordinates(positions[i], at.data());
      bool inside = true;
      for (std::size_t d = 0; d < chunk.rank(); ++d)
        inside &= one.at[d] * chunk.dims()[d] + at[d] < extent.dims()[d];
      if (!inside) continue;
      positions[kept] = positions[i];
      if (kept != i) std::memcpy(points.values.data() + kept * size, points.values.data() + i * size, size);
      ++kept;
    }
    positions.resize(kept);
    points.values.resize(kept * size);
  }

  /// A chunk of a band, as far as it has been taken. Behind its elements stand some that never come.
  struct Cursor {
    const std::uint32_t* position;
    const std::byte* value;
    const std::uint64_t* words = nullptr;  ///< of all its elements, where they are bits
    std::size_t left = 0;                  ///< values, which count only for bits
  };

  std::uint64_t order(const Band& band, std::span<ChunkPoints> found, bool all_bits, std::uint64_t claimed,
                      const Room& room) const {
    std::vector<Cursor> cursors(static_cast<std::size_t>(bands_.chunks()), {none.data(), no_values_.data()});
    const BandGrid::Band place = place_of(band);
    std::uint64_t elements = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ChunkPoints& points = found[i];
      const std::size_t count = points.values.size() / store_.element_bytes_;
      elements += count;
      points.values = converted(std::move(points.values), count);
      points.values.resize(points.values.size() + at_once * values_.element_bytes);
      Cursor& cursor = cursors[static_cast<std::size_t>(band.chunks[i].chunk - place.first_chunk)];
      cursor.value = points.values.data();
      if (all_bits) {
        cursor.words = points.positions.bits->all_words().data();
        cursor.left = count;
      } else {
        points.positions.list.insert(points.positions.list.end(), none.begin(), none.end());
        cursor.position = points.positions.list.data();
      }
    }
    check(elements, claimed);
    with_size(values_.element_bytes, [&](auto size) {
      if (all_bits) {
        walk_bits(place, cursors, elements, room, size);
      } else {
        walk(place, cursors, elements, room, size);
      }
    });
    return elements;
  }

  /// Word by word. Which words of a few rows have elements is as good as random: they are found first,
  /// without a branch for each.
  template <class Size>
  void walk_bits(const BandGrid::Band& place, std::span<Cursor> cursors, std::uint64_t elements,
                 const Room& room, Size size) const {
    constexpr std::size_t most_rows = 16;
    const std::uint64_t row_elements = bands_.row_elements();
    const auto side_words = static_cast<std::uint32_t>(bands_.width() / word_bits);
    const auto sides = static_cast<std::uint32_t>(bands_.sides());
    struct Row {
      std::uint64_t place, chunk, first_word;
    };
    std::array<Row, most_rows> rows;
    std::array<std::uint32_t, most_rows * most_row_words> found;  // row, and word of the row
    std::array<std::uint8_t, most_row_words> side_of;
    for (std::uint32_t i = 0; i < sides * side_words; ++i)
      side_of[i] = static_cast<std::uint8_t>(i / side_words);
    BandGrid::Finder finder(bands_);
    Places to{room.places, room.places + elements, room.values};
    for (std::uint64_t next = place.first_place; next < place.end_place;) {
      std::size_t count = 0;
      for (std::uint32_t r = 0; r < most_rows && next < place.end_place; ++r, next += row_elements) {
        const BandGrid::Spot spot = finder.find(next - place.first_place);
        rows[r] = {next, spot.chunk, spot.chunk_offset / word_bits};
        for (std::uint32_t side = 0; side < sides; ++side) {
          const std::uint64_t* words = cursors[spot.chunk + side].words;
          if (words == nullptr) continue;
          words += rows[r].first_word;
          for (std::uint32_t i = 0; i < side_words; ++i) {
            found[count] = r << 16 | (side * side_words + i);
            count += words[i] != 0;
          }
        }
      }
      for (std::size_t i = 0; i < count; ++i) {
        const Row& row = rows[found[i] >> 16];
        const std::uint32_t word = found[i] & 0xffff, side = side_of[word];
        Cursor& cursor = cursors[row.chunk + side];
        take(row.place + word * word_bits, cursor.words[row.first_word + (word - side * side_words)], cursor,
             to, size);
      }
    }
    for (const Cursor& cursor : cursors)
      if (cursor.left != 0) refuse_count();
  }

  /// Where elements go.
  struct Places {
    std::uint64_t* next;
    std::uint64_t* end;
    std::byte* values;
  };

  template <class Size>
  void take(std::uint64_t place, std::uint64_t bits, Cursor& from, Places& to, Size size) const {
    std::uint64_t* next = to.next;
    const bool has_room = static_cast<std::size_t>(to.end - next) >= word_bits + at_once;
    if (has_room) {
      next = filter::note_bits<at_once>(next, place, bits);
    } else {
      for (; bits != 0 && next != to.end; bits &= bits - 1)
        *next++ = place + static_cast<unsigned>(std::countr_zero(bits));
      if (bits != 0) refuse_count();
    }
    const auto taken = static_cast<std::size_t>(next - to.next);
    if (taken > from.left) refuse_count();
    if (taken <= at_once && has_room && size <= sizeof(std::uint64_t)) {
      std::memcpy(to.values, from.value, at_once * size);
    } else {
      std::memcpy(to.values, from.value, taken * size);
    }
    to.next = next;
    to.values += taken * size;
    from.value += taken * size;
    from.left -= taken;
  }

  /// Row by row, and within a row from chunk to chunk. How many elements a chunk has in a row is as good as
  /// random, so that some are taken without asking, and count as far as they are in the row.
  template <class Size>
  void walk(const BandGrid::Band& place, std::span<Cursor> cursors, std::uint64_t elements, const Room& room,
            Size size) const {
    const std::uint64_t row_elements = bands_.row_elements(), width = bands_.width();
    BandGrid::Finder finder(bands_);
    std::uint64_t* to = room.places;
    std::uint64_t* const end = to + elements;
    std::byte* values = room.values;
    for (std::uint64_t row = place.first_place; row < place.end_place; row += row_elements) {
      const BandGrid::Spot spot = finder.find(row - place.first_place);
      for (std::uint64_t side = 0; side < bands_.sides(); ++side) {
        Cursor& cursor = cursors[spot.chunk + side];
        const std::uint64_t row_end = spot.chunk_offset + width,
                            first = row + side * width - spot.chunk_offset;
        std::size_t taken = at_once;
        while (taken == at_once) {
          const auto room_left = static_cast<std::size_t>(end - to);
          taken = 0;
          if (room_left >= at_once && size <= sizeof(std::uint64_t)) {
            for (std::size_t k = 0; k < at_once; ++k) {
              to[k] = first + cursor.position[k];
              taken += cursor.position[k] < row_end;
            }
            std::memcpy(values, cursor.value, at_once * size);
          } else {
            for (; taken < std::min(at_once, room_left) && cursor.position[taken] < row_end; ++taken) {
              to[taken] = first + cursor.position[taken];
              std::memcpy(values + taken * size, cursor.value + taken * size, size);
            }
          }
          to += taken;
          values += taken * size;
          cursor.position += taken;
          cursor.value += taken * size;
        }
      }
    }
    if (to != end) throw Error(ErrorKind::corrupt, "chunks define elements that they do not have");
  }

  Buffer converted(Buffer stored, std::size_t elements) const {
    if (values_.conversion.traits().copies) return stored;
    Buffer values(elements * values_.element_bytes);
    values_.conversion.apply(
        {stored.data(), store_.element_bytes_, values.data(), values_.element_bytes, elements},
        values_.context);
    return values;
  }

  const ChunkStore& store_;
  const Values& values_;
  const BandGrid bands_;
  Buffer no_values_;  ///< of chunks that have none
};

std::optional<std::uint64_t> ChunkStore::read_points(const Values& values,
                                                     FunctionRef<void(std::uint64_t)> warrant,
                                                     FunctionRef<Room(std::uint64_t)> room) const {
  std::vector<Asked> asked = ask(all_elements());
  std::vector<Band> bands = bands_of(asked);
  const PointReader reader(*this, values);
  std::vector<std::uint64_t> starts{0}, found(bands.size());
  for (const Band& band : bands) {
    std::uint64_t end = starts.back();
    for (const Asked& one : band.chunks) {
      const auto claimed = reader.claimed(one);
      if (!claimed) return std::nullopt;
      end = checked_add(end, *claimed, "the number of defined elements");
    }
    starts.push_back(end);
  }
  warrant(starts.back());
  const Room all = room(starts.back());
  const auto room_at = [&](std::uint64_t first) {
    return Room{all.places + first, all.values + first * values.element_bytes};
  };
  for_each_fetched(
      bands, true,
      [&](Band& band) {
        const auto i = static_cast<std::size_t>(&band - bands.data());
        found[i] = reader.read(band, starts[i + 1] - starts[i], room_at(starts[i]));
      },
      [](std::span<const Band>) {});
  // Chunks at the edge, and with elements named twice, have less than they claim.
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (elements != starts[i]) {
      const Room from = room_at(starts[i]), to = room_at(elements);
      std::memmove(to.places, from.places, found[i] * sizeof(std::uint64_t));
      std::memmove(to.values, from.values, found[i] * values.element_bytes);
    }
    elements += found[i];
  }
  return elements;
}

/// Makes chunks of bands.
class ChunkStore::PointWriter {
 public:
  PointWriter(const ChunkStore& store, std::span<const std::uint64_t> places, space::Run covered,
              const Values& values, const BandGrid& bands)
      : store_(store), places_(places), covered_(covered), values_(values), bands_(bands) {}

  /// What became of the elements of a band.
  struct Made {
    BandGrid::Band band;
    std::size_t first = 0, end = 0;  ///< of the list
    std::vector<Outgoing> outgoing{};
    std::vector<std::size_t> rest{};  ///< those of chunks that are there already, or not covered
  };

  /// Bands from `first` on, of so many elements that it is worth the trouble and not too much.
  std::vector<Made> next_group(std::size_t& first) const {
    std::vector<Made> group;
    for (const std::size_t begin = first; first < places_.size() && first - begin < most_group_points;) {
      const BandGrid::Band band = bands_.band_of_place(places_[first]);
      const auto end = std::lower_bound(places_.begin() + static_cast<std::ptrdiff_t>(first), places_.end(),
                                        band.end_place);
      group.push_back({band, first, static_cast<std::size_t>(end - places_.begin())});
      first = group.back().end;
    }
    return group;
  }

  void make(Made& made) const {
    const auto places = places_.subspan(made.first, made.end - made.first);
    const auto chunks = static_cast<std::size_t>(bands_.chunks());
    const std::size_t count = places.size(), size = store_.element_bytes_;
    const auto for_each_spot = [&](auto visit) {
      BandGrid::Finder finder(bands_);
      for (std::size_t i = 0; i < count; ++i) visit(i, finder.find(places[i] - made.band.first_place));
    };
    // Counting what goes to each chunk takes as long as bringing it there: where that is little, there is
    // room for everything in each.
    const bool is_little = count <= most_spread_bytes / chunks / (sizeof(std::uint32_t) + size);
    const std::size_t rooms = is_little ? chunks * count : count;
    Workspace room;
    MutableBytes rest = room.allocate(rooms * (sizeof(std::uint32_t) + size) + count * size +
                                      2 * chunks * sizeof(std::uint32_t) + 5 * Workspace::list_alignment);
    const auto starts = Workspace::allocate_list<std::uint32_t>(rest, chunks),
               ends = Workspace::allocate_list<std::uint32_t>(rest, chunks);
    const auto positions = Workspace::allocate_list<std::uint32_t>(rest, rooms);
    const auto sorted = Workspace::allocate_list<std::byte>(rest, rooms * size),
               stored = Workspace::allocate_list<std::byte>(rest, count * size);
    if (is_little) {
      for (std::size_t i = 0; i < chunks; ++i) starts[i] = static_cast<std::uint32_t>(i * count);
    } else {
      std::ranges::fill(ends, std::uint32_t{0});
      for_each_spot([&](std::size_t, const BandGrid::Spot& spot) { ++ends[spot.chunk]; });
      std::exclusive_scan(ends.begin(), ends.end(), starts.begin(), std::uint32_t{0});
    }
    std::ranges::copy(starts, ends.begin());
    const std::byte* const from = in_file_type(made, stored);
    with_size(size, [&](auto bytes) {
      for_each_spot([&](std::size_t i, const BandGrid::Spot& spot) {
        const std::size_t at = ends[spot.chunk]++;
        positions[at] = static_cast<std::uint32_t>(spot.chunk_offset);
        std::memcpy(sorted.data() + at * bytes, from + i * bytes, bytes);
      });
    });
    const auto others = encode(made, {starts, ends, positions, sorted});
    if (others.empty()) return;
    for_each_spot([&](std::size_t i, const BandGrid::Spot& spot) {
      if (std::ranges::binary_search(others, spot.chunk)) made.rest.push_back(made.first + i);
    });
  }

  /// Whether chunks have come to be there since they were made.
  bool are_there(std::span<const Outgoing> outgoing) const {
    std::vector<std::uint64_t> chunks(outgoing.size());
    std::ranges::transform(outgoing, chunks.begin(), &Outgoing::chunk);
    return std::ranges::any_of(found(chunks), [](char there) { return there != 0; });
  }

 private:
  const std::byte* in_file_type(const Made& made, std::span<std::byte> stored) const {
    const std::byte* const memory = values_.memory + made.first * values_.element_bytes;
    if (values_.conversion.traits().copies) return memory;
    std::ranges::fill(stored, std::byte{0});  // holes of compounds
    values_.conversion.apply(
        {memory, values_.element_bytes, stored.data(), store_.element_bytes_, made.end - made.first},
        values_.context);
    return stored.data();
  }

  std::vector<char> found(std::span<const std::uint64_t> chunks) const {
    const auto locations = store_.locate(chunks);
    std::vector<char> there(chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i)
      there[i] = is_valid(locations[i].address) || store_.cache_.contains(store_.key(chunks[i]));
    return there;
  }

  /// The elements of a band by their chunks.
  struct Sorted {
    std::span<const std::uint32_t> starts, ends;  ///< of each chunk in the lists
    std::span<const std::uint32_t> positions;
    Bytes values;
  };

  /// Returns the chunks, in the band, that have elements and cannot be made from them alone.
  std::vector<std::uint64_t> encode(Made& made, const Sorted& sorted) const {
    std::vector<std::uint64_t> touched, chunks, others;
    for (std::size_t i = 0; i < sorted.ends.size(); ++i) {
      if (sorted.ends[i] == sorted.starts[i]) continue;
      touched.push_back(i);
      chunks.push_back(made.band.first_chunk + i);
    }
    const bool is_covered = made.band.first_place >= covered_.start && made.band.end_place <= covered_.end();
    if (!is_covered) return touched;
    const auto there = found(chunks);
    const std::size_t size = store_.element_bytes_;
    for (std::size_t i = 0; i < touched.size(); ++i) {
      if (there[i] != 0) {
        others.push_back(touched[i]);
        continue;
      }
      const std::size_t first = sorted.starts[touched[i]], count = sorted.ends[touched[i]] - first;
      Outgoing& out = made.outgoing.emplace_back();
      out.chunk = chunks[i];
      out.stored = store_.format_->encode_points(sorted.positions.subspan(first, count),
                                                 sorted.values.subspan(first * size, count * size),
                                                 store_.whole(chunks[i]));
      out.set_bytes(out.stored.bytes);
    }
    return others;
  }

  const ChunkStore& store_;
  std::span<const std::uint64_t> places_;
  const space::Run covered_;
  const Values& values_;
  const BandGrid& bands_;
};

bool ChunkStore::write_points(std::span<const std::uint64_t> places, space::Run covered, const Values& values,
                              const Others& others) {
  const BandGrid bands(*grid_);
  const PointWriter writer(*this, places, covered, values, bands);
  // By way of sets: of the elements with these numbers in the list.
  const auto write_listed = [&](std::size_t count, auto number_at) {
    space::RunSetWriter in_file(count), in_memory(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t number = number_at(i);
      in_file.add({places[number], 1});
      in_memory.add({number, 1});
    }
    const auto file = space::Selection::of_runs(grid_->extent(), in_file.finish());
    const auto memory = space::Selection::of_runs(space::Frame({places.size()}), in_memory.finish());
    return write_groups(file, memory, values, true, {others.alone, &others});
  };
  const auto write_all = [&](std::size_t first, std::size_t end) {
    return write_listed(end - first, [&](std::size_t i) { return first + i; });
  };
  if (allocates_late_ || bands.chunks() > most_band_chunks || places.size() >> 32 != 0)
    return write_all(0, places.size());
  for (std::size_t first = 0, begin = 0; (begin = first) < places.size();) {
    auto group = writer.next_group(first);
    for_each(group.size(), true, [&](std::size_t i) { writer.make(group[i]); });
    std::vector<Outgoing> outgoing;
    std::vector<std::size_t> rest;
    for (PointWriter::Made& made : group) {
      std::ranges::move(made.outgoing, std::back_inserter(outgoing));
      rest.insert(rest.end(), made.rest.begin(), made.rest.end());
    }
    bool too_late = false;
    const auto store_made = [&] {
      too_late = writer.are_there(outgoing);
      if (too_late) return;
      store_chunks(outgoing);
      cache_.count_bypass(outgoing.size());
    };
    if (!outgoing.empty() && !others.alone(store_made)) return false;
    const auto write_rest = [&] { return write_listed(rest.size(), [&](std::size_t i) { return rest[i]; }); };
    if (too_late ? !write_all(begin, first) : !rest.empty() && !write_rest()) return false;
  }
  return true;
}

}  // namespace filigree::chunk
