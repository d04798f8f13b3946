// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of file drivers: what a request is made of, and what a driver can do. Built-in and
// user-defined drivers (driver.hpp) share these types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

class Selection;
namespace space {
class Selection;
}

/// What bytes of a file hold. The numbers are those of HDF5's H5FD_mem_t and of the driver information that
/// the multi driver stores.
enum class MemoryType : std::uint8_t {
  unspecified = 0,
  superblock = 1,
  btree = 2,
  raw = 3,  ///< elements of datasets
  global_heap = 4,
  local_heap = 5,
  object_header = 6,
};
inline constexpr std::size_t memory_types = 7;

/// How a driver opens its file.
enum class DriverOpenMode : std::uint8_t {
  read_only,
  read_write,
  create_new,       ///< throws Error(already_exists) if the file exists
  create_truncate,  ///< empties a file that exists
};

/// A contiguous range of the file and the buffer that receives its bytes.
struct ReadExtent {
  std::uint64_t offset = 0;
  std::span<std::byte> into;
  MemoryType type = MemoryType::unspecified;

  /// The buffer, for code that serves both directions.
  std::span<std::byte> memory() const { return into; }
};

/// A contiguous range of the file and the buffer that holds its new bytes.
struct WriteExtent {
  std::uint64_t offset = 0;
  std::span<const std::byte> from;
  MemoryType type = MemoryType::unspecified;

  std::span<const std::byte> memory() const { return from; }
};

/// The selected elements of an array. *Invalidates*: refers to the request's selection, which lives as long
/// as the call.
class DriverSelection {
 public:
  DriverSelection(const space::Selection& inside) : inside_(&inside) {}  // NOLINT: a view of its argument
  FILIGREE_EXPORT Selection selection() const;
  /// The extent of the array.
  FILIGREE_EXPORT std::vector<std::uint64_t> extent() const;
  const space::Selection& inside() const { return *inside_; }

 private:
  const space::Selection* inside_;
};

/// Reads the elements that `file` selects into those that `memory` selects. *Requires*: both select equally
/// many elements; they correspond in their order.
struct SelectionRead {
  DriverSelection file, memory;
  std::uint64_t offset = 0;         ///< in the file, of the first element of the array of `file`
  std::uint32_t element_bytes = 1;  ///< on both sides
  std::span<std::byte> into;        ///< begins with the first element of the array of `memory`
};

/// Writes the elements that `memory` selects to those that `file` selects; as SelectionRead.
struct SelectionWrite {
  DriverSelection file, memory;
  std::uint64_t offset = 0;
  std::uint32_t element_bytes = 1;
  std::span<const std::byte> from;
};

/// How far small extents of one request are merged. The defaults suit a local file in the page cache: there a
/// system call costs about as much as reading 2 to 4 KiB, or as reading and writing back 4 KiB. A driver with
/// high latency declares larger gaps.
struct CoalescingLimits {
  /// The largest gap between two extents that is read with them and dropped.
  std::uint64_t read_gap_bytes = 4u << 10;
  /// The largest gap that is read first and written back unchanged. Such a write excludes all other writes
  /// of the file.
  std::uint64_t write_gap_bytes = 4u << 10;
  /// The largest request made of several extents; 0 turns merging off.
  std::uint64_t merged_bytes = 256u << 10;
  /// Extents of at least this length are not copied: they are requests of their own.
  std::uint64_t direct_bytes = 64u << 10;
  /// Contiguous extents of at least this average length are not copied either. The driver receives them as
  /// neighbours and may move them with one system call.
  std::uint64_t adjacent_bytes = 16u << 10;
  /// The staging buffer of one batch; a single merged request may take more.
  std::uint64_t staging_bytes = 256u << 10;
  /// Requests in one batch.
  std::size_t batch_requests = 4096;

  /// Every extent goes to the driver unchanged.
  static constexpr CoalescingLimits none() { return {.merged_bytes = 0}; }
};

/// The largest signed 64-bit offset: files of the operating system do not grow beyond it.
inline constexpr std::uint64_t largest_file_bytes = ~std::uint64_t{0} >> 1;

/// What a driver can do. The layer above the driver does whatever it cannot.
struct DriverCapabilities {
  /// Most extents of one call; 1 for a driver without vector I/O. Longer requests are divided.
  std::size_t vector_extents = std::numeric_limits<std::size_t>::max();
  /// Most bytes of one call; longer extents are divided.
  std::uint64_t request_bytes = std::numeric_limits<std::uint64_t>::max();
  /// No byte lies at or beyond this offset.
  std::uint64_t address_end = largest_file_bytes;
  /// Several threads may call a user-defined driver at once, for reads and for writes of distinct bytes.
  /// Otherwise calls are serialised. Built-in drivers are always thread-safe.
  bool thread_safe = false;
  /// The extents of one call are in flight together, so that many cost little more than one. The library then
  /// prefetches and issues larger requests. Built-in drivers can also start a request and wait for it later.
  bool concurrent = false;
  /// Accepts selections: read_selections() and write_selections() are called.
  bool selections = false;
  /// lock() excludes other processes.
  bool locks = false;
  /// How far requests are merged. A concurrent driver with a read gap of at least 256 KiB counts as one with
  /// high latency: the library prefetches the start of a file when it opens it.
  CoalescingLimits coalescing = {};
  /// The driver decides where new space goes: allocate() is called. Otherwise new space goes to the end.
  bool allocates = false;
  /// Small metadata, and small raw data, may be allocated from larger blocks (H5FD_FEAT_AGGREGATE_METADATA,
  /// H5FD_FEAT_AGGREGATE_SMALLDATA).
  bool aggregate_metadata = true, aggregate_small_data = true;
};

enum class LockKind : std::uint8_t { shared, exclusive };

/// Operation codes of ctl(). Whoever defines a code says what its input and result hold, and keeps to its
/// range.
namespace ctl_op {
inline constexpr std::uint64_t invalid = 0;
// 1 to 511: this library.
inline constexpr std::uint64_t cobegin = 1;          ///< begins a concurrent section of the calling thread
inline constexpr std::uint64_t coend = 2;            ///< waits for all requests of the section
inline constexpr std::uint64_t file_descriptor = 3;  ///< result: an int, the descriptor of the file
inline constexpr std::uint64_t write_back = 4;       ///< writes buffered bytes to the wrapped driver; no sync

inline constexpr std::uint64_t first_public = 512;     ///< to 65,535: published codes of other drivers
inline constexpr std::uint64_t first_private = 65536;  ///< from here on: private to one program
inline constexpr std::uint64_t last_of_library = first_public - 1;
}  // namespace ctl_op

/// What ctl() does with an unknown operation code.
enum class CtlUnknown : std::uint8_t {
  fail,    ///< throws Error(unsupported)
  ignore,  ///< does nothing
};
enum class CtlRoute : std::uint8_t {
  here,         ///< this driver only
  to_terminal,  ///< a driver that wraps another one forwards codes that it does not know
};

/// One call of ctl().
struct CtlCall {
  std::uint64_t op = ctl_op::invalid;
  CtlUnknown unknown = CtlUnknown::fail;
  CtlRoute route = CtlRoute::to_terminal;
  std::span<const std::byte> input = {};
  std::span<std::byte> result = {};
};

/// The driver information that a file stores: which driver it needs, and that driver's own bytes.
struct DriverInfo {
  std::string id;  ///< at most 8 characters
  std::vector<std::byte> info;
};

}  // namespace filigree
