// SPDX-License-Identifier: Apache-2.0
//
// Findings that HDF5 reports with other codes than those who find them do.
#pragma once

#include "capi/door.hpp"

namespace filigree::capi {

/// Runs `work`. What it finds wrong is something further inside, above which the function's summary stands.
template <class Work>
auto further_inside(Work&& work) {
  try {
    return work();
  } catch (const InnerFailure&) {
    throw;
  } catch (const CallbackFailure&) {
    throw;
  } catch (const Failure& failure) {
    throw InnerFailure(failure.code(), failure.what());
  }
}

/// Runs `work`. What it finds wrong with an argument has these codes.
template <class Work>
auto or_fail(Code code, Work&& work) {
  try {
    return work();
  } catch (const InnerFailure&) {
    throw;
  } catch (const CallbackFailure&) {
    throw;
  } catch (const Failure& failure) {
    throw Failure(code, failure.what());
  }
}

}  // namespace filigree::capi
