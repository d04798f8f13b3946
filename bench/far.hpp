// SPDX-License-Identifier: Apache-2.0
//
// A file that is far away, as in an object store: how often somebody has to wait for an answer.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "space/selection.hpp"

namespace filigree::model {
class File;
}
namespace filigree::testing {
class LatencyFile;
}

namespace bench {

/// Below the API, since drivers of programs are not part of it. Time is counted and nobody waits: 64 requests
/// may be under way at once, and requests that follow at once on an answer count one after the other. With
/// several threads the count is an upper bound.
class FarFile {
 public:
  /// Counts the opening, too. `gap_bytes`: holes that are read rather than skipped; far away that is what the
  /// line moves while one waits for an answer.
  explicit FarFile(std::vector<std::byte> image, std::uint64_t gap_bytes = high_latency_gap_bytes);
  ~FarFile();
  static constexpr std::uint64_t high_latency_gap_bytes = 4u << 20;

  double round_trips() const;
  void reset();

  /// Names of the links of a group, whose objects are looked at, too. Returns how many.
  std::uint64_t list(std::string_view group);
  filigree::Address find(std::string_view path);
  std::vector<float> read(std::string_view dataset, const filigree::space::Selection& selection);
  std::vector<float> read_defined(std::string_view dataset, const filigree::space::Selection& selection);
  std::uint64_t count_defined(std::string_view dataset, const filigree::space::Selection& selection);

 private:
  filigree::testing::LatencyFile* counter_ = nullptr;
  std::shared_ptr<filigree::model::File> file_;
};

}  // namespace bench
