// SPDX-License-Identifier: Apache-2.0
#include "testing/faulty_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace filigree::testing {

void FaultyFile::arm(const Fault& fault) {
  const std::lock_guard lock(mutex_);
  fault_ = fault;
  calls_ = 0;
  struck_ = false;
}

std::uint64_t FaultyFile::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

bool FaultyFile::struck() const {
  const std::lock_guard lock(mutex_);
  return struck_;
}

bool FaultyFile::fails(Kind kind) const {
  const std::lock_guard lock(mutex_);
  if (struck_ && fault_.device_dies) return true;
  const bool counts = fault_.on == Fault::On::any || (fault_.on == Fault::On::read) == (kind == Kind::read);
  if (!counts) return false;
  const bool now = !struck_ && calls_ == fault_.nth;
  ++calls_;
  struck_ = struck_ || now;
  return now;
}

void FaultyFile::fail(Kind kind) const {
  constexpr std::array<std::string_view, 4> names{"read", "write", "truncate", "sync"};
  throw Error(fault_.kind,
              fmt::format("'{}': injected fault in {}", name(), names[static_cast<std::size_t>(kind)]));
}

void FaultyFile::do_read(std::span<const io::ReadExtent> extents) const {
  if (fails(Kind::read)) fail(Kind::read);
  forward(behind(), extents);
}

void FaultyFile::do_write(std::span<const io::WriteExtent> extents) {
  if (!fails(Kind::write)) return forward(behind(), extents);
  if (fault_.tear) {
    std::size_t total = 0;
    for (const io::WriteExtent& e : extents) total += e.from.size();
    std::size_t left = total / 2;
    std::vector<io::WriteExtent> kept;
    for (const io::WriteExtent& e : extents) {
      const std::size_t bytes = std::min(left, e.from.size());
      if (bytes > 0) kept.push_back({e.offset, e.from.first(bytes)});
      left -= bytes;
    }
    forward(behind(), kept);
  }
  fail(Kind::write);
}

void FaultyFile::do_truncate(std::uint64_t bytes) {
  if (fails(Kind::truncate)) fail(Kind::truncate);
  forward_truncate(behind(), bytes);
}

void FaultyFile::do_sync() {
  if (fails(Kind::sync)) fail(Kind::sync);
  behind().sync();
}

}  // namespace filigree::testing
