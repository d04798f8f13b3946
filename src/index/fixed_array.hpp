// SPDX-License-Identifier: Apache-2.0
//
// The fixed array in a file: one data block for all elements, divided into pages when there are many.
#pragma once

#include "format/chunk_index/fixed_array.hpp"
#include "index/block_entry.hpp"
#include "index/chunk_array.hpp"

namespace filigree::index {

/// HDF5 File Format Specification, section "The Fixed Array Index"; docs/format/chunk-indexes.md.
class FixedArray : public ChunkArray {
 public:
  /// Creates an empty array and returns the address of its header.
  static Address create(store::FileStore& store, const ArrayElement& element, std::uint64_t elements,
                        std::uint8_t page_bits);
  /// The element size that the header at `header` states.
  static std::uint8_t stored_element_bytes(const store::FileStore& store, Address header) {
    return get_block(store, header, format::FixedArrayHeader{}, 0)->value.element_bytes;
  }
  /// *Throws* Error(corrupt) when the header states another client, element size or number of elements.
  FixedArray(store::FileStore& store, Address header, ArrayElement element, std::uint64_t elements);

  Address address() const override { return header_->address(); }
  std::uint64_t end() const override { return header_->value.elements; }
  ArrayRun run(std::uint64_t index) const override;
  MutableBytes edit(std::uint64_t index, std::uint64_t count) override;
  void destroy() override;
  std::uint64_t file_bytes() const override;

 private:
  using Header = format::FixedArrayHeader;
  /// A data block without content, which has the parameters that the block does not store.
  format::FixedArrayBlock blank() const;
  /// The data block of the file.
  Block<format::FixedArrayBlock> block() const;
  /// A page without content; the last page may be shorter.
  format::ArrayPage blank_page(std::uint64_t page) const;
  Address page_address(std::uint64_t page) const;
  std::uint64_t all_bytes() const;  ///< of the data block with its pages
  /// Allocates the data block; its elements have the fill value.
  void make_block();
  /// Initialises a page that was never written.
  Block<format::ArrayPage> make_page(std::uint64_t page);

  store::FileStore& store_;
  Block<Header> header_;
  ArrayElement element_;
};

}  // namespace filigree::index
