// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/class_driver.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "capi/H5S/dataspace.hpp"
#include "capi/core/scoped_id.hpp"

namespace filigree::capi {
namespace {

/// The memory type that the functions of a class take.
H5FD_mem_t memory_type(MemoryType type) { return static_cast<H5FD_mem_t>(type); }

hid_t default_transfer() { return H5P_LST_DATASET_XFER_ID_g; }

/// Spaces of requests, as ids for the time of a call.
struct SpaceIds {
  void add(const DriverSelection& selected) {
    SpaceValue value;
    const auto& dims = selected.inside().frame().dims();
    value.extent = dims.empty() ? Dataspace::scalar() : Dataspace::simple(dims);
    value.selection = selected.inside();
    owned.emplace_back(add_space(std::move(value)));
    ids.push_back(owned.back().get());
  }
  std::vector<ScopedId> owned;
  std::vector<hid_t> ids;
};

template <class Request>
struct SelectionArguments {
  explicit SelectionArguments(std::span<const Request> requests) {
    for (const Request& r : requests) {
      memory.add(r.memory);
      file.add(r.file);
      offsets.push_back(r.offset);
      element_bytes.push_back(r.element_bytes);
    }
  }
  SpaceIds memory, file;
  std::vector<haddr_t> offsets;
  std::vector<std::size_t> element_bytes;
};

template <class Piece, class Pointer>
struct VectorArguments {
  std::vector<H5FD_mem_t> types;
  std::vector<haddr_t> addresses;
  std::vector<std::size_t> sizes;
  std::vector<Pointer> buffers;

