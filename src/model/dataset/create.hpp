// SPDX-License-Identifier: Apache-2.0
//
// Creation of datasets.
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
#include "model/virtual/mappings.hpp"

namespace filigree::model {

class File;

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
  bool heap_set = false;                                  ///< sparse: the heap is in the form of prototypes
  std::vector<format::PipelineFilter> selection_filters;  ///< of the section that says what a chunk defines
  std::vector<format::PipelineFilter> heap_filters;       ///< of the section of variable-length values
  std::vector<MappedSource> sources;                      ///< with LayoutClass::virtual_dataset
  bool track_times = true;
  AttributeStorage attributes;
  bool minimised_header = false;  ///< no space is reserved for attributes
};

/// Creates a dataset without links and returns its header. The messages are those that HDF5 writes under the
/// file's version bounds, in the same order. Early allocation happens here, and writes fill values if the
/// fill time requires it. Requires: the exclusive file lock, within a Change. Throws: Error for creation
/// options that HDF5 refuses; see check_new_dataset().
Address create_dataset(File& file, const NewDataset& made);

}  // namespace filigree::model
