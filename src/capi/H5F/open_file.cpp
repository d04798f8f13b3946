// SPDX-License-Identifier: Apache-2.0
#include "capi/H5F/open_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <list>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5ES/operations.hpp"
#include "capi/H5F/file_ids.hpp"
#include "capi/H5F/mdc_config.hpp"
#include "capi/H5F/mdc_log.hpp"
#include "capi/H5F/write_marks.hpp"
#include "capi/H5FD/file_sets.hpp"
#include "capi/H5FD/image_driver.hpp"
#include "capi/H5FD/user_driver.hpp"
#include "capi/H5P/options.hpp"

namespace filigree::capi {
namespace {

/// All open files. The mutex is held while files are opened and closed, so that two threads never open one
/// file independently.
struct Registry {
  Mutex mutex;
  std::vector<std::weak_ptr<OpenFile>> opens FILIGREE_GUARDED_BY(mutex);
  const FileSet files = make_file_set();
  unsigned long next_number FILIGREE_GUARDED_BY(mutex) = 1;
};

Registry& registry() {
  static auto* const made = new Registry;  // outlives everything that closes ids at exit
  return *made;
}

Code cannot_open() { return {&H5E_FILE_g, &H5E_CANTOPENFILE_g}; }

int error_number(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::not_found:
      return ENOENT;
    case ErrorKind::permission:
      return EACCES;
    case ErrorKind::already_exists:
      return EEXIST;
    default:
      return 0;
  }
}

/// Programs search the text of the error for the error number.
[[noreturn]] void refuse_open(const Error& error, const std::string& path, unsigned flags) {
  if (error.kind() == ErrorKind::locked) {
    throw NestedFailure({&H5E_VFL_g, &H5E_CANTLOCKFILE_g},
                        fmt::format("unable to lock file, errno = {}, error message = '{}': {}", EAGAIN,
                                    std::strerror(EAGAIN), error.what()));
  }
  if (const int number = error_number(error.kind()); number != 0) {
    throw NestedFailure(cannot_open(),
                        fmt::format("unable to open file: name = '{}', errno = {}, error message = '{}', "
                                    "flags = {:x}",
                                    path, number, std::strerror(number), flags));
  }
  throw error;
}

AccessOptions options_of(const FileAccessSettings& access, unsigned flags) {
  AccessOptions options = access_options(access);
  options.files = registry().files;
  if ((flags & flags::swmr_write) != 0) {
    options.versions.low = std::max(options.versions.low, Version::v1_10);
    options.versions.high = std::max(options.versions.high, Version::v1_10);
  }
  return options;
}

bool has_feature(const FileAccessSettings& access, unsigned long feature) {
  unsigned long features = 0;
  const auto query = driver_of(access.driver)->functions.query;
  return query != nullptr && query(nullptr, &features) >= 0 && (features & feature) != 0;
}

/// The user-defined driver of the settings, or the one for images. *Throws* Failure for an image that the
/// driver cannot begin with.
std::optional<UserDriver> chosen_user_driver(const FileAccessSettings& access) {
  if (!access.image.empty() && !has_feature(access, H5FD_FEAT_ALLOW_FILE_IMAGE))
    throw NestedFailure({&H5E_VFL_g, &H5E_UNSUPPORTED_g}, "file image set, but not supported.");
  auto images = image_driver(access);
  return images ? images : user_driver(access);
}

/// Checks that the driver supports SWMR.
void require_swmr_driver(const FileAccessSettings& access, unsigned flags) {
  if ((flags & (flags::swmr_read | flags::swmr_write)) == 0) return;
  if (!has_feature(access, H5FD_FEAT_SUPPORTS_SWMR_IO))
    throw NestedFailure({&H5E_FILE_g, &H5E_BADVALUE_g},
                        "must use a SWMR-compatible VFD when SWMR is specified");
}

constexpr unsigned usual_attempts = 100;

std::shared_ptr<SharedFile> find_shared(const File& file) FILIGREE_REQUIRES(registry().mutex) {
  for (const auto& weak : registry().opens) {
    if (const auto open = weak.lock(); open != nullptr && open->file == file) return open->shared;
  }
  return nullptr;
}

H5F_close_degree_t degree_of(const FileAccessSettings& access) {
  if (access.close_degree != H5F_CLOSE_DEFAULT) return access.close_degree;
  const H5F_close_degree_t usual = driver_of(access.driver)->functions.fc_degree;
  return usual == H5F_CLOSE_DEFAULT ? H5F_CLOSE_WEAK : usual;
}

/// Whether files are locked. The environment overrides the property list.
bool uses_locks(const FileAccessSettings& access) {
  const char* const text = std::getenv("HDF5_USE_FILE_LOCKING");
  const std::string_view value = text == nullptr ? "" : text;
  if (value == "FALSE" || value == "0") return false;
  return value == "TRUE" || value == "1" || value == "BEST_EFFORT" || access.use_locking;
}

/// *Throws* Failure for settings that contradict those with which the file is open.
void check_shared_settings(const SharedFile& shared, const FileAccessSettings& access) {
  const Code refused{&H5E_FILE_g, &H5E_CANTINIT_g};
  if (degree_of(access) != shared.close_degree)
    throw NestedFailure(refused, "file close degree doesn't match that of the open file");
  if (uses_locks(access) != shared.locks)
    throw NestedFailure(refused, "the file is open with another choice of file locking");
}

/// Returns the OpenFile of a file that was just opened, perhaps not for the first time.
std::shared_ptr<OpenFile> register_open(const File& file, const std::string& path, bool writable,
                                        std::shared_ptr<const FileAccessSettings> access, bool match_degree)
    FILIGREE_REQUIRES(registry().mutex) {
  std::shared_ptr<SharedFile> shared = find_shared(file);
  if (shared == nullptr) {
    shared =
        std::make_shared<SharedFile>(file, path, writable ? flags::read_write : flags::read_only, *access);
  } else if (match_degree) {
    check_shared_settings(*shared, *access);
  }
  auto open = std::make_shared<OpenFile>(std::move(shared), path, without_driver_info(std::move(access)));
  std::erase_if(registry().opens, [](const auto& weak) { return weak.expired(); });
  registry().opens.push_back(open);
  return open;
}

File open_core(const std::string& path, unsigned flags, const FileAccessSettings& access) {
  const bool writable = (flags & flags::read_write) != 0;
  const OpenMode mode = writable ? OpenMode::read_write : OpenMode::read_only;
  const AccessOptions options = options_of(access, flags);
  const auto driver = chosen_user_driver(access);
  if (!driver) require_all_members(access, path);
  try {
    if (driver) return open_through(*driver, path, mode, options);
    if ((flags & flags::swmr_read) != 0) {
      const unsigned attempts = access.metadata_read_attempts;
      return File::open_swmr(path, options, attempts == 0 ? usual_attempts : attempts);
    }
    File opened = File::open(path, mode, options);
    // The file with the header of the root group may be missing, which HDF5 finds out now.
    if (is_file_set(access)) (void)opened.root().tracks_times();
    return opened;
  } catch (const Error& error) {
    std::error_code ignored;
    // An empty file that is opened for writing is a new file.
    if (error.kind() == ErrorKind::not_hdf5 && writable && std::filesystem::file_size(path, ignored) == 0)
      return driver ? create_through(*driver, path, CreateMode::truncate, {}, options)
                    : File::create(path, CreateMode::truncate, {}, options);
    if (error.kind() == ErrorKind::read_only)
      throw NestedFailure(cannot_open(), "file is already open for read-only");
    // HDF5 locks files before it looks at the mark, for reading as well.
    if (is_marked(error) && !(uses_locks(access) && is_locked_for_writing(path)))
      throw NestedFailure(cannot_open(), error.what());
    refuse_open(error, path, flags);
  }
}

/// Checks that a file that is already open has the SWMR mode that `wanted` asks for.
void check_swmr_flags(unsigned requested, const SharedFile& shared) {
  const unsigned has = shared.intent | shared.swmr_flags.load();
  if ((requested & flags::swmr_write) != 0 && (has & flags::swmr_write) == 0)
    throw NestedFailure(cannot_open(), "SWMR write access flag not the same for file that is already open");
  if ((requested & flags::swmr_read) != 0 &&
      (has & (flags::swmr_write | flags::swmr_read | flags::read_write)) == 0)
    throw NestedFailure(cannot_open(), "SWMR read access flag not the same for file that is already open");
}

/// Starts SWMR access to a file that was just opened or created.
void start_swmr(File& file, SharedFile& shared, unsigned requested) {
  if ((requested & flags::swmr_write) != 0) {
    try {
      file.start_swmr_write();
    } catch (const Error& error) {
      throw NestedFailure({&H5E_FILE_g, &H5E_BADVALUE_g}, error.what());
    }
  }
  shared.swmr_flags = requested & (flags::swmr_write | flags::swmr_read);
}

/// A driver that fails to close its file counts as closed.
void flush_unless_closed(File& file) {
  try {
    file.flush();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::closed) throw;
  }
}

}  // namespace

