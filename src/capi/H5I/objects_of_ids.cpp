// SPDX-License-Identifier: Apache-2.0
//
// Objects of the C++ API behind the ids of this library (filigree/hdf5_ids.hpp).
#include <filigree/error.hpp>

#include "api/hdf5_ids.hpp"
#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {
namespace {

Object object_of(std::int64_t id) {
  try {
    return location(id).object;
  } catch (const Failure& failure) {
    throw Error(ErrorKind::invalid_argument, failure.what());
  }
}

/// Tells libfiligree about this library while it is loaded.
class Introduction {
 public:
  Introduction() : library_{reinterpret_cast<const void*>(&H5Iis_valid), object_of} {
    api::set_c_library(&library_);
  }
  ~Introduction() { api::set_c_library(nullptr); }
  Introduction(const Introduction&) = delete;
  Introduction& operator=(const Introduction&) = delete;

 private:
  const api::CLibrary library_;
};

const Introduction introduction;

}  // namespace
}  // namespace filigree::capi
