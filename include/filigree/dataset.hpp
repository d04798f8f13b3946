// SPDX-License-Identifier: Apache-2.0
//
// Datasets: arrays of elements in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <filigree/chunks.hpp>
#include <filigree/datatype.hpp>
#include <filigree/export.hpp>
#include <filigree/filters.hpp>
#include <filigree/object.hpp>
#include <filigree/options.hpp>
#include <filigree/selection.hpp>
#include <filigree/values.hpp>

namespace filigree {

/// The storage layout of a dataset.
enum class Layout : std::uint8_t {
  compact,     ///< in the object header; at most about 64 KiB
  contiguous,  ///< in one block of the file, or in external files
  chunked,
  virtual_dataset,  ///< mapped to elements of other datasets
  structured,       ///< in structured chunks: sparse ones, or dense ones with a heap section
};

/// When storage is allocated in the file (H5Pset_alloc_time).
enum class AllocationTime : std::uint8_t {
  by_layout,    ///< compact: early; contiguous: late; chunked: incremental
  early,        ///< at creation
  late,         ///< at the first write; chunks that are added later: one by one
  incremental,  ///< each chunk at its first write
};

/// When the fill value is written to new storage (H5Pset_fill_time).
enum class FillTime : std::uint8_t {
  on_allocation,
  never,   ///< unwritten elements have unspecified values
  if_set,  ///< on allocation, if a fill value was set
};

/// The fill value: the value of elements that were never written.
class FILIGREE_EXPORT Fill {
 public:
  /// The status of the fill value, as H5Pfill_value_defined reports it.
  enum class State : std::uint8_t { standard, undefined, value };

  /// The default fill value: zero.
  Fill() = default;
  /// Returns an undefined fill value: unwritten elements have unspecified values.
  static Fill undefined();
  /// Returns a fill value given as one element of `type` in memory. It is converted to the dataset's type.
  /// Requires: strings and sequences that the element points to stay valid until the dataset is created; only
  /// the element's own bytes are copied.
  static Fill of(const Datatype& type, const void* element);
  /// Returns a fill value given as a number or a struct of numbers.
  template <Element T>
  static Fill of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "for strings and sequences give type and address");
    return of(Datatype::memory<T>(), &value);
  }
  State state() const { return state_; }
  /// Returns the type of bytes(); empty unless a value was set.
  const std::optional<Datatype>& type() const { return type_; }
  /// Returns the element; empty unless a value was set.
  std::span<const std::byte> bytes() const { return bytes_; }
  /// Returns the owner of variable-length data of a value that was read from a file; null otherwise.
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  friend class Dataset;
  State state_ = State::standard;
  std::optional<Datatype> type_;
  std::vector<std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

/// A part of an external file that stores elements (H5Pset_external).
struct ExternalFile {
  std::string path;
  std::uint64_t offset = 0;
  std::uint64_t bytes = unlimited;  ///< `unlimited` is allowed only in the last part
};

/// A mapping from elements of a source dataset to elements of a virtual dataset (H5Pset_virtual). The
/// elements correspond in order.
///
/// Selections are all, none, or hyperslabs. A count or block of Selection::blocks() may be `unlimited` in one
/// dimension: the virtual dataset then grows with its source. If only the virtual selection is unlimited,
/// every block has its own source, and %b in the names stands for the block number, which starts at 0.
struct VirtualSource {
  std::string file;     ///< "." for the file of the virtual dataset; %% stands for a single %
  std::string dataset;  ///< the path in that file, with the same rules
  Selection source;
  Selection selection;  ///< in the virtual dataset
};

