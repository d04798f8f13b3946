// SPDX-License-Identifier: Apache-2.0
//
// User-defined file drivers: the program decides where the bytes of a file are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/communicator.hpp>
#include <filigree/driver_types.hpp>
#include <filigree/export.hpp>
#include <filigree/file.hpp>
#include <filigree/options.hpp>
#include <filigree/selection.hpp>

namespace filigree {

/// An open file, as bytes. A program derives from it, and opens HDF5 files through it:
///
///     const UserDriver driver{.open = [](const DriverOpenRequest& request) {
///       return std::make_unique<MyFile>(request.path, request.mode);
///     }};
///     auto file = create_through(driver, "data.h5", CreateMode::truncate);
///
/// The library checks requests first: reads lie within size(), and nothing is written to a file that was
/// opened for reading. It merges small extents that are close together, and divides calls to what
/// capabilities() allows.
///
/// *Throws*: a driver reports failures by exceptions, best as Error; any other std::exception becomes
/// Error(io). *Thread safety*: unless capabilities() say `thread_safe`, calls are serialised, on any thread.
/// *Requires*: a callback does not use the HDF5 file that it serves.
class FILIGREE_EXPORT FileDriver {
 public:
  FileDriver() = default;
  FileDriver(const FileDriver&) = delete;
  FileDriver& operator=(const FileDriver&) = delete;
  virtual ~FileDriver();

  /// Called once, after opening.
  virtual DriverCapabilities capabilities() const { return {}; }

  /// Fills every extent.
  virtual void read(std::span<const ReadExtent> extents) = 0;
  /// Writes every extent. The file grows where needed; bytes between its old end and an extent read as zero.
  /// The extents of one call do not overlap.
  virtual void write(std::span<const WriteExtent> extents) = 0;
  virtual std::uint64_t size() = 0;
  /// Cuts the file, or extends it with zeros.
  virtual void truncate(std::uint64_t bytes) = 0;

  /// Moves the selected elements. Returns false, with nothing done, to receive the same request as extents.
  virtual bool read_selections(std::span<const SelectionRead> requests, MemoryType type);
  virtual bool write_selections(std::span<const SelectionWrite> requests, MemoryType type);

  /// The processes that use the file together; null for a file of one process. All members open the file,
  /// and call truncate(), flush(), sync() and close() together.
  virtual std::shared_ptr<Communicator> communicator() { return nullptr; }
  /// Requests of all members at once: every member calls, some with nothing. Each of them returns false on
  /// all members, with nothing done, to receive independent requests instead. Extents of a write ascend, and
  /// do not overlap those of other members. *Throws*: what one member throws, the library throws on all.
  virtual bool read_collective(std::span<const ReadExtent> extents);
  virtual bool write_collective(std::span<const WriteExtent> extents);
  virtual bool read_selections_collective(std::span<const SelectionRead> requests, MemoryType type);
  virtual bool write_selections_collective(std::span<const SelectionWrite> requests, MemoryType type);
  /// Ends the use of the file without waiting for the other members, which have diverged from this one. It is
  /// called in place of close().
  virtual void abandon() {}

  /// Allocates space, for drivers whose capabilities say `allocates`. Returns the offset of `bytes` bytes
  /// that the file does not use yet; gaps before it stay unused. The superblock is announced too, but is
  /// always stored at the start of the file.
  virtual std::uint64_t allocate(MemoryType type, std::uint64_t bytes);
  /// The last allocation has grown: the bytes in use end at `end`.
  virtual void extend(MemoryType type, std::uint64_t end) { static_cast<void>(type), static_cast<void>(end); }
  /// The last bytes of the file are free. Space that is freed elsewhere is reused by the HDF5 file itself.
  virtual void release(std::uint64_t offset, std::uint64_t bytes) {
    static_cast<void>(offset), static_cast<void>(bytes);
  }

  /// The HDF5 file is flushed: writes buffered bytes.
  virtual void flush() {}
  /// Makes the file durable.
  virtual void sync() { flush(); }
  /// The last call before the destructor. What it throws, closing the HDF5 file throws.
  virtual void close() {}

