// SPDX-License-Identifier: Apache-2.0
//
// A dataset: its file, its header with the decoded messages, and the operations of its layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <filigree/object.hpp>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "chunk/sparse/offset_reader.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/datatype.hpp"
#include "io/selection_batch.hpp"
#include "model/dataset/messages.hpp"
#include "model/dataset/transfer.hpp"
#include "space/selection.hpp"

namespace filigree::space {
class Excerpt;
}

namespace filigree::model {

class File;
class Layout;
struct SourcePart;
struct VirtualTrail;

using chunk::OffsetBuffers;

/// A dataset for the time of one call. The messages are looked up at their first use and kept from then on.
///
/// The layout of the dataset decides how elements are stored; see Layout. This class does what all layouts
/// have in common, and passes the rest on.
/// Requires: the file lock is held while any function is called, in shared mode unless a function needs more.
/// Thread safety: one thread at a time.
class Dataset {
 public:
  Dataset(File& file, Address header) : file_(file), header_(header) {}
  /// The same dataset, of which only the elements of an excerpt are transferred, queried or erased.
  /// Selections are then those of the excerpt's frame. Requires: a dataset with chunks.
  Dataset(const Dataset& dataset, std::shared_ptr<const space::Excerpt> excerpt)
      : file_(dataset.file_),
        header_(dataset.header_),
        excerpt_(std::move(excerpt)),
        messages_(dataset.messages_) {}

  File& file() const { return file_; }
  Address header() const { return header_; }
  /// Returns the excerpt to which operations are limited; null if there is none.
  const std::shared_ptr<const space::Excerpt>& excerpt() const { return excerpt_; }
  /// Returns whether the extent has 2^64 elements or more, so that operations need an excerpt.
  bool is_huge() const;
  /// Returns the decoded messages; see load_messages().
  const DatasetMessages& messages() const;
  const Layout& layout() const;
  /// Returns the current extent. That of a virtual dataset with unlimited mappings depends on its sources;
  /// the file lock is released while they are examined. A dataset with other damaged messages has an extent.
  const format::DataspaceMessage& extent(const VirtualTrail* trail = nullptr) const;

  /// Reads elements. Unwritten elements get the fill value; with fill time `never` they stay what they were.
  void read(const Transfer& transfer, std::byte* memory) const;
  /// Writes elements, and allocates storage where there is none. On failure some elements may have been
  /// written. Requires: the exclusive file lock, within a Change; no virtual dataset.
  void write(const Transfer& transfer, const std::byte* memory) const;
  /// Adds a read to a request of selections; false, having done nothing, if read() has to do it.
  /// Requires: memory and callbacks of the transfer live, and the lock is held, until the batch is sent.
  bool plan_read(const Transfer& transfer, std::byte* memory, io::SelectionReads& batch) const;
  /// Divides a read of a virtual dataset into reads of its sources; false, having done nothing, if read() has
  /// to do it. See Layout::plan_sources().
  bool plan_sources(const Transfer& transfer, std::byte* memory,
                    FunctionRef<void(const SourcePart&)> visit) const;
  /// Divides a write of a virtual dataset into writes of its sources; false for other datasets. See
  /// Layout::plan_written_sources().
  bool plan_written_sources(const Transfer& transfer, FunctionRef<void(const SourcePart&)> visit) const;
  /// Checks a write, and returns its conversion. Throws: Error as write().
  type::ConversionPointer prepare_write(const Transfer& transfer) const;
  /// Adds a write to a request. Requires: as write(), until the batch is sent.
  bool plan_write(const Transfer& transfer, const std::byte* memory, io::SelectionWrites& batch) const;
  /// Adds what plan_write() has to read first to a request that is sent before.
  void plan_read_before_write(const Transfer& transfer, io::SelectionReads& batch) const;
  /// Returns whether the driver receives a transfer of this single dataset as selections.
  bool sends_selections(const Transfer& transfer) const;
  /// Writes elements under the shared lock: other threads go on while chunks are encoded or sources of a
  /// virtual dataset are written. Returns false if write() has to do it: the write is too small, the layout
  /// needs the exclusive lock, or the dataset was changed meanwhile.
  bool write_shared(const Transfer& transfer, const std::byte* memory) const;
  /// Writes elements under the shared lock if that pays and the dataset stays unchanged, under the exclusive
  /// lock otherwise.
  ///
  /// `with_transfer` selects elements in extent() and passes the transfer to its argument. It is called again
  /// under the exclusive lock, because the extent may have changed. `count` is the number of elements.
  void write_selected(std::uint64_t count,
                      FunctionRef<bool(FunctionRef<bool(const Transfer&)>)> with_transfer,
                      const std::byte* memory);

