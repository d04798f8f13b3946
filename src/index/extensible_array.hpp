// SPDX-License-Identifier: Apache-2.0
//
// The extensible array in a file: blocks that double in size, so that adding an element never moves one.
#pragma once

#include <vector>

#include "format/chunk_index/extensible_array.hpp"
#include "index/block_entry.hpp"
#include "index/chunk_array.hpp"

namespace filigree::index {

class ExtensibleArray : public ChunkArray {
 public:
  /// Makes an empty array and returns the address of its header.
  static Address create(store::FileStore& store, const ElementForm& form,
                        const format::ExtensibleArrayParameters& parameters);
  /// As the header at `header` has it.
  static std::uint8_t stored_element_bytes(const store::FileStore& store, Address header) {
    return get_block(store, header, format::ExtensibleArrayHeader{}, 0)->value.element_bytes;
  }
  /// Throws Error(corrupt) when the header does not state this form.
  ExtensibleArray(store::FileStore& store, Address header, ElementForm form);

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
  using Place = Geometry::Place;
  struct Freed;

  std::uint64_t index_elements() const { return header_->value.parameters.index_block_elements; }
  bool direct(unsigned group) const { return group < geometry_.direct_groups(); }
  IndexBlock blank_index() const;
  SuperBlock blank_super(unsigned group) const;
  DataBlock blank_data(unsigned group, std::uint64_t block) const;
  /// With its pages.
  std::uint64_t data_bytes(unsigned group) const;
  Block<IndexBlock> index_block() const;
  Block<SuperBlock> super_block(unsigned group, Address at) const;
  Block<DataBlock> data_block(const Place& place, Address at) const;
  Address page_address(unsigned group, Address block, std::uint64_t page) const;
  Block<format::ArrayPage> page(const Place& place, Address block) const;
  std::uint64_t page_number(const Place& place) const;

  ArrayRun run_in(const Place& place, Address block, const SuperBlock* super) const;

  void make_index_block();
  Block<SuperBlock> make_super_block(unsigned group);
  Address make_data_block(const Place& place);
  Block<format::ArrayPage> get_page(const Place& place, Address block, const Block<SuperBlock>& super);
  void collect_data(unsigned group, std::span<const Address> blocks, const SuperBlock* super,
                    Freed& freed) const;

  store::FileStore& store_;
  Block<Header> header_;
  ElementForm form_;
  Geometry geometry_;
};

}  // namespace filigree::index
