// SPDX-License-Identifier: Apache-2.0
//
// The driver of files that the ranks of a communicator use together.
#pragma once

#include <memory>
#include <string>

#include <filigree/driver.hpp>
#include <filigree/mpi.hpp>

#include "mpi_communicator.hpp"

namespace filigree::mpi {

/// Independent requests are system calls on a descriptor of this rank: they need no thread that may call MPI,
/// and write exactly the bytes they are given. Collective requests are one MPI_File_read_at_all or
/// write_at_all with derived types, in rounds of at most most_request_bytes() on each rank.
class MpiFileDriver final : public FileDriver {
 public:
  /// Opens the file on all ranks; rank 0 creates it. Collective: throws on all ranks or on none.
  MpiFileDriver(std::string path, DriverOpenMode mode, const MpiOptions& options);
  ~MpiFileDriver() override;

  DriverCapabilities capabilities() const override;
  void read(std::span<const ReadExtent> extents) override;
  void write(std::span<const WriteExtent> extents) override;
  std::uint64_t size() override;
  void truncate(std::uint64_t bytes) override;
  void sync() override;
  void close() override;
  std::optional<int> descriptor() override { return descriptor_; }
  MPI_File* handle() { return &file_; }

  std::shared_ptr<Communicator> communicator() override { return members_; }
  bool read_collective(std::span<const ReadExtent> extents) override;
  bool write_collective(std::span<const WriteExtent> extents) override;
  void abandon() override;

 private:
  void require_same_arguments(DriverOpenMode mode);
  void open_descriptor(DriverOpenMode mode);
  void open_together(bool writing, MPI_Info info);
  void close_descriptor();
  [[noreturn]] void fail(const char* doing) const;
  template <class Extent, class Transfer>
  void in_rounds(std::span<const Extent> extents, const char* function, Transfer transfer);

  const std::string path_;
  const std::size_t request_bytes_;
  std::shared_ptr<MpiCommunicator> members_;
  int descriptor_ = -1;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace filigree::mpi
