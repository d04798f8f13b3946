// SPDX-License-Identifier: Apache-2.0
#include "index/extensible_array.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/checked.hpp"

namespace filigree::index {
namespace {

using store::SpaceKind;

constexpr std::uint64_t checksum_bytes = 4;
constexpr std::uint64_t no_end = ~std::uint64_t{0};

}  // namespace

Address ExtensibleArray::create(store::FileStore& store, const ElementForm& form,
                                const format::ExtensibleArrayParameters& parameters) {
  const Geometry checked(parameters);
  Header header;
  header.client = form.client;
  header.element_bytes = static_cast<std::uint8_t>(form.bytes());
  header.parameters = parameters;
  const Address at = store.space().allocate(SpaceKind::object_header, block_bytes(header, store.widths()));
  add_block(store, at, header, 0);
  return at;
}

ExtensibleArray::ExtensibleArray(store::FileStore& store, Address header, ElementForm form)
    : store_(store),
      header_(get_block(store, header, Header{}, 0)),
      form_(std::move(form)),
      geometry_(header_->value.parameters) {
  const Header& found = header_->value;
  if (found.client != form_.client || found.element_bytes != form_.bytes()) {
    throw_bad_block(Header::structure, header,
                    fmt::format("has elements of client {} with {} bytes, but client {} with {} bytes "
                                "belongs here",
                                found.client, found.element_bytes, form_.client, form_.bytes()));
  }
}

ExtensibleArray::IndexBlock ExtensibleArray::blank_index() const {
  IndexBlock block;
  block.client = form_.client;
  block.header = address();
  block.element_total_bytes = index_elements() * form_.bytes();
  block.data_block_count = geometry_.direct_blocks();
  block.super_block_count = geometry_.groups() - geometry_.direct_groups();
  return block;
}

ExtensibleArray::SuperBlock ExtensibleArray::blank_super(unsigned group) const {
  const Group g = geometry_.group(group);
  SuperBlock block;
  block.client = form_.client;
  block.header = address();
  block.offset_bytes = geometry_.offset_bytes();
  block.bitmap_bytes = g.blocks * ((g.pages + 7) / 8);
  block.data_block_count = g.blocks;
  return block;
}

ExtensibleArray::DataBlock ExtensibleArray::blank_data(unsigned group, std::uint64_t number) const {
  const Group g = geometry_.group(group);
  DataBlock block;
  block.client = form_.client;
  block.header = address();
  block.offset_bytes = geometry_.offset_bytes();
  block.element_total_bytes = g.pages == 0 ? g.block_elements * form_.bytes() : 0;
  // Stock counts blocks from the first of the array where the index block lists them.
  block.first_element = g.first_element + (number + (direct(group) ? g.first_block : 0)) * g.block_elements;
  return block;
}

std::uint64_t ExtensibleArray::data_bytes(unsigned group) const {
  const Group g = geometry_.group(group);
  return block_bytes(blank_data(group, 0), store_.widths()) +
         g.pages * (geometry_.page_elements() * form_.bytes() + checksum_bytes);
}

Block<format::ExtensibleArrayIndexBlock> ExtensibleArray::index_block() const {
  return get_block(store_, header_->value.index_block, blank_index(), 0);
}

Block<format::ExtensibleArraySuperBlock> ExtensibleArray::super_block(unsigned group, Address at) const {
  return get_block(store_, at, blank_super(group), group);
}

Block<format::ExtensibleArrayDataBlock> ExtensibleArray::data_block(const Place& place, Address at) const {
  return get_block(store_, at, blank_data(place.group, place.block),
                   geometry_.group(place.group).first_block + place.block);
}

Address ExtensibleArray::page_address(unsigned group, Address block, std::uint64_t number) const {
  const std::uint64_t stride = geometry_.page_elements() * form_.bytes() + checksum_bytes;
  return to_address(checked_add(to_number(block),
                                block_bytes(blank_data(group, 0), store_.widths()) + number * stride,
                                "a page's position"));
}

/// Which bit of the super block's bitmap.
std::uint64_t ExtensibleArray::page_number(const Place& place) const {
  return place.block * geometry_.group(place.group).pages + place.element / geometry_.page_elements();
}

Block<format::ArrayPage> ExtensibleArray::page(const Place& place, Address block) const {
  const format::ArrayPage blank{geometry_.page_elements() * form_.bytes(), {}};
  return get_block(store_, page_address(place.group, block, place.element / geometry_.page_elements()), blank,
                   page_number(place));
}

// Reading.

ArrayRun ExtensibleArray::run(std::uint64_t index) const {
  const Header& header = header_->value;
  if (index >= end()) return {end(), no_end - end(), {}, nullptr};
  if (!is_valid(header.index_block)) return {0, no_end, {}, nullptr};
  auto top = index_block();
  if (index < index_elements()) return {0, index_elements(), top->value.elements, top};
  const Place place = geometry_.place(index);
  if (place.group >= geometry_.groups()) return {index, no_end - index, {}, nullptr};
  const Group g = geometry_.group(place.group);
  if (direct(place.group)) return run_in(place, top->value.data_blocks[g.first_block + place.block], nullptr);
  const Address super_at = top->value.super_blocks[place.group - geometry_.direct_groups()];
  if (!is_valid(super_at)) return {index_elements() + g.first_element, g.elements(), {}, nullptr};
  const auto super = super_block(place.group, super_at);
  return run_in(place, super->value.data_blocks[place.block], &super->value);
}

ArrayRun ExtensibleArray::run_in(const Place& place, Address block, const SuperBlock* super) const {
  const Group g = geometry_.group(place.group);
  ArrayRun run{
      index_elements() + g.first_element + place.block * g.block_elements, g.block_elements, {}, nullptr};
  if (!is_valid(block)) return run;
  auto found = data_block(place, block);
  if (g.pages == 0) {
    run.elements = found->value.elements;
    run.owner = std::move(found);
    return run;
  }
  run.first += place.element / geometry_.page_elements() * geometry_.page_elements();
  run.count = geometry_.page_elements();
  if (!format::page_bit(super->page_bitmap, page_number(place))) return run;
  auto here = page(place, block);
  run.elements = here->value.elements;
  run.owner = std::move(here);
  return run;
}

// Writing.

void ExtensibleArray::make_index_block() {
  IndexBlock fresh = blank_index();
  fresh.elements = repeated(form_.missing, index_elements());
  fresh.data_blocks.assign(fresh.data_block_count, Address::undefined);
  fresh.super_blocks.assign(fresh.super_block_count, Address::undefined);
  const Address at = store_.space().allocate(SpaceKind::object_header, block_bytes(fresh, store_.widths()));
  add_block(store_, at, std::move(fresh), 0);
  Header& header = store_.cache().edit(header_).value;
  header.index_block = at;
  header.slots += index_elements();
}

Block<format::ExtensibleArraySuperBlock> ExtensibleArray::make_super_block(unsigned group) {
  SuperBlock fresh = blank_super(group);
  const std::uint64_t bytes = block_bytes(fresh, store_.widths());
  require_reasonable(bytes, SuperBlock::structure);
  fresh.first_element = geometry_.group(group).first_element;
  fresh.page_bitmap.resize(fresh.bitmap_bytes);
  fresh.data_blocks.assign(fresh.data_block_count, Address::undefined);
  const auto top = index_block();
  const Address at = store_.space().allocate(SpaceKind::btree, bytes);
  auto made = add_block(store_, at, std::move(fresh), group);
  store_.cache().edit(top).value.super_blocks[group - geometry_.direct_groups()] = at;
  Header& header = store_.cache().edit(header_).value;
  ++header.super_blocks;
  header.super_block_bytes += bytes;
  return made;
}

Address ExtensibleArray::make_data_block(const Place& place) {
  const Group g = geometry_.group(place.group);
  DataBlock fresh = blank_data(place.group, place.block);
  require_reasonable(fresh.element_total_bytes, DataBlock::structure);
  fresh.elements = repeated(form_.missing, fresh.element_total_bytes / form_.bytes());
  const std::uint64_t bytes = data_bytes(place.group);
  const Address at = store_.space().allocate(SpaceKind::local_heap, bytes);
  add_block(store_, at, std::move(fresh), g.first_block + place.block);
  Header& header = store_.cache().edit(header_).value;
  ++header.data_blocks;
  header.data_block_bytes += bytes;
  header.slots += g.block_elements;
  return at;
}

MutableBytes ExtensibleArray::edit(std::uint64_t index, std::uint64_t count) {
  const Place place = index < index_elements() ? Place{} : geometry_.place(index);
  if (place.group >= geometry_.groups())
    throw Error(ErrorKind::limit,
                fmt::format("element {} is beyond what an extensible array of {} bits holds", index,
                            header_->value.parameters.max_elements_bits));
  if (!is_valid(header_->value.index_block)) make_index_block();
  const auto part = [&](auto& block, std::uint64_t at) {
    const MutableBytes rest = MutableBytes(block.value.elements).subspan(at * form_.bytes());
    const std::uint64_t taken = std::min(count, rest.size() / form_.bytes());
    if (index + taken > end()) store_.cache().edit(header_).value.index_end = index + taken;
    return rest.first(taken * form_.bytes());
  };
  const auto top = index_block();
  if (index < index_elements()) return part(store_.cache().edit(top), index);
  if (const Group g = geometry_.group(place.group); direct(place.group)) {
    const std::uint64_t number = g.first_block + place.block;
    Address at = top->value.data_blocks[number];
    if (!is_valid(at)) {
      at = make_data_block(place);
      store_.cache().edit(top).value.data_blocks[number] = at;
    }
    return part(store_.cache().edit(data_block(place, at)), place.element);
  }
  const Address super_at = top->value.super_blocks[place.group - geometry_.direct_groups()];
  const auto super = is_valid(super_at) ? super_block(place.group, super_at) : make_super_block(place.group);
  Address at = super->value.data_blocks[place.block];
  if (!is_valid(at)) {
    at = make_data_block(place);
    store_.cache().edit(super).value.data_blocks[place.block] = at;
  }
  if (geometry_.group(place.group).pages == 0)
    return part(store_.cache().edit(data_block(place, at)), place.element);
  return part(store_.cache().edit(get_page(place, at, super)), place.element % geometry_.page_elements());
}

Block<format::ArrayPage> ExtensibleArray::get_page(const Place& place, Address block,
                                                   const Block<SuperBlock>& super) {
  data_block(place, block);  // is there one
  if (format::page_bit(super->value.page_bitmap, page_number(place))) return page(place, block);
  format::ArrayPage fresh{geometry_.page_elements() * form_.bytes(), {}};
  require_reasonable(fresh.element_total_bytes, format::ArrayPage::structure);
  fresh.elements = repeated(form_.missing, geometry_.page_elements());
  auto here = add_block(store_, page_address(place.group, block, place.element / geometry_.page_elements()),
                        std::move(fresh), page_number(place));
  format::set_page_bit(store_.cache().edit(super).value.page_bitmap, page_number(place));
  return here;
}

// Freeing.

struct ExtensibleArray::Freed {
  struct Space {
    Address at;
    std::uint64_t bytes;
    SpaceKind kind;
  };
  std::vector<Space> spaces;
  std::vector<Address> pages;

