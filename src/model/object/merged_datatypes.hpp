// SPDX-License-Identifier: Apache-2.0
//
// Committed datatypes of a file that copies may use in place of their own.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::model {

class File;

/// For one copy call.
class MergedDatatypes {
 public:
  MergedDatatypes(File& file, const CopyOptions& options) : file_(file), options_(options) {}

  /// The header of an equal one, or undefined. The file is searched once.
  Address find(const format::DatatypeMessage& type);
  /// One has been added.
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
