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

/// Where the elements of a dataset are.
enum class Layout : std::uint8_t {
  compact,     ///< in the object header; at most some 64 KiB
  contiguous,  ///< in one piece of the file, or in external files
  chunked,
  virtual_dataset,  ///< the elements are those of other datasets
  structured,       ///< in chunks of several sections: sparse ones, or with a heap of their own
};

/// When a dataset gets its space in the file.
enum class AllocationTime : std::uint8_t {
  by_layout,  ///< compact: early; contiguous: late; chunked: incremental
  early,      ///< when it is made
  late,       ///< when it is first written; chunks that it gains later, one by one
  incremental,
};

/// When the fill value is written to new space.
enum class FillTime : std::uint8_t {
  on_allocation,
  never,   ///< unwritten elements hold anything
  if_set,  ///< when a value was given
};

/// What unwritten elements read as.
class FILIGREE_EXPORT Fill {
 public:
  /// Zeros, anything, or a value that was given.
  enum class State : std::uint8_t { standard, undefined, value };

  Fill() = default;  ///< zeros
  /// Unwritten elements may hold anything.
  static Fill undefined();
  /// `element` is one value of `type`, as in memory; it is converted to the dataset's type. Its bytes are
  /// copied, but not the strings and sequences they point to: these must stay until the dataset is made.
  static Fill of(const Datatype& type, const void* element);
  /// A number, or a struct of numbers.
  template <Element T>
  static Fill of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "for strings and sequences give type and address");
    return of(Datatype::memory<T>(), &value);
  }
  State state() const { return state_; }
  const std::optional<Datatype>& type() const { return type_; }
  std::span<const std::byte> bytes() const { return bytes_; }
  /// What strings and sequences in a value from a file point to; null otherwise.
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  friend class Dataset;
  State state_ = State::standard;
  std::optional<Datatype> type_;
  std::vector<std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

/// A stretch of another file that holds elements.
struct ExternalFile {
  std::string path;
  std::uint64_t offset = 0;
  std::uint64_t bytes = unlimited;  ///< `unlimited` only in the last one
};

/// Elements of another dataset that stand for elements of a virtual one: the first for the first, and so on.
///
/// Selections are of all, none, or hyperslabs. A count or block of Selection::blocks() may be `unlimited` in
/// one dimension: then the virtual dataset grows with its source. Where only the virtual side is unlimited,
/// every block has a source of its own, and %b in the names stands for its number, which starts at 0.
struct VirtualSource {
  std::string file;     ///< "." for the file of the virtual dataset; write %% for a single %
  std::string dataset;  ///< path in that file; likewise
  Selection source;
  Selection selection;  ///< of the virtual dataset
};

/// How a dataset is made. Fixed for its life.
struct DatasetOptions {
  Layout layout = Layout::contiguous;
  AllocationTime allocation = AllocationTime::by_layout;
  FillTime fill_time = FillTime::if_set;
  Fill fill;
  std::vector<ExternalFile> external;  ///< in order; together as large as the data
  /// Dimensions of a chunk; the layout is chunked when they are given. They are suggest_chunks() when filters
  /// are given, a dimension may grow, or the layout is chunked.
  std::vector<std::uint64_t> chunk;
  ChunkAccess access = ChunkAccess::anything;  ///< for suggest_chunks()
  std::vector<FilterChoice> filters;  ///< what chunks pass through when they are written, in this order
  /// Whether these and the following ones also work on chunks that the extent cuts. Files in which they do
  /// not cannot be read by releases before 1.10.
  bool filter_partial_chunks = true;
  /// Only elements that are written are stored; others are undefined and read as the fill value. Files with
  /// such datasets open everywhere, but stock HDF5 cannot read the datasets themselves.
  bool sparse = false;
  /// Values of variable length stand in the chunks of their elements. Sparse datasets always have it so.
  bool heap_in_chunks = false;
  std::vector<FilterChoice> selection_filters;  ///< of sparse chunks, for the part that says what is defined
  std::vector<FilterChoice> heap_filters;       ///< for values of variable length that stand in chunks
  /// The layout is virtual when they are given. Where several give one element, the last counts; an element
  /// whose source is missing reads as the fill value, and cannot be written.
  std::vector<VirtualSource> virtual_sources;
  bool track_times = true;
  AttributeStorage attributes;
};

