// SPDX-License-Identifier: Apache-2.0
//
// Re-throwing a failure under the error codes that HDF5 uses at the call site.
#pragma once

#include "capi/core/api_call.hpp"

namespace filigree::capi {

/// Runs `work` and throws `other(failure)` for a Failure of it. Nested and callback failures pass unchanged.
template <class Work, class Other>
auto rethrow_failures(Work&& work, Other other) {
  try {
    return work();
  } catch (const NestedFailure&) {
    throw;
  } catch (const CallbackFailure&) {
    throw;
  } catch (const Failure& failure) {
    throw other(failure);
  }
}

/// Runs `work` and throws its Failure as a NestedFailure, so that the record of the API function goes above
/// it.
template <class Work>
auto as_nested_error(Work&& work) {
  return rethrow_failures(
      work, [](const Failure& failure) { return NestedFailure(failure.code(), failure.what()); });
}

/// Runs `work` and throws its Failure with `code`.
template <class Work>
auto with_error_code(Code code, Work&& work) {
  return rethrow_failures(work, [&](const Failure& failure) { return Failure(code, failure.what()); });
}

}  // namespace filigree::capi
