// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/packed_selection.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "base/immortal.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"
#include "filter/packed_selection/list_codes.hpp"
#include "filter/packed_selection/selection_blob.hpp"
#include "filter/packed_selection/set_codes.hpp"

namespace filigree::filter {
namespace {

/// The encodings of the selected elements, as numbered in the file; 4 to 7, 9 and 10 are those of
/// SetEncoding.
enum class Encoding : std::uint8_t {
  stored = 0,
  whole = 1,
  regular = 2,
  grid = 3,
  elements = 4,
  runs = 5,
  traced = 6,
  holes = 7,
  list = 8,
  patches = 9,
  lines = 10,
};

constexpr std::uint8_t summed_bit = 0x80;
constexpr std::size_t sum_bytes = 4;

bool is_set(Encoding form) {
  return (form >= Encoding::elements && form <= Encoding::holes) || form == Encoding::patches ||
         form == Encoding::lines;
}

/// The most runs that a list of blocks is converted to: blocks of many equal rows are smaller as blocks.
constexpr std::uint64_t most_runs(std::uint64_t blocks) { return 4 * blocks + 64; }

/// The most boxes that the standard encoding can count.
std::uint64_t most_items(const BlobShape& shape) { return widest_word(4) / (8 * shape.rank()) - 1; }

/// The most elements or runs of a set that decodes to this many blocks or points.
std::uint64_t most_counted(const BlobShape& shape, std::uint64_t items) {
  return shape.kind == BlobKind::points ? 2 * items : 2 * most_runs(items);
}

std::uint64_t row_of(const BlobShape& shape) { return shape.rank() < 2 ? 0 : shape.dims.back(); }

void put_byte(Buffer& to, unsigned value) { to.push_back(static_cast<std::byte>(value)); }

unsigned width_code(unsigned bytes) { return static_cast<unsigned>(std::countr_zero(bytes)) - 1; }

/// The header before the elements.
Buffer write_head(const BlobShape& shape, Encoding form) {
  Buffer to;
  const bool same_max = shape.max == shape.dims;
  put_byte(to, static_cast<unsigned>(form) | (shape.summed ? summed_bit : 0));
  put_byte(to, (shape.extent_version - 1u) | shape.has_max << 1 | (shape.has_max && same_max) << 2 |
                   width_code(shape.length_bytes) << 3);
  put_byte(to, static_cast<unsigned>(shape.kind) | (shape.version - 1u) << 2 | width_code(shape.width) << 4 |
                   shape.regular << 6);
  put_byte(to, static_cast<unsigned>(shape.rank()));
  for (const std::uint64_t dim : shape.dims) put_varint(to, dim);
  if (shape.has_max && !same_max) {
    for (const std::uint64_t dim : shape.max) put_varint(to, (dim + 1) & widest_word(shape.length_bytes));
  }
  return to;
}

struct Head {
  Encoding form = Encoding::stored;
  BlobShape shape;
};

Head read_head(VarintReader& in) {
  Head head;
  BlobShape& shape = head.shape;
  const unsigned form = in.byte(), extent = in.byte(), selection = in.byte(), rank = in.byte();
  head.form = static_cast<Encoding>(form & ~unsigned{summed_bit});
  if (head.form > Encoding::lines) {
    throw Error(ErrorKind::corrupt,
                fmt::format("packed selection has form {}, which this release does not know",
                            form & ~unsigned{summed_bit}));
  }
  shape.summed = (form & summed_bit) != 0;
  shape.extent_version = static_cast<std::uint8_t>(1 + (extent & 1));
  shape.has_max = (extent & 2) != 0;
  const bool same_max = (extent & 4) != 0;
  shape.length_bytes = static_cast<std::uint8_t>(2u << (extent >> 3 & 3));
  shape.kind = static_cast<BlobKind>(selection & 3);
  shape.version = static_cast<std::uint8_t>(1 + (selection >> 2 & 3));
  shape.width = static_cast<std::uint8_t>(2u << (selection >> 4 & 3));
  shape.regular = (selection & 0x40) != 0;
  shape.dims.resize(std::min(rank, 33u));
  for (std::uint64_t& dim : shape.dims) dim = in.varint();
  if (shape.has_max) shape.max = shape.dims;
  if (shape.has_max && !same_max) {
    for (std::uint64_t& dim : shape.max) dim = (in.varint() - 1) & widest_word(shape.length_bytes);
  }
  const bool fits =
      head.form == Encoding::regular ? shape.regular : shape.listed() != (head.form == Encoding::whole);
  if (!is_known(shape) || !fits || head.form == Encoding::stored ||
      (head.form == Encoding::grid && shape.kind != BlobKind::hyperslab) || extent >> 5 != 0 ||
      selection >> 7 != 0) {
    throw Error(ErrorKind::corrupt, fmt::format("packed selection has an invalid header {:02x} {:02x} {:02x}",
                                                form, extent, selection));
  }
  return head;
}

void put_sum(Buffer& to) {
  const std::uint32_t sum = lookup3(to);
  to.resize(to.size() + sum_bytes);
  store_word(to.data() + to.size() - sum_bytes, sum, sum_bytes);
}

/// Whether all items are within the extent.
bool is_within(const Blob& blob) {
  const auto& dims = blob.shape.dims;
  const std::size_t rank = dims.size();
  const bool blocks = blob.shape.kind == BlobKind::hyperslab;
  for (std::size_t at = 0; at < blob.words.size(); at += rank) {
    for (std::size_t d = 0; d < rank; ++d) {
      if (blob.words[at + d] >= dims[d]) return false;
      if (blocks && at / rank % 2 == 1 && blob.words[at + d] < blob.words[at + d - rank]) return false;
    }
  }
  return true;
}

/// The set of a list, if the list is the canonical list of that set.
std::optional<Words> edges_of(const Blob& blob) {
  const BlobShape& shape = blob.shape;
  if (shape.kind == BlobKind::points) return edges_of_points(blob.words, shape.dims);
  if (!are_canonical(blob.words, shape.rank())) return std::nullopt;
  return edges_of_boxes(blob.words, shape.dims, most_runs(blob.words.size() / shape.item_words()));
}

Buffer write_grid(const BlobShape& shape, const BoxGrid& grid, std::uint64_t boxes) {
  Buffer to = write_head(shape, Encoding::grid);
  put_varint(to, boxes);
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    for (const Words* words : {&grid.start, &grid.stride, &grid.count, &grid.block}) {
      put_varint(to, (*words)[d]);
    }
  }
  return to;
}

Buffer write_set(const BlobShape& shape, const SetPlan& plan, std::uint64_t items) {
  Buffer to = write_head(shape, static_cast<Encoding>(plan.form));
  put_varint(to, items);
  write_set(to, plan);
  return to;
}

/// `edges` is the set of the items, if the items can be restored from it.
Buffer pack_items(const BlobShape& shape, WordSpan words, const std::optional<WordSpan>& edges) {
  const std::uint64_t items = words.size() / shape.item_words();
  const bool boxes = shape.kind == BlobKind::hyperslab;
  if (boxes) {
    if (const auto grid = grid_of_boxes(words, shape.rank())) return write_grid(shape, *grid, items);
  }
  std::optional<SetPlan> set;
  if (edges) {
    set = plan_set(*edges, *shape.elements(), row_of(shape));
    // Every block is one run, so no list of blocks takes fewer bits.
    if (edges->size() / 2 <= items) return write_set(shape, *set, items);
  }
  const ListPlan list = plan_list(words, shape.dims, boxes);
  if (set && set->bits <= list.bits) return write_set(shape, *set, items);
  Buffer to = write_head(shape, Encoding::list);
  put_varint(to, items);
  write_list(to, list);
  return to;
}

std::optional<Buffer> pack_blob(const Blob& blob) {
  const BlobShape& shape = blob.shape;
  if (shape.kind == BlobKind::none || shape.kind == BlobKind::all) return write_head(shape, Encoding::whole);
  if (shape.regular) {
    Buffer to = write_head(shape, Encoding::regular);
    for (const std::uint64_t word : blob.words) put_varint(to, (word + 1) & widest_word(shape.width));
    return to;
  }
  if (blob.words.empty() || shape.elements().value_or(0) == 0 || !is_within(blob)) return std::nullopt;
  const auto edges = edges_of(blob);
  return pack_items(shape, blob.words, edges ? std::optional<WordSpan>(*edges) : std::nullopt);
}

Words read_grid(VarintReader in, const BlobShape& shape, std::uint64_t boxes) {
  const std::size_t rank = shape.rank();
  BoxGrid grid{Words(rank), Words(rank), Words(rank), Words(rank)};
  for (std::size_t d = 0; d < rank; ++d) {
    for (Words* words : {&grid.start, &grid.stride, &grid.count, &grid.block}) (*words)[d] = in.varint();
  }
  return boxes_of_grid(grid, boxes);
}

Words read_regular(VarintReader in, const BlobShape& shape) {
  Words words(shape.item_words());
  for (std::uint64_t& word : words) word = (in.varint() - 1) & widest_word(shape.width);
  return words;
}

/// A packed selection whose header has been read and whose limits have been checked.
struct PackedSelectionReader {
  Head head;
  VarintReader body;
  std::uint64_t items = 0;
  std::uint64_t elements = 0;  ///< number of elements of the extent

