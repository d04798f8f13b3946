// SPDX-License-Identifier: Apache-2.0
//
// Findings that HDF5 reports with other codes than those who find them do.
#pragma once

#include "capi/core/api_call.hpp"

namespace filigree::capi {

/// Runs `work`. What it finds wrong itself is thrown as `other(failure)`; what comes from further inside or
/// from a callback stays as it is.
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

/// What `work` finds wrong is something further inside, above which the function's summary stands.
template <class Work>
auto as_nested_error(Work&& work) {
  return rethrow_failures(
      work, [](const Failure& failure) { return NestedFailure(failure.code(), failure.what()); });
}

/// What `work` finds wrong with an argument has these codes.
template <class Work>
auto with_error_code(Code code, Work&& work) {
  return rethrow_failures(work, [&](const Failure& failure) { return Failure(code, failure.what()); });
}

}  // namespace filigree::capi
