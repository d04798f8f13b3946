// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/set_codes.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::filter {
namespace {

/// A run may continue a run of the previous row that starts at most this many columns to its left or right.
constexpr std::uint64_t farthest_shift = 3;

constexpr std::uint64_t code_header_bits = 16;  ///< approximate size of a code in the header

enum Stream { gap, length, shift, change };

void choose_code(SetPlan& plan, Stream stream, const Words& values) {
  const RiceChoice choice = best_rice(values);
  plan.codes[stream] = choice.code;
  plan.bits += choice.bits;
}

/// The offsets below `end` that are not in the set.
Words complement(WordSpan edges, std::uint64_t end) {
  Words others;
  others.reserve(edges.size() + 2);
  if (edges.empty() || edges.front() != 0) others.push_back(0);
  for (const std::uint64_t edge : edges) {
    if (edge != 0 && edge != end) others.push_back(edge);
  }
  if (edges.empty() || edges.back() != end) others.push_back(end);
  return others;
}

std::uint64_t elements_of(WordSpan edges) {
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < edges.size(); i += 2) elements += edges[i + 1] - edges[i];
  return elements;
}

/// A lower bound for the bits of `count` Rice codes whose values sum to `total`, unless some are very large.
std::uint64_t least_rice_bits(std::uint64_t count, std::uint64_t total) {
  std::uint64_t least = total;
  for (unsigned k = 1; k < 40; ++k) least = std::min(least, count * k + (total >> k));
  return least;
}

SetPlan plan_elements(WordSpan edges, SetEncoding form) {
  SetPlan plan{.form = form, .count = elements_of(edges)};
  plan.gaps.reserve(plan.count);
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    plan.gaps.push_back(edges[i] - end);
    plan.gaps.insert(plan.gaps.end(), edges[i + 1] - edges[i] - 1, 0);
    end = edges[i + 1];
  }
  choose_code(plan, gap, plan.gaps);
  return plan;
}

SetPlan plan_runs(WordSpan edges) {
  SetPlan plan{.form = SetEncoding::runs, .count = edges.size() / 2};
  plan.gaps.resize(plan.count);
  plan.lengths.resize(plan.count);
  plan.gaps[0] = edges[0];
  plan.lengths[0] = edges[1] - edges[0] - 1;
  for (std::size_t i = 1; i < plan.count; ++i) {
    plan.gaps[i] = edges[2 * i] - edges[2 * i - 1] - 1;  // only the first run may start at offset 0
    plan.lengths[i] = edges[2 * i + 1] - edges[2 * i] - 1;
  }
  choose_code(plan, gap, plan.gaps);
  choose_code(plan, length, plan.lengths);
  return plan;
}

/// Returns nothing if too few runs continue others.
std::optional<SetPlan> plan_traced(WordSpan edges, std::uint64_t row) {
  SetPlan plan{.form = SetEncoding::traced, .count = edges.size() / 2};
  plan.continued.resize(plan.count);
  for (Words* words : {&plan.gaps, &plan.lengths, &plan.shifts, &plan.changes}) words->resize(plan.count);
  std::size_t parent = 0, continued = 0, roots = 0;
  std::uint64_t root = 0;
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    const std::uint64_t start = edges[i], long_by = edges[i + 1] - start;
    while (edges[parent] + row + farthest_shift < start) parent += 2;
    // Whether a run continues another is unpredictable, so no branch depends on it.
    const bool is_child = static_cast<unsigned>(parent < i) &
                          static_cast<unsigned>(edges[parent] + row <= start + farthest_shift);
    plan.continued[parent / 2] = is_child;
    plan.shifts[continued] = fold_sign(start - edges[parent] - row);
    plan.changes[continued] = fold_sign(long_by - (edges[parent + 1] - edges[parent]));
    plan.gaps[roots] = start - root;
    plan.lengths[roots] = long_by - 1;
    continued += is_child;
    roots += !is_child;
    root = is_child ? root : start;
    parent += is_child ? 2 : 0;
  }
  if (continued == 0 || continued < plan.count / 8) return std::nullopt;
  for (Words* words : {&plan.gaps, &plan.lengths}) words->resize(roots);
  for (Words* words : {&plan.shifts, &plan.changes}) words->resize(continued);
  plan.bits = plan.count + 2 * code_header_bits;
  choose_code(plan, gap, plan.gaps);
  choose_code(plan, length, plan.lengths);
  choose_code(plan, shift, plan.shifts);
  choose_code(plan, change, plan.changes);
  return plan;
}

