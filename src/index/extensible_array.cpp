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

Address ExtensibleArray::create(store::FileStore& store, const ArrayElement& element,
                                const format::ExtensibleArrayParameters& parameters) {
  const Geometry checked(parameters);
  Header header;
  header.client = element.client;
  header.element_bytes = static_cast<std::uint8_t>(element.bytes());
  header.parameters = parameters;
  const Address at = store.space().allocate(SpaceKind::object_header, block_bytes(header, store.widths()));
  add_block(store, at, header, 0);
  return at;
}

ExtensibleArray::ExtensibleArray(store::FileStore& store, Address header, ArrayElement element)
    : store_(store),
      header_(get_block(store, header, Header{}, 0)),
      element_(std::move(element)),
      geometry_(header_->value.parameters) {
  const Header& found = header_->value;
  if (found.client != element_.client || found.element_bytes != element_.bytes()) {
    store::throw_corrupt(Header::structure, header,
                         fmt::format("has elements of client {} with {} bytes, but client {} with {} bytes "
                                     "belongs here",
                                     found.client, found.element_bytes, element_.client, element_.bytes()));
  }
}

ExtensibleArray::IndexBlock ExtensibleArray::blank_index() const {
  IndexBlock block;
  block.version = header_->value.version;
  block.client = element_.client;
  block.header = address();
  block.element_total_bytes = index_elements() * element_.bytes();
  block.data_block_count = geometry_.direct_blocks();
  block.super_block_count = geometry_.groups() - geometry_.direct_groups();
  return block;
}

ExtensibleArray::SuperBlock ExtensibleArray::blank_super(unsigned group) const {
  const Group g = geometry_.group(group);
  SuperBlock block;
  block.version = header_->value.version;
  block.client = element_.client;
  block.header = address();
  block.offset_bytes = geometry_.offset_bytes();
  block.bitmap_bytes = g.blocks * ((g.pages + 7) / 8);
  block.data_block_count = g.blocks;
  return block;
}

ExtensibleArray::DataBlock ExtensibleArray::blank_data(unsigned group, std::uint64_t number) const {
  const Group g = geometry_.group(group);
  DataBlock block;
  block.version = header_->value.version;
  block.client = element_.client;
  block.header = address();
  block.offset_bytes = geometry_.offset_bytes();
  block.element_total_bytes = g.pages == 0 ? g.block_elements * element_.bytes() : 0;
  // For blocks that the index block lists, HDF5 counts from the first block of the array.
  block.first_element = g.first_element + (number + (direct(group) ? g.first_block : 0)) * g.block_elements;
  return block;
}

std::uint64_t ExtensibleArray::data_bytes(unsigned group) const {
  const Group g = geometry_.group(group);
  return block_bytes(blank_data(group, 0), store_.widths()) +
         g.pages * (geometry_.page_elements() * element_.bytes() + checksum_bytes);
}

Block<format::ExtensibleArrayIndexBlock> ExtensibleArray::index_block() const {
  return get_block(store_, header_->value.index_block, blank_index(), 0);
}

Block<format::ExtensibleArraySuperBlock> ExtensibleArray::super_block(unsigned group, Address at) const {
  return get_block(store_, at, blank_super(group), group);
}

Block<format::ExtensibleArrayDataBlock> ExtensibleArray::data_block(const Location& location,
                                                                    Address at) const {
  return get_block(store_, at, blank_data(location.group, location.block),
                   geometry_.group(location.group).first_block + location.block);
}

Address ExtensibleArray::page_address(unsigned group, Address block, std::uint64_t number) const {
  const std::uint64_t stride = geometry_.page_elements() * element_.bytes() + checksum_bytes;
  return to_address(checked_add(to_number(block),
                                block_bytes(blank_data(group, 0), store_.widths()) + number * stride,
                                "the offset of a page"));
}

/// The bit of a page in the bitmap of its super block.
std::uint64_t ExtensibleArray::page_number(const Location& location) const {
  return location.block * geometry_.group(location.group).pages +
         location.element / geometry_.page_elements();
}

Block<format::ArrayPage> ExtensibleArray::page(const Location& location, Address block) const {
  const format::ArrayPage blank{geometry_.page_elements() * element_.bytes(), {}};
  return get_block(store_, page_address(location.group, block, location.element / geometry_.page_elements()),
                   blank, page_number(location));
}

// ---- reading ----

ArrayRun ExtensibleArray::run(std::uint64_t index) const {
  const Header& header = header_->value;
  if (index >= end()) return {end(), no_end - end(), {}, nullptr};
  if (!is_valid(header.index_block)) return {0, no_end, {}, nullptr};
  auto top = index_block();
  if (index < index_elements()) return {0, index_elements(), top->value.elements, top};
  const Location location = geometry_.locate(index);
  if (location.group >= geometry_.groups()) return {index, no_end - index, {}, nullptr};
  const Group g = geometry_.group(location.group);
  if (direct(location.group))
    return run_in(location, top->value.data_blocks[g.first_block + location.block], nullptr);
  const Address super_at = top->value.super_blocks[location.group - geometry_.direct_groups()];
  if (!is_valid(super_at)) return {index_elements() + g.first_element, g.elements(), {}, nullptr};
  const auto super = super_block(location.group, super_at);
  return run_in(location, super->value.data_blocks[location.block], &super->value);
}

