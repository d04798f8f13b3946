// SPDX-License-Identifier: Apache-2.0
//
// Committed datatypes of the destination that a copy uses instead of copying datatypes.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::model {

class File;

/// The committed datatypes of the destination file, for one copy call; see CopyOptions::merge_datatypes.
class MergedDatatypes {
 public:
  MergedDatatypes(File& file, const CopyOptions& options) : file_(file), options_(options) {}

  /// Returns the header of an equal committed datatype, or Address::undefined. The file is searched once.
  Address find(const format::DatatypeMessage& type);
  /// Registers a committed datatype that the copy has created.
  void add(const format::DatatypeMessage& type, Address header) { known_.emplace_back(type, header); }

 private:
  Address find_known(const format::DatatypeMessage& type) const;
  void look_at_paths();
  void search();

  File& file_;
  const CopyOptions& options_;
  std::vector<std::pair<format::DatatypeMessage, Address>> known_;
  bool looked_ = false;
  std::optional<bool> searched_;
};

}  // namespace filigree::model
