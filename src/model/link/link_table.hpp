// SPDX-License-Identifier: Apache-2.0
//
// The links of a group: in a symbol table, as header messages (compact), or in dense storage.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include <filigree/group.hpp>
#include <filigree/options.hpp>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "format/messages/link.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {

class File;

using format::LinkMessage;

/// The messages of a group header that describe its links.
struct GroupState {
  GroupStorage storage = GroupStorage::symbol_table;
  format::SymbolTableMessage symbols;  ///< symbol_table
  format::LinkInfo info;               ///< compact and dense
  format::GroupInfo group;             ///< compact and dense
  Buffer filters{};                    ///< of a new group: the body of its filter pipeline message
  format::LinkPhase phase() const { return group.phase.value_or(format::LinkPhase{}); }
};

/// The links of the group at a header. A cheap value that reads the header at every call.
/// Requires: the file lock, exclusively for functions that are not const.
class LinkTable {
 public:
  /// Throws: Error(wrong_type) if the object is not a group.
  LinkTable(File& file, Address header);

  static bool is_group(const store::HeaderEntry& header);
  /// Creates an empty group and returns its header.
  static Address create_group(File& file, const GroupOptions& options);

  GroupState state() const;
  std::uint64_t size() const;
  /// Returns the sizes of indexes and heaps outside of the header.
  MetadataBytes metadata_bytes() const;
  /// Returns the link; empty if there is none of that name.
  std::optional<LinkMessage> find(std::string_view name) const;
  /// Adds a link. Converts the group to another storage type if the link requires it.
  /// Requires: the name is free.
  void insert(LinkMessage link);
  std::optional<LinkMessage> remove(std::string_view name);
  /// Visits links in the given order until `visit` returns false. Returns false if it did.
  /// Throws: Error(invalid_argument) for creation order if it is not tracked.
  bool for_each(IndexBy by, Direction direction, FunctionRef<bool(const LinkMessage&)> visit) const;
  /// Visits links in storage order, which is fastest.
  bool for_each_stored(FunctionRef<bool(const LinkMessage&)> visit) const;
  /// Frees all storage of links outside of the header. The link targets are unchanged.
  void destroy();

 private:
  std::deque<LinkMessage> sorted(IndexBy by) const;
  void insert_symbol(const GroupState& state, const LinkMessage& link);
  void convert_to_new_style(const GroupState& state);
  void convert_to_dense(GroupState& state);
  void convert_to_compact(GroupState& state);
  void store_info(const format::LinkInfo& info);
  std::vector<std::pair<std::size_t, LinkMessage>> compact_links() const;
  std::uint64_t compact_size() const;

  File& file_;
  store::ObjectHeader header_;
};

}  // namespace filigree::model
