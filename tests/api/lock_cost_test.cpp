// SPDX-License-Identifier: Apache-2.0
//
// How often calls acquire the lock of a file. The lock is a read-write lock of the C library, whose function
// is counted here and forwarded.
#include <dlfcn.h>
#include <pthread.h>

#include <vector>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "forms.hpp"

// The thread sanitizer defines this function itself.
#ifndef __SANITIZE_THREAD__

namespace {
thread_local unsigned shared_locks = 0;
}

extern "C" int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  static const auto next =
      reinterpret_cast<int (*)(pthread_rwlock_t*)>(dlsym(RTLD_NEXT, "pthread_rwlock_rdlock"));
  ++shared_locks;
  return next(lock);
}

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;

template <class Work>
unsigned locks_of(Work&& work) {
  const unsigned before = shared_locks;
  work();
  return shared_locks - before;
}

class LockCost : public InBothForms {
 protected:
  static Dataset make(File& file, const char* name) {
    auto data =
        file.root().create_dataset<float>(name, Dataspace::simple({100, 100}), sparse_chunks({50, 50}));
    write_offsets<float>(data, Dims{1, 2}, std::vector<float>{1, 2});  // what is made once is there
    return data;
  }

  File file_ = File::create_in_memory();
  Dataset data_ = make(file_, "d");
};

TEST_P(LockCost, ExtentTakesOneLock) {
  EXPECT_EQ(locks_of([&] { data_.space(); }), 1u);
}

TEST_P(LockCost, CoordinatesTakeAsManyLocksAsOffsets) {
  const std::vector<float> values{5, 6, 7};
  const Dims offsets{10, 20, 330}, ascending{0, 10, 0, 20, 3, 30}, descending{3, 30, 0, 20, 0, 10};
  const unsigned by_offsets = locks_of([&] { write_offsets<float>(data_, offsets, values); });
  EXPECT_GE(by_offsets, 1u);
  EXPECT_EQ(locks_of([&] { write_coordinates<float>(data_, ascending, values); }), by_offsets);
  EXPECT_EQ(locks_of([&] { write_coordinates<float>(data_, descending, values); }), by_offsets);
}

FILIGREE_IN_BOTH_FORMS(LockCost);

}  // namespace
}  // namespace filigree

#endif
