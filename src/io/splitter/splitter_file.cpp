// SPDX-License-Identifier: Apache-2.0
#include "io/splitter/splitter_file.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::io {

template <class Work>
void SplitterFile::repeat(const char* doing, Work work) {
  try {
    work(*copy_);
  } catch (const Error& error) {
    if (faults_.log) faults_.log(fmt::format("{} '{}': {}", doing, copy_->name(), error.what()));
    if (!faults_.ignored) throw;
  }
}

void SplitterFile::do_write(std::span<const WriteExtent> extents) {
  forward(wrapped(), extents);
  repeat("writing", [&](VirtualFile& copy) { copy.write(extents); });
}

void SplitterFile::do_truncate(std::uint64_t bytes) {
  forward_truncate(wrapped(), bytes);
  repeat("truncating", [&](VirtualFile& copy) { copy.truncate(bytes); });
}

void SplitterFile::do_truncate_to_allocation() {
  forward_truncate_to_allocation(wrapped());
  repeat("truncating", [&](VirtualFile& copy) { copy.truncate(wrapped().size()); });
}

void SplitterFile::set_allocation_end(MemoryType type, std::uint64_t end) {
  PassThroughFile::set_allocation_end(type, end);
  copy_->set_allocation_end(type, end);
}

void SplitterFile::do_sync() {
  wrapped().sync();
  repeat("flushing", [](VirtualFile& copy) { copy.sync(); });
}

void SplitterFile::do_lock(LockKind kind) {
  wrapped().lock(kind);
  repeat("locking", [&](VirtualFile& copy) { copy.lock(kind); });
}

void SplitterFile::do_unlock() {
  wrapped().unlock();
  repeat("unlocking", [](VirtualFile& copy) { copy.unlock(); });
}

// Other operations reach the first file by themselves.
bool SplitterFile::do_ctl(const CtlCall& call) {
  if (call.op == ctl_op::write_back) repeat("writing back", [&](VirtualFile& copy) { copy.ctl(call); });
  return false;
}

void SplitterFile::close() {
  wrapped().close();
  repeat("closing", [](VirtualFile& copy) { copy.close(); });
}

}  // namespace filigree::io
