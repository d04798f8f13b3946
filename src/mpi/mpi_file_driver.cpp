// SPDX-License-Identifier: Apache-2.0
#include "mpi_file_driver.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <filigree/error.hpp>

#include "calls.hpp"

namespace filigree::mpi {
namespace {

ErrorKind kind_of(int error) {
  switch (error) {
    case ENOENT:
      return ErrorKind::not_found;
    case EEXIST:
      return ErrorKind::already_exists;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorKind::permission;
    case ENOSPC:
    case EDQUOT:
      return ErrorKind::no_space;
    default:
      return ErrorKind::io;
  }
}

int flags_of(DriverOpenMode mode) {
  switch (mode) {
    case DriverOpenMode::read_only:
      return O_RDONLY;
    case DriverOpenMode::read_write:
      return O_RDWR;
    case DriverOpenMode::create_new:
      return O_RDWR | O_CREAT | O_EXCL;
    case DriverOpenMode::create_truncate:
      break;
  }
  return O_RDWR | O_CREAT | O_TRUNC;
}

/// Throws on all ranks the error of the first one that has one; each passes its own, or 0.
void agree(MpiCommunicator& members, int error, const std::string& what) {
  std::array<std::uint64_t, 1> failed{
      error == 0 ? 0 : static_cast<std::uint64_t>(members.size() - members.rank())};
  members.all_reduce(failed, Reduction::max);
  if (failed[0] == 0) return;
  const int rank = members.size() - static_cast<int>(failed[0]);
  std::vector<std::byte> code(sizeof error);
  std::memcpy(code.data(), &error, sizeof error);
  members.broadcast(code, rank);
  std::memcpy(&error, code.data(), sizeof error);
  throw Error(kind_of(error), "rank " + std::to_string(rank) + ": " + what + ": " + std::strerror(error));
}

/// Extents of at most a given number of bytes together, with the pieces that one hindexed type describes.
struct RoundPieces {
  std::vector<int> lengths;
  std::vector<MPI_Aint> in_file, in_memory;
};

/// The first failure of this rank in a request that it must go on with, because the others do.
class FirstFailure {
 public:
  /// Runs `work` and keeps what it throws. Returns whether it threw nothing.
  template <class Work>
  bool run(Work work) {
    try {
      work();
      return true;
    } catch (...) {
      if (failure_ == nullptr) failure_ = std::current_exception();
      return false;
    }
  }
  bool happened() const { return failure_ != nullptr; }
  void rethrow() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
};

constexpr std::size_t most_pieces = std::size_t{1} << 20;

template <class Extent>
std::vector<RoundPieces> divide(std::span<const Extent> extents, std::size_t most) {
  std::vector<RoundPieces> rounds;
  std::size_t bytes = most;
  for (const Extent& e : extents) {
    for (std::size_t done = 0; done < e.memory().size();) {
      if (bytes == most || rounds.back().lengths.size() == most_pieces) {
        rounds.emplace_back();
        bytes = 0;
      }
      const std::size_t taken = std::min(e.memory().size() - done, most - bytes);
      MPI_Aint memory = 0;
      check(MPI_Get_address(e.memory().data() + done, &memory), "MPI_Get_address");
      rounds.back().lengths.push_back(static_cast<int>(taken));
      rounds.back().in_file.push_back(static_cast<MPI_Aint>(e.offset + done));
      rounds.back().in_memory.push_back(memory);
      bytes += taken;
      done += taken;
    }
  }
  return rounds;
}

MPI_Datatype pieces_type(const std::vector<int>& lengths, const std::vector<MPI_Aint>& at) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check(
      MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), at.data(), MPI_BYTE, &made),
      "MPI_Type_create_hindexed");
  return made;
}

