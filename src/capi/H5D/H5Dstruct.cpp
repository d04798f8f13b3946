// SPDX-License-Identifier: Apache-2.0
//
// Datasets: structured chunks by their sections; and, in the second form, chunks of every kind.
#include <algorithm>
#include <cstring>
#include <functional>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5D/dataset_arguments.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/H5S/dataspace.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_get() { return {&H5E_DATASET_g, &H5E_CANTGET_g}; }
Code cannot_write() { return {&H5E_DATASET_g, &H5E_WRITEERROR_g}; }
Code cannot_read() { return {&H5E_DATASET_g, &H5E_READERROR_g}; }

/// A dataset in chunks, what its chunks consist of, and how its coordinates are read.
struct Chunks {
  Chunks(hid_t id, bool plain_too) : dataset(get_dataset(id, "a dataset ID")->dataset) {
    const DatasetInfo info = dataset.dataset_info();
    if (info.layout == Layout::chunked && plain_too) {
      sections = {SectionKind::elements};
    } else if (info.layout == Layout::structured) {
      structured = true;
      sections = info.sections;
    } else {
      throw NestedFailure({&H5E_DATASET_g, &H5E_BADTYPE_g}, plain_too
                                                                ? "the dataset is not in chunks"
                                                                : "the dataset is not in structured chunks");
    }
    rank = info.chunk.size();
    if (info.sparse) type |= H5D_SPARSE_CHUNK;
    if (sections.back() == SectionKind::heap) type |= H5D_VL_CHUNK;
  }
  std::span<const std::uint64_t> place(const hsize_t* offset) const {
    return {required(offset, "offset"), rank};
  }
  /// Nothing for a chunk that has no place in the file, or lies outside of the extent.
  std::optional<ChunkInfo> find(const hsize_t* offset) const {
    const auto dims = dataset.space().dims();
    const bool inside = std::ranges::equal(place(offset), dims, std::less<>());
    return inside ? dataset.find_chunk(place(offset)) : std::nullopt;
  }

  Dataset dataset;
  bool structured = false;
  std::vector<SectionKind> sections;
  std::size_t rank = 0;
  unsigned type = 0;
};

std::uint16_t narrow_mask(std::uint32_t mask) { return static_cast<std::uint16_t>(mask & 0xffff); }

