// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "../hdf5_terms.hpp"

namespace filigree::tools {

namespace {

/// The parts of the report, each of which appends to the text.
class Report {
 public:
  Report(const ReportParts& parts, const FileStatistics& found, const File& file)
      : parts_(parts), found_(found), info_(file.info()), free_(file.free_sections()), path_(file.name()) {}

  std::string make() {
    if (parts_.file) add_file();
    if (parts_.file_metadata) add_file_metadata();
    if (parts_.groups) add_groups();
    if (parts_.group_metadata) add_group_metadata();
    if (parts_.datasets) add_datasets();
    if (parts_.dataset_metadata) add_dataset_metadata();
    if (parts_.types) add_types();
    if (parts_.attributes) add_attributes();
    if (parts_.free_space) add_free_space();
    if (parts_.summary) add_summary();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }

  void add_file() {
    line("File information");
    line("\t# of unique groups: {}", found_.groups);
    line("\t# of unique datasets: {}", found_.datasets);
    line("\t# of unique named datatypes: {}", found_.datatypes);
    line("\t# of unique links: {}", found_.links);
    line("\t# of unique other: {}", found_.others);
    line("\tMax. # of links to object: {}", found_.most_hard_links);
    line("\tMax. # of objects in group: {}", found_.links_of_groups.largest());
  }

  void add_tree_and_heap(const char* title, const MetadataBytes& bytes) {
    line("\t{}:", title);
    line("\t\tB-tree/List: {}", bytes.index);
    line("\t\tHeap: {}", bytes.heap);
  }

  /// The size of the superblock. h5stat does not count the record of a driver.
  std::uint64_t superblock_bytes() const {
    const std::uint64_t address = info_.offset_bytes, four = 4 * address;
    switch (info_.superblock_version) {
      case 0:
      case 1: {
        const std::uint64_t fixed = info_.superblock_version == 0 ? 24 : 28, root_entry = 2 * address + 24;
        return fixed + four + root_entry;
      }
      default:
        return 16 + four;
    }
  }

  void add_file_metadata() {
    line("File space information for file metadata (in bytes):");
    line("\tSuperblock: {}", superblock_bytes());
    line("\tSuperblock extension: {}", info_.extension_bytes);
    line("\tUser block: {}", info_.user_block_bytes);
    line("\tObject headers: (total/unused)");
    line("\t\tGroups: {}/{}", found_.group_headers.total, found_.group_headers.unused);
    line("\t\tDatasets(exclude compact data): {}/{}", found_.dataset_headers.total,
         found_.dataset_headers.unused);
    line("\t\tDatatypes: {}/{}", found_.datatype_headers.total, found_.datatype_headers.unused);
    add_tree_and_heap("Groups", found_.group_metadata);
    add_tree_and_heap("Attributes", found_.attribute_metadata);
    line("\tChunked datasets:");
    line("\t\tIndex: {}", found_.dataset_metadata.index);
    line("\tDatasets:");
    line("\t\tHeap: {}", found_.dataset_metadata.heap);
    line("\tShared Messages:");
    line("\t\tHeader: {}", info_.shared_message_table_bytes);
    line("\t\tB-tree/List: {}", info_.shared_message_index_bytes);
    line("\t\tHeap: {}", info_.shared_message_heap_bytes);
    line("\tFree-space managers:");
    line("\t\tHeader: {}", info_.free_space_metadata_bytes);
    line("\t\tAmount of free space: {}", info_.reusable_bytes);
  }

  /// One line for each decimal magnitude. `singular` is the unit behind the number 0.
  void add_magnitudes(const Histogram& values, const char* what, const char* singular, const char* plural) {
    for (const auto& [magnitude, count] : values.magnitudes()) {
      if (magnitude == 0) {
        line("{} 0{}: {}", what, singular, count);
        continue;
      }
      std::uint64_t low = 1;
      for (unsigned i = 1; i < magnitude; ++i) low *= 10;
      line("{} {} - {}{}: {}", what, low, low * 10 - 1, plural, count);
    }
  }

