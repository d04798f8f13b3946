// SPDX-License-Identifier: Apache-2.0
//
// What a caller may choose when making or opening files and objects. Plain values with the
// defaults of the stock library.
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

/// Releases of HDF5 by the file format they introduced.
enum class Version : std::uint8_t { earliest, v1_8, v1_10, v1_12, v1_14, latest = v1_14 };

/// The oldest release that must be able to read what is written, and the newest whose format may be
/// used. New structures take the oldest form that `low` allows.
struct VersionBounds {
  Version low = Version::earliest;
  Version high = Version::latest;
};

/// Whether a file is locked against other processes. The environment variable HDF5_USE_FILE_LOCKING
/// overrides `automatic`.
enum class Locking : std::uint8_t {
  automatic,  ///< writers lock if the file system can, readers do not
  off,
  on,  ///< readers and writers lock, and a file system without locks is an error
};

/// How the space of a file is managed; recorded in the file.
enum class SpaceStrategy : std::uint8_t {
  free_list,   ///< freed space is reused; small pieces come from blocks
  paged,       ///< as free_list, in pages that hold either metadata or raw data
  aggregated,  ///< small pieces come from blocks, freed space is not reused
  none,        ///< every piece is added at the end
};

/// How the space of a file is managed.
struct SpaceOptions {
  SpaceStrategy strategy = SpaceStrategy::free_list;
  bool persist = false;         ///< remember free space in the file when it is closed
  std::uint64_t threshold = 1;  ///< smallest free piece that is tracked
  std::uint64_t page_bytes = 4096;
};

/// Types of header messages that a file may store once and share.
enum class SharedMessage : std::uint16_t {
  dataspace = 0x0002,
  datatype = 0x0008,
  fill_value = 0x0020,
  filter_pipeline = 0x0800,
  attribute = 0x1000,
};

/// Which messages share one index.
struct SharedMessageIndexOptions {
  std::vector<SharedMessage> types;
  std::uint32_t least_bytes = 250;  ///< smaller messages are not shared
};

/// How an object keeps its attributes.
struct AttributeStorage {
  bool track_order = false;
  bool index_order = false;  ///< needs track_order
  std::uint16_t max_compact = 8;
  std::uint16_t min_dense = 6;
};

/// How a group is made.
struct GroupOptions {
  bool track_order = false;  ///< links remember the order of their creation
  bool index_order = false;  ///< and can be found by it; needs track_order
  std::uint16_t max_compact = 8;
  std::uint16_t min_dense = 6;
  std::uint16_t expected_links = 4;
  std::uint16_t expected_name_bytes = 8;
  std::uint64_t local_heap_bytes = 0;  ///< old-style groups: first size of the name heap, 0 for a default
  bool track_times = true;
  AttributeStorage attributes;
};

/// How a file is made. Fixed for the file's life.
struct CreateOptions {
  std::uint64_t user_block_bytes = 0;  ///< 0, or a power of two from 512 on
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
  enum class Form : std::uint8_t { text, json_lines };
  Form form = Form::text;
  /// Gets every line, without its end, by one thread at a time.
  std::function<void(std::string_view)> sink;
};

/// How far virtual datasets with unlimited mappings reach.
struct VirtualView {
  enum class Extent : std::uint8_t {
    last_available,  ///< to the end of the source that reaches furthest
    first_missing,   ///< to where the first source ends
  };
  Extent extent = Extent::last_available;
  /// With last_available: sources with numbers in their names may be missing, so many one after the other,
  /// without ending the search.
  std::uint64_t gap = 0;
};

/// Files that know of each other: one that is opened a second time, or that a link or a virtual dataset leads
/// to, is the file that is open already, with its unsaved changes.
using FileSet = std::shared_ptr<model::FileSet>;
/// One without files, for AccessOptions::files.
FILIGREE_EXPORT FileSet make_file_set();

/// How a file is used while it is open.
struct AccessOptions {
  /// None: a set of the file's own, for links and virtual datasets.
  FileSet files;
  VersionBounds versions;
  /// External links from a file of several members lead to plain files; others are followed by the same
  /// driver.
  Driver driver;
  std::optional<DriverLog> log;
  Locking locking = Locking::automatic;
  std::size_t metadata_cache_bytes = 64u << 20;
  /// Files with space in pages: whole pages that are kept in memory between the caches and the driver. 0:
  /// none; files without pages have none.
  std::uint64_t page_buffer_bytes = 0;
  unsigned page_buffer_metadata_percent = 0;  ///< that raw data does not take
  unsigned page_buffer_raw_percent = 0;       ///< that metadata does not take
  /// Elements that must be converted, or that stand apart, pass through so much memory for each thread.
  /// Whatever fits into it is one request to the driver.
  std::uint64_t transfer_buffer_bytes = 256u << 10;
  std::uint64_t alignment = 1;  ///< pieces of at least alignment_threshold bytes start at multiples of this
  std::uint64_t alignment_threshold = 1;
  std::uint64_t metadata_block_bytes = 2048;
  std::uint64_t small_data_block_bytes = 2048;
  /// Open a file that was not closed. Between its first change and the flush or close that ends it, a file
  /// carries a mark; with the mark some bytes may be those of the last flush and others newer.
  bool ignore_write_mark = false;
  /// Folder in which the files of external links are sought first.
  std::string external_prefix;
  /// Folder of external files that hold the data of datasets; a leading ${ORIGIN} stands for the folder of
  /// the HDF5 file. Empty: the current directory. The environment variable HDF5_EXTFILE_PREFIX overrides it.
  std::string external_data_prefix;
  /// Folder in which the files of virtual datasets' sources are sought before the folder of the HDF5 file and
  /// the current directory; a leading ${ORIGIN} stands for the folder of the HDF5 file. The environment
  /// variable HDF5_VDS_PREFIX overrides it.
  std::string virtual_prefix;
  VirtualView virtual_view;
};

/// What an existing file is opened for.
enum class OpenMode : std::uint8_t { read_only, read_write };

/// What becomes of a file that exists.
enum class CreateMode : std::uint8_t {
  exclusive,  ///< fail when the file exists
  truncate,   ///< replace what is there
};

/// Order of iteration.
enum class IndexBy : std::uint8_t { name, creation_order };
enum class Direction : std::uint8_t {
  ascending,
  descending,
  native,  ///< as stored: whatever costs least
};

/// How a link is made.
struct LinkOptions {
  bool create_parents = false;  ///< make missing groups on the way
  /// That the link's name is noted to be in; none: ASCII where that suffices.
  std::optional<CharacterSet> charset = std::nullopt;
};

/// How an object is copied.
struct CopyOptions {
  bool shallow = false;          ///< sub-groups are copied empty
  bool expand_soft = false;      ///< soft links become copies of what they point to
  bool expand_external = false;  ///< external links become copies of what they point to
  bool without_attributes = false;
  bool create_parents = false;
  /// What references lead to is copied too, and the copies' references lead to the copies. What a reference
  /// meets before a link does gets one in the root group of the destination, ~obj_pointed_by_ADDRESS; every
  /// reference counts as a link. Counts for attributes and, between files, datasets of references; within
  /// other types they are kept or cleared.
  bool expand_references = false;
  /// A committed datatype that is in the destination already is used in place of a copy.
  bool merge_datatypes = false;
  std::vector<std::string> merge_paths{};  ///< of datatypes in the destination that are looked at first
  std::function<bool()> merge_search =
      nullptr;  ///< asked before the rest of the destination is searched; none: yes
};

}  // namespace filigree
