// SPDX-License-Identifier: Apache-2.0
//
// How functions of H5VL call a callback of a connector.
#pragma once

#include "capi/H5VL/native_objects.hpp"

namespace filigree::capi {

/// A result of a callback: a null object or a negative number is a failure.
inline bool has_failed(const void* result) { return result == nullptr; }
inline bool has_failed(herr_t result) { return result < 0; }

/// Calls one callback of a connector's class. `select` returns its pointer, `call` passes the arguments to
/// it. Records that the callback left on the error stack stay there.
template <class Result, class Select, class Call>
Result connector_call(Result failed, const ApiFunction& entry, hid_t connector, Select select, Call call) {
  return api_call_keeping_errors(failed, entry, [&] {
    const auto handle = get_connector(connector);
    const auto callback = select(handle->functions());
    if (callback == nullptr)
      throw NestedFailure(
          {&H5E_VOL_g, &H5E_UNSUPPORTED_g},
          std::string("the VOL connector '") + handle->functions().name + "' has no such callback");
    Result result = failed;
    {
      const QuietScope quiet;
      result = call(callback);
    }
    if (has_failed(result)) throw CallbackFailure(entry.code, entry.text);
    return result;
  });
}

/// The same for a callback of an object, which must not be null.
template <class Result, class Select, class Call>
Result object_call(Result failed, const ApiFunction& entry, const void* object, hid_t connector,
                   Select select, Call call) {
  if (object != nullptr) return connector_call(failed, entry, connector, select, call);
  return api_call_keeping_errors(failed, entry, []() -> Result { bad_value("invalid object"); });
}

}  // namespace filigree::capi
