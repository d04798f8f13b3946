// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <fmt/format.h>

#include <filigree/sparse.hpp>

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
    if (std::isnan(value)) return void(++nans_);
    ++numbers_;
    remember(value);
    if (std::isinf(value)) {
      infinite_ += value;  // NaN as soon as there are both
      return;
    }
    // Welford's method is exact enough for long sums.
    const double delta = value - mean_;
    ++finite_;
    mean_ += delta / static_cast<double>(finite_);
    squares_ += delta * (value - mean_);
  }

  void put_into(Statistics& found) {
    found.nans = nans_;
    found.numbers = numbers_;
    if (numbers_ == 0) return;
    found.mean = infinite_ == 0 ? mean_ : infinite_;
    found.deviation = infinite_ == 0 ? std::sqrt(squares_ / static_cast<double>(finite_)) : std::nan("");
    std::ranges::sort(kept_);
    for (const double share : quantile_shares) found.quantiles.push_back(quantile(share));
    if (samples_) found.sample = kept_.size();
  }

 private:
  /// Each number is in the sample with the same probability.
  void remember(double value) {
    if (!samples_ || kept_.size() < sample_size) return kept_.push_back(value);
    const std::uint64_t at = std::uniform_int_distribution<std::uint64_t>(0, numbers_ - 1)(random_);
    if (at < kept_.size()) kept_[at] = value;
  }

  double quantile(double share) const {
    const double at = share * static_cast<double>(kept_.size() - 1);
    const auto index = static_cast<std::size_t>(at);
    const double part = at - static_cast<double>(index);
    const double below = kept_[index], above = kept_[std::min(index + 1, kept_.size() - 1)];
    // Without these cases, an infinite neighbour would make it NaN.
    if (below == above || part == 0) return below;
    if (std::isinf(below) && !std::isinf(above)) return below;
    return below + part * (above - below);
  }

  std::uint64_t nans_ = 0, numbers_ = 0, finite_ = 0;
  double mean_ = 0, squares_ = 0;  ///< of finite numbers
  double infinite_ = 0;            ///< the sum of the others
  const bool samples_;
  std::vector<double> kept_;
  std::mt19937_64 random_{1};  // NOLINT: the same sample each time
};

/// Replaces the extreme values by the element if it is one. Their doubles may be rounded, in the same
/// direction as their order.
class Extremes {
 public:
  explicit Extremes(Datatype type) : type_(std::move(type)) {}

  void add(double value, const std::byte* element) {
    if (std::isnan(value)) return;
    const auto is_below = [&](double a, const std::byte* at_a, double b, const std::byte* at_b) {
      return a < b || (a == b && is_less(type_, at_a, at_b));
    };
    if (least_.empty() || is_below(value, element, least_value_, least_.data()))
      replace(least_, least_value_, value, element);
    if (most_.empty() || is_below(most_value_, most_.data(), value, element))
      replace(most_, most_value_, value, element);
  }

  void put_into(Statistics& found) {
    found.least = std::move(least_);
    found.most = std::move(most_);
  }

 private:
  void replace(std::vector<std::byte>& bytes, double& kept, double value, const std::byte* element) const {
    kept = value;
    bytes.assign(element, element + type_.size());
  }

  const Datatype type_;
  std::vector<std::byte> least_, most_;
  double least_value_ = 0, most_value_ = 0;
};

}  // namespace

Statistics measure(const Dataset& data, const Selection& selection) {
  Statistics found(memory_type(data.datatype()));
  found.defined = data.defined_count(selection);
  const std::vector<std::byte> example(found.type.size());
  found.is_numeric = as_double(found.type, example.data()).has_value();
  if (!found.is_numeric) return found;
  Collector collector(found.defined);
  Extremes extremes(found.type);
  for (const Selection& part : partition_defined(data, selection, part_elements)) {
    Elements elements(data.datatype());
    data.read_defined_elements(found.type, part, [&](std::size_t count) { return elements.resize(count); });
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const double value = *as_double(found.type, elements.at(i));
      collector.add(value);
      extremes.add(value, elements.at(i));
    }
  }
  collector.put_into(found);
  extremes.put_into(found);
  return found;
}

std::string statistics_text(const Statistics& statistics, const ValueWriter& writer) {
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("{:<10}{}\n", label, value);
  };
  if (!statistics.is_numeric) return text;
  line("NaN", fmt::format("{}", statistics.nans));
  if (statistics.numbers == 0) return text;
  line("min", writer.text(statistics.type, statistics.least.data()));
  line("max", writer.text(statistics.type, statistics.most.data()));
  line("mean", fmt::format("{}", statistics.mean));
  line("std", fmt::format("{}", statistics.deviation));
  if (statistics.sample > 0) text += fmt::format("quantiles of a sample of {} elements\n", statistics.sample);
  for (std::size_t i = 0; i < statistics.quantiles.size(); ++i)
    line(quantile_labels[i], fmt::format("{}", statistics.quantiles[i]));
  return text;
}

void add_json(JsonWriter& json, const Statistics& statistics, const ValueWriter& writer) {
  if (!statistics.is_numeric) return;
  json.key("nan").number(statistics.nans);
  if (statistics.numbers == 0) return;
  const auto extreme = [&](const char* name, const std::byte* element) {
    json.key(name);
    if (statistics.type.type_class() == TypeClass::integer)
      writer.json(json, statistics.type, element);
    else
      json.number(*as_double(statistics.type, element));
  };
  extreme("min", statistics.least.data());
  extreme("max", statistics.most.data());
  json.key("mean").number(statistics.mean).key("std").number(statistics.deviation);
  json.key("sample").number(statistics.sample).key("quantiles").begin_array();
  for (const double quantile : statistics.quantiles) json.number(quantile);
  json.end_array();
}

}  // namespace filigree::tools