  VectorArguments(std::span<const Piece> pieces, auto memory) {
    for (const Piece& p : pieces) {
      types.push_back(memory_type(p.type));
      addresses.push_back(p.offset);
      sizes.push_back(memory(p).size());
      buffers.push_back(memory(p).data());
    }
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(types.size()); }
};

/// The drivers of open HDF5 files, to find a file that is opened a second time.
struct InUse {
  Mutex mutex;
  std::vector<H5FDClassDriver*> files FILIGREE_GUARDED_BY(mutex);
};

InUse& in_use_files() {
  static auto* const made = new InUse;
  return *made;
}

}  // namespace

void H5FDClassDriver::failed(std::string_view doing) const { failed(doing, ErrorKind::io); }

void H5FDClassDriver::failed(std::string_view doing, ErrorKind kind) const {
  throw Error(kind, fmt::format("the file driver '{}' failed to {}", opened_->driver_name(), doing));
}

std::vector<std::pair<std::string, std::shared_ptr<DriverFile>>> open_class_drivers() {
  std::vector<std::pair<std::string, std::shared_ptr<DriverFile>>> found;
  const MutexLock lock(in_use_files().mutex);
  for (const H5FDClassDriver* file : in_use_files().files) found.emplace_back(file->key(), file->opened());
  return found;
}

H5FDClassDriver::H5FDClassDriver(std::shared_ptr<DriverFile> opened, std::string key, bool writable)
    : opened_(std::move(opened)), key_(std::move(key)), writable_(writable) {
  const std::uint64_t end = size();
  if (end > 0) set_allocation(end, H5FD_MEM_SUPER);
  allocation_end_ = end;
  const MutexLock lock(in_use_files().mutex);
  in_use_files().files.push_back(this);
}

H5FDClassDriver::~H5FDClassDriver() {
  {
    const MutexLock lock(in_use_files().mutex);
    std::erase(in_use_files().files, this);
  }
  opened_->close();
}

DriverCapabilities H5FDClassDriver::capabilities() const {
  const H5FD_class_t& calls = opened_->calls();
  DriverCapabilities able;
  if (calls.read_vector == nullptr || calls.write_vector == nullptr) able.vector_extents = 1;
  able.address_end = std::min<std::uint64_t>(able.address_end, opened_->file()->maxaddr);
  able.thread_safe = true;  // DriverFile::call() serialises
  able.selections = calls.read_selection != nullptr || calls.write_selection != nullptr;
  able.locks = calls.lock != nullptr;
  able.allocates = calls.alloc != nullptr;
  const unsigned long features = opened_->file()->feature_flags;
  able.aggregate_metadata = (features & H5FD_FEAT_AGGREGATE_METADATA) != 0;
  able.aggregate_small_data = (features & H5FD_FEAT_AGGREGATE_SMALLDATA) != 0;
  const bool may_sieve = (features & H5FD_FEAT_DATA_SIEVE) != 0;
  if (!may_sieve) able.coalescing.read_gap_bytes = able.coalescing.write_gap_bytes = 0;
  return able;
}

void H5FDClassDriver::read(std::span<const ReadExtent> extents) {
  call("read", [&](const H5FD_class_t& calls, H5FD_t* file) -> herr_t {
    if (calls.read_vector != nullptr) {
      VectorArguments<ReadExtent, void*> all(extents, [](const ReadExtent& p) { return p.into; });
      return calls.read_vector(file, default_transfer(), all.count(), all.types.data(), all.addresses.data(),
                               all.sizes.data(), all.buffers.data());
    }
    for (const ReadExtent& p : extents) {
      const herr_t result =
          calls.read(file, memory_type(p.type), default_transfer(), p.offset, p.into.size(), p.into.data());
      if (result < 0) return result;
    }
    return 0;
  });
}

void H5FDClassDriver::write(std::span<const WriteExtent> extents) {
  for (const WriteExtent& p : extents) reach(p.offset + p.from.size(), memory_type(p.type));
  call("write", [&](const H5FD_class_t& calls, H5FD_t* file) -> herr_t {
    if (calls.write_vector != nullptr) {
      VectorArguments<WriteExtent, const void*> all(extents, [](const WriteExtent& p) { return p.from; });
      return calls.write_vector(file, default_transfer(), all.count(), all.types.data(), all.addresses.data(),
                                all.sizes.data(), all.buffers.data());
    }
    for (const WriteExtent& p : extents) {
      const herr_t result =
          calls.write(file, memory_type(p.type), default_transfer(), p.offset, p.from.size(), p.from.data());
      if (result < 0) return result;
    }
    return 0;
  });
}

bool H5FDClassDriver::read_selections(std::span<const SelectionRead> requests, MemoryType type) {
  if (opened_->calls().read_selection == nullptr) return false;
  SelectionArguments<SelectionRead> all(requests);
  std::vector<void*> buffers;
  for (const SelectionRead& r : requests) buffers.push_back(r.into.data());
  call("read a selection", [&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.read_selection(file, memory_type(type), default_transfer(), requests.size(),
                                all.memory.ids.data(), all.file.ids.data(), all.offsets.data(),
                                all.element_bytes.data(), buffers.data());
  });
  return true;
}

bool H5FDClassDriver::write_selections(std::span<const SelectionWrite> requests, MemoryType type) {
  if (opened_->calls().write_selection == nullptr) return false;
  for (const SelectionWrite& r : requests)
    reach(r.offset + r.file.inside().frame().elements() * r.element_bytes, memory_type(type));
  SelectionArguments<SelectionWrite> all(requests);
  std::vector<const void*> buffers;
  for (const SelectionWrite& r : requests) buffers.push_back(r.from.data());
  call("write a selection", [&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.write_selection(file, memory_type(type), default_transfer(), requests.size(),
                                 all.memory.ids.data(), all.file.ids.data(), all.offsets.data(),
                                 all.element_bytes.data(), buffers.data());
  });
  return true;
}

std::uint64_t H5FDClassDriver::size() {
  const haddr_t end = opened_->call(
      [](const H5FD_class_t& calls, H5FD_t* file) { return calls.get_eof(file, H5FD_MEM_DEFAULT); });
  if (end == HADDR_UNDEF) failed("tell where its file ends");
  return end;
}

void H5FDClassDriver::set_allocation(std::uint64_t end, H5FD_mem_t kind) {
  call("set the end of allocation",
       [&](const H5FD_class_t& calls, H5FD_t* file) { return calls.set_eoa(file, kind, end); });
}

/// Drivers refuse bytes beyond the end that was set.
void H5FDClassDriver::reach(std::uint64_t end, H5FD_mem_t kind) {
  const MutexLock lock(allocation_mutex_);
  if (end <= allocation_end_) return;
  set_allocation(end, kind);
  allocation_end_ = end;
}

std::uint64_t H5FDClassDriver::allocate(MemoryType type, std::uint64_t bytes) {
  const MutexLock lock(allocation_mutex_);
  const haddr_t at = opened_->call([&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.alloc(file, memory_type(type), default_transfer(), bytes);
  });
  if (at == HADDR_UNDEF || at > HADDR_MAX - bytes) failed("allocate space", ErrorKind::no_space);
  if (at + bytes <= allocation_end_) return at;
  allocation_end_ = at + bytes;
  const haddr_t reported = opened_->call(
      [&](const H5FD_class_t& calls, H5FD_t* file) { return calls.get_eoa(file, memory_type(type)); });
  if (reported == HADDR_UNDEF || reported < allocation_end_)
    set_allocation(allocation_end_, memory_type(type));
  return at;
}

void H5FDClassDriver::extend(MemoryType type, std::uint64_t end) { reach(end, memory_type(type)); }

void H5FDClassDriver::release(std::uint64_t offset, std::uint64_t bytes) {
  const MutexLock lock(allocation_mutex_);
  if (offset + bytes == allocation_end_) release_end(offset, bytes);
}

/// A driver with `free` moves the end of allocation itself.
void H5FDClassDriver::release_end(std::uint64_t offset, std::uint64_t bytes) {
  if (opened_->calls().free != nullptr) {
    call("free space", [&](const H5FD_class_t& calls, H5FD_t* file) {
      return calls.free(file, H5FD_MEM_DEFAULT, default_transfer(), offset, bytes);
    });
  } else {
    set_allocation(offset, H5FD_MEM_DEFAULT);
  }
  allocation_end_ = offset;
}

void H5FDClassDriver::truncate(std::uint64_t bytes) {
  {
    const MutexLock lock(allocation_mutex_);
    if (bytes < allocation_end_) release_end(bytes, allocation_end_ - bytes);
    set_allocation(bytes, H5FD_MEM_SUPER);
    allocation_end_ = bytes;
  }
  if (opened_->calls().truncate != nullptr) {
    call("truncate its file", [](const H5FD_class_t& calls, H5FD_t* file) {
      return calls.truncate(file, default_transfer(), false);
    });
  }
  if (size() < bytes) write_last_byte(bytes);
}

/// Lengthens a file whose driver does not.
void H5FDClassDriver::write_last_byte(std::uint64_t bytes) {
  const std::byte zero{0};
  const WriteExtent last{bytes - 1, std::span(&zero, 1), MemoryType::unspecified};
  write(std::span(&last, 1));
}

void H5FDClassDriver::flush() {
  if (opened_->calls().flush == nullptr) return;
  call("flush",
       [](const H5FD_class_t& calls, H5FD_t* file) { return calls.flush(file, default_transfer(), false); });
}

void H5FDClassDriver::close() {
  bool flushed = true;
  if (writable_ && opened_->calls().flush != nullptr) {
    flushed = opened_->call([](const H5FD_class_t& calls, H5FD_t* file) {
      return calls.flush(file, default_transfer(), true) >= 0;
    });
  }
  if (locked_) unlock();
  const bool closed = opened_->close();
  if (!flushed) failed("flush");
  if (!closed) failed("close its file");
}

void H5FDClassDriver::lock(LockKind kind) {
  const herr_t result = opened_->call(
      [&](const H5FD_class_t& calls, H5FD_t* file) { return calls.lock(file, kind == LockKind::exclusive); });
  if (result < 0) failed("lock its file", ErrorKind::locked);
  locked_ = true;
}

void H5FDClassDriver::unlock() {
  locked_ = false;
  if (opened_->calls().unlock == nullptr) return;
  call("unlock its file", [](const H5FD_class_t& calls, H5FD_t* file) { return calls.unlock(file); });
}

std::optional<int> H5FDClassDriver::descriptor() {
  if ((opened_->file()->feature_flags & H5FD_FEAT_POSIX_COMPAT_HANDLE) == 0 ||
      opened_->calls().get_handle == nullptr)
    return std::nullopt;
  void* handle = nullptr;
  call("give its handle", [&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.get_handle(file, H5P_LST_FILE_ACCESS_ID_g, &handle);
  });
  if (handle == nullptr) return std::nullopt;
  return *static_cast<const int*>(handle);
}

std::optional<DriverInfo> H5FDClassDriver::driver_info() {
  const H5FD_class_t& class_calls = opened_->calls();
  if (class_calls.sb_size == nullptr || class_calls.sb_encode == nullptr) return std::nullopt;
  if ((opened_->file()->feature_flags & H5FD_FEAT_IGNORE_DRVRINFO) != 0) return std::nullopt;
  const hsize_t bytes =
      opened_->call([](const H5FD_class_t& calls, H5FD_t* file) { return calls.sb_size(file); });
  if (bytes == 0) return std::nullopt;
  constexpr hsize_t most = 65535;  // what the message can hold
  if (bytes > most) failed("describe itself in few enough bytes", ErrorKind::limit);
  DriverInfo made;
  made.info.resize(bytes);
  char name[9] = "";
  call("describe itself", [&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.sb_encode(file, name, reinterpret_cast<unsigned char*>(made.info.data()));
  });
  name[8] = '\0';
  made.id = name;
  return made;
}

bool H5FDClassDriver::accept_driver_info(const DriverInfo& stored) {
  const std::string& own = opened_->driver_name();
  if ((stored.id == "NCSAfami" && own != "family") || (stored.id == "NCSAmult" && own != "multi"))
    return false;
  if (opened_->calls().sb_decode == nullptr ||
      (opened_->file()->feature_flags & H5FD_FEAT_IGNORE_DRVRINFO) != 0)
    return true;
  const herr_t result = opened_->call([&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.sb_decode(file, stored.id.c_str(),
                           reinterpret_cast<const unsigned char*>(stored.info.data()));
  });
  if (result < 0) failed("make sense of what the file says about its driver", ErrorKind::unsupported);
  return true;
}

}  // namespace filigree::capi
