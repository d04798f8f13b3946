// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/fields.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/layout.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {

using format::DataspaceKind;
using format::LayoutClass;
using format::TypeClass;
using format::unlimited;

void require(bool holds, const char* what) {
  if (!holds) throw Error(ErrorKind::invalid_argument, what);
}

const std::vector<std::uint64_t>& max_dims(const NewDataset& made) {
  return made.space.max_dims ? *made.space.max_dims : made.space.dims;
}

std::size_t find_extendible(const NewDataset& made, std::size_t from) {
  const auto& most = max_dims(made);
  for (std::size_t i = from; i < made.space.dims.size(); ++i) {
    if (most[i] > made.space.dims[i]) return i;
  }
  return made.space.dims.size();
}

void refuse_extendible(const NewDataset& made, std::size_t dim, const char* why) {
  const std::uint64_t most = max_dims(made)[dim];
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("dimension {} has {} elements and may grow to {}, but {}", dim, made.space.dims[dim],
                  most == unlimited ? "any number" : std::to_string(most), why));
}

namespace {

/// The size of a fill value message without the value, in its longest version.
constexpr std::uint64_t fill_prefix_bytes = 8;

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

}  // namespace

format::DatatypeMessage check_new_dataset(File& file, const NewDataset& made) {
  format::DatatypeMessage type = versioned_type(file, made.type);
  check_space(made.space);
  check_fill(made);
  if (is_valid(made.committed) && object_kind(file, made.committed) != ObjectKind::datatype) {
    throw Error(ErrorKind::wrong_type,
                fmt::format("the object at {} is no committed datatype", to_string(made.committed)));
  }
  const std::uint64_t bytes = logical_bytes(made.layout, made.space, made.type.size);
  const Layout& layout = layout_of(made);
  layout.check_new(file, made, bytes);
  require(made.sources.empty() || layout.has_sources(), "only virtual datasets have sources");
  return type;
}

}  // namespace filigree::model
