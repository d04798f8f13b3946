// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/offset_blocks.hpp"

namespace filigree::filter {
namespace {

/// Elements of a block, on average; a search in it takes 7 steps.
constexpr std::uint64_t block_elements = 128;
constexpr unsigned least_shift = 6, most_shift = 16;

unsigned shift_for(std::uint64_t end, std::uint64_t elements) {
  const std::uint64_t blocks = std::max<std::uint64_t>(1, elements / block_elements);
  return std::clamp(static_cast<unsigned>(std::bit_width(end / blocks)), least_shift, most_shift);
}

}  // namespace

OffsetBlocks::Writer::Writer(std::uint64_t end, std::uint64_t elements, std::uint64_t capacity)
    : shift_(shift_for(end, elements)), mask_((std::uint64_t{1} << shift_) - 1) {
  blocks_.shift_ = shift_;
  blocks_.starts_.resize(static_cast<std::size_t>((end >> shift_) + 2));
  blocks_.low_.resize(static_cast<std::size_t>(capacity));
  next_start_ = blocks_.starts_.data();
}

void OffsetBlocks::Writer::grow() { blocks_.low_.resize(std::max<std::size_t>(64, 2 * count_)); }

OffsetBlocks OffsetBlocks::Writer::finish() {
  std::fill(next_start_, blocks_.starts_.data() + blocks_.starts_.size(), static_cast<std::uint32_t>(count_));
  blocks_.low_.resize(count_);
  if (blocks_.low_.capacity() > count_ + count_ / 8) blocks_.low_.shrink_to_fit();
  return std::move(blocks_);
}

std::vector<std::uint64_t> OffsetBlocks::edges() const {
  std::vector<std::uint64_t> edges;
  edges.reserve(2 * elements());
  for_each_part(0, elements(), 0, [&](std::uint64_t first, std::span<const std::uint16_t> low) {
    for (const std::uint16_t one : low) {
      if (edges.empty() || edges.back() != first + one) {
        edges.push_back(first + one);
        edges.push_back(first + one + 1);
      } else {
        ++edges.back();
      }
    }
  });
  return edges;
}

OffsetBlocks blocks_of(const Bitmap& set, std::size_t expected) {
  OffsetBlocks::Writer writer(set.elements(), expected, expected);
  for (std::uint64_t i = 0; i < set.words(); ++i)
    for (std::uint64_t bits = set.word(i); bits != 0; bits &= bits - 1)
      writer.add(64 * i + static_cast<unsigned>(std::countr_zero(bits)));
  return writer.finish();
}

OffsetBlocks blocks_of(std::span<const std::uint64_t> edges, std::uint64_t end, std::size_t elements) {
  OffsetBlocks::Writer writer(end, elements, elements);
  for (std::size_t i = 0; i < edges.size(); i += 2)
    for (std::uint64_t at = edges[i]; at < edges[i + 1]; ++at) writer.add(at);
  return writer.finish();
}

}  // namespace filigree::filter
