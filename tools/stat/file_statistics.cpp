// SPDX-License-Identifier: Apache-2.0
#include "file_statistics.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "../details.hpp"

namespace filigree::tools {

namespace {

unsigned magnitude(std::uint64_t value) {
  unsigned digits = 0;
  for (; value > 0; value /= 10) ++digits;
  return digits;
}

void add(HeaderBytes& sum, const ObjectInfo& info) {
  sum.total += info.header_bytes;
  sum.unused += info.header_free_bytes;
}

void add(MetadataBytes& sum, const MetadataBytes& bytes) {
  sum.index += bytes.index;
  sum.heap += bytes.heap;
}

class Collector {
 public:
  void see(const Visited& visited, const std::string& file) {
    if (visited.error != nullptr) found_.faults.push_back(error_text(*visited.error, file));
    if (!visited.object) return see_link(visited.link);
    if (visited.seen_before) return;
    try {
      see_object(*visited.object);
    } catch (const Error& error) {
      found_.faults.push_back(error_text(error, file));
    }
  }
  FileStatistics take() { return std::move(found_); }

 private:
  void see_link(const Link* link) {
    if (link == nullptr || link->kind == LinkKind::hard) return;
    if (link->kind == LinkKind::user)
      ++found_.others;
    else
      ++found_.links;
  }

  void see_object(const Object& object) {
    const ObjectInfo info = object.info();
    found_.most_hard_links = std::max<std::uint64_t>(found_.most_hard_links, info.link_count);
    if (info.attributes > 0) found_.attributes.add(info.attributes);
    const ObjectMetadata metadata = object.metadata();
    add(found_.attribute_metadata, metadata.attributes);
    switch (info.kind) {
      case ObjectKind::group:
        ++found_.groups;
        add(found_.group_headers, info);
        add(found_.group_metadata, metadata.object);
        found_.links_of_groups.add(Group(object).group_info().links);
        break;
      case ObjectKind::dataset:
        ++found_.datasets;
        add(found_.dataset_headers, info);
        add(found_.dataset_metadata, metadata.object);
        see_dataset(Dataset(object));
        break;
      case ObjectKind::datatype:
        ++found_.datatypes;
        add(found_.datatype_headers, info);
        break;
    }
  }

  void see_dataset(const Dataset& data) {
    const Dataspace space = data.space();
    ++found_.ranks[space.dims().size()];
    if (space.dims().size() == 1) found_.dims_of_lines.add(space.dims()[0]);
    const DatasetInfo info = data.dataset_info();
    const std::uint64_t stored = data.stored_bytes();
    see_layout(info);
    // The elements of a compact dataset are in its object header, but no metadata.
    if (info.layout == Layout::compact) found_.dataset_headers.total -= stored;
    (info.external.empty() ? found_.raw_bytes : found_.external_bytes) += stored;
    found_.external_files += info.external.size();
    found_.dataset_metadata.index -= uncounted_bytes(data, info);
    see_filters(info);
    see_type(data.datatype());
  }

  /// The bytes of an extensible array that h5stat leaves out: the addresses of super blocks in its index
  /// block.
  static std::uint64_t uncounted_bytes(const Dataset& data, const DatasetInfo& info) {
    constexpr std::uint64_t super_blocks = 29;  // of every extensible array that HDF5 creates for chunks
    const bool is_array =
        info.layout == Layout::chunked && info.chunk_index == ChunkIndexKind::extensible_array;
    return is_array && info.index_address ? super_blocks * data.file().info().offset_bytes : 0;
  }

  void see_layout(const DatasetInfo& info) {
    LayoutCounts& counts = found_.layouts;
    switch (info.layout) {
      case Layout::compact:
        ++counts.compact;
        break;
      case Layout::contiguous:
        ++counts.contiguous;
        break;
      case Layout::chunked:
        ++counts.chunked;
        break;
      case Layout::virtual_dataset:
        ++counts.virtual_datasets;
        break;
      case Layout::structured:
        ++(info.sparse ? counts.sparse_chunks : counts.heap_chunks);
        break;
    }
  }

  /// A filter of several sections counts once.
  void see_filters(const DatasetInfo& info) {
    std::vector<std::uint16_t> ids;
    for (const FilterChoice& filter : info.filters) ids.push_back(filter.id);
    for (const auto* section : {&info.selection_filters, &info.heap_filters})
      for (const FilterChoice& filter :
           info.layout == Layout::structured ? *section : std::vector<FilterChoice>())
        if (std::ranges::find(ids, filter.id) == ids.end()) ids.push_back(filter.id);
    if (ids.empty()) ++found_.filters.none;
    for (const std::uint16_t id : ids)
      ++(id < found_.filters.known.size() ? found_.filters.known[id] : found_.filters.others);
  }

  void see_type(const Datatype& type) {
    // As for HDF5, variable-length strings of ASCII and of UTF-8 are the same.
    const auto is_string = [](const Datatype& one) {
      return one.type_class() == TypeClass::string && one.is_variable_string();
    };
    const auto same = [&](const TypeCount& one) {
      return one.type == type ||
             (is_string(one.type) && is_string(type) && one.type.padding() == type.padding());
    };
    auto found = std::ranges::find_if(found_.types, same);
    if (found == found_.types.end()) found = found_.types.insert(found, {type, 0, 0});
    ++found->datasets;
    if (type.committed_address()) ++found->committed;
  }

  FileStatistics found_;
};

}  // namespace

void Histogram::add(std::uint64_t value) {
  if (value < most_values) ++values_[value];
  ++magnitudes_[magnitude(value)];
  ++items_;
  largest_ = std::max(largest_, value);
}

std::uint64_t Histogram::with(std::uint64_t value) const {
  const auto found = values_.find(value);
  return found == values_.end() ? 0 : found->second;
}

FileStatistics collect_statistics(const File& file) {
  Collector collector;
  VisitOptions options;
  options.keep_going = true;
  file.root().visit(
      [&](const Visited& visited) {
        collector.see(visited, file.name());
        return true;
      },
      options);
  return collector.take();
}

}  // namespace filigree::tools
