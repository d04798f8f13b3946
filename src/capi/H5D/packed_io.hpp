// SPDX-License-Identifier: Apache-2.0
//
// Transfers whose values the C API changes itself: data transforms and user-defined conversions. The C++ API
// transfers packed values, which are changed in memory.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include <filigree/dataset.hpp>

#include "capi/H5P/options.hpp"

namespace filigree::capi {

/// The elements that a call transfers. `Memory` is void for reads, and const void for writes.
template <class Memory>
struct TransferredElements {
  const Dataset& dataset;
  Datatype memory_type;
  Memory* memory;
  std::uint64_t count;  ///< of the selected elements
  const Selection& selection;
  const TransferOptions& options;
  const TransferSettings& settings;
  hid_t plist;  ///< transfer property list, passed to the conversion functions
};

/// Of values that own memory.
inline constexpr std::uint64_t unknown_bytes = std::numeric_limits<std::uint64_t>::max();

/// Reads packed values, changes them, and stores them in the memory of the program.
class PackedRead {
 public:
  virtual ~PackedRead() = default;
  /// Returns how much memory the values take, or unknown_bytes.
  virtual std::uint64_t bytes() const = 0;
  /// Allocates memory for the values. Returns how they are read.
  virtual DatasetRead request() = 0;
  /// *Requires* that request() was read. It is called once.
  virtual void finish() = 0;
};

/// Changes packed copies of the values in the memory of the program, and writes them.
class PackedWrite {
 public:
  virtual ~PackedWrite() = default;
  virtual std::uint64_t bytes() const = 0;  ///< like PackedRead::bytes()
  /// Whether the new values depend on the old ones.
  virtual bool keeps_background() const { return false; }
  /// Returns how the old values are read, before request() is called, if new ones depend on them.
  virtual std::optional<DatasetRead> background() { return std::nullopt; }
  /// Changes the values. Returns how they are written. It is called once.
  virtual DatasetWrite request() = 0;
};

/// Return null for transfers that the C++ API does without help.
std::unique_ptr<PackedRead> packed_read(const TransferredElements<void>& elements);
std::unique_ptr<PackedWrite> packed_write(const TransferredElements<const void>& elements);

/// Return the same transfer with packed values instead of the memory of the program.
DatasetRead packed_request(const TransferredElements<void>& elements, Datatype type, void* values);
DatasetRead packed_request(const TransferredElements<const void>& elements, Datatype type, void* values);
DatasetWrite packed_request(const TransferredElements<const void>& elements, Datatype type,
                            const void* values);

}  // namespace filigree::capi