/// Dataset creation options. They cannot be changed after creation.
struct DatasetOptions {
  Layout layout = Layout::contiguous;
  AllocationTime allocation = AllocationTime::by_layout;
  FillTime fill_time = FillTime::if_set;
  Fill fill;
  std::vector<ExternalFile> external;  ///< in order; together at least as large as the data
  /// Chunk dimensions. If they are given, the layout is chunked. If they are empty and filters, an extensible
  /// dimension or the chunked layout require chunks, suggest_chunks() chooses them; suggest_sparse_chunks()
  /// if the dataset is sparse.
  std::vector<std::uint64_t> chunk;
  ChunkAccess access = ChunkAccess::anything;  ///< for these functions
  ExpectedDensity density = {};                ///< for suggest_sparse_chunks()
  std::vector<FilterChoice> filters;           ///< the filter pipeline, in the order of writing
  /// Whether filters are applied to partial edge chunks. Files that use `false` cannot be read by HDF5
  /// releases before 1.10.
  bool filter_partial_chunks = true;
  /// Stores only elements that are written. All others are undefined and read as the fill value. HDF5 opens
  /// files with sparse datasets, but cannot read the sparse datasets.
  bool sparse = false;
  /// Stores sparse chunks in the portable form: ordinary chunks with one filter. HDF5 lists and copies such
  /// datasets, and reads and writes them with the plug-in libh5z_filigree. Elements have a fixed size, and a
  /// chunk has less than 4 GiB when it is dense.
  bool portable = false;
  /// Stores variable-length data in a heap section of the chunk. Sparse datasets always do.
  bool heap_in_chunks = false;
  /// Stores variable-length data of sparse chunks as sets of global heap collections (`HGLS`). The prototype
  /// of The HDF Group reads these only; they have about 30 bytes more for each value.
  bool heap_sets = false;
  /// Gives sparse chunks the filters that measure best for the datatype, if no section has filters. The file
  /// records them like those of a caller.
  bool choose_section_filters = true;
  std::vector<FilterChoice> selection_filters;  ///< the pipeline of the selection section of sparse chunks
  std::vector<FilterChoice> heap_filters;       ///< the pipeline of the heap section
  /// Mappings; if they are given, the layout is virtual. If several mappings cover an element, the last one
  /// is used. An element whose source is missing reads as the fill value and cannot be written.
  std::vector<VirtualSource> virtual_sources;
  bool track_times = true;
  AttributeStorage attributes;
  /// Reserves no space for attributes in the object header. Adding one later costs another block.
  bool minimised_header = false;
};

/// Dataset access options. They last until the file is closed and apply to all handles of the dataset.
struct DatasetAccess {
  /// A chunk cache for this dataset alone; unset: unchanged.
  std::optional<ChunkCacheOptions> chunk_cache;
  /// The view of a virtual dataset; unset: unchanged. AccessOptions::virtual_view is the initial value.
  std::optional<VirtualView> virtual_view = std::nullopt;
  /// Overrides AccessOptions::virtual_prefix; unset: unchanged.
  std::optional<std::string> virtual_prefix = std::nullopt;
  /// Overrides AccessOptions::external_data_prefix; unset: unchanged.
  std::optional<std::string> external_data_prefix = std::nullopt;
};

/// The kinds of chunk indexes; the numbers are those of H5D_chunk_index_t.
enum class ChunkIndexKind : std::uint8_t {
  btree_v1 = 0,
  single_chunk = 1,
  implicit = 2,  ///< all chunks are allocated, one after another
  fixed_array = 3,
  extensible_array = 4,
  btree_v2 = 5,
};

/// Properties of a dataset.
struct DatasetInfo {
  Layout layout = Layout::contiguous;
  AllocationTime allocation = AllocationTime::late;
  FillTime fill_time = FillTime::if_set;
  Fill::State fill = Fill::State::standard;
  std::vector<ExternalFile> external;
  std::vector<std::uint64_t> chunk;   ///< the chunk dimensions; empty unless chunked
  std::vector<FilterChoice> filters;  ///< with the parameters that the file stores
  bool filter_partial_chunks = true;  ///< false if partial edge chunks are unfiltered
  bool sparse = false;
  /// A sparse dataset in the portable form. The only one of `filters` describes the chunks; `value_filters`
  /// are the filters of the element section.
  bool portable = false;
  std::vector<FilterChoice> value_filters;
  bool heap_sets = false;                       ///< see DatasetOptions::heap_sets
  std::vector<FilterChoice> selection_filters;  ///< of the selection section of sparse chunks
  std::vector<FilterChoice> heap_filters;       ///< of the heap section
  std::vector<SectionKind> sections;            ///< of structured and portable chunks
  std::vector<VirtualSource> virtual_sources;
  /// The size of all elements, without variable-length data; the largest number for 2^64 bytes and more.
  std::uint64_t data_bytes = 0;
  /// The address of contiguous data, from the start of the file including a user block; empty if the data has
  /// not been allocated.
  std::optional<std::uint64_t> data_address;
  ChunkIndexKind chunk_index = ChunkIndexKind::btree_v1;  ///< of a chunked dataset
  /// The address of the chunk index, or of a single chunk without an index; empty if there are no chunks yet.
  std::optional<std::uint64_t> index_address;
};

