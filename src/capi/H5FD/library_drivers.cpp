// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/library_drivers.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include <filigree/driver.hpp>
#include <filigree/error.hpp>

#include "capi/H5F/flags.hpp"
#include "capi/H5FD/drivers.hpp"
#include "capi/H5FD/mpio.hpp"
#include "capi/H5FD/repeated.hpp"
#include "capi/H5P/options.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/core/errors.hpp"

namespace filigree::capi {
namespace {

/// What H5FD_t pointers of the library's drivers point to.
struct LibraryFile : H5FD_t {
  std::unique_ptr<FileDriver> bytes;
  haddr_t allocation_end = 0;
  DescriptorSlot descriptor;  ///< H5FDget_vfd_handle gives out its address
};

LibraryFile& inside(H5FD_t* file) { return *static_cast<LibraryFile*>(file); }
const LibraryFile& inside(const H5FD_t* file) { return *static_cast<const LibraryFile*>(file); }

void note(const char* function, Code code, const char* text) {
  push_error(thread_errors(), {H5E_ERR_CLS_g, *code.major, *code.minor, 0, function, "H5FD", text});
}

/// Runs `work`; an exception becomes a record of the error stack, and the result -1.
template <class Work>
herr_t guarded(const char* function, Code code, Work&& work) noexcept {
  try {
    work();
    return 0;
  } catch (const std::exception& failure) {
    try {
      note(function, code, failure.what());
    } catch (...) {  // out of memory: the failure value tells
    }
    return -1;
  }
}

MemoryType memory_type(H5FD_mem_t type) {
  return type < H5FD_MEM_DEFAULT || type >= H5FD_MEM_NTYPES ? MemoryType::unspecified
                                                            : static_cast<MemoryType>(type);
}

std::unique_ptr<FileDriver> open_bytes(const char* name, unsigned how, const AccessOptions& options) {
  if ((how & flags::read_write) == 0) return open_file_driver(name, DriverOpenMode::read_only, options);
  const bool create = (how & flags::creat) != 0;
  if (create && (how & flags::exclusive) != 0)
    return open_file_driver(name, DriverOpenMode::create_new, options);
  if ((how & flags::truncate) != 0) {
    std::error_code ignored;
    if (!create && !std::filesystem::exists(name, ignored))
      throw Error(ErrorKind::not_found, fmt::format("there is no file '{}'", name));
    return open_file_driver(name, DriverOpenMode::create_truncate, options);
  }
  try {
    return open_file_driver(name, DriverOpenMode::read_write, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found || !create) throw;
    return open_file_driver(name, DriverOpenMode::create_new, options);
  }
}

/// Opens `name` through the driver of the list, or through the one of that value if the list names another.
H5FD_t* open_as(H5FD_class_value_t value, const char* name, unsigned how, hid_t fapl) {
  std::unique_ptr<LibraryFile> made;
  const herr_t result = guarded("H5FDopen", {&H5E_FILE_g, &H5E_CANTOPENFILE_g}, [&] {
    if (name == nullptr || *name == '\0') throw Error(ErrorKind::invalid_argument, "invalid file name");
    FileAccessSettings settings = *get_settings<FileAccessSettings>(fapl, "a file access property list");
    const auto driver = driver_of(settings.driver);
    if (driver->functions.value != value || !driver->of_library) {
      if (value == H5_VFD_INVALID) throw Error(ErrorKind::invalid_argument, "the list names another driver");
      settings.driver = {driver_id(value), nullptr, {}};
    }
    AccessOptions options = access_options(settings);
    options.locking = Locking::off;  // H5FDlock() is for that
    made = std::make_unique<LibraryFile>();
    made->bytes = open_bytes(name, how, options);
  });
  return result < 0 ? nullptr : made.release();
}

template <H5FD_class_value_t Value>
H5FD_t* open(const char* name, unsigned how, hid_t fapl, haddr_t) {
  return open_as(Value, name, how, fapl);
}

herr_t close(H5FD_t* file) {
  const std::unique_ptr<LibraryFile> last(&inside(file));
  return guarded("H5FDclose", {&H5E_VFL_g, &H5E_CANTCLOSEFILE_g}, [&] { last->bytes->close(); });
}

/// By device and number for files that have a descriptor each, else by where they are in memory.
int cmp(const H5FD_t* a, const H5FD_t* b) {
  struct stat first {
  }, second{};
  const auto of_a = inside(a).bytes->descriptor(), of_b = inside(b).bytes->descriptor();
  if (!of_a || !of_b || fstat(*of_a, &first) != 0 || fstat(*of_b, &second) != 0)
    return a == b ? 0 : (a < b ? -1 : 1);
  if (first.st_dev != second.st_dev) return first.st_dev < second.st_dev ? -1 : 1;
  if (first.st_ino != second.st_ino) return first.st_ino < second.st_ino ? -1 : 1;
  return 0;
}

template <unsigned long Flags>
herr_t query(const H5FD_t*, unsigned long* out) {
  if (out != nullptr) *out = Flags;
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) { return inside(file).allocation_end; }

herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  inside(file).allocation_end = end;
  return 0;
}

haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) {
  haddr_t end = HADDR_UNDEF;
  guarded("H5FDget_eof", {&H5E_VFL_g, &H5E_CANTGET_g}, [&] { end = inside(file).bytes->size(); });
  return end;
}