  void add(const store::FileStore& store, Address at, std::uint64_t bytes, SpaceKind kind,
           std::string_view structure) {
    require_inside(store, at, bytes, structure);
    spaces.push_back({at, bytes, kind});
  }
};

void ExtensibleArray::collect_data(unsigned group, std::span<const Address> blocks, const SuperBlock* super,
                                   Freed& freed) const {
  const Group g = geometry_.group(group);
  for (std::uint64_t number = 0; number < blocks.size(); ++number) {
    const Address at = blocks[number];
    if (!is_valid(at)) continue;
    data_block({group, number, 0}, at);
    freed.add(store_, at, data_bytes(group), SpaceKind::local_heap, DataBlock::structure);
    for (std::uint64_t page = 0; page < g.pages; ++page) {
      if (format::page_bit(super->page_bitmap, number * g.pages + page))
        freed.pages.push_back(page_address(group, at, page));
    }
  }
}

void ExtensibleArray::destroy() {
  Freed freed;
  const Header& header = header_->value;
  const auto& widths = store_.widths();
  freed.add(store_, address(), block_bytes(header, widths), SpaceKind::object_header, Header::structure);
  if (is_valid(header.index_block)) {
    const auto top = index_block();
    freed.add(store_, header.index_block, block_bytes(top->value, widths), SpaceKind::object_header,
              IndexBlock::structure);
    for (unsigned u = 0; u < geometry_.direct_groups(); ++u) {
      const Group g = geometry_.group(u);
      collect_data(u, std::span(top->value.data_blocks).subspan(g.first_block, g.blocks), nullptr, freed);
    }
    for (unsigned u = geometry_.direct_groups(); u < geometry_.groups(); ++u) {
      const Address at = top->value.super_blocks[u - geometry_.direct_groups()];
      if (!is_valid(at)) continue;
      const auto super = super_block(u, at);
      freed.add(store_, at, block_bytes(super->value, widths), SpaceKind::btree, SuperBlock::structure);
      collect_data(u, super->value.data_blocks, &super->value, freed);
    }
  }
  auto& spaces = freed.spaces;
  std::sort(spaces.begin(), spaces.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  for (std::size_t i = 1; i < spaces.size(); ++i) {
    if (to_number(spaces[i].at) - to_number(spaces[i - 1].at) < spaces[i - 1].bytes)
      throw_bad_block(Header::structure, address(), "two of its blocks overlap");
  }
  for (const Address page_at : freed.pages) store_.cache().forget(page_at);
  for (const auto& space : spaces) {
    store_.cache().forget(space.at);
    store_.space().release(space.kind, space.at, space.bytes);
  }
}

std::uint64_t ExtensibleArray::file_bytes() const {
  const Header& header = header_->value;
  std::uint64_t bytes = block_bytes(header, store_.widths());
  if (is_valid(header.index_block)) bytes += block_bytes(blank_index(), store_.widths());
  bytes = checked_add(bytes, header.super_block_bytes, "the bytes of an extensible array");
  return checked_add(bytes, header.data_block_bytes, "the bytes of an extensible array");
}

}  // namespace filigree::index
