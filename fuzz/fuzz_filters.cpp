// SPDX-License-Identifier: Apache-2.0
//
// The input is a filter, its parameters, and a stored chunk. Decoding must stay within its limit. A lossless
// filter must encode the result and decode it to the same bytes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "filter/pipeline.hpp"
#include "filter/registry.hpp"
#include "filter/table.hpp"
#include "guard.hpp"

namespace {

using namespace filigree;
using namespace filigree::filter;

constexpr std::size_t largest_chunk = 64u << 10;
constexpr std::size_t most_params = 64;

/// N-bit and scale-offset discard bits that their parameters do not describe.
bool loses_nothing(std::uint16_t id) { return id != 5 && id != 6; }

void try_filter(const Filter& kind, std::span<const std::uint32_t> params, Bytes stored,
                std::size_t max_bytes) {
  std::unique_ptr<const BoundFilter> filter;
  if (!fuzz::survives([&] { filter = kind.bind(params, {4, max_bytes / 4}); })) return;
  Buffer unfiltered, again;
  if (!fuzz::survives([&] { unfiltered = filter->decode(stored, max_bytes); })) return;
  if (unfiltered.size() > max_bytes) std::abort();
  if (!fuzz::survives([&] { again = filter->encode(unfiltered); })) return;
  fuzz::survives([&] {
    const Buffer back = filter->decode(again, unfiltered.size());
    // Szip discards the bits above those of a pixel.
    if (loses_nothing(kind.id()) && kind.id() != 4 && back != unfiltered) std::abort();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes input(reinterpret_cast<const std::byte*>(data), size);
  if (input.size() < 4) return 0;
  const auto filters = builtin_filters();
  const Filter& kind = *filters[std::to_integer<std::size_t>(input[0]) % filters.size()];
  const std::size_t count =
      std::min({std::to_integer<std::size_t>(input[1]), most_params, (input.size() - 4) / 4});
  const std::size_t max_bytes = load_word(input.data() + 2, 2) % (largest_chunk + 1);
  std::vector<std::uint32_t> params(count);
  for (std::size_t i = 0; i < count; ++i) {
    params[i] = static_cast<std::uint32_t>(load_word(input.data() + 4 + 4 * i, 4));
  }
  // A separate copy, so that a sanitizer reports reads beyond its end.
  const Bytes rest = input.subspan(4 + 4 * count);
  const Buffer stored(rest.begin(), rest.end());
  try_filter(kind, params, stored, max_bytes);
  return 0;
}
