// SPDX-License-Identifier: Apache-2.0
//
// Messages of the superblock extension: settings of the whole file. And the driver information
// block that superblocks of versions 0 and 1 use instead.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"

namespace filigree::format {

/// Message 0x0F: where the SharedMessageTable is.
struct SharedMessageTableInfo {
  static constexpr std::string_view structure = "shared message table message";
  Address table = Address::undefined;
  std::uint8_t indexes = 1;
};

/// Message 0x13: the K values of version 1 B-trees.
struct BTreeK {
  static constexpr std::string_view structure = "B-tree K message";
  std::uint16_t chunk_k = 32;
  std::uint16_t group_internal_k = 16;
  std::uint16_t group_leaf_k = 4;
};

inline constexpr std::string_view multi_driver_id = "NCSAmult";  ///< multi and split
inline constexpr std::string_view family_driver_id = "NCSAfami";

/// Message 0x14: `info` is for the driver `id`, which is eight characters.
struct DriverInfoMessage {
  static constexpr std::string_view structure = "driver info message";
  std::string id;
  Buffer info;
};

/// The same as a block of its own.
struct DriverInfoBlock {
  static constexpr std::string_view structure = "driver info block";
  std::string id;
  Buffer info;
};

/// One file of a multi-file set.
struct MultiDriverMember {
  std::uint64_t start = 0;          ///< its first address in the address space of the set
  std::uint64_t allocated_end = 0;  ///< relative to `start`
  std::string name;                 ///< "%s" stands for the name of the set
};

/// The info of `multi_driver_id`.
struct MultiDriverInfo {
  static constexpr std::string_view structure = "multi driver info";
  /// For superblock, B-tree, raw data, global heap, local heap, object header (1 to 6): the
  /// kind whose file is used; 0 means its own.
  std::array<std::uint8_t, 6> map{};
  std::vector<MultiDriverMember> members;  ///< one for each of members_of(map)
};

/// The kinds (1 to 6) that have a file, in the order of their members.
std::vector<std::uint8_t> members_of(const std::array<std::uint8_t, 6>& map);

/// The info of `family_driver_id`.
struct FamilyDriverInfo {
  static constexpr std::string_view structure = "family driver info";
  std::uint64_t member_bytes = 1;
};

/// Who hands out space in the file.
enum class FileSpaceStrategy : std::uint8_t {
  managers_and_aggregators = 0,
  paged = 1,
  aggregators = 2,
  none = 3,
};

/// Message 0x17. Version 0 had other numbers for the same strategies, no paging, and six managers.
struct FileSpaceInfo {
  static constexpr std::string_view structure = "file space info message";
  std::uint8_t version = 1;
  FileSpaceStrategy strategy = FileSpaceStrategy::managers_and_aggregators;
  bool persist = false;             ///< free space outlives the session; then `managers` is stored
  std::uint64_t threshold = 1;      ///< smallest section tracked
  std::uint64_t page_bytes = 4096;  ///< version 1
  std::uint16_t page_end_metadata_threshold = 0;       ///< version 1
  Address end_before_free_space = Address::undefined;  ///< version 1: end of allocation without the managers
  /// Free-space managers of superblock, B-tree, raw, global heap, local heap, object header; then
  /// the same for large sections.
  std::array<Address, 12> managers = undefined_managers();

  static constexpr std::array<Address, 12> undefined_managers() {
    std::array<Address, 12> all{};
    for (Address& one : all) one = Address::undefined;
    return all;
  }
};

/// Message 0x18: where the CacheImage is. An undefined block means none.
struct CacheImageMessage {
  static constexpr std::string_view structure = "cache image message";
  Address block = Address::undefined;
  std::uint64_t bytes = 0;
};

namespace cache_entry_flag {
inline constexpr std::uint8_t dirty = 0x01;
inline constexpr std::uint8_t in_lru = 0x02;
inline constexpr std::uint8_t dependency_parent = 0x04;
inline constexpr std::uint8_t dependency_child = 0x08;
}  // namespace cache_entry_flag

/// One piece of metadata in a cache image: `bytes` overrides the file at `address`.
struct CacheImageEntry {
  std::uint8_t client = 0;
  std::uint8_t flags = 0;
  std::uint8_t ring = 0;
  std::uint8_t age = 0;
  std::uint16_t children = 0;
  std::uint16_t dirty_children = 0;
  std::int32_t lru_rank = -1;
  Address address = Address::undefined;
  std::vector<Address> parents;
  Buffer bytes;
};

/// The block "MDCI".
struct CacheImage {
  static constexpr std::string_view structure = "cache image";
  std::vector<CacheImageEntry> entries;
};

}  // namespace filigree::format
