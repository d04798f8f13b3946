// SPDX-License-Identifier: Apache-2.0
#include "api/conversion_access.hpp"
#include "api/type_access.hpp"

namespace filigree::api {
namespace {

/// Calls the handler of the user with public datatypes.
type::FaultHandler to_handler(const ConversionHandler& handler) {
  if (!handler) return nullptr;
  return [&handler](const type::FaultyValue& value) {
    return handler(
        {value.fault, TypeAccess::make(value.from), TypeAccess::make(value.to), value.value, value.result});
  };
}

}  // namespace

Conversions::Conversions(const ConversionOptions& options) : handler_(to_handler(options.on_fault)) {
  choice_.rules = options.rules == ConversionRules::hdf5 ? type::Rules::hdf5 : type::Rules::natural;
  if (handler_) choice_.on_fault = &handler_;
  choice_.memory = const_cast<CMemory*>(options.c_memory);
}

}  // namespace filigree::api
