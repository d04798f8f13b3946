// SPDX-License-Identifier: Apache-2.0
//
// The mappings of a virtual dataset: which elements of which sources its elements are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/messages/layout.hpp"
#include "format/selections/virtual_mapping.hpp"
#include "space/selection.hpp"
#include "space/unlimited_slab.hpp"

namespace filigree::model {

class File;

/// The elements on one side of a mapping. The file does not store the extent they belong to.
struct MappedElements {
  /// A selection in the smallest extent that contains it; unset: all elements of any extent.
  std::optional<space::Selection> fixed;
  std::optional<space::UnlimitedSlab> unlimited;  ///< set instead for an unlimited selection

  bool all() const { return !fixed && !unlimited; }
};

/// A mapping as it is stored.
struct MappedSource {
  std::string file;     ///< %b stands for the block number, %% for %
  std::string dataset;  ///< with the same rules
  MappedElements source_elements;
  MappedElements virtual_elements;
};

/// A parsed source name (printf-style).
class SourceName {
 public:
  /// Throws: Error(invalid_argument) for a % that is followed by neither b nor %.
  explicit SourceName(std::string_view stored);
  bool numbered() const { return parts_.size() > 1; }
  /// Returns the name of the source of a block.
  std::string with(std::uint64_t block) const;

 private:
  std::vector<std::string> parts_;  ///< the text between the numbers
};

/// A mapping that was checked.
struct VirtualMapping {
  std::shared_ptr<const SourceName> file;
  std::shared_ptr<const SourceName> dataset;
  MappedElements source_elements;
  MappedElements virtual_elements;
  /// Every block of the virtual selection has its own source.
  bool numbered = false;
  std::optional<space::Bounds> bounds;  ///< of a fixed virtual selection
};

/// The mappings of a dataset in order. If several cover an element, the last one applies.
struct CheckedMappings {
  std::vector<VirtualMapping> mappings;
  /// The smallest dimensions that contain the fixed mappings.
  std::vector<std::uint64_t> least_dims;
  bool unlimited = false;  ///< the extent depends on the sources
};

/// Checks the mappings of a new dataset with the extent `dims`.
/// Throws: Error(invalid_argument) for what HDF5 refuses: selections of different sizes, points, and block
/// numbers in names where they have no meaning or are missing.
CheckedMappings check_mappings(const std::vector<MappedSource>& sources,
                               const std::vector<std::uint64_t>& dims);

/// Stores the mappings in the global heap and sets their heap ID in the layout message.
void store_mappings(File& file, const std::vector<MappedSource>& sources, format::LayoutMessage& layout);
/// Decodes the stored mappings.
/// Throws: Error(corrupt, truncated).
std::vector<MappedSource> load_mappings(File& file, const format::LayoutMessage& layout, std::size_t rank);
/// Copies the stored mappings to another file and updates the layout message.
void copy_mappings(File& from, File& to, format::LayoutMessage& layout);

}  // namespace filigree::model
