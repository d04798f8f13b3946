// SPDX-License-Identifier: Apache-2.0
#include "model/layout/new_extent.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/header_messages.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

void check_new_dims(const format::DataspaceMessage& space, const std::vector<std::uint64_t>& dims) {
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

}  // namespace

format::DataspaceMessage make_new_extent(const Dataset& dataset, const std::vector<std::uint64_t>& dims) {
  const DatasetMessages& messages = dataset.messages();
  check_new_dims(messages.space, dims);
  format::DataspaceMessage space = messages.space;
  if (!space.max_dims) space.max_dims = space.dims;
  space.dims = dims;
  (void)logical_bytes(messages.layout.layout, space, messages.type.size);
  return space;
}

void store_extent(const Dataset& dataset, const format::DataspaceMessage& space) {
  File& file = dataset.file();
  replace_body(file, dataset.header(), format::MessageType::dataspace,
               format::encode(space, file.store().widths()));
  touch(file, dataset.header());
}

}  // namespace filigree::model