/// How a dataset is used while its file is open.
struct DatasetAccess {
  /// A cache of its own for the dataset, whichever handle is used; none: as it is.
  std::optional<ChunkCacheOptions> chunk_cache;
  /// Of a virtual dataset, whichever handle is used; none: as it is, at first as the file's AccessOptions
  /// say.
  std::optional<VirtualView> virtual_view = std::nullopt;
  /// Likewise, in place of AccessOptions::virtual_prefix and external_data_prefix.
  std::optional<std::string> virtual_prefix = std::nullopt;
  std::optional<std::string> external_data_prefix = std::nullopt;
};

/// Facts about a dataset.
struct DatasetInfo {
  Layout layout = Layout::contiguous;
  AllocationTime allocation = AllocationTime::late;
  FillTime fill_time = FillTime::if_set;
  Fill::State fill = Fill::State::standard;
  std::vector<ExternalFile> external;
  std::vector<std::uint64_t> chunk;   ///< dimensions of a chunk, when chunked
  std::vector<FilterChoice> filters;  ///< with the parameters that the file holds
  bool filter_partial_chunks = true;  ///< false: chunks that the extent cuts have none
  bool sparse = false;
  std::vector<FilterChoice> selection_filters;  ///< of sparse chunks
  std::vector<FilterChoice> heap_filters;       ///< of values of variable length in chunks
  std::vector<SectionKind> sections;            ///< of structured chunks
  std::vector<VirtualSource> virtual_sources;
  std::uint64_t data_bytes = 0;  ///< of all elements, without variable-length content
  std::optional<std::uint64_t>
      data_position;  ///< contiguous, once allocated: in the file, after any user block
};

/// A part of a larger array in memory.
struct MemoryShape {
  std::vector<std::uint64_t> dims;
  Selection selection;
};

/// How elements go between file and memory.
struct TransferOptions : ConversionOptions {
  /// Where the elements go in memory; none: one after the other.
  std::optional<MemoryShape> memory;
};

/// A handle on a dataset. Any number of threads may read and write. Changes of one file take turns, but large
/// writes pack their chunks before it is theirs; one that is larger than 64 MiB takes several turns, and who
/// reads the dataset meanwhile may see a part of it.
class FILIGREE_EXPORT Dataset : public Object {
 public:
  explicit Dataset(const Object& object);  ///< throws Error(wrong_type)
  /// The extent as it is now: that of a virtual dataset may follow its sources (see
  /// AccessOptions::virtual_view).
  Dataspace space() const;
  /// The type of its elements in the file.
  Datatype datatype() const;
  /// How it is stored.
  DatasetInfo dataset_info() const;
  /// What the dataset was made with, as far as its file tells. The fill value is of the dataset's type, or of
  /// its native form where that is of variable length; such a value lives as long as copies of the Fill.
  DatasetOptions creation_options() const;
  /// The fill value as the dataset's type stores it; empty unless one was given.
  std::vector<std::byte> fill_bytes() const;

  /// Reads as T, converting: a vector (or std::array) of numbers, strings, structs, ... in row-major order,
  /// or a single such value where one element is selected.
  template <Value T>
  T read(const Selection& selection = {}, const TransferOptions& options = {}) const {
    using Shape = ValueShape<T>;
    T result = Shape::make(Shape::single ? 1 : selected(selection, sizeof(typename Shape::ElementOf)));
    read_elements(Datatype::memory<typename Shape::ElementOf>(),
                  const_cast<typename Shape::ElementOf*>(Shape::data(result)), Shape::count(result),
                  selection, options);
    return result;
  }
  /// Reads into memory of the caller, which must have room for exactly the selected elements.
  template <Element T>
  void read_into(std::span<T> values, const Selection& selection = {},
                 const TransferOptions& options = {}) const {
    read_elements(Datatype::memory<T>(), values.data(), values.size(), selection, options);
  }
  /// Writes a vector, span, array, or a single value; values are converted to the dataset's type.
  template <Value T>
  void write(const T& values, const Selection& selection = {}, const TransferOptions& options = {}) {
    using Shape = ValueShape<T>;
    write_elements(Datatype::memory<typename Shape::ElementOf>(), Shape::data(values), Shape::count(values),
                   selection, options);
  }
  /// A single text.
  void write(std::string_view text, const Selection& selection = {}) {
    write_elements(Datatype::memory<std::string_view>(), &text, 1, selection);
  }

