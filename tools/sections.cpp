// SPDX-License-Identifier: Apache-2.0
#include "sections.hpp"

#include <filigree/error.hpp>

namespace filigree::tools {

std::string_view section_name(SectionKind kind) {
  switch (kind) {
    case SectionKind::selection:
      return "selection";
    case SectionKind::elements:
      return "elements";
    case SectionKind::heap:
      return "heap";
  }
  return "unknown";
}

std::vector<SectionKind> section_kinds(const DatasetInfo& info) {
  if (info.portable) return {SectionKind::selection, SectionKind::elements};
  return info.sections;
}

const std::vector<FilterChoice>& section_filters(const DatasetInfo& info, SectionKind kind) {
  switch (kind) {
    case SectionKind::selection:
      return info.selection_filters;
    case SectionKind::heap:
      return info.heap_filters;
    case SectionKind::elements:
      break;
  }
  return info.portable ? info.value_filters : info.filters;
}

std::vector<SectionSizes> section_sizes(const Dataset& data, const DatasetInfo& info) {
  std::vector<SectionSizes> sizes;
  const bool reads_chunks = info.portable && data.chunk_count() <= most_counted_envelopes;
  if (info.layout != Layout::structured && !reads_chunks) return sizes;
  const auto add = [&](const std::vector<SectionInfo>& sections) {
    if (sizes.size() < sections.size()) sizes.resize(sections.size());
    for (std::size_t i = 0; i < sections.size(); ++i) {
      sizes[i].stored_bytes += sections[i].stored_bytes;
      sizes[i].original_bytes += sections[i].original_bytes;
    }
  };
  try {
    data.for_each_chunk([&](const ChunkInfo& chunk) {
      add(reads_chunks ? data.structured_chunk_sections(chunk.offset) : chunk.sections);
      return true;
    });
  } catch (const Error& error) {
    // Chunks that HDF5 has stored without the filter have no sections.
    if (!reads_chunks || error.kind() != ErrorKind::unsupported) throw;
    sizes.clear();
  }
  return sizes;
}

std::optional<std::uint64_t> chunks_in(const Dataspace& space, const std::vector<std::uint64_t>& chunk) {
  std::uint64_t all = 1;
  const std::vector<std::uint64_t>& dims = space.dims();
  for (std::size_t d = 0; d < dims.size() && d < chunk.size(); ++d) {
    const std::uint64_t along = chunk[d] == 0 ? 0 : dims[d] / chunk[d] + (dims[d] % chunk[d] != 0 ? 1 : 0);
    if (__builtin_mul_overflow(all, along, &all)) return std::nullopt;
  }
  return all;
}

}  // namespace filigree::tools
