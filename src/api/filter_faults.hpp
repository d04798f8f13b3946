// SPDX-License-Identifier: Apache-2.0
//
// The function of transfer options for filters that fail.
#pragma once

#include <cstdint>

#include <filigree/dataset.hpp>

#include "base/mutex.hpp"
#include "model/dataset/transfer.hpp"

namespace filigree::api {

/// Calls the function by one thread at a time. *Requires*: the options live longer.
class FilterFaults {
 public:
  explicit FilterFaults(const TransferOptions& options) {
    if (!options.on_filter_fault) return;
    handler_ = [this, &asked = options.on_filter_fault](std::uint16_t filter, Bytes bytes) {
      const MutexLock lock(mutex_);
      return asked(filter, bytes);
    };
  }
  FilterFaults(const FilterFaults&) = delete;
  FilterFaults& operator=(const FilterFaults&) = delete;
  const filter::FilterFaultHandler* handler() const { return handler_ ? &handler_ : nullptr; }

 private:
  Mutex mutex_;  ///< serialises the calls
  filter::FilterFaultHandler handler_;
};

}  // namespace filigree::api
