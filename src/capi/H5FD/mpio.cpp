// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/mpio.hpp"

#include <atomic>

#include "capi/H5FD/drivers.hpp"
#include "capi/core/library.hpp"

namespace filigree::capi {
namespace {

std::atomic<MpioLibrary*>& registered() {
  static std::atomic<MpioLibrary*> library{nullptr};
  return library;
}

}  // namespace

MpioParameters::~MpioParameters() = default;
MpioLibrary::~MpioLibrary() = default;

/// Mostly called before main(), by the constructors of a library. The driver gets its id with the others.
void set_mpio_library(MpioLibrary& library) {
  registered() = &library;
  if (library_is_set_up()) add_mpio_driver();
}

MpioLibrary* mpio_library() { return registered(); }

bool MpioSetting::operator==(const MpioSetting& other) const {
  if (parameters == other.parameters) return true;
  return parameters != nullptr && other.parameters != nullptr && parameters->same(*other.parameters);
}

}  // namespace filigree::capi