  /// With an explicit type of the elements in memory, of which there are `count`; see Datatype::native().
  void read_elements(const Datatype& memory_type, void* elements, std::uint64_t count,
                     const Selection& selection = {}, const TransferOptions& options = {}) const;
  /// The mirror image.
  void write_elements(const Datatype& memory_type, const void* elements, std::uint64_t count,
                      const Selection& selection = {}, const TransferOptions& options = {});

  /// Those of the selected elements that are defined: written, and neither erased nor cut off since. In a
  /// dataset that is not sparse this is the selection itself. Reads no values.
  Selection defined(const Selection& selection = {}) const;
  /// The same, with their values in one pass: `room` is asked once for memory for so many elements, which
  /// then has their values in the order of the selection. See read_defined() in sparse.hpp.
  Selection read_defined_elements(const Datatype& memory_type, const Selection& selection,
                                  const std::function<void*(std::size_t)>& room) const;
  /// Where read_defined_offsets() puts what it finds.
  struct OffsetRoom {
    std::uint64_t* offsets = nullptr;
    void* values = nullptr;
  };
  /// The same with the numbers of the elements in row-major order of the extent, ascending, instead of a
  /// selection. `room` is asked once for memory, perhaps for some elements more than there are in the end;
  /// returns how many there are. See read_defined_offsets() in sparse.hpp.
  std::size_t read_defined_offsets(const Datatype& memory_type, const Selection& selection,
                                   const std::function<OffsetRoom(std::size_t)>& room) const;
  /// Writes elements by their numbers in row-major order of the extent, which ascend: throws
  /// Error(invalid_argument) otherwise. In `covered` nothing else is going to be written soon: new chunks of
  /// a sparse dataset that are in it are encoded on all cores and go to the file without staying in memory.
  void write_offsets(const Datatype& memory_type, const void* elements,
                     std::span<const std::uint64_t> offsets, Selection::Run covered = {0, 0});
  /// Makes elements of a sparse dataset undefined. Throws Error(unsupported) for others.
  void erase(const Selection& selection);

  /// A value that points to these elements, to be stored in datasets and attributes of the same file. The
  /// file keeps a description of the selection for it.
  RegionReference region_reference(const Selection& selection);

  /// Changes the dimensions, within the maximum, of chunked and virtual datasets and those in external files.
  void resize(const std::vector<std::uint64_t>& dims);

  // Chunks as they are stored. An offset is that of a chunk's first element, in elements; all throw
  // Error(invalid_argument) for another, for one outside of the extent, and for datasets without chunks.
  // Those that read first write what the cache holds unwritten.

  // Chunks of several sections (see Layout::structured) are read and written by their sections; read_chunk()
  // and write_chunk() refuse them with Error(unsupported). Looking, counting and listing work on all.

  /// Stores bytes that have been through all filters but those of the mask (bit i: filter i was skipped).
  /// They are written from where they are, without a copy and without a look at them; what the cache holds of
  /// the chunk is dropped. Chunks at the edge have the size of all others. Threads may write chunks of one
  /// file in this way at once: they take turns at the index, not at bytes that get a new place.
  void write_chunk(std::span<const std::uint64_t> offset, std::span<const std::byte> bytes,
                   std::uint32_t filter_mask = 0);
  void write_chunk(std::initializer_list<std::uint64_t> offset, std::span<const std::byte> bytes,
                   std::uint32_t filter_mask = 0) {
    write_chunk(std::span(offset.begin(), offset.size()), bytes, filter_mask);
  }
  /// Throws Error(not_found) for a chunk that was never written.
  RawChunk read_chunk(std::span<const std::uint64_t> offset) const;
  RawChunk read_chunk(std::initializer_list<std::uint64_t> offset) const {
    return read_chunk(std::span(offset.begin(), offset.size()));
  }
  /// The same into memory that is used again; returns the filter mask.
  std::uint32_t read_chunk_into(std::span<const std::uint64_t> offset, std::vector<std::byte>& bytes) const;

