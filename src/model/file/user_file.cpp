// SPDX-License-Identifier: Apache-2.0
#include "model/file/user_file.hpp"

#include <algorithm>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "io/selection.hpp"
#include "model/file/file_driver.hpp"
#include "store/file_part.hpp"
#include "store/file_store.hpp"

namespace filigree {

FileDriver::~FileDriver() = default;
bool FileDriver::read_selections(std::span<const SelectedRead>, BytesKind) { return false; }
bool FileDriver::write_selections(std::span<const SelectedWrite>, BytesKind) { return false; }
void FileDriver::lock(bool) {}
bool FileDriver::ctl(std::uint64_t, std::span<const std::byte>, std::span<std::byte>) { return false; }
bool FileDriver::accept(const DriverRecord&) { return false; }

std::uint64_t FileDriver::allocate(BytesKind, std::uint64_t) {
  throw Error(ErrorKind::internal, "a driver that says it allocates does not");
}

namespace model {
namespace {

BytesKind kind_of(io::MemoryType type) { return static_cast<BytesKind>(type); }
io::MemoryType type_of(BytesKind kind) { return static_cast<io::MemoryType>(kind); }

io::Capabilities capabilities_of(const DriverAbilities& able) {
  io::Capabilities can;
  can.vector_extents = std::max<std::size_t>(1, able.pieces);
  can.request_bytes = std::max<std::uint64_t>(1, able.bytes);
  can.address_end = std::min(able.end, io::largest_file_bytes);
  can.concurrent = able.concurrent;
  can.selections = able.selections;
  can.locks = able.locks;
  can.coalescing.read_gap_bytes = able.read_gap_bytes;
  can.coalescing.write_gap_bytes = able.write_gap_bytes;
  can.coalescing.merged_bytes = able.merged_bytes;
  return can;
}

DriverAbilities abilities_of(const io::Capabilities& can) {
  DriverAbilities able;
  able.pieces = can.vector_extents;
  able.bytes = can.request_bytes;
  able.end = can.address_end;
  able.threads = true;
  able.concurrent = can.concurrent;
  able.locks = can.locks;
  able.read_gap_bytes = can.coalescing.read_gap_bytes;
  able.write_gap_bytes = can.coalescing.write_gap_bytes;
  able.merged_bytes = can.coalescing.merged_bytes;
  return able;
}

DriverMode mode_of(io::OpenMode mode) {
  switch (mode) {
    case io::OpenMode::read_only:
      return DriverMode::read_only;
    case io::OpenMode::read_write:
      return DriverMode::read_write;
    case io::OpenMode::create_new:
      return DriverMode::create_new;
    case io::OpenMode::create_truncate:
      break;
  }
  return DriverMode::create_truncate;
}

/// What programs throw, as an Error.
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

/// A file of io/ in the shape of a driver.
class PlainDriver final : public FileDriver {
 public:
  explicit PlainDriver(std::unique_ptr<io::VirtualFile> file) : file_(std::move(file)) {}

  DriverAbilities abilities() const override { return abilities_of(file_->capabilities()); }
  void read(std::span<const DriverRead> pieces) override {
    std::vector<io::ReadExtent> extents;
    extents.reserve(pieces.size());
    for (const DriverRead& p : pieces) extents.push_back({p.offset, p.into, type_of(p.kind)});
    std::as_const(*file_).read(extents);
  }
  void write(std::span<const DriverWrite> pieces) override {
    std::vector<io::WriteExtent> extents;
    extents.reserve(pieces.size());
    for (const DriverWrite& p : pieces) extents.push_back({p.offset, p.from, type_of(p.kind)});
    file_->write(extents);
  }
  std::uint64_t size() override { return file_->size(); }
  void truncate(std::uint64_t bytes) override { file_->truncate(bytes); }
  void flush() override { file_->ctl({.op = io::ctl_op::write_back, .unknown = io::CtlUnknown::ignore}); }
  void sync() override { file_->sync(); }
  void close() override {
    if (file_->writable()) flush();
  }
  void lock(bool exclusive) override {
    file_->lock(exclusive ? io::LockKind::exclusive : io::LockKind::shared);
  }
  void unlock() override { file_->unlock(); }
  bool ctl(std::uint64_t op, std::span<const std::byte> input, std::span<std::byte> result) override {
    return file_->ctl({op, io::CtlUnknown::ignore, io::CtlRoute::to_terminal, input, result});
  }
  std::optional<int> descriptor() override { return model::descriptor(*file_); }

