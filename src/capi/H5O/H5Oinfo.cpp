// SPDX-License-Identifier: Apache-2.0
//
// H5O: information on objects, and recursive iteration over them.
#include "capi/H5L/link_info.hpp"
#include "capi/H5L/link_operations.hpp"
#include "capi/core/nested_error.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_get() { return {&H5E_OHDR_g, &H5E_CANTGET_g}; }
Code failed_visit() { return {&H5E_OHDR_g, &H5E_BADITER_g}; }

void check_fields(unsigned fields, unsigned known) {
  if ((fields & ~known) != 0) bad_value("invalid fields");
}

Location by_index(hid_t loc, const char* name, const IterationOrder& order, hsize_t n, hid_t plist) {
  const Location start = location(loc);
  const LinkAccess access = link_access(plist);
  const Location group = traverse(start, name, access);
  const Link link = link_at(group, order, n);
  return resolve_link({group, link.name, link}, access);
}

template <class Operator>
herr_t call_operator(Operator op, hid_t id, const std::string& path, const Location& at, unsigned fields,
                     void* data) {
  if constexpr (std::is_same_v<Operator, H5O_iterate1_t>) {
    const H5O_info1_t info = object_info1(at, fields);
    return op(id, path.c_str(), &info, data);
  } else {
    const H5O_info2_t info = object_info2(at, fields);
    return op(id, path.c_str(), &info, data);
  }
}

herr_t checked(herr_t result) {
  if (result < 0) throw CallbackFailure(failed_visit(), "object visitation failed");
  return result;
}

/// Returns the start of an iteration. HDF5 reports an invalid id as a failed iteration, not as an invalid
/// argument.
Location start_of(hid_t id) {
  try {
    return location(id);
  } catch (const Failure& failure) {
    throw NestedFailure(failure.code(), failure.what());
  }
}

template <class Operator>
herr_t visit(const Location& start, hid_t id, const IterationOrder& order, Operator op, void* data,
             unsigned fields) {
  if (op == nullptr) bad_value("no callback operator specified");
  return checked(visit_objects(start, order, [&](const std::string& path, const Location& at) {
    return call_operator(op, id, path, at, fields, data);
  }));
}

template <class Operator>
herr_t visit_by_name(hid_t loc, const char* name, const IterationOrder& order, Operator op, void* data,
                     unsigned fields, hid_t plist) {
  if (op == nullptr) bad_value("no callback operator specified");
  const Location start = traverse(as_nested_error([&] { return location(loc); }), name, link_access(plist));
  const ScopedId id(add_object(start));
  return visit(start, id.get(), order, op, data, fields);
}

}  // namespace

herr_t H5Oget_info1(hid_t loc_id, H5O_info1_t* oinfo) {
  return api_call({"H5Oget_info1", cannot_get(), "can't retrieve object info"}, [&] {
    const Location start = location(loc_id);
    required(oinfo, "oinfo");
    *oinfo = object_info1(start, H5O_INFO_ALL);
  });
}

herr_t H5Oget_info2(hid_t loc_id, H5O_info1_t* oinfo, unsigned fields) {
  return api_call({"H5Oget_info2", cannot_get(), "can't retrieve object info"}, [&] {
    const Location start = location(loc_id);
    required(oinfo, "oinfo");
    check_fields(fields, H5O_INFO_ALL);
    *oinfo = object_info1(start, fields);
  });
}

herr_t H5Oget_info3(hid_t loc_id, H5O_info2_t* oinfo, unsigned fields) {
  return api_call({"H5Oget_info3", cannot_get(), "can't retrieve object info"}, [&] {
    const Location start = location(loc_id);
    required(oinfo, "oinfo");
    check_fields(fields, H5O_INFO_ALL);
    *oinfo = object_info2(start, fields);
  });
}

herr_t H5Oget_info_by_name1(hid_t loc_id, const char* name, H5O_info1_t* oinfo, hid_t lapl_id) {
  return api_call({"H5Oget_info_by_name1", cannot_get(), "unable to get object info"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    required(oinfo, "oinfo");
    *oinfo = object_info1(traverse(start, name, link_access(lapl_id)), H5O_INFO_ALL);
  });
}

herr_t H5Oget_info_by_name2(hid_t loc_id, const char* name, H5O_info1_t* oinfo, unsigned fields,
                            hid_t lapl_id) {
  return api_call({"H5Oget_info_by_name2", cannot_get(), "unable to get object info"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    required(oinfo, "oinfo");
    check_fields(fields, H5O_INFO_ALL);
    *oinfo = object_info1(traverse(start, name, link_access(lapl_id)), fields);
  });
}

herr_t H5Oget_info_by_name3(hid_t loc_id, const char* name, H5O_info2_t* oinfo, unsigned fields,
                            hid_t lapl_id) {
  return api_call({"H5Oget_info_by_name3", cannot_get(), "unable to get object info"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    required(oinfo, "oinfo");
    check_fields(fields, H5O_INFO_ALL);
    *oinfo = object_info2(traverse(start, name, link_access(lapl_id)), fields);
  });
}

herr_t H5Oget_info_by_idx1(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                           hsize_t n, H5O_info1_t* oinfo, hid_t lapl_id) {
  return api_call({"H5Oget_info_by_idx1", cannot_get(), "unable to get object info"}, [&] {
    location(loc_id);
    required_string(group_name, "group_name");
    const IterationOrder by = iteration_order(idx_type, order);
    required(oinfo, "oinfo");
    *oinfo = object_info1(by_index(loc_id, group_name, by, n, lapl_id), H5O_INFO_ALL);
  });
}

