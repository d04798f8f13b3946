// SPDX-License-Identifier: Apache-2.0
//
// Messages of groups: link, link info, group info and symbol table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/messages/character_set.hpp"

namespace filigree::format {

/// The kinds of links. 65 to 255 are user-defined and kept as numbers.
enum class LinkKind : std::uint8_t { hard = 0, soft = 1, external = 64 };

constexpr bool is_user_defined(LinkKind kind) { return kind > LinkKind::external; }

/// The target of an external link.
struct ExternalTarget {
  std::string file;
  std::string path;
  friend bool operator==(const ExternalTarget&, const ExternalTarget&) = default;
};

/// Message 0x06, which is also the encoding of links in dense storage.
struct LinkMessage {
  static constexpr std::string_view structure = "link message";
  LinkKind kind = LinkKind::hard;
  std::string name;  ///< at least one character
  CharacterSet charset = CharacterSet::ascii;
  std::optional<std::int64_t> creation_order;
  Address header = Address::undefined;  ///< hard
  std::string target;                   ///< soft: a path, at least one character
  ExternalTarget external;              ///< external; without a file name, the value is `user_data`
  Buffer user_data;  ///< user-defined kinds, and external links whose value is no file name and path
};

/// Message 0x02. If the heap is undefined, the links are messages of the object header.
struct LinkInfo {
  static constexpr std::string_view structure = "link info message";
  bool tracks_order = false;
  bool indexes_order = false;
  std::int64_t next_order = 0;  ///< the creation order of the next link; stored if it is tracked
  Address heap = Address::undefined;
  Address name_tree = Address::undefined;
  Address order_tree = Address::undefined;  ///< stored if creation order is indexed
};

/// The numbers of links at which storage changes between the object header and dense storage.
struct LinkPhase {
  std::uint16_t max_compact = 8;
  std::uint16_t min_dense = 6;
};

/// Estimates of the number of links and the length of their names.
struct LinkEstimate {
  std::uint16_t entries = 4;
  std::uint16_t name_bytes = 8;
};

/// Message 0x0A. Absent pairs have their default values.
struct GroupInfo {
  static constexpr std::string_view structure = "group info message";
  std::optional<LinkPhase> phase;
  std::optional<LinkEstimate> estimate;
};

/// Message 0x11: an old-style group.
struct SymbolTableMessage {
  static constexpr std::string_view structure = "symbol table message";
  Address btree = Address::undefined;
  Address heap = Address::undefined;
};

}  // namespace filigree::format
