// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/fields.hpp"
#include "model/dataset/storage.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {

using format::DataspaceKind;
using format::LayoutClass;
using format::TypeClass;
using format::unlimited;

namespace {

/// File offsets are signed 64-bit numbers.
constexpr std::uint64_t largest_position = ~std::uint64_t{0} >> 1;
/// The size of a layout message without the elements.
constexpr std::uint64_t compact_prefix_bytes = 4;
/// The size of a fill value message without the value, in its longest version.
constexpr std::uint64_t fill_prefix_bytes = 8;

void require(bool holds, const char* what) {
  if (!holds) throw Error(ErrorKind::invalid_argument, what);
}

const std::vector<std::uint64_t>& max_dims(const NewDataset& made) {
  return made.space.max_dims ? *made.space.max_dims : made.space.dims;
}

/// Returns the first extensible dimension from `from` on, or the rank.
std::size_t find_extendible(const NewDataset& made, std::size_t from = 0) {
  const auto& most = max_dims(made);
  for (std::size_t i = from; i < made.space.dims.size(); ++i) {
    if (most[i] > made.space.dims[i]) return i;
  }
  return made.space.dims.size();
}

[[noreturn]] void refuse_extendible(const NewDataset& made, std::size_t dim, const char* why) {
  const std::uint64_t most = max_dims(made)[dim];
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("dimension {} has {} elements and may grow to {}, but {}", dim, made.space.dims[dim],
                  most == unlimited ? "any number" : std::to_string(most), why));
}

void check_space(const format::DataspaceMessage& space) {
  if (space.kind != DataspaceKind::simple) {
    return require(space.dims.empty() && (!space.max_dims || space.max_dims->empty()),
                   "a scalar or null dataspace has no dimensions");
  }
  require(!space.dims.empty(), "a simple dataspace needs at least one dimension");
  if (space.dims.size() > format::max_rank) {
    throw Error(ErrorKind::limit, fmt::format("{} dimensions are more than the {} that a dataset can have",
                                              space.dims.size(), format::max_rank));
  }
  require(!space.max_dims || space.max_dims->size() == space.dims.size(),
          "as many maximum dimensions as dimensions are needed");
  for (std::size_t i = 0; i < space.dims.size(); ++i) {
    require(space.dims[i] != unlimited, "only the maximum of a dimension can be unlimited");
    if (space.max_dims && (*space.max_dims)[i] < space.dims[i]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("dimension {} has {} elements, more than its maximum of {}", i, space.dims[i],
                              (*space.max_dims)[i]));
    }
  }
}

void check_fill(const NewDataset& made) {
  using format::FillState;
  using format::FillTime;
  require(made.fill_state != FillState::undefined || made.fill_time != FillTime::on_allocation,
          "a fill value that is undefined cannot be written on allocation");
  require(made.fill_time != FillTime::never || !has_heap_values(made.type),
          "elements of variable length need fill values, but fill time 'never' was asked for");
  if (made.fill_state != FillState::user) return;
  if (made.fill.size() != made.type.size) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a fill value of {} bytes for elements of {}", made.fill.size(), made.type.size));
  }
  constexpr std::uint64_t most = store::ObjectHeader::largest_body - fill_prefix_bytes;
  if (made.fill.size() > most) {
    throw Error(ErrorKind::limit, fmt::format("a fill value of {} bytes is larger than the {} that a message "
                                              "can hold",
                                              made.fill.size(), most));
  }
}

void check_segment(const ExternalSegment& segment, bool last) {
  require(!segment.path.empty(), "an external file needs a name");
  require(segment.path.find('\0') == std::string::npos, "the name of an external file holds a NUL");
  require(last || segment.bytes != unlimited, "only the last external file can be unlimited");
  require(segment.bytes > 0, "an external file of no bytes");
  const auto end = try_add(segment.offset, segment.bytes == unlimited ? 0 : segment.bytes);
  if (!end || *end > largest_position) {
    throw Error(ErrorKind::limit,
                fmt::format("external file '{}': {} bytes at {} lie beyond what files can hold", segment.path,
                            segment.bytes, segment.offset));
  }
}

/// Returns the size of the maximum extent; `unlimited` if a dimension is.
std::uint64_t largest_bytes(const NewDataset& made) {
  format::DataspaceMessage largest = made.space;
  largest.dims = max_dims(made);
  if (std::ranges::find(largest.dims, unlimited) != largest.dims.end()) return unlimited;
  return checked_multiply(format::element_count(largest), made.type.size, "the size of the dataset");
}

