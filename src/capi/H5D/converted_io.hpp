// SPDX-License-Identifier: Apache-2.0
//
// Transfers in which conversions of the program take part. The core does not know these: it moves the values
// in their own type, and they are converted in memory.
#pragma once

#include <cstdint>

#include <filigree/dataset.hpp>

#include "capi/H5T/conversions.hpp"

namespace filigree::capi {

/// The conversion when functions of the program take part in it, and null otherwise.
type::ConversionPointer user_conversion(const format::DatatypeMessage& from,
                                        const format::DatatypeMessage& to);

/// The elements of a dataset that a transfer is about.
struct ConvertedElements {
  Dataset dataset;
  const Selection& selection;
  std::uint64_t count;
  const TransferOptions& options;
  const TransferSettings& settings;
  hid_t plist;  ///< for the program's functions
};
/// As Dataset::read_elements() and write_elements(). False when it is not for them: no function takes part.
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
