// SPDX-License-Identifier: Apache-2.0
//
// Event sets.
#include <cstdlib>

#include <fmt/format.h>

#include "capi/H5ES/event_set.hpp"
#include "capi/core/strings.hpp"

using namespace filigree::capi;

namespace {

Code event_code(const hid_t* minor) { return {&H5E_EVENTSET_g, minor}; }

/// Runs `work` with the set of an id. As in HDF5, H5ES_NONE is valid, and nothing happens.
template <class Work>
herr_t with_event_set(const ApiFunction& entry, hid_t id, Work&& work) {
  return api_call(entry, [&] {
    if (id != H5ES_NONE) work(*get_event_set(id));
  });
}

void require_output(const void* pointer, const char* name) {
  if (pointer == nullptr) bad_value(fmt::format("NULL {} pointer", name));
}

H5ES_err_info_t error_info(const Event& event) {
  const EventOrigin& origin = event.origin;
  H5ES_err_info_t info{};
  info.err_stack_id = event.request->error_stack();
  info.api_name = new_string(origin.api_name == nullptr ? "" : origin.api_name);
  info.api_args = new_string(origin.api_arguments);
  info.app_file_name = new_string(origin.app_file);
  info.app_func_name = new_string(origin.app_function);
  info.app_line_num = origin.app_line;
  info.op_ins_count = event.number;
  info.op_ins_ts = event.inserted_microseconds;
  info.op_exec_ts = event.began_microseconds;
  info.op_exec_time = event.ran_nanoseconds;
  return info;
}

}  // namespace

hid_t H5EScreate(void) {
  return api_call({__func__, event_code(&H5E_CANTCREATE_g), "can't create event set"},
                  [] { return ids().add(std::make_shared<EventSetHandle>()); });
}

herr_t H5ESinsert_request(hid_t es_id, hid_t connector_id, void* request) {
  return api_call({__func__, event_code(&H5E_CANTCREATE_g), "can't create VOL connector object"}, [&] {
    const auto set = get_event_set(es_id);
    if (request == nullptr) bad_value("NULL request pointer");
    set->insert(std::make_shared<Event>(make_request(connector_id, request), EventOrigin{}));
  });
}

herr_t H5ESget_count(hid_t es_id, size_t* count) {
  return with_event_set({__func__, event_code(&H5E_CANTGET_g), "can't count operations"}, es_id,
                        [&](const EventSetHandle& set) {
                          if (count != nullptr) *count = set.count();
                        });
}

herr_t H5ESget_op_counter(hid_t es_id, uint64_t* counter) {
  return with_event_set({__func__, event_code(&H5E_CANTGET_g), "can't get operation counter"}, es_id,
                        [&](const EventSetHandle& set) {
                          if (counter != nullptr) *counter = set.inserted();
                        });
}

herr_t H5ESget_requests(hid_t es_id, H5_iter_order_t order, hid_t* connector_ids, void** requests,
                        size_t array_len, size_t* count) {
  return api_call({__func__, event_code(&H5E_CANTGET_g), "can't get requests"}, [&] {
    const auto set = get_event_set(es_id);
    if (order <= H5_ITER_UNKNOWN || order >= H5_ITER_N) bad_value("invalid iteration order specified");
    const auto events = set->events();
    for (std::size_t i = 0; i < events.size() && i < array_len; ++i) {
      const Request& request = *events[order == H5_ITER_DEC ? events.size() - 1 - i : i]->request;
      if (connector_ids != nullptr) connector_ids[i] = request.connector();
      if (requests != nullptr) requests[i] = request.pointer();
    }
    if (count != nullptr) *count = events.size();
  });
}

herr_t H5ESwait(hid_t es_id, uint64_t timeout, size_t* num_in_progress, hbool_t* err_occurred) {
  return with_event_set({__func__, event_code(&H5E_CANTWAIT_g), "can't wait on operations"}, es_id,
                        [&](EventSetHandle& set) {
                          require_output(num_in_progress, "num_in_progress");
                          require_output(err_occurred, "op_failed");
                          *num_in_progress = 0;
                          *err_occurred = false;
                          const auto [remaining, failed] = set.wait(timeout);
                          *num_in_progress = remaining;
                          *err_occurred = failed;
                        });
}