  void add_groups() {
    const Histogram& links = found_.links_of_groups;
    line("Small groups (with 0 to {} links):", parts_.small_groups - 1);
    std::uint64_t small = 0;
    for (std::uint64_t n = 0; n < parts_.small_groups; ++n) {
      if (links.with(n) > 0) line("\t# of groups with {} link(s): {}", n, links.with(n));
      small += links.with(n);
    }
    line("\tTotal # of small groups: {}", small);
    line("Group bins:");
    add_magnitudes(links, "\t# of groups with", " link", " links");
    line("\tTotal # of groups: {}", links.items());
  }

  void add_group_metadata() {
    line("File space information for groups' metadata (in bytes):");
    line("\tObject headers (total/unused): {}/{}", found_.group_headers.total, found_.group_headers.unused);
    line("\tB-tree/List: {}", found_.group_metadata.index);
    line("\tHeap: {}", found_.group_metadata.heap);
  }

  void add_dims() {
    line("Dataset dimension information:");
    line("\tMax. rank of datasets: {}", found_.ranks.rbegin()->first);
    line("\tDataset ranks:");
    for (const auto& [rank, count] : found_.ranks) line("\t\t# of dataset with rank {}: {}", rank, count);
    const Histogram& dims = found_.dims_of_lines;
    line("1-D Dataset information:");
    line("\tMax. dimension size of 1-D datasets: {}", dims.largest());
    line("\tSmall 1-D datasets (with dimension sizes 0 to {}):", parts_.small_dims - 1);
    std::uint64_t small = 0;
    for (std::uint64_t n = 0; n < parts_.small_dims; ++n) {
      if (dims.with(n) > 0) line("\t\t# of datasets with dimension sizes {}: {}", n, dims.with(n));
      small += dims.with(n);
    }
    line("\t\tTotal # of small datasets: {}", small);
    if (dims.items() == 0) return;
    line("\t1-D Dataset dimension bins:");
    add_magnitudes(dims, "\t\t# of datasets with dimension size", "", "");
    line("\t\tTotal # of datasets: {}", dims.items());
  }

  void add_layouts() {
    const LayoutCounts& counts = found_.layouts;
    line("Dataset layout information:");
    line("\tDataset layout counts[COMPACT]: {}", counts.compact);
    line("\tDataset layout counts[CONTIG]: {}", counts.contiguous);
    line("\tDataset layout counts[CHUNKED]: {}", counts.chunked);
    line("\tDataset layout counts[VIRTUAL]: {}", counts.virtual_datasets);
    if (counts.sparse_chunks > 0)
      line("\tDataset layout counts[STRUCTURED CHUNK SPARSE]: {}", counts.sparse_chunks);
    if (counts.heap_chunks > 0) line("\tDataset layout counts[STRUCTURED CHUNK VL]: {}", counts.heap_chunks);
    line("\tNumber of external files : {}", found_.external_files);
  }

  void add_filters() {
    const FilterCounts& counts = found_.filters;
    line("Dataset filters information:");
    line("\tNumber of datasets with:");
    line("\t\tNO filter: {}", counts.none);
    constexpr const char* names[] = {"GZIP", "SHUFFLE", "FLETCHER32", "SZIP", "NBIT", "SCALEOFFSET"};
    for (std::size_t i = 0; i < std::size(names); ++i)
      line("\t\t{} filter: {}", names[i], counts.known[i + 1]);
    line("\t\tUSER-DEFINED filter: {}", counts.others);
  }

  void add_datasets() {
    if (found_.datasets == 0 || found_.ranks.empty()) return;
    add_dims();
    line("Dataset storage information:");
    line("\tTotal raw data size: {}", found_.raw_bytes);
    line("\tTotal external raw data size: {}", found_.external_bytes);
    add_layouts();
    add_filters();
  }

  void add_dataset_metadata() {
    line("File space information for datasets' metadata (in bytes):");
    line("\tObject headers (total/unused): {}/{}", found_.dataset_headers.total,
         found_.dataset_headers.unused);
    line("\tIndex for Chunked datasets: {}", found_.dataset_metadata.index);
    line("\tHeap: {}", found_.dataset_metadata.heap);
  }

  void add_types() {
    if (found_.datasets == 0) return;
    line("Dataset datatype information:");
    line("\t# of unique datatypes used by datasets: {}", found_.types.size());
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < found_.types.size(); ++i) {
      const TypeCount& one = found_.types[i];
      line("\tDataset datatype #{}:", i);
      line("\t\tCount (total/named) = ({}/{})", one.datasets, one.committed);
      line("\t\tSize (desc./elmt) = ({}/{})", one.type.encoded_bytes(), held_size(one.type));
      total += one.datasets;
    }
    line("\tTotal dataset datatype count: {}", total);
  }

