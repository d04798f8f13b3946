// SPDX-License-Identifier: Apache-2.0
#include "filter/pipeline.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/context.hpp"
#include "filter/table.hpp"

namespace filigree::filter {
namespace {

constexpr std::size_t most_filters = 32;

std::string label(std::uint16_t id, std::string_view name) {
  return name.empty() ? fmt::format("filter {}", id) : fmt::format("filter {} '{}'", id, name);
}

/// What a filter may make of a chunk that comes out as `plain_bytes` in the end. Headers, checksums
/// and data that do not compress make results between filters larger than the chunk, but not by much.
std::size_t most_between_filters(std::size_t plain_bytes) {
  constexpr std::size_t slack = 65536;
  return plain_bytes > (SIZE_MAX - slack) / 2 ? SIZE_MAX : 2 * plain_bytes + slack;
}

}  // namespace

Pipeline::Pipeline(std::span<const FilterSpec> specs, const ElementLayout& layout) {
  if (specs.size() > most_filters) {
    throw Error(ErrorKind::limit,
                fmt::format("a pipeline of {} filters, allowed up to {}", specs.size(), most_filters));
  }
  for (const FilterSpec& spec : specs) {
    const Filter* filter = find_filter(spec.id);
    Stage stage{spec.id, spec.name.empty() && filter != nullptr ? std::string(filter->name()) : spec.name,
                spec.optional, nullptr};
    if (filter != nullptr) {
      stage.filter = in_context([&] { return label(stage.id, stage.name); },
                                [&] { return filter->bind(spec.params, layout); });
    }
    stages_.push_back(std::move(stage));
  }
}

Buffer Pipeline::encode(Bytes plain, std::uint32_t& mask) const {
  mask = 0;
  return run(Direction::encode, plain, mask, plain.size());
}

Buffer Pipeline::decode(Bytes stored, std::uint32_t mask, std::size_t expected_bytes) const {
  Buffer plain = run(Direction::decode, stored, mask, expected_bytes);
  if (plain.size() != expected_bytes) {
    throw Error(ErrorKind::corrupt, fmt::format("{} stored bytes decode to {} bytes instead of {}",
                                                stored.size(), plain.size(), expected_bytes));
  }
  return plain;
}

Buffer Pipeline::run(Direction direction, Bytes bytes, std::uint32_t& mask, std::size_t plain_bytes) const {
  std::optional<Buffer> current;
  for (std::size_t step = 0; step < stages_.size(); ++step) {
    const std::size_t index = direction == Direction::encode ? step : stages_.size() - 1 - step;
    const std::uint32_t bit = std::uint32_t{1} << index;
    if ((mask & bit) != 0) continue;
    const Stage& stage = stages_[index];
    // Only the filter that ran first when encoding gives back the chunk itself, unless it was skipped.
    const bool last = (mask | (bit - 1)) == mask;
    try {
      current = run_stage(direction, stage, current ? Bytes(*current) : bytes,
                          last ? plain_bytes : most_between_filters(plain_bytes));
    } catch (const Error&) {
      if (direction == Direction::decode || !stage.optional) throw;
      mask |= bit;
    }
  }
  return current ? std::move(*current) : Buffer(bytes.begin(), bytes.end());
}

Buffer Pipeline::run_stage(Direction direction, const Stage& stage, Bytes bytes,
                           std::size_t max_bytes) const {
  if (stage.filter == nullptr) throw missing_filter_error(stage.id, stage.name);
  return in_context([&] { return label(stage.id, stage.name); },
                    [&] {
                      return direction == Direction::encode ? stage.filter->encode(bytes)
                                                            : stage.filter->decode(bytes, max_bytes);
                    });
}

}  // namespace filigree::filter
