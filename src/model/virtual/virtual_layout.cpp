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
#include "model/virtual/distribution.hpp"
#include "model/virtual/mappings.hpp"
#include "model/virtual/pieces.hpp"
#include "model/virtual/sources.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::model {
namespace {

/// The first version of the layout message that supports virtual datasets.
constexpr std::uint8_t first_virtual_layout = 4;

std::string source_text(const SourcePiece& piece) {
  return fmt::format("'{}' of '{}'", piece.location.path, piece.location.file->name());
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
  read_bytes(dataset, transfer.with(open.source, open.memory), conversion, *fill, memory);
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
  bool has_sources() const override { return true; }
  ParallelWrite parallel_write(const DatasetMessages&) const override {
    return {ParallelWrite::Form::refused, "a virtual dataset"};
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
  Distribution wanted(dataset, transfer, space::Side::memory);
  const auto read_piece = [&](const SourcePiece& piece) {
    const auto part = wanted.take(piece);
    if (!part) return;
    in_context([&] { return "reading source " + source_text(piece); },
               [&] {
                 const FileLock::Shared shared(piece.location.file->lock());
                 Dataset(*piece.location.file, piece.location.header).read(wanted.partial(*part), memory);
               });
  };
  {
    const FileLock::Unlocked unlocked(dataset.file().lock());
    wanted.for_each(read_piece);
  }
  fill_uncovered(dataset, wanted, transfer, conversion, memory);
}

bool VirtualLayout::plan_sources(const Dataset& dataset, const Transfer& transfer,
                                 const type::ConversionPointer& conversion, std::byte* memory,
                                 FunctionRef<void(const SourcePart&)> visit) const {
  Distribution wanted(dataset, transfer, space::Side::memory);
  {
    const FileLock::Unlocked unlocked(dataset.file().lock());
    SourcePieces found = find_sources(wanted);
    if (wanted.has_overlaps()) keep_last_sources(found, wanted.join());
    divide(found, wanted, visit, [&](const Dataset& nested, const Transfer& part) {
      if (!nested.plan_sources(part, memory, visit)) nested.read(part, memory);
    });
  }
  fill_uncovered(dataset, wanted, transfer, conversion, memory);
  return true;
}

bool VirtualLayout::plan_written_sources(const Dataset& dataset, const Transfer& transfer,
                                         FunctionRef<void(const SourcePart&)> visit) const {
  Distribution wanted(dataset, transfer, space::Side::file);
  const FileLock::Unlocked unlocked(dataset.file().lock());
  const SourcePieces found = find_sources(wanted);
  wanted.require_single_sources();
  divide(found, wanted, visit,
         [&](const Dataset& nested, const Transfer& part) { nested.plan_written_sources(part, visit); });
  return true;
}

bool VirtualLayout::write_shared(const Dataset& dataset, const Transfer& transfer,
                                 const type::ConversionPointer&, const std::byte* memory) const {
  Distribution wanted(dataset, transfer, space::Side::file);
  const FileLock::Unlocked unlocked(dataset.file().lock());
  wanted.for_each([&](const SourcePiece& piece) { wanted.take(piece); });
  wanted.require_single_sources();
  // The sources are searched twice, so that not all of them have to be open at once.
  wanted.for_each([&](const SourcePiece& piece) {
    const auto part = wanted.take(piece);
    if (!part) return;
    in_context([&] { return "writing source " + source_text(piece); },
               [&] { write_source(piece.location, wanted.partial(*part), memory); });
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
