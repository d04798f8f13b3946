// SPDX-License-Identifier: Apache-2.0
//
// Everything of the C++ API.
#pragma once

#include <filigree/appender.hpp>
#include <filigree/attribute.hpp>
#include <filigree/check.hpp>
#include <filigree/chunks.hpp>
#include <filigree/communicator.hpp>
#include <filigree/conversion.hpp>
#include <filigree/dataset.hpp>
#include <filigree/dataspace.hpp>
#include <filigree/datatype.hpp>
#include <filigree/driver.hpp>
#include <filigree/error.hpp>
#include <filigree/file.hpp>
#include <filigree/filters.hpp>
#include <filigree/frame_appender.hpp>
#include <filigree/group.hpp>
#include <filigree/hdf5_ids.hpp>
#include <filigree/object.hpp>
#include <filigree/options.hpp>
#include <filigree/selection.hpp>
#include <filigree/sparse.hpp>
#include <filigree/values.hpp>