/// Files of ranks that have diverged. Closing them is collective, and MPI_Finalize is the next call that all
/// ranks surely make.
class Abandoned {
 public:
  static void keep(MPI_File file, std::shared_ptr<MpiCommunicator> members) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    static int key = MPI_KEYVAL_INVALID;
    if (key == MPI_KEYVAL_INVALID) {
      MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &Abandoned::at_finalize, &key, nullptr);
      MPI_Comm_set_attr(MPI_COMM_SELF, key, &files());
      MPI_Comm_free_keyval(&key);
      key = 0;
    }
    files().emplace_back(file, std::move(members));
  }

 private:
  using Files = std::vector<std::pair<MPI_File, std::shared_ptr<MpiCommunicator>>>;
  static Files& files() {
    static auto* const all = new Files;
    return *all;
  }
  static int at_finalize(MPI_Comm, int, void*, void*) {
    for (auto& [file, members] : files()) {
      MPI_File_close(&file);
      MPI_Comm comm = members->get();
      MPI_Comm_free(&comm);
    }
    files().clear();
    return MPI_SUCCESS;
  }
};

}  // namespace

MpiFileDriver::MpiFileDriver(std::string path, DriverOpenMode mode, const MpiOptions& options)
    : path_(std::move(path)),
      request_bytes_(most_request_bytes(options.info)),
      members_(std::make_shared<MpiCommunicator>(options.communicator)) {
  try {
    require_same_arguments(mode);
    open_descriptor(mode);
    open_together(mode != DriverOpenMode::read_only, options.info);
  } catch (...) {
    // A rank that has the descriptor of a new file has made it.
    const bool made = mode == DriverOpenMode::create_new && descriptor_ >= 0 && members_->rank() == 0;
    close_descriptor();
    if (made) ::unlink(path_.c_str());
    throw;
  }
}

/// Before a file is created or truncated.
void MpiFileDriver::require_same_arguments(DriverOpenMode mode) {
  const std::string mine = std::to_string(static_cast<int>(mode)) + path_;
  const auto all = members_->all_gather(std::as_bytes(std::span(mine)));
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    throw Error(ErrorKind::diverged, "the processes that open '" + path_ + "' have diverged: rank " +
                                         std::to_string(rank) +
                                         " opens another file than rank 0, or in another mode");
  }
}

/// Rank 0 creates the file before the others open it.
void MpiFileDriver::open_descriptor(DriverOpenMode mode) {
  const bool is_first = members_->rank() == 0;
  const auto open_here = [&](DriverOpenMode how) {
    descriptor_ = ::open(path_.c_str(), flags_of(how) | O_CLOEXEC, 0666);
    return descriptor_ < 0 ? errno : 0;
  };
  agree(*members_, is_first ? open_here(mode) : 0, "cannot open '" + path_ + "'");
  const bool writing = mode != DriverOpenMode::read_only;
  const DriverOpenMode existing = writing ? DriverOpenMode::read_write : DriverOpenMode::read_only;
  agree(*members_, is_first ? 0 : open_here(existing), "cannot open '" + path_ + "'");
}

void MpiFileDriver::open_together(bool writing, MPI_Info info) {
  const int code =
      MPI_File_open(members_->get(), path_.c_str(), writing ? MPI_MODE_RDWR : MPI_MODE_RDONLY, info, &file_);
  std::array<std::uint64_t, 1> failed{code != MPI_SUCCESS};
  members_->all_reduce(failed, Reduction::max);
  if (failed[0] == 0) return;
  if (code == MPI_SUCCESS) MPI_File_close(&file_);
  check(code, "MPI_File_open");
  throw Error(ErrorKind::io, "MPI_File_open of '" + path_ + "' failed on another rank");
}

MpiFileDriver::~MpiFileDriver() { close_descriptor(); }

void MpiFileDriver::close_descriptor() {
  if (const int open = std::exchange(descriptor_, -1); open >= 0) ::close(open);
}

void MpiFileDriver::fail(const char* doing) const {
  const int error = errno;
  throw Error(kind_of(error), std::string("cannot ") + doing + " '" + path_ + "': " + std::strerror(error));
}

DriverCapabilities MpiFileDriver::capabilities() const {
  DriverCapabilities able;
  able.thread_safe = true;
  able.coalescing.write_gap_bytes = 0;
  return able;
}

