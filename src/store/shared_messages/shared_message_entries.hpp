// SPDX-License-Identifier: Apache-2.0
//
// The table and the lists of shared messages, as the metadata cache holds them. Only the sources of shared
// messages include this.
#pragma once

#include <cstdint>
#include <memory>

#include "format/object_header/shared_message_index.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

class FileStore;

/// The shared message table ("SMTB").
class SharedTableEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::shared_message_table;
  SharedTableEntry(format::SharedMessageTable decoded, const format::Widths& widths);

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

  format::SharedMessageTable table;

 private:
  format::Widths widths_;
};

/// The list of one index ("SMLI").
class SharedListEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::shared_message_list;
  SharedListEntry(format::SharedMessageList decoded, std::uint16_t list_maximum,
                  const format::Widths& widths);

  std::size_t memory_bytes() const override;
  /// Writes the whole block: HDF5 reads its unused part too.
  void encode(EncodedBlocks& out) const override;

  format::SharedMessageList list;

 private:
  std::size_t block_bytes_;
  format::Widths widths_;
};

/// The size of a list in the file, unused records included.
std::size_t shared_list_bytes(std::uint16_t list_maximum, const format::Widths& widths);

std::shared_ptr<const SharedTableEntry> load_shared_table(const FileStore& store, Address at,
                                                          std::uint8_t index_count);

/// The list of `index`. *Requires* that the index is a list, not a B-tree.
std::shared_ptr<const SharedListEntry> load_shared_list(const FileStore& store,
                                                        const format::SharedMessageIndex& index);

}  // namespace filigree::store
