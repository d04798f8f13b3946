// SPDX-License-Identifier: Apache-2.0
#include "api/hdf5_ids.hpp"

#include <atomic>

#include <filigree/hdf5_ids.hpp>

namespace filigree {
namespace {

std::atomic<const api::CLibrary*> c_library{nullptr};

}  // namespace

void api::set_c_library(const CLibrary* library) { c_library.store(library, std::memory_order_release); }

std::optional<Object> object_of_id(std::int64_t id, const void* function) {
  const api::CLibrary* const library = c_library.load(std::memory_order_acquire);
  if (library == nullptr || library->function != function) return std::nullopt;
  return library->object_of(id);
}

}  // namespace filigree
