// SPDX-License-Identifier: Apache-2.0
#include "io/stack/log_file.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace filigree::io {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

/// "raw data 2, B-tree 1", or as members of a JSON object.
std::string types_text(const std::array<std::uint64_t, memory_types>& of_type, bool json) {
  std::string text;
  for (std::size_t i = 0; i < memory_types; ++i) {
    if (of_type[i] == 0) continue;
    if (!text.empty()) text += json ? "," : ", ";
    text += fmt::format(fmt::runtime(json ? "\"{}\":{}" : "{} {}"), to_string(static_cast<MemoryType>(i)),
                        of_type[i]);
  }
  return text;
}

void count(LogCounters::Direction& to, std::uint64_t extents, std::uint64_t bytes, Clock::duration time) {
  ++to.requests;
  to.extents += extents;
  to.bytes += bytes;
  to.time += time;
  to.slowest = std::max<std::chrono::nanoseconds>(to.slowest, time);
}

}  // namespace

LogFile::LogFile(std::unique_ptr<VirtualFile> file, LogOptions options)
    : PassThroughFile(std::move(file)), options_(std::move(options)) {
  forward_concurrency();
}

LogFile::LogFile(VirtualFile& file, LogOptions options)
    : PassThroughFile(file), options_(std::move(options)) {
  forward_concurrency();
}

LogCounters LogFile::counters() const {
  const MutexLock lock(mutex_);
  return counters_;
}

void LogFile::reset() {
  const MutexLock lock(mutex_);
  counters_ = {};
}

template <class Extent>
LogFile::Entry LogFile::entry_of(std::span<const Extent> extents) {
  Entry entry;
  entry.writing = std::is_same_v<Extent, WriteExtent>;
  entry.extents = extents.size();
  entry.offset = extents.empty() ? 0 : extents[0].offset;
  std::uint64_t end = ~std::uint64_t{0};
  for (const Extent& e : extents) {
    const std::uint64_t bytes = e.memory().size();
    entry.smallest = entry.bytes == 0 && end == ~std::uint64_t{0} ? bytes : std::min(entry.smallest, bytes);
    entry.largest = std::max(entry.largest, bytes);
    entry.bytes += bytes;
    entry.runs += e.offset != end;
    end = e.offset + bytes;
    ++entry.of_type[static_cast<std::size_t>(e.type) % memory_types];
  }
  entry.begin = Clock::now();
  return entry;
}

void LogFile::record(const Entry& entry, bool failed) const {
  const Clock::duration time = Clock::now() - entry.begin;
  const MutexLock lock(mutex_);
  LogCounters::Direction& to = entry.writing ? counters_.writes : counters_.reads;
  to.smallest = to.extents == 0 ? entry.smallest : std::min(to.smallest, entry.smallest);
  to.largest = std::max(to.largest, entry.largest);
  count(to, entry.extents, entry.bytes, time);
  to.runs += entry.runs;
  to.failures += failed;
  for (std::size_t i = 0; i < memory_types; ++i) to.extents_of_type[i] += entry.of_type[i];
  const std::string_view verb = entry.writing ? "write" : "read";
  if (options_.format == LogFormat::text) {
    print(fmt::format("{} {} extents, {} bytes at {} ({}) in {:.1f} us{}", verb, entry.extents, entry.bytes,
                      entry.offset, types_text(entry.of_type, false), microseconds(time),
                      failed ? ", failed" : ""));
  } else if (options_.format == LogFormat::json_lines) {
    print(
        fmt::format("{{\"op\":\"{}\",\"extents\":{},\"runs\":{},\"bytes\":{},\"offset\":{},\"types\":{{{}}},"
                    "\"us\":{:.1f},\"failed\":{}}}",
                    verb, entry.extents, entry.runs, entry.bytes, entry.offset,
                    types_text(entry.of_type, true), microseconds(time), failed));
  }
}

void LogFile::print(std::string_view line) const {
  if (options_.sink) options_.sink(line);
}

template <class Work>
void LogFile::watch(const Entry& entry, Work work) const {
  try {
    work();
  } catch (...) {
    record(entry, true);
    throw;
  }
  record(entry, false);
}

void LogFile::do_read(std::span<const ReadExtent> extents) const {
  watch(entry_of(extents), [&] { forward(std::as_const(wrapped()), extents); });
}

void LogFile::do_write(std::span<const WriteExtent> extents) {
  watch(entry_of(extents), [&] { forward(wrapped(), extents); });
}

template <class Work>
bool LogFile::watch_collective(const Entry& entry, Work work) const {
  bool done = false;
  try {
    done = work();
  } catch (...) {
    record(entry, true);
    throw;
  }
  if (done) record(entry, false);
  return done;
}

bool LogFile::do_read_collective(std::span<const ReadExtent> extents) const {
  return watch_collective(entry_of(extents),
                          [&] { return forward_collective(std::as_const(wrapped()), extents); });
}

bool LogFile::do_write_collective(std::span<const WriteExtent> extents) {
  return watch_collective(entry_of(extents), [&] { return forward_collective(wrapped(), extents); });
}

class LogFile::LoggedRequest : public Pending {
 public:
  LoggedRequest(const LogFile& log, const Entry& entry, std::unique_ptr<Pending> pending)
      : log_(log), entry_(entry), pending_(std::move(pending)) {}
  void wait() override {
    log_.watch(entry_, [&] { pending_->wait(); });
  }

 private:
  const LogFile& log_;
  const Entry entry_;
  std::unique_ptr<Pending> pending_;
};

std::unique_ptr<Pending> LogFile::do_start_read(std::span<const ReadExtent> extents) const {
  const Entry entry = entry_of(extents);
  std::unique_ptr<Pending> pending;
  try {
    pending = forward_start(std::as_const(wrapped()), extents);
  } catch (...) {
    record(entry, true);
    throw;
  }
  if (pending) return std::make_unique<LoggedRequest>(*this, entry, std::move(pending));
  record(entry, false);
  return nullptr;
}

std::unique_ptr<Pending> LogFile::do_start_write(std::span<const WriteExtent> extents) {
  const Entry entry = entry_of(extents);
  std::unique_ptr<Pending> pending;
  try {
    pending = forward_start(wrapped(), extents);
  } catch (...) {
    record(entry, true);
    throw;
  }
  if (pending) return std::make_unique<LoggedRequest>(*this, entry, std::move(pending));
  record(entry, false);
  return nullptr;
}

template <class Work>
void LogFile::record_other(std::string_view what, std::uint64_t bytes, std::uint64_t LogCounters::*counter,
                           Work work) {
  const Clock::time_point begin = Clock::now();
  work();
  const Clock::duration time = Clock::now() - begin;
  const MutexLock lock(mutex_);
  ++(counters_.*counter);
  if (options_.format == LogFormat::text) {
    print(fmt::format("{} at {} bytes in {:.1f} us", what, bytes, microseconds(time)));
  } else if (options_.format == LogFormat::json_lines) {
    print(fmt::format("{{\"op\":\"{}\",\"bytes\":{},\"us\":{:.1f}}}", what, bytes, microseconds(time)));
  }
}

void LogFile::do_truncate(std::uint64_t bytes) {
  record_other("truncate", bytes, &LogCounters::truncations, [&] { forward_truncate(wrapped(), bytes); });
}

void LogFile::do_sync() {
  record_other("sync", size(), &LogCounters::syncs, [&] { wrapped().sync(); });
}

}  // namespace filigree::io