/// Fills the arrays that the program has given; without any, only what the chunk consists of is told.
void tell_sections(const Chunks& chunks, const std::vector<SectionInfo>& sections,
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

void tell(const Chunks& chunks, const std::optional<ChunkInfo>& found, H5D_struct_chunk_info_t* info,
          haddr_t* addr, hsize_t* size) {
  if (found && info != nullptr) tell_sections(chunks, found->sections, *info);
  if (addr != nullptr) *addr = found ? found->address : HADDR_UNDEF;
  if (size != nullptr) *size = found ? found->stored_bytes : 0;
}

/// What the program hands over, section by section.
std::vector<SectionBytes> given_sections(const Chunks& chunks, const H5D_struct_chunk_info_t& info,
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

/// Copies sections to where the program wants them; nothing is written when one has no room.
void hand_out(const std::vector<RawSection>& sections, const std::function<std::size_t(std::size_t)>& room,
              void* const* buffers) {
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (!sections[i].bytes.empty()) required(buffers[i], "a section's buffer");
    if (room(i) < sections[i].bytes.size())
      bad_value(
          fmt::format("section {} has {} bytes, its buffer only {}", i, sections[i].bytes.size(), room(i)));
  }
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (!sections[i].bytes.empty())
      std::memcpy(buffers[i], sections[i].bytes.data(), sections[i].bytes.size());
}

std::vector<SectionInfo> facts_of(const Chunks& chunks, const std::vector<RawSection>& sections) {
  std::vector<SectionInfo> facts;
  for (std::size_t i = 0; i < sections.size(); ++i)
    facts.push_back(
        {chunks.sections[i], sections[i].filter_mask, sections[i].bytes.size(), sections[i].original_bytes});
  return facts;
}

/// Sections of a chunk of any kind: a plain one has one.
std::vector<RawSection> read_sections(const Chunks& chunks, const hsize_t* offset) {
  if (chunks.structured) return chunks.dataset.read_structured_chunk(chunks.place(offset));
  RawChunk chunk = chunks.dataset.read_chunk(chunks.place(offset));
  return {RawSection{std::move(chunk.bytes), chunk.filter_mask, 0}};
}

std::vector<SectionInfo> sections_of(const Chunks& chunks, const ChunkInfo& info) {
  if (chunks.structured) return info.sections;
  return {SectionInfo{SectionKind::elements, info.filter_mask, info.stored_bytes, 0}};
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

/// Calls `see` for all chunks until it returns something else than zero.
template <class Visit>
herr_t iterate(const Chunks& chunks, Visit visit) {
  int result = 0;
  chunks.dataset.for_each_chunk([&](const ChunkInfo& info) {
    result = visit(info);
    return result == 0;
  });
  if (result < 0) throw CallbackFailure({&H5E_DATASET_g, &H5E_BADITER_g}, "the callback failed");
  return result;
}

}  // namespace

herr_t H5Dwrite_struct_chunk(hid_t dset, hid_t dxpl, H5D_struct_chunk_info_t* info, const hsize_t* offset,
                             void* buf[]) {
  return api_call({__func__, cannot_write(), "can't write structured chunk"}, [&] {
    Chunks chunks(dset, false);
    check_transfer(dxpl);
    required(info, "info");
    required(buf, "buf");
    const auto sections = given_sections(chunks, *info, buf);
    chunks.dataset.write_structured_chunk(chunks.place(offset), std::span<const SectionBytes>(sections));
  });
}

herr_t H5Dread_struct_chunk(hid_t dset, hid_t dxpl, const hsize_t* offset, H5D_struct_chunk_info_t* info,
                            void* buf[]) {
  return api_call({__func__, cannot_read(), "can't read structured chunk"}, [&] {
    const Chunks chunks(dset, false);
    check_transfer(dxpl);
    required(info, "info");
    const auto sections = chunks.dataset.read_structured_chunk(chunks.place(offset));
    if (buf != nullptr) {
      required(info->section_size, "section_size");
      if (info->num_sections != sections.size())
        bad_value(fmt::format("the chunk has {} sections, not {}", sections.size(), info->num_sections));
      hand_out(
          sections, [&](std::size_t i) { return info->section_size[i]; }, buf);
    }
    tell_sections(chunks, facts_of(chunks, sections), *info);
  });
}

herr_t H5Dget_struct_chunk_info(hid_t dset, hid_t fspace, hsize_t index, hsize_t* offset,
                                H5D_struct_chunk_info_t* info, haddr_t* addr, hsize_t* size) {
  return api_call({__func__, cannot_get(), "can't get structured chunk info by index"}, [&] {
    const Chunks chunks(dset, false);
    const Selection selection = chosen_elements(fspace);
    if (index >= chunks.dataset.chunk_count(selection))
      throw NestedFailure({&H5E_DATASET_g, &H5E_BADRANGE_g}, "chunk index is out of range");
    const ChunkInfo found = chunks.dataset.nth_chunk(index, selection);
    if (offset != nullptr) std::ranges::copy(found.offset, offset);
    tell(chunks, found, info, addr, size);
  });
}

herr_t H5Dget_struct_chunk_info_by_coord(hid_t dset, const hsize_t* offset, H5D_struct_chunk_info_t* info,
                                         haddr_t* addr, hsize_t* size) {
  return api_call({__func__, cannot_get(), "can't get structured chunk info by its logical coordinates"},
                  [&] {
                    const Chunks chunks(dset, false);
                    tell(chunks, chunks.find(offset), info, addr, size);
                  });
}

herr_t H5Dstruct_chunk_iter(hid_t dset, hid_t dxpl, H5D_struct_chunk_iter_op_t op, void* op_data) {
  return api_call(
      {__func__, {&H5E_DATASET_g, &H5E_BADITER_g}, "error iterating over structured chunks"}, [&] {
        const Chunks chunks(dset, false);
        check_transfer(dxpl);
        required(op, "op");
        return iterate(chunks, [&](const ChunkInfo& found) {
          std::vector<std::uint16_t> masks(found.sections.size());
          std::vector<std::size_t> sizes(masks.size()), originals(masks.size());
          H5D_struct_chunk_info_t info{0, static_cast<std::uint8_t>(masks.size()), masks.data(), sizes.data(),
                                       originals.data()};
          tell_sections(chunks, found.sections, info);
          haddr_t address = found.address;
          hsize_t bytes = found.stored_bytes;
          return op(reinterpret_cast<const hsize_t*>(found.offset.data()), &info, &address, &bytes, op_data);
        });
      });
}

herr_t H5Dnative_get_section_count(hid_t dset, unsigned* num_sections) {
  return api_call({__func__, cannot_get(), "can't count sections"}, [&] {
    const Chunks chunks(dset, true);
    *required(num_sections, "num_sections") = static_cast<unsigned>(chunks.sections.size());
  });
}

herr_t H5Dnative_get_section_types(hid_t dset, H5D_native_section_type_t types[]) {
  return api_call({__func__, cannot_get(), "can't get types of sections"}, [&] {
    const Chunks chunks(dset, true);
    required(types, "types");
    std::ranges::transform(chunks.sections, types, native_type);
  });
}

herr_t H5Dnative_write_chunk(hid_t dset, hid_t dxpl, const hsize_t* offset, unsigned num_sections,
                             const H5D_native_section_info_t info[], const void* buf[]) {
  return api_call({__func__, cannot_write(), "can't write chunk"}, [&] {
    Chunks chunks(dset, true);
    check_transfer(dxpl);
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
      chunks.dataset.write_structured_chunk(chunks.place(offset), std::span<const SectionBytes>(sections));
    else
      chunks.dataset.write_chunk(chunks.place(offset), sections[0].bytes, sections[0].filter_mask);
  });
}

herr_t H5Dnative_read_chunk(hid_t dset, hid_t dxpl, const hsize_t* offset, unsigned num_sections,
                            H5D_native_section_info_t info[], void* buf[]) {
  return api_call({__func__, cannot_read(), "can't read chunk"}, [&] {
    const Chunks chunks(dset, true);
    check_transfer(dxpl);
    required(info, "info");
    const auto sections = read_sections(chunks, offset);
    if (num_sections != sections.size())
      bad_value(fmt::format("the chunk has {} sections, not {}", sections.size(), num_sections));
    if (buf != nullptr)
      hand_out(
          sections, [&](std::size_t i) { return info[i].size; }, buf);
    for (std::size_t i = 0; i < sections.size(); ++i)
      info[i] = {native_type(chunks.sections[i]), narrow_mask(sections[i].filter_mask),
                 sections[i].bytes.size()};
  });
}

herr_t H5Dnative_get_chunk_info(hid_t dset, const hsize_t* offset, H5D_native_section_info_t info[],
                                haddr_t* addr, hsize_t* size) {
  return api_call({__func__, cannot_get(), "can't get chunk info"}, [&] {
    const Chunks chunks(dset, true);
    const auto found = chunks.find(offset);
    if (found && info != nullptr)
      for (const SectionInfo& section : sections_of(chunks, *found))
        *info++ = {native_type(section.kind), narrow_mask(section.filter_mask), section.stored_bytes};
    tell(chunks, found, nullptr, addr, size);
  });
}

herr_t H5Dnative_chunk_iter(hid_t dset, hid_t dxpl, H5D_native_chunk_iter_op_t op, void* op_data) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_BADITER_g}, "error iterating over chunks"}, [&] {
    const Chunks chunks(dset, true);
    check_transfer(dxpl);
    required(op, "op");
    return iterate(chunks, [&](const ChunkInfo& found) {
      return op(reinterpret_cast<const hsize_t*>(found.offset.data()), op_data);
    });
  });
}

herr_t H5Dnative_get_chunk_storage_size(hid_t dset, const hsize_t* offset, hsize_t* bytes) {
  return api_call({__func__, cannot_get(), "can't get storage size of chunk"}, [&] {
    const Chunks chunks(dset, true);
    const auto found = chunks.find(offset);
    *required(bytes, "bytes") = found ? found->stored_bytes : 0;
  });
}

herr_t H5Dnative_get_num_chunks(hid_t dset, hid_t fspace, hsize_t* count) {
  return api_call({__func__, cannot_get(), "can't count chunks"}, [&] {
    const Chunks chunks(dset, true);
    *required(count, "count") = chunks.dataset.chunk_count(chosen_elements(fspace));
  });
}