SharedFile::SharedFile(File opened, const std::string& path, unsigned how, const FileAccessSettings& access)
    : file(std::move(opened)),
      intent(how),
      number(registry().next_number++),
      close_degree(degree_of(access)),
      locks(uses_locks(access)),
      order(file_order(path)) {}

std::shared_ptr<OpenFile> SharedFile::mounted_on(std::uint64_t address) const {
  if (!has_mounts_.load()) return nullptr;
  const MutexLock lock(mutex_);
  const auto found = mounts_.find(address);
  return found == mounts_.end() ? nullptr : found->second;
}

bool SharedFile::mount(std::uint64_t address, std::shared_ptr<OpenFile> child) {
  const MutexLock lock(mutex_);
  const bool fresh = mounts_.try_emplace(address, std::move(child)).second;
  has_mounts_ = true;
  return fresh;
}

bool SharedFile::unmount(const OpenFile& child) {
  const MutexLock lock(mutex_);
  const auto removed =
      std::erase_if(mounts_, [&](const auto& entry) { return entry.second.get() == &child; });
  has_mounts_ = !mounts_.empty();
  return removed > 0;
}

std::vector<std::shared_ptr<OpenFile>> SharedFile::mounted() const {
  std::vector<std::shared_ptr<OpenFile>> found;
  if (!has_mounts_.load()) return found;
  const MutexLock lock(mutex_);
  for (const auto& [address, child] : mounts_) found.push_back(child);
  return found;
}

