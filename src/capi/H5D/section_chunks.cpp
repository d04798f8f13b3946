// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/section_chunks.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace filigree::capi {

SectionChunks::SectionChunks(hid_t id, Accept accept) : dataset(get_dataset(id, "a dataset ID")->dataset) {
  const DatasetInfo info = dataset.dataset_info();
  const bool any = accept != Accept::structured;
  if (info.portable && !any) {
    structured = filters_checksums = true;  // the index does not know the sections
    sections = info.sections;
  } else if ((info.layout == Layout::chunked && any) ||
             (info.layout != Layout::structured && accept == Accept::any_layout)) {
    sections = {SectionKind::elements};
  } else if (info.layout == Layout::structured) {
    structured = true;
    sections = info.sections;
    const bool heap = sections.back() == SectionKind::heap;
    filters_checksums =
        !info.selection_filters.empty() || (heap && !(info.filters.empty() && info.heap_filters.empty()));
  } else {
    throw NestedFailure({&H5E_DATASET_g, &H5E_BADTYPE_g},
                        any ? "the dataset is not in chunks" : "the dataset is not in structured chunks");
  }
  rank = info.chunk.size();
  if (info.sparse) type |= H5D_SPARSE_CHUNK;
  if (sections.back() == SectionKind::heap) type |= H5D_VL_CHUNK;
}

std::span<const std::uint64_t> SectionChunks::coordinates(const hsize_t* offset) const {
  return {required(offset, "offset"), rank};
}

std::optional<ChunkInfo> SectionChunks::find(const hsize_t* offset) const {
  const auto dims = dataset.space().dims();
  const bool inside = std::ranges::equal(coordinates(offset), dims, std::less<>());
  return inside ? dataset.find_chunk(coordinates(offset)) : std::nullopt;
}

std::vector<SectionInfo> SectionChunks::sections_of(const ChunkInfo& found) const {
  if (!structured) return {SectionInfo{SectionKind::elements, found.filter_mask, found.stored_bytes, 0}};
  return filters_checksums ? dataset.structured_chunk_sections(found.offset) : found.sections;
}

void SectionChunks::iterate(herr_t& result, const std::function<herr_t(const ChunkInfo&)>& visit) const {
  result = 0;
  dataset.for_each_chunk([&](const ChunkInfo& info) {
    result = visit(info);
    return result == 0;
  });
  if (result < 0) throw CallbackFailure({&H5E_DATASET_g, &H5E_BADITER_g}, "the callback failed");
}

std::uint16_t narrow_mask(std::uint32_t mask) { return static_cast<std::uint16_t>(mask & 0xffff); }

void store_location(const std::optional<ChunkInfo>& found, haddr_t* addr, hsize_t* size) {
  if (addr != nullptr) *addr = found ? found->address : HADDR_UNDEF;
  if (size != nullptr) *size = found ? found->stored_bytes : 0;
}

void copy_sections(const std::vector<RawSection>& sections,
                   const std::function<std::size_t(std::size_t)>& capacity, void* const* buffers) {
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (!sections[i].bytes.empty()) required(buffers[i], "a section's buffer");
    if (capacity(i) < sections[i].bytes.size())
      bad_value(fmt::format("section {} has {} bytes, its buffer only {}", i, sections[i].bytes.size(),
                            capacity(i)));
  }
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (!sections[i].bytes.empty())
      std::memcpy(buffers[i], sections[i].bytes.data(), sections[i].bytes.size());
}

}  // namespace filigree::capi
