// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/offset_reader.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/checked.hpp"
#include "chunk/sparse/candidate_chunks.hpp"
#include "chunk/sparse/stripe_offsets.hpp"
#include "chunk/table/chunk_walk.hpp"
#include "io/extent.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {
namespace {

/// Reads the headers that OffsetCodec::declared_elements() needs, by one request. *Invalidates*: the bytes of
/// the candidates refer to the result.
Buffer fetch_headers(const ChunkTable& table, std::span<CandidateChunk> candidates) {
  const std::uint64_t header_bytes = table.format().offset_codec()->header_bytes();
  if (header_bytes == 0) return {};
  Buffer headers(candidates.size() * header_bytes);
  std::vector<io::ReadExtent> extents;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    CandidateChunk& one = candidates[i];
    if (one.decoded) continue;
    const auto bytes = static_cast<std::size_t>(std::min(header_bytes, one.location.stored_bytes));
    const MutableBytes into = MutableBytes(headers).subspan(i * header_bytes, bytes);
    one.bytes = into;
    extents.push_back({to_number(one.location.address), into});
  }
  table.store().read_raw(Address{0}, extents);
  return headers;
}

}  // namespace

std::optional<std::uint64_t> OffsetReader::read(const Values& values,
                                                FunctionRef<void(std::uint64_t)> check_plausible,
                                                FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const {
  std::vector<CandidateChunk> candidates = find_candidates(table_, all_elements(table_));
  std::vector<Stripe> stripes = make_stripes(table_, candidates);
  const StripeOffsets lister(table_, values);
  const Buffer headers = fetch_headers(table_, candidates);
  // Each stripe writes to its own range of the buffers, as large as its chunks declare.
  std::vector<std::uint64_t> starts{0}, found(stripes.size());
  for (const Stripe& stripe : stripes) {
    std::uint64_t end = starts.back();
    for (const CandidateChunk& one : stripe.chunks) {
      const auto declared = lister.declared_elements(one);
      if (!declared) return std::nullopt;
      end = checked_add(end, *declared, "the number of defined elements");
    }
    starts.push_back(end);
  }
  check_plausible(starts.back());
  const OffsetBuffers all = allocate(starts.back());
  const auto buffers_at = [&](std::uint64_t first) {
    return OffsetBuffers{all.offsets + first, all.values + first * values.element_bytes};
  };
  for_each_fetched(
      table_, stripes, FetchedPart::everything,
      [&](Stripe& stripe) {
        const auto i = static_cast<std::size_t>(&stripe - stripes.data());
        found[i] = lister.list(stripe, starts[i + 1] - starts[i], buffers_at(starts[i]));
      },
      [](std::span<const Stripe>) {});
  // Partial edge chunks, and chunks that list elements twice, have fewer than they declare: close the gaps.
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    if (elements != starts[i]) {
      const OffsetBuffers from = buffers_at(starts[i]), to = buffers_at(elements);
      std::memmove(to.offsets, from.offsets, found[i] * sizeof(std::uint64_t));
      std::memmove(to.values, from.values, found[i] * values.element_bytes);
    }
    elements += found[i];
  }
  return elements;
}

}  // namespace filigree::chunk
