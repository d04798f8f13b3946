// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <filigree/sparse.hpp>

#include "values.hpp"

namespace filigree::tools {

namespace {

constexpr std::uint64_t most_exact = 10'000'000;
constexpr std::size_t sample_size = 1'000'000;
constexpr std::uint64_t part_elements = std::uint64_t{1} << 20;

/// Collects numbers one by one.
class Collector {
 public:
  explicit Collector(std::uint64_t expected) : samples_(expected > most_exact) {}

  void add(double value) {
    if (std::isnan(value)) return void(++found_.nans);
    // Welford's method is exact enough for long sums.
    const double delta = value - found_.mean;
    ++found_.numbers;
    found_.mean += delta / static_cast<double>(found_.numbers);
    squares_ += delta * (value - found_.mean);
    remember(value);
  }

  Statistics take() {
    if (found_.numbers > 0) {
      found_.deviation = std::sqrt(squares_ / static_cast<double>(found_.numbers));
      if (std::isnan(squares_)) found_.deviation = squares_;
      std::ranges::sort(kept_);
      for (const double share : quantile_shares) found_.quantiles.push_back(quantile(share));
      if (samples_) found_.sample = kept_.size();
    }
    return std::move(found_);
  }

 private:
  /// Each number is in the sample with the same probability.
  void remember(double value) {
    if (!samples_ || kept_.size() < sample_size) return kept_.push_back(value);
    const std::uint64_t at = std::uniform_int_distribution<std::uint64_t>(0, found_.numbers - 1)(random_);
    if (at < kept_.size()) kept_[at] = value;
  }

  double quantile(double share) const {
    const double at = share * static_cast<double>(kept_.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, kept_.size() - 1);
    if (kept_[below] == kept_[above]) return kept_[below];
    return kept_[below] + (at - static_cast<double>(below)) * (kept_[above] - kept_[below]);
  }

  Statistics found_;
  double squares_ = 0;
  const bool samples_;
  std::vector<double> kept_;
  std::mt19937_64 random_{1};  // NOLINT: the same sample each time
};

/// The extreme values as text, because a double cannot represent all integers.
class Extremes {
 public:
  void add(double value, const Datatype& type, const std::byte* element) {
    if (std::isnan(value)) return;
    if (least_.empty() || value < least_value_) replace(least_, least_value_, value, type, element);
    if (most_.empty() || value > most_value_) replace(most_, most_value_, value, type, element);
  }
  void put_into(Statistics& found, const ValueWriter& writer, const Datatype& type) const {
    if (least_.empty()) return;
    found.least = least_value_;
    found.most = most_value_;
    found.least_text = writer.text(type, least_.data());
    found.most_text = writer.text(type, most_.data());
  }

 private:
  static void replace(std::vector<std::byte>& bytes, double& kept, double value, const Datatype& type,
                      const std::byte* element) {
    kept = value;
    bytes.assign(element, element + type.size());
  }

  std::vector<std::byte> least_, most_;
  double least_value_ = 0, most_value_ = 0;
};

}  // namespace

Statistics measure(const Dataset& data, const Selection& selection) {
  const Datatype type = memory_type(data.datatype());
  Statistics none;
  none.defined = data.defined_count(selection);
  const std::vector<std::byte> example(type.size());
  none.is_numeric = as_double(type, example.data()).has_value();
  if (!none.is_numeric) return none;
  Collector collector(none.defined);
  Extremes extremes;
  const auto read = [&](const Selection& part) {
    Elements found(data.datatype());
    data.read_defined_elements(type, part, [&](std::size_t count) { return found.resize(count); });
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double value = *as_double(type, found.at(i));
      collector.add(value);
      extremes.add(value, type, found.at(i));
    }
  };
  for (const Selection& part : partition_defined(data, selection, part_elements)) read(part);
  Statistics found = collector.take();
  found.is_numeric = true;
  found.defined = none.defined;
  PathFinder paths(data.file());
  extremes.put_into(found, ValueWriter(paths, Style()), type);
  return found;
}

}  // namespace filigree::tools