 private:
  std::unique_ptr<io::VirtualFile> file_;
};

}  // namespace

template <class Work>
decltype(auto) UserFile::call(Work&& work) const {
  if (driver_ == nullptr) throw Error(ErrorKind::closed, fmt::format("'{}' has been closed", path_));
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!threads_) lock.lock();
  return in_program(path_, [&]() -> decltype(auto) { return work(*driver_); });
}

UserFile::UserFile(std::string path, bool writable, std::unique_ptr<FileDriver> driver,
                   std::shared_ptr<const CustomDriver> opener)
    : path_(std::move(path)), writable_(writable), driver_(std::move(driver)), opener_(std::move(opener)) {
  const DriverAbilities able = in_program(path_, [&] { return driver_->abilities(); });
  capabilities_ = capabilities_of(able);
  threads_ = able.threads;
  allocates_ = able.allocates;
  blocks_metadata_ = able.metadata_blocks;
  blocks_small_data_ = able.small_data_blocks;
}

class UserFile::Allocator final : public store::DriverAllocator {
 public:
  Allocator(UserFile& file, std::uint64_t base) : file_(file), base_(base) {}

  std::uint64_t allocate(store::SpaceKind kind, std::uint64_t bytes) override {
    const std::uint64_t at =
        file_.call([&](FileDriver& driver) { return driver.allocate(bytes_kind(kind), bytes); });
    if (at < base_ && kind != store::SpaceKind::superblock) {
      throw Error(
          ErrorKind::unsupported,
          fmt::format("'{}': the driver has put new bytes at {}, within the user block", file_.path_, at));
    }
    return at - std::min(at, base_);
  }
  void extend(store::SpaceKind kind, std::uint64_t end) override {
    file_.call([&](FileDriver& driver) { driver.extend(bytes_kind(kind), base_ + end); });
  }
  void free(std::uint64_t at, std::uint64_t bytes) override {
    file_.call([&](FileDriver& driver) { driver.release(base_ + at, bytes); });
  }

 private:
  static BytesKind bytes_kind(store::SpaceKind kind) { return kind_of(store::memory_type_of(kind)); }

