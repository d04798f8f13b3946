// SPDX-License-Identifier: Apache-2.0
//
// A decoded on-disk structure as the metadata cache holds it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "io/extent.hpp"

namespace filigree::store {

class FileStore;

/// What an entry is. One address holds one structure, so meeting another kind there means that
/// two structures overlap.
enum class EntryKind : std::uint8_t {
  object_header,
  btree1_node,
  symbol_node,
  local_heap,
  global_heap,
  btree2_header,
  btree2_node,
  heap_header,
  heap_indirect_block,
  heap_direct_block,
  free_space,
  shared_message_table,
  shared_message_list,
  fixed_array_header,
  fixed_array_block,
  extensible_array_header,
  extensible_array_index_block,
  extensible_array_super_block,
  extensible_array_data_block,
  array_page,
};

std::string_view to_string(EntryKind kind);
/// What drivers call it.
io::MemoryType memory_type_of(EntryKind kind);

/// Bytes on their way to the file.
struct EncodedBlock {
  Address at = Address::undefined;
  Buffer bytes;
  /// Instead of `bytes`, for what need not be copied. Without an owner they are the entry's own, which does
  /// not change before they are written.
  Bytes shared{};
  std::shared_ptr<const void> owner{};
  /// Set by the cache.
  io::MemoryType type = io::MemoryType::unspecified;

  Bytes content() const { return shared.data() != nullptr ? shared : Bytes(bytes); }
};
using EncodedBlocks = std::vector<EncodedBlock>;

/// A decoded structure. A structure of several blocks (an object header and its continuations, a
/// local heap and its data) is one entry, known by the address of its first block.
///
/// A class T derived from Entry has `static constexpr EntryKind entry_kind`.
class Entry {
 public:
  explicit Entry(EntryKind kind) : kind_(kind) {}
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  virtual ~Entry() = default;

  EntryKind kind() const { return kind_; }
  Address address() const { return address_; }
  bool dirty() const { return dirty_; }
  /// Whether the file has a version of it at this address, which somebody may be reading.
  bool in_file() const { return in_file_; }

  /// What the entry costs the cache's budget; an estimate.
  virtual std::size_t memory_bytes() const = 0;
  /// Appends the bytes that make the file agree with this entry.
  virtual void encode(EncodedBlocks& out) const = 0;

 private:
  friend class MetadataCache;
  const EntryKind kind_;
  bool dirty_ = false;
  bool in_file_ = false;
  Address address_ = Address::undefined;
  bool used_ = false;  ///< since the cache last passed by
  std::size_t charged_bytes_ = 0;
  std::size_t place_ = 0;  ///< in the cache's round
};

}  // namespace filigree::store
