// SPDX-License-Identifier: Apache-2.0
//
// File drivers of programs: where the bytes of a file are kept is up to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <filigree/export.hpp>
#include <filigree/file.hpp>
#include <filigree/options.hpp>
#include <filigree/selection.hpp>

namespace filigree {

namespace space {
class Selection;
}

/// What bytes of a file are for.
enum class BytesKind : std::uint8_t {
  unspecified,
  superblock,
  btree,
  raw,  ///< elements of datasets
  global_heap,
  local_heap,
  object_header,
};

/// How a driver is asked to open its file.
enum class DriverMode : std::uint8_t {
  read_only,
  read_write,
  create_new,       ///< Error(already_exists) when there is one
  create_truncate,  ///< empties one that exists
};

/// Bytes to read: where they stand in the file, and where they go.
struct DriverRead {
  std::uint64_t offset = 0;
  std::span<std::byte> into;
  BytesKind kind = BytesKind::unspecified;
};

/// Bytes to write: where they go in the file, and where they stand.
struct DriverWrite {
  std::uint64_t offset = 0;
  std::span<const std::byte> from;
  BytesKind kind = BytesKind::unspecified;
};

/// Which elements of an array a request is for; as long as the call lasts.
class DriverSelection {
 public:
  explicit DriverSelection(const space::Selection& inside) : inside_(&inside) {}
  FILIGREE_EXPORT Selection selection() const;
  /// Of the array.
  FILIGREE_EXPORT std::vector<std::uint64_t> extent() const;
  const space::Selection& inside() const { return *inside_; }

 private:
  const space::Selection* inside_;
};

/// Elements of an array in the file that go to those of an array in memory, equally many, each in its order.
struct SelectedRead {
  DriverSelection file, memory;
  std::uint64_t offset = 0;  ///< in the file, of the array's first element
  std::uint32_t element_bytes = 1;
  std::span<std::byte> into;  ///< the whole array in memory
};

struct SelectedWrite {
  DriverSelection file, memory;
  std::uint64_t offset = 0;
  std::uint32_t element_bytes = 1;
  std::span<const std::byte> from;
};

/// What a driver can do. Whatever it cannot, the library does above it.
struct DriverAbilities {
  /// Most pieces of one call; 1 for a driver that takes one after the other.
  std::size_t pieces = std::numeric_limits<std::size_t>::max();
  /// Most bytes of one call.
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  /// No byte lies at or beyond this offset.
  std::uint64_t end = ~std::uint64_t{0} >> 1;
  /// Calls may come from several threads at once: reads, and writes of distinct bytes. Without it one call
  /// ends before the next begins.
  bool threads = false;
  /// The pieces of one call are worked on at once, so that many cost little more than one: the library looks
  /// ahead and asks for more at a time.
  bool concurrent = false;
  /// Takes selections: read_selections() and write_selections() are called.
  bool selections = false;
  /// lock() keeps other processes out.
  bool locks = false;
  /// Holes up to so many bytes between two pieces are read with them, or read and written back. A driver that
  /// is far away has more. The library reads the start of a file at once from 256 KiB on where the driver is
  /// concurrent.
  std::uint64_t read_gap_bytes = 4096, write_gap_bytes = 4096;
  /// The largest piece that is made of several; 0: nothing is merged.
  std::uint64_t merged_bytes = 256u << 10;
  /// Says where new bytes of the file go: allocate() is called. Otherwise they go to its end.
  bool allocates = false;
  /// Small metadata, and small raw data, may come out of blocks that are allocated in advance.
  bool metadata_blocks = true, small_data_blocks = true;
};

/// What a file says about the driver it needs; it stands beside the superblock.
struct DriverRecord {
  std::string id;  ///< at most 8 characters
  std::vector<std::byte> info;
};

/// An open file, as bytes. Programs derive from it, and have HDF5 files opened through it:
///
///     const CustomDriver driver{[](const std::string& path, DriverMode mode) {
///       return std::make_unique<MyFile>(path, mode);
///     }};
///     auto file = create_through(driver, "data.h5", CreateMode::truncate);
///
/// Requests come checked: reads lie within size(), nothing is written to a file for reading only. Small
/// pieces that stand close together have been merged, and calls are cut to what abilities() tells. Failures
/// are thrown, best as Error; any other std::exception becomes Error(io). A callback must not use the HDF5
/// file that it serves. Unless abilities() say `threads`, one call runs at a time, on whichever thread.
class FILIGREE_EXPORT FileDriver {
 public:
  FileDriver() = default;
  FileDriver(const FileDriver&) = delete;
  FileDriver& operator=(const FileDriver&) = delete;
  virtual ~FileDriver();

