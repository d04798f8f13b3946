// SPDX-License-Identifier: Apache-2.0
//
// How the copy of a dataset is stored.
#pragma once

#include <vector>

#include <filigree/filigree.hpp>

#include "repack_choices.hpp"

namespace filigree::tools {

/// The storage of a dataset, to which changes are added.
class StorageDraft {
 public:
  explicit StorageDraft(const Dataset& data);

  const DatasetInfo& source() const { return source_; }
  std::uint64_t data_bytes() const { return source_.data_bytes; }
  /// Whether elements are in this file, but not in a header.
  bool has_own_storage() const;
  /// Whether sparse storage is possible at all, and the dataset is not sparse.
  bool may_become_sparse() const;

  void set_layout(const LayoutChoice& choice);
  void become_sparse() { kind_ = Kind::sparse_chunks; }
  /// Returns whether that is another form. Has no effect on datasets that are not sparse.
  bool set_form(SparseForm form);
  /// Returns whether the choices apply. Those for all objects do not mean sections that the dataset has not.
  bool set_filters(const std::vector<const SectionFilterChoice*>& choices);
  void set_fill(const Fill& fill) { fill_ = fill; }
  void set_density(double share);

  bool is_sparse() const { return kind_ == Kind::sparse_chunks; }
  /// Whether chunk dimensions have to be chosen.
  bool needs_density() const { return is_sparse() && chunk_.empty(); }
  /// Throws: Error(invalid_argument), with the reason, for a draft that makes no sense.
  void require_possible() const;
  /// Throws: Error(invalid_argument) if a filter is missing that the elements need.
  void require_decodable() const;
  /// Whether the dataset is of a kind that choices for all datasets do not mean.
  bool is_unsuitable() const;

  Dataspace space() const;
  DatasetOptions options() const;
  /// Returns the same for a dataset without elements: nothing is allocated.
  DatasetOptions options_without_space() const;
  bool differs(const DatasetInfo& made) const;
  bool differs_in_form_only(const DatasetInfo& made) const;

 private:
  using Kind = LayoutChoice::Kind;

  bool has_chunks() const { return kind_ == Kind::chunks || kind_ == Kind::sparse_chunks; }
  bool keeps_kind() const;
  void add_filters(DatasetOptions& options) const;

  const DatasetInfo source_;
  const DatasetOptions stored_;
  const Dataspace space_;
  const bool has_variable_parts_;
  Kind kind_;
  bool is_layout_chosen_ = false;
  bool is_elsewhere_;  ///< virtual or external, and stays so
  std::vector<std::uint64_t> chunk_;
  bool portable_;
  std::optional<Fill> fill_;
  double density_ = 0;  ///< 0: not measured
  std::optional<std::vector<FilterChoice>> values_, selection_, heap_;
};

}  // namespace filigree::tools
