// SPDX-License-Identifier: Apache-2.0
#include "io/stack/parallel_file.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::io {
namespace {

/// The share of a member is a contiguous part of all bytes, cut at multiples of this size.
constexpr std::uint64_t share_bytes = 64u << 10;

std::vector<WriteExtent> share_of(std::span<const WriteExtent> extents, int rank, int members) {
  std::uint64_t total = 0;
  for (const WriteExtent& e : extents) total += e.from.size();
  const std::uint64_t blocks = (total + share_bytes - 1) / share_bytes;
  const auto cut = [&](int before) {
    const auto ranks = static_cast<std::uint64_t>(members);
    const auto first = static_cast<std::uint64_t>(before);
    return std::min(total, (blocks / ranks * first + std::min(blocks % ranks, first)) * share_bytes);
  };
  const std::uint64_t begin = cut(rank);
  const std::uint64_t end = cut(rank + 1);
  std::vector<WriteExtent> share;
  std::uint64_t at = 0;
  for (const WriteExtent& e : extents) {
    const std::uint64_t from = std::max(begin, at);
    const std::uint64_t to = std::min(end, at + e.from.size());
    if (from < to) share.push_back({e.offset + (from - at), e.from.subspan(from - at, to - from), e.type});
    at += e.from.size();
  }
  return share;
}

bool overlap(std::vector<WriteExtent> extents) {
  std::ranges::sort(extents, {}, &WriteExtent::offset);
  for (std::size_t i = 1; i < extents.size(); ++i)
    if (extents[i].offset < extents[i - 1].offset + extents[i - 1].from.size()) return true;
  return false;
}

}  // namespace

ParallelFile::ParallelFile(std::shared_ptr<VirtualFile> file)
    : PassThroughFile(*file),
      file_(std::move(file)),
      capabilities_(PassThroughFile::capabilities()),
      state_(std::make_shared<ParallelState>(wrapped().communicator(), wrapped().name())),
      agreement_(&state_->agreement) {
  // Whatever can be sent as selections is: then it is one request, and nothing of it is cached.
  capabilities_.selections = true;
  // Each request is one collective step. The wrapped file merges extents.
  capabilities_.coalescing = CoalescingLimits::none();
  capabilities_.vector_extents = std::numeric_limits<std::size_t>::max();
  capabilities_.request_bytes = std::numeric_limits<std::uint64_t>::max();
}

ParallelFile::~ParallelFile() {
  if (!agreement_->diverged()) return;
  try {
    wrapped().abandon();
  } catch (...) {  // the divergence was reported
  }
}

void ParallelFile::close() {
  if (agreement_->diverged()) return wrapped().abandon();
  wrapped().close();
}

/// Runs a request whose failure is thrown on all members.
template <class Work>
void ParallelFile::all_together(Work work) const {
  try {
    work();
  } catch (...) {
    agreement_->set_failure_known();
    throw;
  }
}

void ParallelFile::refuse(std::string_view doing) const {
  throw Error(ErrorKind::unsupported,
              fmt::format("'{}' is used by {} processes: {} outside of a collective call or a write of "
                          "elements is not possible",
                          name(), agreement_->members().size(), doing));
}

void ParallelFile::do_read(std::span<const ReadExtent> extents) const {
  agreement_->require_agreement();
  if (state_->requests == Requests::read_once) return read_once(extents);
  std::as_const(wrapped()).read(extents);
}

void ParallelFile::read_once(std::span<const ReadExtent> extents) const {
  Hash128 what;
  std::uint64_t bytes = 0;
  for (const ReadExtent& e : extents) {
    what.add(e.offset);
    what.add(e.into.size());
    bytes += e.into.size();
  }
  CollectiveStep step{"a read of metadata", name(), 0, what.folded()};
  agreement_->meet(step);
  std::exception_ptr failure;
  std::vector<std::byte> buffer;
  if (agreement_->members().rank() == 0) {
    try {
      std::as_const(wrapped()).read(extents);
      buffer.reserve(bytes);
      for (const ReadExtent& e : extents) buffer.insert(buffer.end(), e.into.begin(), e.into.end());
    } catch (...) {
      failure = std::current_exception();
    }
  }
  step.number = 1;
  agreement_->meet(step, failure);
  agreement_->members().broadcast(buffer, 0);
  if (buffer.size() != bytes) throw Error(ErrorKind::io, fmt::format("'{}': a broadcast was cut", name()));
  auto at = buffer.begin();
  for (const ReadExtent& e : extents) {
    std::copy_n(at, e.into.size(), e.into.begin());
    at += static_cast<std::ptrdiff_t>(e.into.size());
  }
}

void ParallelFile::do_write(std::span<const WriteExtent> extents) {
  agreement_->require_agreement();
  if (state_->requests == Requests::independent) return wrapped().write(extents);
  if (state_->requests == Requests::replicated) return write_share(extents);
  refuse("writing bytes");
}

void ParallelFile::write_share(std::span<const WriteExtent> extents) {
  Hash128 what;
  for (const WriteExtent& e : extents) {
    what.add(e.offset);
    what.add(e.from);
  }
  CollectiveStep step{"a write of metadata", name(), 0, what.folded()};
  agreement_->meet(step);
  Communicator& members = agreement_->members();
  // Of overlapping extents the later one wins, so one member must write them all.
  std::vector<WriteExtent> share(extents.begin(), extents.end());
  if (!overlap(share)) {
    share = share_of(extents, members.rank(), members.size());
  } else if (members.rank() != 0) {
    share.clear();
  }
  all_together([&] { wrapped().write_collective(share); });
}

bool ParallelFile::do_read_selections(std::span<const SelectionRead> pieces, MemoryType type) const {
  agreement_->require_agreement();
  if (state_->requests != Requests::collective) {
    std::as_const(wrapped()).read_selections(pieces, type);
  } else {
    agreement_->meet({"reading elements", name()}, nullptr, true);
    all_together([&] { std::as_const(wrapped()).read_selections_collective(pieces, type); });
  }
  return true;
}

bool ParallelFile::do_write_selections(std::span<const SelectionWrite> pieces, MemoryType type) {
  agreement_->require_agreement();
  if (state_->requests == Requests::independent) {
    wrapped().write_selections(pieces, type);
  } else if (state_->requests == Requests::collective) {
    agreement_->meet({"writing elements", name()}, nullptr, true);
    all_together([&] { wrapped().write_selections_collective(pieces, type); });
  } else {
    refuse("writing elements");
  }
  return true;
}

void ParallelFile::finish_reads() const {
  while (agreement_->meet({"reading elements", name()}))
    all_together([&] { std::as_const(wrapped()).read_selections_collective({}, MemoryType::raw); });
}

void ParallelFile::finish_writes() {
  while (agreement_->meet({"writing elements", name()}))
    all_together([&] { wrapped().write_selections_collective({}, MemoryType::raw); });
}

void ParallelFile::do_truncate(std::uint64_t bytes) {
  agreement_->require_agreement();
  if (state_->requests != Requests::replicated) refuse("changing the size of the file");
  CollectiveStep step{"a change of the size", name(), 0, bytes};
  agreement_->meet(step);
  step.number = 1;
  std::exception_ptr failure;
  try {
    forward_truncate(wrapped(), bytes);
  } catch (...) {
    failure = std::current_exception();
  }
  agreement_->meet(step, failure);
}

}  // namespace filigree::io
