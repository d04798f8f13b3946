// SPDX-License-Identifier: Apache-2.0
//
// The attributes of an object: existence, renaming, deletion, iteration.
#include <algorithm>
#include <functional>

#include <filigree/error.hpp>

#include "capi/H5A/attributes.hpp"
#include "capi/H5G/traverse.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_get() { return {&H5E_ATTR_g, &H5E_CANTGET_g}; }
Code cannot_delete() { return {&H5E_ATTR_g, &H5E_CANTDELETE_g}; }
Code cannot_rename() { return {&H5E_ATTR_g, &H5E_CANTRENAME_g}; }

void require_writable(const Location& at) {
  if (!at.open->file.writable())
    throw NestedFailure({&H5E_OHDR_g, &H5E_BADVALUE_g}, "no write intent on file");
}

void remove(const Location& at, const char* name) {
  required_string(name, "attr_name");
  require_writable(at);
  if (!at.object.has_attribute(name))
    throw NestedFailure({&H5E_ATTR_g, &H5E_NOTFOUND_g}, "can't locate attribute");
  Object(at.object).remove_attribute(name);
}

void rename(const Location& at, const char* from, const char* to) {
  require_writable(at);
  if (!at.object.has_attribute(from))
    throw NestedFailure({&H5E_ATTR_g, &H5E_NOTFOUND_g}, "can't locate attribute with old name");
  if (at.object.has_attribute(to))
    throw NestedFailure({&H5E_ATTR_g, &H5E_EXISTS_g}, "attribute with new name already exists");
  Object(at.object).rename_attribute(from, to);
}

/// HDF5 reports attribute ids as invalid arguments here, and other ids as nested errors.
Location iterated(hid_t id) {
  if (ids().find_as<AttributeHandle>(id) != nullptr) return object_location(id);
  return as_nested_error([&] { return location(id); });
}

/// Iterates from `*position` on, and sets it to the next attribute.
herr_t iterate(const Location& at, const IterationOrder& order, hsize_t* position,
               const std::function<herr_t(const Attribute&)>& visit) {
  const std::vector<Attribute> all = attributes_of(at, order);
  hsize_t next = position == nullptr ? 0 : *position;
  if (next > 0 && next >= all.size())
    throw NestedFailure({&H5E_ARGS_g, &H5E_BADVALUE_g}, "invalid index specified");
  herr_t result = 0;
  while (result == 0 && next < all.size()) result = visit(all[next++]);
  if (position != nullptr) *position = next;
  if (result < 0) throw CallbackFailure({&H5E_ATTR_g, &H5E_BADITER_g}, "the callback failed");
  return result;
}

}  // namespace

herr_t H5Adelete(hid_t loc_id, const char* attr_name) {
  return api_call({__func__, cannot_delete(), "unable to delete attribute"},
                  [&] { remove(object_location(loc_id), attr_name); });
}

herr_t H5Adelete_by_name(hid_t loc_id, const char* obj_name, const char* attr_name, hid_t lapl_id) {
  return api_call({__func__, cannot_delete(), "unable to delete attribute"}, [&] {
    object_location(loc_id);
    required_string(obj_name, "obj_name");
    required_string(attr_name, "attr_name");
    remove(object_at(loc_id, obj_name, lapl_id), attr_name);
  });
}

herr_t H5Adelete_by_idx(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                        hsize_t n, hid_t lapl_id) {
  return api_call({__func__, cannot_delete(), "unable to delete attribute"}, [&] {
    object_location(loc_id);
    required_string(obj_name, "obj_name");
    const IterationOrder by = iteration_order(idx_type, order);
    const Location at = object_at(loc_id, obj_name, lapl_id);
    remove(at, attribute_at(at, by, n).name().c_str());
  });
}

herr_t H5Arename(hid_t loc_id, const char* old_name, const char* new_name) {
  return api_call({__func__, cannot_rename(), "can't rename attribute"}, [&] {
    if (ids().find_as<AttributeHandle>(loc_id) != nullptr) object_location(loc_id);
    required_string(old_name, "old_name");
    required_string(new_name, "new_name");
    // Like HDF5, this checks no argument when the names are equal.
    if (std::string_view(old_name) != new_name) rename(object_location(loc_id), old_name, new_name);
  });
}

herr_t H5Arename_by_name(hid_t loc_id, const char* obj_name, const char* old_attr_name,
                         const char* new_attr_name, hid_t lapl_id) {
  return api_call({__func__, cannot_rename(), "can't rename attribute"}, [&] {
    if (ids().find_as<AttributeHandle>(loc_id) != nullptr) object_location(loc_id);
    required_string(obj_name, "obj_name");
    required_string(old_attr_name, "old_attr_name");
    required_string(new_attr_name, "new_attr_name");
    if (std::string_view(old_attr_name) == new_attr_name) return;  // as in H5Arename
    rename(object_at(loc_id, obj_name, lapl_id), old_attr_name, new_attr_name);
  });
}