[[noreturn]] void bad_order(std::uint64_t begin) {
  throw Error(ErrorKind::corrupt,
              fmt::format("packed selection has elements out of order or outside of the extent, at offset {}",
                          begin));
}

/// Collects ascending runs and checks the limits. Adjacent runs become one, if the encoding permits them.
class EdgeList {
 public:
  EdgeList(const SetLimits& limits, std::uint64_t runs, Bytes bits) : end_(limits.end) {
    edges_.resize(2 * static_cast<std::size_t>(first_capacity(runs, bits)));
  }

  void add(std::uint64_t begin, std::uint64_t length) {
    if (begin < last_ || begin >= end_ || length - 1 >= end_ - begin) [[unlikely]]
      bad_order(begin);
    if (size_ == edges_.size()) [[unlikely]]
      edges_.resize(std::max<std::size_t>(64, 2 * size_));
    // A run that is adjacent to the previous one replaces its end.
    const std::size_t at = size_ - (begin == last_ && size_ != 0 ? 2 : 0);
    edges_[at] = at == size_ ? begin : edges_[at];
    edges_[at + 1] = last_ = begin + length;
    size_ = at + 2;
  }
  /// The end of the last run.
  std::uint64_t end() const { return last_; }
  Words take() {
    edges_.resize(size_);
    return std::move(edges_);
  }

 private:
  /// Every run takes at least one bit, or the codes take no bits and the list grows as needed.
  static std::uint64_t first_capacity(std::uint64_t runs, Bytes bits) {
    return std::min<std::uint64_t>(runs, 8 * bits.size());
  }

  std::uint64_t end_;
  std::uint64_t last_ = 0;
  std::size_t size_ = 0;
  Words edges_;
};

Words read_elements(VarintReader& in, std::uint64_t count, const SetLimits& limits) {
  const RiceCode gaps = in.code();
  RiceReader bits(in.rest());
  EdgeList list(limits, count, in.rest());
  for (; count > 0; --count) {
    const std::uint64_t apart = bits.get(gaps);
    if (apart > limits.end) bad_order(apart);
    list.add(list.end() + apart, 1);
  }
  return list.take();
}

Words read_runs(VarintReader& in, std::uint64_t count, const SetLimits& limits) {
  const RiceCode gaps = in.code(), lengths = in.code();
  RiceReader bits(in.rest());
  EdgeList list(limits, count, in.rest());
  std::uint64_t apart_at_least = 0;  // only the first run may start at offset 0
  bits.for_each_pair(count, gaps, lengths, [&](std::uint64_t apart, std::uint64_t longer) {
    if (apart >= limits.end || longer >= limits.end) [[unlikely]]
      bad_order(apart);
    list.add(list.end() + apart + apart_at_least, longer + 1);
    apart_at_least = 1;
  });
  return list.take();
}

/// Memory for this many runs is allocated before the file has proven that it has them.
constexpr std::uint64_t usual_runs = 1024;

struct TracedRun {
  std::uint64_t start = 0, length = 0;
};

/// The runs that continue none, followed by a sentinel beyond the extent.
std::vector<TracedRun> read_roots(RiceReader& bits, std::uint64_t roots, RiceCode gaps, RiceCode lengths,
                                  std::uint64_t end) {
  std::vector<TracedRun> list;
  list.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(roots, usual_runs)));
  std::uint64_t start = 0;
  bits.for_each_pair(roots, gaps, lengths, [&](std::uint64_t apart, std::uint64_t longer) {
    if (apart >= end - start || longer >= end) [[unlikely]]
      bad_order(apart);
    start += apart;
    list.push_back({start, longer + 1});
  });
  list.push_back({~std::uint64_t{0}, 0});
  return list;
}

/// A run that continues another.
struct ContinuingRun {
  std::uint64_t parent = 0;             ///< index of the run that is continued
  std::uint64_t shift = 0, change = 0;  ///< differences of start and length
};