herr_t H5EScancel(hid_t es_id, size_t* num_not_canceled, hbool_t* err_occurred) {
  return with_event_set({__func__, event_code(&H5E_CANTCANCEL_g), "can't cancel operations"}, es_id,
                        [&](EventSetHandle& set) {
                          require_output(num_not_canceled, "num_not_canceled");
                          require_output(err_occurred, "op_failed");
                          *num_not_canceled = 0;
                          *err_occurred = false;
                          const auto [remaining, failed] = set.cancel();
                          *num_not_canceled = remaining;
                          *err_occurred = failed;
                        });
}

herr_t H5ESget_err_status(hid_t es_id, hbool_t* err_occurred) {
  return with_event_set({__func__, event_code(&H5E_CANTGET_g), "can't get error status"}, es_id,
                        [&](const EventSetHandle& set) {
                          if (err_occurred != nullptr) *err_occurred = set.has_failed();
                        });
}

herr_t H5ESget_err_count(hid_t es_id, size_t* num_errs) {
  return with_event_set({__func__, event_code(&H5E_CANTGET_g), "can't count errors"}, es_id,
                        [&](const EventSetHandle& set) {
                          if (num_errs != nullptr) *num_errs = set.failures();
                        });
}

herr_t H5ESget_err_info(hid_t es_id, size_t num_err_info, H5ES_err_info_t err_info[], size_t* err_cleared) {
  return with_event_set(
      {__func__, event_code(&H5E_CANTGET_g), "can't retrieve error info for failed operation(s)"}, es_id,
      [&](EventSetHandle& set) {
        if (num_err_info == 0) bad_value("err_info array size is 0");
        require_output(err_info, "err_info array");
        require_output(err_cleared, "errors cleared");
        *err_cleared = 0;
        for (const auto& event : set.take_failures(num_err_info))
          err_info[(*err_cleared)++] = error_info(*event);
      });
}

herr_t H5ESfree_err_info(size_t num_err_info, H5ES_err_info_t err_info[]) {
  return api_call({__func__, event_code(&H5E_CANTDEC_g), "can't close an error stack"}, [&] {
    if (num_err_info == 0) bad_value("err_info array size is 0");
    require_output(err_info, "err_info array");
    for (std::size_t i = 0; i < num_err_info; ++i) {
      std::free(err_info[i].api_name);
      std::free(err_info[i].api_args);
      std::free(err_info[i].app_file_name);
      std::free(err_info[i].app_func_name);
      ids().release(err_info[i].err_stack_id);
    }
  });
}

herr_t H5ESregister_insert_func(hid_t es_id, H5ES_event_insert_func_t func, void* ctx) {
  return with_event_set({__func__, event_code(&H5E_CANTSET_g), "can't set the callback"}, es_id,
                        [&](EventSetHandle& set) {
                          require_output(reinterpret_cast<const void*>(func), "function callback");
                          set.set_insert_callback(func, ctx);
                        });
}

herr_t H5ESregister_complete_func(hid_t es_id, H5ES_event_complete_func_t func, void* ctx) {
  return with_event_set({__func__, event_code(&H5E_CANTSET_g), "can't set the callback"}, es_id,
                        [&](EventSetHandle& set) {
                          require_output(reinterpret_cast<const void*>(func), "function callback");
                          set.set_complete_callback(func, ctx);
                        });
}

herr_t H5ESclose(hid_t es_id) {
  return api_call({__func__, event_code(&H5E_CANTDEC_g), "unable to decrement ref count on event set"}, [&] {
    if (es_id == H5ES_NONE) return;
    if (ids().find_as<EventSetHandle>(es_id) == nullptr) bad_type("not an event set");
    ids().release(es_id);
  });
}
