// SPDX-License-Identifier: Apache-2.0
//
// Files that several processes use together.
//
//  1. All members make the same changes of metadata in the same order. Each of them keeps all metadata in its
//     cache, and allocates the same addresses. Nothing of that needs a message.
//  2. Every change is noted in a history (Agreement). Collective calls begin by comparing it.
//  3. Dirty metadata leave the cache in collective calls only: flush and close. Each member writes a share of
//     the same bytes, whose hash is compared before. So nothing is written that the members do not agree on.
//  4. Elements are written by independent requests into space that exists, or by collective calls. A dataset
//     that is created here has its space from the start, where its format allows that.
//  5. The write mark is an exception: a member that is the first to write sets it alone. Others write the
//     same bytes when they come to that.
//  6. After a divergence nothing is written, and the file keeps its mark.
#include <ctime>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/context.hpp"
#include "base/hash128.hpp"
#include "io/stack/parallel_file.hpp"
#include "io/virtual_file.hpp"
#include "model/file/file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

void File::require_shareable(const io::VirtualFile& driver) const {
  if (swmr_read_attempts_ > 0)
    throw Error(ErrorKind::unsupported, "SWMR and a communicator exclude each other");
  if (access_.page_buffer_bytes > 0)
    throw Error(ErrorKind::unsupported, "a page buffer and a communicator exclude each other");
  if (driver.capabilities().allocates)
    throw Error(ErrorKind::unsupported, "a driver with a communicator cannot decide where new space goes");
}

/// Closing the driver is collective. So it outlives a failure of one member, until all members know of it.
void File::begin_together(std::string_view call, std::shared_ptr<io::VirtualFile> driver,
                          io::Requests requests, FunctionRef<void(std::unique_ptr<io::VirtualFile>)> work) {
  auto joined = std::make_unique<io::ParallelFile>(driver);
  const auto state = parallel_ = joined->state();
  parallel_file_ = joined.get();
  Hash128 arguments;
  arguments.add(name_);
  arguments.add(std::uint64_t{writable_});
  try {
    filigree::collectively(&state->agreement, {call, name_, 0, arguments.folded()}, [&] {
      check_environment();  // which may be that of one node
      require_shareable(*driver);
      const io::RequestScope scope(state, requests);
      work(std::move(joined));
    });
  } catch (...) {
    give_up(*driver);
    throw;
  }
}

/// Ends the use of a file that could not be opened. All members come here.
void File::give_up(io::VirtualFile& driver) noexcept {
  parallel_file_ = nullptr;
  try {
    if (store_) return release();
    if (parallel_->agreement.diverged()) return driver.abandon();
    driver.close();
  } catch (...) {  // why it could not be opened is being reported
  }
}

void File::load_together(std::unique_ptr<io::VirtualFile> file) {
  begin_together("File::open", std::move(file), io::Requests::read_once, [&](auto joined) {
    load(std::move(joined));
    if (writable_ && is_valid(cache_image_.address()))
      throw Error(ErrorKind::unsupported, "it has a metadata cache image; change it in one process first");
  });
}

void File::create_together(std::unique_ptr<io::VirtualFile> file, const CreateOptions& options) {
  begin_together("File::create", std::move(file), io::Requests::replicated,
                 [&](auto joined) { make(std::move(joined), options); });
}

void File::require_one_process(std::string_view doing) const {
  if (!parallel_) return;
  throw Error(ErrorKind::unsupported, fmt::format("cannot {} in a file that {} processes use together", doing,
                                                  parallel_->agreement.members().size()));
}

void File::collectively(std::string_view call, std::string_view object, std::uint64_t detail,
                        FunctionRef<void()> work) {
  if (!parallel_) return work();
  const auto state = parallel_;
  filigree::collectively(&state->agreement, {call, object, 0, detail}, [&] {
    const io::RequestScope scope(state, io::Requests::replicated);
    work();
  });
}

void File::note_change(std::string_view operation, std::string_view object, std::uint64_t detail) {
  if (parallel_) parallel_->agreement.note(operation, object, detail);
}

void File::finish_reads() const { parallel_file_->finish_reads(); }

void File::finish_writes() { parallel_file_->finish_writes(); }

std::int64_t File::seconds() const {
  return parallel_ ? parallel_->agreement.seconds() : static_cast<std::int64_t>(std::time(nullptr));
}

void File::add_mark() {
  if (!parallel_) return superblock_.add_mark(*store_);
  const io::RequestScope scope(parallel_, io::Requests::independent);
  superblock_.add_mark(*store_);
}

/// A member that has changed nothing takes part as if it had: others have written elements.
void File::write_changes(std::string_view doing, bool closing) {
  const bool mine = changed_ || store_->writing();
  if (!parallel_->agreement.meet({doing, name_}, nullptr, mine)) return;
  prepare_change();
  store_->begin_writing();
  if (closing) unlinked_.free_unused(true);
  write_out(closing);
}

void File::flush_together() {
  in_context([&] { return fmt::format("writing '{}'", name_); },
             [&] { collectively("File::flush", name_, 0, [&] { write_changes("flushing", false); }); });
}

void File::close_together() {
  if (parallel_->agreement.diverged()) return;
  in_context([&] { return fmt::format("closing '{}'", name_); },
             [&] { collectively("File::close", name_, 0, [&] { write_changes("closing", true); }); });
}

}  // namespace filigree::model