herr_t get_handle(H5FD_t* file, hid_t, void** handle) {
  return guarded("H5FDget_vfd_handle", {&H5E_VFL_g, &H5E_CANTGET_g}, [&] {
    LibraryFile& known = inside(file);
    const auto number = known.bytes->descriptor();
    if (!number) throw Error(ErrorKind::unsupported, "the driver has no handle to give");
    known.descriptor.number = *number;
    *handle = &known.descriptor;
  });
}

/// What lies beyond the end of the file reads as zero.
void add_piece(std::vector<ReadExtent>& pieces, std::uint64_t end, H5FD_mem_t type, haddr_t at,
               std::size_t bytes, void* into) {
  if (at == HADDR_UNDEF || bytes > HADDR_MAX || at > HADDR_MAX - bytes)
    throw Error(ErrorKind::limit, fmt::format("{} bytes at {} end beyond the largest file", bytes, at));
  const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, end > at ? end - at : 0));
  auto* const memory = static_cast<std::byte*>(into);
  if (there < bytes) std::memset(memory + there, 0, bytes - there);
  if (there > 0) pieces.push_back({at, {memory, there}, memory_type(type)});
}

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t at, std::size_t bytes, void* into) {
  return guarded("H5FDread", {&H5E_IO_g, &H5E_READERROR_g}, [&] {
    std::vector<ReadExtent> pieces;
    add_piece(pieces, inside(file).bytes->size(), type, at, bytes, into);
    if (!pieces.empty()) inside(file).bytes->read(pieces);
  });
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t at, std::size_t bytes, const void* from) {
  return guarded("H5FDwrite", {&H5E_IO_g, &H5E_WRITEERROR_g}, [&] {
    const WriteExtent piece{at, {static_cast<const std::byte*>(from), bytes}, memory_type(type)};
    inside(file).bytes->write(std::span(&piece, 1));
  });
}

herr_t read_vector(H5FD_t* file, hid_t, std::uint32_t count, H5FD_mem_t types[], haddr_t addresses[],
                   std::size_t sizes[], void* buffers[]) {
  return guarded("H5FDread_vector", {&H5E_IO_g, &H5E_READERROR_g}, [&] {
    const std::uint64_t end = inside(file).bytes->size();
    std::vector<ReadExtent> pieces;
    const Repeated<H5FD_mem_t> type(types, count, H5FD_MEM_NOLIST);
    const Repeated<std::size_t> bytes(sizes, count, 0);
    for (std::uint32_t i = 0; i < count; ++i)
      add_piece(pieces, end, type[i], addresses[i], bytes[i], buffers[i]);
    if (!pieces.empty()) inside(file).bytes->read(pieces);
  });
}

herr_t write_vector(H5FD_t* file, hid_t, std::uint32_t count, H5FD_mem_t types[], haddr_t addresses[],
                    std::size_t sizes[], const void* buffers[]) {
  return guarded("H5FDwrite_vector", {&H5E_IO_g, &H5E_WRITEERROR_g}, [&] {
    std::vector<WriteExtent> pieces;
    const Repeated<H5FD_mem_t> type(types, count, H5FD_MEM_NOLIST);
    const Repeated<std::size_t> bytes(sizes, count, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
      const H5FD_mem_t kind = type[i];
      pieces.push_back(
          {addresses[i], {static_cast<const std::byte*>(buffers[i]), bytes[i]}, memory_type(kind)});
    }
    inside(file).bytes->write(pieces);
  });
}

herr_t flush(H5FD_t* file, hid_t, hbool_t) {
  return guarded("H5FDflush", {&H5E_VFL_g, &H5E_CANTFLUSH_g}, [&] { inside(file).bytes->flush(); });
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  return guarded("H5FDtruncate", {&H5E_VFL_g, &H5E_CANTUPDATE_g}, [&] {
    LibraryFile& known = inside(file);
    if ((known.access_flags & flags::read_write) != 0 && known.bytes->size() != known.allocation_end)
      known.bytes->truncate(known.allocation_end);
  });
}

herr_t lock_as(H5FD_t* file, int operation, const char* function) {
  const auto number = inside(file).bytes->descriptor();
  if (!number || flock(*number, operation | LOCK_NB) == 0) return 0;
  if (errno == ENOSYS) return 0;  // a file system without locks
  return guarded(function, {&H5E_VFL_g, &H5E_CANTLOCKFILE_g}, [] {
    throw Error(ErrorKind::locked, fmt::format("unable to lock file, errno = {}, error message = '{}'", errno,
                                               std::strerror(errno)));
  });
}

