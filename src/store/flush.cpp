// SPDX-License-Identifier: Apache-2.0
//
// Flushing the metadata of a file.
//
// Without SWMR readers the order does not matter: nobody reads the file before it is closed or flushed
// completely. With readers, the file must be readable after every single write. HDF5 calls this the SWMR
// write order. It relies on a file system that shows the writes of one process to others in the order in
// which they were issued. The protocol of one flush, with the part that each layer plays:
//
// 1. Raw data (chunk layer). New and filtered chunks go to space that no structure in the file refers to.
//    Unfiltered chunks may be overwritten in place: a reader sees old or new elements, and nothing else.
//    Small writes are not gathered.
// 2. Space (allocate_for_flush()). Structures whose encoded size has changed, and new blocks of fractal
//    heaps, allocate their space, because encoding may not allocate. Space that is freed is never reused
//    while readers may exist (FileSpace::keep_released()).
// 3. Moves (move_for_swmr_readers()). A version 2 B-tree node cannot be overwritten: its parent states how
//    many records it has, and a reader may hold the parent of an earlier flush. Every changed node that
//    the file holds gets a new address. The editor has marked the whole path to the header as dirty, so
//    all pointers to it are written again. The old nodes stay in the file as they are.
// 4. End of file (model layer). The file grows to the end of its allocated space, and the superblock says
//    so, before any structure refers to that space.
// 5. Levels (MetadataCache::flush_for_swmr()). Structures that the file does not hold yet come first:
//    nothing in the file refers to them. All others are overwritten in place, by the level of their kind
//    (entry_kind.hpp): heaps and pages, then nodes and data blocks, super blocks, index blocks, headers,
//    and object headers last. So a structure is written after everything that it refers to.
// 6. Object headers. Their continuation blocks are written before their first blocks, which refer to them.
// 7. Failure. An entry becomes clean when its write has returned. After an error the rest is still dirty,
//    and the next flush writes it in the same order.
//
// The other side: structures that are overwritten in place have a checksum. A reader that meets a
// half-written one fails to decode it, and reads it again (MetadataCache::set_attempts()). Version 1 B-trees
// have no checksum, so an SWMR writer refuses to change them (Tree1Index).
#include "store/file_store.hpp"

namespace filigree::store {
namespace {

/// Calls `work` for the dirty entries of all kinds that `column` selects, kind by kind and by address.
template <class Work>
void for_each_dirty(const MetadataCache& cache, bool EntryKindRow::*column, Work work) {
  for (const EntryKindRow& row : entry_kinds) {
    if (!(row.*column)) continue;
    for (Entry* entry : cache.dirty_entries(row.kind)) work(*entry);
  }
}

}  // namespace

void FileStore::allocate_for_flush() {
  for_each_dirty(cache_, &EntryKindRow::allocates_for_flush,
                 [this](Entry& e) { e.allocate_for_flush(*this); });
}

void FileStore::move_for_swmr_readers() {
  for_each_dirty(cache_, &EntryKindRow::moves_for_swmr_readers,
                 [this](Entry& e) { e.move_for_swmr_readers(*this); });
}

void FileStore::flush_metadata() {
  settle();
  allocate_for_flush();
  const auto write = [this](EncodedBlocks& blocks) { write_blocks(blocks); };
  if (!swmr_writer_) return cache_.flush(write);
  move_for_swmr_readers();
  cache_.flush_for_swmr(write);
}

void FileStore::trim_cache(FunctionRef<void()> flush) { cache_.trim(flush); }

}  // namespace filigree::store