/// A selection in an array in memory.
struct MemoryShape {
  std::vector<std::uint64_t> dims;
  Selection selection;
};

/// Options of a transfer between file and memory.
struct TransferOptions : ConversionOptions {
  /// The elements in memory; unset: contiguous.
  std::optional<MemoryShape> memory;
  /// Whether reading fails if the checksum of a filter does not match the data (H5Pset_edc_check).
  bool verify_checksums = true;
  /// Called when a filter fails to decode a chunk; `bytes` are what it was given. True skips the filter: the
  /// bytes are used as they are, cut or filled up with zeros. False, or no function: reading fails. Calls are
  /// serialised (H5Pset_filter_callback).
  std::function<bool(std::uint16_t filter, std::span<const std::byte> bytes)> on_filter_fault = nullptr;
  /// Whether a driver that accepts selections receives them (H5Pset_selection_io).
  bool selection_io = true;
  /// All members of the file's communicator make this transfer together, each with a selection of its own,
  /// which may be empty. Their requests become one request to the driver (H5Pset_dxpl_mpio). It has no
  /// effect on files of one process.
  bool collective = false;
};

/// Defined elements, and the extent of their dataset at that time.
struct DefinedElements {
  Dataspace extent;
  Selection elements;
};

struct DatasetRead;
struct DatasetWrite;

/// A handle to a dataset.
///
/// Thread safety: any number of threads may read and write. Writes to one file are serialised, but encoding
/// happens outside the lock. Writes over 64 MiB are applied in several steps; concurrent readers may observe
/// a partial write.
class FILIGREE_EXPORT Dataset : public Object {
 public:
  /// Throws: Error(wrong_type) if the object is not a dataset.
  explicit Dataset(const Object& object);
  /// Returns the current extent. That of a virtual dataset may grow with its sources; see
  /// AccessOptions::virtual_view.
  Dataspace space() const;
  /// Returns the datatype of the elements in the file.
  Datatype datatype() const;
  /// Returns whether the dataset is virtual. Cheaper than dataset_info(), which looks at the sources.
  bool is_virtual() const;
  /// Returns how the dataset is stored.
  DatasetInfo dataset_info() const;
  /// Returns the creation options, as far as the file stores them. The fill value has the dataset's type, or
  /// the native type if it has variable length; it lives as long as copies of the Fill.
  DatasetOptions creation_options() const;
  /// Returns the fill value as the file stores it; empty unless one was set.
  std::vector<std::byte> fill_bytes() const;

