// SPDX-License-Identifier: Apache-2.0
//
// Checks that handles share.
#pragma once

#include <filigree/object.hpp>

namespace filigree::api {

/// Throws Error(wrong_type), naming the object, when it is something else.
void require_kind(const Object& object, ObjectKind wanted);

}  // namespace filigree::api
