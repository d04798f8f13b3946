// SPDX-License-Identifier: Apache-2.0
#include "model/heap/heap_budget.hpp"

#include <algorithm>

#include <filigree/error.hpp>

#include "store/file_store.hpp"

namespace filigree::model {
namespace {

constexpr std::uint64_t spare_bytes = 16u << 20;
constexpr std::uint64_t spare_objects = 1u << 20;
constexpr std::uint64_t repeats = 4;
constexpr std::uint64_t bytes_per_element = 256;
constexpr std::uint64_t objects_per_element = 2;
constexpr std::uint64_t least_object_bytes = 16;
constexpr std::uint64_t most_elements = std::uint64_t{1} << 48;

std::uint64_t allocated_bytes(const store::FileStore& store) {
  std::uint64_t sum = 0;
  for (const store::FilePart& part : store.parts())
    sum += store.space().allocated_until(to_address(part.first)) - part.first;
  return sum;
}

/// Includes data that is not written yet.
std::uint64_t file_bytes(const store::FileStore& store) {
  return std::min(std::max(store.file_bytes(), allocated_bytes(store)), std::uint64_t{1} << 60);
}

}  // namespace

HeapBudget::HeapBudget(const store::FileStore& store, std::uint64_t elements)
    : store_(&store),
      bytes_(spare_bytes + bytes_per_element * std::min(elements, most_elements)),
      objects_(spare_objects + objects_per_element * std::min(elements, most_elements)) {}

void HeapBudget::extend(std::uint64_t bytes) {
  if (store_ != nullptr) {
    const std::uint64_t held = file_bytes(*store_);
    bytes_ += repeats * held;
    objects_ += repeats * (held / least_object_bytes);
    store_ = nullptr;
  }
  if (bytes <= bytes_ && objects_ > 0) return;
  throw Error(
      ErrorKind::corrupt,
      "what is stored takes more bytes than the file has: too many references name the same heap object");
}

}  // namespace filigree::model
