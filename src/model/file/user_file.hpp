// SPDX-License-Identifier: Apache-2.0
//
// Drivers of programs as files of io/, and the reverse.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <filigree/driver.hpp>

#include "io/posix/posix_file.hpp"
#include "io/virtual_file.hpp"
#include "model/file/file.hpp"
#include "store/space/driver_allocator.hpp"

namespace filigree::model {

/// Takes care of threads where the driver does not, and of exceptions that are none of ours.
class UserFile final : public io::VirtualFile {
 public:
  /// `opener` is what files that links lead to are opened through.
  UserFile(std::string path, bool writable, std::unique_ptr<FileDriver> driver,
           std::shared_ptr<const CustomDriver> opener = nullptr);
  /// Closes what was not closed.
  ~UserFile() override;

  std::uint64_t size() const override;
  const std::string& name() const override { return path_; }
  bool writable() const override { return writable_; }
  const io::Capabilities& capabilities() const override { return capabilities_; }

  FileDriver* driver() const { return driver_.get(); }
  const std::shared_ptr<const CustomDriver>& opener() const { return opener_; }
  bool blocks_metadata() const { return blocks_metadata_; }
  bool blocks_small_data() const { return blocks_small_data_; }
  /// Where the driver puts new space, for positions behind `base`; null when it leaves that to the library.
  std::shared_ptr<store::DriverAllocator> allocator(std::uint64_t base);
  std::optional<int> descriptor() const;
  std::optional<DriverRecord> record() const;
  bool accept(const DriverRecord& record);
  /// Once; on failure it is closed too.
  void close();

 private:
  class Allocator;
  bool reaches(std::uint64_t bytes) const override { return bytes <= known_size_.load() || bytes <= size(); }
  void do_read(std::span<const io::ReadExtent> extents) const override;
  void do_write(std::span<const io::WriteExtent> extents) override;
  bool do_read_selections(std::span<const io::SelectionRead> pieces, io::MemoryType type) const override;
  bool do_write_selections(std::span<const io::SelectionWrite> pieces, io::MemoryType type) override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;
  void do_lock(io::LockKind kind) override;
  void do_unlock() override;
  bool do_ctl(const io::CtlCall& call) override;

  /// Runs `work(driver)`, alone where the driver needs that.
  template <class Work>
  decltype(auto) call(Work&& work) const;

  const std::string path_;
  const bool writable_;
  std::unique_ptr<FileDriver> driver_;  ///< null once closed
  std::shared_ptr<const CustomDriver> opener_;
  io::Capabilities capabilities_;
  bool threads_ = false;
  bool allocates_ = false, blocks_metadata_ = true, blocks_small_data_ = true;
  mutable std::mutex mutex_;
  mutable std::atomic<std::uint64_t> known_size_{0};  ///< the file has at least these bytes
};

/// What a file's bytes are kept by, when that is a driver of the program.
UserFile* find_user_file(const io::VirtualFile& file);

/// As File::open_path() and File::create_path().
std::shared_ptr<File> open_through(const std::shared_ptr<const CustomDriver>& driver, const std::string& path,
                                   OpenMode mode, const AccessOptions& access,
                                   std::shared_ptr<FileSet> set = nullptr);
std::shared_ptr<File> create_through(const std::shared_ptr<const CustomDriver>& driver,
                                     const std::string& path, CreateMode mode, const CreateOptions& options,
                                     const AccessOptions& access);
/// The file that a link or a mapping in `of` leads to, by the same driver where that can be.
std::shared_ptr<File> open_linked(const File& of, const std::string& path, OpenMode mode);

/// `file`, with the log before it that the options ask for.
std::unique_ptr<io::VirtualFile> with_log(std::unique_ptr<io::VirtualFile> file, const AccessOptions& access);

/// A file of io/ for drivers of programs.
std::unique_ptr<FileDriver> as_driver(std::unique_ptr<io::VirtualFile> file);

}  // namespace filigree::model
