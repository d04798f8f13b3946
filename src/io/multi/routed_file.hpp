// SPDX-License-Identifier: Apache-2.0
//
// One address space over several files: the base of the family and multi drivers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/posix/posix_file.hpp"
#include "io/virtual_file.hpp"

namespace filigree::io {

/// Opens a member, through any driver.
using MemberOpener =
    std::function<std::unique_ptr<VirtualFile>(const std::string& path, DriverOpenMode mode)>;
MemberOpener posix_members(PosixOptions options = {});

/// Divides requests by member. Members work concurrently where their drivers can, and every failure is
/// reported. It is a terminal driver: each member merges small extents itself.
class RoutedFile : public VirtualFile {
 public:
  const std::string& name() const override { return name_; }
  bool writable() const override { return writable_; }
  const DriverCapabilities& capabilities() const override { return capabilities_; }

 protected:
  RoutedFile(std::string name, bool writable, std::uint64_t address_end);

  /// The member and offset of an address, and how many contiguous bytes follow there.
  struct MemberLocation {
    VirtualFile* member = nullptr;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  void allow_concurrency() { capabilities_.concurrent = true; }

 private:
  /// *Requires*: for reading, the bytes exist. *Thread safety*: yes.
  virtual MemberLocation find_member(std::uint64_t address) const = 0;
  /// Creates the members that a write up to `end` needs.
  virtual void create_members(std::uint64_t end) = 0;

  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  std::unique_ptr<Pending> do_start_read(std::span<const ReadExtent> extents) const override;
  std::unique_ptr<Pending> do_start_write(std::span<const WriteExtent> extents) override;

  template <class Extent>
  struct MemberRequest {
    VirtualFile* member;
    std::vector<Extent> extents;
  };
  template <class Extent>
  std::vector<MemberRequest<Extent>> route(std::span<const Extent> extents) const;

  const std::string name_;
  const bool writable_;
  DriverCapabilities capabilities_;
};

}  // namespace filigree::io
