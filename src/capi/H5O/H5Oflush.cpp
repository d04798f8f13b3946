// SPDX-License-Identifier: Apache-2.0
//
// H5O: objects whose changed metadata stay in memory until the program flushes the file.
#include "capi/H5F/file_ids.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

struct HeldObject {
  std::shared_ptr<OpenFile> open;
  std::uint64_t address = 0;
};

HeldObject object_of(hid_t id) {
  const auto handle = ids().find_as<InFileHandle>(id);
  const auto open = handle == nullptr ? nullptr : handle->open();
  const auto address = handle == nullptr ? std::nullopt : handle->object_address();
  if (open == nullptr || !address) throw Failure({&H5E_OHDR_g, &H5E_BADVALUE_g}, "not an object of a file");
  return {open, *address};
}

}  // namespace

herr_t H5Odisable_mdc_flushes(hid_t object_id) {
  return api_call({__func__, {&H5E_OHDR_g, &H5E_CANTCORK_g}, "unable to cork object"}, [&] {
    const HeldObject object = object_of(object_id);
    if (!object.open->hold_object(object.address))
      throw NestedFailure({&H5E_OHDR_g, &H5E_CANTCORK_g}, "the metadata of the object are held back already");
  });
}

herr_t H5Oenable_mdc_flushes(hid_t object_id) {
  return api_call({__func__, {&H5E_OHDR_g, &H5E_CANTUNCORK_g}, "unable to uncork object"}, [&] {
    const HeldObject object = object_of(object_id);
    if (!object.open->release_object(object.address))
      throw NestedFailure({&H5E_OHDR_g, &H5E_CANTUNCORK_g}, "the metadata of the object are not held back");
  });
}

herr_t H5Oare_mdc_flushes_disabled(hid_t object_id, hbool_t* are_disabled) {
  return api_call({__func__, {&H5E_OHDR_g, &H5E_CANTGET_g}, "unable to get the state of the object"}, [&] {
    if (are_disabled == nullptr) throw Failure({&H5E_OHDR_g, &H5E_BADVALUE_g}, "are_disabled cannot be NULL");
    const HeldObject object = object_of(object_id);
    *are_disabled = object.open->shared->held_objects.get()->contains(object.address);
  });
}