  SetLimits set_limits() const { return {elements, row_of(head.shape), most_counted(head.shape, items)}; }
  Words edges() const { return read_set(body, static_cast<SetEncoding>(head.form), set_limits()); }
};

/// *Requires* another encoding than Encoding::stored.
PackedSelectionReader open(Bytes stored, std::size_t max_bytes) {
  check_holds(stored.size(), 1 + sum_bytes, "packed selection");
  const Bytes packed = stored.first(stored.size() - sum_bytes);
  const std::uint64_t sum = load_word(stored.data() + packed.size(), sum_bytes);
  if (!checksum_holds(sum, lookup3(packed))) {
    throw Error(
        ErrorKind::corrupt,
        fmt::format("packed selection of {} bytes does not match its checksum {:#010x}", stored.size(), sum));
  }
  PackedSelectionReader reader{{}, VarintReader(packed)};
  reader.head = read_head(reader.body);
  const BlobShape& shape = reader.head.shape;
  if (shape.listed()) {
    reader.items = reader.body.varint();
    reader.elements = shape.elements().value_or(0);
    if (reader.elements == 0) {
      throw Error(ErrorKind::corrupt, "packed selection has an extent of too many elements");
    }
  }
  check_fits(blob_bytes(shape, shape.regular ? 1 : reader.items), max_bytes);
  return reader;
}

Words words_of(const PackedSelectionReader& reader) {
  const BlobShape& shape = reader.head.shape;
  switch (reader.head.form) {
    case Encoding::stored:
    case Encoding::whole:
      return {};
    case Encoding::regular:
      return read_regular(reader.body, shape);
    case Encoding::grid:
      return read_grid(reader.body, shape, reader.items);
    case Encoding::elements:
    case Encoding::runs:
    case Encoding::traced:
    case Encoding::holes:
    case Encoding::patches:
    case Encoding::lines: {
      const Words edges = reader.edges();
      return shape.kind == BlobKind::points ? points_of_edges(edges, shape.dims, reader.items)
                                            : boxes_of_edges(edges, shape.dims, reader.items);
    }
    case Encoding::list:
      return read_list(reader.body, reader.items, shape.dims, shape.kind == BlobKind::hyperslab);
  }
  return {};
}

bool is_stored(Bytes stored) {
  check_holds(stored.size(), 1, "packed selection");
  return stored[0] == std::byte{0};
}

}  // namespace

