// SPDX-License-Identifier: Apache-2.0
#include "index/array_index.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "index/coordinates.hpp"
#include "index/extensible_array.hpp"
#include "index/fixed_array.hpp"
#include "index/record_location.hpp"

namespace filigree::index {

ArrayOrder::ArrayOrder(const std::vector<std::uint64_t>& max_counts)
    : counts_(max_counts), strides_(max_counts.size(), 1) {
  for (std::size_t d = 0; d < counts_.size(); ++d) {
    if (counts_[d] != format::unlimited) {
      dims_.push_back(d);
    } else if (!dims_.empty() && counts_[dims_.front()] == format::unlimited) {
      throw Error(ErrorKind::corrupt, "data layout: an array index supports only one unlimited dimension");
    } else {
      dims_.insert(dims_.begin(), d);
    }
  }
  for (auto d = dims_.rbegin(); d != dims_.rend(); ++d) {
    strides_[*d] = elements_;
    if (counts_[*d] != format::unlimited)
      elements_ = checked_multiply(elements_, counts_[*d], "the chunks of the maximum extent");
  }
}

std::optional<std::uint64_t> ArrayOrder::number(ChunkCoordinates at) const {
  std::uint64_t sum = 0;
  for (std::size_t d = 0; d < at.size(); ++d) {
    const auto part = try_multiply(at[d], strides_[d]);
    const auto next = part ? try_add(sum, *part) : std::nullopt;
    if (!next) return std::nullopt;
    sum = *next;
  }
  return sum;
}

std::uint64_t ArrayOrder::lower_bound(ChunkCoordinates at) const {
  std::vector<std::uint64_t> next(at.begin(), at.end());
  for (std::size_t d = 0; d < next.size(); ++d) {
    if (next[d] < counts_[d]) continue;
    // After the last chunk of its row, where the next row begins.
    next[d] = counts_[d];
    std::fill(next.begin() + d + 1, next.end(), 0);
    break;
  }
  return number(next).value_or(~std::uint64_t{0});
}

void ArrayOrder::coordinates(std::uint64_t number, std::span<std::uint64_t> at) const {
  for (const std::size_t d : dims_) {
    at[d] = number / strides_[d];
    number %= strides_[d];
  }
}

ArrayIndex::ArrayIndex(store::FileStore& store, const format::LayoutMessage& layout,
                       const DatasetFacts& facts)
    : ChunkIndex(store, layout, facts),
      order_(grid_.max_counts),
      record_layout_(record_layout(layout, facts.filtered, grid_.chunk_bytes, store.widths(), 0)) {
  const bool grows = std::count(grid_.max_counts.begin(), grid_.max_counts.end(), format::unlimited) != 0;
  if (grows != (layout.index == format::ChunkIndexType::extensible_array)) {
    throw Error(
        ErrorKind::corrupt,
        fmt::format("{}: the kind of chunk index does not fit a dataset that has {} unlimited dimension",
                    format::LayoutMessage::structure, grows ? "an" : "no"));
  }
  if (is_valid(layout.address)) open();
}

void ArrayIndex::open() {
  const bool extensible = layout().index == format::ChunkIndexType::extensible_array;
  if (layout().version >= 5) {
    const unsigned stored = extensible ? ExtensibleArray::stored_element_bytes(store_, layout().address)
                                       : FixedArray::stored_element_bytes(store_, layout().address);
    record_layout_ = stored_record_layout(record_layout_, stored, grid_.chunk_bytes, store_.widths());
  }
  format::ChunkRecord none;
  none.layout = record_layout_;
  ArrayElement elements{record_layout_.array_client(), format::encode(none, store_.widths())};
  if (extensible) {
    array_ = std::make_unique<ExtensibleArray>(store_, layout().address, std::move(elements));
  } else {
    array_ = std::make_unique<FixedArray>(store_, layout().address, std::move(elements), order_.elements());
  }
}

void ArrayIndex::allocate() {
  if (array_) return;
  store_.require_writable("create a chunk index");
  const ArrayElement elements{record_layout_.array_client(), Buffer(record_layout_.bytes(store_.widths()))};
  edit_layout().address =
      layout().index == format::ChunkIndexType::extensible_array
          ? ExtensibleArray::create(store_, elements, layout().extensible_array)
          : FixedArray::create(store_, elements, order_.elements(), layout().fixed_array_page_bits);
  open();
}

std::optional<ChunkLocation> ArrayIndex::location(const ArrayRun& run, std::uint64_t number) const {
  if (run.elements.empty()) return std::nullopt;
  const std::size_t bytes = record_layout_.bytes(store_.widths());
  const Bytes element = run.elements.subspan((number - run.first) * bytes, bytes);
  format::ChunkRecord record;
  record.layout = record_layout_;
  format::decode(record, element, store_.widths());
  if (!is_valid(record.address)) return std::nullopt;
  return record_location(record, grid_.chunk_bytes);
}

std::optional<ChunkLocation> ArrayIndex::do_find(ChunkCoordinates at) const {
  const auto number = order_.number(at);
  if (!number || *number >= array_->end()) return std::nullopt;
  return location(array_->run(*number), *number);
}

void ArrayIndex::do_find_many(std::span<const std::uint64_t> coordinates,
                              std::span<ChunkLocation> found) const {
  constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  std::vector<std::uint64_t> numbers(found.size(), nowhere);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ChunkCoordinates at = nth(coordinates, i);
    bool possible = true;
    for (std::size_t d = 0; d < at.size(); ++d) possible &= at[d] < grid_.max_counts[d];
    if (possible) numbers[i] = order_.number(at).value_or(nowhere);
  }
  const auto order = sort_permutation(found.size(), [&](auto a, auto b) { return numbers[a] < numbers[b]; });
  ArrayRun run;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t which = order.empty() ? i : order[i];
    const std::uint64_t number = numbers[which];
    if (number >= array_->end()) break;
    if (!run.holds(number)) run = array_->run(number);
    if (const auto one = location(run, number)) found[which] = *one;
  }
}

