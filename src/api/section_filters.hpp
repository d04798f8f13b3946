// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filigree/dataset.hpp>

#include "format/messages/datatype.hpp"

namespace filigree::api {

/// Returns the options with filters for the sections of sparse chunks, if the caller leaves them to the
/// library: see DatasetOptions::choose_section_filters.
DatasetOptions with_section_filters(const format::DatatypeMessage& type, const DatasetOptions& options);

}  // namespace filigree::api