  UserFile& file_;
  const std::uint64_t base_;
};

std::shared_ptr<store::DriverAllocator> UserFile::allocator(std::uint64_t base) {
  if (!allocates_) return nullptr;
  return std::make_shared<Allocator>(*this, base);
}

UserFile::~UserFile() {
  try {
    close();
  } catch (...) {  // nobody is there to hear
  }
}

void UserFile::close() {
  if (driver_ == nullptr) return;
  const std::unique_ptr<FileDriver> last = std::move(driver_);
  in_program(path_, [&] { last->close(); });
}

std::uint64_t UserFile::size() const {
  const std::uint64_t bytes = call([](FileDriver& driver) { return driver.size(); });
  known_size_.store(bytes);
  return bytes;
}

std::optional<int> UserFile::descriptor() const {
  return call([](FileDriver& driver) { return driver.descriptor(); });
}

std::optional<DriverRecord> UserFile::record() const {
  return call([](FileDriver& driver) { return driver.record(); });
}

bool UserFile::accept(const DriverRecord& record) {
  return call([&](FileDriver& driver) { return driver.accept(record); });
}

void UserFile::do_read(std::span<const io::ReadExtent> extents) const {
  std::vector<DriverRead> pieces;
  pieces.reserve(extents.size());
  for (const io::ReadExtent& e : extents)
    if (!e.into.empty()) pieces.push_back({e.offset, e.into, kind_of(e.type)});
  if (pieces.empty()) return;
  call([&](FileDriver& driver) { driver.read(pieces); });
}

void UserFile::do_write(std::span<const io::WriteExtent> extents) {
  std::vector<DriverWrite> pieces;
  pieces.reserve(extents.size());
  for (const io::WriteExtent& e : extents)
    if (!e.from.empty()) pieces.push_back({e.offset, e.from, kind_of(e.type)});
  if (pieces.empty()) return;
  call([&](FileDriver& driver) { driver.write(pieces); });
}

bool UserFile::do_read_selections(std::span<const io::SelectionRead> pieces, io::MemoryType type) const {
  std::vector<SelectedRead> requests;
  for (const io::SelectionRead& p : pieces) {
    requests.push_back(
        {DriverSelection(*p.file), DriverSelection(*p.memory), p.offset, p.element_bytes, p.into});
  }
  return call([&](FileDriver& driver) { return driver.read_selections(requests, kind_of(type)); });
}

bool UserFile::do_write_selections(std::span<const io::SelectionWrite> pieces, io::MemoryType type) {
  std::vector<SelectedWrite> requests;
  for (const io::SelectionWrite& p : pieces) {
    requests.push_back(
        {DriverSelection(*p.file), DriverSelection(*p.memory), p.offset, p.element_bytes, p.from});
  }
  return call([&](FileDriver& driver) { return driver.write_selections(requests, kind_of(type)); });
}

void UserFile::do_truncate(std::uint64_t bytes) {
  known_size_.store(0);
  call([&](FileDriver& driver) { driver.truncate(bytes); });
}

void UserFile::do_sync() {
  call([](FileDriver& driver) { driver.sync(); });
}

void UserFile::do_lock(io::LockKind kind) {
  call([&](FileDriver& driver) { driver.lock(kind == io::LockKind::exclusive); });
}

void UserFile::do_unlock() {
  call([](FileDriver& driver) { driver.unlock(); });
}

bool UserFile::do_ctl(const io::CtlCall& asked) {
  if (asked.op == io::ctl_op::write_back) {
    call([](FileDriver& driver) { driver.flush(); });
    return true;
  }
  return call([&](FileDriver& driver) { return driver.ctl(asked.op, asked.input, asked.result); });
}

namespace {

io::LockPolicy lock_policy(Locking locking) {
  switch (locking) {
    case Locking::automatic:
      return io::effective_lock_policy(io::LockPolicy::writers);
    case Locking::off:
      return io::effective_lock_policy(io::LockPolicy::never);
    case Locking::on:
      break;
  }
  return io::effective_lock_policy(io::LockPolicy::required);
}

std::unique_ptr<io::VirtualFile> open_custom(const std::shared_ptr<const CustomDriver>& driver,
                                             const std::string& path, io::OpenMode mode,
                                             const AccessOptions& access) {
  if (!driver->open) throw Error(ErrorKind::invalid_argument, "CustomDriver::open is empty");
  std::unique_ptr<FileDriver> opened = in_program(path, [&] { return driver->open(path, mode_of(mode)); });
  if (opened == nullptr)
    throw Error(ErrorKind::io, fmt::format("'{}': the driver of the program opened nothing", path));
  const bool writing = mode != io::OpenMode::read_only;
  auto file = std::make_unique<UserFile>(path, writing, std::move(opened), driver);
  const io::LockPolicy policy = lock_policy(access.locking);
  const bool lock = policy != io::LockPolicy::never && (policy != io::LockPolicy::writers || writing);
  if (lock && file->capabilities().locks)
    file->lock(writing ? io::LockKind::exclusive : io::LockKind::shared);
  return with_log(std::move(file), access);
}

/// A number for every name, in the place of an inode on a device that does not exist.
struct CustomKey {
  static constexpr std::uint64_t device = ~std::uint64_t{0};
  std::uint64_t number = 0;
};

CustomKey key_of(const CustomDriver& driver, const std::string& path) {
  const std::string name = in_program(path, [&] { return driver.identity ? driver.identity(path) : path; });
  static std::mutex mutex;
  static auto* const numbers = new std::unordered_map<std::string, std::uint64_t>;  // never taken apart
  const std::lock_guard lock(mutex);
  return {numbers->try_emplace(name, numbers->size()).first->second};
}

}  // namespace

UserFile* find_user_file(const io::VirtualFile& file) {
  const io::VirtualFile* last = &file;
  while (last->next() != nullptr) last = last->next();
  return const_cast<UserFile*>(dynamic_cast<const UserFile*>(last));
}

std::shared_ptr<File> open_through(const std::shared_ptr<const CustomDriver>& driver, const std::string& path,
                                   OpenMode mode, const AccessOptions& access, std::shared_ptr<FileSet> set) {
  if (!set) set = access.files ? access.files : std::make_shared<FileSet>();
  const CustomKey key = key_of(*driver, path);
  if (auto file = set->find(CustomKey::device, key.number)) return file;
  const auto how = mode == OpenMode::read_only ? io::OpenMode::read_only : io::OpenMode::read_write;
  auto file = File::open(open_custom(driver, path, how, access), access, set);
  set->add(CustomKey::device, key.number, file);
  return file;
}

std::shared_ptr<File> create_through(const std::shared_ptr<const CustomDriver>& driver,
                                     const std::string& path, CreateMode mode, const CreateOptions& options,
                                     const AccessOptions& access) {
  const bool exclusive = mode == CreateMode::exclusive;
  check_create_options(options, access);  // before an old file is emptied
  const CustomKey key = key_of(*driver, path);
  if (access.files && access.files->find(CustomKey::device, key.number)) {
    throw Error(exclusive ? ErrorKind::already_exists : ErrorKind::locked,
                fmt::format("'{}' is open already, so it cannot be made anew", path));
  }
  auto bytes =
      open_custom(driver, path, exclusive ? io::OpenMode::create_new : io::OpenMode::create_truncate, access);
  try {
    auto file = File::create(std::move(bytes), options, access);
    file->set()->add(CustomKey::device, key.number, file);
    return file;
  } catch (...) {
    if (exclusive && driver->remove) driver->remove(path);
    throw;
  }
}

std::shared_ptr<File> open_linked(const File& of, const std::string& path, OpenMode mode) {
  const UserFile* const user = find_user_file(of.store().file());
  if (user != nullptr && user->opener() != nullptr)
    return open_through(user->opener(), path, mode, of.access(), of.set());
  const unsigned attempts = mode == OpenMode::read_only ? of.swmr_read_attempts() : 0;
  return File::open_path(path, mode, linked_access(of.access()), of.set(), attempts);
}

std::unique_ptr<FileDriver> as_driver(std::unique_ptr<io::VirtualFile> file) {
  return std::make_unique<PlainDriver>(std::move(file));
}

}  // namespace model
}  // namespace filigree
