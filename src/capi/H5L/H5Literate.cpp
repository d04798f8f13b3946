// SPDX-License-Identifier: Apache-2.0
//
// H5L: iteration over links. The older functions report addresses, the newer ones tokens.
#include "capi/H5L/link_info.hpp"
#include "capi/H5L/link_operations.hpp"
#include "capi/core/nested_error.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code failed_iteration() { return {&H5E_LINK_g, &H5E_BADITER_g}; }
Code failed_visit() { return {&H5E_LINK_g, &H5E_BADITER_g}; }

herr_t call_operator(H5L_iterate1_t op, hid_t group, const std::string& name, const Link& link, void* data) {
  const H5L_info1_t info = link_info1(link);
  return op(group, name.c_str(), &info, data);
}

herr_t call_operator(H5L_iterate2_t op, hid_t group, const std::string& name, const Link& link, void* data) {
  const H5L_info2_t info = link_info2(link);
  return op(group, name.c_str(), &info, data);
}

Location group_of(hid_t id) {
  const H5I_type_t type = ids().find(id) == nullptr ? H5I_BADID : IdTable::type_of(id);
  if (type != H5I_GROUP && type != H5I_FILE) bad_value("not a group or file");
  return location(id);
}

template <class Operator>
herr_t iterate(const Location& group, hid_t id, const IterationOrder& order, hsize_t* position, Operator op,
               void* data) {
  return checked_result(iterate_links(group, order, position, [&](const Link& link) {
    return call_operator(op, id, link.name, link, data);
  }));
}

template <class Operator>
herr_t iterate_by_name(hid_t loc, const char* name, const IterationOrder& order, hsize_t* position,
                       Operator op, void* data, hid_t access) {
  if (op == nullptr) bad_value("no operator specified");
  const Location group = traverse(as_nested_error([&] { return location(loc); }),
                                  required_string(name, "group_name"), link_access(access));
  group.group();
  const ScopedId id(add_object(group));
  return iterate(group, id.get(), order, position, op, data);
}

template <class Operator>
herr_t visit(const Location& group, hid_t id, const IterationOrder& order, Operator op, void* data) {
  group.group();
  return checked_result(
      visit_links(group, order, [&](const std::string& path, const Location&, const Link& link) {
        return call_operator(op, id, path, link, data);
      }));
}

template <class Operator>
herr_t visit_by_name(hid_t loc, const char* name, const IterationOrder& order, Operator op, void* data,
                     hid_t access) {
  if (op == nullptr) bad_value("no callback operator specified");
  const Location group = traverse(as_nested_error([&] { return location(loc); }),
                                  required_string(name, "group_name"), link_access(access));
  const ScopedId id(add_object(group));
  return visit(group, id.get(), order, op, data);
}

}  // namespace

herr_t H5Literate1(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, hsize_t* idx, H5L_iterate1_t op,
                   void* op_data) {
  return api_call({"H5Literate1", failed_iteration(), "link iteration failed"}, [&] {
    const Location group = group_of(grp_id);
    const IterationOrder by = iteration_order(idx_type, order);
    if (op == nullptr) bad_value("no operator specified");
    return iterate(group, grp_id, by, idx, op, op_data);
  });
}

herr_t H5Literate2(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, hsize_t* idx, H5L_iterate2_t op,
                   void* op_data) {
  return api_call({"H5Literate2", failed_iteration(), "link iteration failed"}, [&] {
    const Location group = group_of(grp_id);
    const IterationOrder by = iteration_order(idx_type, order);
    if (op == nullptr) bad_value("no operator specified");
    return iterate(group, grp_id, by, idx, op, op_data);
  });
}

herr_t H5Literate_by_name1(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                           hsize_t* idx, H5L_iterate1_t op, void* op_data, hid_t lapl_id) {
  return api_call({"H5Literate_by_name1", failed_iteration(), "link iteration failed"}, [&] {
    required_string(group_name, "group_name");
    return iterate_by_name(loc_id, group_name, iteration_order(idx_type, order), idx, op, op_data, lapl_id);
  });
}

herr_t H5Literate_by_name2(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                           hsize_t* idx, H5L_iterate2_t op, void* op_data, hid_t lapl_id) {
  return api_call({"H5Literate_by_name2", failed_iteration(), "link iteration failed"}, [&] {
    required_string(group_name, "group_name");
    return iterate_by_name(loc_id, group_name, iteration_order(idx_type, order), idx, op, op_data, lapl_id);
  });
}

herr_t H5Lvisit1(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, H5L_iterate1_t op, void* op_data) {
  return api_call({"H5Lvisit1", failed_visit(), "link visitation failed"}, [&] {
    const Location group = group_of(grp_id);
    const IterationOrder by = iteration_order(idx_type, order);
    if (op == nullptr) bad_value("no callback operator specified");
    return visit(group, grp_id, by, op, op_data);
  });
}

herr_t H5Lvisit2(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, H5L_iterate2_t op, void* op_data) {
  return api_call({"H5Lvisit2", failed_visit(), "link visitation failed"}, [&] {
    const Location group = group_of(grp_id);
    const IterationOrder by = iteration_order(idx_type, order);
    if (op == nullptr) bad_value("no callback operator specified");
    return visit(group, grp_id, by, op, op_data);
  });
}

herr_t H5Lvisit_by_name1(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                         H5L_iterate1_t op, void* op_data, hid_t lapl_id) {
  return api_call({"H5Lvisit_by_name1", failed_visit(), "link visitation failed"}, [&] {
    required_string(group_name, "group_name");
    return visit_by_name(loc_id, group_name, iteration_order(idx_type, order), op, op_data, lapl_id);
  });
}

herr_t H5Lvisit_by_name2(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                         H5L_iterate2_t op, void* op_data, hid_t lapl_id) {
  return api_call({"H5Lvisit_by_name2", failed_visit(), "link visitation failed"}, [&] {
    required_string(group_name, "group_name");
    return visit_by_name(loc_id, group_name, iteration_order(idx_type, order), op, op_data, lapl_id);
  });
}
