// SPDX-License-Identifier: Apache-2.0
#include "space/run_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/executor.hpp"
#include "base/large_pages.hpp"
#include "space/bit_runs.hpp"
#include "space/radix_sort.hpp"

namespace filigree::space {
namespace {

/// A span of a merge: parts of two lists of edges, and the destination of their result.
struct MergeSpan {
  std::span<const std::uint64_t> a;
  std::span<const std::uint64_t> b;
  unsigned inside = 0;  ///< membership at the beginning: bit 0 for the first set, bit 1 for the second
  std::uint64_t* out = nullptr;
};

/// Merges under a truth table and returns the end of the result. No branch depends on the data, because which
/// list comes next is unpredictable.
std::uint64_t* merge(const MergeSpan& span, unsigned table) {
  const std::uint64_t* x = span.a.data();
  const std::uint64_t* y = span.b.data();
  const std::uint64_t* const x_end = x + span.a.size();
  const std::uint64_t* const y_end = y + span.b.size();
  std::uint64_t* out = span.out;
  unsigned inside = span.inside;
  unsigned selected = table >> inside & 1;
  while (x != x_end && y != y_end) {
    const std::uint64_t at_x = *x;
    const std::uint64_t at_y = *y;
    const unsigned take_x = at_x <= at_y;
    const unsigned take_y = at_y <= at_x;
    x += take_x;
    y += take_y;
    inside ^= take_x | take_y << 1;
    const unsigned now = table >> inside & 1;
    *out = take_x ? at_x : at_y;
    out += now ^ selected;
    selected = now;
  }
  // While membership in one set does not change, either all edges of the other are edges of the result, or
  // none.
  const auto rest = [&](const std::uint64_t* from, const std::uint64_t* end, unsigned bit) {
    if (((table >> inside ^ table >> (inside ^ bit)) & 1) != 0) out = std::copy(from, end, out);
  };
  rest(x, x_end, 1);
  rest(y, y_end, 2);
  return out;
}

/// Divides a merge into `parts` spans. Edges at one offset belong to one span.
std::vector<MergeSpan> cut(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                           std::size_t parts, std::uint64_t* out) {
  std::vector<MergeSpan> spans;
  std::size_t a_first = 0;
  std::size_t b_first = 0;
  for (std::size_t part = 1; part <= parts; ++part) {
    const std::size_t a_end = part == parts ? a.size() : a.size() / parts * part;
    const std::size_t b_end =
        part == parts ? b.size()
                      : static_cast<std::size_t>(std::ranges::lower_bound(b, a[a_end]) - b.begin());
    spans.push_back({a.subspan(a_first, a_end - a_first), b.subspan(b_first, b_end - b_first),
                     static_cast<unsigned>(a_first % 2 | b_first % 2 << 1), out + a_first + b_first});
    a_first = a_end;
    b_first = b_end;
  }
  return spans;
}

/// Divides large merges among threads. Each span writes where its result would be if no edge vanished.
std::size_t merge_all(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b, unsigned table,
                      std::uint64_t* out) {
  constexpr std::size_t edges_worth_a_thread = std::size_t{1} << 19;
  const std::size_t parts_wanted = (a.size() + b.size()) / edges_worth_a_thread;
  if (parts_wanted < 2) return static_cast<std::size_t>(merge({a, b, 0, out}, table) - out);
  Executor& executor = Executor::default_executor();
  const auto spans = cut(a, b, std::min({parts_wanted, executor.threads(), a.size()}), out);
  std::vector<std::uint64_t*> ends(spans.size());
  executor.for_each(spans.size(), [&](std::size_t i) { ends[i] = merge(spans[i], table); });
  std::uint64_t* end = ends[0];
  for (std::size_t i = 1; i < spans.size(); ++i) {
    const auto edges = static_cast<std::size_t>(ends[i] - spans[i].out);
    std::memmove(end, spans[i].out, edges * sizeof(std::uint64_t));
    end += edges;
  }
  return static_cast<std::size_t>(end - out);
}

/// Builds the set of offsets up to `last` with a bitmap.
RunSet of_dense(const std::vector<std::uint64_t>& offsets, std::uint64_t last) {
  auto words = large_vector<std::uint64_t>(static_cast<std::size_t>(last / 64 + 1));
  for (const std::uint64_t offset : offsets) words[offset / 64] |= std::uint64_t{1} << offset % 64;
  return runs_of_bits(words.size(), [&](std::size_t i) { return words[i]; });
}

}  // namespace

void RunSetWriter::Free::operator()(std::uint64_t* edges) const { std::free(edges); }

RunSetWriter::RunSetWriter(std::uint64_t runs_at_most) {
  if (runs_at_most > most_runs) {
    throw Error(ErrorKind::limit,
                fmt::format("a selection of up to {} runs exceeds the limit of {}", runs_at_most, most_runs));
  }
  resize(static_cast<std::size_t>(2 * runs_at_most));
}

void RunSetWriter::resize(std::size_t edges) {
  if (edges == capacity_) return;
  if (edges == 0) {
    edges_.reset();
  } else {
    void* moved = std::realloc(edges_.get(), edges * sizeof(std::uint64_t));
    if (moved == nullptr) throw std::bad_alloc();
    static_cast<void>(edges_.release());
    edges_.reset(static_cast<std::uint64_t*>(moved));
    // Only for a new list: the system is slow at moving huge pages.
    if (capacity_ == 0) prefer_large_pages(moved, edges * sizeof(std::uint64_t));
  }
  capacity_ = edges;
}

void RunSetWriter::grow() {
  if (capacity_ >= 2 * most_runs)
    throw Error(ErrorKind::limit, fmt::format("a selection of more than {} runs", most_runs));
  resize(std::max<std::size_t>(16, 2 * capacity_));
}

void RunSetWriter::add(const RunSet& set) {
  if (set.empty()) return;
  add(set.run(0));
  add_edges(set.edges().subspan(2));
}

void RunSetWriter::add_edges(std::span<const std::uint64_t> edges) {
  while (capacity_ - size_ < edges.size()) grow();
  std::ranges::copy(edges, edges_.get() + size_);
  size_ += edges.size();
}

RunSet RunSetWriter::finish() {
  resize(size_);
  RunSet set;
  set.size_ = size_;
  for (std::size_t i = 0; i < size_; i += 2) set.elements_ += edges_.get()[i + 1] - edges_.get()[i];
  set.edges_ = std::shared_ptr<std::uint64_t>(std::move(edges_));
  size_ = capacity_ = 0;
  return set;
}

RunSet::RunSet(Run run) {
  if (run.length == 0) return;
  RunSetWriter writer(1);
  writer.add(run);
  *this = writer.finish();
}

RunSet RunSet::of_runs(std::vector<Run> runs) {
  radix_sort(runs, [](const Run& run) { return run.start; });
  RunSetWriter writer(runs.size());
  Run open;
  for (const Run& run : runs) {
    const std::uint64_t end = checked_add(run.start, run.length, "the end of a run");
    if (run.length == 0) continue;
    if (open.length != 0 && run.start <= open.end()) {
      open.length = std::max(open.end(), end) - open.start;
      continue;
    }
    if (open.length != 0) writer.add(open);
    open = run;
  }
  if (open.length != 0) writer.add(open);
  return writer.finish();
}

RunSet RunSet::of_offsets(std::vector<std::uint64_t> offsets) {
  if (offsets.empty()) return {};
  const std::uint64_t last = *std::ranges::max_element(offsets);
  checked_add(last, 1, "the end of a run");
  // A bitmap needs no sorting, but it is faster only if it is small.
  if (last / 16 < offsets.size()) return of_dense(offsets, last);
  radix_sort(offsets, [](std::uint64_t offset) { return offset; });
  std::size_t runs = 1;
  for (std::size_t i = 1; i < offsets.size(); ++i) runs += offsets[i] - offsets[i - 1] > 1;
  RunSetWriter writer(runs);
  Run open{offsets[0], 1};
  for (const std::uint64_t offset : offsets) {
    if (offset > open.end()) {
      writer.add(open);
      open.start = offset;
    }
    open.length = offset - open.start + 1;
  }
  writer.add(open);
  return writer.finish();
}

std::size_t RunSet::find(std::uint64_t offset) const {
  const auto list = edges();
  const auto behind = std::upper_bound(list.begin(), list.end(), offset);
  return static_cast<std::size_t>(behind - list.begin()) / 2;
}

bool RunSet::contains(std::uint64_t offset) const {
  const std::size_t i = find(offset);
  return i < runs() && run(i).start <= offset;
}

RunSet RunSet::within(Run window) const {
  if (window.length == 0) return {};
  const std::size_t first = find(window.start);
  std::size_t last = find(window.end());
  if (last < runs() && run(last).start < window.end()) ++last;
  RunSetWriter writer(last - first);
  for (std::size_t i = first; i < last; ++i) {
    const std::uint64_t start = std::max(run(i).start, window.start);
    writer.add({start - window.start, std::min(run(i).end(), window.end()) - start});
  }
  return writer.finish();
}

RunSet combine(const RunSet& a, SetOperator op, const RunSet& b) {
  const auto table = static_cast<unsigned>(op);
  const auto only = [&](unsigned which, const RunSet& set) { return table >> which & 1 ? set : RunSet(); };
  if (a.empty()) return only(2, b);
  if (b.empty()) return only(1, a);
  RunSetWriter writer(a.runs() + b.runs());
  writer.size_ = merge_all(a.edges(), b.edges(), table, writer.edges_.get());
  return writer.finish();
}

bool operator==(const RunSet& a, const RunSet& b) {
  return a.size_ == b.size_ &&
         (a.edges_ == b.edges_ || std::equal(a.edges().begin(), a.edges().end(), b.edges().begin()));
}

}  // namespace filigree::space
