// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a dataset's elements in row-major order, wherever they are kept.
#pragma once

#include <memory>
#include <span>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "io/virtual_file.hpp"
#include "model/dataset/dataset.hpp"
#include "space/point_order.hpp"

namespace filigree::model {

/// Offsets count from the dataset's first element. Reads are thread-safe, and so are writes that do not
/// overlap.
class DataBytes {
 public:
  virtual ~DataBytes() = default;
  virtual void read(std::span<const io::ReadExtent> extents) const = 0;
  virtual void write(std::span<const io::WriteExtent> extents) = 0;
  /// Throws Error(truncated) when the bytes are not all there, before anything is allocated for them.
  virtual void require(std::uint64_t offset, std::uint64_t bytes) const = 0;
  /// Whether the bytes are stored in fact. Others read as fill values or zeros, and a small file can promise
  /// any number of them.
  virtual bool stores(std::uint64_t, std::uint64_t) const { return true; }
  /// Selected elements as they are, when the driver of the file takes selections; false, with nothing done,
  /// when it does not. The memory begins with element 0 of the frame of `memory`.
  virtual bool read_selected(const space::Matched&, std::uint32_t, std::byte*) const { return false; }
  virtual bool write_selected(const space::Matched&, std::uint32_t, const std::byte*) { return false; }
  /// After a write that stopped half-way: what it did not come to can be read.
  virtual void abandon() {}
};

/// For reading: unallocated storage gives fill values. Null when it gives nothing at all (fill time `never`).
/// Chunked and virtual layouts are not for this.
std::unique_ptr<DataBytes> open_for_reading(File& file, Address header, const DatasetParts& parts);

/// Nothing but fill values, whatever the layout and the fill time; zeros where there is none.
std::unique_ptr<DataBytes> make_fill_bytes(const DatasetParts& parts);

/// For writing: storage is allocated. `covers_all` says that every element is going to be written.
std::unique_ptr<DataBytes> open_for_writing(File& file, Address header, DatasetParts& parts, bool covers_all);

}  // namespace filigree::model
