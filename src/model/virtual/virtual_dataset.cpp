// SPDX-License-Identifier: Apache-2.0
#include "model/virtual/virtual_dataset.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "model/virtual/join.hpp"
#include "model/virtual/pieces.hpp"
#include "model/virtual/sources.hpp"
#include "space/point_order.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

/// Distributes a transfer to the sources.
class Distribution {
 public:
  Distribution(const Transfer& transfer, space::Side destination)
      : elements_(space::in_file_order(transfer.file_elements, transfer.memory_elements, destination)),
        join_(elements_.file, elements_.memory) {}

  const space::Selection& wanted() const { return elements_.file; }
  const VirtualJoin& join() const { return join_; }

  /// Returns the part of the transfer in a piece; empty if there is none.
  std::optional<JoinedPart> take(const SourcePiece& piece) {
    JoinedPart part = join_.part(piece.virtual_elements, piece.source_elements);
    if (part.source.elements() == 0) return std::nullopt;
    covered_.insert(covered_.end(), part.covered.begin(), part.covered.end());
    return part;
  }

  /// Returns the elements without a source, and their offsets in memory.
  JoinedPart uncovered() {
    const space::RunSet covered = space::RunSet::of_runs(std::move(covered_));
    const space::RunSet rest = combine(elements_.file.runs(), space::SetOperator::subtract, covered);
    const space::Selection open = space::Selection::of_runs(elements_.file.frame(), rest);
    return join_.part(open, open);
  }

 private:
  space::Matched elements_;
  VirtualJoin join_;
  std::vector<space::Run> covered_;
};

Transfer partial(const Transfer& whole, const JoinedPart& part, const VirtualTrail* trail) {
  return {part.source, part.memory, whole.memory_type, whole.rules, whole.on_fault, whole.memory, trail};
}

std::string source_text(const SourcePiece& piece) {
  return fmt::format("'{}' of '{}'", piece.location.path, piece.location.file->name());
}

}  // namespace

bool is_virtual(File& file, Address dataset) {
  const auto entry = store::ObjectHeader(file.store(), dataset).load();
  const auto* m = entry->find(format::MessageType::layout);
  if (m == nullptr) return false;
  const Bytes body = entry->body(*m);
  constexpr auto virtual_class = std::byte{static_cast<std::uint8_t>(format::LayoutClass::virtual_dataset)};
  return body.size() >= 2 && body[0] >= std::byte{4} && body[1] == virtual_class;
}

format::DataspaceMessage dataset_space(File& file, Address dataset, const VirtualTrail* trail) {
  const FileLock::Shared shared(file.lock());
  // A dataset whose other messages are damaged still has an extent, so they are decoded only if needed.
  auto messages = find_messages(file, dataset);
  if (!messages && !is_virtual(file, dataset)) return object_dataspace(file, dataset);
  if (!messages) messages = load_messages(file, dataset);
  const DatasetMessages& parts = *messages;
  if (!parts.is_virtual()) return parts.space;
  const auto checked = file.virtuals().mappings(file, dataset, parts);
  if (!checked->unlimited) return parts.space;
  std::uint64_t budget = most_sources;
  const VirtualTrail here = extend(trail, file, dataset, budget);
  format::DataspaceMessage space = parts.space;
  const FileLock::Unlocked unlocked(file.lock());
  space.dims = current_dims(file, dataset, parts, *checked, here);
  (void)checked_multiply(format::element_count(space), parts.type.size, "the size of the dataset");
  return space;
}

void read_virtual(File& file, Address dataset, const DatasetMessages& parts, const Transfer& transfer,
                  std::byte* memory, FunctionRef<void(const Transfer&)> read_fill) {
  std::uint64_t budget = most_sources;
  const VirtualTrail trail = extend(transfer.trail, file, dataset, budget);
  const auto checked = file.virtuals().mappings(file, dataset, parts);
  Distribution wanted(transfer, space::Side::memory);
  const auto read = [&](const SourcePiece& piece) {
    const auto part = wanted.take(piece);
    if (!part) return;
    in_context([&] { return "reading source " + source_text(piece); },
               [&] {
                 const FileLock::Shared shared(piece.location.file->lock());
                 read_elements(*piece.location.file, piece.location.header, partial(transfer, *part, &trail),
                               memory);
               });
  };
  {
    const FileLock::Unlocked unlocked(file.lock());
    for_each_piece(file, *checked, wanted.join(), trail, read);
  }
  const JoinedPart open = wanted.uncovered();
  if (open.source.elements() != 0) read_fill(partial(transfer, open, nullptr));
}

namespace {

/// Requires: the thread holds no file lock.
void write_source(const ObjectLocation& location, const Transfer& transfer, const std::byte* memory) {
  {
    const FileLock::Shared shared(location.file->lock());
    if (is_virtual(*location.file, location.header))
      return write_virtual(*location.file, location.header, *load_messages(*location.file, location.header),
                           transfer, memory);
  }
  const Change change(*location.file, "write a source of a virtual dataset");
  write_elements(*location.file, location.header, transfer, memory);
}

}  // namespace

void write_virtual(File& file, Address dataset, const DatasetMessages& parts, const Transfer& transfer,
                   const std::byte* memory) {
  std::uint64_t budget = most_sources;
  const VirtualTrail trail = extend(transfer.trail, file, dataset, budget);
  const auto checked = file.virtuals().mappings(file, dataset, parts);
  Distribution wanted(transfer, space::Side::file);
  const FileLock::Unlocked unlocked(file.lock());
  for_each_piece(file, *checked, wanted.join(), trail, [&](const SourcePiece& piece) { wanted.take(piece); });
  if (const std::uint64_t open = wanted.uncovered().source.elements(); open != 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} of the elements have no source that they could be written to", open));
  }
  // The sources are searched twice, so that not all of them have to be open at once.
  for_each_piece(file, *checked, wanted.join(), trail, [&](const SourcePiece& piece) {
    const auto part = wanted.take(piece);
    if (!part) return;
    in_context([&] { return "writing source " + source_text(piece); },
               [&] { write_source(piece.location, partial(transfer, *part, &trail), memory); });
  });
}

std::uint64_t source_file_bytes(File& file, Address dataset, const DatasetMessages& parts) {
  const auto checked = file.virtuals().mappings(file, dataset, parts);
  std::uint64_t budget = most_sources;
  const VirtualTrail trail = extend(nullptr, file, dataset, budget);
  const auto extent = space::Selection::all(space::Frame(dataset_space(file, dataset).dims));
  std::set<const File*> seen;
  std::uint64_t bytes = 0;
  const FileLock::Unlocked unlocked(file.lock());
  for_each_piece(file, *checked, VirtualJoin(extent, extent), trail, [&](const SourcePiece& piece) {
    const FileLock::Shared shared(piece.location.file->lock());
    if (seen.insert(piece.location.file.get()).second)
      bytes = try_add(bytes, piece.location.file->store().file_bytes()).value_or(~std::uint64_t{0});
  });
  return bytes;
}

}  // namespace filigree::model
