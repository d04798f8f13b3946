// SPDX-License-Identifier: Apache-2.0
//
// Collective requests. What fails on one member before its driver is asked must not keep the others waiting
// in theirs: the member takes part with an empty list, and all agree on the failure afterwards.
#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "base/agreement.hpp"
#include "io/selection.hpp"
#include "io/virtual_file.hpp"

namespace filigree::io {
namespace {

/// The extents that selections are expanded to at a time, on each member.
constexpr std::size_t round_extents = std::size_t{1} << 18;

/// Sorted, without empty ones. Returns false if some overlap.
template <class Extent>
bool prepare(std::span<const Extent> extents, std::vector<Extent>& prepared) {
  std::ranges::copy_if(extents, std::back_inserter(prepared),
                       [](const Extent& e) { return !e.memory().empty(); });
  std::ranges::stable_sort(prepared, {}, &Extent::offset);
  for (std::size_t i = 1; i < prepared.size(); ++i)
    if (prepared[i].offset < prepared[i - 1].offset + prepared[i - 1].memory().size()) return false;
  return true;
}

/// `check` and `alone` are the steps of an independent request; `together` asks the driver.
template <class Extent, class Check, class Together, class Alone>
void request(Communicator& members, std::span<const Extent> extents, Check check, Together together,
             Alone alone) {
  std::exception_ptr failure;
  std::vector<Extent> prepared;
  bool separate = true;  // whether the extents are
  try {
    check();
    separate = prepare(extents, prepared);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure != nullptr || !separate) prepared.clear();
  bool done = false;
  try {
    done = together(std::span<const Extent>(prepared));
  } catch (...) {
    if (failure == nullptr) failure = std::current_exception();
  }
  try {
    if (failure == nullptr && (!done || !separate)) alone();
  } catch (...) {
    failure = std::current_exception();
  }
  agree_on_failure(members, failure);
}

/// Expands selections in rounds that all members take part in, until none has anything left.
template <class Piece, class Transfer>
void in_rounds(Communicator& members, std::span<const Piece> pieces, MemoryType type, Transfer transfer) {
  std::optional<SelectionWalk<Piece>> walk;
  std::vector<typename SelectionWalk<Piece>::Extent> extents;
  for (;;) {
    std::exception_ptr failure;
    bool more = false;
    try {
      if (!walk) walk.emplace(pieces, type);
      more = walk->next(extents, round_extents);
    } catch (...) {
      failure = std::current_exception();
    }
    agree_on_failure(members, failure);
    std::uint64_t any = more;
    members.all_reduce(std::span(&any, 1), Reduction::max);
    if (any == 0) return;
    transfer(std::span<const typename SelectionWalk<Piece>::Extent>(extents));
  }
}

}  // namespace

void VirtualFile::read_collective(std::span<const ReadExtent> extents) const {
  const auto members = communicator();
  if (members == nullptr) return read(extents);
  request(
      *members, extents, [&] { check(extents); }, [&](auto prepared) { return do_read_collective(prepared); },
      [&] { read(extents); });
}

void VirtualFile::write_collective(std::span<const WriteExtent> extents) {
  const auto members = communicator();
  if (members == nullptr) return write(extents);
  request(
      *members, extents, [&] { check(extents); },
      [&](auto prepared) { return do_write_collective(prepared); }, [&] { write(extents); });
}

void VirtualFile::read_selections_collective(std::span<const SelectionRead> pieces, MemoryType type) const {
  const auto members = communicator();
  if (members == nullptr) return read_selections(pieces, type);
  if (capabilities().selections) {
    std::exception_ptr failure;
    bool done = true;
    try {
      done = do_read_selections_collective(pieces, type);
    } catch (...) {
      failure = std::current_exception();
    }
    agree_on_failure(*members, failure);
    if (done) return;
  }
  in_rounds(*members, pieces, type, [&](auto extents) { read_collective(extents); });
}

void VirtualFile::write_selections_collective(std::span<const SelectionWrite> pieces, MemoryType type) {
  const auto members = communicator();
  if (members == nullptr) return write_selections(pieces, type);
  if (capabilities().selections) {
    std::exception_ptr failure;
    bool done = true;
    try {
      require_writable();
      done = do_write_selections_collective(pieces, type);
    } catch (...) {
      failure = std::current_exception();
    }
    agree_on_failure(*members, failure);
    if (done) return;
  }
  in_rounds(*members, pieces, type, [&](auto extents) { write_collective(extents); });
}

}  // namespace filigree::io
