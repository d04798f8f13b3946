// SPDX-License-Identifier: Apache-2.0
//
// What references lead to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include <filigree/filigree.hpp>

namespace filigree::tools {

/// The paths of objects, to which references lead. They are searched when the first one is needed.
///
/// Each path is stored as its last component and its parent, because the full paths of deeply nested groups
/// would need far more memory than the file.
class PathFinder {
 public:
  explicit PathFinder(File file) : file_(std::move(file)) {}
  /// Returns the path of the object with this header; empty if no link leads to it.
  std::optional<std::string> find(std::uint64_t address);
  /// Returns the same, with the address in the text if no link leads to the object.
  std::string path(std::uint64_t address);
  const File& file() const { return file_; }

 private:
  struct Step {
    std::uint64_t parent = 0;
    std::string name;
  };
  void search();

  File file_;
  bool searched_ = false;
  std::unordered_map<std::uint64_t, Step> steps_;  ///< by address of the header
};

/// Returns whether a reference leads to nothing: all its bytes are zero.
bool is_null_reference(const Datatype& native, const std::byte* element);
/// Returns the address of the object that a reference names, 0 if it is null. Empty for references to
/// regions, and for those of HDF5 1.12 that have their target in a heap.
std::optional<std::uint64_t> referenced_object(const Datatype& native, const std::byte* element);
/// Opens what a reference to a region leads to.
/// Throws: Error.
Region referenced_region(const File& file, const Datatype& native, const std::byte* element);

}  // namespace filigree::tools
