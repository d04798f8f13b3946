// SPDX-License-Identifier: Apache-2.0
#include "io/stack/prefetched_header_file.hpp"

#include <algorithm>
#include <utility>

namespace filigree::io {
namespace {

/// A request that owns its extents.
class OwnRequest : public Pending {
 public:
  explicit OwnRequest(std::vector<ReadExtent> extents) : extents_(std::move(extents)) {}
  std::span<const ReadExtent> extents() const { return extents_; }
  void hold(std::unique_ptr<Pending> pending) { pending_ = std::move(pending); }
  void wait() override {
    if (pending_) pending_->wait();
  }

 private:
  std::vector<ReadExtent> extents_;
  std::unique_ptr<Pending> pending_;  // destroyed before the extents
};

}  // namespace

PrefetchedHeaderFile::PrefetchedHeaderFile(std::unique_ptr<VirtualFile> file, std::uint64_t bytes)
    : PassThroughFile(std::move(file)), header_(bytes) {
  forward_concurrency();
  wrapped().read(0, header_, MemoryType::superblock);
}

std::unique_ptr<VirtualFile> PrefetchedHeaderFile::wrap(std::unique_ptr<VirtualFile> file) {
  const DriverCapabilities& can = file->capabilities();
  if (!is_high_latency(can) || can.selections) return file;
  const std::uint64_t bytes =
      std::min(can.coalescing.read_gap_bytes, file->end_of_file(MemoryType::superblock));
  if (bytes == 0) return file;
  return std::make_unique<PrefetchedHeaderFile>(std::move(file), bytes);
}

std::vector<ReadExtent> PrefetchedHeaderFile::copy_prefetched(std::span<const ReadExtent> extents) const {
  if (!valid_.load()) return {extents.begin(), extents.end()};
  std::vector<ReadExtent> others;
  for (const ReadExtent& e : extents) {
    if (e.offset > header_.size() || e.into.size() > header_.size() - e.offset) {
      others.push_back(e);
    } else {
      std::ranges::copy(Bytes(header_).subspan(e.offset, e.into.size()), e.into.begin());
    }
  }
  return others;
}

void PrefetchedHeaderFile::do_read(std::span<const ReadExtent> extents) const {
  const std::vector<ReadExtent> others = copy_prefetched(extents);
  if (!others.empty()) forward(std::as_const(wrapped()), others);
}

std::unique_ptr<Pending> PrefetchedHeaderFile::do_start_read(std::span<const ReadExtent> extents) const {
  auto request = std::make_unique<OwnRequest>(copy_prefetched(extents));
  if (request->extents().empty()) return nullptr;
  request->hold(forward_start(std::as_const(wrapped()), request->extents()));
  return request;
}

void PrefetchedHeaderFile::do_write(std::span<const WriteExtent> extents) {
  valid_ = false;
  forward(wrapped(), extents);
}

std::unique_ptr<Pending> PrefetchedHeaderFile::do_start_write(std::span<const WriteExtent> extents) {
  valid_ = false;
  return forward_start(wrapped(), extents);
}

bool PrefetchedHeaderFile::do_write_collective(std::span<const WriteExtent> extents) {
  valid_ = false;
  return forward_collective(wrapped(), extents);
}

void PrefetchedHeaderFile::do_truncate(std::uint64_t bytes) {
  valid_ = false;
  forward_truncate(wrapped(), bytes);
}

void PrefetchedHeaderFile::do_truncate_to_allocation() {
  valid_ = false;
  forward_truncate_to_allocation(wrapped());
}

}  // namespace filigree::io
