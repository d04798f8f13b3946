// SPDX-License-Identifier: Apache-2.0
#include "model/virtual/distribution.hpp"

#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/file_lock.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/virtual/sources.hpp"
#include "space/shape.hpp"

namespace filigree::model {

std::shared_ptr<const CheckedMappings> mappings_of(const Dataset& dataset) {
  return dataset.file().virtuals().mappings(dataset.file(), dataset.header(), dataset.messages());
}

Distribution::Distribution(const Dataset& dataset, const Transfer& transfer, space::Side destination)
    : file_(dataset.file()),
      transfer_(transfer),
      trail_(extend(transfer.trail, file_, dataset.header(), budget_)),
      checked_(mappings_of(dataset)),
      elements_(space::in_file_order(transfer.file_elements, transfer.memory_elements, destination)),
      join_(elements_.file, elements_.memory) {}

void Distribution::for_each(FunctionRef<void(const SourcePiece&)> visit) const {
  for_each_piece(file_, *checked_, join_, trail_, visit);
}

std::optional<JoinedPart> Distribution::take(const SourcePiece& piece) {
  JoinedPart part = join_.part(piece.virtual_elements, piece.source_elements);
  if (part.source.elements() == 0) return std::nullopt;
  covered_.insert(covered_.end(), part.covered.begin(), part.covered.end());
  taken_ += part.source.elements();
  return part;
}

Transfer Distribution::partial(const JoinedPart& part) const {
  Transfer made = transfer_.with(part.source, part.memory);
  made.trail = &trail_;
  return made;
}

JoinedPart Distribution::uncovered() const {
  const space::RunSet covered = space::RunSet::of_runs(covered_);
  const space::RunSet rest = combine(elements_.file.runs(), space::SetOperator::subtract, covered);
  const space::Selection open = space::Selection::of_runs(elements_.file.frame(), rest);
  return join_.part(open, open);
}

void Distribution::require_single_sources() const {
  if (const std::uint64_t open = uncovered().source.elements(); open != 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} of the elements have no source that they could be written to", open));
  }
  if (has_overlaps())
    throw Error(ErrorKind::invalid_argument,
                "some of the elements have several sources: write those directly");
}

SourcePieces find_sources(Distribution& wanted) {
  SourcePieces found;
  wanted.for_each([&](const SourcePiece& piece) {
    if (auto part = wanted.take(piece)) {
      found.pieces.push_back(piece);
      found.parts.push_back(*std::move(part));
    }
  });
  return found;
}

void keep_last_sources(SourcePieces& found, const VirtualJoin& join) {
  space::RunSet later;
  for (std::size_t i = found.parts.size(); i-- > 0;) {
    JoinedPart& part = found.parts[i];
    const space::RunSet covered = space::RunSet::of_runs(part.covered);
    const space::RunSet rest = combine(covered, space::SetOperator::subtract, later);
    if (!(rest == covered)) {
      const SourcePiece& piece = found.pieces[i];
      const auto kept = space::Selection::of_runs(piece.virtual_elements.frame(), rest);
      part = join.part(space::combine(piece.virtual_elements, space::SetOperator::intersect, kept),
                       space::project_intersection(piece.virtual_elements, piece.source_elements, kept));
    }
    later = combine(later, space::SetOperator::unite, covered);
  }
}

void divide(const SourcePieces& found, const Distribution& wanted, FunctionRef<void(const SourcePart&)> visit,
            FunctionRef<void(const Dataset&, const Transfer&)> visit_virtual) {
  for (std::size_t i = 0; i < found.parts.size(); ++i) {
    const ObjectLocation& location = found.pieces[i].location;
    const JoinedPart& part = found.parts[i];
    if (part.source.elements() == 0) continue;
    const FileLock::Shared shared(location.file->lock());
    if (!has_virtual_layout(*location.file, location.header)) {
      visit({location, part.source, part.memory});
    } else {
      visit_virtual(Dataset(*location.file, location.header), wanted.partial(part));
    }
  }
}

}  // namespace filigree::model
