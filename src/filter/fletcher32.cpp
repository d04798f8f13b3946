// SPDX-License-Identifier: Apache-2.0
//
// Filter 3, fletcher32: a checksum of four bytes after the data. It has no parameters.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "base/immortal.hpp"
#include "filter/builtin.hpp"

namespace filigree::filter {
namespace {

constexpr std::size_t sum_bytes = 4;

/// Swaps the bytes of each half: HDF5 up to 1.6.2 stored the checksum so on little-endian machines.
std::uint32_t swap_in_halves(std::uint32_t sum) { return (sum & 0x00ff00ff) << 8 | (sum >> 8 & 0x00ff00ff); }

class BoundFletcher32 : public BoundFilter {
 public:
  Buffer encode(Bytes unfiltered) const override {
    Buffer stored;
    stored.reserve(unfiltered.size() + sum_bytes);
    stored.assign(unfiltered.begin(), unfiltered.end());
    stored.resize(unfiltered.size() + sum_bytes);
    store_word(stored.data() + unfiltered.size(), fletcher32(unfiltered), sum_bytes);
    return stored;
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    const Bytes unfiltered = without_sum(stored, max_bytes);
    const auto kept = static_cast<std::uint32_t>(load_word(unfiltered.data() + unfiltered.size(), sum_bytes));
    const std::uint32_t computed = fletcher32(unfiltered);
    if (kept != computed && kept != swap_in_halves(computed)) {
      throw Error(
          ErrorKind::corrupt,
          fmt::format("checksum of {} bytes is {:#010x}, but {:#010x} is stored: the data have changed",
                      unfiltered.size(), computed, kept));
    }
    return {unfiltered.begin(), unfiltered.end()};
  }

  Bytes decode_unverified_in(Workspace& workspace, Bytes stored, std::size_t max_bytes) const override {
    const Bytes unfiltered = without_sum(stored, max_bytes);
    return workspace.keep({unfiltered.begin(), unfiltered.end()});
  }

 private:
  static Bytes without_sum(Bytes stored, std::size_t max_bytes) {
    if (stored.size() < sum_bytes) {
      throw Error(ErrorKind::truncated,
                  fmt::format("{} bytes are too few to hold a checksum", stored.size()));
    }
    const Bytes unfiltered = stored.first(stored.size() - sum_bytes);
    if (unfiltered.size() > max_bytes) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{} bytes of data, expected at most {}", unfiltered.size(), max_bytes));
    }
    return unfiltered;
  }
};

class Fletcher32 : public Filter {
 public:
  std::uint16_t id() const override { return 3; }
  std::string_view name() const override { return "fletcher32"; }
  /// Parameters, which no writer sets, are ignored, as HDF5 does.
  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t>,
                                          const ElementLayout&) const override {
    return std::make_unique<BoundFletcher32>();
  }
};

}  // namespace

const Filter& fletcher32_filter() {
  static const Immortal<Fletcher32> filter;
  return *filter;
}

}  // namespace filigree::filter