ArrayRun ExtensibleArray::run_in(const Location& location, Address block, const SuperBlock* super) const {
  const Group g = geometry_.group(location.group);
  ArrayRun run{
      index_elements() + g.first_element + location.block * g.block_elements, g.block_elements, {}, nullptr};
  if (!is_valid(block)) return run;
  auto found = data_block(location, block);
  if (g.pages == 0) {
    run.elements = found->value.elements;
    run.owner = std::move(found);
    return run;
  }
  run.first += location.element / geometry_.page_elements() * geometry_.page_elements();
  run.count = geometry_.page_elements();
  if (!format::page_bit(super->page_bitmap, page_number(location))) return run;
  auto here = page(location, block);
  run.elements = here->value.elements;
  run.owner = std::move(here);
  return run;
}

// ---- writing ----

void ExtensibleArray::make_index_block() {
  IndexBlock fresh = blank_index();
  fresh.elements = repeated(element_.missing, index_elements());
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
  require_plausible_size(bytes, SuperBlock::structure);
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

Address ExtensibleArray::make_data_block(const Location& location) {
  const Group g = geometry_.group(location.group);
  DataBlock fresh = blank_data(location.group, location.block);
  require_plausible_size(fresh.element_total_bytes, DataBlock::structure);
  fresh.elements = repeated(element_.missing, fresh.element_total_bytes / element_.bytes());
  const std::uint64_t bytes = data_bytes(location.group);
  const Address at = store_.space().allocate(SpaceKind::local_heap, bytes);
  add_block(store_, at, std::move(fresh), g.first_block + location.block);
  Header& header = store_.cache().edit(header_).value;
  ++header.data_blocks;
  header.data_block_bytes += bytes;
  header.slots += g.block_elements;
  return at;
}

MutableBytes ExtensibleArray::edit(std::uint64_t index, std::uint64_t count) {
  const Location location = index < index_elements() ? Location{} : geometry_.locate(index);
  if (location.group >= geometry_.groups())
    throw Error(ErrorKind::limit,
                fmt::format("element {} is beyond the capacity of an extensible array of {} bits", index,
                            header_->value.parameters.max_elements_bits));
  if (!is_valid(header_->value.index_block)) make_index_block();
  const auto part = [&](auto& block, std::uint64_t at) {
    const MutableBytes rest = MutableBytes(block.value.elements).subspan(at * element_.bytes());
    const std::uint64_t taken = std::min(count, rest.size() / element_.bytes());
    if (index + taken > end()) store_.cache().edit(header_).value.index_end = index + taken;
    return rest.first(taken * element_.bytes());
  };
  const auto top = index_block();
  if (index < index_elements()) return part(store_.cache().edit(top), index);
  if (const Group g = geometry_.group(location.group); direct(location.group)) {
    const std::uint64_t number = g.first_block + location.block;
    Address at = top->value.data_blocks[number];
    if (!is_valid(at)) {
      at = make_data_block(location);
      store_.cache().edit(top).value.data_blocks[number] = at;
    }
    return part(store_.cache().edit(data_block(location, at)), location.element);
  }
  const Address super_at = top->value.super_blocks[location.group - geometry_.direct_groups()];
  const auto super =
      is_valid(super_at) ? super_block(location.group, super_at) : make_super_block(location.group);
  Address at = super->value.data_blocks[location.block];
  if (!is_valid(at)) {
    at = make_data_block(location);
    store_.cache().edit(super).value.data_blocks[location.block] = at;
  }
  if (geometry_.group(location.group).pages == 0)
    return part(store_.cache().edit(data_block(location, at)), location.element);
  return part(store_.cache().edit(get_page(location, at, super)),
              location.element % geometry_.page_elements());
}

Block<format::ArrayPage> ExtensibleArray::get_page(const Location& location, Address block,
                                                   const Block<SuperBlock>& super) {
  data_block(location, block);  // throws unless it exists
  if (format::page_bit(super->value.page_bitmap, page_number(location))) return page(location, block);
  format::ArrayPage fresh{geometry_.page_elements() * element_.bytes(), {}};
  require_plausible_size(fresh.element_total_bytes, format::ArrayPage::structure);
  fresh.elements = repeated(element_.missing, geometry_.page_elements());
  auto here =
      add_block(store_, page_address(location.group, block, location.element / geometry_.page_elements()),
                std::move(fresh), page_number(location));
  format::set_page_bit(store_.cache().edit(super).value.page_bitmap, page_number(location));
  return here;
}

// ---- freeing ----

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
      store::throw_corrupt(Header::structure, address(), "two of its blocks overlap");
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