  /// Reads the selected elements and converts them to T: a vector (or std::array) of numbers, strings,
  /// structs, ... in row-major order, or a single value if one element is selected.
  /// Throws: Error(limit) if more elements are selected than the file can hold data for.
  template <Value T>
  T read(const Selection& selection = {}, const TransferOptions& options = {}) const {
    using Shape = ValueShape<T>;
    using ElementOf = typename Shape::ElementOf;
    T result = Shape::make(Shape::single ? 1 : 0);
    const auto elements_of = [](T& value) { return const_cast<ElementOf*>(Shape::data(value)); };
    if constexpr (Shape::single) {
      read_elements(Datatype::memory<ElementOf>(), elements_of(result), 1, selection, options);
    } else {
      read_allocated(Datatype::memory<ElementOf>(), selection, options, [&](std::size_t count) {
        result = Shape::make(count);
        return ElementBuffer{elements_of(result), Shape::count(result)};
      });
    }
    return result;
  }
  /// Reads into memory of the caller.
  /// Throws: Error(invalid_argument) unless `values` has exactly as many elements as are selected.
  template <Element T>
  void read_into(std::span<T> values, const Selection& selection = {},
                 const TransferOptions& options = {}) const {
    read_elements(Datatype::memory<T>(), values.data(), values.size(), selection, options);
  }
  /// Writes a vector, span, array or single value, converted to the dataset's type.
  template <Value T>
  void write(const T& values, const Selection& selection = {}, const TransferOptions& options = {}) {
    using Shape = ValueShape<T>;
    write_elements(Datatype::memory<typename Shape::ElementOf>(), Shape::data(values), Shape::count(values),
                   selection, options);
  }
  /// Writes a single string.
  void write(std::string_view text, const Selection& selection = {}) {
    write_elements(Datatype::memory<std::string_view>(), &text, 1, selection);
  }

  /// Reads the selected elements as `memory_type`; see Datatype::native().
  /// Requires: `elements` points to memory for `count` elements.
  void read_elements(const Datatype& memory_type, void* elements, std::uint64_t count,
                     const Selection& selection = {}, const TransferOptions& options = {}) const;
  /// Checks that so many elements are worth memory, before it is allocated for read_elements().
  /// Throws: Error(truncated or limit) for more bytes than the file can hold, or for very many elements of
  /// which none has been written.
  void require_elements(const Datatype& memory_type, std::uint64_t count) const;
  /// Reads all elements of a small dataset, with ConversionRules::hdf5. Repeated calls with the same datatype
  /// object allocate nothing, and mostly read nothing from the file. Returns false, having done nothing, if
  /// read_elements() is needed: for more than 4 KiB, chunks, external files, elements that were never
  /// written, variable-length data and references.
  /// Requires: `elements` points to memory for all elements.
  bool read_small(const Datatype& memory_type, void* elements) const;
  /// Reads a box of few elements of a dataset of any size, with ConversionRules::hdf5. `start` and `count`
  /// have a number for each dimension. Repeated calls with the same datatype object cost a fraction of
  /// read_elements(). Returns false, having done nothing, if read_elements() is needed: for a box that is not
  /// within the extent or has more than 4 KiB, for chunks that are not in the cache, external files and
  /// virtual datasets, elements that were never written, variable-length data and references.
  /// Requires: `elements` points to memory for all elements of the box.
  bool read_small(const Datatype& memory_type, std::span<const std::uint64_t> start,
                  std::span<const std::uint64_t> count, void* elements) const;
  /// Writes all elements of a small dataset, with ConversionRules::hdf5. Data that get their space by this,
  /// and are adjacent in the file, are written together, at the latest when the file is flushed or closed,
  /// which then reports a failure. Returns false, having done nothing, if write_elements() is needed: for
  /// more than 4 KiB, no elements, chunks, compact and external storage, variable-length data and references.
  /// Requires: `elements` points to all elements.
  bool write_small(const Datatype& memory_type, const void* elements);
  /// Writes the selected elements from memory of `memory_type`.
  /// Requires: `elements` points to `count` elements.
  void write_elements(const Datatype& memory_type, const void* elements, std::uint64_t count,
                      const Selection& selection = {}, const TransferOptions& options = {});

  /// Read and write elements of several datasets, as if one by one. Those of a file share a request if a
  /// user-defined driver accepts selections or several extents at once; compact and external data do not.
  /// After a failure some of the elements may be transferred.
  static void read_several(std::span<const DatasetRead> reads);
  static void write_several(std::span<const DatasetWrite> writes);

  /// Memory for elements.
  struct ElementBuffer {
    void* elements = nullptr;
    std::uint64_t count = 0;
  };
  /// Reads the selected elements into memory that `allocate` provides once their number is known. Number and
  /// elements are read under one lock and agree even if another thread resizes the dataset.
  /// Throws: Error(limit) if more elements are selected than the file can hold data for.
  void read_allocated(const Datatype& memory_type, const Selection& selection, const TransferOptions& options,
                      const std::function<ElementBuffer(std::size_t)>& allocate) const;