herr_t H5Oget_info_by_idx2(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                           hsize_t n, H5O_info1_t* oinfo, unsigned fields, hid_t lapl_id) {
  return api_call({"H5Oget_info_by_idx2", cannot_get(), "unable to get object info"}, [&] {
    location(loc_id);
    required_string(group_name, "group_name");
    const IterationOrder by = iteration_order(idx_type, order);
    required(oinfo, "oinfo");
    check_fields(fields, H5O_INFO_ALL);
    *oinfo = object_info1(by_index(loc_id, group_name, by, n, lapl_id), fields);
  });
}

herr_t H5Oget_info_by_idx3(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                           hsize_t n, H5O_info2_t* oinfo, unsigned fields, hid_t lapl_id) {
  return api_call({"H5Oget_info_by_idx3", cannot_get(), "unable to get object info"}, [&] {
    location(loc_id);
    required_string(group_name, "group_name");
    const IterationOrder by = iteration_order(idx_type, order);
    required(oinfo, "oinfo");
    check_fields(fields, H5O_INFO_ALL);
    *oinfo = object_info2(by_index(loc_id, group_name, by, n, lapl_id), fields);
  });
}

herr_t H5Oget_native_info(hid_t loc_id, H5O_native_info_t* oinfo, unsigned fields) {
  return api_call({"H5Oget_native_info", cannot_get(), "unable to get object info"}, [&] {
    required(oinfo, "oinfo");
    check_fields(fields, H5O_NATIVE_INFO_ALL);
    *oinfo = native_info(location(loc_id), fields);
  });
}

herr_t H5Oget_native_info_by_name(hid_t loc_id, const char* name, H5O_native_info_t* oinfo, unsigned fields,
                                  hid_t lapl_id) {
  return api_call({"H5Oget_native_info_by_name", cannot_get(), "unable to get object info"}, [&] {
    required_string(name, "name");
    required(oinfo, "oinfo");
    check_fields(fields, H5O_NATIVE_INFO_ALL);
    *oinfo = native_info(traverse(location(loc_id), name, link_access(lapl_id)), fields);
  });
}

herr_t H5Oget_native_info_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t n, H5O_native_info_t* oinfo, unsigned fields,
                                 hid_t lapl_id) {
  return api_call({"H5Oget_native_info_by_idx", cannot_get(), "unable to get object info"}, [&] {
    required_string(group_name, "group_name");
    const IterationOrder by = iteration_order(idx_type, order);
    required(oinfo, "oinfo");
    check_fields(fields, H5O_NATIVE_INFO_ALL);
    *oinfo = native_info(by_index(loc_id, group_name, by, n, lapl_id), fields);
  });
}

herr_t H5Ovisit1(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate1_t op, void* op_data) {
  return api_call({"H5Ovisit1", failed_visit(), "object visitation failed"}, [&] {
    const IterationOrder by = iteration_order(idx_type, order);
    if (op == nullptr) bad_value("no callback operator specified");
    return visit(start_of(obj_id), obj_id, by, op, op_data, H5O_INFO_ALL);
  });
}

herr_t H5Ovisit2(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate1_t op, void* op_data,
                 unsigned fields) {
  return api_call({"H5Ovisit2", failed_visit(), "object visitation failed"}, [&] {
    const IterationOrder by = iteration_order(idx_type, order);
    if (op == nullptr) bad_value("no callback operator specified");
    check_fields(fields, H5O_INFO_ALL);
    return visit(start_of(obj_id), obj_id, by, op, op_data, fields);
  });
}

herr_t H5Ovisit3(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate2_t op, void* op_data,
                 unsigned fields) {
  return api_call({"H5Ovisit3", failed_visit(), "object visitation failed"}, [&] {
    const IterationOrder by = iteration_order(idx_type, order);
    if (op == nullptr) bad_value("no callback operator specified");
    check_fields(fields, H5O_INFO_ALL);
    return visit(start_of(obj_id), obj_id, by, op, op_data, fields);
  });
}

herr_t H5Ovisit_by_name1(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                         H5O_iterate1_t op, void* op_data, hid_t lapl_id) {
  return api_call({"H5Ovisit_by_name1", failed_visit(), "object visitation failed"}, [&] {
    required_string(obj_name, "obj_name");
    return visit_by_name(loc_id, obj_name, iteration_order(idx_type, order), op, op_data, H5O_INFO_ALL,
                         lapl_id);
  });
}

herr_t H5Ovisit_by_name2(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                         H5O_iterate1_t op, void* op_data, unsigned fields, hid_t lapl_id) {
  return api_call({"H5Ovisit_by_name2", failed_visit(), "object visitation failed"}, [&] {
    required_string(obj_name, "obj_name");
    const IterationOrder by = iteration_order(idx_type, order);
    check_fields(fields, H5O_INFO_ALL);
    return visit_by_name(loc_id, obj_name, by, op, op_data, fields, lapl_id);
  });
}

herr_t H5Ovisit_by_name3(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                         H5O_iterate2_t op, void* op_data, unsigned fields, hid_t lapl_id) {
  return api_call({"H5Ovisit_by_name3", failed_visit(), "object visitation failed"}, [&] {
    required_string(obj_name, "obj_name");
    const IterationOrder by = iteration_order(idx_type, order);
    check_fields(fields, H5O_INFO_ALL);
    return visit_by_name(loc_id, obj_name, by, op, op_data, fields, lapl_id);
  });
}
