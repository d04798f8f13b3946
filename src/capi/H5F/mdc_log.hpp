// SPDX-License-Identifier: Apache-2.0
//
// The log of the metadata cache of a file (H5Pset_mdc_log_options).
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include <filigree/file.hpp>

#include "base/mutex.hpp"

namespace filigree::capi {

class OpenFile;

/// A log in JSON: an object with an array of events, one in a line. It is written as long as logging is on,
/// and ends with the file. *Thread safety*: all functions may be called concurrently.
class MdcLog : public std::enable_shared_from_this<MdcLog> {
 public:
  /// *Throws* NestedFailure if the log file cannot be made.
  explicit MdcLog(const std::string& path);

  bool is_logging() const;
  void start(File& file);
  void stop(File& file);
  /// Completes the log of a file that was closed.
  void finish();

 private:
  void write(const std::string& event);

  mutable Mutex mutex_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out_ FILIGREE_GUARDED_BY(mutex_);
  bool logging_ FILIGREE_GUARDED_BY(mutex_) = false;
  bool any_ FILIGREE_GUARDED_BY(mutex_) = false;  ///< an event was written
};

/// Makes the log that the access property list of a file asks for. *Throws* NestedFailure.
void start_mdc_log(OpenFile& open);

}  // namespace filigree::capi
