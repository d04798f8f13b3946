// SPDX-License-Identifier: Apache-2.0
//
// What a virtual dataset says about its elements: which elements of which sources they are.
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

/// Elements on one side of a mapping. Files do not say which extent the elements belong to.
struct MappedElements {
  /// In an extent of their own that holds them; none: all that there are, whatever the extent.
  std::optional<space::Selection> fixed;
  std::optional<space::UnlimitedSlab> unlimited;  ///< instead, where they go on as far as the extent will

  bool all() const { return !fixed && !unlimited; }
};

struct MappedSource {
  std::string file;     ///< as it is stored: %b stands for the number of the block, %% for %
  std::string dataset;  ///< likewise
  MappedElements source_elements;
  MappedElements virtual_elements;
};

/// A stored name, taken apart.
class SourceName {
 public:
  /// Throws Error(invalid_argument) for a % that neither b nor % follows.
  explicit SourceName(std::string_view stored);
  bool numbered() const { return parts_.size() > 1; }
  /// With the number of a block wherever it belongs.
  std::string with(std::uint64_t block) const;

 private:
  std::vector<std::string> parts_;  ///< what stands between the numbers
};

/// One mapping, checked.
struct VirtualMapping {
  std::shared_ptr<const SourceName> file;
  std::shared_ptr<const SourceName> dataset;
  MappedElements source_elements;
  MappedElements virtual_elements;
  /// Every block of the virtual elements has a source of its own, by number.
  bool numbered = false;
  std::optional<space::Bounds> bounds;  ///< of virtual elements that are fixed
};

/// The mappings of one dataset, in their order: where several mean one element, the last counts.
struct VirtualLayout {
  std::vector<VirtualMapping> mappings;
  /// What the extent must have in every dimension to hold the fixed mappings.
  std::vector<std::uint64_t> least_dims;
  bool unlimited = false;  ///< the extent follows the sources
};

/// Throws Error(invalid_argument) for what stock refuses: selections that differ in size, points, numbers in
/// names where they have no meaning or none where they are needed; `dims` is the extent of the dataset.
VirtualLayout check_mappings(const std::vector<MappedSource>& sources,
                             const std::vector<std::uint64_t>& dims);

/// Stores the mappings in the heap; the layout refers to them then.
void store_mappings(File& file, const std::vector<MappedSource>& sources, format::LayoutMessage& layout);
/// As they are stored. Throws Error(corrupt or truncated).
std::vector<MappedSource> load_mappings(File& file, const format::LayoutMessage& layout, std::size_t rank);
/// A copy of the mappings of `layout` in another file.
void copy_mappings(File& from, File& to, format::LayoutMessage& layout);

}  // namespace filigree::model
