// SPDX-License-Identifier: Apache-2.0
//
// What the compact, contiguous and external layouts have in common.
#pragma once

#include <memory>

#include "model/layout/data_bytes.hpp"
#include "model/layout/layout.hpp"

namespace filigree::model {

/// A layout whose elements are one sequence of bytes in row-major order.
class FlatLayout : public Layout {
 public:
  void read(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
            std::byte* memory) const final;
  void write(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
             const std::byte* memory) const final;

 protected:
  /// Opens the elements for reading. Unallocated storage reads as fill values; null for fill time `never`.
  virtual std::unique_ptr<DataBytes> open_for_reading(const Dataset& dataset) const = 0;
  /// Opens the elements for writing and allocates storage. `covers_all`: every element will be written.
  virtual std::unique_ptr<DataBytes> open_for_writing(const Dataset& dataset, bool covers_all) const = 0;
  /// Returns whether the dataset has storage whose elements may refer to the heap.
  virtual bool has_storage(const Dataset&) const { return true; }
};

}  // namespace filigree::model