  /// Returns the defined ones of the selected elements: those that were written, and neither erased nor
  /// removed by a resize since. In a dataset that is not sparse this is the selection itself. Reads no
  /// values.
  Selection defined(const Selection& selection = {}) const;
  /// Returns the same with the extent that it belongs to. Both are read under one lock and agree even if
  /// another thread resizes the dataset.
  DefinedElements defined_in_extent(const Selection& selection = {}) const;
  /// Returns the defined ones of the selected elements and reads their values in the same pass. `allocate` is
  /// called once and returns memory for that many elements. See read_defined() in sparse.hpp.
  Selection read_defined_elements(const Datatype& memory_type, const Selection& selection,
                                  const std::function<void*(std::size_t)>& allocate) const;
  /// Memory for the results of read_defined_offsets().
  struct OffsetBuffer {
    std::uint64_t* offsets = nullptr;
    void* values = nullptr;
  };
  /// Reads the linear offsets (row-major, in the extent, ascending) and values of the defined ones of the
  /// selected elements. `allocate` is called once; its argument may exceed the number of elements, which is
  /// returned. See read_defined_offsets() in sparse.hpp.
  std::size_t read_defined_offsets(const Datatype& memory_type, const Selection& selection,
                                   const std::function<OffsetBuffer(std::size_t)>& allocate) const;
  /// Returns how many of the selected elements are defined. Chunks that are selected completely cost no more
  /// than their entry in the index.
  std::uint64_t defined_count(const Selection& selection = {}) const;
  /// Returns how many chunks of a portable sparse dataset were stored by HDF5, with the plug-in or without
  /// the filter. HDF5 knows dense chunks only. So elements of these chunks are defined where they differ from
  /// the fill value, and others may have been defined before. Filigree clears the mark when it stores the
  /// chunk again. The envelopes of all chunks are read. For other datasets the result is 0.
  std::uint64_t hdf5_chunk_count() const;
  /// Memory for the results of read_defined_columns().
  struct ColumnBuffer {
    void* columns = nullptr;
    void* values = nullptr;
  };
  /// Reads the columns and values of all defined elements of a matrix, row by row. Columns are unsigned
  /// numbers of `column_bytes` bytes, 4 or 8; `row_counts` gets the number of elements of each row.
  /// `allocate` is called once; its argument may exceed the number of elements, which is returned. See
  /// read_csr() in matrix.hpp. Throws: Error(invalid_argument) unless the dataset has rank 2, as many rows as
  /// `row_counts` has items, and columns that fit into so many bytes.
  std::size_t read_defined_columns(const Datatype& memory_type, std::size_t column_bytes,
                                   std::span<std::uint64_t> row_counts,
                                   const std::function<ColumnBuffer(std::size_t)>& allocate) const;
  /// Writes one element per linear offset (row-major, in the extent).
  ///
  /// `covered` is a range of offsets in which the caller expects no further writes soon. New chunks of a
  /// sparse dataset in this range are encoded in parallel and bypass the chunk cache.
  /// Requires: `offsets` ascend.
  /// Throws: Error(invalid_argument) if they do not, or if one is outside of the extent.
  void write_offsets(const Datatype& memory_type, const void* elements,
                     std::span<const std::uint64_t> offsets, Selection::Run covered = {0, 0});
  /// Writes `count` elements, given by their coordinates in any order; see Selection::of_coordinates(). If
  /// several items name one element, the last one is written.
  ///
  /// `arrange` is called once, with the items in ascending order of their offsets, and returns the elements
  /// in that order. An empty order stands for the order of the items.
  /// Throws: Error(invalid_argument) for coordinates outside of the extent, or if their number differs.
  void write_coordinates(const Datatype& memory_type, std::span<const std::uint64_t> coordinates,
                         std::size_t count,
                         const std::function<const void*(std::span<const std::size_t>)>& arrange);
  /// Makes the selected elements of a sparse dataset undefined.
  /// Throws: Error(unsupported) for other datasets.
  void erase(const Selection& selection);

