// SPDX-License-Identifier: Apache-2.0
//
// A member of a file set that does not exist.
#pragma once

#include <string>

#include "io/virtual_file.hpp"

namespace filigree::io {

/// Replaces a missing member of a set that is open for reading. It has as many bytes as the set records for
/// the member, and *throws* Error(not_found) where they are read.
class AbsentFile : public VirtualFile {
 public:
  explicit AbsentFile(std::string path) : path_(std::move(path)) {}

  std::uint64_t size() const override { return bytes_; }
  const std::string& name() const override { return path_; }
  bool writable() const override { return false; }
  void set_allocation_end(MemoryType, std::uint64_t end) override { bytes_ = end; }

 private:
  [[noreturn]] void refuse() const;
  void do_read(std::span<const ReadExtent>) const override { refuse(); }
  void do_write(std::span<const WriteExtent>) override { refuse(); }
  void do_truncate(std::uint64_t) override { refuse(); }
  void do_sync() override {}

  std::string path_;
  std::uint64_t bytes_ = 0;
};

}  // namespace filigree::io
