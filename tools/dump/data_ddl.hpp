// SPDX-License-Identifier: Apache-2.0
//
// Values of datasets and attributes in DDL.
#pragma once

#include <cstdint>
#include <vector>

#include <filigree/filigree.hpp>

#include "dump_context.hpp"
#include "value_parts.hpp"

namespace filigree::tools {

/// Writes "DATA { ... }" with the selected elements, which are read in parts.
void dump_data(DumpContext& context, const Dataset& data, const std::vector<Selection::Range>& ranges);
/// Writes the same without the braces.
void dump_data_body(DumpContext& context, const Dataset& data, const std::vector<Selection::Range>& ranges);
/// Writes "DATA { ... }" with all elements of an attribute. `subject` is its name in reports.
void dump_data(DumpContext& context, const Attribute& attribute, const std::string& subject);
/// Writes the elements of all pieces, one piece after the other, on lines without braces.
void dump_elements(DumpContext& context, const Dataset& data, const std::vector<Lattice>& pieces,
                   const LineStyle& style);
/// Writes "DATA { ... }" as h5dump does for a subset: by pages of two dimensions, with labels that count the
/// elements of a row.
void dump_subset_data(DumpContext& context, const Dataset& data, const std::vector<Selection::Range>& ranges);
/// Writes "DATATYPE ..." and "DATASPACE ...".
void dump_form(DumpContext& context, const Datatype& type, const Dataspace& space);
/// Returns "SIMPLE { ( 10 ) / ( H5S_UNLIMITED ) }".
std::string space_ddl(const Dataspace& space);
/// Returns the datatype: the name of a committed one, or its description.
std::string type_or_name_ddl(DumpContext& context, const Datatype& type);

}  // namespace filigree::tools
