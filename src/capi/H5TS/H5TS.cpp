// SPDX-License-Identifier: Apache-2.0
//
// H5TS: the lock of the library. These functions leave the error stack alone, and never wait.
#include <hdf5.h>

#include <H5TSdevelop.h>

#include "capi/core/api_lock.hpp"

using filigree::capi::api_lock;

herr_t H5TSmutex_acquire(unsigned int lock_count, hbool_t* acquired) {
  if (acquired == nullptr) return -1;
  *acquired = api_lock().try_acquire(lock_count);
  return 0;
}

herr_t H5TSmutex_release(unsigned int* lock_count) {
  if (lock_count == nullptr) return -1;
  *lock_count = api_lock().release();
  return 0;
}

herr_t H5TSmutex_get_attempt_count(unsigned int* count) {
  if (count == nullptr) return -1;
  *count = api_lock().attempts();
  return 0;
}
