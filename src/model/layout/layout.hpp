// SPDX-License-Identifier: Apache-2.0
//
// The layouts of datasets: how elements are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <filigree/object.hpp>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/fill_value.hpp"
#include "format/messages/layout.hpp"
#include "io/selection_batch.hpp"
#include "model/dataset/transfer.hpp"
#include "type/conversion.hpp"

namespace filigree::chunk {
class ChunkTable;
}

namespace filigree::model {

class Dataset;
class File;
class MergedElements;
class SparseOperations;
struct DatasetMessages;
struct NewDataset;
struct PlannedWrite;
struct SourcePart;
struct VirtualTrail;

/// How elements are written in a file that several processes use together.
struct ParallelWrite {
  enum class Form : std::uint8_t {
    in_place,  ///< into space that the dataset has already, by each member for itself
    gathered,  ///< by all members together, because metadata or sizes of chunks change
    refused,
  };
  Form form = Form::refused;
  const char* dataset = "a dataset of this layout";  ///< in messages
};

/// Elements that are one sequence of bytes.
struct StoredElements {
  Address address = Address::undefined;  ///< of a block of the file
  Bytes in_header;                       ///< without an address: the bytes, which the messages hold
};

/// One way to store the elements of a dataset. There is one object per layout, without state: everything
/// about a dataset is in its messages.
///
/// A new layout is a class and a row in layout.cpp. The defaults of the functions suit a layout that
/// allocates nothing, has a fixed extent and keeps its data in one place.
/// Requires: the file lock, in shared mode to read and in exclusive mode, within a Change, to modify.
/// Thread safety: any number of threads may call all functions.
class Layout {
 public:
  virtual ~Layout() = default;

  // Creation, in this order.

  /// Checks the creation options. `bytes` is the size of all elements.
  /// Throws: Error(invalid_argument, limit or unsupported) for a dataset that cannot be created.
  virtual void check_new(File& file, const NewDataset& made, std::uint64_t bytes) const = 0;
  /// Returns the allocation time of datasets that do not set one.
  virtual format::AllocationTime usual_allocation() const { return format::AllocationTime::incremental; }
  /// Completes the messages of a new dataset: layout message and filters.
  virtual void describe_new(File&, const NewDataset&, DatasetMessages&) const {}
  /// Allocates what the layout message refers to, before the message is stored.
  virtual void allocate_new(File&, const NewDataset&, DatasetMessages&) const {}
  /// Returns whether the layout message of a new dataset never changes.
  virtual bool is_constant(const DatasetMessages&) const { return false; }
  /// Allocates all storage of a dataset with early allocation, after its messages are stored.
  virtual void allocate_early(const Dataset&) const {}
  /// Returns whether the dataset is made of other datasets, which only such a layout may name.
  virtual bool has_sources() const { return false; }

  // Messages.

  /// Decodes the filters into `messages`.
  virtual void load_filters(File&, Address, DatasetMessages&) const {}
  /// Throws: Error(corrupt) if the messages contradict each other.
  virtual void check(const DatasetMessages&, Address) const {}

  // Elements.

