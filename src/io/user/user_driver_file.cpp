// SPDX-License-Identifier: Apache-2.0
#include "io/user/user_driver_file.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/messages/file_messages.hpp"
#include "io/posix/posix_lock.hpp"
#include "io/selection.hpp"

namespace filigree {

FileDriver::~FileDriver() = default;
bool FileDriver::read_selections(std::span<const SelectionRead>, MemoryType) { return false; }
bool FileDriver::write_selections(std::span<const SelectionWrite>, MemoryType) { return false; }
bool FileDriver::read_collective(std::span<const ReadExtent>) { return false; }
bool FileDriver::write_collective(std::span<const WriteExtent>) { return false; }
bool FileDriver::read_selections_collective(std::span<const SelectionRead>, MemoryType) { return false; }
bool FileDriver::write_selections_collective(std::span<const SelectionWrite>, MemoryType) { return false; }
void FileDriver::lock(LockKind) {}
bool FileDriver::ctl(const CtlCall&) { return false; }
bool FileDriver::accept_driver_info(const DriverInfo&) { return false; }

std::uint64_t FileDriver::allocate(MemoryType, std::uint64_t) {
  throw Error(ErrorKind::internal, "a driver that says it allocates does not");
}

namespace io {
namespace {

/// Brings what a program declares into the limits that the layer above relies on.
DriverCapabilities sanitised(DriverCapabilities declared) {
  declared.vector_extents = std::max<std::size_t>(1, declared.vector_extents);
  declared.request_bytes = std::max<std::uint64_t>(1, declared.request_bytes);
  declared.address_end = std::min(declared.address_end, largest_file_bytes);
  return declared;
}

/// Runs code of the program. Its exceptions become Errors.
template <class Work>
decltype(auto) in_program(const std::string& path, Work&& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& other) {
    throw Error(ErrorKind::io, fmt::format("'{}': {}", path, other.what()));
  } catch (...) {
    throw Error(ErrorKind::io, fmt::format("'{}': the driver failed", path));
  }
}

template <class Extent>
bool has_empty(std::span<const Extent> extents) {
  return std::ranges::any_of(extents, [](const Extent& e) { return e.memory().empty(); });
}

template <class Extent>
std::vector<Extent> without_empty(std::span<const Extent> extents) {
  std::vector<Extent> result;
  std::ranges::copy_if(extents, std::back_inserter(result),
                       [](const Extent& e) { return !e.memory().empty(); });
  return result;
}

/// A file of io/ in the shape of a driver.
class VirtualFileDriver final : public FileDriver {
 public:
  explicit VirtualFileDriver(std::unique_ptr<VirtualFile> file) : file_(std::move(file)) {}

  DriverCapabilities capabilities() const override {
    DriverCapabilities able = file_->capabilities();
    able.thread_safe = true;
    able.selections = able.allocates = false;
    able.aggregate_metadata = able.aggregate_small_data = true;
    return able;
  }
  void read(std::span<const ReadExtent> extents) override { std::as_const(*file_).read(extents); }
  void write(std::span<const WriteExtent> extents) override { file_->write(extents); }
  std::uint64_t size() override { return file_->size(); }
  void truncate(std::uint64_t bytes) override { file_->truncate(bytes); }
  void flush() override { file_->ctl({.op = ctl_op::write_back, .unknown = CtlUnknown::ignore}); }
  void sync() override { file_->sync(); }
  void close() override {
    if (file_->writable()) flush();
  }
  void lock(LockKind kind) override { file_->lock(kind); }
  void unlock() override { file_->unlock(); }
  bool ctl(const CtlCall& call) override {
    CtlCall tolerant = call;
    tolerant.unknown = CtlUnknown::ignore;
    tolerant.route = CtlRoute::to_terminal;
    return file_->ctl(tolerant);
  }
  std::optional<int> descriptor() override { return std::as_const(*file_).descriptor(); }
  std::shared_ptr<Communicator> communicator() override { return file_->communicator(); }
  bool read_collective(std::span<const ReadExtent> extents) override {
    std::as_const(*file_).read_collective(extents);
    return true;
  }
  bool write_collective(std::span<const WriteExtent> extents) override {
    file_->write_collective(extents);
    return true;
  }
  void abandon() override { file_->abandon(); }

