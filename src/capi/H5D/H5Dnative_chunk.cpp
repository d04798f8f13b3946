// SPDX-License-Identifier: Apache-2.0
//
// Chunks of every layout by their sections, in the form of the native functions (H5Dnative_write_chunk and
// related functions). An unstructured chunk has one section.
#include <algorithm>

#include <fmt/format.h>

#include "capi/H5D/section_chunks.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_get() { return {&H5E_DATASET_g, &H5E_CANTGET_g}; }
Code cannot_write() { return {&H5E_DATASET_g, &H5E_WRITEERROR_g}; }
Code cannot_read() { return {&H5E_DATASET_g, &H5E_READERROR_g}; }

std::vector<RawSection> read_sections(const SectionChunks& chunks, const hsize_t* offset) {
  if (chunks.structured) return chunks.dataset.read_structured_chunk(chunks.coordinates(offset));
  RawChunk chunk = chunks.dataset.read_chunk(chunks.coordinates(offset));
  return {RawSection{std::move(chunk.bytes), chunk.filter_mask, 0}};
}

H5D_native_section_type_t native_type(SectionKind kind) {
  switch (kind) {
    case SectionKind::selection:
      return H5D_NATIVE_SECTION_SELECTION;
    case SectionKind::elements:
      return H5D_NATIVE_SECTION_FIXED;
    case SectionKind::heap:
      break;
  }
  return H5D_NATIVE_SECTION_VLEN;
}

}  // namespace

herr_t H5Dnative_get_section_count(hid_t dset, unsigned* num_sections) {
  return api_call({__func__, cannot_get(), "can't count sections"}, [&] {
    const SectionChunks chunks(dset, SectionChunks::Accept::any_layout);
    *required(num_sections, "num_sections") = static_cast<unsigned>(chunks.sections.size());
  });
}

herr_t H5Dnative_get_section_types(hid_t dset, H5D_native_section_type_t types[]) {
  return api_call({__func__, cannot_get(), "can't get types of sections"}, [&] {
    const SectionChunks chunks(dset, SectionChunks::Accept::any_layout);
    required(types, "types");
    std::ranges::transform(chunks.sections, types, native_type);
  });
}

herr_t H5Dnative_write_chunk(hid_t dset, hid_t dxpl, const hsize_t* offset, unsigned num_sections,
                             const H5D_native_section_info_t info[], const void* buf[]) {
  return api_call({__func__, cannot_write(), "can't write chunk"}, [&] {
    SectionChunks chunks(dset, SectionChunks::Accept::any_chunks);
    check_transfer_plist(dxpl);
    required(info, "info");
    required(buf, "buf");
    if (num_sections != chunks.sections.size())
      bad_value(fmt::format("the chunk has {} sections, not {}", chunks.sections.size(), num_sections));
    std::vector<SectionBytes> sections;
    for (unsigned i = 0; i < num_sections; ++i) {
      if (info[i].type != native_type(chunks.sections[i]))
        bad_value(fmt::format("section {} is of another type", i));
      if (info[i].size != 0) required(buf[i], "a section's buffer");
      sections.push_back({{static_cast<const std::byte*>(buf[i]), info[i].size}, info[i].filter_mask, 0});
    }
    if (chunks.structured)
      chunks.dataset.write_structured_chunk(chunks.coordinates(offset),
                                            std::span<const SectionBytes>(sections));
    else
      chunks.dataset.write_chunk(chunks.coordinates(offset), sections[0].bytes, sections[0].filter_mask);
  });
}

herr_t H5Dnative_read_chunk(hid_t dset, hid_t dxpl, const hsize_t* offset, unsigned num_sections,
                            H5D_native_section_info_t info[], void* buf[]) {
  return api_call({__func__, cannot_read(), "can't read chunk"}, [&] {
    const SectionChunks chunks(dset, SectionChunks::Accept::any_chunks);
    check_transfer_plist(dxpl);
    required(info, "info");
    const auto sections = read_sections(chunks, offset);
    if (num_sections != sections.size())
      bad_value(fmt::format("the chunk has {} sections, not {}", sections.size(), num_sections));
    if (buf != nullptr)
      copy_sections(
          sections, [&](std::size_t i) { return info[i].size; }, buf);
    for (std::size_t i = 0; i < sections.size(); ++i)
      info[i] = {native_type(chunks.sections[i]), narrow_mask(sections[i].filter_mask),
                 sections[i].bytes.size()};
  });
}

herr_t H5Dnative_get_chunk_info(hid_t dset, const hsize_t* offset, H5D_native_section_info_t info[],
                                haddr_t* addr, hsize_t* size) {
  return api_call({__func__, cannot_get(), "can't get chunk info"}, [&] {
    const SectionChunks chunks(dset, SectionChunks::Accept::any_chunks);
    const auto found = chunks.find(offset);
    if (found && info != nullptr)
      for (const SectionInfo& section : chunks.sections_of(*found))
        *info++ = {native_type(section.kind), narrow_mask(section.filter_mask), section.stored_bytes};
    store_location(found, addr, size);
  });
}

herr_t H5Dnative_chunk_iter(hid_t dset, hid_t dxpl, H5D_native_chunk_iter_op_t op, void* op_data) {
  herr_t result = 0;
  const herr_t status =
      api_call({__func__, {&H5E_DATASET_g, &H5E_BADITER_g}, "error iterating over chunks"}, [&] {
        const SectionChunks chunks(dset, SectionChunks::Accept::any_chunks);
        check_transfer_plist(dxpl);
        required(op, "op");
        chunks.iterate(result, [&](const ChunkInfo& found) {
          return op(reinterpret_cast<const hsize_t*>(found.offset.data()), op_data);
        });
      });
  return result != 0 ? result : status;
}

herr_t H5Dnative_get_chunk_storage_size(hid_t dset, const hsize_t* offset, hsize_t* bytes) {
  return api_call({__func__, cannot_get(), "can't get storage size of chunk"}, [&] {
    const SectionChunks chunks(dset, SectionChunks::Accept::any_chunks);
    const auto found = chunks.find(offset);
    *required(bytes, "bytes") = found ? found->stored_bytes : 0;
  });
}

herr_t H5Dnative_get_num_chunks(hid_t dset, hid_t fspace, hsize_t* count) {
  return api_call({__func__, cannot_get(), "can't count chunks"}, [&] {
    const SectionChunks chunks(dset, SectionChunks::Accept::any_chunks);
    *required(count, "count") = chunks.dataset.chunk_count(file_selection(fspace));
  });
}