/// Reads at least one bit for each of `count` runs. The list ends with a sentinel whose parent does not
/// exist.
std::vector<ContinuingRun> read_continuing_runs(RiceReader& bits, std::uint64_t count, RiceCode shifts,
                                                RiceCode changes, std::uint64_t row) {
  std::vector<ContinuingRun> list(static_cast<std::size_t>(std::min<std::uint64_t>(count, usual_runs) + 1));
  std::size_t used = 0;
  std::uint64_t parent = 0;
  bits.for_each_optional(count, shifts, changes,
                         [&](bool is_continued, std::uint64_t shift, std::uint64_t change) {
                           if (used + 1 == list.size()) [[unlikely]]
                             list.resize(2 * list.size());
                           list[used] = {parent++, row + unfold_sign(shift), unfold_sign(change)};
                           used += is_continued;
                         });
  list[used++] = {count, 0, 0};
  list.resize(used);
  return list;
}

/// Joins adjacent runs.
void join_touching(Words& edges) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    if (kept != 0 && edges[kept - 1] == edges[i]) {
      edges[kept - 1] = edges[i + 1];
    } else {
      edges[kept] = edges[i];
      edges[kept + 1] = edges[i + 1];
      kept += 2;
    }
  }
  edges.resize(kept);
}

/// Merges continued and other runs. Which of the two comes next is unpredictable, so no branch depends on it.
Words read_traced(VarintReader& in, std::uint64_t count, const SetLimits& limits) {
  const std::uint64_t root_count = in.varint();
  if (root_count > count) bad_order(root_count);
  const RiceCode gaps = in.code(), lengths = in.code(), shifts = in.code(), changes = in.code();
  RiceReader bits(in.rest());
  const auto roots = read_roots(bits, root_count, gaps, lengths, limits.end);
  const auto continued = read_continuing_runs(bits, count, shifts, changes, limits.row);
  if (roots.size() + continued.size() != count + 2) bad_order(count);
  Words edges(2 * (count + 1));
  const TracedRun* root = roots.data();
  const ContinuingRun* child = continued.data();
  std::uint64_t last = 0;  // the end of the previous run
  bool apart = true;
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::uint64_t* const parent = &edges[2 * child->parent];
    const std::uint64_t child_start = parent[0] + child->shift;
    const std::uint64_t child_length = parent[1] - parent[0] + child->change;
    const bool takes_child =
        static_cast<unsigned>(child->parent < n) & static_cast<unsigned>(child_start < root->start);
    const std::uint64_t start = takes_child ? child_start : root->start;
    const std::uint64_t length = takes_child ? child_length : root->length;
    child += takes_child;
    root += !takes_child;
    // This is safe even if both lists are exhausted: the sentinel lies beyond the extent.
    if (start < last || start >= limits.end || length - 1 >= limits.end - start) [[unlikely]]
      bad_order(start);
    apart &= start != last || n == 0;
    last = start + length;
    edges[2 * n] = start;
    edges[2 * n + 1] = last;
  }
  edges.resize(2 * count);
  if (!apart) join_touching(edges);
  return edges;
}

std::optional<SetPlan> plan_of(std::optional<LinePlan> lines) {
  if (!lines) return std::nullopt;
  SetPlan plan{.form = SetEncoding::lines, .bits = lines->bits + 2 * code_header_bits};
  plan.count = lines->positions.size();
  plan.lines = *std::move(lines);
  return plan;
}

SetPlan plan_of(PatchPlan patches) {
  SetPlan plan{.form = SetEncoding::patches};
  plan.count = patches.gaps.size();
  plan.bits = patches.bits + code_header_bits;
  plan.patches = std::move(patches);
  return plan;
}

bool has_lengths(SetEncoding form) { return form == SetEncoding::runs || form == SetEncoding::traced; }

}  // namespace

bool may_be_patches(std::uint64_t runs, std::uint64_t elements, std::uint64_t end) {
  return runs >= 16 && elements <= 8 * runs && end <= most_patched_elements && end / 4096 <= runs;
}

std::optional<SetPlan> choose_patches(PatchPlan& patches, const SetCounts& counts) {
  const std::uint64_t bits = patches.bits + code_header_bits, others = counts.end - counts.elements;
  const std::uint64_t least_of_runs = least_rice_bits(counts.runs, others - std::min(others, counts.runs)) +
                                      least_rice_bits(counts.runs, counts.elements - counts.runs);
  if (bits >= least_of_runs || bits >= least_rice_bits(counts.elements, others)) return std::nullopt;
  return plan_of(std::move(patches));
}

SetPlan plan_set(WordSpan edges, std::uint64_t end, std::uint64_t row) {
  const SetCounts counts{edges.size() / 2, elements_of(edges), edges.back()};
  std::optional<PatchPlan> patches;
  if (row != 0 && may_be_patches(counts.runs, counts.elements, end)) patches = plan_patches(edges, end, row);
  if (patches && patches->bits <= about_line_bits(edges, counts.elements, end, row))
    if (auto plan = choose_patches(*patches, counts)) return *std::move(plan);
  return plan_set(edges, end, row, std::move(patches));
}

