// SPDX-License-Identifier: Apache-2.0
#include "base/large_pages.hpp"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace filigree {

void prefer_large_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t smallest_block = std::size_t{4} << 20;
  if (bytes < smallest_block) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t first = (start + page - 1) / page * page;
  const std::uintptr_t end = (start + bytes) / page * page;
  // This is advice only: if it is refused, the block keeps its small pages.
  static_cast<void>(::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE));
#endif
}

}  // namespace filigree
