// SPDX-License-Identifier: Apache-2.0
//
// Statistics of the defined elements of a dataset.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <filigree/dataset.hpp>

#include "values.hpp"

namespace filigree::tools {

inline constexpr std::array<double, 7> quantile_shares{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
inline constexpr std::array<const char*, 7> quantile_labels{"1 %",  "5 %",  "25 %", "median",
                                                            "75 %", "95 %", "99 %"};

/// Infinities count as numbers, and have the effect that they have in numpy: the mean is infinite if all of
/// them have the same sign, and else NaN, as the deviation is.
struct Statistics {
  explicit Statistics(Datatype native) : type(std::move(native)) {}

  bool is_numeric = false;    ///< the rest is for numbers only
  std::uint64_t defined = 0;  ///< all elements, unless the dataset is sparse
  std::uint64_t nans = 0;
  std::uint64_t numbers = 0;           ///< defined elements that are not NaN
  Datatype type;                       ///< the native one
  std::vector<std::byte> least, most;  ///< elements of it; empty if there are no numbers
  double mean = 0, deviation = 0;      ///< of the whole population, as numpy's std()
  std::uint64_t sample = 0;            ///< the number of elements behind `quantiles`; 0 if these are all
  std::vector<double> quantiles;       ///< for quantile_shares, interpolated as numpy does
};

/// Reads the defined ones of the selected elements, part by part. Up to 10^7 numbers the quantiles are exact;
/// of more, a random sample of 10^6 decides, which is the same each time.
Statistics measure(const Dataset& data, const Selection& selection);

/// Returns the lines of `filigree show --stats` below the number of defined elements.
std::string statistics_text(const Statistics& statistics, const ValueWriter& writer);
/// Adds members to the current object. Integers have all their digits.
void add_json(JsonWriter& json, const Statistics& statistics, const ValueWriter& writer);

}  // namespace filigree::tools
