// SPDX-License-Identifier: Apache-2.0
//
// Setting up and closing the library.
#pragma once

#include <functional>

namespace filigree::capi {

/// Creates the predefined ids unless they exist. *Thread safety*: may be called from any thread at any time.
void set_up_library();
/// Closes all ids. The library is set up again by the next call.
void close_library() noexcept;
/// Returns whether the calling thread is inside set_up_library().
bool library_is_being_set_up();
bool library_is_set_up();
/// Registers a function to run when the library is closed. The last one registered runs first.
void at_library_close(std::function<void()> work);
/// Keeps the library from being closed when the process ends (H5dont_atexit). Returns true.
bool skip_atexit();

// Each of these creates the predefined ids of its module. They are called in this order.
void set_up_errors();
void set_up_property_lists();
void set_up_types();
void set_up_filters();
void set_up_drivers();
void set_up_connectors();

}  // namespace filigree::capi
