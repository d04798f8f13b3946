// SPDX-License-Identifier: Apache-2.0
//
// One file for each kind of bytes, as stock's multi driver has it, and its simple form, split: metadata in
// one file, raw data in another.
#pragma once

#include <array>

#include "io/multi/routed_file.hpp"

namespace filigree::io {

/// Which kinds share a file, and where in the address space each file begins. As in the driver information of
/// the format.
struct MultiLayout {
  /// For the kinds superblock to object_header, numbered 1 to 6: the kind whose file is used; 0: its own.
  std::array<std::uint8_t, 6> map{};
  struct Member {
    std::uint64_t first = 0;    ///< its first address
    std::string name_template;  ///< "%s" stands for the name of the set
  };
  /// One for each file, in the order in which the map names them first.
  std::vector<Member> members;

  /// Metadata in "%s-m.h5", raw data and global heaps in "%s-r.h5".
  static MultiLayout split(std::string metadata = "%s-m.h5", std::string raw = "%s-r.h5");
  /// Every kind in a file of its own: "%s-s.h5" and so on.
  static MultiLayout multi();
};

/// An address lives in the member with the greatest first address that is not beyond it. The space between
/// the end of one member and the first address of the next holds nothing: reading there throws
/// Error(truncated). Extents are placed by their address alone; their type says where to allocate.
class MultiFile : public RoutedFile {
 public:
  /// Throws Error(corrupt) for a layout that makes no sense: it may come from a file.
  MultiFile(const std::string& base, const MultiLayout& layout, OpenMode mode,
            const MemberOpener& open_member = posix_members());

  /// Where the bytes of the last member that has any end.
  std::uint64_t size() const override;
  AddressRange addresses(MemoryType type) const override;
  std::uint64_t end_of_file(MemoryType type) const override;
  std::uint64_t allocation_end(MemoryType type) const override;
  void set_allocation_end(MemoryType type, std::uint64_t end) override;

  const MultiLayout& layout() const { return layout_; }
  /// Allocated bytes of every member, in the order of the layout, as the driver information has them.
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

  const Member& member_of(MemoryType type) const {
    return members_[of_type_[static_cast<std::size_t>(type)]];
  }
  const Member& member_at(std::uint64_t address) const;
  template <class Work>
  void for_all(Work work) const;

  const MultiLayout layout_;
  std::vector<Member> members_;                      ///< in the order of the layout
  std::vector<std::size_t> by_address_;              ///< numbers of members_
  std::array<std::size_t, memory_types> of_type_{};  ///< numbers of members_; unspecified: as superblock
};

/// Metadata in `base`-m.h5, raw data in `base`-r.h5.
std::unique_ptr<MultiFile> open_split(const std::string& base, OpenMode mode);

}  // namespace filigree::io
