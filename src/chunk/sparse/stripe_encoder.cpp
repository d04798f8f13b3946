// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/stripe_encoder.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/workspace.hpp"
#include "chunk/sparse/fixed_size.hpp"

namespace filigree::chunk {
namespace {

/// Memory of a core in which each chunk of a stripe gets space for all elements of the stripe.
constexpr std::size_t most_spread_bytes = std::size_t{1} << 20;
/// Elements that are copied at a time, unless a stripe has more.
constexpr std::size_t most_group_elements = std::size_t{1} << 20;

}  // namespace

StripeEncoder::StripeEncoder(const ChunkTable& table, std::span<const std::uint64_t> offsets,
                             space::Run covered, const Values& values)
    : table_(table),
      codec_(*table.format().offset_codec()),
      offsets_(offsets),
      covered_(covered),
      values_(values),
      grid_(table.grid()) {}

std::vector<EncodedStripe> StripeEncoder::next_group(std::size_t& first) const {
  std::vector<EncodedStripe> group;
  for (const std::size_t begin = first; first < offsets_.size() && first - begin < most_group_elements;) {
    const StripeGrid::Stripe range = grid_.stripe_of_offset(offsets_[first]);
    const auto end = std::lower_bound(offsets_.begin() + static_cast<std::ptrdiff_t>(first), offsets_.end(),
                                      range.end_offset);
    group.push_back({range, first, static_cast<std::size_t>(end - offsets_.begin())});
    first = group.back().end;
  }
  return group;
}

void StripeEncoder::encode(EncodedStripe& stripe) const {
  const auto listed = offsets_.subspan(stripe.first, stripe.end - stripe.first);
  const auto chunks = static_cast<std::size_t>(grid_.chunks());
  const std::size_t count = listed.size(), size = table_.traits().element_bytes;
  const auto for_each_element = [&](auto visit) {
    StripeGrid::Finder finder(grid_);
    for (std::size_t i = 0; i < count; ++i) visit(i, finder.find(listed[i] - stripe.range.first_offset));
  };
  // Counting the elements of each chunk takes as long as sorting them. Where they are few, each chunk gets
  // space for all of them instead.
  const bool spreads = count <= most_spread_bytes / chunks / (sizeof(std::uint32_t) + size);
  const std::size_t slots = spreads ? chunks * count : count;
  Workspace workspace;
  MutableBytes rest = workspace.allocate(slots * (sizeof(std::uint32_t) + size) + count * size +
                                         2 * chunks * sizeof(std::uint32_t) + 5 * Workspace::list_alignment);
  const auto starts = Workspace::allocate_list<std::uint32_t>(rest, chunks),
             ends = Workspace::allocate_list<std::uint32_t>(rest, chunks);
  const auto chunk_offsets = Workspace::allocate_list<std::uint32_t>(rest, slots);
  const auto sorted = Workspace::allocate_list<std::byte>(rest, slots * size),
             converted = Workspace::allocate_list<std::byte>(rest, count * size);
  if (spreads) {
    for (std::size_t i = 0; i < chunks; ++i) starts[i] = static_cast<std::uint32_t>(i * count);
  } else {
    std::ranges::fill(ends, std::uint32_t{0});
    for_each_element([&](std::size_t, const StripeGrid::ChunkOffset& at) { ++ends[at.chunk]; });
    std::exclusive_scan(ends.begin(), ends.end(), starts.begin(), std::uint32_t{0});
  }
  std::ranges::copy(starts, ends.begin());
  const std::byte* const from = in_file_type(stripe, converted);
  with_size(size, [&](auto bytes) {
    for_each_element([&](std::size_t i, const StripeGrid::ChunkOffset& at) {
      const std::size_t slot = ends[at.chunk]++;
      chunk_offsets[slot] = static_cast<std::uint32_t>(at.offset);
      std::memcpy(sorted.data() + slot * bytes, from + i * bytes, bytes);
    });
  });
  const auto others = encode_new(stripe, {starts, ends, chunk_offsets, sorted});
  if (others.empty()) return;
  for_each_element([&](std::size_t i, const StripeGrid::ChunkOffset& at) {
    if (std::ranges::binary_search(others, at.chunk)) stripe.rest.push_back(stripe.first + i);
  });
}

bool StripeEncoder::any_exists(std::span<const PendingWrite> writes) const {
  std::vector<std::uint64_t> chunks(writes.size());
  std::ranges::transform(writes, chunks.begin(), &PendingWrite::chunk);
  return std::ranges::any_of(exist(chunks), [](char exists) { return exists != 0; });
}

const std::byte* StripeEncoder::in_file_type(const EncodedStripe& stripe, std::span<std::byte> buffer) const {
  const std::byte* const memory = values_.memory + stripe.first * values_.element_bytes;
  if (values_.conversion.traits().copies) return memory;
  std::ranges::fill(buffer, std::byte{0});  // padding of compound types
  values_.conversion.apply({memory, values_.element_bytes, buffer.data(), table_.traits().element_bytes,
                            stripe.end - stripe.first},
                           values_.context);
  return buffer.data();
}

std::vector<char> StripeEncoder::exist(std::span<const std::uint64_t> chunks) const {
  const auto locations = table_.locate(chunks);
  std::vector<char> exists(chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i)
    exists[i] = is_valid(locations[i].address) || table_.cache().contains(table_.key(chunks[i]));
  return exists;
}

/// Returns the chunks, numbered within the stripe, that have elements and cannot be made from them alone.
std::vector<std::uint64_t> StripeEncoder::encode_new(EncodedStripe& stripe,
                                                     const SortedElements& sorted) const {
  std::vector<std::uint64_t> touched, chunks, others;
  for (std::size_t i = 0; i < sorted.ends.size(); ++i) {
    if (sorted.ends[i] == sorted.starts[i]) continue;
    touched.push_back(i);
    chunks.push_back(stripe.range.first_chunk + i);
  }
  const bool is_covered =
      stripe.range.first_offset >= covered_.start && stripe.range.end_offset <= covered_.end();
  if (!is_covered) return touched;
  const auto exists = exist(chunks);
  const std::size_t size = table_.traits().element_bytes;
  for (std::size_t i = 0; i < touched.size(); ++i) {
    if (exists[i] != 0) {
      others.push_back(touched[i]);
      continue;
    }
    const std::size_t first = sorted.starts[touched[i]], count = sorted.ends[touched[i]] - first;
    PendingWrite& write = stripe.writes.emplace_back();
    write.chunk = chunks[i];
    write.stored = codec_.encode_elements(sorted.offsets.subspan(first, count),
                                          sorted.values.subspan(first * size, count * size),
                                          table_.geometry().edge(chunks[i]));
    write.set_bytes(write.stored.bytes);
  }
  return others;
}

}  // namespace filigree::chunk
