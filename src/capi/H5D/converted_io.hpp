// SPDX-License-Identifier: Apache-2.0
//
// I/O with user-defined conversions (H5Tregister). The C++ API does not know these conversions. It moves the
// values in the type of the file, and they are converted in memory.
#pragma once

#include <memory>

#include <filigree/attribute.hpp>

#include "capi/H5D/packed_io.hpp"
#include "capi/H5T/conversions.hpp"

namespace filigree::capi {

/// Returns the conversion if a user-defined function takes part in it, or null.
type::ConversionPointer user_conversion(const format::DatatypeMessage& from,
                                        const format::DatatypeMessage& to);

/// Return null when no user-defined conversion takes part.
std::unique_ptr<PackedRead> converted_read(const TransferredElements<void>& elements);
std::unique_ptr<PackedWrite> converted_write(const TransferredElements<const void>& elements);

/// Read and write like Attribute::read_elements() and write_elements(). They return false, and do nothing,
/// when no user-defined conversion takes part.
bool read_converted(const Attribute& attribute, const format::DatatypeMessage& memory_type, void* memory,
                    const ConversionOptions& options);
bool write_converted(Attribute attribute, const format::DatatypeMessage& memory_type, const void* memory,
                     const ConversionOptions& options);

}  // namespace filigree::capi