  /// Called after opening, as AccessOptions::locking demands. Does not wait. *Throws*: Error(locked) if
  /// another process holds a conflicting lock.
  virtual void lock(LockKind kind);
  virtual void unlock() {}

  /// Performs an operation that has no function here; user-defined codes begin at ctl_op::first_public.
  /// Returns false for an unknown code.
  virtual bool ctl(const CtlCall& call);

  /// The descriptor of the file, if it has one.
  virtual std::optional<int> descriptor() { return std::nullopt; }

  /// The driver information that new files store, and that is updated at every flush. *Requires*: its size
  /// does not change.
  virtual std::optional<DriverInfo> driver_info() { return std::nullopt; }
  /// Checks the stored driver information of a file that is being opened. Returns false if it belongs to
  /// another driver.
  virtual bool accept_driver_info(const DriverInfo& stored);
};

/// What UserDriver::open receives.
struct DriverOpenRequest {
  std::string path;
  DriverOpenMode mode = DriverOpenMode::read_only;
  std::string configuration = {};  ///< the text of the DriverChoice
};

/// A user-defined driver. It is used without registration by open_through() or AccessOptions::driver, and by
/// its name or URL scheme after drivers::add().
struct UserDriver {
  static constexpr std::string_view driver_name = "user";
  /// Opens a file. *Throws*: whatever it throws ends the call that opens or creates the HDF5 file.
  std::function<std::unique_ptr<FileDriver>(const DriverOpenRequest& request)> open;
  /// Names the file behind a path: files of one FileSet with equal names are the same file. Unset: the path.
  std::function<std::string(const std::string& path)> identity = nullptr;
  /// Deletes a file that was created and never became an HDF5 file.
  std::function<void(const std::string& path)> remove = nullptr;
  /// The name for drivers::add().
  std::string name = {};
  /// Paths that begin with "url_scheme://" are opened through the driver once it is registered; empty: none.
  /// The driver receives the whole path.
  std::string url_scheme = {};
};

/// What is known of a driver in the table of drivers.
struct DriverDescription {
  std::string name;
  std::string url_scheme;  ///< empty: none
  bool built_in = false;
};

/// The process-wide table of drivers. *Thread safety*: all functions may be called at any time.
namespace drivers {

/// Registers a driver by its name and URL scheme. DriverChoice and H5Pset_driver_by_name find it by its name,
/// File::open() and H5Fopen by its scheme. *Throws*: Error(invalid_argument) for an empty or malformed name
/// or a driver without `open`, Error(already_exists) if the name or the scheme is taken.
FILIGREE_EXPORT void add(UserDriver driver);
/// Removes a registered driver; open files keep it. Returns false if there is none of that name. *Throws*:
/// Error(invalid_argument) for a built-in driver.
FILIGREE_EXPORT bool remove(std::string_view name);
/// Nothing if there is no driver of that name.
FILIGREE_EXPORT std::optional<DriverDescription> find(std::string_view name);
/// All drivers, the built-in ones first.
FILIGREE_EXPORT std::vector<DriverDescription> list();

}  // namespace drivers

/// File::open() and File::create() through a user-defined driver in place of AccessOptions::driver. Log,
/// locking and page buffer follow the options. Files of external links and of virtual sources are opened
/// through the same driver.
FILIGREE_EXPORT File open_through(const UserDriver& driver, const std::string& path,
                                  OpenMode mode = OpenMode::read_only, const AccessOptions& access = {});
FILIGREE_EXPORT File create_through(const UserDriver& driver, const std::string& path,
                                    CreateMode mode = CreateMode::exclusive,
                                    const CreateOptions& options = {}, const AccessOptions& access = {});
/// The user-defined driver that keeps the bytes of `file`; null for built-in drivers. *Invalidates*: it ends
/// with the file.
FILIGREE_EXPORT FileDriver* driver_of(const File& file);

/// Opens a file through a built-in driver as bytes, for drivers that wrap another one. Requests outside of
/// the file are refused here too.
FILIGREE_EXPORT std::unique_ptr<FileDriver> open_file_driver(const std::string& path, DriverOpenMode mode,
                                                             const AccessOptions& access = {});

}  // namespace filigree
