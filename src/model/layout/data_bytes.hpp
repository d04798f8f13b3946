// SPDX-License-Identifier: Apache-2.0
//
// The elements of compact, contiguous and external datasets as bytes in row-major order.
#pragma once

#include <memory>
#include <span>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "io/virtual_file.hpp"
#include "model/dataset/messages.hpp"

namespace filigree::model {

/// The bytes of all elements. Offsets count from the first element.
/// Thread safety: reads, and writes that do not overlap, may run concurrently.
class DataBytes {
 public:
  virtual ~DataBytes() = default;
  virtual void read(std::span<const io::ReadExtent> extents) const = 0;
  virtual void write(std::span<const io::WriteExtent> extents) = 0;
  /// Checks that the bytes exist, before memory is allocated for them.
  /// Throws: Error(truncated) if the file is too short.
  virtual void require(std::uint64_t offset, std::uint64_t bytes) const = 0;
  /// Returns whether the bytes are stored. Others read as fill values or zeros, and a small file can declare
  /// any number of them.
  virtual bool stores(std::uint64_t, std::uint64_t) const { return true; }
  /// Called after a failed write: makes the elements that were not reached readable.
  virtual void abandon() {}
};

/// Returns fill values for all elements, whatever the layout and fill time; zeros if there is no fill value.
std::unique_ptr<DataBytes> make_fill_bytes(const DatasetMessages& messages);

}  // namespace filigree::model
