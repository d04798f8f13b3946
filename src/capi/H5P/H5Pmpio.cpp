// SPDX-License-Identifier: Apache-2.0
//
// Properties for files that MPI processes share. The functions with HDF5's names are in src/capi/mpi, because
// build systems look for them in a library.
#include "capi/H5FD/drivers.hpp"
#include "capi/H5FD/mpio.hpp"
#include "capi/H5P/plist_calls.hpp"

namespace filigree::capi {
namespace {

using Access = FileAccessSettings;
using Transfer = TransferSettings;

ApiFunction access_call(const char* function) {
  return property_call(function, &H5E_BADTYPE_g, "not a file access list");
}

ApiFunction transfer_call(const char* function) {
  return property_call(function, &H5E_BADTYPE_g, "not a dxpl");
}

template <class Work>
herr_t set_transfer(const char* function, hid_t dxpl, const char* property, Work work) {
  return api_call(transfer_call(function), [&] {
    refuse_default(dxpl);
    change_settings<Transfer>(dxpl, {property}, work);
  });
}

}  // namespace

hid_t mpio_driver_id() {
  return api_call(property_call("H5FD_mpio_init", &H5E_CANTINIT_g, "can't initialize the driver"),
                  [] { return driver_id(H5_VFD_MPIO); });
}

herr_t set_fapl_mpio(const char* function, hid_t fapl, bool null, bool parameters_only,
                     MakeMpioParameters make) {
  return api_call(access_call(function), [&] {
    refuse_default(fapl);
    const auto plist = find_plist<Access>(fapl);
    if (null) throw Failure({&H5E_PLIST_g, &H5E_BADTYPE_g}, "MPI_COMM_NULL is not a valid communicator");
    const auto made = make();
    plist->change<Access>(parameters_only ? PropertyNames{} : PropertyNames{"vfd_info"}, [&](Access& s) {
      s.mpio.parameters = made;
      if (!parameters_only) s.driver = {driver_id(H5_VFD_MPIO), nullptr, {}};
    });
  });
}

herr_t get_fapl_mpio(const char* function, hid_t fapl, bool parameters_only, TakeMpioParameters take) {
  return api_call(access_call(function), [&] {
    const auto settings = get_settings<Access>(fapl);
    if (!parameters_only && driver_of(settings->driver)->functions.value != H5_VFD_MPIO)
      throw Failure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "the list asks for another driver");
    take(settings->mpio.parameters.get());
  });
}

herr_t set_dxpl_mpio(hid_t dxpl, H5FD_mpio_xfer_t mode) {
  return api_call(transfer_call("H5Pset_dxpl_mpio"), [&] {
    refuse_default(dxpl);
    const auto plist = find_plist<Transfer>(dxpl);
    if (mode != H5FD_MPIO_INDEPENDENT && mode != H5FD_MPIO_COLLECTIVE)
      bad_value("transfers are independent or collective");
    plist->change<Transfer>({"io_xfer_mode"}, [&](Transfer& s) { s.transfer_mode = mode; });
  });
}

herr_t get_dxpl_mpio(hid_t dxpl, H5FD_mpio_xfer_t* mode) {
  return api_call(transfer_call("H5Pget_dxpl_mpio"),
                  [&] { store_if(mode, get_settings<Transfer>(dxpl)->transfer_mode); });
}

herr_t set_dxpl_mpio_collective_opt(hid_t dxpl, H5FD_mpio_collective_opt_t opt) {
  return set_transfer("H5Pset_dxpl_mpio_collective_opt", dxpl, "mpio_collective_opt",
                      [&](Transfer& s) { s.collective_opt = opt; });
}

herr_t set_dxpl_mpio_chunk_opt(hid_t dxpl, H5FD_mpio_chunk_opt_t opt) {
  return set_transfer("H5Pset_dxpl_mpio_chunk_opt", dxpl, "mpio_chunk_opt_hard",
                      [&](Transfer& s) { s.chunk_opt = opt; });
}

herr_t set_dxpl_mpio_chunk_opt_num(hid_t dxpl, unsigned chunks) {
  return set_transfer("H5Pset_dxpl_mpio_chunk_opt_num", dxpl, "mpio_chunk_opt_num",
                      [&](Transfer& s) { s.chunk_opt_num = chunks; });
}

herr_t set_dxpl_mpio_chunk_opt_ratio(hid_t dxpl, unsigned percent) {
  return set_transfer("H5Pset_dxpl_mpio_chunk_opt_ratio", dxpl, "mpio_chunk_opt_ratio",
                      [&](Transfer& s) { s.chunk_opt_ratio = percent; });
}

herr_t get_mpio_actual_chunk_opt_mode(hid_t dxpl, H5D_mpio_actual_chunk_opt_mode_t* mode) {
  return api_call(plist_call("H5Pget_mpio_actual_chunk_opt_mode"),
                  [&] { store_if(mode, get_settings<Transfer>(dxpl)->actual_chunk_opt); });
}

herr_t get_mpio_actual_io_mode(hid_t dxpl, H5D_mpio_actual_io_mode_t* mode) {
  return api_call(plist_call("H5Pget_mpio_actual_io_mode"),
                  [&] { store_if(mode, get_settings<Transfer>(dxpl)->actual_io_mode); });
}

herr_t get_mpio_no_collective_cause(hid_t dxpl, std::uint32_t* local, std::uint32_t* global) {
  return api_call(plist_call("H5Pget_mpio_no_collective_cause"), [&] {
    const auto settings = get_settings<Transfer>(dxpl);
    store_if(local, settings->local_no_collective_cause);
    store_if(global, settings->global_no_collective_cause);
  });
}

}  // namespace filigree::capi
