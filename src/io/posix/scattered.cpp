// SPDX-License-Identifier: Apache-2.0
#include "io/posix/scattered.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/mutex.hpp"

namespace filigree::io {
namespace {

constexpr std::size_t max_iovecs = 1024;
using Pieces = std::array<iovec, max_iovecs>;

/// The byte range of the file that covers all extents.
struct Range {
  std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end = 0;
  template <class Extent>
  void add(const Extent& e) {
    begin = std::min(begin, e.offset);
    end = std::max(end, e.offset + e.memory().size());
  }
  std::uint64_t bytes() const { return end - begin; }
};

template <class Extent>
std::size_t find_prefix(std::span<const Extent> extents, const ScatteredLimits& limits,
                        std::uint64_t distance) {
  Range range;
  std::size_t count = 0, bytes = 0;
  for (; count < std::min({extents.size(), limits.most, max_iovecs}); ++count) {
    const Extent& e = extents[count];
    Range longer = range;
    longer.add(e);
    bytes += e.memory().size();
    if (e.memory().empty() || e.memory().size() > limits.extent_bytes || bytes > limits.bytes ||
        longer.bytes() > limits.window_bytes)
      break;
    range = longer;
  }
  return count < limits.fewest || range.bytes() / count > distance ? 0 : count;
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) ends[0] = ends[1] = -1;
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  /// The system limits the capacity of pipes for users with many of them.
  bool takes(std::size_t bytes) const {
    const int capacity = ends[0] < 0 ? -1 : fcntl(ends[0], F_GETPIPE_SZ);
    return capacity > 0 && bytes <= static_cast<std::size_t>(capacity);
  }
};

/// Mappings with this alignment get large pages where the system has them: one page fault each, not one for
/// each 4 KiB. Pages beyond the end of the file are not accessed.
constexpr std::uint64_t large_page_bytes = 2u << 20;

class Mapping {
 public:
  Mapping(int descriptor, const Range& range, int protection) {
    begin_ = range.begin / large_page_bytes * large_page_bytes;
    bytes_ = (range.end - begin_ + large_page_bytes - 1) / large_page_bytes * large_page_bytes;
    void* const at = mmap(nullptr, bytes_, protection, MAP_SHARED, descriptor, static_cast<off_t>(begin_));
    if (at == MAP_FAILED) return;
    memory_ = static_cast<std::byte*>(at);
    // Turns read-ahead off: extents are far apart.
    madvise(at, bytes_, MADV_RANDOM);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
  }
  explicit operator bool() const { return memory_ != nullptr; }
  std::byte* at(std::uint64_t offset) const { return memory_ + (offset - begin_); }

 private:
  std::uint64_t begin_ = 0;
  std::size_t bytes_ = 0;
  std::byte* memory_ = nullptr;
};

bool reaches(int descriptor, std::uint64_t end) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && end <= static_cast<std::uint64_t>(status.st_size);
}

iovec piece(const std::byte* memory, std::size_t bytes) {
  // iovec serves both directions, so it has no const.
  return {const_cast<std::byte*>(memory), bytes};
}

template <class Extent>
bool move(int descriptor, std::span<const Extent> extents) {
  constexpr bool writing = std::is_same_v<Extent, WriteExtent>;
  Range range;
  for (const Extent& e : extents) range.add(e);
  // A mapping of the last page extends beyond the end of the file, so the end must be checked here.
  if (!reaches(descriptor, range.end)) return false;
  std::size_t bytes = 0;
  for (const Extent& e : extents) bytes += e.memory().size();
  const Pipe pipe;
  if (!pipe.takes(bytes)) return false;
  const Mapping mapping(descriptor, range, writing ? PROT_READ | PROT_WRITE : PROT_READ);
  if (!mapping) return false;
  Pieces in_file, in_memory;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const auto memory = extents[i].memory();
    in_file[i] = piece(mapping.at(extents[i].offset), memory.size());
    in_memory[i] = piece(memory.data(), memory.size());
  }
  const int count = static_cast<int>(extents.size());
  const Pieces& from = writing ? in_memory : in_file;
  const Pieces& to = writing ? in_file : in_memory;
  const auto all = static_cast<ssize_t>(bytes);
  return writev(pipe.ends[1], from.data(), count) == all && readv(pipe.ends[0], to.data(), count) == all &&
         reaches(descriptor, range.end);
}

/// Steps between two trials of the method that seemed more expensive.
constexpr std::uint32_t steps_between_trials = 16;
/// Extents of a trial of system calls. A mapping has a fixed cost, so its trials take as many as they can.
constexpr std::size_t trial_calls = 64;

}  // namespace

std::size_t scattered_prefix(std::span<const ReadExtent> extents, const ScatteredLimits& limits) {
  return find_prefix(extents, limits, std::numeric_limits<std::uint64_t>::max());
}
std::size_t scattered_prefix(std::span<const WriteExtent> extents, const ScatteredLimits& limits) {
  return find_prefix(extents, limits, limits.write_distance_bytes);
}

bool move_mapped(int descriptor, std::span<const ReadExtent> extents) { return move(descriptor, extents); }
bool move_mapped(int descriptor, std::span<const WriteExtent> extents) { return move(descriptor, extents); }

ScatterCosts::Step ScatterCosts::next(bool writing) {
  Direction& d = directions_[writing];
  const std::uint64_t calls = d.cost[0].load(std::memory_order_relaxed);
  const std::uint64_t mapping = d.cost[1].load(std::memory_order_relaxed);
  if (calls == 0) return {Way::calls, trial_calls};
  if (mapping == 0) return {Way::mapping, max_iovecs};
  const Way cheaper = mapping < calls ? Way::mapping : Way::calls;
  if (d.steps.fetch_add(1, std::memory_order_relaxed) % steps_between_trials != steps_between_trials - 1)
    return {cheaper, max_iovecs};
  if (cheaper == Way::calls) return {Way::mapping, max_iovecs};
  return {Way::calls, trial_calls};
}

void ScatterCosts::record(bool writing, Way way, std::size_t extents, std::uint64_t nanoseconds) {
  std::atomic<std::uint64_t>& cost = directions_[writing].cost[static_cast<int>(way)];
  const std::uint64_t old = cost.load(std::memory_order_relaxed);
  const std::uint64_t sample =
      std::max<std::uint64_t>(1, nanoseconds * 1000 / std::max<std::size_t>(1, extents));
  // The lowest cost counts most: expensive samples waited for a device or for other threads.
  cost.store(old == 0 || sample < old ? sample : old + (sample - old) / 8, std::memory_order_relaxed);
}

ScatterCosts& ScatterCosts::of_device(std::uint64_t device) {
  static Mutex mutex;
  static auto& costs = *new std::map<std::uint64_t, ScatterCosts>;
  const MutexLock lock(mutex);
  return costs[device];
}

}  // namespace filigree::io