void check_external(const NewDataset& made) {
  require(made.layout == LayoutClass::contiguous, "only contiguous datasets can have external files");
  if (made.external.size() > 0xffff) {
    throw Error(ErrorKind::limit, fmt::format("{} external files are more than the 65535 that a dataset can "
                                              "have",
                                              made.external.size()));
  }
  for (const ExternalSegment& segment : made.external)
    check_segment(segment, &segment == &made.external.back());
  if (const std::size_t dim = find_extendible(made, 1); dim < made.space.dims.size())
    refuse_extendible(made, dim, "of a dataset with external files only dimension 0 can");
  const std::uint64_t held = external_bytes(made.external);
  const std::uint64_t needed = largest_bytes(made);
  if (held < needed) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the external files have room for {} bytes, but the dataset may grow to {}", held,
                            needed == unlimited ? "any size" : fmt::format("{} bytes", needed)));
  }
}

void check_compact(const NewDataset& made, std::uint64_t bytes) {
  if (const std::size_t dim = find_extendible(made); dim < made.space.dims.size())
    refuse_extendible(made, dim, "a compact dataset cannot grow");
  require(made.allocation == format::AllocationTime::by_layout ||
              made.allocation == format::AllocationTime::early,
          "compact datasets are always allocated early");
  constexpr std::uint64_t most = store::ObjectHeader::largest_body - compact_prefix_bytes;
  if (bytes > most) {
    throw Error(ErrorKind::limit, fmt::format("a compact dataset of {} bytes is larger than the {} that a "
                                              "header can hold",
                                              bytes, most));
  }
}

void check_contiguous(const File& file, const NewDataset& made, std::uint64_t bytes) {
  if (const std::size_t dim = find_extendible(made); dim < made.space.dims.size())
    refuse_extendible(made, dim, "a dataset that is stored in one piece cannot");
  const std::uint64_t reach = std::min(largest_position, widest_word(file.store().widths().offset_bytes) - 1);
  if (bytes > reach) {
    throw Error(ErrorKind::limit,
                fmt::format("a dataset of {} bytes is larger than the {} that offsets of the "
                            "file reach",
                            bytes, reach));
  }
}

void check_chunked(const NewDataset& made) {
  require(made.space.kind == format::DataspaceKind::simple, "only arrays can be stored in chunks");
  require(!made.chunk.empty(), "a chunked dataset needs the dimensions of its chunks");
  require(made.filters.size() <= 32, "at most 32 filters are possible");
}

void check_virtual(const File& file, const NewDataset& made) {
  require(file.formats().bounds.high >= Version::v1_10,
          "virtual datasets came with release 1.10, which is beyond the file's version bounds");
  require(made.space.kind != DataspaceKind::null, "a virtual dataset needs an extent");
  const CheckedMappings checked = check_mappings(made.sources, made.space.dims);
  for (std::size_t d = 0; d < made.space.dims.size(); ++d) {
    if (checked.least_dims[d] > made.space.dims[d]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("mappings reach {} in dimension {}, where the dataset has {} elements",
                              checked.least_dims[d], d, made.space.dims[d]));
    }
  }
}

void check_structured(const NewDataset& made) {
  check_chunked(made);
  const bool heap = type::has_variable_parts(made.type);
  require(made.sparse || heap, "chunks have sections when they are sparse, or for values of variable length");
  require(made.sparse || made.selection_filters.empty(), "only sparse chunks say what they define");
  require(heap || made.heap_filters.empty(), "there are no values of variable length to filter");
  require(made.allocation == format::AllocationTime::by_layout ||
              made.allocation == format::AllocationTime::incremental,
          "structured chunks get their space when they are written");
  require(made.selection_filters.size() <= 32 && made.heap_filters.size() <= 32,
          "at most 32 filters are possible");
}

}  // namespace

void check_new_dataset(File& file, const NewDataset& made) {
  require(made.layout != LayoutClass::virtual_dataset || made.external.empty(),
          "only contiguous datasets can have external files");
  require(made.layout == LayoutClass::virtual_dataset || made.sources.empty(),
          "only virtual datasets have sources");
  (void)versioned_type(file, made.type);
  check_space(made.space);
  check_fill(made);
  if (is_valid(made.committed) && object_kind(file, made.committed) != ObjectKind::datatype) {
    throw Error(ErrorKind::wrong_type,
                fmt::format("the object at {} is no committed datatype", to_string(made.committed)));
  }
  const std::uint64_t bytes =
      checked_multiply(format::element_count(made.space), made.type.size, "the size of the dataset");
  if (!made.external.empty()) return check_external(made);
  switch (made.layout) {
    case LayoutClass::compact:
      return check_compact(made, bytes);
    case LayoutClass::contiguous:
      return check_contiguous(file, made, bytes);
    case LayoutClass::chunked:
      return check_chunked(made);
    case LayoutClass::virtual_dataset:
      return check_virtual(file, made);
    case LayoutClass::structured:
      return check_structured(made);
  }
}

}  // namespace filigree::model
