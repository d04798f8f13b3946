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

/// Bytes of unknown size are taken for damaged if they would expand by more. DEFLATE expands by up to 1,032.
constexpr std::size_t most_expansion = 4096;
constexpr std::size_t least_plausible_bytes = std::size_t{1} << 20;

constexpr std::size_t most_filters = 32;

std::string label(std::uint16_t id, std::string_view name) {
  return name.empty() ? fmt::format("filter {}", id) : fmt::format("filter {} '{}'", id, name);
}

/// The most bytes between two filters for a chunk of `unfiltered_bytes`. Headers, checksums and
/// incompressible data make intermediate results larger than the chunk, but not by much.
std::size_t most_between_filters(std::size_t unfiltered_bytes) {
  constexpr std::size_t slack = 65536;
  return unfiltered_bytes > (SIZE_MAX - slack) / 2 ? SIZE_MAX : 2 * unfiltered_bytes + slack;
}

/// Copies as much as there is, and fills up with zeros.
void copy_fitting(Bytes from, MutableBytes to) {
  const std::size_t bytes = std::min(from.size(), to.size());
  std::copy_n(from.begin(), bytes, to.begin());
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(bytes), to.end(), std::byte{0});
}

}  // namespace

Pipeline::Pipeline(std::span<const FilterSpec> specs, const ElementLayout& layout, FilterRegistry& registry) {
  if (specs.size() > most_filters) {
    throw Error(ErrorKind::limit, fmt::format("the pipeline has {} filters; at most {} are allowed",
                                              specs.size(), most_filters));
  }
  for (const FilterSpec& spec : specs) stages_.push_back(make_stage(spec, layout, registry));
}

Pipeline::Stage Pipeline::make_stage(const FilterSpec& spec, const ElementLayout& layout,
                                     FilterRegistry& registry) {
  Stage stage{spec.id, spec.name, spec.optional, std::nullopt, registry.find(spec.id), nullptr};
  if (stage.kind == nullptr) {
    stage.unusable = registry.missing(spec.id, spec.name);
    return stage;
  }
  if (stage.name.empty()) stage.name = stage.kind->name();
  try {
    stage.filter = in_context([&] { return label(stage.id, stage.name); },
                              [&] { return stage.kind->bind(spec.params, layout); });
  } catch (const Error& error) {
    stage.unusable = error;
  }
  return stage;
}

bool Pipeline::lacks_filter(std::uint32_t mask) const {
  for (std::size_t i = 0; i < stages_.size(); ++i)
    if (stages_[i].unusable && (mask >> i & 1) == 0) return true;
  return false;
}

Bytes Pipeline::encode(Bytes unfiltered, std::uint32_t& mask, Workspace& workspace) const {
  mask = 0;
  Run how;
  return run(how, unfiltered, mask, unfiltered.size(), workspace);
}

Buffer Pipeline::encode(Bytes unfiltered, std::uint32_t& mask) const {
  Workspace workspace;
  const Bytes stored = encode(unfiltered, mask, workspace);
  return {stored.begin(), stored.end()};
}

Buffer Pipeline::encode_without(Bytes unfiltered, std::uint32_t& mask) const {
  Workspace workspace;
  Run how;
  const Bytes stored = run(how, unfiltered, mask, unfiltered.size(), workspace);
  return {stored.begin(), stored.end()};
}

Bytes Pipeline::decode(Bytes stored, std::uint32_t mask, std::size_t expected_bytes, Workspace& workspace,
                       Decoding how) const {
  Run decoded = decoding(how);
  const Bytes unfiltered = run(decoded, stored, mask, expected_bytes, workspace);
  if (decoded.accepted_fault) {
    Buffer fitting(expected_bytes);
    copy_fitting(unfiltered, fitting);
    return workspace.keep(std::move(fitting));
  }
  require_size(stored, unfiltered.size(), expected_bytes);
  return unfiltered;
}

void Pipeline::decode_into(Bytes stored, std::uint32_t mask, MutableBytes unfiltered, Decoding how) const {
  Workspace workspace, last(unfiltered);
  Run decoded = decoding(how);
  const Bytes made = run(decoded, stored, mask, unfiltered.size(), workspace, &last);
  if (decoded.accepted_fault) return copy_fitting(made, unfiltered);
  require_size(stored, made.size(), unfiltered.size());
  if (made.data() != unfiltered.data()) std::ranges::copy(made, unfiltered.begin());
}

