// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/program_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "capi/H5S/dataspace.hpp"

namespace filigree::capi {
namespace {

/// The kind of bytes as the callbacks are told.
H5FD_mem_t memory_kind(BytesKind kind) { return static_cast<H5FD_mem_t>(kind); }

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
  std::vector<TemporaryId> owned;
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
      types.push_back(memory_kind(p.kind));
      addresses.push_back(p.offset);
      sizes.push_back(memory(p).size());
      buffers.push_back(memory(p).data());
    }
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(types.size()); }
};

/// Files of programs' drivers that HDF5 files are in, to find one that is opened a second time.
struct InUse {
  std::mutex mutex;
  std::vector<ProgramFile*> files;
};

InUse& in_use_files() {
  static auto* const made = new InUse;
  return *made;
}

}  // namespace

void ProgramFile::failed(std::string_view doing) const { failed(doing, ErrorKind::io); }

void ProgramFile::failed(std::string_view doing, ErrorKind kind) const {
  throw Error(kind, fmt::format("the file driver '{}' failed to {}", opened_->driver_name(), doing));
}

std::vector<std::pair<std::string, std::shared_ptr<DriverFile>>> open_program_files() {
  std::vector<std::pair<std::string, std::shared_ptr<DriverFile>>> found;
  const std::lock_guard lock(in_use_files().mutex);
  for (const ProgramFile* file : in_use_files().files) found.emplace_back(file->key(), file->opened());
  return found;
}

ProgramFile::ProgramFile(std::shared_ptr<DriverFile> opened, std::string key, bool writable)
    : opened_(std::move(opened)), key_(std::move(key)), writable_(writable) {
  const std::uint64_t end = size();
  if (end > 0) set_allocation(end, H5FD_MEM_SUPER);
  allocation_end_ = end;
  const std::lock_guard lock(in_use_files().mutex);
  in_use_files().files.push_back(this);
}

ProgramFile::~ProgramFile() {
  {
    const std::lock_guard lock(in_use_files().mutex);
    std::erase(in_use_files().files, this);
  }
  opened_->close();
}

DriverAbilities ProgramFile::abilities() const {
  const H5FD_class_t& calls = opened_->calls();
  DriverAbilities able;
  if (calls.read_vector == nullptr || calls.write_vector == nullptr) able.pieces = 1;
  able.end = std::min<std::uint64_t>(able.end, opened_->file()->maxaddr);
  able.threads = true;  // DriverFile::call() lets one in at a time
  able.selections = calls.read_selection != nullptr || calls.write_selection != nullptr;
  able.locks = calls.lock != nullptr;
  able.allocates = calls.alloc != nullptr;
  const unsigned long features = opened_->file()->feature_flags;
  able.metadata_blocks = (features & H5FD_FEAT_AGGREGATE_METADATA) != 0;
  able.small_data_blocks = (features & H5FD_FEAT_AGGREGATE_SMALLDATA) != 0;
  const bool may_sieve = (features & H5FD_FEAT_DATA_SIEVE) != 0;
  if (!may_sieve) able.read_gap_bytes = able.write_gap_bytes = 0;
  return able;
}

void ProgramFile::read(std::span<const DriverRead> pieces) {
  call("read", [&](const H5FD_class_t& calls, H5FD_t* file) -> herr_t {
    if (calls.read_vector != nullptr) {
      VectorArguments<DriverRead, void*> all(pieces, [](const DriverRead& p) { return p.into; });
      return calls.read_vector(file, default_transfer(), all.count(), all.types.data(), all.addresses.data(),
                               all.sizes.data(), all.buffers.data());
    }
    for (const DriverRead& p : pieces) {
      const herr_t result =
          calls.read(file, memory_kind(p.kind), default_transfer(), p.offset, p.into.size(), p.into.data());
      if (result < 0) return result;
    }
    return 0;
  });
}

void ProgramFile::write(std::span<const DriverWrite> pieces) {
  for (const DriverWrite& p : pieces) reach(p.offset + p.from.size(), memory_kind(p.kind));
  call("write", [&](const H5FD_class_t& calls, H5FD_t* file) -> herr_t {
    if (calls.write_vector != nullptr) {
      VectorArguments<DriverWrite, const void*> all(pieces, [](const DriverWrite& p) { return p.from; });
      return calls.write_vector(file, default_transfer(), all.count(), all.types.data(), all.addresses.data(),
                                all.sizes.data(), all.buffers.data());
    }
    for (const DriverWrite& p : pieces) {
      const herr_t result =
          calls.write(file, memory_kind(p.kind), default_transfer(), p.offset, p.from.size(), p.from.data());
      if (result < 0) return result;
    }
    return 0;
  });
}

bool ProgramFile::read_selections(std::span<const SelectedRead> requests, BytesKind kind) {
  if (opened_->calls().read_selection == nullptr) return false;
  SelectionArguments<SelectedRead> all(requests);
  std::vector<void*> buffers;
  for (const SelectedRead& r : requests) buffers.push_back(r.into.data());
  call("read a selection", [&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.read_selection(file, memory_kind(kind), default_transfer(), requests.size(),
                                all.memory.ids.data(), all.file.ids.data(), all.offsets.data(),
                                all.element_bytes.data(), buffers.data());
  });
  return true;
}

