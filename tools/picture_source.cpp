// SPDX-License-Identifier: Apache-2.0
#include "picture_source.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "defined_rows.hpp"
#include "type_text.hpp"
#include "values.hpp"

namespace filigree::tools {

namespace {

constexpr std::uint64_t elements_at_once = 1u << 20;

Axes axes_of(const std::vector<SliceRange>& ranges) {
  std::vector<std::size_t> kept;
  for (std::size_t d = 0; d < ranges.size(); ++d)
    if (!ranges[d].dropped) kept.push_back(d);
  if (kept.size() != 2) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a picture has two dimensions, and this has {}; name a slice, such as [0, :, :]",
                            kept.size()));
  }
  if (ranges[kept[0]].count == 0 || ranges[kept[1]].count == 0)
    throw Error(ErrorKind::invalid_argument, "there are no elements");
  return {kept[0], kept[1]};
}

/// Enumerators are their numbers.
Datatype number_type(const Datatype& native) {
  return native.type_class() == TypeClass::enumeration ? native.base() : native;
}

}  // namespace

ElementSource::ElementSource(const Dataset& data, const std::vector<SliceRange>& ranges)
    : data_(data), ranges_(ranges), axes_(axes_of(ranges)) {}

void ElementSource::for_each_tile(const std::function<void(const Tile&)>& read) const {
  const std::uint64_t width = std::min(columns(), elements_at_once), height = elements_at_once / width;
  std::vector<SliceRange> part = ranges_;
  SliceRange& down = part[axes_.rows];
  SliceRange& across = part[axes_.columns];
  for (std::uint64_t row = 0; row < rows(); row += down.count) {
    down.start = ranges_[axes_.rows].at(row);
    down.count = std::min(height, rows() - row);
    for (std::uint64_t column = 0; column < columns(); column += across.count) {
      across.start = ranges_[axes_.columns].at(column);
      across.count = std::min(width, columns() - column);
      read({row, column, across.count, to_selection(part)});
    }
  }
}

void ElementSource::visit_values(const Visit& visit) const {
  require_numbers();
  const bool sparse = data_.dataset_info().sparse;
  for_each_tile([&](const Tile& tile) {
    sparse ? visit_defined_values(tile.selection, visit) : visit_all_values(tile, visit);
  });
}

void ElementSource::visit_defined(const Visit& visit) const {
  for_each_tile([&](const Tile& tile) {
    const Selection found = data_.defined(tile.selection).within(data_.space().dims());
    if (found.elements() == 0) return;
    const std::vector<std::uint64_t> at = found.coordinates();
    for (std::size_t i = 0; i < at.size(); i += ranges_.size())
      visit(index(axes_.rows, at.data() + i), index(axes_.columns, at.data() + i), 1);
  });
}

void ElementSource::require_numbers() const {
  const Datatype type = number_type(Elements(data_.datatype()).type());
  const TypeClass kind = type.type_class();
  const std::vector<std::byte> zero(type.size());
  if ((kind == TypeClass::integer || kind == TypeClass::floating_point) && as_double(type, zero.data()))
    return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("elements of type {} have no colours; --defined and --chunks show any dataset",
                          type_text(data_.datatype())));
}

void ElementSource::visit_all_values(const Tile& tile, const Visit& visit) const {
  const Elements elements(data_, tile.selection);
  const Datatype type = number_type(elements.type());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    visit(tile.row + i / tile.width, tile.column + i % tile.width,
          as_double(type, elements.at(i)).value_or(NAN));
  }
}

void ElementSource::visit_defined_values(const Selection& part, const Visit& visit) const {
  const DefinedRows found(data_, part);
  const Elements& values = found.values();
  const Datatype type = number_type(values.type());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::vector<std::uint64_t> at = found.coordinates(i);
    visit(index(axes_.rows, at.data()), index(axes_.columns, at.data()),
          as_double(type, values.at(i)).value_or(NAN));
  }
}

std::uint64_t ElementSource::index(std::size_t dimension, const std::uint64_t* coordinates) const {
  return (coordinates[dimension] - ranges_[dimension].start) / ranges_[dimension].step;
}

ChunkSource::ChunkSource(const Dataset& data, const std::vector<SliceRange>& ranges)
    : data_(data), ranges_(ranges), axes_(axes_of(ranges)), chunk_(data.dataset_info().chunk) {
  if (chunk_.empty()) throw Error(ErrorKind::wrong_type, "the dataset has no chunks");
}

std::uint64_t ChunkSource::count(std::size_t d) const {
  return ranges_[d].at(ranges_[d].count - 1) / chunk_[d] - first(d) + 1;
}

void ChunkSource::visit(const Visit& visit) const {
  data_.for_each_chunk(
      [&](const ChunkInfo& info) {
        visit(info.offset[axes_.rows] / chunk_[axes_.rows] - first(axes_.rows),
              info.offset[axes_.columns] / chunk_[axes_.columns] - first(axes_.columns),
              static_cast<double>(info.stored_bytes));
        return true;
      },
      to_selection(ranges_));
}

}  // namespace filigree::tools
