// SPDX-License-Identifier: Apache-2.0
//
// The decoded header messages of a dataset.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/datatype.hpp"
#include "format/messages/fill_value.hpp"
#include "format/messages/layout.hpp"
#include "format/messages/pipeline.hpp"
#include "format/object_header/message_type.hpp"

namespace filigree::model {

class File;

/// A part of an external file that stores elements.
struct ExternalSegment {
  std::string path;  ///< as the dataset names it
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  ///< `unlimited` in the last segment: as many as needed
};

/// The messages of a dataset's object header, decoded and checked against each other.
struct DatasetMessages {
  format::DatatypeMessage type;
  Address committed = Address::undefined;  ///< header of the committed datatype, if the dataset uses one
  format::DataspaceMessage space;
  format::LayoutMessage layout;
  /// From either fill value message, or the default. The allocation time is never `by_layout`.
  format::FillValue fill;
  std::vector<ExternalSegment> external;
  format::PipelineMessage pipeline;                 ///< of a chunked dataset
  format::SectionPipelinesMessage section_filters;  ///< of a dataset with structured chunks
  /// The type of a message that may say how structured chunks are stored, but is not known here.
  std::optional<format::MessageType> unknown;

  std::uint64_t elements = 0;    ///< see logical_elements()
  std::uint64_t data_bytes = 0;  ///< see logical_bytes()

  /// Returns whether the dataset has sparse chunks.
  bool is_sparse() const {
    return is_portable() || (layout.layout == format::LayoutClass::structured && layout.composition.sparse());
  }
  /// Returns whether these are ordinary chunks with the filter of portable sparse chunks.
  bool is_portable() const;
  /// Throws: Error(unsupported) if an unknown message may say how new chunks have to be stored.
  void require_known(std::string_view doing) const;
  /// Returns whether the elements are mapped to other datasets.
  bool is_virtual() const { return layout.layout == format::LayoutClass::virtual_dataset; }
};

/// Returns the number of elements. As in HDF5, chunks may belong to an extent of 2^64 elements or more, of
/// which a file holds a part; then the result is 2^64 - 1. Throws: Error(limit) for other layouts.
std::uint64_t logical_elements(format::LayoutClass layout, const format::DataspaceMessage& space);
/// Returns the number of elements times the size of one, or the largest number for more than 64 bits.
/// Throws: Error(limit) for more than 64 bits of storage in one piece; chunks and sources need less.
std::uint64_t logical_bytes(format::LayoutClass layout, const format::DataspaceMessage& space,
                            std::uint64_t element_bytes);

/// Returns the decoded messages of the dataset at `header`.
///
/// The result is cached in the header's entry of the metadata cache. It is decoded once until the header is
/// edited (by a resize through any handle, or any other change) or leaves the cache (by refresh(), or because
/// the cache is full), or many other datasets were decoded. Whoever keeps the pointer keeps the messages as
/// they were.
/// Requires: the file lock is held, shared or exclusively.
/// Throws: Error(wrong_type) if the object is not a dataset. Error(corrupt) for contradictions: compact data
/// or a fill value of the wrong size, or storage or external files that are too short for the extent.
/// Error(limit) if the number of elements overflows. Contiguous elements may still lie beyond the end of the
/// file: reading them fails with Error(truncated). Thread safety: any number of threads that share the file
/// lock may call it.
std::shared_ptr<const DatasetMessages> load_messages(File& file, Address header);
/// Returns the decoded messages if they are cached; null otherwise.
std::shared_ptr<const DatasetMessages> find_messages(File& file, Address header);

/// Throws: Error(corrupt) for messages of a dataset that contradict each other.
[[noreturn]] void contradict(Address header, const std::string& what);

/// Returns the header of the committed datatype that the object uses, or Address::undefined.
Address committed_type(File& file, Address header);

}  // namespace filigree::model