bool ArrayIndex::for_each_number(std::uint64_t first,
                                 FunctionRef<bool(std::uint64_t, const ChunkLocation&)> visitor) const {
  const std::uint64_t end = array_->end();
  for (std::uint64_t number = first; number < end;) {
    const ArrayRun run = array_->run(number);
    const std::uint64_t stop = std::min(end, run.end());
    for (; !run.elements.empty() && number < stop; ++number) {
      if (const auto one = location(run, number); one && !visitor(number, *one)) return false;
    }
    number = stop;
  }
  return true;
}

bool ArrayIndex::do_for_each(Visitor visitor, ChunkCoordinates from) const {
  if (order_.elements() == 0) return true;
  if (!order_.row_major()) return for_each_sorted(visitor, from);
  std::vector<std::uint64_t> at(grid_.rank());
  return for_each_number(order_.lower_bound(from), [&](std::uint64_t number, const ChunkLocation& location) {
    order_.coordinates(number, at);
    return visitor(at, location);
  });
}

/// If the unlimited dimension is not the first one, the order of the array is not the order of the visit: the
/// chunks are collected and sorted first.
bool ArrayIndex::for_each_sorted(Visitor visitor, ChunkCoordinates from) const {
  std::vector<std::uint64_t> coordinates;
  std::vector<ChunkLocation> locations;
  std::vector<std::uint64_t> at(grid_.rank());
  for_each_number(0, [&](std::uint64_t number, const ChunkLocation& location) {
    order_.coordinates(number, at);
    if (compare_coordinates(at, from) < 0) return true;
    coordinates.insert(coordinates.end(), at.begin(), at.end());
    locations.push_back(location);
    return true;
  });
  const auto order = sort_permutation(locations.size(), [&](auto a, auto b) {
    return compare_coordinates(nth(coordinates, a), nth(coordinates, b)) < 0;
  });
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const std::size_t which = order.empty() ? i : order[i];
    if (!visitor(nth(coordinates, which), locations[which])) return false;
  }
  return true;
}

void ArrayIndex::do_for_each_from_shrunk(const std::vector<std::uint64_t>& before, Visitor visitor) const {
  if (order_.elements() == 0) return;
  std::uint64_t first = ~std::uint64_t{0};
  for (std::size_t d = 0; d < before.size(); ++d) {
    if (grid_.counts[d] >= before[d]) continue;
    first = std::min(first, try_multiply(grid_.counts[d], order_.stride(d)).value_or(first));
  }
  std::vector<std::uint64_t> at(grid_.rank());
  for_each_number(first, [&](std::uint64_t number, const ChunkLocation& location) {
    order_.coordinates(number, at);
    return visitor(at, location);
  });
}

std::uint64_t ArrayIndex::get_number(ChunkCoordinates at) const {
  const auto number = order_.number(at);
  if (!number) {
    throw Error(ErrorKind::limit,
                fmt::format("chunk {} is beyond the capacity of an array index", coordinates_text(at)));
  }
  return *number;
}

void ArrayIndex::encode(const ChunkLocation& location, MutableBytes element) const {
  const format::ChunkRecord record = location_record(location, record_layout_);
  format::encode(record, element, store_.widths());
}

void ArrayIndex::write(std::uint64_t number, const ChunkLocation& location) {
  std::array<std::byte, format::ChunkRecordLayout::most_bytes> bytes;
  const MutableBytes element(bytes.data(), record_layout_.bytes(store_.widths()));
  encode(location, element);
  array_->write(number, element);
}

std::optional<ChunkLocation> ArrayIndex::do_insert(ChunkCoordinates at, const ChunkLocation& location) {
  const std::uint64_t number = get_number(at);
  const auto before = do_find(at);
  if (before != location) write(number, location);
  return before;
}

void ArrayIndex::do_insert_many(std::span<const std::uint64_t> coordinates,
                                std::span<const ChunkLocation> locations, std::size_t& done) {
  const std::size_t bytes = record_layout_.bytes(store_.widths());
  while (done < locations.size()) {
    const std::uint64_t first = get_number(nth(coordinates, done));
    std::size_t count = 1;
    while (done + count < locations.size() && get_number(nth(coordinates, done + count)) == first + count)
      ++count;
    Buffer elements(count * bytes);
    for (std::size_t i = 0; i < count; ++i)
      encode(locations[done + i], MutableBytes(elements).subspan(i * bytes, bytes));
    for (std::uint64_t number = first; number < first + count;) {
      const MutableBytes block = array_->edit(number, first + count - number);
      std::copy_n(elements.begin() + static_cast<std::ptrdiff_t>((number - first) * bytes), block.size(),
                  block.begin());
      number += block.size() / bytes;
      done += block.size() / bytes;
    }
  }
}

std::optional<ChunkLocation> ArrayIndex::do_remove(ChunkCoordinates at) {
  const auto before = do_find(at);
  if (before) write(get_number(at), ChunkLocation{});
  return before;
}

void ArrayIndex::do_destroy() {
  array_->destroy();
  array_.reset();
}

}  // namespace filigree::index
