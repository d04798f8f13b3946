// SPDX-License-Identifier: Apache-2.0
//
// Creation and access options of files and objects. The defaults are those of HDF5.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <filigree/export.hpp>
#include <filigree/filters.hpp>

namespace filigree {

namespace model {
class FileSet;
}
enum class CharacterSet : std::uint8_t;  // datatype.hpp

/// HDF5 releases that introduced new versions of the file format. `latest` is the newest whose files most
/// programs read; 2.0 has to be asked for. As upper bound, 1.14 and 2.0 are the same: no limit.
enum class Version : std::uint8_t { earliest, v1_8, v1_10, v1_12, v1_14, v2_0, latest = v1_14 };

/// The version bounds (H5Pset_libver_bounds): the oldest release that must be able to read new structures,
/// and the newest whose format may be used. New structures use the oldest version that `low` allows.
struct VersionBounds {
  Version low = Version::earliest;
  Version high = Version::latest;
};

/// File locking against other processes. The environment variable HDF5_USE_FILE_LOCKING overrides
/// `automatic`.
enum class Locking : std::uint8_t {
  automatic,  ///< writers lock if the file system supports it; readers do not
  off,
  on,  ///< readers and writers lock; a file system without locks is an error
};

/// File space strategies (H5Pset_file_space_strategy).
enum class SpaceStrategy : std::uint8_t {
  free_list,   ///< freed space is reused; small blocks are aggregated
  paged,       ///< as free_list, in pages of either metadata or raw data
  aggregated,  ///< small blocks are aggregated; freed space is not reused
  none,        ///< all space is allocated at the end of the file
};

/// File space management; the file records it.
struct SpaceOptions {
  SpaceStrategy strategy = SpaceStrategy::free_list;
  bool persist = false;         ///< store the free space in the file when it is closed
  std::uint64_t threshold = 1;  ///< the smallest free block that is tracked
  std::uint64_t page_bytes = 4096;
};

/// Types of shared object header messages.
enum class SharedMessage : std::uint16_t {
  dataspace = 0x0002,
  datatype = 0x0008,
  fill_value = 0x0020,
  filter_pipeline = 0x0800,
  attribute = 0x1000,
};

/// An index of shared object header messages.
struct SharedMessageIndexOptions {
  std::vector<SharedMessage> types;
  std::uint32_t least_bytes = 250;  ///< smaller messages are not shared
};

/// How an object stores attributes.
struct AttributeStorage {
  bool track_order = false;       ///< record the creation order
  bool index_order = false;       ///< and index it; requires track_order
  std::uint16_t max_compact = 8;  ///< more attributes: dense storage
  std::uint16_t min_dense = 6;    ///< fewer attributes: compact storage again
};

/// Group creation options.
struct GroupOptions {
  bool track_order = false;  ///< record the creation order of links
  bool index_order = false;  ///< and index it; requires track_order
  std::uint16_t max_compact = 8;
  std::uint16_t min_dense = 6;
  std::uint16_t expected_links = 4;
  std::uint16_t expected_name_bytes = 8;
  std::uint64_t local_heap_bytes =
      0;  ///< symbol tables: the initial size of the local heap; 0 for the default
  bool track_times = true;
  AttributeStorage attributes;
  /// Applied to the storage of links that are too many for the group's header.
  std::vector<FilterChoice> filters;
};

/// File creation options. They cannot be changed after creation.
struct CreateOptions {
  std::uint64_t user_block_bytes = 0;  ///< 0, or a power of two of at least 512
  std::uint8_t offset_bytes = 8;       ///< 2, 4 or 8
  std::uint8_t length_bytes = 8;       ///< 2, 4 or 8
  std::uint16_t group_leaf_k = 4;
  std::uint16_t group_internal_k = 16;
  std::uint16_t chunk_k = 32;
  SpaceOptions space;
  std::vector<SharedMessageIndexOptions> shared_messages;  ///< at most 8
  std::uint16_t shared_list_max = 50;
  std::uint16_t shared_btree_min = 40;
  GroupOptions root;
};

// The options of the built-in drivers. `driver_name` is the driver's name in the table of drivers.

/// One file, reached by plain system calls. HDF5 calls it "sec2".
struct PosixDriver {
  static constexpr std::string_view driver_name = "posix";
};

/// One file, with the extents of a request in flight together. Where the kernel refuses io_uring, it behaves
/// as PosixDriver, and AccessOptions::log says why.
struct UringDriver {
  static constexpr std::string_view driver_name = "uring";
  unsigned depth = 64;  ///< operations of one request in flight
};

/// The whole file in memory; HDF5 calls it "core". See also File::open_image().
struct MemoryDriver {
  static constexpr std::string_view driver_name = "memory";
  bool save = true;  ///< write it to the file at flush and close; otherwise a new file never exists
  /// Pages of this size are written if they were changed (H5Pset_core_write_tracking); 0: 64 KiB.
  std::uint64_t page_bytes = 0;
};

/// Members of equal size. The path is a pattern with a number, as in "name-%05d.h5".
struct FamilyDriver {
  static constexpr std::string_view driver_name = "family";
  /// The size of every member but the last. 0 takes the first member's size. A file that stores another size
  /// is refused.
  std::uint64_t member_bytes = 100u << 20;
};

/// Metadata in one file, elements of datasets in another; the path is the common beginning of their names.
struct SplitDriver {
  static constexpr std::string_view driver_name = "split";
  std::string metadata_extension = "-m.h5";
  std::string raw_extension = "-r.h5";
};

/// A file for each MemoryType; the path is the common beginning of their names. They end in "-s.h5" for the
/// superblock, "-b.h5" for B-trees, "-r.h5" for elements and global heaps, "-l.h5" for local heaps and
/// "-o.h5" for object headers; "-g.h5" (global heap) is unused by HDF5 as well.
struct MultiDriver {
  static constexpr std::string_view driver_name = "multi";
  struct Member {
    std::uint64_t first = 0;  ///< its first address in the common address space
    std::string name;         ///< "%s" stands for the path
  };
  /// For superblock, B-trees, elements, global heaps, local heaps and object headers: the number of the kind,
  /// from 1, in whose file they are; 0: in their own.
  std::array<std::uint8_t, 6> map{};
  /// One for each file, in the order of their first use in `map`; empty: the files above.
  std::vector<Member> members = {};
};

/// A type that holds the options of the driver that it names.
template <class T>
concept DriverOptions = requires {
  { T::driver_name } -> std::convertible_to<std::string_view>;
};

/// A choice from the table of drivers: a driver by name, and its options. Options convert to the choice of
/// their driver:
///
///     access.driver = UringDriver{.depth = 8};
///     access.driver = DriverChoice("s3", "region=eu-1");  // registered with drivers::add()
///
/// *Requires*: only one type of options has a given `driver_name`.
class DriverChoice {
 public:
  /// The driver whose URL scheme the path begins with ("scheme://..."), otherwise PosixDriver.
  DriverChoice() = default;
  template <DriverOptions Options>
  DriverChoice(Options options)  // NOLINT: options stand for the choice of their driver
      : name_(Options::driver_name), options_(std::make_shared<const Options>(std::move(options))) {}
  /// A driver by its name, with a text that the driver understands. Opening a file throws Error(not_found)
  /// for an unknown name, and Error(invalid_argument) for a text that the driver does not take.
  explicit DriverChoice(std::string name, std::string configuration = {})
      : name_(std::move(name)), configuration_(std::move(configuration)) {}

