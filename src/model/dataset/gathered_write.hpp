// SPDX-License-Identifier: Apache-2.0
//
// A collective write of elements that all members encode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "io/extent.hpp"
#include "space/run_set.hpp"

namespace filigree::io {
struct ParallelState;
}

namespace filigree::model {

/// Elements by linear offset, with their values one after the other.
struct GatheredElements {
  std::vector<space::Run> runs;
  Buffer values;

  bool ascend() const;
};

/// Gathers the elements of all members, and gives them to each of them in the same order. Rounds keep the
/// elements of a round within a budget.
class GatheredWrite {
 public:
  /// What all members hold in a round together.
  static constexpr std::uint64_t round_bytes = std::uint64_t{64} << 20;

  using Apply = std::function<void(const GatheredElements&)>;

  GatheredWrite(std::shared_ptr<io::ParallelState> state, std::uint32_t element_bytes, Apply apply)
      : state_(std::move(state)), element_bytes_(element_bytes), apply_(std::move(apply)) {}

  /// Takes part with the elements of requests whose offsets are those of a row-major array at 0.
  void send(std::span<const io::SelectionWrite> pieces);
  /// Sends what is left, and takes part until no member has anything left.
  void finish();

 private:
  bool round();

  const std::shared_ptr<io::ParallelState> state_;
  const std::uint32_t element_bytes_;
  const Apply apply_;
  GatheredElements mine_;
};

}  // namespace filigree::model
