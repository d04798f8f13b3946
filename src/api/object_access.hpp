// SPDX-License-Identifier: Apache-2.0
//
// Checks of public handles.
#pragma once

#include <filigree/object.hpp>

namespace filigree::api {

/// Throws: Error(wrong_type), naming the object, unless it has the type `wanted`.
void require_kind(const Object& object, ObjectKind wanted);

}  // namespace filigree::api