  /// Empty for the default choice.
  const std::string& name() const { return name_; }
  const std::string& configuration() const { return configuration_; }
  /// Null unless this was made from `Options`.
  template <DriverOptions Options>
  const Options* options() const {
    return name_ == Options::driver_name ? static_cast<const Options*>(options_.get()) : nullptr;
  }

 private:
  std::string name_;
  std::string configuration_;
  std::shared_ptr<const void> options_;
};

/// A file, and a copy of it that gets everything that is written. Nothing is read from the copy.
struct SplitterDriver {
  static constexpr std::string_view driver_name = "splitter";
  std::string copy_path = {};
  std::string log_path = {};        ///< of a text file with the faults of the copy; empty: none
  bool ignore_copy_faults = false;  ///< otherwise a fault of the copy is one of the file
  DriverChoice file = {}, copy = {};
};

/// Logs the requests that reach the driver: their extents, their MemoryType and how long they take.
struct DriverLog {
  enum class Format : std::uint8_t { text, json_lines };
  Format format = Format::text;
  /// Receives every line, without its end. *Thread safety*: calls are serialised.
  std::function<void(std::string_view)> sink;
};

/// The extent of virtual datasets with unlimited mappings (H5Pset_virtual_view).
struct VirtualView {
  enum class Extent : std::uint8_t {
    last_available,  ///< to the end of the longest source
    first_missing,   ///< to the end of the shortest source
  };
  Extent extent = Extent::last_available;
  /// With last_available: how many consecutive numbered sources may be missing before the search ends
  /// (H5Pset_virtual_printf_gap).
  std::uint64_t gap = 0;
};

/// A set of files that share open files: a file that is opened again, or reached by an external link or a
/// virtual dataset, is the one that is already open, with its unsaved changes.
using FileSet = std::shared_ptr<model::FileSet>;
/// Returns an empty set, for AccessOptions::files.
FILIGREE_EXPORT FileSet make_file_set();

/// File access options.
struct AccessOptions {
  /// Null: a set of its own, for the files of external links and virtual datasets.
  FileSet files;
  VersionBounds versions;
  /// The driver. Files of external links are opened through the same driver, but from a file of
  /// several members through PosixDriver.
  DriverChoice driver;
  std::optional<DriverLog> log;
  Locking locking = Locking::automatic;
  std::size_t metadata_cache_bytes = 64u << 20;
  /// The size of the page buffer between the caches and the driver, for files with paged allocation; 0
  /// disables it.
  std::uint64_t page_buffer_bytes = 0;
  unsigned page_buffer_metadata_percent = 0;  ///< reserved for metadata pages
  unsigned page_buffer_raw_percent = 0;       ///< reserved for raw data pages
  /// The size of the transfer buffer of each thread, for elements that are converted or scattered. All data
  /// that fits into it is one request to the driver.
  std::uint64_t transfer_buffer_bytes = 256u << 10;
  std::uint64_t alignment = 1;  ///< of blocks of at least alignment_threshold bytes
  std::uint64_t alignment_threshold = 1;
  std::uint64_t metadata_block_bytes = 2048;
  std::uint64_t small_data_block_bytes = 2048;
  /// Opens a file that was not closed properly. From the first modification to the next flush or close, a
  /// file has a write mark. The contents of a file with a mark may be a mixture of old and new data.
  bool ignore_write_mark = false;
  /// The folder that is searched first for files of external links.
  std::string external_prefix;
  /// The folder of external files of datasets; a leading ${ORIGIN} stands for the folder of the HDF5 file.
  /// Empty: the current directory. The environment variable HDF5_EXTFILE_PREFIX overrides it.
  std::string external_data_prefix;
  /// The folder that is searched for source files of virtual datasets before the folder of the HDF5 file and
  /// the current directory; a leading ${ORIGIN} stands for the folder of the HDF5 file. The environment
  /// variable HDF5_VDS_PREFIX overrides it.
  std::string virtual_prefix;
  VirtualView virtual_view;
};

/// How an existing file is opened.
enum class OpenMode : std::uint8_t { read_only, read_write };

/// What happens if the file exists.
enum class CreateMode : std::uint8_t {
  exclusive,  ///< creation fails
  truncate,   ///< the file is replaced
};

/// The index that determines the order of iteration.
enum class IndexBy : std::uint8_t { name, creation_order };
/// The direction of iteration.
enum class Direction : std::uint8_t {
  ascending,
  descending,
  native,  ///< the fastest one
};

/// Link creation options.
struct LinkOptions {
  bool create_parents = false;  ///< create missing intermediate groups
  /// The character set of the link name; unset: ASCII if the name is ASCII, UTF-8 otherwise.
  std::optional<CharacterSet> charset = std::nullopt;
};

/// Object copy options.
struct CopyOptions {
  bool shallow = false;          ///< copy only immediate members; sub-groups are copied empty
  bool expand_soft = false;      ///< replace soft links with copies of their targets
  bool expand_external = false;  ///< replace external links with copies of their targets
  bool without_attributes = false;
  bool create_parents = false;
  /// Copies the objects that references point to, and updates the copied references. An object that is
  /// reached by a reference before a link gets the link ~obj_pointed_by_ADDRESS in the root group of the
  /// destination. Every reference increments the reference count. Applies to attributes and, between files,
  /// to datasets of references; references within other types are kept or cleared.
  bool expand_references = false;
  /// Uses an equal committed datatype of the destination instead of a copy.
  bool merge_datatypes = false;
  std::vector<std::string> merge_paths{};  ///< of committed datatypes in the destination to try first
  /// Called before the rest of the destination is searched; false prevents the search. Null: search.
  std::function<bool()> merge_search = nullptr;
};

}  // namespace filigree
