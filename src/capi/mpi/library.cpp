// SPDX-License-Identifier: Apache-2.0
//
// What libfiligree_hdf5 learns of MPI when this library is loaded.
#include <cstdlib>
#include <mutex>

#include <filigree/error.hpp>

#include "capi/mpi/parameters.hpp"

namespace filigree::capi::mpi {
namespace {

class Library final : public MpioLibrary {
 public:
  std::optional<int> process() const override {
    int rank = 0;
    if (!is_usable() || MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS) return std::nullopt;
    return rank;
  }
  std::shared_ptr<const MpioParameters> world() override {
    const std::lock_guard lock(mutex_);
    if (world_ != nullptr) return world_;
    int initialised = 0;
    MPI_Initialized(&initialised);
    if (initialised == 0) {
      if (MPI_Init(nullptr, nullptr) != MPI_SUCCESS)
        throw Error(ErrorKind::io, "MPI_Init, which HDF5_DRIVER=mpio needs, failed");
      std::atexit([] {
        if (is_usable()) MPI_Finalize();
      });
    }
    return world_ = std::make_shared<Parameters>(MPI_COMM_WORLD, MPI_INFO_NULL);
  }
  void* handle(const File& file) const override { return filigree::mpi::handle(file); }
  void set_atomicity(const File& file, bool atomic) const override {
    filigree::mpi::set_atomicity(file, atomic);
  }
  bool atomicity(const File& file) const override { return filigree::mpi::atomicity(file); }

  void forget_world() {
    const std::lock_guard lock(mutex_);
    world_.reset();
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const MpioParameters> world_;
};

/// Outlives exit handlers, which close files.
Library& library() {
  static auto* const made = new Library;
  return *made;
}

__attribute__((constructor)) void announce() { set_mpio_library(library()); }

int finalize_begins(MPI_Comm, int, void*, void*) {
  H5close();
  library().forget_world();
  return MPI_SUCCESS;
}

}  // namespace

/// MPI_Finalize first deletes the attributes of MPI_COMM_SELF, while MPI can still be used.
void close_at_finalize() {
  static const bool set = [] {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalize_begins, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    MPI_Comm_free_keyval(&key);
    return true;
  }();
  static_cast<void>(set);
}

}  // namespace filigree::capi::mpi
