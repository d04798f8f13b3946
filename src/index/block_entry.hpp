// SPDX-License-Identifier: Apache-2.0
//
// The blocks of chunk arrays, as the metadata cache holds them. Only the sources of the arrays include this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <filigree/error.hpp>

#include "format/chunk_index/array_page.hpp"
#include "format/chunk_index/extensible_array.hpp"
#include "format/chunk_index/fixed_array.hpp"
#include "format/codec/codec.hpp"
#include "store/cache/entry.hpp"
#include "store/corrupt.hpp"
#include "store/file_store.hpp"

namespace filigree::index {

/// The kind of a decoded structure.
template <class T>
inline constexpr store::EntryKind block_kind{};
template <>
inline constexpr auto block_kind<format::FixedArrayHeader> = store::EntryKind::fixed_array_header;
template <>
inline constexpr auto block_kind<format::FixedArrayBlock> = store::EntryKind::fixed_array_block;
template <>
inline constexpr auto block_kind<format::ExtensibleArrayHeader> = store::EntryKind::extensible_array_header;
template <>
inline constexpr auto block_kind<format::ExtensibleArrayIndexBlock> =
    store::EntryKind::extensible_array_index_block;
template <>
inline constexpr auto block_kind<format::ExtensibleArraySuperBlock> =
    store::EntryKind::extensible_array_super_block;
template <>
inline constexpr auto block_kind<format::ExtensibleArrayDataBlock> =
    store::EntryKind::extensible_array_data_block;
template <>
inline constexpr auto block_kind<format::ArrayPage> = store::EntryKind::array_page;

/// The size of a block in the file. It depends only on the parameters that the block does not store itself.
template <class T>
std::uint64_t block_bytes(const T& block, const format::Widths& widths) {
  std::uint64_t bytes = format::encoded_bytes(block, widths);
  if constexpr (requires { block.data_block_count; })
    bytes += (block.data_block_count - block.data_blocks.size()) * widths.offset_bytes;
  if constexpr (requires { block.super_block_count; })
    bytes += (block.super_block_count - block.super_blocks.size()) * widths.offset_bytes;
  return bytes;
}

/// A decoded block. `number` says which block of its array it is.
template <class T>
class BlockEntry : public store::Entry {
 public:
  static constexpr store::EntryKind entry_kind = block_kind<T>;
  BlockEntry(T block, const format::Widths& widths, std::uint64_t block_number)
      : Entry(entry_kind), value(std::move(block)), number(block_number), widths_(widths) {}

  std::size_t memory_bytes() const override { return sizeof(*this) + block_bytes(value, widths_); }
  void encode(store::EncodedBlocks& out) const override {
    out.push_back({address(), format::encode(value, widths_)});
  }

  T value;
  const std::uint64_t number;

 private:
  format::Widths widths_;
};

/// A block in the cache.
template <class T>
using Block = std::shared_ptr<const BlockEntry<T>>;

/// *Throws* Error(corrupt) when two data blocks have one address: a small file could declare a huge size by
/// that.
template <class T>
void require_distinct_blocks(const T& block, Address at) {
  std::vector<Address> blocks;
  std::copy_if(block.data_blocks.begin(), block.data_blocks.end(), std::back_inserter(blocks), is_valid);
  std::sort(blocks.begin(), blocks.end());
  if (std::adjacent_find(blocks.begin(), blocks.end()) != blocks.end())
    store::throw_corrupt(T::structure, at, "lists a data block twice");
}

/// The block at `at`, with this number in its array. `blank` has the parameters that the block does not
/// store, and the address of the array's header. *Throws* Error(corrupt) for a block of another array, or
/// with another number.
template <class T>
Block<T> get_block(const store::FileStore& store, Address at, const T& blank, std::uint64_t number) {
  const std::uint64_t bytes = block_bytes(blank, store.widths());
  auto entry = store.cache().get<BlockEntry<T>>(at, [&] {
    T value = blank;
    format::decode(value, store.read(at, bytes, T::structure), store.widths(), at);
    if constexpr (requires { value.data_blocks.begin(); }) require_distinct_blocks(value, at);
    return std::make_shared<BlockEntry<T>>(std::move(value), store.widths(), number);
  });
  if constexpr (requires { blank.header; }) {
    if (entry->value.header != blank.header || entry->value.client != blank.client)
      store::throw_corrupt(T::structure, at, "belongs to another array");
  }
  if (entry->number != number || block_bytes(entry->value, store.widths()) != bytes)
    store::throw_corrupt(T::structure, at, "is listed twice by its array");
  return entry;
}

/// Inserts a new block into the cache. *Requires* that its space is allocated.
template <class T>
Block<T> add_block(store::FileStore& store, Address at, T value, std::uint64_t number) {
  return store.cache().insert(at, std::make_shared<BlockEntry<T>>(std::move(value), store.widths(), number));
}

/// *Throws* Error(limit) for a new block of a size that only a corrupt file can ask for.
inline void require_plausible_size(std::uint64_t bytes, std::string_view structure) {
  if (bytes > (std::uint64_t{256} << 20))
    throw Error(ErrorKind::limit,
                "a " + std::string(structure) + " of " + std::to_string(bytes) + " bytes would be needed");
}

/// *Throws* Error(truncated) for space that the file does not have, and that therefore cannot be freed.
inline void require_inside(const store::FileStore& store, Address at, std::uint64_t bytes,
                           std::string_view structure) {
  // Space that was allocated but not written yet is beyond the end of the file.
  const std::uint64_t end = store.space().allocated_until(at);
  if (store.available(at) >= bytes || (to_number(at) <= end && bytes <= end - to_number(at))) return;
  throw Error(ErrorKind::truncated, std::string(structure) + " at " + to_string(at) +
                                        ": the file does not hold its " + std::to_string(bytes) + " bytes");
}

/// `count` copies of `element`.
inline Buffer repeated(Bytes element, std::uint64_t count) {
  Buffer bytes(element.size() * count);
  for (std::size_t at = 0; at < bytes.size(); at += element.size())
    std::copy(element.begin(), element.end(), bytes.begin() + at);
  return bytes;
}

}  // namespace filigree::index
