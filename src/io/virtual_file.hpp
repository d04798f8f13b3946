// SPDX-License-Identifier: Apache-2.0
//
// A file as random-access bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/bytes.hpp"

namespace filigree::io {

/// Bytes to read: where they stand in the file, and where they go.
struct ReadExtent {
  std::uint64_t offset = 0;
  MutableBytes into;
};

/// Bytes to write: where they go in the file, and where they stand.
struct WriteExtent {
  std::uint64_t offset = 0;
  Bytes from;
};

/// No file grows beyond this (the largest signed 64-bit offset).
inline constexpr std::uint64_t largest_file_bytes = ~std::uint64_t{0} >> 1;

/// Random-access bytes. Positionless: no call moves a cursor, so reads may run on any number of
/// threads at once. The caller serialises writes that overlap. A driver implements the private
/// part; failures are Errors that name the file and the system's reason.
class VirtualFile {
 public:
  VirtualFile() = default;
  VirtualFile(const VirtualFile&) = delete;
  VirtualFile& operator=(const VirtualFile&) = delete;
  virtual ~VirtualFile() = default;

  /// Fills every extent, or throws Error(truncated) when one runs past the end of the file.
  void read(std::span<const ReadExtent> extents) const;
  void read(std::uint64_t offset, MutableBytes into) const;

  /// Writes every extent; the file grows where needed, and what lies between its old end and an
  /// extent reads as zero. On failure some extents may have been written, and the error says so.
  void write(std::span<const WriteExtent> extents);
  void write(std::uint64_t offset, Bytes from);

  /// Cuts or zero-extends the file.
  void truncate(std::uint64_t bytes);
  /// Asks the system to bring everything to the device.
  void sync() { do_sync(); }

  virtual std::uint64_t size() const = 0;
  /// What error messages call this file.
  virtual const std::string& name() const = 0;
  virtual bool writable() const = 0;

 private:
  /// Whether the file has at least `bytes` bytes; a driver whose size() is slow answers from memory.
  virtual bool reaches(std::uint64_t bytes) const { return bytes <= size(); }
  virtual void do_read(std::span<const ReadExtent>) const = 0;
  virtual void do_write(std::span<const WriteExtent>) = 0;
  virtual void do_truncate(std::uint64_t bytes) = 0;
  virtual void do_sync() = 0;

  void require_writable() const;
};

}  // namespace filigree::io
