// SPDX-License-Identifier: Apache-2.0
//
// The links of one group, in whichever of the three forms they are stored.
#pragma once

#include <cstdint>
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

/// What the header of a group says about its links.
struct GroupState {
  GroupStorage storage = GroupStorage::symbol_table;
  format::SymbolTableMessage symbols;  ///< symbol_table
  format::LinkInfo info;               ///< compact and dense
  format::GroupInfo group;             ///< compact and dense
  format::LinkPhase phase() const { return group.phase.value_or(format::LinkPhase{}); }
};

class LinkTable {
 public:
  /// Throws Error(wrong_type) when the header is not a group's.
  LinkTable(File& file, Address header);

  static bool is_group(const store::HeaderEntry& header);
  /// A header with an empty group in it.
  static Address create_group(File& file, const GroupOptions& options);

  GroupState state() const;
  std::uint64_t size() const;
  /// What is kept outside the header for them.
  MetadataBytes metadata_bytes() const;
  std::optional<LinkMessage> find(std::string_view name) const;
  /// The caller has seen that the name is free. Converts the group to another form where the link needs it.
  void insert(LinkMessage link);
  std::optional<LinkMessage> remove(std::string_view name);
  /// Shows links in order until `see` returns false; whether it never did. Throws Error(invalid_argument)
  /// for creation order where it is not tracked.
  bool for_each(IndexBy by, Direction direction, FunctionRef<bool(const LinkMessage&)> see) const;
  /// Links in the order of storage, which costs least.
  bool for_each_stored(FunctionRef<bool(const LinkMessage&)> see) const;
  /// Frees what the group keeps outside its header. Links are gone with it; their targets are not touched.
  void destroy();

 private:
  std::vector<LinkMessage> sorted(IndexBy by) const;
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
