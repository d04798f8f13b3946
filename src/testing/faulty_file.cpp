// SPDX-License-Identifier: Apache-2.0
#include "testing/faulty_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
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

template <class Extent>
std::vector<Extent> FaultyFile::first_half(std::span<const Extent> extents) {
  std::size_t total = 0;
  for (const Extent& e : extents) total += e.memory().size();
  std::size_t left = total / 2;
  std::vector<Extent> kept;
  for (const Extent& e : extents) {
    const std::size_t bytes = std::min(left, e.memory().size());
    if (bytes > 0) kept.push_back(io::part_of(e, 0, bytes));
    left -= bytes;
  }
  return kept;
}

void FaultyFile::do_read(std::span<const io::ReadExtent> extents) const {
  if (!fails(Kind::read)) return forward(std::as_const(wrapped()), extents);
  if (fault_.short_read) forward(std::as_const(wrapped()), first_half(extents));
  fail(Kind::read);
}

void FaultyFile::do_write(std::span<const io::WriteExtent> extents) {
  if (!fails(Kind::write)) return forward(wrapped(), extents);
  if (fault_.tear) forward(wrapped(), first_half(extents));
  if (fault_.scatter) {
    constexpr std::size_t sector = 512;
    std::vector<io::WriteExtent> kept;
    for (const io::WriteExtent& e : extents) {
      for (std::size_t at = 0; at < e.from.size(); at += 2 * sector)
        kept.push_back(io::part_of(e, at, std::min(sector, e.from.size() - at)));
    }
    forward(wrapped(), kept);
  }
  fail(Kind::write);
}

void FaultyFile::do_truncate(std::uint64_t bytes) {
  if (fails(Kind::truncate)) fail(Kind::truncate);
  forward_truncate(wrapped(), bytes);
}

void FaultyFile::do_sync() {
  if (fails(Kind::sync)) fail(Kind::sync);
  wrapped().sync();
}

}  // namespace filigree::testing