  /// Checks that so many elements, of `memory_bytes` each, are worth memory.
  /// Throws: Error(truncated or limit) for more bytes than the file can hold, or for very many elements of
  /// which none has been written.
  void require_data(std::uint64_t elements, std::uint64_t memory_bytes) const;

  /// Returns those of the selected elements that are defined: all of them unless the dataset is sparse.
  space::Selection defined(const space::Selection& selection) const;
  /// Does the same, and reads their values in row-major order. `allocate` is called once, for the memory of
  /// so many elements.
  space::Selection read_defined(const space::Selection& selection, const format::DatatypeMessage& memory_type,
                                FunctionRef<std::byte*(std::uint64_t)> allocate) const;
  /// Reads the selected elements that are defined, in ascending order of their offsets, and returns their
  /// number. `allocate` is called once, with an upper bound of that number.
  std::uint64_t read_defined_offsets(const space::Selection& selection,
                                     const format::DatatypeMessage& memory_type,
                                     FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const;
  /// Reads columns and values of all defined elements of a matrix, row by row, and returns their number;
  /// `allocate` is as above. Empty, without any effect, unless the dataset is sparse and its chunks and the
  /// conversion support it. Requires: rank 2; a count of 0 for each row; columns fit into the numbers.
  std::optional<std::uint64_t> read_defined_columns(const format::DatatypeMessage& memory_type,
                                                    const chunk::IndexFormat& indices,
                                                    FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const;
  /// Returns how many of the selected elements are defined; see DefinedQuery::count().
  std::uint64_t defined_count(const space::Selection& selection) const;
  /// Returns the number of chunks that HDF5 has stored; see DefinedQuery::count_chunks_from_hdf5().
  std::uint64_t count_chunks_from_hdf5() const;
  /// Writes elements at offsets within the extent. Hint: no other elements of `covered` will be written soon.
  /// Returns false if the caller must use write_selected() instead: the chunk format has no offset codec, the
  /// conversion needs the file, or the dataset was changed meanwhile.
  /// Requires: the offsets ascend. Throws: Error(read_only).
  bool write_offsets_shared(std::span<const std::uint64_t> offsets, space::Run covered,
                            const format::DatatypeMessage& memory_type, const std::byte* memory) const;
  /// Makes elements undefined. Requires: the exclusive file lock, within a Change.
  /// Throws: Error(unsupported) unless the dataset is sparse.
  void erase(const space::Selection& selection) const;

  /// Changes the current dimensions. They are limited by the maximum dimensions, by the size of external
  /// files, and by the fixed mappings of a virtual dataset. Requires: the exclusive file lock, within a
  /// Change. Throws: Error(invalid_argument) for other dimensions, and for compact and contiguous datasets.
  void resize(const std::vector<std::uint64_t>& dims);

  /// Stores the dataset in the form of HDF5 1.8: chunks get a version 1 B-tree. Attributes, elements and
  /// address stay. Has no effect on a virtual dataset. Requires: the exclusive file lock, within a
  /// Change, and has_newer_form(). Throws: Error(unsupported) for structured chunks, Error(limit) for chunks
  /// of 4 GiB and more.
  void downgrade();
  /// Returns whether downgrade() would change the dataset.
  bool has_newer_form() const;

  /// Returns the size of the stored elements, in this file or in external files.
  std::uint64_t stored_bytes() const;
  /// Returns the sizes of the chunk index, the names of external files and the mappings.
  MetadataBytes metadata_bytes() const;

 private:
  void read_in_parallel(const Transfer& transfer, std::byte* memory) const;
  void write_in_parallel(const Transfer& transfer, const std::byte* memory);
  void write_gathered(const Transfer& transfer, const std::byte* memory);
  void resize_in_parallel(const std::vector<std::uint64_t>& dims);
  /// Throws: Error(invalid_argument) unless as many elements are selected in memory as in the dataset.
  void check_transfer(const Transfer& transfer) const;

  /// Forgets the messages, because the dataset may have changed.
  void reload();

  File& file_;
  const Address header_;
  const std::shared_ptr<const space::Excerpt> excerpt_;
  mutable std::shared_ptr<const DatasetMessages> messages_;
  mutable std::optional<format::DataspaceMessage> extent_;  ///< unless it is that of messages_
};

}  // namespace filigree::model
