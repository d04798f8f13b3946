// SPDX-License-Identifier: Apache-2.0
#include "index/fixed_array.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/checked.hpp"

namespace filigree::index {
namespace {

using store::SpaceKind;

constexpr std::uint64_t checksum_bytes = 4;

}  // namespace

Address FixedArray::create(store::FileStore& store, const ArrayElement& element, std::uint64_t elements,
                           std::uint8_t page_bits) {
  Header header;
  header.client = element.client;
  header.element_bytes = static_cast<std::uint8_t>(element.bytes());
  header.page_bits = page_bits;
  header.elements = elements;
  const Address at = store.space().allocate(SpaceKind::object_header, block_bytes(header, store.widths()));
  add_block(store, at, header, 0);
  return at;
}

FixedArray::FixedArray(store::FileStore& store, Address header, ArrayElement element, std::uint64_t elements)
    : store_(store), header_(get_block(store, header, Header{}, 0)), element_(std::move(element)) {
  const Header& found = header_->value;
  if (found.client != element_.client || found.element_bytes != element_.bytes() ||
      found.elements != elements) {
    store::throw_corrupt(
        Header::structure, header,
        fmt::format("has {} elements of client {} with {} bytes, but {} of client {} with {} "
                    "bytes belong here",
                    found.elements, found.client, found.element_bytes, elements, element_.client,
                    element_.bytes()));
  }
  // Far below the sizes for which offsets in the block would overflow.
  if (elements > (std::uint64_t{1} << 52))
    throw Error(ErrorKind::limit, fmt::format("a fixed array of {} elements is too large", elements));
}

format::FixedArrayBlock FixedArray::blank() const {
  const Header& header = header_->value;
  format::FixedArrayBlock block;
  block.version = header.version;
  block.client = element_.client;
  block.header = address();
  if (header.paged()) {
    block.bitmap_bytes = (header.pages() + 7) / 8;
  } else {
    block.element_total_bytes = header.elements * element_.bytes();
  }
  return block;
}

Block<format::FixedArrayBlock> FixedArray::block() const {
  return get_block(store_, header_->value.data_block, blank(), 0);
}

format::ArrayPage FixedArray::blank_page(std::uint64_t page) const {
  const std::uint64_t first = page << header_->value.page_bits;
  return {std::min(header_->value.page_elements(), end() - first) * element_.bytes(), {}};
}

Address FixedArray::page_address(std::uint64_t page) const {
  const std::uint64_t stride = header_->value.page_elements() * element_.bytes() + checksum_bytes;
  return to_address(checked_add(to_number(header_->value.data_block),
                                block_bytes(blank(), store_.widths()) + page * stride,
                                "the offset of a page"));
}

std::uint64_t FixedArray::all_bytes() const {
  std::uint64_t bytes = block_bytes(blank(), store_.widths());
  if (header_->value.paged()) bytes += end() * element_.bytes() + header_->value.pages() * checksum_bytes;
  return bytes;
}

ArrayRun FixedArray::run(std::uint64_t index) const {
  const Header& header = header_->value;
  if (!is_valid(header.data_block) || index >= end()) return {0, end(), {}, nullptr};
  auto here = block();
  if (!header.paged()) return {0, end(), here->value.elements, here};
  const std::uint64_t page = index >> header.page_bits;
  const format::ArrayPage wanted = blank_page(page);
  ArrayRun run{page << header.page_bits, wanted.element_total_bytes / element_.bytes(), {}, nullptr};
  if (!format::page_bit(here->value.page_bitmap, page)) return run;
  auto found = get_block(store_, page_address(page), wanted, page);
  run.elements = found->value.elements;
  run.owner = std::move(found);
  return run;
}

void FixedArray::make_block() {
  format::FixedArrayBlock fresh = blank();
  require_plausible_size(block_bytes(fresh, store_.widths()), format::FixedArrayBlock::structure);
  fresh.page_bitmap.resize(fresh.bitmap_bytes);
  fresh.elements = repeated(element_.missing, fresh.element_total_bytes / element_.bytes());
  const Address at = store_.space().allocate(SpaceKind::local_heap, all_bytes());
  add_block(store_, at, std::move(fresh), 0);
  store_.cache().edit(header_).value.data_block = at;
}

Block<format::ArrayPage> FixedArray::make_page(std::uint64_t page) {
  format::ArrayPage fresh = blank_page(page);
  require_plausible_size(fresh.element_total_bytes, format::ArrayPage::structure);
  fresh.elements = repeated(element_.missing, fresh.element_total_bytes / element_.bytes());
  const auto here = block();
  auto made = add_block(store_, page_address(page), std::move(fresh), page);
  format::set_page_bit(store_.cache().edit(here).value.page_bitmap, page);
  return made;
}

MutableBytes FixedArray::edit(std::uint64_t index, std::uint64_t count) {
  const Header& header = header_->value;
  if (index >= end())
    throw Error(ErrorKind::limit,
                fmt::format("element {} is out of range: the fixed array has {} elements", index, end()));
  if (!is_valid(header.data_block)) make_block();
  const auto here = block();
  const auto part = [&](Buffer& elements, std::uint64_t at) {
    const MutableBytes rest = MutableBytes(elements).subspan(at * element_.bytes());
    return rest.first(std::min(count, rest.size() / element_.bytes()) * element_.bytes());
  };
  if (!header.paged()) return part(store_.cache().edit(here).value.elements, index);
  const std::uint64_t page = index >> header.page_bits;
  const auto found = format::page_bit(here->value.page_bitmap, page)
                         ? get_block(store_, page_address(page), blank_page(page), page)
                         : make_page(page);
  return part(store_.cache().edit(found).value.elements, index & (header.page_elements() - 1));
}

std::uint64_t FixedArray::file_bytes() const {
  return block_bytes(header_->value, store_.widths()) +
         (is_valid(header_->value.data_block) ? all_bytes() : 0);
}

void FixedArray::destroy() {
  const Header& header = header_->value;
  if (is_valid(header.data_block)) {
    const auto here = block();
    require_inside(store_, header.data_block, all_bytes(), format::FixedArrayBlock::structure);
    for (std::uint64_t page = 0; page < header.pages(); ++page) {
      if (format::page_bit(here->value.page_bitmap, page)) store_.cache().forget(page_address(page));
    }
    store_.cache().forget(header.data_block);
    store_.space().release(SpaceKind::local_heap, header.data_block, all_bytes());
  }
  const std::uint64_t bytes = block_bytes(header, store_.widths());
  const Address at = address();
  store_.cache().forget(at);
  store_.space().release(SpaceKind::object_header, at, bytes);
}

}  // namespace filigree::index