void MpiFileDriver::read(std::span<const ReadExtent> extents) {
  for (const ReadExtent& e : extents) {
    for (std::size_t done = 0; done < e.into.size();) {
      const ssize_t got =
          ::pread(descriptor_, e.into.data() + done, std::min(most_bytes, e.into.size() - done),
                  static_cast<off_t>(e.offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("read");
      if (got == 0) throw Error(ErrorKind::truncated, "'" + path_ + "' ends within the bytes to read");
      done += static_cast<std::size_t>(got);
    }
  }
}

void MpiFileDriver::write(std::span<const WriteExtent> extents) {
  for (const WriteExtent& e : extents) {
    for (std::size_t done = 0; done < e.from.size();) {
      const ssize_t put =
          ::pwrite(descriptor_, e.from.data() + done, std::min(most_bytes, e.from.size() - done),
                   static_cast<off_t>(e.offset + done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail("write");
      done += static_cast<std::size_t>(put);
    }
  }
}

std::uint64_t MpiFileDriver::size() {
  struct stat found {};
  if (::fstat(descriptor_, &found) != 0) fail("look at");
  return static_cast<std::uint64_t>(found.st_size);
}

void MpiFileDriver::truncate(std::uint64_t bytes) {
  check(MPI_File_set_size(file_, static_cast<MPI_Offset>(bytes)), "MPI_File_set_size");
}

void MpiFileDriver::sync() {
  check(MPI_File_sync(file_), "MPI_File_sync");
  if (::fsync(descriptor_) != 0) fail("flush");
}

void MpiFileDriver::close() {
  if (file_ == MPI_FILE_NULL) return;
  if (!is_usable())
    throw Error(ErrorKind::closed, "'" + path_ + "' was not closed before MPI_Finalize: close it earlier");
  check(MPI_File_close(&file_), "MPI_File_close");
  file_ = MPI_FILE_NULL;
  close_descriptor();
}

void MpiFileDriver::abandon() {
  if (file_ != MPI_FILE_NULL && is_usable()) {
    members_->abandon();
    Abandoned::keep(std::exchange(file_, MPI_FILE_NULL), members_);
  }
  close_descriptor();
}

/// Every rank makes as many collective calls as the one with the most rounds, whatever fails: a rank without
/// anything to move takes part with nothing.
template <class Extent, class Transfer>
void MpiFileDriver::in_rounds(std::span<const Extent> extents, const char* function, Transfer transfer) {
  FirstFailure failure;
  std::vector<RoundPieces> rounds;
  failure.run([&] { rounds = divide(extents, request_bytes_); });
  if (failure.happened()) rounds.clear();
  std::array<std::uint64_t, 1> most{rounds.size()};
  members_->all_reduce(most, Reduction::max);
  for (std::size_t i = 0; i < most[0]; ++i) {
    std::optional<Type> in_file, in_memory;
    bool moves = i < rounds.size() && !failure.happened() && failure.run([&] {
      in_file.emplace(pieces_type(rounds[i].lengths, rounds[i].in_file));
      in_memory.emplace(pieces_type(rounds[i].lengths, rounds[i].in_memory));
    });
    moves = failure.run([&] {
      check(MPI_File_set_view(file_, 0, MPI_BYTE, moves ? in_file->get() : MPI_BYTE, "native", MPI_INFO_NULL),
            "MPI_File_set_view");
    }) && moves;
    failure.run([&] { check(transfer(moves ? 1 : 0, moves ? in_memory->get() : MPI_BYTE), function); });
  }
  failure.rethrow();
}

bool MpiFileDriver::read_collective(std::span<const ReadExtent> extents) {
  in_rounds(extents, "MPI_File_read_at_all", [&](int count, MPI_Datatype type) {
    return MPI_File_read_at_all(file_, 0, MPI_BOTTOM, count, type, MPI_STATUS_IGNORE);
  });
  return true;
}

bool MpiFileDriver::write_collective(std::span<const WriteExtent> extents) {
  in_rounds(extents, "MPI_File_write_at_all", [&](int count, MPI_Datatype type) {
    return MPI_File_write_at_all(file_, 0, MPI_BOTTOM, count, type, MPI_STATUS_IGNORE);
  });
  return true;
}

}  // namespace filigree::mpi
