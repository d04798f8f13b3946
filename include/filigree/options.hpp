// SPDX-License-Identifier: Apache-2.0
//
// Creation and access options of files and objects. The defaults are those of HDF5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

namespace model {
class FileSet;
}
enum class CharacterSet : std::uint8_t;  // datatype.hpp

/// HDF5 releases that introduced new versions of the file format.
enum class Version : std::uint8_t { earliest, v1_8, v1_10, v1_12, v1_14, latest = v1_14 };

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

/// One file, reached by plain system calls.
struct PosixDriver {};

/// One file, with the parts of a request in flight at once. Where the kernel refuses io_uring, this is
/// PosixDriver, and the log, if there is one, says why.
struct UringDriver {
  unsigned depth = 64;  ///< operations of one request in flight
};

/// The whole file in memory; stock calls it "core". See also File::open_image().
struct MemoryDriver {
  bool save = true;  ///< bring it back to the file at flush and close; otherwise a new file never exists
};

/// Members of one size. The path is a pattern with a number, as in "name-%05d.h5".
struct FamilyDriver {
  /// Of every member but the last. A file that says otherwise is refused. 0 takes the first member's size.
  std::uint64_t member_bytes = 100u << 20;
};

/// Metadata in one file, elements of datasets in another; the path is what their names have in common.
struct SplitDriver {
  std::string metadata_extension = "-m.h5";
  std::string raw_extension = "-r.h5";
};

/// A file for each kind of bytes; the path is what their names have in common. They end in "-s.h5" for the
/// superblock, "-b.h5" for B-trees, "-r.h5" for elements and global heaps, "-g.h5" for nothing, as with
/// stock,
/// "-l.h5" for local heaps and "-o.h5" for object headers.
struct MultiDriver {};

using Driver = std::variant<PosixDriver, UringDriver, MemoryDriver, FamilyDriver, SplitDriver, MultiDriver>;

/// Tells what the driver is asked, what for, and how long it takes.
struct DriverLog {
  enum class Format : std::uint8_t { text, json_lines };
  Format format = Format::text;
  /// Gets every line, without its end, by one thread at a time.
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
  /// The driver. Files of external links are opened with the same driver; from a file with several members
  /// they are opened as single files.
  Driver driver;
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
