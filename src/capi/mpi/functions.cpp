// SPDX-License-Identifier: Apache-2.0
//
// The functions that HDF5 has in parallel builds only.
#include "capi/mpi/parameters.hpp"

using namespace filigree;
using filigree::capi::MpioParameters;
using filigree::capi::mpi::Parameters;

namespace {

herr_t set_parameters(const char* function, hid_t fapl, MPI_Comm comm, MPI_Info info, bool parameters_only) {
  return capi::set_fapl_mpio(function, fapl, comm == MPI_COMM_NULL, parameters_only,
                             [&] { return std::make_shared<const Parameters>(comm, info); });
}

herr_t get_parameters(const char* function, hid_t fapl, MPI_Comm* comm, MPI_Info* info,
                      bool parameters_only) {
  if (comm != nullptr) *comm = MPI_COMM_NULL;
  if (info != nullptr) *info = MPI_INFO_NULL;
  return capi::get_fapl_mpio(function, fapl, parameters_only, [&](const MpioParameters* found) {
    if (found == nullptr) return;
    const auto& parameters = dynamic_cast<const Parameters&>(*found);
    if (comm != nullptr) *comm = parameters.duplicate_communicator();
    if (info != nullptr) *info = parameters.duplicate_hints();
  });
}

}  // namespace

hid_t H5FD_mpio_init(void) { return capi::mpio_driver_id(); }

herr_t H5Pset_fapl_mpio(hid_t fapl_id, MPI_Comm comm, MPI_Info info) {
  return set_parameters("H5Pset_fapl_mpio", fapl_id, comm, info, false);
}

herr_t H5Pget_fapl_mpio(hid_t fapl_id, MPI_Comm* comm, MPI_Info* info) {
  return get_parameters("H5Pget_fapl_mpio", fapl_id, comm, info, false);
}

herr_t H5Pset_mpi_params(hid_t fapl_id, MPI_Comm comm, MPI_Info info) {
  return set_parameters("H5Pset_mpi_params", fapl_id, comm, info, true);
}

herr_t H5Pget_mpi_params(hid_t fapl_id, MPI_Comm* comm, MPI_Info* info) {
  return get_parameters("H5Pget_mpi_params", fapl_id, comm, info, true);
}

herr_t H5Pset_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t xfer_mode) {
  return capi::set_dxpl_mpio(dxpl_id, xfer_mode);
}

herr_t H5Pget_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t* xfer_mode) {
  return capi::get_dxpl_mpio(dxpl_id, xfer_mode);
}

herr_t H5Pset_dxpl_mpio_collective_opt(hid_t dxpl_id, H5FD_mpio_collective_opt_t opt_mode) {
  return capi::set_dxpl_mpio_collective_opt(dxpl_id, opt_mode);
}

herr_t H5Pset_dxpl_mpio_chunk_opt(hid_t dxpl_id, H5FD_mpio_chunk_opt_t opt_mode) {
  return capi::set_dxpl_mpio_chunk_opt(dxpl_id, opt_mode);
}

herr_t H5Pset_dxpl_mpio_chunk_opt_num(hid_t dxpl_id, unsigned num_chunk_per_proc) {
  return capi::set_dxpl_mpio_chunk_opt_num(dxpl_id, num_chunk_per_proc);
}

herr_t H5Pset_dxpl_mpio_chunk_opt_ratio(hid_t dxpl_id, unsigned percent_num_proc_per_chunk) {
  return capi::set_dxpl_mpio_chunk_opt_ratio(dxpl_id, percent_num_proc_per_chunk);
}

herr_t H5Pget_mpio_actual_chunk_opt_mode(hid_t plist_id,
                                         H5D_mpio_actual_chunk_opt_mode_t* actual_chunk_opt_mode) {
  return capi::get_mpio_actual_chunk_opt_mode(plist_id, actual_chunk_opt_mode);
}

herr_t H5Pget_mpio_actual_io_mode(hid_t plist_id, H5D_mpio_actual_io_mode_t* actual_io_mode) {
  return capi::get_mpio_actual_io_mode(plist_id, actual_io_mode);
}

herr_t H5Pget_mpio_no_collective_cause(hid_t plist_id, uint32_t* local_no_collective_cause,
                                       uint32_t* global_no_collective_cause) {
  return capi::get_mpio_no_collective_cause(plist_id, local_no_collective_cause, global_no_collective_cause);
}
