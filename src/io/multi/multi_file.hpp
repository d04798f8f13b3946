// SPDX-License-Identifier: Apache-2.0
//
// One file for each memory type, as HDF5's multi driver stores it, and its simple form, split: metadata in
// one file, raw data in another.
#pragma once

#include <array>

#include "format/messages/file_messages.hpp"
#include "io/multi/routed_file.hpp"

namespace filigree::io {

/// Which memory types share a file, and where in the address space each file begins. The driver information
/// of the file format stores the same.
struct MultiLayout {
  /// For the memory types superblock to object_header (1 to 6): the type whose file is used; 0 for its own.
  std::array<std::uint8_t, 6> map{};
  struct Member {
    std::uint64_t first = 0;    ///< its first address
    std::string name_template;  ///< "%s" is replaced by the name of the set
  };
  /// One for each file, in the order of their first use in `map`.
  std::vector<Member> members;

  /// Metadata in "%s-m.h5", raw data and global heaps in "%s-r.h5".
  static MultiLayout split(std::string metadata = "%s-m.h5", std::string raw = "%s-r.h5");
  /// Every memory type in its own file: "%s-s.h5" and so on.
  static MultiLayout multi();
};

/// An address belongs to the member with the greatest first address that is not larger. *Throws*: reading
/// between the end of one member and the first address of the next throws Error(truncated). Extents are
/// routed by their address alone; their memory type only says where new space is allocated.
class MultiFile : public RoutedFile {
 public:
  /// A set that is opened for reading may lack members other than the superblock's: what they hold cannot be
  /// read. *Throws*: Error(corrupt) for an inconsistent layout, which may come from a file.
  MultiFile(const std::string& base, const MultiLayout& layout, DriverOpenMode mode,
            const MemberOpener& open_member = posix_members());

  /// The address after the last byte of the last member that has bytes.
  std::uint64_t size() const override;
  AddressRange addresses(MemoryType type) const override;
  std::uint64_t end_of_file(MemoryType type) const override;
  std::uint64_t allocation_end(MemoryType type) const override;
  void set_allocation_end(MemoryType type, std::uint64_t end) override;

  std::optional<DriverInfo> driver_info(std::span<const AddressRange> used) const override;
  bool accept_driver_info(const DriverInfo& stored) override;
  bool requires_driver_info() const override { return true; }

  const MultiLayout& layout() const { return layout_; }
  /// The allocated bytes of every member, in the order of the layout, as in the driver information.
  std::vector<std::uint64_t> allocated_bytes() const;

 private:
  struct Member {
    AddressRange range;
    std::unique_ptr<VirtualFile> file;
  };

  MemberLocation find_member(std::uint64_t address) const override;
  void create_members(std::uint64_t) override {}
  bool reaches(std::uint64_t bytes) const override;
  void do_truncate(std::uint64_t bytes) override;
  void do_truncate_to_allocation() override;
  void do_sync() override;
  void do_lock(LockKind kind) override;
  void do_unlock() override;

  std::unique_ptr<VirtualFile> open_or_miss(std::size_t member, DriverOpenMode mode,
                                            const MemberOpener& open_member);
  /// Whether stored information describes these members, at the same addresses.
  bool has_members(const format::MultiDriverInfo& info) const;
  const Member& member_of(MemoryType type) const {
    return members_[of_type_[static_cast<std::size_t>(type)]];
  }
  const Member& member_at(std::uint64_t address) const;
  template <class Work>
  void for_all(Work work) const;

  MultiLayout layout_;
  std::vector<Member> members_;                      ///< in the order of the layout
  std::vector<std::size_t> by_address_;              ///< indices of members_
  std::array<std::size_t, memory_types> of_type_{};  ///< indices of members_; unspecified: as superblock
};

/// Metadata in `base`-m.h5, raw data in `base`-r.h5.
std::unique_ptr<MultiFile> open_split(const std::string& base, DriverOpenMode mode);

}  // namespace filigree::io
