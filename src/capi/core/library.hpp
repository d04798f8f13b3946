// SPDX-License-Identifier: Apache-2.0
//
// Setting the library up and taking it down.
#pragma once

#include <functional>

namespace filigree::capi {

/// Makes the predefined ids when they are not there; any thread, at any time.
void set_up_library();
/// Closes everything. The library sets itself up again when it is used again.
void close_library() noexcept;
/// Whether this thread is in set_up_library().
bool library_is_being_set_up();
/// Runs when the library is taken down, the last one added first.
void at_library_close(std::function<void()> work);
/// False: the library is left to itself when the process ends (H5dont_atexit).
bool skip_atexit();

// Each makes the predefined ids of its module, in this order.
void set_up_errors();
void set_up_property_lists();
void set_up_types();
void set_up_filters();
void set_up_drivers();

}  // namespace filigree::capi
