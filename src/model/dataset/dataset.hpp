// SPDX-License-Identifier: Apache-2.0
//
// Datasets: creation, allocation, and changes of the extent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/datatype.hpp"
#include "format/messages/fill_value.hpp"
#include "format/messages/layout.hpp"
#include "format/messages/pipeline.hpp"
#include "model/dataset/messages.hpp"
#include "model/virtual/virtual_layout.hpp"

namespace filigree::model {

class File;

/// The decoded messages under their former name, and by value.
using DatasetParts = DatasetMessages;
inline DatasetMessages load_dataset(File& file, Address header) { return *load_messages(file, header); }

/// The creation options of a dataset, with everything in the terms of the file format.
struct NewDataset {
  format::DatatypeMessage type;            ///< as the file stores it, but with any version
  Address committed = Address::undefined;  ///< header of a committed type of this file to refer to
  format::DataspaceMessage space;
  format::LayoutClass layout = format::LayoutClass::contiguous;
  format::AllocationTime allocation = format::AllocationTime::by_layout;
  format::FillTime fill_time = format::FillTime::if_set;
  format::FillState fill_state = format::FillState::default_value;
  Buffer fill;  ///< with FillState::user: one element of `type`
  std::vector<ExternalSegment> external;
  std::vector<std::uint64_t> chunk;                       ///< dimensions of a chunk, with layouts of chunks
  std::vector<format::PipelineFilter> filters;            ///< of chunks; parameters as a user gives them
  bool filter_partial_chunks = true;                      ///< false: those that the extent cuts have none
  bool sparse = false;                                    ///< structured chunks hold only what is written
  std::vector<format::PipelineFilter> selection_filters;  ///< of the section that says what a chunk defines
  std::vector<format::PipelineFilter> heap_filters;       ///< of the section of variable-length values
  std::vector<MappedSource> sources;                      ///< with LayoutClass::virtual_dataset
  bool track_times = true;
  AttributeStorage attributes;
};

/// A header with the messages that stock writes under the file's bounds, in stock's order; not linked to yet.
/// Refuses what stock refuses (stock-behaviour §4.1). Early allocation happens here, with fill values written
/// where §4.2 says so.
Address create_dataset(File& file, const NewDataset& made);

/// Gives a contiguous dataset its space, and writes fill values there unless `about_to_cover` says that every
/// element is going to be written. (Elements with values in the heap become zero bytes even then, so that a
/// write which fails leaves no false references.) Nothing happens when it has space, needs none, or has
/// external files. Returns the new layout.
format::LayoutMessage allocate_contiguous(File& file, Address header, const DatasetMessages& parts,
                                          bool about_to_cover);
/// Replaces the elements of a compact dataset.
void store_compact(File& file, Address header, const DatasetMessages& parts, Buffer elements);

/// Changes the current dimensions, within the maxima and what the external files hold, and not below what the
/// mappings of a virtual dataset need. Datasets in one piece
/// are refused with Error(invalid_argument).
void resize_dataset(File& file, Address header, const std::vector<std::uint64_t>& dims);

}  // namespace filigree::model
