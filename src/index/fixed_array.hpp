// SPDX-License-Identifier: Apache-2.0
//
// The fixed array in a file: one block for all elements, in pages when they are many.
#pragma once

#include "format/chunk_index/fixed_array.hpp"
#include "index/block_entry.hpp"
#include "index/chunk_array.hpp"

namespace filigree::index {

class FixedArray : public ChunkArray {
 public:
  /// Makes an empty array and returns the address of its header.
  static Address create(store::FileStore& store, const ElementForm& form, std::uint64_t elements,
                        std::uint8_t page_bits);
  /// As the header at `header` has it.
  static std::uint8_t stored_element_bytes(const store::FileStore& store, Address header) {
    return get_block(store, header, format::FixedArrayHeader{}, 0)->value.element_bytes;
  }
  /// Throws Error(corrupt) when the header does not state this form and number.
  FixedArray(store::FileStore& store, Address header, ElementForm form, std::uint64_t elements);

  Address address() const override { return header_->address(); }
  std::uint64_t end() const override { return header_->value.elements; }
  ArrayRun run(std::uint64_t index) const override;
  MutableBytes edit(std::uint64_t index, std::uint64_t count) override;
  void destroy() override;
  std::uint64_t file_bytes() const override;

 private:
  using Header = format::FixedArrayHeader;
  format::FixedArrayBlock blank() const;
  Block<format::FixedArrayBlock> block() const;
  format::ArrayPage blank_page(std::uint64_t page) const;
  Address page_address(std::uint64_t page) const;
  std::uint64_t all_bytes() const;  ///< of the data block with its pages
  void make_block();
  Block<format::ArrayPage> make_page(std::uint64_t page);

  store::FileStore& store_;
  Block<Header> header_;
  ElementForm form_;
};

}  // namespace filigree::index
