// SPDX-License-Identifier: Apache-2.0
//
// Transfers of virtual datasets. The file lock is released while sources are read and written: other files
// have locks of their own, and may have virtual datasets whose sources are in this file.
#include "model/virtual/virtual_layout.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "base/immortal.hpp"
#include "model/dataset/check.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/layout/byte_transfer.hpp"
#include "model/layout/data_bytes.hpp"
#include "model/layout/layout.hpp"
#include "model/layout/new_extent.hpp"
#include "model/layout/plausible_bytes.hpp"
#include "model/virtual/join.hpp"
#include "model/virtual/mappings.hpp"
#include "model/virtual/pieces.hpp"
#include "model/virtual/sources.hpp"
#include "space/point_order.hpp"
#include "space/shape.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {
namespace {

/// The first version of the layout message that supports virtual datasets.
constexpr std::uint8_t first_virtual_layout = 4;

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
    taken_ += part.source.elements();
    return part;
  }

  /// Whether mappings overlap in the transfer.
  bool has_overlaps() const { return taken_ > elements_.file.elements(); }

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
  std::uint64_t taken_ = 0;
};

Transfer partial(const Transfer& whole, const JoinedPart& part, const VirtualTrail* trail) {
  Transfer made = whole.with(part.source, part.memory);
  made.trail = trail;
  return made;
}

std::string source_text(const SourcePiece& piece) {
  return fmt::format("'{}' of '{}'", piece.location.path, piece.location.file->name());
}

std::shared_ptr<const CheckedMappings> mappings_of(const Dataset& dataset) {
  return dataset.file().virtuals().mappings(dataset.file(), dataset.header(), dataset.messages());
}

/// Requires: the thread holds no file lock.
void write_source(const ObjectLocation& location, const Transfer& transfer, const std::byte* memory) {
  {
    const FileLock::Shared shared(location.file->lock());
    const Dataset source(*location.file, location.header);
    if (has_virtual_layout(*location.file, location.header)) {
      source.write_shared(transfer, memory);
      return;
    }
  }
  const Change change(*location.file, "write a source of a virtual dataset");
  Dataset(*location.file, location.header).write(transfer, memory);
}

/// Gives elements without a source the fill value.
void fill_uncovered(const Dataset& dataset, Distribution& wanted, const Transfer& transfer,
                    const type::ConversionPointer& conversion, std::byte* memory) {
  const JoinedPart open = wanted.uncovered();
  if (open.source.elements() == 0) return;
  const auto fill = make_fill_bytes(dataset.messages());
  read_bytes(dataset, partial(transfer, open, nullptr), conversion, *fill, memory);
}

/// The sources of a transfer, in the order of the mappings.
struct FoundSources {
  std::vector<SourcePiece> pieces{};
  std::vector<JoinedPart> parts{};  ///< of the pieces, equally many
};

/// Requires: the thread holds no file lock.
FoundSources find_sources(const Dataset& dataset, const CheckedMappings& checked, Distribution& wanted,
                          const VirtualTrail& trail) {
  FoundSources found;
  for_each_piece(dataset.file(), checked, wanted.join(), trail, [&](const SourcePiece& piece) {
    if (auto part = wanted.take(piece)) {
      found.pieces.push_back(piece);
      found.parts.push_back(*std::move(part));
    }
  });
  return found;
}

/// Takes elements with several sources from the last of them only, as if sources were read in their order.
void keep_last_sources(FoundSources& found, const VirtualJoin& join) {
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

/// A writable virtual dataset has one source for each element.
void require_single_sources(Distribution& wanted) {
  if (const std::uint64_t open = wanted.uncovered().source.elements(); open != 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} of the elements have no source that they could be written to", open));
  }
  if (wanted.has_overlaps())
    throw Error(ErrorKind::invalid_argument,
                "some of the elements have several sources: write those directly");
}

/// Calls `visit_virtual` for those sources that are virtual themselves, with the transfer of the part, and
/// `visit` for all others. Requires: the thread holds no file lock.
void divide(const FoundSources& found, const Transfer& transfer, const VirtualTrail& trail,
            FunctionRef<void(const SourcePart&)> visit,
            FunctionRef<void(const Dataset&, const Transfer&)> visit_virtual) {
  for (std::size_t i = 0; i < found.parts.size(); ++i) {
    const ObjectLocation& location = found.pieces[i].location;
    const JoinedPart& part = found.parts[i];
    if (part.source.elements() == 0) continue;
    const FileLock::Shared shared(location.file->lock());
    if (!has_virtual_layout(*location.file, location.header)) {
      visit({location, part.source, part.memory});
    } else {
      visit_virtual(Dataset(*location.file, location.header), partial(transfer, part, &trail));
    }
  }
}

