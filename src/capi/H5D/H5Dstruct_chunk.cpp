// SPDX-License-Identifier: Apache-2.0
//
// Structured chunks: reading, writing and listing them by their sections (H5Dwrite_struct_chunk and related
// functions), and the elements that they define (H5Dget_defined, H5Derase).
#include <algorithm>

#include <fmt/format.h>

#include "api/selection_access.hpp"
#include "capi/H5D/section_chunks.hpp"
#include "capi/H5S/dataspace.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_get() { return {&H5E_DATASET_g, &H5E_CANTGET_g}; }
Code cannot_write() { return {&H5E_DATASET_g, &H5E_WRITEERROR_g}; }
Code cannot_read() { return {&H5E_DATASET_g, &H5E_READERROR_g}; }

/// Fills the arrays of `info` that the program provides. Without arrays, only type and number of sections are
/// stored.
void store_sections(const SectionChunks& chunks, const std::vector<SectionInfo>& sections,
                    H5D_struct_chunk_info_t& info) {
  const bool arrays =
      info.filter_mask != nullptr || info.section_size != nullptr || info.section_orig_size != nullptr;
  if (arrays && info.num_sections < sections.size())
    bad_value(fmt::format("the arrays of the chunk info have {} entries, the chunk has {} sections",
                          info.num_sections, sections.size()));
  info.type = chunks.type;
  info.num_sections = static_cast<std::uint8_t>(sections.size());
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (info.filter_mask != nullptr) info.filter_mask[i] = narrow_mask(sections[i].filter_mask);
    if (info.section_size != nullptr) info.section_size[i] = sections[i].stored_bytes;
    if (info.section_orig_size != nullptr) info.section_orig_size[i] = sections[i].original_bytes;
  }
}

void store_chunk_info(const SectionChunks& chunks, const std::optional<ChunkInfo>& found,
                      H5D_struct_chunk_info_t* info, haddr_t* addr, hsize_t* size) {
  if (found && info != nullptr) store_sections(chunks, chunks.sections_of(*found), *info);
  store_location(found, addr, size);
}

/// Returns the sections that the program provides in `buffers`.
std::vector<SectionBytes> sections_to_write(const SectionChunks& chunks, const H5D_struct_chunk_info_t& info,
                                            const void* const* buffers) {
  if (info.num_sections != chunks.sections.size())
    bad_value(fmt::format("the chunk has {} sections, not {}", chunks.sections.size(), info.num_sections));
  required(info.section_size, "section_size");
  std::vector<SectionBytes> sections;
  for (std::size_t i = 0; i < info.num_sections; ++i) {
    const std::size_t bytes = info.section_size[i];
    if (bytes != 0) required(buffers[i], "a section's buffer");
    sections.push_back({{static_cast<const std::byte*>(buffers[i]), bytes},
                        info.filter_mask == nullptr ? 0u : info.filter_mask[i],
                        info.section_orig_size == nullptr ? 0 : info.section_orig_size[i]});
  }
  return sections;
}

std::vector<SectionInfo> section_info(const SectionChunks& chunks, const std::vector<RawSection>& sections) {
  std::vector<SectionInfo> info;
  for (std::size_t i = 0; i < sections.size(); ++i)
    info.push_back(
        {chunks.sections[i], sections[i].filter_mask, sections[i].bytes.size(), sections[i].original_bytes});
  return info;
}

}  // namespace

herr_t H5Dwrite_struct_chunk(hid_t dset, hid_t dxpl, H5D_struct_chunk_info_t* info, const hsize_t* offset,
                             void* buf[]) {
  return api_call({__func__, cannot_write(), "can't write structured chunk"}, [&] {
    SectionChunks chunks(dset, SectionChunks::Accept::structured);
    check_transfer_plist(dxpl);
    required(info, "info");
    required(buf, "buf");
    const auto sections = sections_to_write(chunks, *info, buf);
    chunks.dataset.write_structured_chunk(chunks.coordinates(offset),
                                          std::span<const SectionBytes>(sections));
  });
}

herr_t H5Dwrite_struct_chunk_prototype(hid_t dset, hid_t dxpl, const hsize_t* offset,
                                       H5D_struct_chunk_info_t* info, void* buf[]) {
  return H5Dwrite_struct_chunk(dset, dxpl, info, offset, buf);
}