Buffer pack_selection(Bytes unfiltered) {
  if (const auto blob = parse_blob(unfiltered)) {
    if (auto packed = pack_blob(*blob); packed && packed->size() + sum_bytes <= unfiltered.size()) {
      put_sum(*packed);
      return *std::move(packed);
    }
  }
  Buffer stored;
  stored.reserve(unfiltered.size() + 1);
  stored.push_back(std::byte{0});
  stored.insert(stored.end(), unfiltered.begin(), unfiltered.end());
  return stored;
}

Buffer unpack_selection(Bytes stored, std::size_t max_bytes) {
  if (is_stored(stored)) {
    check_fits(stored.size() - 1, max_bytes);
    return {stored.begin() + 1, stored.end()};
  }
  const PackedSelectionReader reader = open(stored, max_bytes);
  const BlobShape& shape = reader.head.shape;
  const Words words = words_of(reader);
  if (shape.listed() && words.size() != reader.items * shape.item_words()) {
    throw Error(ErrorKind::corrupt, fmt::format("packed selection has {} blocks or points, but declares {}",
                                                words.size() / shape.item_words(), reader.items));
  }
  return write_blob(shape, words);
}

std::optional<SelectionRuns> unpack_runs(Bytes stored, std::size_t max_bytes) {
  if (is_stored(stored)) return std::nullopt;
  const PackedSelectionReader reader = open(stored, max_bytes);
  const BlobShape& shape = reader.head.shape;
  if (reader.head.form == Encoding::whole && shape.kind == BlobKind::all) {
    const auto elements = shape.elements();
    if (!elements) return std::nullopt;
    return SelectionRuns{shape.dims, *elements == 0 ? Words{} : Words{0, *elements}};
  }
  if (!is_set(reader.head.form)) return std::nullopt;
  return SelectionRuns{shape.dims, reader.edges()};
}

