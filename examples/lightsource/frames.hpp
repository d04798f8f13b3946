// SPDX-License-Identifier: Apache-2.0
//
// A detector that does not exist. Every frame follows from seed and number alone, so that whoever reads a
// file can make the frames once more and compare. Knows nothing of Filigree: the writer with HDF5 uses
// it too.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

namespace lightsource {

enum class Kind : std::uint8_t {
  region,  ///< a spot that wanders: the pixels of a box, a tenth of the frame, count
  peaks,   ///< 50 to 100 clusters of 5 to 10 pixels count
};
inline std::string_view name(Kind kind) { return kind == Kind::region ? "region" : "peaks"; }

/// What counts of one frame.
struct Frame {
  std::uint64_t number = 0;
  std::array<std::uint64_t, 2> start{}, count{};  ///< of the box in y and x; peaks have none
  std::vector<std::uint64_t> offsets;             ///< of peaks: pixels in row-major order, ascending
  std::vector<std::uint16_t> values;              ///< in the same order, of a box in row-major order
};

/// splitmix64: small, fast, and the same everywhere, which std's distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  std::uint64_t below(std::uint64_t end) { return (*this)() % end; }
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Frames of side x side pixels. `const` calls may come from any number of threads.
class Stream {
 public:
  Stream(Kind kind, std::uint64_t side, std::uint64_t seed) : kind_(kind), side_(side), seed_(seed) {
    if (kind == Kind::region) light_the_box();
  }
  Kind kind() const { return kind_; }
  std::uint64_t side() const { return side_; }
  Frame frame(std::uint64_t number) const { return kind_ == Kind::region ? region(number) : peaks(number); }

  /// The frame with zeros for all that does not count.
  void zero_filled(const Frame& frame, std::vector<std::uint16_t>& dense) const {
    dense.assign(side_ * side_, 0);
    put(frame, dense);
  }
  /// The frame as the detector saw it: the rest is faint noise.
  std::vector<std::uint16_t> full(const Frame& frame) const {
    std::vector<std::uint16_t> dense(side_ * side_);
    Random random = at(frame.number, 2);
    for (std::uint64_t bits = 0, i = 0; i < dense.size(); ++i, bits >>= 4) {
      if (i % 16 == 0) bits = random();
      dense[i] = static_cast<std::uint16_t>(std::popcount(bits & 15u) / 2);  // 0, 1 or 2
    }
    put(frame, dense);
    return dense;
  }
  /// Numbers of the frame's pixels, ascending.
  std::vector<std::uint64_t> pixels(const Frame& frame) const {
    if (kind_ == Kind::peaks) return frame.offsets;
    std::vector<std::uint64_t> all;
    all.reserve(frame.values.size());
    for (std::uint64_t y = 0; y < frame.count[0]; ++y)
      for (std::uint64_t x = 0; x < frame.count[1]; ++x)
        all.push_back((frame.start[0] + y) * side_ + frame.start[1] + x);
    return all;
  }

 private:
  Random at(std::uint64_t number, std::uint64_t purpose) const {
    Random first(seed_ ^ static_cast<std::uint64_t>(kind_) << 56 ^ purpose << 48);
    return Random(first() + number * 0xd1342543de82ef95);
  }