herr_t H5Dread_struct_chunk(hid_t dset, hid_t dxpl, const hsize_t* offset, H5D_struct_chunk_info_t* info,
                            void* buf[]) {
  return api_call({__func__, cannot_read(), "can't read structured chunk"}, [&] {
    const SectionChunks chunks(dset, SectionChunks::Accept::structured);
    check_transfer_plist(dxpl);
    required(info, "info");
    const auto sections = chunks.dataset.read_structured_chunk(chunks.coordinates(offset));
    if (buf != nullptr) {
      required(info->section_size, "section_size");
      if (info->num_sections != sections.size())
        bad_value(fmt::format("the chunk has {} sections, not {}", sections.size(), info->num_sections));
      copy_sections(
          sections, [&](std::size_t i) { return info->section_size[i]; }, buf);
    }
    store_sections(chunks, section_info(chunks, sections), *info);
  });
}

herr_t H5Dget_struct_chunk_info(hid_t dset, hid_t fspace, hsize_t index, hsize_t* offset,
                                H5D_struct_chunk_info_t* info, haddr_t* addr, hsize_t* size) {
  return api_call({__func__, cannot_get(), "can't get structured chunk info by index"}, [&] {
    const SectionChunks chunks(dset, SectionChunks::Accept::structured);
    const Selection selection = file_selection(fspace);
    if (index >= chunks.dataset.chunk_count(selection))
      throw NestedFailure({&H5E_DATASET_g, &H5E_BADRANGE_g}, "chunk index is out of range");
    const ChunkInfo found = chunks.dataset.nth_chunk(index, selection);
    if (offset != nullptr) std::ranges::copy(found.offset, offset);
    store_chunk_info(chunks, found, info, addr, size);
  });
}

herr_t H5Dget_struct_chunk_info_by_coord(hid_t dset, const hsize_t* offset, H5D_struct_chunk_info_t* info,
                                         haddr_t* addr, hsize_t* size) {
  return api_call({__func__, cannot_get(), "can't get structured chunk info by its logical coordinates"},
                  [&] {
                    const SectionChunks chunks(dset, SectionChunks::Accept::structured);
                    store_chunk_info(chunks, chunks.find(offset), info, addr, size);
                  });
}

herr_t H5Dstruct_chunk_iter(hid_t dset, hid_t dxpl, H5D_struct_chunk_iter_op_t op, void* op_data) {
  herr_t result = 0;
  const herr_t status =
      api_call({__func__, {&H5E_DATASET_g, &H5E_BADITER_g}, "error iterating over structured chunks"}, [&] {
        const SectionChunks chunks(dset, SectionChunks::Accept::structured);
        check_transfer_plist(dxpl);
        required(op, "op");
        chunks.iterate(result, [&](const ChunkInfo& found) {
          const std::vector<SectionInfo> sections = chunks.sections_of(found);
          std::vector<std::uint16_t> masks(sections.size());
          std::vector<std::size_t> sizes(masks.size()), originals(masks.size());
          H5D_struct_chunk_info_t info{0, static_cast<std::uint8_t>(masks.size()), masks.data(), sizes.data(),
                                       originals.data()};
          store_sections(chunks, sections, info);
          haddr_t address = found.address;
          hsize_t bytes = found.stored_bytes;
          return op(reinterpret_cast<const hsize_t*>(found.offset.data()), &info, &address, &bytes, op_data);
        });
      });
  return result != 0 ? result : status;
}

hid_t H5Dget_defined(hid_t dset, hid_t file_space, hid_t dxpl) {
  return api_call({__func__, cannot_get(), "can't get defined elements"}, [&] {
    const auto handle = get_dataset(dset, "a dataset ID");
    check_transfer_plist(dxpl);
    const Dataspace extent = handle->dataset.space();
    if (extent.kind() == Dataspace::Kind::null) {
      if (file_space != H5S_ALL && get_space(file_space)->extent.kind() != Dataspace::Kind::null)
        bad_value("a dataset without elements has no such selection");
      return add_space(space_of(extent));
    }
    const DefinedElements defined = handle->dataset.defined_in_extent(file_selection(file_space));
    SpaceValue value = space_of(defined.extent);
    if (value.is_huge()) {
      value.select(api::to_huge(defined.elements, value.extent.dims()));
    } else {
      value.select(api::to_space(defined.elements, value.extent.dims()));
    }
    return add_space(std::move(value));
  });
}

herr_t H5Derase(hid_t dset, hid_t file_space, hid_t dxpl) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTDELETE_g}, "can't erase elements"}, [&] {
    const auto handle = get_dataset(dset, "a dataset ID");
    check_transfer_plist(dxpl);
    Dataset(handle->dataset).erase(file_selection(file_space));
  });
}