htri_t H5Aexists(hid_t obj_id, const char* attr_name) {
  return api_call({__func__, cannot_get(), "unable to determine if attribute exists"}, [&] {
    return htri_t{object_location(obj_id).object.has_attribute(required_string(attr_name, "attr_name"))};
  });
}

htri_t H5Aexists_by_name(hid_t obj_id, const char* obj_name, const char* attr_name, hid_t lapl_id) {
  return api_call({__func__, cannot_get(), "unable to determine if attribute exists"}, [&] {
    object_location(obj_id);
    required_string(obj_name, "obj_name");
    required_string(attr_name, "attr_name");
    return htri_t{object_at(obj_id, obj_name, lapl_id).object.has_attribute(attr_name)};
  });
}

int H5Aget_num_attrs(hid_t loc_id) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_CANTCOUNT_g}, "can't get attribute count for object"}, [&] {
    if (loc_id <= 0) bad_value("bad object id");
    if (ids().find(loc_id) == nullptr) throw Failure({&H5E_ARGS_g, &H5E_BADID_g}, "illegal object id");
    if (IdTable::type_of(loc_id) == H5I_FILE) bad_type("inappropriate attribute target");
    return static_cast<int>(object_location(loc_id).object.info().attributes);
  });
}

herr_t H5Aget_info_by_name(hid_t loc_id, const char* obj_name, const char* attr_name, H5A_info_t* ainfo,
                           hid_t lapl_id) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_CANTOPENOBJ_g}, "can't open attribute"}, [&] {
    object_location(loc_id);
    required_string(obj_name, "obj_name");
    required_string(attr_name, "attr_name");
    required(ainfo, "info");
    const Location at = object_at(loc_id, obj_name, lapl_id);
    const auto found = at.object.find_attribute(attr_name);
    if (!found) throw NestedFailure({&H5E_ATTR_g, &H5E_NOTFOUND_g}, "can't locate attribute");
    *ainfo = attribute_info(*found);
  });
}

herr_t H5Aget_info_by_idx(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                          hsize_t n, H5A_info_t* ainfo, hid_t lapl_id) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_CANTOPENOBJ_g}, "unable to open attribute"}, [&] {
    object_location(loc_id);
    required_string(obj_name, "obj_name");
    const IterationOrder by = iteration_order(idx_type, order);
    required(ainfo, "info");
    *ainfo = attribute_info(attribute_at(object_at(loc_id, obj_name, lapl_id), by, n));
  });
}

ssize_t H5Aget_name_by_idx(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                           hsize_t n, char* name, size_t size, hid_t lapl_id) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_CANTOPENOBJ_g}, "can't open attribute"}, [&] {
    object_location(loc_id);
    required_string(obj_name, "obj_name");
    const IterationOrder by = iteration_order(idx_type, order);
    return copy_string(attribute_at(object_at(loc_id, obj_name, lapl_id), by, n).name(), name, size);
  });
}

herr_t H5Aiterate2(hid_t loc_id, H5_index_t idx_type, H5_iter_order_t order, hsize_t* idx, H5A_operator2_t op,
                   void* op_data) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_BADITER_g}, "error iterating over attributes"}, [&] {
    if (ids().find_as<AttributeHandle>(loc_id) != nullptr) object_location(loc_id);
    const IterationOrder by = iteration_order(idx_type, order);
    const Location at = iterated(loc_id);
    as_nested_error([&] { required(op, "op"); });
    return iterate(at, by, idx, [&](const Attribute& attribute) {
      const H5A_info_t info = attribute_info(attribute);
      return op(loc_id, attribute.name().c_str(), &info, op_data);
    });
  });
}

herr_t H5Aiterate_by_name(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                          hsize_t* idx, H5A_operator2_t op, void* op_data, hid_t lapl_id) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_BADITER_g}, "attribute iteration failed"}, [&] {
    object_location(loc_id);
    required_string(obj_name, "obj_name");
    const IterationOrder by = iteration_order(idx_type, order);
    const Location at = object_at(loc_id, obj_name, lapl_id);
    as_nested_error([&] { required(op, "op"); });
    const hid_t object_id = add_object(at);
    const std::shared_ptr<void> closing(nullptr, [&](void*) { ids().release(object_id); });
    return iterate(at, by, idx, [&](const Attribute& attribute) {
      const H5A_info_t info = attribute_info(attribute);
      return op(object_id, attribute.name().c_str(), &info, op_data);
    });
  });
}

herr_t H5Aiterate1(hid_t loc_id, unsigned* idx, H5A_operator1_t op, void* op_data) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_BADITER_g}, "error iterating over attributes"}, [&] {
    const Location at = iterated(loc_id);
    as_nested_error([&] { required(op, "op"); });
    hsize_t position = idx == nullptr ? 0 : *idx;
    const herr_t result =
        iterate(at, iteration_order(H5_INDEX_CRT_ORDER, H5_ITER_INC), &position,
                [&](const Attribute& attribute) { return op(loc_id, attribute.name().c_str(), op_data); });
    if (idx != nullptr) *idx = static_cast<unsigned>(position);
    return result;
  });
}