std::optional<SelectionPoints> unpack_points(Bytes stored, std::size_t max_bytes, std::uint64_t points) {
  if (is_stored(stored)) return std::nullopt;
  const PackedSelectionReader reader = open(stored, max_bytes);
  const BlobShape& shape = reader.head.shape;
  if (!is_set(reader.head.form) || reader.elements >> 32 != 0) return std::nullopt;
  return SelectionPoints{shape.dims, read_set_points(reader.body, static_cast<SetEncoding>(reader.head.form),
                                                     reader.set_limits(), points)};
}

std::optional<SelectionBlocks> unpack_blocks(Bytes stored, std::size_t max_bytes, std::uint64_t points) {
  if (is_stored(stored)) return std::nullopt;
  const PackedSelectionReader reader = open(stored, max_bytes);
  if (!is_set(reader.head.form) || reader.elements >> 32 != 0) return std::nullopt;
  auto blocks =
      read_set_blocks(reader.body, static_cast<SetEncoding>(reader.head.form), reader.set_limits(), points);
  if (!blocks) return std::nullopt;
  return SelectionBlocks{reader.head.shape.dims, *std::move(blocks)};
}

namespace {

BlobShape summed_shape(WordSpan dims) {
  BlobShape shape;
  shape.summed = true;
  shape.dims.assign(dims.begin(), dims.end());
  shape.max = shape.dims;
  return shape;
}

/// Whether all runs have one length, as those of a regular hyperslab have.
bool are_equal_runs(WordSpan edges) {
  for (std::size_t i = 2; i < edges.size(); i += 2)
    if (edges[i + 1] - edges[i] != edges[1] - edges[0]) return false;
  return true;
}

/// Packs a set, if neither a regular hyperslab nor a list of its boxes can be smaller.
std::optional<PackedRuns> pack_scattered(const BlobShape& shape, WordSpan edges) {
  if (are_equal_runs(edges)) return std::nullopt;
  const auto items = count_boxes_by_rows(edges, shape.dims);
  const std::uint64_t runs = edges.size() / 2;
  if (!items || runs > 2 * *items || *items > most_items(shape)) return std::nullopt;
  return PackedRuns{write_set(shape, plan_set(edges, *shape.elements(), row_of(shape)), *items),
                    blob_bytes(shape, *items)};
}

}  // namespace

std::optional<PackedRuns> pack_runs(WordSpan dims, WordSpan edges) {
  const BlobShape shape = summed_shape(dims);
  const auto elements = shape.elements();
  if (!elements || edges.empty() || std::ranges::max(shape.dims) > widest_word(4)) return std::nullopt;
  if (edges[1] - edges[0] == *elements) return std::nullopt;
  if (auto scattered = pack_scattered(shape, edges)) {
    put_sum(scattered->stored);
    return scattered;
  }
  const Words boxes = boxes_of_edges(edges, shape.dims, edges.size() * shape.rank());
  const std::uint64_t items = boxes.size() / shape.item_words();
  if (items > most_items(shape)) return std::nullopt;
  const bool as_set = edges.size() / 2 <= most_runs(items);
  PackedRuns packed{pack_items(shape, boxes, as_set ? std::optional(edges) : std::nullopt),
                    blob_bytes(shape, items)};
  put_sum(packed.stored);
  return packed;
}

