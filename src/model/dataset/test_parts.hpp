// SPDX-License-Identifier: Apache-2.0
//
// Files in memory and descriptions of datasets, for tests of the model.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "io/memory/memory_file.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"

namespace filigree::model {

inline std::shared_ptr<File> make_file(const CreateOptions& options = {}, Version low = Version::earliest) {
  AccessOptions access;
  access.versions.low = low;
  auto file = File::create(
      std::make_unique<io::MemoryFile>(Buffer{}, io::MemoryOptions{.name = "m", .max_bytes = 64u << 20}),
      options, access);
  file->begin_change("test");
  return file;
}

inline format::DataspaceMessage extent(std::vector<std::uint64_t> dims,
                                       std::optional<std::vector<std::uint64_t>> most = std::nullopt) {
  format::DataspaceMessage space;
  space.kind = format::DataspaceKind::simple;
  space.dims = std::move(dims);
  space.max_dims = std::move(most);
  return space;
}

inline NewDataset plain(std::vector<std::uint64_t> dims = {10, 20}) {
  NewDataset made;
  made.type = format::fixed_point(4, true);
  made.space = extent(std::move(dims));
  return made;
}

inline NewDataset strings(std::uint64_t count) {
  NewDataset made = plain({count});
  made.type = format::variable_string(format::CharacterSet::ascii, 8);
  return made;
}

}  // namespace filigree::model