SetPlan plan_set(WordSpan edges, std::uint64_t end, std::uint64_t row, std::optional<PatchPlan> patches) {
  SetPlan best = plan_runs(edges);
  const auto consider = [&](std::optional<SetPlan> plan) {
    if (plan && plan->bits < best.bits) best = *std::move(plan);
  };
  const std::uint64_t elements = elements_of(edges);
  // If runs are longer on average, their lengths take fewer bits than their elements.
  if (elements <= edges.size() && least_rice_bits(elements, edges.back() - elements) < best.bits)
    consider(plan_elements(edges, SetEncoding::elements));
  if (end - elements <= edges.size()) consider(plan_elements(complement(edges, end), SetEncoding::holes));
  if (patches) consider(plan_of(*std::move(patches)));
  if (row != 0) consider(plan_traced(edges, row));
  // A reader bounds the number of elements by that of runs. Older readers refuse lines, so they have to pay.
  if (elements <= edges.size()) {
    auto lines = plan_of(plan_lines(edges, end, row, {elements, best.bits}));
    if (lines && lines->bits < best.bits - best.bits / 32) best = *std::move(lines);
  }
  return best;
}

void write_set(Buffer& to, const SetPlan& plan) {
  const auto [gaps, lengths, shifts, changes] = plan.codes;
  put_varint(to, plan.count);
  if (plan.form == SetEncoding::patches) return write_patches(to, plan.patches);
  if (plan.form == SetEncoding::lines) return write_lines(to, plan.lines);
  if (plan.form == SetEncoding::traced) put_varint(to, plan.gaps.size());
  put_code(to, gaps);
  if (has_lengths(plan.form)) put_code(to, lengths);
  if (plan.form == SetEncoding::traced) {
    put_code(to, shifts);
    put_code(to, changes);
  }
  RiceWriter bits(to, plan.bits);
  if (has_lengths(plan.form)) {
    for (std::size_t i = 0; i < plan.gaps.size(); ++i)
      bits.put_pair(plan.gaps[i], gaps, plan.lengths[i], lengths);
  } else {
    for (const std::uint64_t value : plan.gaps) bits.put(value, gaps);
  }
  std::size_t child = 0;
  for (const std::uint8_t continued : plan.continued) {
    // The last edge may be read once more than needed.
    const std::size_t one = std::min(child, plan.shifts.size() - 1);
    bits.put_optional(continued != 0, plan.shifts[one], shifts, plan.changes[one], changes);
    child += continued;
  }
}

namespace {

std::uint64_t counted(VarintReader& in, const SetLimits& limits) {
  const std::uint64_t count = in.varint();
  if (count > limits.count) {
    throw Error(ErrorKind::corrupt,
                fmt::format("packed selection has {} runs, more than {}", count, limits.count));
  }
  return count;
}

}  // namespace

Words read_set(VarintReader in, SetEncoding form, const SetLimits& limits) {
  const std::uint64_t count = counted(in, limits);
  switch (form) {
    case SetEncoding::elements:
      return read_elements(in, count, limits);
    case SetEncoding::runs:
      return read_runs(in, count, limits);
    case SetEncoding::traced:
      return read_traced(in, count, limits);
    case SetEncoding::holes:
      return complement(read_elements(in, count, limits), limits.end);
    case SetEncoding::patches:
      return edges_of(read_patches(in, count, limits.end, limits.row));
    case SetEncoding::lines:
      return edges_of(read_lines(in, count, limits.end));
  }
  return {};
}