  void add_attributes() {
    const Histogram& attributes = found_.attributes;
    line("Small # of attributes (objects with 1 to {} attributes):", parts_.small_attributes);
    std::uint64_t small = 0;
    for (std::uint64_t n = 1; n <= parts_.small_attributes; ++n) {
      if (attributes.with(n) > 0) line("\t# of objects with {} attributes: {}", n, attributes.with(n));
      small += attributes.with(n);
    }
    line("\tTotal # of objects with small # of attributes: {}", small);
    line("Attribute bins:");
    add_magnitudes(attributes, "\t# of objects with", "", " attributes");
    line("\tTotal # of objects with attributes: {}", attributes.items());
    line("\tMax. # of attributes to objects: {}", attributes.largest());
  }

  void add_free_space() {
    constexpr std::uint64_t small_section = 10;
    Histogram sizes;
    for (const FreeSection& section : free_) sizes.add(section.bytes);
    line("Free-space persist: {}", info_.space.persist ? "TRUE" : "FALSE");
    line("Free-space section threshold: {} bytes", info_.space.threshold);
    line("Small size free-space sections (< {} bytes):", small_section);
    std::uint64_t small = 0;
    for (std::uint64_t n = 0; n < small_section; ++n) {
      if (sizes.with(n) > 0) line("\t# of sections of size {}: {}", n, sizes.with(n));
      small += sizes.with(n);
    }
    line("\tTotal # of small size sections: {}", small);
    line("Free-space section bins:");
    add_magnitudes(sizes, "\t# of sections of size", "", "");
    line("\tTotal # of sections: {}", sizes.items());
  }

  std::uint64_t metadata_bytes() const {
    return superblock_bytes() + info_.extension_bytes + info_.user_block_bytes + found_.group_headers.total +
           found_.dataset_headers.total + found_.datatype_headers.total + found_.group_metadata.index +
           found_.group_metadata.heap + found_.attribute_metadata.index + found_.attribute_metadata.heap +
           found_.dataset_metadata.index + found_.dataset_metadata.heap + info_.shared_message_table_bytes +
           info_.shared_message_index_bytes + info_.shared_message_heap_bytes +
           info_.free_space_metadata_bytes;
  }

  /// The size of the file, with what is behind its end of allocation.
  std::uint64_t file_bytes() const {
    std::error_code ignored;
    const auto on_disk = std::filesystem::file_size(path_, ignored);
    return ignored ? info_.file_bytes : std::max<std::uint64_t>(info_.file_bytes, on_disk);
  }

  void add_summary() {
    const std::uint64_t metadata = metadata_bytes(), free = info_.reusable_bytes, all = file_bytes();
    line("File space management strategy: {}", strategy_name(info_.space.strategy));
    line("File space page size: {} bytes", info_.space.page_bytes);
    line("Summary of file space information:");
    line("  File metadata: {} bytes", metadata);
    line("  Raw data: {} bytes", found_.raw_bytes);
    const double percent = all == 0 ? 0.0 : 100.0 * static_cast<double>(free) / static_cast<double>(all);
    line("  Amount/Percent of tracked free space: {} bytes/{:.1f}%", free, percent);
    const std::uint64_t known = metadata + found_.raw_bytes + free;
    if (known > all)
      line("  ??? File has {} more bytes accounted for than its size! ???", known - all);
    else
      line("  Unaccounted space: {} bytes", all - known);
    line("Total space: {} bytes", all);
    if (found_.external_files > 0) line("External raw data: {} bytes", found_.external_bytes);
  }

  const ReportParts& parts_;
  const FileStatistics& found_;
  const FileInfo info_;
  const std::vector<FreeSection> free_;
  const std::string path_;
  std::string text_;
};

}  // namespace

void ReportParts::choose_default() {
  file = file_metadata = groups = datasets = types = attributes = free_space = summary = true;
}

std::string report_text(const ReportParts& parts, const FileStatistics& found, const File& file) {
  return Report(parts, found, file).make();
}

}  // namespace filigree::tools