bool ProgramFile::write_selections(std::span<const SelectedWrite> requests, BytesKind kind) {
  if (opened_->calls().write_selection == nullptr) return false;
  for (const SelectedWrite& r : requests)
    reach(r.offset + r.file.inside().frame().elements() * r.element_bytes, memory_kind(kind));
  SelectionArguments<SelectedWrite> all(requests);
  std::vector<const void*> buffers;
  for (const SelectedWrite& r : requests) buffers.push_back(r.from.data());
  call("write a selection", [&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.write_selection(file, memory_kind(kind), default_transfer(), requests.size(),
                                 all.memory.ids.data(), all.file.ids.data(), all.offsets.data(),
                                 all.element_bytes.data(), buffers.data());
  });
  return true;
}

std::uint64_t ProgramFile::size() {
  const haddr_t end = opened_->call(
      [](const H5FD_class_t& calls, H5FD_t* file) { return calls.get_eof(file, H5FD_MEM_DEFAULT); });
  if (end == HADDR_UNDEF) failed("tell where its file ends");
  return end;
}

void ProgramFile::set_allocation(std::uint64_t end, H5FD_mem_t kind) {
  call("set the end of allocation",
       [&](const H5FD_class_t& calls, H5FD_t* file) { return calls.set_eoa(file, kind, end); });
}

/// Drivers refuse bytes beyond what they were told is in use.
void ProgramFile::reach(std::uint64_t end, H5FD_mem_t kind) {
  const std::lock_guard lock(allocation_mutex_);
  if (end <= allocation_end_) return;
  set_allocation(end, kind);
  allocation_end_ = end;
}

std::uint64_t ProgramFile::allocate(BytesKind kind, std::uint64_t bytes) {
  const std::lock_guard lock(allocation_mutex_);
  const haddr_t at = opened_->call([&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.alloc(file, memory_kind(kind), default_transfer(), bytes);
  });
  if (at == HADDR_UNDEF || at > HADDR_MAX - bytes) failed("allocate space", ErrorKind::no_space);
  if (at + bytes <= allocation_end_) return at;
  allocation_end_ = at + bytes;
  const haddr_t told = opened_->call(
      [&](const H5FD_class_t& calls, H5FD_t* file) { return calls.get_eoa(file, memory_kind(kind)); });
  if (told == HADDR_UNDEF || told < allocation_end_) set_allocation(allocation_end_, memory_kind(kind));
  return at;
}

void ProgramFile::extend(BytesKind kind, std::uint64_t end) { reach(end, memory_kind(kind)); }

/// A driver with `free` moves the end of allocation itself.
void ProgramFile::release(std::uint64_t offset, std::uint64_t bytes) {
  const std::lock_guard lock(allocation_mutex_);
  if (offset + bytes != allocation_end_) return;
  if (opened_->calls().free != nullptr) {
    call("free space", [&](const H5FD_class_t& calls, H5FD_t* file) {
      return calls.free(file, H5FD_MEM_DEFAULT, default_transfer(), offset, bytes);
    });
  } else {
    set_allocation(offset, H5FD_MEM_DEFAULT);
  }
  allocation_end_ = offset;
}

void ProgramFile::truncate(std::uint64_t bytes) {
  if (bytes < allocation_end_) release(bytes, allocation_end_ - bytes);
  {
    const std::lock_guard lock(allocation_mutex_);
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
void ProgramFile::write_last_byte(std::uint64_t bytes) {
  const std::byte zero{0};
  const DriverWrite last{bytes - 1, std::span(&zero, 1), BytesKind::unspecified};
  write(std::span(&last, 1));
}

void ProgramFile::flush() {
  if (opened_->calls().flush == nullptr) return;
  call("flush",
       [](const H5FD_class_t& calls, H5FD_t* file) { return calls.flush(file, default_transfer(), false); });
}

void ProgramFile::close() {
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

void ProgramFile::lock(bool exclusive) {
  const herr_t result =
      opened_->call([&](const H5FD_class_t& calls, H5FD_t* file) { return calls.lock(file, exclusive); });
  if (result < 0) failed("lock its file", ErrorKind::locked);
  locked_ = true;
}

void ProgramFile::unlock() {
  locked_ = false;
  if (opened_->calls().unlock == nullptr) return;
  call("unlock its file", [](const H5FD_class_t& calls, H5FD_t* file) { return calls.unlock(file); });
}

std::optional<int> ProgramFile::descriptor() {
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

std::optional<DriverRecord> ProgramFile::record() {
  const H5FD_class_t& class_calls = opened_->calls();
  if (class_calls.sb_size == nullptr || class_calls.sb_encode == nullptr) return std::nullopt;
  if ((opened_->file()->feature_flags & H5FD_FEAT_IGNORE_DRVRINFO) != 0) return std::nullopt;
  const hsize_t bytes =
      opened_->call([](const H5FD_class_t& calls, H5FD_t* file) { return calls.sb_size(file); });
  if (bytes == 0) return std::nullopt;
  constexpr hsize_t most = 65535;  // what the message can hold
  if (bytes > most) failed("describe itself in few enough bytes", ErrorKind::limit);
  DriverRecord made;
  made.info.resize(bytes);
  char name[9] = "";
  call("describe itself", [&](const H5FD_class_t& calls, H5FD_t* file) {
    return calls.sb_encode(file, name, reinterpret_cast<unsigned char*>(made.info.data()));
  });
  name[8] = '\0';
  made.id = name;
  return made;
}

bool ProgramFile::accept(const DriverRecord& stored) {
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