/// Elements that are elements of other datasets.
class VirtualLayout final : public Layout {
 public:
  void check_new(File& file, const NewDataset& made, std::uint64_t bytes) const override;
  void describe_new(File&, const NewDataset&, DatasetMessages& messages) const override {
    messages.layout.version = std::max(messages.layout.version, first_virtual_layout);
  }
  void allocate_new(File& file, const NewDataset& made, DatasetMessages& messages) const override {
    store_mappings(file, made.sources, messages.layout);
  }
  bool computes_extent() const override { return true; }
  /// HDF5 1.8 has no virtual datasets.
  bool has_newer_form(const format::LayoutMessage&) const override { return false; }
  std::optional<format::DataspaceMessage> current_extent(const Dataset& dataset,
                                                         const VirtualTrail* trail) const override;
  /// Elements without a source get the fill value.
  /// Requires: `transfer` was made for the extent that Dataset::extent() returned.
  void read(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
            std::byte* memory) const override;
  bool plan_sources(const Dataset& dataset, const Transfer& transfer,
                    const type::ConversionPointer& conversion, std::byte* memory,
                    FunctionRef<void(const SourcePart&)> visit) const override;
  bool plan_written_sources(const Dataset& dataset, const Transfer& transfer,
                            FunctionRef<void(const SourcePart&)> visit) const override;
  void write(const Dataset&, const Transfer&, const type::ConversionPointer&,
             const std::byte*) const override {
    throw Error(ErrorKind::internal, "a virtual dataset is written under the exclusive lock");
  }
  /// Throws: Error(invalid_argument) if an element has no source or several; nothing is written then.
  bool write_shared(const Dataset& dataset, const Transfer& transfer,
                    const type::ConversionPointer& conversion, const std::byte* memory) const override;
  bool writes_other_files() const override { return true; }
  void require_data(const Dataset& dataset, std::uint64_t elements,
                    std::uint64_t memory_bytes) const override;
  void resize(const Dataset& dataset, const std::vector<std::uint64_t>& dims) const override;
  MetadataBytes metadata_bytes(const Dataset& dataset) const override;
  format::LayoutMessage copy_to(const Dataset& dataset, File& to) const override {
    format::LayoutMessage layout = dataset.messages().layout;
    copy_mappings(dataset.file(), to, layout);
    return layout;
  }
  void discard(File& file, const DatasetMessages&, const format::LayoutMessage& layout) const override {
    if (is_valid(layout.address)) file.global_heap().remove({layout.address, layout.heap_index});
  }
  void free(const Dataset& dataset, const format::LayoutMessage& layout) const override {
    dataset.file().virtuals().forget(dataset.header());
    if (is_valid(layout.address)) dataset.file().global_heap().remove({layout.address, layout.heap_index});
  }
};

void VirtualLayout::check_new(File& file, const NewDataset& made, std::uint64_t) const {
  require(file.formats().bounds.high >= Version::v1_10,
          "virtual datasets came with release 1.10, which is beyond the file's version bounds");
  require(made.space.kind != format::DataspaceKind::null, "a virtual dataset needs an extent");
  const CheckedMappings checked = check_mappings(made.sources, made.space.dims);
  for (std::size_t d = 0; d < made.space.dims.size(); ++d) {
    if (checked.least_dims[d] > made.space.dims[d]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("mappings reach {} in dimension {}, where the dataset has {} elements",
                              checked.least_dims[d], d, made.space.dims[d]));
    }
  }
}

std::optional<format::DataspaceMessage> VirtualLayout::current_extent(const Dataset& dataset,
                                                                      const VirtualTrail* trail) const {
  const DatasetMessages& messages = dataset.messages();
  const auto checked = mappings_of(dataset);
  if (!checked->unlimited) return std::nullopt;
  File& file = dataset.file();
  std::uint64_t budget = most_sources;
  const VirtualTrail here = extend(trail, file, dataset.header(), budget);
  format::DataspaceMessage space = messages.space;
  const FileLock::Unlocked unlocked(file.lock());
  space.dims = current_dims(file, dataset.header(), messages, *checked, here);
  (void)format::element_count(space);  // throws for more elements than there are numbers
  return space;
}

void VirtualLayout::read(const Dataset& dataset, const Transfer& transfer,
                         const type::ConversionPointer& conversion, std::byte* memory) const {
  File& file = dataset.file();
  std::uint64_t budget = most_sources;
  const VirtualTrail trail = extend(transfer.trail, file, dataset.header(), budget);
  const auto checked = mappings_of(dataset);
  Distribution wanted(transfer, space::Side::memory);
  const auto read_piece = [&](const SourcePiece& piece) {
    const auto part = wanted.take(piece);
    if (!part) return;
    in_context(
        [&] { return "reading source " + source_text(piece); },
        [&] {
          const FileLock::Shared shared(piece.location.file->lock());
          Dataset(*piece.location.file, piece.location.header).read(partial(transfer, *part, &trail), memory);
        });
  };
  {
    const FileLock::Unlocked unlocked(file.lock());
    for_each_piece(file, *checked, wanted.join(), trail, read_piece);
  }
  fill_uncovered(dataset, wanted, transfer, conversion, memory);
}