herr_t lock(H5FD_t* file, hbool_t exclusive) {
  return lock_as(file, exclusive ? LOCK_EX : LOCK_SH, "H5FDlock");
}

herr_t unlock(H5FD_t* file) { return lock_as(file, LOCK_UN, "H5FDunlock"); }

herr_t del(const char* name, hid_t) {
  return guarded("H5FDdelete", {&H5E_VFL_g, &H5E_CANTDELETEFILE_g}, [&] {
    if (name == nullptr || std::remove(name) != 0)
      throw Error(ErrorKind::io, fmt::format("unable to delete '{}': {}", name == nullptr ? "" : name,
                                             std::strerror(errno)));
  });
}

/// Deletes a file of the driver "mpio". All processes of the list's communicator call it.
herr_t delete_together(const char* name, hid_t fapl) {
  return guarded("H5FDdelete", {&H5E_VFL_g, &H5E_CANTDELETEFILE_g}, [&] {
    const auto settings = get_settings<FileAccessSettings>(fapl, "a file access property list");
    mpio_parameters(*settings)->remove(name);
  });
}

/// Every driver of the library is terminal.
herr_t ctl(H5FD_t* file, std::uint64_t code, std::uint64_t how, const void*, void**) {
  if (code == H5FD_CTL_COBEGIN_OPCODE || code == H5FD_CTL_COEND_OPCODE) {
    return guarded("H5FDctl", {&H5E_VFL_g, &H5E_FCNTL_g}, [&] {
      inside(file).bytes->ctl({.op = code == H5FD_CTL_COBEGIN_OPCODE ? ctl_op::cobegin : ctl_op::coend});
    });
  }
  if ((how & H5FD_CTL_FAIL_IF_UNKNOWN_FLAG) == 0) return 0;
  return guarded("H5FDctl", {&H5E_VFL_g, &H5E_FCNTL_g}, [&] {
    throw Error(ErrorKind::unsupported,
                fmt::format("the operation of code {} is unknown to the driver", code));
  });
}

template <H5FD_class_value_t Value, unsigned long Flags>
H5FD_class_t make(const char* name) {
  H5FD_class_t made{};
  made.version = H5FD_CLASS_VERSION;
  made.value = Value;
  made.name = name;
  made.maxaddr = static_cast<haddr_t>(std::numeric_limits<std::int64_t>::max());
  made.fc_degree = H5F_CLOSE_WEAK;
  made.open = open<Value>;
  made.close = close;
  made.cmp = cmp;
  made.query = query<Flags>;
  made.get_eoa = get_eoa;
  made.set_eoa = set_eoa;
  made.get_eof = get_eof;
  made.get_handle = get_handle;
  made.read = read;
  made.write = write;
  made.read_vector = read_vector;
  made.write_vector = write_vector;
  made.flush = flush;
  made.truncate = truncate;
  made.lock = lock;
  made.unlock = unlock;
  if constexpr (Value != H5_VFD_FAMILY && Value != H5_VFD_MULTI) made.del = del;
  made.ctl = ctl;
  std::fill(std::begin(made.fl_map), std::end(made.fl_map), H5FD_MEM_SUPER);
  return made;
}

constexpr unsigned long common_features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
                                          H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;

}  // namespace

std::span<const H5FD_class_t, hdf5_driver_count> hdf5_drivers() {
  constexpr unsigned long plain = common_features;
  constexpr unsigned long system =
      plain | H5FD_FEAT_POSIX_COMPAT_HANDLE | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  static const std::array<H5FD_class_t, hdf5_driver_count> all{
      make<H5_VFD_SEC2, system>("sec2"),
      make<H5_VFD_CORE, plain | H5FD_FEAT_ALLOW_FILE_IMAGE | H5FD_FEAT_CAN_USE_FILE_IMAGE_CALLBACKS>("core"),
      make<H5_VFD_LOG, system>("log"),
      make<H5_VFD_FAMILY, plain | H5FD_FEAT_DIRTY_DRVRINFO_LOAD>("family"),
      make<H5_VFD_MULTI, H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_USE_ALLOC_SIZE |
                             H5FD_FEAT_PAGED_AGGR>("multi"),
      make<H5_VFD_STDIO, plain | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE>("stdio"),
      make<H5_VFD_SPLITTER, 0>("splitter"),  // those of a file are the features of its first channel
  };
  return all;
}

/// As in HDF5, a file cannot be closed while objects in it are open, unless the list says so.
H5FD_class_t mpio_driver_class() {
  H5FD_class_t made =
      make<H5_VFD_MPIO, H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_HAS_MPI |
                            H5FD_FEAT_ALLOCATE_EARLY | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE>("mpio");
  made.fc_degree = H5F_CLOSE_SEMI;
  made.del = delete_together;
  return made;
}

H5FD_class_t table_driver(const char* name) {
  H5FD_class_t made = make<H5_VFD_INVALID, common_features>(name);
  made.del = nullptr;  // its paths need not be files
  return made;
}

}  // namespace filigree::capi