  /// Returns a reference to the selected elements, which datasets and attributes of the same file can store.
  /// The file stores the selection in a heap.
  RegionReference region_reference(const Selection& selection);

  /// Changes the dimensions, up to the maximum dimensions. Chunked and virtual datasets and those in external
  /// files can be resized.
  void resize(const std::vector<std::uint64_t>& dims);
  /// Stores the dataset in the form of HDF5 1.8 (H5Dformat_convert): chunks get a version 1 B-tree. Elements,
  /// attributes and the identity of the dataset stay. Virtual datasets, which 1.8 does not know, stay as they
  /// are. Throws: Error(unsupported) for structured chunks, Error(limit) for chunks of 4 GiB and more.
  void downgrade();
  /// Grows the dataset and calls `write`, which writes the new elements, as one change: no flush, no other
  /// thread and no SWMR reader sees the new extent before `write` has returned. If `write` throws, the
  /// dataset gets its former extent again. The file is locked meanwhile.
  /// Throws: Error(invalid_argument) if a dimension would shrink.
  void extend(const std::vector<std::uint64_t>& dims, const std::function<void()>& write);

  // Raw chunks. An `offset` is the coordinates of the first element of a chunk. All functions throw
  // Error(invalid_argument) for other coordinates, for chunks outside of the extent, and for datasets that
  // are not chunked. Functions that read first write the dirty chunks of the cache.

  // Structured chunks (Layout::structured) are read and written by section. read_chunk() and write_chunk()
  // refuse them with Error(unsupported). Portable sparse chunks are read and written in both ways: as stored,
  // with their envelope, or by section. The functions that find, count and visit chunks accept all.

  /// Stores the bytes of a chunk after all filters except those in the mask (bit i: filter i was skipped).
  ///
  /// The bytes are written without a copy and without validation. A cached copy of the chunk is discarded.
  /// Partial edge chunks have the size of all others.
  /// Thread safety: threads may write chunks of one file concurrently. Only updates of the chunk index are
  /// serialised, not the transfer of newly allocated chunks.
  void write_chunk(std::span<const std::uint64_t> offset, std::span<const std::byte> bytes,
                   std::uint32_t filter_mask = 0);
  void write_chunk(std::initializer_list<std::uint64_t> offset, std::span<const std::byte> bytes,
                   std::uint32_t filter_mask = 0) {
    write_chunk(std::span(offset.begin(), offset.size()), bytes, filter_mask);
  }
  /// Returns the stored bytes of a chunk.
  /// Throws: Error(not_found) for a chunk that was never written.
  RawChunk read_chunk(std::span<const std::uint64_t> offset) const;
  RawChunk read_chunk(std::initializer_list<std::uint64_t> offset) const {
    return read_chunk(std::span(offset.begin(), offset.size()));
  }
  /// Reads the stored bytes of a chunk into a buffer that can be reused; returns the filter mask.
  std::uint32_t read_chunk_into(std::span<const std::uint64_t> offset, std::vector<std::byte>& bytes) const;

