// SPDX-License-Identifier: Apache-2.0
#include "capi/H5F/mdc_log.hpp"

#include <ctime>

#include <fmt/format.h>

#include "capi/H5F/open_file.hpp"

namespace filigree::capi {
namespace {

const char* name_of(MetadataEvent::Action action) {
  constexpr const char* names[] = {"load", "create", "change", "write", "evict", "free", "move"};
  return names[static_cast<std::size_t>(action)];
}

/// The names of structures need no escapes.
std::string event_text(const MetadataEvent& event) {
  return fmt::format(R"("action":"{}","structure":"{}","address":{},"memory_bytes":{})",
                     name_of(event.action), event.structure, event.address, event.memory_bytes);
}

}  // namespace

MdcLog::MdcLog(const std::string& path) : out_(std::fopen(path.c_str(), "w"), &std::fclose) {
  if (out_ == nullptr)
    throw NestedFailure({&H5E_CACHE_g, &H5E_LOGGING_g},
                        fmt::format("the log file '{}' of the metadata cache cannot be made", path));
}

bool MdcLog::is_logging() const {
  const MutexLock lock(mutex_);
  return logging_;
}

void MdcLog::write(const std::string& event) {
  const MutexLock lock(mutex_);
  if (!logging_ || out_ == nullptr) return;
  const char* const before = any_ ? ",\n" : "{\n\"Filigree metadata cache log messages\" : [\n";
  fmt::print(out_.get(), "{}{{\"timestamp\":{},{}}}", before, static_cast<long long>(std::time(nullptr)),
             event);
  any_ = true;
}

void MdcLog::start(File& file) {
  {
    const MutexLock lock(mutex_);
    if (logging_) return;
    logging_ = true;
  }
  write(R"("action":"logging start")");
  {
    const MutexLock lock(mutex_);
    std::fflush(out_.get());
  }
  file.set_metadata_log(
      [log = shared_from_this()](const MetadataEvent& event) { log->write(event_text(event)); });
}

void MdcLog::stop(File& file) {
  file.set_metadata_log(nullptr);
  write(R"("action":"logging stop")");
  const MutexLock lock(mutex_);
  logging_ = false;
  std::fflush(out_.get());
}

void MdcLog::finish() {
  if (is_logging()) write(R"("action":"logging stop")");
  const MutexLock lock(mutex_);
  if (out_ != nullptr && any_) fmt::print(out_.get(), "\n]}}\n");
  logging_ = false;
  out_.reset();
}

void start_mdc_log(OpenFile& open) {
  const FileAccessSettings& access = *open.access;
  if (!access.log_use || open.shared->mdc_log != nullptr) return;
  open.shared->mdc_log = std::make_shared<MdcLog>(access.log_location.value_or(""));
  if (access.log_on_start) open.shared->mdc_log->start(open.file);
}

}  // namespace filigree::capi
