// SPDX-License-Identifier: Apache-2.0
#include "model/file/file_driver.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "io/drivers.hpp"
#include "io/user/user_driver_file.hpp"
#include "io/virtual_file.hpp"
#include "model/file/file.hpp"
#include "store/file_store.hpp"
#include "store/space/driver_allocator.hpp"

namespace filigree::model {
namespace {

/// Space that the driver allocates.
class Allocator final : public store::DriverAllocator {
 public:
  Allocator(io::VirtualFile& file, std::uint64_t base) : file_(file), base_(base) {}

  std::uint64_t allocate(store::SpaceKind kind, std::uint64_t bytes) override {
    const std::uint64_t at = file_.allocate(store::memory_type_of(kind), bytes);
    if (at < base_ && kind != store::SpaceKind::superblock) {
      throw Error(
          ErrorKind::unsupported,
          fmt::format("'{}': the driver has put new bytes at {}, within the user block", file_.name(), at));
    }
    return at - std::min(at, base_);
  }
  void extend(store::SpaceKind kind, std::uint64_t end) override {
    file_.extend_allocation(store::memory_type_of(kind), base_ + end);
  }
  void free(std::uint64_t at, std::uint64_t bytes) override { file_.release_allocation(base_ + at, bytes); }

 private:
  io::VirtualFile& file_;
  const std::uint64_t base_;
};

}  // namespace

std::optional<DriverInfo> driver_info(const io::VirtualFile& file,
                                      const std::vector<store::FilePart>& parts) {
  std::vector<io::AddressRange> used;
  for (const store::FilePart& part : parts) used.push_back({part.first, part.end});
  return file.driver_info(used);
}

void apply_driver_info(io::VirtualFile& file, const DriverInfo& stored) {
  if (file.accept_driver_info(stored)) return;
  throw Error(ErrorKind::unsupported,
              fmt::format("the file is one part of several: it needs {}", io::needed_driver(stored)));
}

void require_no_driver_info(const io::VirtualFile& file) {
  if (!file.requires_driver_info()) return;
  throw Error(
      ErrorKind::unsupported,
      "the file does not say that its elements are in a file of their own: the split and multi drivers "
      "cannot read it");
}

std::shared_ptr<store::DriverAllocator> driver_allocator(io::VirtualFile& file, std::uint64_t base) {
  if (!file.capabilities().allocates) return nullptr;
  return std::make_shared<Allocator>(file, base);
}

std::shared_ptr<File> open_linked(const File& of, const std::string& path, OpenMode mode) {
  of.require_one_process("follow links to other files");
  const bool swmr = mode == OpenMode::read_only && !has_driver_paths(of);
  return File::open_path(path, mode, io::linked_access(of.name(), of.access()), of.set(),
                         swmr ? of.swmr_read_attempts() : 0);
}

bool has_driver_paths(const File& of) { return io::find_user_driver_file(of.store().file()) != nullptr; }

}  // namespace filigree::model