  /// Stores all sections of a structured or portable chunk in the order of DatasetInfo::sections.
  ///
  /// A section holds the bytes after its filters, except those in its mask, without a checksum: the one that
  /// some sections need is added here, and the filters are applied again. original_bytes is the size before
  /// the filters; 0 means that it is unknown. A partial edge chunk may be unfiltered. An empty section has no
  /// bytes.
  ///
  /// The sections are validated as far as their filters are available. A cached copy of the chunk is
  /// discarded.
  /// Throws: Error(invalid_argument) for sections that are not a chunk, define nothing, or define elements
  /// outside of the extent; Error(unsupported) if the filters of a section with a checksum are not available.
  /// The chunk is unchanged then.
  void write_structured_chunk(std::span<const std::uint64_t> offset, std::span<const SectionBytes> sections);
  void write_structured_chunk(std::span<const std::uint64_t> offset, std::span<const RawSection> sections);
  /// Returns the sections of a chunk, as write_structured_chunk() takes them.
  /// Throws: Error(not_found) for a chunk that was never written.
  std::vector<RawSection> read_structured_chunk(std::span<const std::uint64_t> offset) const;
  std::vector<RawSection> read_structured_chunk(std::initializer_list<std::uint64_t> offset) const {
    return read_structured_chunk(std::span(offset.begin(), offset.size()));
  }
  /// Returns the sizes and masks of what read_structured_chunk() returns. Sections that are filtered with a
  /// checksum are read for it; ChunkInfo::sections costs nothing, and has their sizes in the file.
  /// Throws: Error(not_found) for a chunk that was never written.
  std::vector<SectionInfo> structured_chunk_sections(std::span<const std::uint64_t> offset) const;

  /// Returns the chunk that contains the element; empty if it was never written.
  std::optional<ChunkInfo> find_chunk(std::span<const std::uint64_t> element) const;
  std::optional<ChunkInfo> find_chunk(std::initializer_list<std::uint64_t> element) const {
    return find_chunk(std::span(element.begin(), element.size()));
  }
  /// Returns the chunk that contains the element.
  /// Throws: Error(not_found) if it was never written.
  ChunkInfo chunk_info(std::span<const std::uint64_t> element) const;
  ChunkInfo chunk_info(std::initializer_list<std::uint64_t> element) const {
    return chunk_info(std::span(element.begin(), element.size()));
  }
  /// Calls `visit` for every allocated chunk with selected elements, in row-major order, until `visit`
  /// returns false. Returns false if `visit` did. `visit` may modify the file; the walk does not always see
  /// such changes.
  bool for_each_chunk(const std::function<bool(const ChunkInfo&)>& visit,
                      const Selection& selection = {}) const;
  /// Returns the n-th chunk that for_each_chunk() visits, by walking there. Use for_each_chunk() for many.
  ChunkInfo nth_chunk(std::uint64_t n, const Selection& selection = {}) const;
  /// Returns the number of chunks that for_each_chunk() visits.
  std::uint64_t chunk_count(const Selection& selection = {}) const;
  /// Returns the storage size of the elements in the file, for any layout; 0 if nothing is allocated.
  std::uint64_t stored_bytes() const;

  /// Gives the dataset a chunk cache of its own until the file is closed; `nullopt` returns it to the shared
  /// cache. Dirty chunks of the previous cache are written.
  void set_chunk_cache(const std::optional<ChunkCacheOptions>& options);
  /// Sets the view of a virtual dataset until the file is closed; `nullopt` restores AccessOptions.
  void set_virtual_view(const std::optional<VirtualView>& view);
  /// Writes and closes the source files that virtual datasets keep open. They are opened again when they are
  /// needed.
  void close_sources();
  /// Sets the folder of virtual source files until the file is closed; `nullopt` restores AccessOptions.
  void set_virtual_prefix(const std::optional<std::string>& folder);
  /// Sets the folder of external files until the file is closed; `nullopt` restores AccessOptions.
  void set_external_data_prefix(const std::optional<std::string>& folder);
  /// Returns the counters of the cache that the dataset uses: its own, or the shared one.
  ChunkCacheCounters chunk_cache_counters() const;
};

/// One dataset of Dataset::read_several(): the arguments of Dataset::read_elements().
struct DatasetRead {
  Dataset dataset;
  Datatype memory_type;
  void* elements = nullptr;
  std::uint64_t count = 0;
  Selection selection = {};
  TransferOptions options = {};
};

/// One dataset of Dataset::write_several(): the arguments of Dataset::write_elements().
struct DatasetWrite {
  Dataset dataset;
  Datatype memory_type;
  const void* elements = nullptr;
  std::uint64_t count = 0;
  Selection selection = {};
  TransferOptions options = {};
};

/// What a region reference points to.
struct Region {
  Dataset dataset;
  Selection selection;
};

}  // namespace filigree
