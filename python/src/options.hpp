// SPDX-License-Identifier: Apache-2.0
//
// Options of files and objects from dictionaries. A key that is missing keeps its default; an unknown one is
// a TypeError, so that no option is lost.
#pragma once

#include <filigree/dataset.hpp>
#include <filigree/file.hpp>

#include "core.hpp"

namespace filigree::python {

DatasetOptions dataset_options(const py::dict& options);
GroupOptions group_options(const py::dict& options);
CreateOptions create_options(const py::dict& options);
AccessOptions access_options(const py::dict& options);
CopyOptions copy_options(const py::dict& options);

/// A dataspace: None for a null one, () for a scalar one.
Dataspace dataspace(const py::handle& shape, const py::handle& max_shape);
/// The reverse of `dataspace`: (shape, max_shape), with None for what is unlimited.
py::tuple from_dataspace(const Dataspace& space);

/// A filter as (id, parameters, optional).
FilterChoice filter_choice(const py::handle& filter);
py::list from_filters(const std::vector<FilterChoice>& filters);

}  // namespace filigree::python
