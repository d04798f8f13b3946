// SPDX-License-Identifier: Apache-2.0
//
// Which elements become defined when a dataset becomes sparse.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace filigree::tools {

/// Chooses the elements of a dataset that its sparse copy defines.
class DefinedPolicy {
 public:
  virtual ~DefinedPolicy() = default;
  /// Returns runs of ordinals in the box; see StorageChange::choose_defined.
  virtual std::vector<Selection::Run> choose(const DenseBox& box) const = 0;
  /// Whether elements of a box in which nothing was written may be chosen.
  virtual bool may_choose_unwritten(const Selection& box) const = 0;
  /// Whether all elements that are not chosen read as the fill value of the copy.
  virtual bool keeps_all_values() const { return false; }
  /// Returns the fill value that the copy needs; empty: that of the source.
  virtual std::optional<Fill> fill() const { return std::nullopt; }
  /// Says what is chosen: "elements other than the fill value".
  virtual std::string text() const = 0;
};

/// Chooses the elements whose bits differ from those of one value.
class OtherThanValue : public DefinedPolicy {
 public:
  /// The value that differs from nothing is the fill value, or `excluded` as users write it.
  /// Throws: Error(invalid_argument) if the dataset cannot have the value; Error(unsupported).
  OtherThanValue(const Dataset& data, const std::optional<std::string>& excluded);
  ~OtherThanValue() override;
  OtherThanValue(const OtherThanValue&) = delete;
  OtherThanValue& operator=(const OtherThanValue&) = delete;

  std::vector<Selection::Run> choose(const DenseBox& box) const override;
  bool may_choose_unwritten(const Selection&) const override { return excludes_other_; }
  bool keeps_all_values() const override { return true; }
  std::optional<Fill> fill() const override;
  std::string text() const override { return "elements other than " + value_text(); }
  /// Whether elements that were never written have another value, and so are chosen.
  bool excludes_other() const { return excludes_other_; }
  /// Returns "the fill value", or what the user wrote.
  std::string value_text() const;

 private:
  const std::optional<std::string> excluded_;
  const Datatype type_;           ///< of elements in memory
  std::vector<std::byte> value_;  ///< one element
  bool excludes_other_ = false;   ///< another value than that of elements that were never written
};

/// Chooses boxes.
class WithinBoxes : public DefinedPolicy {
 public:
  /// Throws: Error(invalid_argument) for boxes that are not within the extent.
  WithinBoxes(const Dataset& data, const std::vector<Selection::Box>& boxes);
  std::vector<Selection::Run> choose(const DenseBox& box) const override;
  bool may_choose_unwritten(const Selection& box) const override;
  std::string text() const override { return "the elements that the command names"; }

 private:
  const std::vector<Selection::Box> boxes_;
  const Selection selection_;
};

/// Chooses the elements that are not zero in a dataset of the same dimensions.
class WithinMask : public DefinedPolicy {
 public:
  /// Throws: Error(invalid_argument) for other dimensions, and for elements that are no numbers.
  WithinMask(const Dataset& data, const Dataset& mask);
  std::vector<Selection::Run> choose(const DenseBox& box) const override;
  bool may_choose_unwritten(const Selection& box) const override;
  std::string text() const override;

 private:
  const Dataset mask_;
  const Datatype type_;
  bool is_zero_elsewhere_ = false;  ///< the mask has chunks, and is 0 where it has none
};

/// How many elements of a dataset differ from a value.
struct Density {
  std::uint64_t chosen = 0, elements = 0;
  bool complete = true;  ///< false: the count ended because there are more than enough

  double share() const { return static_cast<double>(chosen) / static_cast<double>(elements); }
};

/// The share of elements up to which sparse storage is chosen.
inline constexpr double most_sparse_share = 0.25;

/// Counts by reading the elements, of which about a million are in memory, or a chunk if that is larger. What
/// the dataset does not store is not read. The count ends early if the share is above most_sparse_share.
Density measure_density(const Dataset& data, const OtherThanValue& policy);

}  // namespace filigree::tools
