// SPDX-License-Identifier: Apache-2.0
#include "filter/pipeline.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/context.hpp"
#include "filter/limits.hpp"

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

Pipeline::Pipeline(std::span<const FilterSpec> specs, const ElementLayout& layout, FilterRegistry& registry) {
  if (specs.size() > most_filters) {
    throw Error(ErrorKind::limit,
                fmt::format("a pipeline of {} filters, allowed up to {}", specs.size(), most_filters));
  }
  for (const FilterSpec& spec : specs) stages_.push_back(make_stage(spec, layout, registry));
}

Pipeline::Stage Pipeline::make_stage(const FilterSpec& spec, const ElementLayout& layout,
                                     FilterRegistry& registry) {
  Stage stage{spec.id, spec.name, spec.optional, std::nullopt, registry.find(spec.id), nullptr};
  if (stage.kind == nullptr) {
    stage.missing = registry.missing(spec.id, spec.name);
    return stage;
  }
  if (stage.name.empty()) stage.name = stage.kind->name();
  stage.filter = in_context([&] { return label(stage.id, stage.name); },
                            [&] { return stage.kind->bind(spec.params, layout); });
  return stage;
}

bool Pipeline::lacks_filter(std::uint32_t mask) const {
  for (std::size_t i = 0; i < stages_.size(); ++i)
    if (stages_[i].missing && (mask >> i & 1) == 0) return true;
  return false;
}

Bytes Pipeline::encode(Bytes plain, std::uint32_t& mask, Workspace& room) const {
  mask = 0;
  return run(Direction::encode, plain, mask, plain.size(), room);
}

Buffer Pipeline::encode(Bytes plain, std::uint32_t& mask) const {
  Workspace room;
  const Bytes stored = encode(plain, mask, room);
  return {stored.begin(), stored.end()};
}

Bytes Pipeline::decode(Bytes stored, std::uint32_t mask, std::size_t expected_bytes, Workspace& room) const {
  const Bytes plain = run(Direction::decode, stored, mask, expected_bytes, room);
  require_size(stored, plain.size(), expected_bytes);
  return plain;
}

void Pipeline::decode_into(Bytes stored, std::uint32_t mask, MutableBytes plain) const {
  Workspace room, last(plain);
  const Bytes made = run(Direction::decode, stored, mask, plain.size(), room, &last);
  require_size(stored, made.size(), plain.size());
  if (made.data() != plain.data()) std::ranges::copy(made, plain.begin());
}

void Pipeline::require_size(Bytes stored, std::size_t bytes, std::size_t expected_bytes) {
  if (bytes == expected_bytes) return;
  throw Error(ErrorKind::corrupt, fmt::format("{} stored bytes decode to {} bytes instead of {}",
                                              stored.size(), bytes, expected_bytes));
}

Buffer Pipeline::decode(Bytes stored, std::uint32_t mask, std::size_t expected_bytes) const {
  Workspace room;
  const Bytes plain = decode(stored, mask, expected_bytes, room);
  return {plain.begin(), plain.end()};
}

Bytes Pipeline::run(Direction direction, Bytes bytes, std::uint32_t& mask, std::size_t plain_bytes,
                    Workspace& room, Workspace* last_room) const {
  Workspace next;  // for the coming result, while `room` has the one before
  Bytes current = bytes;
  for (std::size_t step = 0; step < stages_.size(); ++step) {
    const std::size_t index = direction == Direction::encode ? step : stages_.size() - 1 - step;
    const std::uint32_t bit = std::uint32_t{1} << index;
    if ((mask & bit) != 0) continue;
    const Stage& stage = stages_[index];
    // Only the filter that ran first when encoding gives back the chunk itself, unless it was skipped.
    const bool last = (mask | (bit - 1)) == mask;
    const std::size_t max_bytes = last ? plain_bytes : most_between_filters(plain_bytes);
    try {
      const bool ends = last && last_room != nullptr;
      const Bytes after = run_stage(direction, stage, current, max_bytes, ends ? *last_room : next);
      if (direction == Direction::encode && stage.optional && stage.filter->skips_growth() &&
          after.size() >= current.size()) {
        mask |= bit;
      } else {
        current = after;
        if (!ends) room.swap(next);
      }
    } catch (const Error&) {
      if (direction == Direction::decode || !stage.optional) throw;
      mask |= bit;
    }
  }
  return current;
}

Bytes Pipeline::run_stage(Direction direction, const Stage& stage, Bytes bytes, std::size_t max_bytes,
                          Workspace& room) const {
  if (stage.missing) throw *stage.missing;
  const auto work = [&] {
    if (direction == Direction::encode) return stage.filter->encode_in(room, bytes);
    const Bytes plain = stage.filter->decode_in(room, bytes, max_bytes);
    check_fits(plain.size(), max_bytes);  // filters of users may break their word
    return plain;
  };
  return in_context([&] { return label(stage.id, stage.name); }, work);
}

}  // namespace filigree::filter