bool VirtualLayout::plan_sources(const Dataset& dataset, const Transfer& transfer,
                                 const type::ConversionPointer& conversion, std::byte* memory,
                                 FunctionRef<void(const SourcePart&)> visit) const {
  File& file = dataset.file();
  std::uint64_t budget = most_sources;
  const VirtualTrail trail = extend(transfer.trail, file, dataset.header(), budget);
  const auto checked = mappings_of(dataset);
  Distribution wanted(transfer, space::Side::memory);
  {
    const FileLock::Unlocked unlocked(file.lock());
    FoundSources found = find_sources(dataset, *checked, wanted, trail);
    if (wanted.has_overlaps()) keep_last_sources(found, wanted.join());
    divide(found, transfer, trail, visit, [&](const Dataset& nested, const Transfer& part) {
      if (!nested.plan_sources(part, memory, visit)) nested.read(part, memory);
    });
  }
  fill_uncovered(dataset, wanted, transfer, conversion, memory);
  return true;
}

bool VirtualLayout::plan_written_sources(const Dataset& dataset, const Transfer& transfer,
                                         FunctionRef<void(const SourcePart&)> visit) const {
  File& file = dataset.file();
  std::uint64_t budget = most_sources;
  const VirtualTrail trail = extend(transfer.trail, file, dataset.header(), budget);
  const auto checked = mappings_of(dataset);
  Distribution wanted(transfer, space::Side::file);
  const FileLock::Unlocked unlocked(file.lock());
  const FoundSources found = find_sources(dataset, *checked, wanted, trail);
  require_single_sources(wanted);
  divide(found, transfer, trail, visit,
         [&](const Dataset& nested, const Transfer& part) { nested.plan_written_sources(part, visit); });
  return true;
}

bool VirtualLayout::write_shared(const Dataset& dataset, const Transfer& transfer,
                                 const type::ConversionPointer&, const std::byte* memory) const {
  File& file = dataset.file();
  std::uint64_t budget = most_sources;
  const VirtualTrail trail = extend(transfer.trail, file, dataset.header(), budget);
  const auto checked = mappings_of(dataset);
  Distribution wanted(transfer, space::Side::file);
  const FileLock::Unlocked unlocked(file.lock());
  for_each_piece(file, *checked, wanted.join(), trail, [&](const SourcePiece& piece) { wanted.take(piece); });
  require_single_sources(wanted);
  // The sources are searched twice, so that not all of them have to be open at once.
  for_each_piece(file, *checked, wanted.join(), trail, [&](const SourcePiece& piece) {
    const auto part = wanted.take(piece);
    if (!part) return;
    in_context([&] { return "writing source " + source_text(piece); },
               [&] { write_source(piece.location, partial(transfer, *part, &trail), memory); });
  });
  return true;
}

/// Returns the size of all existing source files.
std::uint64_t source_file_bytes(const Dataset& dataset) {
  File& file = dataset.file();
  const auto checked = mappings_of(dataset);
  std::uint64_t budget = most_sources;
  const VirtualTrail trail = extend(nullptr, file, dataset.header(), budget);
  const auto extent = space::Selection::all(space::Frame(dataset.extent().dims));
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

void VirtualLayout::require_data(const Dataset& dataset, std::uint64_t elements,
                                 std::uint64_t memory_bytes) const {
  const std::uint64_t wanted = wanted_bytes(dataset, elements, memory_bytes);
  if (wanted <= most_unwritten_bytes) return;
  const auto plausible = try_add(unfiltered_bytes(source_file_bytes(dataset)), most_unwritten_bytes);
  require_plausible(wanted, plausible.value_or(~std::uint64_t{0}));
}

void VirtualLayout::resize(const Dataset& dataset, const std::vector<std::uint64_t>& dims) const {
  const format::DataspaceMessage space = make_new_extent(dataset, dims);
  const auto checked = mappings_of(dataset);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < checked->least_dims[i]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("dimension {} cannot become {}: mappings of the virtual dataset need {}", i,
                              dims[i], checked->least_dims[i]));
    }
  }
  store_extent(dataset, space);
}

MetadataBytes VirtualLayout::metadata_bytes(const Dataset& dataset) const {
  const format::LayoutMessage& layout = dataset.messages().layout;
  MetadataBytes bytes;
  if (is_valid(layout.address))
    bytes.heap = dataset.file().global_heap().get(layout.address, layout.heap_index).size();
  return bytes;
}

}  // namespace

const Layout& virtual_layout() {
  static const Immortal<VirtualLayout> layout;
  return *layout;
}

bool has_virtual_layout(File& file, Address header) {
  const auto entry = store::ObjectHeader(file.store(), header).load();
  const auto* m = entry->find(format::MessageType::layout);
  if (m == nullptr) return false;
  const Bytes body = entry->body(*m);
  constexpr auto virtual_class = std::byte{static_cast<std::uint8_t>(format::LayoutClass::virtual_dataset)};
  return body.size() >= 2 && body[0] >= std::byte{4} && body[1] == virtual_class;
}

}  // namespace filigree::model
