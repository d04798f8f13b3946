// SPDX-License-Identifier: Apache-2.0
#include "capi/H5VL/native_objects.hpp"

#include "capi/core/errors.hpp"

namespace filigree::capi {

hid_t native_id(const void* object) {
  for (const H5I_type_t type : {H5I_FILE, H5I_GROUP, H5I_DATASET, H5I_DATATYPE, H5I_ATTR}) {
    for (const hid_t id : ids().of_type(type)) {
      const auto handle = ids().peek_as<InFileHandle>(id);
      if (object != nullptr && handle.get() == object) return id;
    }
  }
  bad_value("not an object of the native connector");
}

void* native_object(hid_t id) { return id < 0 ? nullptr : ids().find_as<InFileHandle>(id).get(); }

LocationId::LocationId(void* object, const H5VL_loc_params_t* parameters) {
  const hid_t start = native_id(object);
  const H5VL_loc_params_t& at = *required(parameters, "loc_params");
  opened_ = at.type != H5VL_OBJECT_BY_SELF;
  switch (at.type) {
    case H5VL_OBJECT_BY_SELF:
      id_ = start;
      return;
    case H5VL_OBJECT_BY_NAME:
      id_ = H5Oopen(start, at.loc_data.loc_by_name.name, at.loc_data.loc_by_name.lapl_id);
      break;
    case H5VL_OBJECT_BY_IDX: {
      const H5VL_loc_by_idx_t& by = at.loc_data.loc_by_idx;
      id_ = H5Oopen_by_idx(start, by.name, by.idx_type, by.order, by.n, by.lapl_id);
      break;
    }
    case H5VL_OBJECT_BY_TOKEN:
      id_ = H5Oopen_by_token(start, *required(at.loc_data.loc_by_token.token, "token"));
      break;
    default:
      bad_value("unknown location parameters");
  }
  if (id_ < 0) throw CallbackFailure({&H5E_VOL_g, &H5E_CANTOPENOBJ_g}, "the location cannot be opened");
}

LocationId::~LocationId() {
  if (!opened_ || id_ < 0) return;
  try {
    ids().release(id_);
  } catch (...) {  // A callback has closed it.
  }
}

struct QuietScope::State {
  ErrorReporting reporting;
};

QuietScope::QuietScope() : before_(std::make_unique<State>(State{thread_errors().reporting})) {
  ErrorReporting& now = thread_errors().reporting;
  now.first = nullptr;
  now.second = nullptr;
  now.is_default = false;
}

QuietScope::~QuietScope() { thread_errors().reporting = before_->reporting; }

}  // namespace filigree::capi