 private:
  std::unique_ptr<VirtualFile> file_;
};

LockPolicy lock_policy(Locking locking) {
  switch (locking) {
    case Locking::automatic:
      return effective_lock_policy(LockPolicy::writers);
    case Locking::off:
      return effective_lock_policy(LockPolicy::never);
    case Locking::on:
      break;
  }
  return effective_lock_policy(LockPolicy::required);
}

}  // namespace

template <class Work>
decltype(auto) UserDriverFile::call(Work&& work) const {
  if (driver_ == nullptr) throw Error(ErrorKind::closed, fmt::format("'{}' has been closed", path_));
  const auto run = [&]() -> decltype(auto) { return work(*driver_); };
  if (capabilities_.thread_safe) return in_program(path_, run);
  const MutexLock lock(mutex_);
  return in_program(path_, run);
}

UserDriverFile::UserDriverFile(std::string path, bool writable, std::unique_ptr<FileDriver> driver)
    : path_(std::move(path)), writable_(writable), driver_(std::move(driver)) {
  capabilities_ = sanitised(in_program(path_, [&] { return driver_->capabilities(); }));
  communicator_ = in_program(path_, [&] { return driver_->communicator(); });
}

UserDriverFile::~UserDriverFile() {
  try {
    close();
  } catch (...) {  // close() is there for callers who want to know
  }
}

void UserDriverFile::close() {
  if (driver_ == nullptr) return;
  const std::unique_ptr<FileDriver> last = std::move(driver_);
  in_program(path_, [&] { last->close(); });
}

void UserDriverFile::abandon() {
  if (driver_ == nullptr) return;
  const std::unique_ptr<FileDriver> last = std::move(driver_);
  in_program(path_, [&] { last->abandon(); });
}

std::uint64_t UserDriverFile::size() const {
  const std::uint64_t bytes = call([](FileDriver& driver) { return driver.size(); });
  known_size_.store(bytes);
  return bytes;
}

std::optional<int> UserDriverFile::descriptor() const {
  return call([](FileDriver& driver) { return driver.descriptor(); });
}

std::optional<DriverInfo> UserDriverFile::driver_info(std::span<const AddressRange>) const {
  auto info = call([](FileDriver& driver) { return driver.driver_info(); });
  if (!info || info->info.empty()) return std::nullopt;
  info->id.resize(format::family_driver_id.size());
  return info;
}

bool UserDriverFile::accept_driver_info(const DriverInfo& stored) {
  const DriverInfo shown{stored.id.substr(0, stored.id.find('\0')), stored.info};
  return call([&](FileDriver& driver) { return driver.accept_driver_info(shown); });
}

std::uint64_t UserDriverFile::allocate(MemoryType type, std::uint64_t bytes) {
  return call([&](FileDriver& driver) { return driver.allocate(type, bytes); });
}

void UserDriverFile::extend_allocation(MemoryType type, std::uint64_t end) {
  call([&](FileDriver& driver) { driver.extend(type, end); });
}

void UserDriverFile::release_allocation(std::uint64_t offset, std::uint64_t bytes) {
  call([&](FileDriver& driver) { driver.release(offset, bytes); });
}

void UserDriverFile::do_read(std::span<const ReadExtent> extents) const {
  if (has_empty(extents)) {
    const std::vector<ReadExtent> others = without_empty(extents);
    if (!others.empty()) do_read(others);
    return;
  }
  if (!extents.empty()) call([&](FileDriver& driver) { driver.read(extents); });
}

void UserDriverFile::do_write(std::span<const WriteExtent> extents) {
  if (has_empty(extents)) {
    const std::vector<WriteExtent> others = without_empty(extents);
    if (!others.empty()) do_write(others);
    return;
  }
  if (!extents.empty()) call([&](FileDriver& driver) { driver.write(extents); });
}

bool UserDriverFile::do_read_selections(std::span<const SelectionRead> requests, MemoryType type) const {
  return call([&](FileDriver& driver) { return driver.read_selections(requests, type); });
}

bool UserDriverFile::do_write_selections(std::span<const SelectionWrite> requests, MemoryType type) {
  return call([&](FileDriver& driver) { return driver.write_selections(requests, type); });
}

bool UserDriverFile::do_read_collective(std::span<const ReadExtent> extents) const {
  return call([&](FileDriver& driver) { return driver.read_collective(extents); });
}

bool UserDriverFile::do_write_collective(std::span<const WriteExtent> extents) {
  return call([&](FileDriver& driver) { return driver.write_collective(extents); });
}

bool UserDriverFile::do_read_selections_collective(std::span<const SelectionRead> requests,
                                                   MemoryType type) const {
  return call([&](FileDriver& driver) { return driver.read_selections_collective(requests, type); });
}

bool UserDriverFile::do_write_selections_collective(std::span<const SelectionWrite> requests,
                                                    MemoryType type) {
  return call([&](FileDriver& driver) { return driver.write_selections_collective(requests, type); });
}

void UserDriverFile::do_truncate(std::uint64_t bytes) {
  known_size_.store(0);
  call([&](FileDriver& driver) { driver.truncate(bytes); });
}

void UserDriverFile::do_sync() {
  call([](FileDriver& driver) { driver.sync(); });
}

void UserDriverFile::do_lock(LockKind kind) {
  call([&](FileDriver& driver) { driver.lock(kind); });
}

void UserDriverFile::do_unlock() {
  call([](FileDriver& driver) { driver.unlock(); });
}

bool UserDriverFile::do_ctl(const CtlCall& requested) {
  if (requested.op == ctl_op::write_back) {
    call([](FileDriver& driver) { driver.flush(); });
    return true;
  }
  return call([&](FileDriver& driver) { return driver.ctl(requested); });
}

UserDriverFile* find_user_driver_file(const VirtualFile& file) {
  const VirtualFile* last = &file;
  while (last->next() != nullptr) last = last->next();
  return const_cast<UserDriverFile*>(dynamic_cast<const UserDriverFile*>(last));
}

std::unique_ptr<FileDriver> as_file_driver(std::unique_ptr<VirtualFile> file) {
  return std::make_unique<VirtualFileDriver>(std::move(file));
}

std::unique_ptr<VirtualFile> open_user_driver(const UserDriver& driver, const std::string& path,
                                              DriverOpenMode mode, const AccessOptions& access) {
  if (!driver.open) throw Error(ErrorKind::invalid_argument, "UserDriver::open is empty");
  const DriverOpenRequest request{path, mode, access.driver.configuration()};
  std::unique_ptr<FileDriver> opened = in_program(path, [&] { return driver.open(request); });
  if (opened == nullptr)
    throw Error(ErrorKind::io, fmt::format("'{}': the user-defined driver opened nothing", path));
  const bool writing = mode != DriverOpenMode::read_only;
  auto file = std::make_unique<UserDriverFile>(path, writing, std::move(opened));
  const LockPolicy policy = lock_policy(access.locking);
  const bool lock = policy != LockPolicy::never && (policy != LockPolicy::writers || writing);
  if (lock && file->capabilities().locks) file->lock(writing ? LockKind::exclusive : LockKind::shared);
  return file;
}

std::string user_driver_identity(const UserDriver& driver, const std::string& path) {
  return in_program(path, [&] { return driver.identity ? driver.identity(path) : path; });
}

}  // namespace io
}  // namespace filigree