  /// Asked once.
  virtual DriverAbilities abilities() const { return {}; }

  /// Fills every piece.
  virtual void read(std::span<const DriverRead> pieces) = 0;
  /// The file grows where needed, and what lies between its old end and a piece reads as zero. The pieces of
  /// one call do not overlap.
  virtual void write(std::span<const DriverWrite> pieces) = 0;
  virtual std::uint64_t size() = 0;
  /// Cuts the file, or lengthens it with zeros.
  virtual void truncate(std::uint64_t bytes) = 0;

  /// False, with nothing done, to get the same as pieces.
  virtual bool read_selections(std::span<const SelectedRead> requests, BytesKind kind);
  virtual bool write_selections(std::span<const SelectedWrite> requests, BytesKind kind);

  /// For drivers that say where bytes go: the offset of `bytes` new ones, which the file does not use yet.
  /// Gaps before it stay unused. The superblock is told of too, but stands at the start of the file in any
  /// case.
  virtual std::uint64_t allocate(BytesKind kind, std::uint64_t bytes);
  /// What was allocated last has become longer: the bytes in use end at `end`.
  virtual void extend(BytesKind kind, std::uint64_t end) { static_cast<void>(kind), static_cast<void>(end); }
  /// The last bytes of the file are not used any more. Others that the HDF5 file frees, it keeps for itself.
  virtual void release(std::uint64_t offset, std::uint64_t bytes) {
    static_cast<void>(offset), static_cast<void>(bytes);
  }

  /// A flush of the HDF5 file: brings on what is held back.
  virtual void flush() {}
  /// Asks the system to bring everything to the device.
  virtual void sync() { flush(); }
  /// The end; nothing follows but the destructor. What is thrown here is what closing the HDF5 file throws.
  virtual void close() {}

  /// Error(locked) when another process is in the way; does not wait. As AccessOptions::locking says, called
  /// after opening.
  virtual void lock(bool exclusive);
  virtual void unlock() {}

  /// An operation beyond these, named by a number (from 512 on; lower ones are the library's). False when it
  /// is unknown.
  virtual bool ctl(std::uint64_t op, std::span<const std::byte> input, std::span<std::byte> result);

  /// The system's number for the file.
  virtual std::optional<int> descriptor() { return std::nullopt; }

  /// What new files are to say about the driver, and after every flush say; its size must not change.
  virtual std::optional<DriverRecord> record() { return std::nullopt; }
  /// What a file says that is being opened; false when it belongs to another driver.
  virtual bool accept(const DriverRecord& record);
};

/// A driver of the program's own.
struct CustomDriver {
  std::function<std::unique_ptr<FileDriver>(const std::string& path, DriverMode mode)> open;
  /// A name for the file behind a path: files of one FileSet with equal names are the same file. Without it
  /// the path is the name.
  std::function<std::string(const std::string& path)> identity = nullptr;
  /// Takes a file away that was made and never became an HDF5 file.
  std::function<void(const std::string& path)> remove = nullptr;
};

/// File::open() and File::create() with a driver of the program instead of AccessOptions::driver. Log, locks
/// and page buffer are as the options say. The files of external links and of virtual datasets' sources are
/// opened through the driver too.
FILIGREE_EXPORT File open_through(const CustomDriver& driver, const std::string& path,
                                  OpenMode mode = OpenMode::read_only, const AccessOptions& access = {});
FILIGREE_EXPORT File create_through(const CustomDriver& driver, const std::string& path,
                                    CreateMode mode = CreateMode::exclusive,
                                    const CreateOptions& options = {}, const AccessOptions& access = {});
/// The program's driver that a file is open through; null for other files. It ends with the file.
FILIGREE_EXPORT FileDriver* driver_of(const File& file);

/// A file of a driver of the library as the bytes it is, for drivers that stand on others. Positions outside
/// of the file are refused here too.
FILIGREE_EXPORT std::unique_ptr<FileDriver> open_file_driver(const std::string& path, DriverMode mode,
                                                             const AccessOptions& access = {});

}  // namespace filigree