OpenFile::OpenFile(std::shared_ptr<SharedFile> with, std::string path,
                   std::shared_ptr<const FileAccessSettings> how)
    : shared(std::move(with)),
      file(shared->file),
      intent(shared->intent),
      name(std::move(path)),
      access(std::move(how)) {
  shared->opens.fetch_add(1);
}

OpenFile::~OpenFile() {
  if (!closed_) shared->opens.fetch_sub(1);
}

std::shared_ptr<OpenFile> OpenFile::open(const std::string& path, unsigned flags,
                                         std::shared_ptr<const FileAccessSettings> access,
                                         bool match_degree) {
  const MutexLock lock(registry().mutex);
  require_swmr_driver(*access, flags);
  File opened = open_core(path, flags, *access);
  const auto had = find_shared(opened);
  if (had != nullptr) check_swmr_flags(flags, *had);
  auto open = register_open(opened, path, opened.writable(), std::move(access), match_degree);
  if (had == nullptr) {
    start_mdc(*open);
    start_mdc_log(*open);
    start_swmr(opened, *open->shared, flags);
  }
  return open;
}

std::shared_ptr<OpenFile> OpenFile::create(const std::string& path, unsigned flags,
                                           const FileCreationSettings& creation,
                                           std::shared_ptr<const FileAccessSettings> access) {
  const MutexLock lock(registry().mutex);
  const CreateMode mode = (flags & flags::truncate) != 0 ? CreateMode::truncate : CreateMode::exclusive;
  require_swmr_driver(*access, flags);
  try {
    const AccessOptions options = options_of(*access, flags);
    const auto driver = chosen_user_driver(*access);
    File made = driver ? create_through(*driver, path, mode, create_options(creation), options)
                       : File::create(path, mode, create_options(creation), options);
    auto open = register_open(made, path, true, std::move(access), true);
    open->shared->kept_names = creation.kept_names();
    start_mdc(*open);
    start_mdc_log(*open);
    start_swmr(made, *open->shared, flags);
    return open;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::locked &&
        std::string_view(error.what()).find("open already") != std::string_view::npos)
      throw NestedFailure(cannot_open(), "unable to truncate a file which is already open");
    refuse_open(error, path, flags);
  }
}

std::shared_ptr<OpenFile> OpenFile::of(const Object& object) {
  const File requested = object.file();
  const MutexLock lock(registry().mutex);
  for (const auto& weak : registry().opens)
    if (auto open = weak.lock(); open != nullptr && open->is_open() && open->file == requested) return open;
  return nullptr;
}

std::shared_ptr<OpenFile> OpenFile::again() const {
  const MutexLock lock(registry().mutex);
  return register_open(file, name, intent == flags::read_write, access, false);
}

void OpenFile::start_swmr_write() {
  const Code refused{&H5E_FILE_g, &H5E_BADVALUE_g};
  if (intent != flags::read_write) throw NestedFailure(refused, "no write intent on file");
  if (file.info().superblock_version < 3)
    throw NestedFailure(refused, "file superblock version - should be at least 3");
  if ((shared->swmr_flags.load() & flags::swmr_write) != 0)
    throw NestedFailure(refused, "file already in SWMR writing mode");
  if (!ids_in(this, H5F_OBJ_ATTR | H5F_OBJ_DATATYPE).empty())
    throw NestedFailure(refused, "named datatypes and/or attributes opened in the file");
  start_swmr(file, *shared, flags::swmr_write);
}

bool OpenFile::hold_object(std::uint64_t address) {
  bool added = false;
  shared->held_objects.change([&](auto& held) { added = held.insert(address).second; });
  if (added) file.hold_metadata();
  return added;
}

bool OpenFile::release_object(std::uint64_t address) {
  bool removed = false;
  shared->held_objects.change([&](auto& held) { removed = held.erase(address) > 0; });
  if (removed) file.release_metadata();
  return removed;
}

