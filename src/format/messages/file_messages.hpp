// SPDX-License-Identifier: Apache-2.0
//
// Messages of the superblock extension, which hold settings of the file, and the driver information block
// that superblocks of versions 0 and 1 use instead.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"

namespace filigree::format {

/// Message 0x0F: the address of the SharedMessageTable.
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

/// Message 0x14: `info` for the driver `id`, which has eight characters.
struct DriverInfoMessage {
  static constexpr std::string_view structure = "driver info message";
  std::string id;
  Buffer info;
};

/// The same information as a separate block.
struct DriverInfoBlock {
  static constexpr std::string_view structure = "driver info block";
  std::string id;
  Buffer info;
};

/// One member of a multi-file set.
struct MultiDriverMember {
  std::uint64_t start = 0;          ///< its start address in the address space of the set
  std::uint64_t allocated_end = 0;  ///< relative to `start`
  std::string name;                 ///< "%s" is replaced by the name of the set
};

/// The information of `multi_driver_id`.
struct MultiDriverInfo {
  static constexpr std::string_view structure = "multi driver info";
  /// For superblock, B-tree, raw data, global heap, local heap and object header (1 to 6): the memory type
  /// whose member is used; 0 means its own.
  std::array<std::uint8_t, 6> map{};
  std::vector<MultiDriverMember> members;  ///< one for each type of members_of(map)
};

/// The memory types (1 to 6) that have a member, in the order of the members.
std::vector<std::uint8_t> members_of(const std::array<std::uint8_t, 6>& map);

/// The information of `family_driver_id`.
struct FamilyDriverInfo {
  static constexpr std::string_view structure = "family driver info";
  std::uint64_t member_bytes = 1;
};

/// The strategies of file space management.
enum class FileSpaceStrategy : std::uint8_t {
  managers_and_aggregators = 0,
  paged = 1,
  aggregators = 2,
  none = 3,
};

/// Message 0x17. Version 0 has other numbers for the strategies, no paging, and six managers.
struct FileSpaceInfo {
  static constexpr std::string_view structure = "file space info message";
  std::uint8_t version = 1;
  FileSpaceStrategy strategy = FileSpaceStrategy::managers_and_aggregators;
  bool persist = false;             ///< whether free space is persistent; `managers` is then stored
  std::uint64_t threshold = 1;      ///< smallest section that is tracked
  std::uint64_t page_bytes = 4096;  ///< version 1
  std::uint16_t page_end_metadata_threshold = 0;       ///< version 1
  Address end_before_free_space = Address::undefined;  ///< version 1: end of the file without the managers
  /// The addresses of the free-space managers of superblock, B-tree, raw data, global heap, local heap and
  /// object header; then those for large sections.
  std::array<Address, 12> managers = undefined_managers();

  static constexpr std::array<Address, 12> undefined_managers() {
    std::array<Address, 12> all{};
    for (Address& one : all) one = Address::undefined;
    return all;
  }
};

/// Message 0x18: the address of the CacheImage; undefined if there is none.
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

/// One metadata block in a cache image: `bytes` replaces the content of the file at `address`.
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

/// The metadata cache image ("MDCI").
struct CacheImage {
  static constexpr std::string_view structure = "cache image";
  std::vector<CacheImageEntry> entries;
};

}  // namespace filigree::format