namespace {

[[noreturn]] void too_many(std::uint64_t points) {
  throw Error(ErrorKind::corrupt, fmt::format("packed selection has more than {} elements", points));
}

/// Calls `visit(offset)` for the elements of a list of elements or of runs.
template <class Visit>
void for_each_element(VarintReader in, SetEncoding form, std::uint64_t count, const SetLimits& limits,
                      Visit visit) {
  const RiceCode gaps = in.code(), lengths = form == SetEncoding::runs ? in.code() : RiceCode();
  RiceReader bits(in.rest());
  std::uint64_t next = 0;
  const auto add = [&](std::uint64_t apart, std::uint64_t longer) {
    if (apart >= limits.end - next || longer >= limits.end - next - apart) [[unlikely]]
      bad_order(next);
    next += apart;
    for (const std::uint64_t last = next + longer; next <= last; ++next) visit(next);
  };
  if (form == SetEncoding::elements)
    return bits.for_each(count, gaps, [&](std::uint64_t apart) {
      if (apart >= limits.end - next) [[unlikely]]
        bad_order(next);
      next += apart;
      visit(next++);
    });
  if (count == 0) return;
  // Only the first run may start at offset 0, or where the previous one ends.
  bits.for_each_pair(1, gaps, lengths, add);
  bits.for_each_pair(count - 1, gaps, lengths, [&](std::uint64_t apart, std::uint64_t longer) {
    if (next == limits.end) [[unlikely]]
      bad_order(next);
    ++next;
    add(apart, longer);
  });
}

std::uint64_t elements_at_most(WordSpan edges, std::uint64_t points) {
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < edges.size() && elements <= points; i += 2) elements += edges[i + 1] - edges[i];
  if (elements > points) too_many(points);
  return elements;
}

bool is_list(SetEncoding form) { return form == SetEncoding::elements || form == SetEncoding::runs; }

/// How many elements memory is allocated for: every element of a list takes at least one bit, or their number
/// is not proven yet.
std::uint64_t proven_elements(SetEncoding form, std::uint64_t count, std::uint64_t points, Bytes bits) {
  return std::min<std::uint64_t>(form == SetEncoding::elements ? count : points, 8 * bits.size());
}

}  // namespace

Points read_set_points(VarintReader in, SetEncoding form, const SetLimits& limits, std::uint64_t points) {
  VarintReader body = in;
  const std::uint64_t count = counted(body, limits);
  if (form == SetEncoding::patches) return {read_patches(body, count, limits.end, limits.row), {}};
  if (form == SetEncoding::lines) return {read_lines(body, count, limits.end), {}};
  if (is_list(form)) {
    std::vector<std::uint32_t> list(proven_elements(form, count, points, body.rest()));
    std::size_t used = 0;
    for_each_element(body, form, count, limits, [&](std::uint64_t offset) {
      if (used == list.size()) [[unlikely]] {
        if (used >= points) too_many(points);
        list.resize(std::min<std::uint64_t>(points, std::max<std::size_t>(64, 2 * used)));
      }
      list[used++] = static_cast<std::uint32_t>(offset);
    });
    if (used > points) too_many(points);
    list.resize(used);
    return {std::nullopt, std::move(list)};
  }
  const Words edges = read_set(in, form, limits);
  std::vector<std::uint32_t> list(static_cast<std::size_t>(elements_at_most(edges, points)));
  auto to = list.begin();
  for (std::size_t i = 0; i < edges.size(); i += 2)
    for (std::uint64_t at = edges[i]; at < edges[i + 1]; ++at) *to++ = static_cast<std::uint32_t>(at);
  return {std::nullopt, std::move(list)};
}

std::optional<OffsetBlocks> read_set_blocks(VarintReader in, SetEncoding form, const SetLimits& limits,
                                            std::uint64_t points) {
  constexpr std::uint64_t long_run = 8;  // takes as many bytes as two edges
  VarintReader body = in;
  const std::uint64_t count = counted(body, limits);
  if (form == SetEncoding::holes || (has_lengths(form) && points / long_run > count)) return std::nullopt;
  if (form == SetEncoding::patches || form == SetEncoding::lines) {
    const Bitmap set = form == SetEncoding::lines ? read_lines(body, count, limits.end)
                                                  : read_patches(body, count, limits.end, limits.row);
    std::uint64_t elements = 0;
    for (const std::uint64_t word : set.all_words()) elements += static_cast<unsigned>(std::popcount(word));
    if (elements > points) too_many(points);
    return blocks_of(set, static_cast<std::size_t>(elements));
  }
  if (is_list(form)) {
    OffsetBlocks::Writer writer(limits.end, points, proven_elements(form, count, points, body.rest()));
    for_each_element(body, form, count, limits, [&](std::uint64_t offset) {
      if (writer.count() == points) [[unlikely]]
        too_many(points);
      writer.add(offset);
    });
    return writer.finish();
  }
  const Words edges = read_set(in, form, limits);
  const std::uint64_t elements = elements_at_most(edges, points);
  return blocks_of(edges, limits.end, static_cast<std::size_t>(elements));
}

}  // namespace filigree::filter
