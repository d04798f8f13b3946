// SPDX-License-Identifier: Apache-2.0
//
// Properties of dataset transfer that are about selections: how they reach the driver, and the one for
// H5S_PLIST.
#include "capi/H5P/plist_calls.hpp"
#include "capi/core/nested_error.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using Transfer = TransferSettings;

ApiFunction transfer_call(const char* function) {
  return property_call(function, &H5E_BADTYPE_g, "not a dxpl");
}

/// *Throws* Failure for slabs that no dataspace of the rank can have.
void check_slab(const SlabOperation& given) {
  if (given.op > H5S_SELECT_NOTA)
    throw Failure({&H5E_PLIST_g, &H5E_CANTSELECT_g}, "hyperslabs cannot be appended");
  SpaceValue any = space_of(Dataspace::simple(std::vector<std::uint64_t>(given.slab.size(), 1)));
  with_error_code({&H5E_PLIST_g, &H5E_CANTSELECT_g}, [&] { select_slab(any, given.op, given.slab); });
}

}  // namespace

herr_t H5Pset_selection_io(hid_t plist_id, H5D_selection_io_mode_t selection_io_mode) {
  return api_call(transfer_call("H5Pset_selection_io"), [&] {
    refuse_default(plist_id);
    change_settings<Transfer>(plist_id, {}, [&](auto& s) { s.selection_io = selection_io_mode; });
  });
}

herr_t H5Pget_selection_io(hid_t plist_id, H5D_selection_io_mode_t* selection_io_mode) {
  return api_call(transfer_call("H5Pget_selection_io"),
                  [&] { store_if(selection_io_mode, get_settings<Transfer>(plist_id)->selection_io); });
}

herr_t H5Pget_no_selection_io_cause(hid_t plist_id, uint32_t* no_selection_io_cause) {
  return api_call(plist_call("H5Pget_no_selection_io_cause"), [&] {
    store_if(no_selection_io_cause, get_settings<Transfer>(plist_id)->no_selection_io_cause);
  });
}

herr_t H5Pget_actual_selection_io_mode(hid_t plist_id, uint32_t* actual_selection_io_mode) {
  return api_call(plist_call("H5Pget_actual_selection_io_mode"), [&] {
    store_if(actual_selection_io_mode, get_settings<Transfer>(plist_id)->actual_selection_io);
  });
}

// Elements are converted in memory of the library, so the buffer of a write never changes.
herr_t H5Pset_modify_write_buf(hid_t plist_id, hbool_t modify_write_buf) {
  return api_call(transfer_call("H5Pset_modify_write_buf"), [&] {
    refuse_default(plist_id);
    change_settings<Transfer>(plist_id, {}, [&](auto& s) { s.modify_write_buffer = modify_write_buf; });
  });
}

herr_t H5Pget_modify_write_buf(hid_t plist_id, hbool_t* modify_write_buf) {
  return api_call(transfer_call("H5Pget_modify_write_buf"),
                  [&] { store_if(modify_write_buf, get_settings<Transfer>(plist_id)->modify_write_buffer); });
}

herr_t H5Pset_dataset_io_hyperslab_selection(hid_t plist_id, unsigned rank, H5S_seloper_t op,
                                             const hsize_t start[], const hsize_t stride[],
                                             const hsize_t count[], const hsize_t block[]) {
  return api_call(plist_call("H5Pset_dataset_io_hyperslab_selection"), [&] {
    if (rank < 1 || rank > H5S_MAX_RANK) bad_value("a dataspace has from 1 to 32 dimensions");
    if (op <= H5S_SELECT_NOOP || op >= H5S_SELECT_INVALID)
      throw Failure({&H5E_ARGS_g, &H5E_UNSUPPORTED_g}, "invalid selection operation");
    required(start, "start");
    for (unsigned i = 0; stride != nullptr && i < rank; ++i)
      if (stride[i] == 0) bad_value("a stride is at least 1");
    required(count, "count");
    const auto plist = find_plist<Transfer>(plist_id);
    const SlabOperation given{op, slab_dimensions(rank, start, stride, count, block)};
    plist->change<Transfer>({}, [&](auto& s) {
      auto& held = s.dataset_io_selection;
      if (op != H5S_SELECT_SET && !held.empty() && held.front().slab.size() != rank)
        throw Failure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "the selection of the list has another rank");
      check_slab(given);
      if (op == H5S_SELECT_SET) held.clear();
      held.push_back(given);
    });
  });
}