  void light_the_box() {
    box_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0.3163 * static_cast<double>(side_)));
    const double middle = static_cast<double>(box_ - 1) / 2, width = static_cast<double>(box_) / 5;
    for (std::uint64_t i = 0; i < box_ * box_; ++i) {
      const double y = (static_cast<double>(i / box_) - middle) / width;
      const double x = (static_cast<double>(i % box_) - middle) / width;
      mean_.push_back(static_cast<float>(2 + 300 * std::exp(-(x * x + y * y) / 2)));
    }
  }

  /// Photons: about as many as expected, with the noise that photons have.
  Frame region(std::uint64_t number) const {
    Random random = at(number, 1);
    const double t = static_cast<double>(number) / 40, margin = static_cast<double>(side_ - box_) / 2;
    Frame frame{number, {}, {box_, box_}, {}, {}};
    frame.start = {static_cast<std::uint64_t>(margin * (1 + std::sin(3 * t))),
                   static_cast<std::uint64_t>(margin * (1 + std::cos(2 * t)))};
    frame.values.resize(box_ * box_);
    for (std::uint64_t bits = 0, i = 0; i < frame.values.size(); ++i, bits >>= 32) {
      if (i % 2 == 0) bits = random();
      const float noise = static_cast<float>(std::popcount(bits & 0xffffffffu) - 16) * 0.3536f;
      frame.values[i] =
          static_cast<std::uint16_t>(std::max(0.0f, mean_[i] + std::sqrt(mean_[i]) * noise + 0.5f));
    }
    return frame;
  }

  Frame peaks(std::uint64_t number) const {
    Random random = at(number, 1);
    std::vector<std::pair<std::uint64_t, std::uint16_t>> lit;
    for (std::uint64_t cluster = 50 + random.below(51); cluster > 0; --cluster) {
      const auto [y, x] = on_a_ring(random);
      add_cluster(random, y, x, lit);
    }
    std::ranges::sort(lit, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first
                                : a.second > b.second;  // where two meet the brighter one stays
    });
    Frame frame{number, {}, {}, {}, {}};
    for (const auto& [offset, value] : lit) {
      if (!frame.offsets.empty() && frame.offsets.back() == offset) continue;
      frame.offsets.push_back(offset);
      frame.values.push_back(value);
    }
    return frame;
  }

  /// Diffraction leaves its peaks on rings around the beam.
  std::pair<std::uint64_t, std::uint64_t> on_a_ring(Random& random) const {
    constexpr std::array<double, 5> radii{0.12, 0.2, 0.27, 0.36, 0.45};
    const double radius = radii[random.below(radii.size())] * static_cast<double>(side_ - 8);
    const double angle = 2 * std::numbers::pi * random.unit(), middle = static_cast<double>(side_) / 2;
    return {static_cast<std::uint64_t>(middle + radius * std::sin(angle)),
            static_cast<std::uint64_t>(middle + radius * std::cos(angle))};
  }

  /// 5 to 10 pixels that hang together, the first one the brightest.
  void add_cluster(Random& random, std::uint64_t y, std::uint64_t x,
                   std::vector<std::pair<std::uint64_t, std::uint16_t>>& lit) const {
    const std::size_t first = lit.size(), wanted = first + 5 + random.below(6);
    const std::uint64_t brightness = 200 + random.below(8000);
    while (lit.size() < wanted) {
      const std::uint64_t offset = y * side_ + x, order = lit.size() - first;
      const bool is_new = std::none_of(lit.begin() + static_cast<std::ptrdiff_t>(first), lit.end(),
                                       [&](const auto& pixel) { return pixel.first == offset; });
      if (is_new) lit.emplace_back(offset, brightness / (1 + order) + random.below(32) + 1);
      const std::uint64_t from = lit[first + random.below(lit.size() - first)].first;
      y = std::clamp<std::uint64_t>(from / side_ + random.below(3), 1, side_) - 1;
      x = std::clamp<std::uint64_t>(from % side_ + random.below(3), 1, side_) - 1;
    }
  }

  void put(const Frame& frame, std::vector<std::uint16_t>& dense) const {
    if (kind_ == Kind::peaks) {
      for (std::size_t i = 0; i < frame.values.size(); ++i) dense[frame.offsets[i]] = frame.values[i];
      return;
    }
    for (std::uint64_t y = 0; y < frame.count[0]; ++y)
      std::copy_n(frame.values.begin() + static_cast<std::ptrdiff_t>(y * frame.count[1]), frame.count[1],
                  dense.begin() + static_cast<std::ptrdiff_t>((frame.start[0] + y) * side_ + frame.start[1]));
  }

  Kind kind_;
  std::uint64_t side_, seed_;
  std::uint64_t box_ = 0;    ///< pixels of a side of the box
  std::vector<float> mean_;  ///< light that its pixels expect
};

}  // namespace lightsource
