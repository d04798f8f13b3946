// SPDX-License-Identifier: Apache-2.0
#include "base/workspace.hpp"

#include <array>

namespace filigree {
namespace {

/// The largest buffer that a thread keeps for later.
constexpr std::size_t most_spare_bytes = std::size_t{8} << 20;

// Trivially destructible, so it stays readable while the thread's other objects are destroyed.
thread_local bool thread_is_ending = false;

}  // namespace

struct Workspace::Spare {
  std::array<Block, 4> blocks;
  std::size_t count = 0;
  ~Spare() { thread_is_ending = true; }
};

Workspace::Spare* Workspace::spare() {
  thread_local Spare held;
  return thread_is_ending ? nullptr : &held;
}

Workspace::Workspace() {
  if (Spare* const held = spare(); held != nullptr && held->count > 0)
    block_ = std::move(held->blocks[--held->count]);
}

Workspace::~Workspace() {
  if (block_.bytes == 0 || block_.bytes > most_spare_bytes) return;
  Spare* const held = spare();
  if (held != nullptr && held->count < held->blocks.size()) held->blocks[held->count++] = std::move(block_);
}

MutableBytes Workspace::allocate(std::size_t bytes) {
  if (bytes <= lent_.size()) return lent_.first(bytes);
  if (block_.bytes < bytes) {
    block_ = {};
    block_ = {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
  }
  return {block_.memory.get(), bytes};
}

void Workspace::swap(Workspace& other) noexcept {
  std::swap(block_, other.block_);
  std::swap(kept_, other.kept_);
  std::swap(lent_, other.lent_);
}

}  // namespace filigree