namespace {

/// Counts adjacent elements among ascending points.
struct Touching {
  std::uint64_t pairs = 0;
  std::uint64_t over_rows = 0;  ///< pairs whose second element may begin a row
};

Touching count_touching(std::span<const std::uint32_t> points, std::uint32_t row) {
  std::uint32_t pairs = 0, over_rows = 0;
  const std::uint32_t low = (row & -row) - 1;  // the low bits that are zero in multiples of the row
  for (std::size_t i = 1; i < points.size(); ++i) {
    const std::uint32_t touch = points[i] == points[i - 1] + 1;
    pairs += touch;
    over_rows += touch & static_cast<std::uint32_t>((points[i] & low) == 0);
  }
  return {pairs, over_rows};
}

/// Packs scattered elements that may form small groups, if neither a regular hyperslab nor a list of boxes
/// can be smaller.
std::optional<PackedRuns> pack_patched_points(const BlobShape& shape, std::span<const std::uint32_t> points) {
  constexpr std::uint64_t word_bits = 64;
  const std::uint64_t row = row_of(shape), end = *shape.elements();
  for (std::size_t d = 0; d + 2 < shape.rank(); ++d)
    if (shape.dims[d] != 1) return std::nullopt;
  if (row == 0 || row % word_bits != 0 || end > most_patched_elements) return std::nullopt;
  const Touching touching = count_touching(points, static_cast<std::uint32_t>(row));
  const std::uint64_t runs = points.size() - touching.pairs;
  // Runs of equal lengths may form a regular hyperslab.
  if (touching.over_rows != 0 || points.size() % runs == 0 || !may_be_patches(runs, points.size(), end))
    return std::nullopt;
  Bitmap set(end, row);
  for (const std::uint32_t point : points) set.set(point);
  const std::uint64_t items = runs - runs_in_repeated_rows(set, row);
  if (runs > 2 * items || items > most_items(shape)) return std::nullopt;
  auto patches = plan_patches(set, row, static_cast<std::size_t>(runs));
  std::optional<SetPlan> plan;
  if (patches && patches->bits <= about_line_bits(points, end, row))
    plan = choose_patches(*patches, {runs, points.size(), std::uint64_t{points.back()} + 1});
  if (!plan) plan = plan_set(edges_of(set), end, row, std::move(patches));
  return PackedRuns{write_set(shape, *plan, items), blob_bytes(shape, items)};
}

}  // namespace

std::optional<PackedRuns> pack_points(WordSpan dims, std::span<const std::uint32_t> points) {
  const BlobShape shape = summed_shape(dims);
  if (points.empty() || !shape.elements()) return std::nullopt;
  if (auto patched = pack_patched_points(shape, points)) {
    put_sum(patched->stored);
    return patched;
  }
  Words edges;
  edges.reserve(2 * points.size());
  for (const std::uint64_t point : points) {
    if (edges.empty() || edges.back() != point) {
      edges.push_back(point);
      edges.push_back(point + 1);
    } else {
      ++edges.back();
    }
  }
  return pack_runs(dims, edges);
}

namespace {

class BoundPackedSelection : public BoundFilter {
 public:
  Buffer encode(Bytes unfiltered) const override { return pack_selection(unfiltered); }
  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    return unpack_selection(stored, max_bytes);
  }
  bool skips_growth() const override { return true; }
};

class PackedSelection : public Filter {
 public:
  std::uint16_t id() const override { return packed_selection_id; }
  std::string_view name() const override { return "filigree packed selection"; }
  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t>,
                                          const ElementLayout&) const override {
    return std::make_unique<BoundPackedSelection>();
  }
};

}  // namespace

const Filter& packed_selection_filter() {
  static const Immortal<PackedSelection> filter;
  return *filter;
}

}  // namespace filigree::filter
