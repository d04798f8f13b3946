// SPDX-License-Identifier: Apache-2.0
//
// What requests for selected elements have in common, whatever the layout.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/address.hpp"
#include "chunk/transfer/selected_piece.hpp"
#include "io/selection_batch.hpp"
#include "model/dataset/transfer.hpp"
#include "model/heap/file_values.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

class Dataset;
class File;

/// Returns whether written elements replace stored ones completely, without values in the global heap.
bool writes_complete_elements(const Dataset& dataset, const type::Conversion& conversion);

/// The values of a transfer, with all that their conversion refers to. The steps of a batch share it.
/// Requires: the transfer's callbacks live until the batch is sent.
class SelectedValues {
 public:
  static chunk::ValuesPointer make(File& file, const Transfer& transfer, type::ConversionPointer conversion,
                                   std::byte* memory);
  SelectedValues(File& file, const Transfer& transfer, type::ConversionPointer conversion, std::byte* memory);

 private:
  type::ConversionPointer conversion_;
  HeapFileValues heap_;
  type::Context context_;
  chunk::Values values_;
};

/// An array in the file whose elements are in row-major order.
struct FlatArray {
  Address at = Address::undefined;
  std::uint32_t element_bytes = 0;
};

/// Add the elements of an array to a request. Where they need a conversion and are more than one staging
/// buffer takes, they are divided into parts. Throws: Error(limit) for an array of 2^64 bytes or more.
void add_flat_read(io::SelectionReads& batch, const FlatArray& array, const space::Matched& elements,
                   const chunk::ValuesPointer& values);
void add_flat_write(io::SelectionWrites& batch, const FlatArray& array, const space::Matched& elements,
                    const chunk::ValuesPointer& values);

/// Returns a batch that is sent to the driver of a file. `File` must outlive it.
io::SelectionReads make_reads(const File& file);
io::SelectionWrites make_writes(File& file);

}  // namespace filigree::model
