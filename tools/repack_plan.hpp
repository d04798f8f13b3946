// SPDX-License-Identifier: Apache-2.0
//
// What `filigree repack` does with each dataset.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <filigree/filigree.hpp>

#include "repack_choices.hpp"
#include "repack_defined.hpp"

namespace filigree::tools {

/// What the user wants.
struct RepackChoices {
  std::optional<SparseForm> form;
  std::vector<LayoutChoice> layouts;
  std::vector<SectionFilterChoice> filters;
  std::vector<DefinedChoice> defined;
  std::optional<std::string> excluded;  ///< a value that is not defined; unset: the fill value
  bool sparse_auto = false;
  bool keep_defined = false;
  std::uint64_t minimum_bytes = 0;  ///< of datasets whose filters change
};

/// The attribute of a dense dataset that names the mask of the elements that were defined: the name of a
/// dataset in the same group.
inline constexpr const char* mask_attribute = "FILIGREE_DEFINED_ELEMENTS";

/// What happens to one dataset that may change.
struct DatasetPlan {
  std::string path;
  bool was_sparse = false, becomes_sparse = false;
  bool changes = false;
  bool is_portable = false;   ///< the form of a sparse dataset in the copy
  std::string before, after;  ///< "chunks of {20, 30}, shuffle, deflate 6"
  std::string reason;         ///< why it changes, or stays; may be empty
  bool is_refused = false;    ///< it stays, although the user wants it to change
  DatasetOptions options;
  std::optional<Dataspace> space;
  std::shared_ptr<const DefinedPolicy> policy;  ///< of a dense dataset that becomes sparse
  bool keeps_mask = false;                      ///< a mask of what was defined is stored beside it
  std::string used_mask;  ///< the mask that repack has stored before; it goes if the dataset changes

  // Results.
  std::uint64_t chosen = 0;  ///< elements that the policy has chosen
  std::uint64_t bytes_before = 0, bytes_after = 0;
  std::optional<std::uint64_t> compared;  ///< elements that were compared; empty: they were not
  std::string made_mask;                  ///< the name of the mask that was stored
};

/// The plans of all datasets that change, are refused, or were measured, in the order of a visit.
class RepackPlan {
 public:
  /// Reads the elements of datasets whose density decides. `output` is how the copy will be opened. Throws:
  /// Error(not_found) for objects that the user names; Error for a damaged file.
  RepackPlan(const File& input, const RepackChoices& choices, const AccessOptions& output);

  std::vector<DatasetPlan>& datasets() { return datasets_; }
  const std::vector<DatasetPlan>& datasets() const { return datasets_; }
  /// Returns the plan of a dataset that changes; null for others.
  DatasetPlan* find(const Object& object);
  /// Returns whether an object is a mask that is no longer needed.
  bool leaves_out(const Object& object) const { return used_masks_.contains(object.address()); }

 private:
  std::vector<DatasetPlan> datasets_;
  std::unordered_map<std::uint64_t, std::size_t> by_address_;
  std::set<std::uint64_t> used_masks_;
};

/// Describes how a dataset is stored: "sparse chunks of {1, 256}, shuffle, zstd 3".
std::string storage_text(const DatasetInfo& info);

}  // namespace filigree::tools
