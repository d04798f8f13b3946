// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/chunk_index/portable_chunk.hpp"
#include "format/codec/codec.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/header_messages.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/plausible_bytes.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

using format::LayoutClass;

namespace {

constexpr std::uint8_t newest_layout_of_v1_8 = 3;

const Layout& find(LayoutClass layout, bool external, bool sparse) {
  if (external) return external_layout();
  switch (layout) {
    case LayoutClass::compact:
      return compact_layout();
    case LayoutClass::contiguous:
      return contiguous_layout();
    case LayoutClass::chunked:
      return sparse ? portable_layout() : chunked_layout();
    case LayoutClass::virtual_dataset:
      return virtual_layout();
    case LayoutClass::structured:
      return sparse ? sparse_layout() : structured_layout();
  }
  throw Error(ErrorKind::internal, "a layout class without a layout");
}

}  // namespace

const Layout& layout_of(const DatasetMessages& messages) {
  return find(messages.layout.layout, !messages.external.empty(), messages.is_sparse());
}

const Layout& layout_of(const NewDataset& made) {
  const bool names_portable = made.filters.size() == 1 && format::is_portable_filter(made.filters[0].id);
  return find(made.layout, !made.external.empty(), made.sparse || names_portable);
}

const Layout& layout_of(const format::LayoutMessage& layout) {
  return find(layout.layout, false, layout.layout == LayoutClass::structured && layout.composition.sparse());
}

void Layout::require_data(const Dataset& dataset, std::uint64_t elements, std::uint64_t memory_bytes) const {
  require_plausible(wanted_bytes(dataset, elements, memory_bytes), most_unwritten_bytes);
}

void Layout::resize(const Dataset&, const std::vector<std::uint64_t>&) const {
  throw Error(ErrorKind::invalid_argument, "a dataset that is stored in one piece cannot be resized");
}

bool Layout::has_newer_form(const format::LayoutMessage& layout) const {
  return layout.version > newest_layout_of_v1_8;
}

void Layout::downgrade(const Dataset& dataset) const {
  format::LayoutMessage layout = dataset.messages().layout;
  layout.version = newest_layout_of_v1_8;
  File& file = dataset.file();
  replace_body(file, dataset.header(), format::MessageType::layout,
               format::encode(layout, file.store().widths()));
  touch(file, dataset.header());
}

std::shared_ptr<chunk::ChunkTable> Layout::open_chunks(const Dataset&) const {
  throw Error(ErrorKind::invalid_argument, "the dataset is not stored in chunks");
}

format::LayoutMessage Layout::copy_to(const Dataset& dataset, File&) const {
  return dataset.messages().layout;
}

void Layout::release_values(const Dataset& dataset, Bytes elements) const {
  release_heap_values(dataset.file(), dataset.messages().type, elements);
}

std::uint64_t wanted_bytes(const Dataset& dataset, std::uint64_t elements, std::uint64_t memory_bytes) {
  const std::uint64_t stored =
      checked_multiply(elements, dataset.messages().type.size, "the size of the selected data");
  return std::max(stored,
                  checked_multiply(elements, memory_bytes, "the size of the selected data in memory"));
}

std::uint64_t unfiltered_bytes(std::uint64_t stored) {
  return try_multiply(stored, most_compression).value_or(~std::uint64_t{0});
}

void require_plausible(std::uint64_t wanted, std::uint64_t plausible) {
  if (wanted <= plausible) return;
  throw Error(ErrorKind::limit, fmt::format("{} bytes are asked for, but no more than {} can be in the file: "
                                            "read it in parts, or into memory of your own",
                                            wanted, plausible));
}

}  // namespace filigree::model
