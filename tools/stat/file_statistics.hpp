// SPDX-License-Identifier: Apache-2.0
//
// Numbers and sizes of what is in a file, as h5stat counts them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace filigree::tools {

/// Sums over object headers.
struct HeaderBytes {
  std::uint64_t total = 0, unused = 0;
};

/// How many items have a value, for the values below a threshold and by decimal magnitude.
class Histogram {
 public:
  void add(std::uint64_t value);
  std::uint64_t items() const { return items_; }
  std::uint64_t largest() const { return largest_; }
  /// Returns the number of items with this value.
  std::uint64_t with(std::uint64_t value) const;
  /// Magnitude 0 is the value 0, magnitude n > 0 the values from 10^(n - 1) to 10^n - 1.
  const std::map<unsigned, std::uint64_t>& magnitudes() const { return magnitudes_; }

 private:
  /// No threshold is larger: others are counted by magnitude alone, so that memory stays bounded.
  static constexpr std::uint64_t most_values = 1'000'000;

  std::map<std::uint64_t, std::uint64_t> values_;
  std::map<unsigned, std::uint64_t> magnitudes_;
  std::uint64_t items_ = 0, largest_ = 0;
};

/// Datasets by layout.
struct LayoutCounts {
  std::uint64_t compact = 0, contiguous = 0, chunked = 0, virtual_datasets = 0;
  std::uint64_t sparse_chunks = 0, heap_chunks = 0;  ///< in structured chunks
};

/// The filters that HDF5 has, by number; all others together.
struct FilterCounts {
  std::uint64_t none = 0;
  std::array<std::uint64_t, 7> known{};
  std::uint64_t others = 0;
};

/// A datatype of datasets.
struct TypeCount {
  Datatype type;
  std::uint64_t datasets = 0;
  std::uint64_t committed = 0;  ///< of these, with a committed datatype
};

struct FileStatistics {
  std::uint64_t groups = 0, datasets = 0, datatypes = 0, links = 0, others = 0;
  std::uint64_t most_hard_links = 0;

  HeaderBytes group_headers, dataset_headers, datatype_headers;
  MetadataBytes group_metadata, attribute_metadata, dataset_metadata;

  Histogram links_of_groups;
  std::map<std::size_t, std::uint64_t> ranks;
  Histogram dims_of_lines;  ///< the dimensions of datasets with one
  LayoutCounts layouts;
  FilterCounts filters;
  std::vector<TypeCount> types;  ///< in the order of their first dataset
  std::uint64_t raw_bytes = 0, external_bytes = 0, external_files = 0;
  Histogram attributes;  ///< of objects that have some

  std::vector<std::string> faults;  ///< what could not be read
};

/// Visits all objects. Reads no elements.
FileStatistics collect_statistics(const File& file);

}  // namespace filigree::tools
