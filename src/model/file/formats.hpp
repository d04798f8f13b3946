// SPDX-License-Identifier: Apache-2.0
//
// The version of each structure under the version bounds of a file, as H5Pset_libver_bounds defines them.
// docs/format/index.md lists the structures.
#pragma once

#include <cstdint>

#include <filigree/options.hpp>

#include "format/messages/character_set.hpp"

namespace filigree::model {

/// The version bounds in effect, and the versions that follow from them.
struct Formats {
  VersionBounds bounds;
  bool attributes_shared = false;  ///< a shared message index covers attributes

  /// Returns whether new structures may use the format of release `v`.
  bool at_least(Version v) const { return bounds.low >= v; }

  /// Returns the superblock version for these creation options.
  std::uint8_t superblock(const CreateOptions& o) const {
    if (at_least(Version::v1_10)) return 3;
    const bool plain_space = o.space.strategy == SpaceStrategy::free_list && !o.space.persist &&
                             o.space.threshold == 1 && o.space.page_bytes == 4096;
    if (at_least(Version::v1_8) || !plain_space || !o.shared_messages.empty()) return 2;
    return o.chunk_k != 32 ? 1 : 0;
  }
  /// Returns the object header version. Version 1 cannot track the order of attributes.
  std::uint8_t object_header(bool attribute_order_tracked) const {
    return at_least(Version::v1_8) || attribute_order_tracked || attributes_shared ? 2 : 1;
  }
  /// Returns whether groups have link messages instead of a symbol table.
  bool new_style_group(const GroupOptions& o) const {
    return at_least(Version::v1_8) || o.track_order || !o.filters.empty();
  }
  std::uint8_t dataspace(bool is_null) const { return at_least(Version::v1_8) || is_null ? 2 : 1; }
  /// Returns the smallest version of datatypes that contain other datatypes.
  std::uint8_t datatype() const {
    if (at_least(Version::v2_0)) return 5;
    if (at_least(Version::v1_12)) return 4;
    return at_least(Version::v1_8) ? 3 : 1;
  }
  /// Returns the newest datatype version that the upper bound allows.
  std::uint8_t newest_datatype() const {
    if (bounds.high >= Version::latest) return 5;
    return bounds.high >= Version::v1_12 ? 4 : 3;
  }
  std::uint8_t fill_value() const { return at_least(Version::v1_8) ? 3 : 2; }
  /// Returns whether a user-defined fill value is also stored in the message of releases before 1.6.
  bool old_fill_value() const { return !at_least(Version::v1_8); }
  std::uint8_t pipeline() const { return at_least(Version::v1_8) ? 2 : 1; }
  /// Returns the layout version of compact and contiguous datasets. As HDF5, 2.0 went back to version 3.
  std::uint8_t layout() const { return at_least(Version::v1_10) && !at_least(Version::v2_0) ? 4 : 3; }
  /// Returns the layout version of chunked datasets. From version 5 on, filtered chunks may be of any size.
  std::uint8_t chunked_layout(bool filtered) const {
    if (at_least(Version::v2_0) && filtered) return 5;
    return at_least(Version::v1_10) ? 4 : 3;
  }
  /// Returns the attribute message version. Version 3 records the character set of the name.
  std::uint8_t attribute(bool shares_parts, format::CharacterSet charset) const {
    if (at_least(Version::v1_8) || charset != format::CharacterSet::ascii) return 3;
    return shares_parts ? 2 : 1;
  }
};

}  // namespace filigree::model