  /// Returns the current extent if it is not that of the messages.
  virtual std::optional<format::DataspaceMessage> current_extent(const Dataset&, const VirtualTrail*) const {
    return std::nullopt;
  }
  /// Returns whether transfers use an extent that differs from that of the messages.
  virtual bool computes_extent() const { return false; }
  /// Reads elements. Requires: at least one element is selected.
  virtual void read(const Dataset& dataset, const Transfer& transfer,
                    const type::ConversionPointer& conversion, std::byte* memory) const = 0;
  /// Writes elements. Requires: at least one element is selected.
  virtual void write(const Dataset& dataset, const Transfer& transfer,
                     const type::ConversionPointer& conversion, const std::byte* memory) const = 0;
  /// Returns whether a transfer of this single dataset is planned if the driver accepts selections: elements
  /// are stored as they are in memory.
  virtual bool sends_selections(const Dataset&) const { return false; }
  /// Adds a read to a request of selections instead of reading. Elements that need no driver are copied at
  /// once. Returns false, having done nothing, if read() has to do it.
  /// Requires: memory and callbacks of the transfer live until the batch is sent.
  virtual bool plan_read(const Dataset&, const Transfer&, const type::ConversionPointer&, std::byte*,
                         io::SelectionReads&) const {
    return false;
  }
  /// The same for a write.
  virtual bool plan_write(const Dataset&, const Transfer&, const type::ConversionPointer&, const std::byte*,
                          io::SelectionWrites&) const {
    return false;
  }
  /// Adds what plan_write() would have to read first to a request, which is sent before plan_write() is
  /// called. A layout may do nothing: then plan_write() reads by itself.
  virtual void plan_read_before_write(const Dataset&, const Transfer&, const type::ConversionPointer&,
                                      io::SelectionReads&) const {}
  /// Merges writes with stored elements in memory. Null if plan_write() has to do it, because chunks are
  /// merged in their cache, or if the elements take more than `most_bytes`.
  /// Requires: at least one write; what they refer to lives until they are sent.
  virtual std::shared_ptr<MergedElements> merge_writes(const Dataset&, std::vector<PlannedWrite>,
                                                       std::uint64_t /*most_bytes*/) const {
    return nullptr;
  }
  /// Divides a read of a virtual dataset into reads of its sources, and calls `visit` for each of them
  /// instead of reading. Elements without a source are filled at once. The file lock is released meanwhile.
  /// Returns false, having done nothing, if read() has to do it.
  virtual bool plan_sources(const Dataset&, const Transfer&, const type::ConversionPointer&, std::byte*,
                            FunctionRef<void(const SourcePart&)>) const {
    return false;
  }
  /// Divides a write of a virtual dataset in the same way, instead of writing. Returns false for other
  /// datasets. Throws: as write_shared().
  virtual bool plan_written_sources(const Dataset&, const Transfer&,
                                    FunctionRef<void(const SourcePart&)>) const {
    return false;
  }
  /// Writes elements for a caller that shares the file lock; see Dataset::write_shared().
  virtual bool write_shared(const Dataset&, const Transfer&, const type::ConversionPointer&,
                            const std::byte*) const {
    return false;
  }
  /// Returns whether elements must be written with write_shared(), because other files are locked meanwhile.
  virtual bool writes_other_files() const { return false; }
  /// Returns the elements if they are stored as one sequence of bytes, without external files.
  virtual std::optional<StoredElements> stored_elements(const DatasetMessages&) const { return std::nullopt; }
  /// Returns whether the elements are one block of the file, whether it is allocated or not.
  virtual bool is_one_block() const { return false; }
  /// Throws: Error if the dataset cannot contain so many elements; see Dataset::require_data().
  virtual void require_data(const Dataset& dataset, std::uint64_t elements, std::uint64_t memory_bytes) const;
  /// Changes the dimensions. The default refuses.
  virtual void resize(const Dataset& dataset, const std::vector<std::uint64_t>& dims) const;
  /// Rewrites the layout message, and the index if there is one, in the form of HDF5 1.8. The default changes
  /// the version of the message alone. Throws: Error(unsupported) if there is no such form.
  virtual void downgrade(const Dataset& dataset) const;
  /// Returns whether downgrade() would change the dataset.
  virtual bool has_newer_form(const format::LayoutMessage& layout) const;
  /// Returns the size of the stored elements.
  virtual std::uint64_t stored_bytes(const Dataset&) const { return 0; }
  /// Returns the sizes of structures that only this layout has.
  virtual MetadataBytes metadata_bytes(const Dataset&) const { return {}; }

  // Files that several processes use together.

  /// Returns how elements are written.
  virtual ParallelWrite parallel_write(const DatasetMessages&) const { return {}; }
  /// Returns whether a new dataset gets its space at its creation, so that members can write in place.
  virtual bool wants_early_space(const NewDataset&) const { return false; }
  /// Allocates what a dataset that is written in place has not yet, with fill values.
  virtual void allocate_all(const Dataset&) const {}
  /// Returns whether elements of a huge extent can be read, because no cache keeps what others may write.
  virtual bool reads_huge_in_parallel() const { return true; }

  // Capabilities.

  /// Returns the table of the dataset's chunks.
  /// Throws: Error(invalid_argument) if the dataset is not chunked.
  virtual std::shared_ptr<chunk::ChunkTable> open_chunks(const Dataset& dataset) const;
  /// Returns whether chunks have sections with filter pipelines of their own, instead of one for the chunk.
  virtual bool has_sections() const { return false; }
  /// Returns the operations of sparse datasets; null for other datasets.
  virtual const SparseOperations* sparse() const { return nullptr; }

  // Copies and deletion.

  /// Copies the elements to another file and returns the layout message of the copy.
  virtual format::LayoutMessage copy_to(const Dataset& dataset, File& to) const;
  /// Frees what the layout message of a new dataset or of a copy refers to, before a header has it.
  virtual void discard(File&, const DatasetMessages&, const format::LayoutMessage&) const {}
  /// Calls `use` with stored elements that may refer to the global heap, in parts of complete elements.
  virtual void for_each_value(const Dataset&, FunctionRef<void(Bytes)>) const {}
  /// Frees the heap values of stored elements.
  virtual void release_values(const Dataset& dataset, Bytes elements) const;
  /// Frees the storage of a dataset that is deleted. Other messages may be damaged.
  virtual void free(const Dataset&, const format::LayoutMessage&) const {}
};

/// Returns the layout of a dataset.
const Layout& layout_of(const DatasetMessages& messages);
const Layout& layout_of(const NewDataset& made);
/// Returns the layout for a layout message alone.
const Layout& layout_of(const format::LayoutMessage& layout);

/// The layouts, one object each.
const Layout& compact_layout();
const Layout& contiguous_layout();
const Layout& external_layout();
const Layout& chunked_layout();
const Layout& structured_layout();
const Layout& sparse_layout();
const Layout& portable_layout();
const Layout& virtual_layout();

}  // namespace filigree::model
