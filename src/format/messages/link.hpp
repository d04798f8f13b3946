// SPDX-License-Identifier: Apache-2.0
//
// Messages of groups: links, how they are indexed and laid out, and the old symbol table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/messages/character_set.hpp"

namespace filigree::format {

/// 65 to 255 are kinds that applications define; they are kept as numbers.
enum class LinkKind : std::uint8_t { hard = 0, soft = 1, external = 64 };

constexpr bool is_user_defined(LinkKind kind) { return kind > LinkKind::external; }

/// Where an external link leads.
struct ExternalTarget {
  std::string file;
  std::string path;
  friend bool operator==(const ExternalTarget&, const ExternalTarget&) = default;
};

/// Message 0x06, and the form of links in dense storage.
struct LinkMessage {
  static constexpr std::string_view structure = "link message";
  LinkKind kind = LinkKind::hard;
  std::string name;  ///< at least one character
  CharacterSet charset = CharacterSet::ascii;
  std::optional<std::int64_t> creation_order;
  Address header = Address::undefined;  ///< hard
  std::string target;                   ///< soft: a path, at least one character
  ExternalTarget external;              ///< external
  Buffer user_data;                     ///< application-defined kinds
};

/// Message 0x02. With an undefined heap the links are messages of the header.
struct LinkInfo {
  static constexpr std::string_view structure = "link info message";
  bool tracks_order = false;
  bool indexes_order = false;
  std::int64_t next_order = 0;  ///< the creation order of the next link; stored when tracked
  Address heap = Address::undefined;
  Address name_tree = Address::undefined;
  Address order_tree = Address::undefined;  ///< stored when indexed
};

/// When links move between the header and dense storage.
struct LinkPhase {
  std::uint16_t max_compact = 8;
  std::uint16_t min_dense = 6;
};

/// What the creator of a group expected of it.
struct LinkEstimate {
  std::uint16_t entries = 4;
  std::uint16_t name_bytes = 8;
};

/// Message 0x0A. Absent pairs stand for their defaults.
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
