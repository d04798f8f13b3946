// SPDX-License-Identifier: Apache-2.0
//
// I/O with user-defined conversions (H5Tregister). The C++ API does not know these conversions. It moves the
// values in the type of the file, and they are converted in memory.
#pragma once

#include <cstdint>

#include <filigree/dataset.hpp>

#include "capi/H5T/conversions.hpp"

namespace filigree::capi {

/// Returns the conversion if a user-defined function takes part in it, or null.
type::ConversionPointer user_conversion(const format::DatatypeMessage& from,
                                        const format::DatatypeMessage& to);

/// The elements of a dataset that a transfer moves.
struct ConvertedElements {
  Dataset dataset;
  const Selection& selection;
  std::uint64_t count;
  const TransferOptions& options;
  const TransferSettings& settings;
  hid_t plist;  ///< transfer property list, passed to the conversion functions
};
/// Read and write like Dataset::read_elements() and write_elements(). They return false, and do nothing, when
/// no user-defined conversion takes part.
bool read_converted(const ConvertedElements& elements, const format::DatatypeMessage& memory_type,
                    void* memory);
bool write_converted(const ConvertedElements& elements, const format::DatatypeMessage& memory_type,
                     const void* memory);

/// The same for attributes.
bool read_converted(const Attribute& attribute, const format::DatatypeMessage& memory_type, void* memory,
                    const ConversionOptions& options);
bool write_converted(Attribute attribute, const format::DatatypeMessage& memory_type, const void* memory,
                     const ConversionOptions& options);

}  // namespace filigree::capi