  /// Stores a structured chunk: all its sections (DatasetInfo::sections says which), in order. A section has
  /// been through its filters but for those of its mask. If any ran, its checksum is inside already and
  /// original_bytes counts it; if none did, the checksum that some sections need is added here. A chunk that
  /// the extent cuts may have no filters at all. An empty section has no bytes.
  ///
  /// The sections are looked at, as far as their filters are there: sections that make no chunk, define
  /// nothing, or elements outside of the extent, are refused with Error(invalid_argument), and the chunk
  /// stays as it was. What the cache holds of the chunk is dropped.
  void write_structured_chunk(std::span<const std::uint64_t> offset, std::span<const SectionBytes> sections);
  void write_structured_chunk(std::span<const std::uint64_t> offset, std::span<const RawSection> sections);
  /// As write_structured_chunk() takes them. Throws Error(not_found) for a chunk that was never written.
  std::vector<RawSection> read_structured_chunk(std::span<const std::uint64_t> offset) const;
  std::vector<RawSection> read_structured_chunk(std::initializer_list<std::uint64_t> offset) const {
    return read_structured_chunk(std::span(offset.begin(), offset.size()));
  }

  /// The chunk that has the element; nothing when it was never written.
  std::optional<ChunkInfo> find_chunk(std::span<const std::uint64_t> element) const;
  std::optional<ChunkInfo> find_chunk(std::initializer_list<std::uint64_t> element) const {
    return find_chunk(std::span(element.begin(), element.size()));
  }
  /// Throws Error(not_found) instead.
  ChunkInfo chunk_info(std::span<const std::uint64_t> element) const;
  ChunkInfo chunk_info(std::initializer_list<std::uint64_t> element) const {
    return chunk_info(std::span(element.begin(), element.size()));
  }
  /// Shows every chunk that has a place in the file and elements in the selection, in row-major order, until
  /// `see` returns false; whether it never did. `see` may change the file; what it changes in chunks is not
  /// always seen.
  bool for_each_chunk(const std::function<bool(const ChunkInfo&)>& see,
                      const Selection& selection = {}) const;
  /// The n-th of these. Walks there: use for_each_chunk() to see many.
  ChunkInfo nth_chunk(std::uint64_t n, const Selection& selection = {}) const;
  /// How many for_each_chunk() shows.
  std::uint64_t chunk_count(const Selection& selection = {}) const;
  /// What the elements take in the file, whatever the layout; 0 when nothing was written.
  std::uint64_t stored_bytes() const;

  /// Gives the dataset a cache of its own until the file is closed, or with nothing the one that all share.
  /// What the cache so far has not written is written.
  void set_chunk_cache(const std::optional<ChunkCacheOptions>& options);
  /// How far a virtual dataset reaches until the file is closed; with nothing as the file's AccessOptions
  /// say.
  void set_virtual_view(const std::optional<VirtualView>& view);
  /// Where files of virtual sources and of external data are sought until the file is closed; with nothing,
  /// as the file's AccessOptions say.
  void set_virtual_prefix(const std::optional<std::string>& folder);
  void set_external_data_prefix(const std::optional<std::string>& folder);
  /// Of the cache that the dataset uses: its own, or the shared one.
  ChunkCacheCounters chunk_cache_counters() const;

 private:
  /// Elements that are selected; throws Error when there are more than the file can warrant memory for.
  std::size_t selected(const Selection& selection, std::size_t memory_bytes) const;
};

/// What a reference to a region points to.
struct Region {
  Dataset dataset;
  Selection selection;
};

}  // namespace filigree
