// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/destroy.hpp"

#include <optional>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/object_header/message_type.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/external_files.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/layout.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

using format::MessageType;

namespace {

bool is_damage(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::corrupt:
    case ErrorKind::truncated:
    case ErrorKind::limit:
    case ErrorKind::unsupported:
      return true;
    default:
      return false;
  }
}

/// Runs `step` and ignores errors that are caused by a damaged file.
template <class Step>
void despite_damage(Step&& step) {
  try {
    step();
  } catch (const Error& error) {
    if (!is_damage(error)) throw;
  }
}

void release_values(const Dataset& dataset) {
  const format::DatatypeMessage& type = dataset.messages().type;
  if (!has_heap_values(type)) return;
  dataset.layout().for_each_value(dataset, [&](Bytes tile) {
    try {
      return dataset.layout().release_values(dataset, tile);
    } catch (const Error& error) {
      if (!is_damage(error)) throw;
    }
    // Nothing was freed. Element by element, an invalid one does not affect the others.
    for (std::size_t at = 0; at + type.size <= tile.size(); at += type.size)
      despite_damage([&] { dataset.layout().release_values(dataset, tile.subspan(at, type.size)); });
  });
}

void free_storage(const Dataset& dataset, Bytes layout_message) {
  File& file = dataset.file();
  const auto layout =
      format::decode<format::LayoutMessage>(layout_message, file.store().widths(), dataset.header());
  file.virtual_prefixes().set(dataset.header(), std::nullopt);
  file.external_prefixes().set(dataset.header(), std::nullopt);
  layout_of(layout).free(dataset, layout);
}

}  // namespace

void destroy_dataset_storage(File& file, Address header) {
  despite_damage([&] { release_values(Dataset(file, header)); });
  despite_damage([&] {
    if (const auto body = find_message(file, header, MessageType::layout))
      free_storage(Dataset(file, header), *body);
  });
  despite_damage([&] {
    if (const auto body = find_message(file, header, MessageType::external_files))
      destroy_external_names(file, *body);
  });
}

}  // namespace filigree::model