void OpenFile::refresh() {
  // A writer sees its own changes without a refresh.
  if (intent != flags::read_write) file.refresh();
}

void OpenFile::add_user() {
  const MutexLock lock(mutex_);
  if (closed_) shared->opens.fetch_add(1);  // through another OpenFile it may still be open
  closed_ = false;
  users_.fetch_add(1);
}

void OpenFile::remove_user() {
  // Flushing takes the longest, and runs without the lock of the registry.
  if (users_.load() == 1 && shared->opens.load() == 1 && intent == flags::read_write)
    flush_unless_closed(file);
  end_use(1);
}

void OpenFile::close_unused() { end_use(0); }

/// Removes `users` users, and closes the files of the hierarchy if no others are left.
void OpenFile::end_use(int users) {
  {
    const MutexLock lock(mutex_);
    if (users_.load() > users) {  // then the hierarchy has other users
      users_.fetch_sub(users);
      return;
    }
  }
  std::vector<std::shared_ptr<OpenFile>> all;  // released after the locks
  const MutexLock lock(registry().mutex);
  all = topmost()->mounted_below();
  std::list<MutexLock> locks;
  int others = -users;
  for (const auto& one : all) {
    locks.emplace_back(one->mutex_);
    others += one->users();
  }
  if (others == 0) close_hierarchy(all);
  users_.fetch_sub(users);
}

/// Unmounts and closes the files. This one is last: if another one fails, it is closed all the same.
void OpenFile::close_hierarchy(const std::vector<std::shared_ptr<OpenFile>>& all) {
  for (const auto& one : all) {
    if (const auto above = one->parent()) above->shared->unmount(*one);
    one->set_parent(nullptr);
  }
  std::exception_ptr failure;
  for (const auto& one : all) {
    try {
      if (one.get() != this) one->close_file();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  close_file();
  if (failure) std::rethrow_exception(failure);
}

void OpenFile::close_file() {
  if (closed_) return;
  if (shared->opens.load() == 1) {
    file.close();
    if (shared->mdc_log != nullptr) shared->mdc_log->finish();
  }
  shared->opens.fetch_sub(1);
  closed_ = true;
}

hid_t OpenFile::retain_id() {
  if (const hid_t id = id_.load(); id != H5I_INVALID_HID) {
    try {
      ids().retain(id);
      return id;
    } catch (const Failure&) {  // another thread is closing it
    }
  }
  const hid_t id = ids().add(std::make_shared<FileHandle>(shared_from_this()));
  id_ = id;
  return id;
}

void OpenFile::forget_id() { id_ = H5I_INVALID_HID; }

std::shared_ptr<OpenFile> OpenFile::parent() const {
  const MutexLock lock(parent_mutex_);
  return parent_;
}

void OpenFile::set_parent(std::shared_ptr<OpenFile> parent, std::string mount_point) {
  const MutexLock lock(parent_mutex_);
  parent_.swap(parent);  // the former one is released without the lock
  mount_point_ = std::move(mount_point);
}

std::string OpenFile::mount_path() const {
  std::shared_ptr<OpenFile> above;
  std::string point;
  {
    const MutexLock lock(parent_mutex_);
    above = parent_;
    point = mount_point_;
  }
  if (above == nullptr) return "";
  return point == "/" ? above->mount_path() : above->mount_path() + point;
}

std::vector<std::shared_ptr<OpenFile>> OpenFile::mounted_below() {
  std::vector<std::shared_ptr<OpenFile>> all{shared_from_this()};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (auto& child : all[i]->shared->mounted())
      if (child->parent() == all[i]) all.push_back(std::move(child));
  }
  return all;
}

FileOrders OpenFile::orders() {
  FileOrders found;
  for (const auto& one : topmost()->mounted_below()) found.push_back(one->shared->order);
  return found;
}

Group OpenFile::root() {
  {
    const MutexLock lock(parent_mutex_);
    if (root_) return *root_;
  }
  Group root = file.root();
  const MutexLock lock(parent_mutex_);
  root_.emplace(root);
  return root;
}

std::shared_ptr<OpenFile> OpenFile::topmost() {
  std::shared_ptr<OpenFile> top = shared_from_this();
  while (auto above = top->parent()) top = std::move(above);
  return top;
}

std::shared_ptr<OpenFile> in_use(const std::shared_ptr<OpenFile>& open) {
  struct Use {
    std::shared_ptr<OpenFile> file;
    explicit Use(std::shared_ptr<OpenFile> used) : file(std::move(used)) { file->add_user(); }
    ~Use() {
      try {
        file->remove_user();
      } catch (...) {  // There is nowhere left to report to.
      }
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
  };
  const auto use = std::make_shared<Use>(open->shared_from_this());
  return {use, open.get()};
}

}  // namespace filigree::capi
