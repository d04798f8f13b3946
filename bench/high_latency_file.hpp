// SPDX-License-Identifier: Apache-2.0
//
// A file with high latency, as in an object store: counts how often a reader waits for an answer.
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

/// Uses the layers below the API, since LatencyFile is not a public driver. Round trips are counted, not
/// waited for. Up to 64 requests are in flight at once; a request issued after an answer counts as another
/// round trip. With several threads the count is an upper bound.
class HighLatencyFile {
 public:
  /// Counts the round trips of opening, too. Gaps of up to `gap_bytes` are read rather than skipped. With
  /// high latency, that is the amount that the connection transfers during one round trip.
  explicit HighLatencyFile(std::vector<std::byte> image, std::uint64_t gap_bytes = high_latency_gap_bytes);
  ~HighLatencyFile();
  static constexpr std::uint64_t high_latency_gap_bytes = 4u << 20;

  double round_trips() const;
  void reset();

  /// Lists the links of a group and reads the kind of every object. Returns the number of links.
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
