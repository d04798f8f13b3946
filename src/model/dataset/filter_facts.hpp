// SPDX-License-Identifier: Apache-2.0
//
// What filters have to know of a new dataset.
#pragma once

#include <span>

#include "format/messages/pipeline.hpp"
#include "model/dataset/create.hpp"

namespace filigree::model {

/// The filters as the header is going to name them: parameters are derived from datatype and chunk. Throws
/// Error for filters that are not there or cannot serve such chunks, unless they are optional and the type is
/// one whose elements are not numbers to them.
format::PipelineMessage prepare_filters(const NewDataset& made, std::uint8_t version);
/// The same for the sections of structured chunks. Refuses filters that have to know the number of elements.
format::SectionPipelinesMessage prepare_section_filters(const NewDataset& made);

}  // namespace filigree::model
