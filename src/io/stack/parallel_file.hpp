// SPDX-License-Identifier: Apache-2.0
//
// The top of the stack of a file that several processes use together: who writes what, and when.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/agreement.hpp"
#include "io/stack/pass_through_file.hpp"

namespace filigree::io {

/// What the requests of a member mean at present.
enum class Requests {
  refused,      ///< reads are independent, writes are refused
  independent,  ///< each member writes its own bytes
  replicated,   ///< all members make the same writes and truncations; each writes a share of the bytes
  read_once,    ///< all members read the same bytes; rank 0 reads them for all
  collective,   ///< selections of all members are one request; other writes are refused
};

/// What a parallel file shares with those who use it. It may outlive the file.
struct ParallelState {
  ParallelState(std::shared_ptr<Communicator> members, std::string name)
      : agreement(std::move(members), std::move(name)) {}
  Agreement agreement;
  Requests requests = Requests::refused;
};

/// What requests mean until the end of the scope. Scopes nest; the innermost counts.
class RequestScope {
 public:
  RequestScope(std::shared_ptr<ParallelState> state, Requests requests)
      : state_(std::move(state)), before_(std::exchange(state_->requests, requests)) {}
  ~RequestScope() { state_->requests = before_; }
  RequestScope(const RequestScope&) = delete;
  RequestScope& operator=(const RequestScope&) = delete;

 private:
  const std::shared_ptr<ParallelState> state_;
  const Requests before_;
};

/// A file with a communicator, as the layers above see it. They say by a RequestScope what requests
/// mean. Outside of one, reads are independent, and writes are refused: nobody has said which member
/// writes them.
///
/// *Thread safety*: reads outside of scopes may run on any number of threads; a RequestScope needs the
/// exclusive lock of the file.
class ParallelFile final : public PassThroughFile {
 public:
  /// *Requires*: `file` has a communicator.
  explicit ParallelFile(std::shared_ptr<VirtualFile> file);
  /// Abandons the wrapped file if the members have diverged.
  ~ParallelFile() override;

  const std::shared_ptr<ParallelState>& state() const { return state_; }
  const DriverCapabilities& capabilities() const override { return capabilities_; }
  void close() override;

  /// Takes part in collective requests of selections until no member has any left. Each member calls it at
  /// the end of a scope `collective`, whatever it has transferred.
  void finish_reads() const;
  void finish_writes();

 private:
  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  bool do_read_selections(std::span<const SelectionRead> pieces, MemoryType type) const override;
  bool do_write_selections(std::span<const SelectionWrite> pieces, MemoryType type) override;
  void do_truncate(std::uint64_t bytes) override;

  void read_once(std::span<const ReadExtent> extents) const;
  void write_share(std::span<const WriteExtent> extents);
  template <class Work>
  void all_together(Work work) const;
  [[noreturn]] void refuse(std::string_view doing) const;

  const std::shared_ptr<VirtualFile> file_;  ///< also held by those who close it when opening has failed
  DriverCapabilities capabilities_;
  std::shared_ptr<ParallelState> state_;
  Agreement* agreement_;  ///< of state_
};

}  // namespace filigree::io
