// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/dataset.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "chunk/raw/resizer.hpp"
#include "chunk/table/chunk_allocation.hpp"
#include "format/codec/codec.hpp"
#include "model/dataset/storage.hpp"
#include "model/file/file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/object/object.hpp"
#include "model/virtual/sources.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

using format::AllocationTime;
using format::LayoutClass;
using format::MessageType;

format::LayoutMessage allocate_contiguous(File& file, Address header, const DatasetMessages& parts,
                                          bool about_to_cover) {
  format::LayoutMessage layout = parts.layout;
  const bool has_space = layout.layout != LayoutClass::contiguous || is_valid(layout.address);
  if (has_space || parts.data_bytes == 0 || !parts.external.empty()) return layout;
  layout.address = make_contiguous(file, parts, about_to_cover);
  layout.contiguous_bytes = parts.data_bytes;
  try {
    replace_body(file, header, MessageType::layout, format::encode(layout, file.store().widths()));
  } catch (...) {
    file.store().space().release(store::SpaceKind::raw, layout.address, parts.data_bytes);
    throw;
  }
  touch(file, header);
  return layout;
}

void store_compact(File& file, Address header, const DatasetMessages& parts, Buffer elements) {
  if (parts.layout.layout != LayoutClass::compact || elements.size() != parts.data_bytes)
    throw Error(ErrorKind::internal, "compact elements that do not fit their dataset");
  format::LayoutMessage layout = parts.layout;
  layout.compact_data = std::move(elements);
  replace_body(file, header, MessageType::layout, format::encode(layout, file.store().widths()));
  touch(file, header);
}

namespace {

void check_new_dims(const DatasetMessages& parts, const std::vector<std::uint64_t>& dims) {
  const format::DataspaceMessage& space = parts.space;
  if (space.kind != format::DataspaceKind::simple || dims.size() != space.dims.size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} dimensions for a dataset that has {}", dims.size(), space.dims.size()));
  }
  const auto& most = space.max_dims ? *space.max_dims : space.dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] > most[i]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("dimension {} cannot become {}: its maximum is {}", i, dims[i], most[i]));
    }
  }
}

void check_mapped_dims(const CheckedMappings& checked, const std::vector<std::uint64_t>& dims) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < checked.least_dims[i]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("dimension {} cannot become {}: mappings of the virtual dataset need {}", i,
                              dims[i], checked.least_dims[i]));
    }
  }
}

}  // namespace

void resize_dataset(File& file, Address header, const std::vector<std::uint64_t>& dims) {
  const auto messages = load_messages(file, header);
  const DatasetMessages& parts = *messages;
  const bool chunked = parts.layout.in_chunks();
  const bool is_virtual = parts.layout.layout == LayoutClass::virtual_dataset;
  if (!chunked && !is_virtual && parts.external.empty())
    throw Error(ErrorKind::invalid_argument, "a dataset that is stored in one piece cannot be resized");
  check_new_dims(parts, dims);
  if (is_virtual) check_mapped_dims(*file.virtuals().mappings(file, header, parts), dims);
  format::DataspaceMessage space = parts.space;
  if (!space.max_dims) space.max_dims = space.dims;
  space.dims = dims;
  const std::uint64_t bytes =
      checked_multiply(format::element_count(space), parts.type.size, "the size of the dataset");
  if (const std::uint64_t held = external_bytes(parts.external); !parts.external.empty() && bytes > held) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("elements of {} bytes do not fit the {} bytes of the external files", bytes, held));
  }
  if (chunked) chunk::Resizer(*file.chunks().open(file, header, parts)).resize(dims);
  // As in HDF5, the layout message of external data keeps the size of its creation.
  replace_body(file, header, MessageType::dataspace, format::encode(space, file.store().widths()));
  touch(file, header);
  const bool early = chunked && parts.fill.allocation == AllocationTime::early;
  if (early) chunk::allocate_all_chunks(*file.chunks().open(file, header, parts), parts.space.dims);
}

}  // namespace filigree::model