void Pipeline::require_size(Bytes stored, std::size_t bytes, std::size_t expected_bytes) {
  if (bytes == expected_bytes) return;
  throw Error(ErrorKind::corrupt, fmt::format("{} stored bytes decode to {} bytes instead of {}",
                                              stored.size(), bytes, expected_bytes));
}

Buffer Pipeline::decode(Bytes stored, std::uint32_t mask, std::size_t expected_bytes, Decoding how) const {
  Workspace workspace;
  const Bytes unfiltered = decode(stored, mask, expected_bytes, workspace, how);
  return {unfiltered.begin(), unfiltered.end()};
}

Buffer Pipeline::decode_unsized(Bytes stored, std::uint32_t mask, std::size_t most_bytes) const {
  constexpr std::size_t first_bytes = 65536, growth = 4;
  // Damaged bytes fail at every bound, so the last one must not depend on what they declare.
  const std::size_t plausible_bytes =
      std::max(least_plausible_bytes,
               stored.size() <= SIZE_MAX / most_expansion ? stored.size() * most_expansion : SIZE_MAX);
  most_bytes = std::min(most_bytes, plausible_bytes);
  // Decoders may allocate all that they are allowed, so the bound grows with the result.
  std::size_t bound = std::min(most_bytes, std::max(first_bytes, stored.size()));
  for (;; bound = bound > most_bytes / growth ? most_bytes : bound * growth) {
    try {
      Workspace workspace;
      Run how = decoding({});
      const Bytes unfiltered = run(how, stored, mask, bound, workspace);
      // A user-defined filter may have been cut at the bound.
      if (unfiltered.size() < bound || bound == most_bytes) return {unfiltered.begin(), unfiltered.end()};
    } catch (const Error&) {
      if (bound == most_bytes) throw;
    }
  }
}

bool Pipeline::may_go_on(Run& how, const Stage& stage, Bytes bytes) {
  if (how.direction == Direction::encode) return stage.optional;
  // A filter that is not there is an error, whatever the handler says.
  if (how.on_fault == nullptr || stage.unusable || !(*how.on_fault)(stage.id, bytes)) return false;
  how.accepted_fault = true;
  return true;
}

Bytes Pipeline::run(Run& how, Bytes bytes, std::uint32_t& mask, std::size_t unfiltered_bytes,
                    Workspace& workspace, Workspace* last_workspace) const {
  const Direction direction = how.direction;
  Workspace next;  // receives the next result while `workspace` holds the previous one
  Bytes current = bytes;
  for (std::size_t step = 0; step < stages_.size(); ++step) {
    const std::size_t index = direction == Direction::encode ? step : stages_.size() - 1 - step;
    const std::uint32_t bit = std::uint32_t{1} << index;
    if ((mask & bit) != 0) continue;
    const Stage& stage = stages_[index];
    // Only the filter that was applied first when encoding returns the unfiltered chunk, unless it was
    // skipped.
    const bool last = (mask | (bit - 1)) == mask;
    const std::size_t max_bytes = last ? unfiltered_bytes : most_between_filters(unfiltered_bytes);
    try {
      const bool ends = last && last_workspace != nullptr;
      Bytes after = run_stage(direction, stage, current, max_bytes, ends ? *last_workspace : next);
      if (last && direction == Direction::decode) after = after.first(std::min(after.size(), max_bytes));
      if (direction == Direction::encode && stage.optional && stage.filter->skips_growth() &&
          after.size() >= current.size()) {
        mask |= bit;
      } else {
        current = after;
        if (!ends) workspace.swap(next);
      }
    } catch (const Error&) {
      if (!may_go_on(how, stage, current)) throw;
      mask |= bit;
    }
  }
  return current;
}

Bytes Pipeline::run_stage(Direction direction, const Stage& stage, Bytes bytes, std::size_t max_bytes,
                          Workspace& workspace) const {
  if (stage.unusable) throw *stage.unusable;
  const auto work = [&] {
    if (direction == Direction::encode) return stage.filter->encode_in(workspace, bytes);
    const Bytes unfiltered = direction == Direction::decode
                                 ? stage.filter->decode_in(workspace, bytes, max_bytes)
                                 : stage.filter->decode_unverified_in(workspace, bytes, max_bytes);
    if (!stage.filter->may_decode_more()) check_fits(unfiltered.size(), max_bytes);
    return unfiltered;
  };
  return in_context([&] { return label(stage.id, stage.name); }, work);
}

}  // namespace filigree::filter
