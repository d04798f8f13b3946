// SPDX-License-Identifier: Apache-2.0
//
// The extensible array in a file: its blocks double in size, so that the array grows without moving elements.
#pragma once

#include <vector>

#include "format/chunk_index/extensible_array.hpp"
#include "index/block_entry.hpp"
#include "index/chunk_array.hpp"

namespace filigree::index {

/// HDF5 File Format Specification, section "The Extensible Array Index"; docs/format/chunk-indexes.md.
class ExtensibleArray : public ChunkArray {
 public:
  /// Creates an empty array and returns the address of its header.
  static Address create(store::FileStore& store, const ArrayElement& element,
                        const format::ExtensibleArrayParameters& parameters);
  /// The element size that the header at `header` states.
  static std::uint8_t stored_element_bytes(const store::FileStore& store, Address header) {
    return get_block(store, header, format::ExtensibleArrayHeader{}, 0)->value.element_bytes;
  }
  /// *Throws* Error(corrupt) when the header states another client or element size.
  ExtensibleArray(store::FileStore& store, Address header, ArrayElement element);

  Address address() const override { return header_->address(); }
  std::uint64_t end() const override { return header_->value.index_end; }
  ArrayRun run(std::uint64_t index) const override;
  MutableBytes edit(std::uint64_t index, std::uint64_t count) override;
  void destroy() override;
  std::uint64_t file_bytes() const override;

 private:
  using Header = format::ExtensibleArrayHeader;
  using IndexBlock = format::ExtensibleArrayIndexBlock;
  using SuperBlock = format::ExtensibleArraySuperBlock;
  using DataBlock = format::ExtensibleArrayDataBlock;
  using Geometry = format::ExtensibleArrayGeometry;
  using Group = Geometry::Group;
  using Location = Geometry::Location;  ///< super block, data block and page of an element
  /// The blocks that destroy() frees.
  struct Freed;

  std::uint64_t index_elements() const { return header_->value.parameters.index_block_elements; }
  /// Whether the index block, not a super block, lists the data blocks of a group.
  bool direct(unsigned group) const { return group < geometry_.direct_groups(); }
  // Blocks without content, which have the parameters that blocks do not store.
  IndexBlock blank_index() const;
  SuperBlock blank_super(unsigned group) const;
  DataBlock blank_data(unsigned group, std::uint64_t block) const;
  /// The bytes of a data block with its pages.
  std::uint64_t data_bytes(unsigned group) const;
  // Blocks of the file. They throw Error(corrupt) for a block of another array.
  Block<IndexBlock> index_block() const;
  Block<SuperBlock> super_block(unsigned group, Address at) const;
  Block<DataBlock> data_block(const Location& location, Address at) const;
  /// The address of a page of the data block at `block`.
  Address page_address(unsigned group, Address block, std::uint64_t page) const;
  Block<format::ArrayPage> page(const Location& location, Address block) const;
  /// The number of a page among all pages of its super block.
  std::uint64_t page_number(const Location& location) const;

  /// The run of an element in the data block at `block`, or in its page.
  ArrayRun run_in(const Location& location, Address block, const SuperBlock* super) const;

  // New blocks, whose elements have the fill value.
  void make_index_block();
  Block<SuperBlock> make_super_block(unsigned group);
  Address make_data_block(const Location& location);
  /// The page of an element; initialises it when it was never written.
  Block<format::ArrayPage> get_page(const Location& location, Address block, const Block<SuperBlock>& super);
  /// Adds the data blocks of a group, with their cached pages, to `freed`.
  void collect_data(unsigned group, std::span<const Address> blocks, const SuperBlock* super,
                    Freed& freed) const;

  store::FileStore& store_;
  Block<Header> header_;
  ArrayElement element_;
  Geometry geometry_;
};

}  // namespace filigree::index
