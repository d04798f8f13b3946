// SPDX-License-Identifier: Apache-2.0
//
// Datasets and files in a few words, for tree, info, find and show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "json.hpp"
#include "terminal.hpp"

namespace filigree::tools {

/// What a line about a dataset tells. All of it comes from the object header and the chunk index.
struct DatasetFacts {
  Datatype type;
  Dataspace space;
  DatasetInfo info;
  std::uint64_t stored_bytes = 0;
  std::optional<std::uint64_t> chunks;      ///< that are stored
  std::optional<std::uint64_t> all_chunks;  ///< in the extent
  /// Of sparse datasets; empty if chunks would have to be read for it.
  std::optional<std::uint64_t> defined;
  /// Portable chunks that HDF5 has stored; empty if too many would have to be read for it.
  std::optional<std::uint64_t> from_hdf5;

  /// The share of elements that are defined, in percent.
  std::optional<double> percent_defined() const;
};
DatasetFacts describe(const Dataset& data);

/// "(100/Inf, 1024)"; "scalar" and "null" for others.
std::string shape_text(const Dataspace& space);
/// "contiguous", "sparse 0.046 %", "chunked, shuffle, deflate 6".
std::string layout_text(const DatasetFacts& facts);
/// "212 of 1,600 chunks"; empty for layouts without chunks.
std::string chunks_text(const DatasetFacts& facts);
/// "0.046 %", "12 %", "0 %".
std::string percent_text(double percent);
/// The name of the layout for programs: "contiguous", "structured" and so on.
const char* layout_name(const DatasetInfo& info);
/// Adds members about a dataset to the current object.
void add_json(JsonWriter& json, const DatasetFacts& facts);

/// A sparse matrix that other software stores as a group with arrays.
struct Convention {
  std::string kind;      ///< "csr_matrix"
  std::string software;  ///< "AnnData"
  std::uint64_t stored = 0;
  std::optional<Datatype> type;
  std::vector<std::uint64_t> shape;
};
/// Returns the matrix that the group is; empty for other groups, and for damaged ones.
std::optional<Convention> find_convention(const Group& group);

/// What a reader needs, as a list: "HDF5 1.10", "structured chunks", "filter 500".
std::vector<std::string> needs(const Requirements& requirements, bool with_names);

}  // namespace filigree::tools
