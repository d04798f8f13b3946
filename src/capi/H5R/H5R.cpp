// SPDX-License-Identifier: Apache-2.0
//
// References of HDF5 1.12: to objects, regions and attributes, in one file or another.
#include <algorithm>

#include <filigree/error.hpp>

#include "capi/H5ES/operations.hpp"
#include "capi/H5F/flags.hpp"
#include "capi/H5G/traverse.hpp"
#include "capi/H5L/link_info.hpp"
#include "capi/H5R/references.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

namespace filigree::capi {
namespace {

Code no_object() { return {&H5E_REFERENCE_g, &H5E_CANTGET_g}; }
Code cannot_open() { return {&H5E_REFERENCE_g, &H5E_CANTOPENOBJ_g}; }
Code cannot_get() { return {&H5E_REFERENCE_g, &H5E_CANTGET_g}; }

void not_negative(hid_t plist) {
  if (plist < 0) bad_type("not a property list");
}

/// Returns the object that a new reference leads to.
Location new_target(hid_t start, const char* name, hid_t access) {
  not_negative(access);
  get_settings<LinkAccessSettings>(access, "a link access property list");
  return traverse(location(start), name, link_access(access));
}

void store_new(H5R_ref_t* to, Reference made, const Location& at) {
  made.file = FileIdCount(at.open->shared_from_this()->retain_id());
  store_reference(to, std::move(made));
}

std::shared_ptr<OpenFile> open_target(const std::string& name, hid_t access) {
  const Code cannot_open_file{&H5E_REFERENCE_g, &H5E_CANTOPENFILE_g};
  try {
    const auto settings = get_settings<FileAccessSettings>(access, "a file access property list");
    // As in HDF5, so that programs can change what a reference leads to.
    return OpenFile::open(name, flags::read_write, settings);
  } catch (const std::exception& error) {
    throw Failure(cannot_open_file,
                  "the file of the reference cannot be opened: " + std::string(error.what()));
  }
}

/// Returns the file that a reference leads into. Opens it if the reference names another file; `access` is a
/// file access property list.
std::shared_ptr<OpenFile> target_file(Reference& reference, hid_t access) {
  if (reference.file.empty()) {
    const auto name = reference.file_name();
    if (!name) bad_value("the reference belongs to no open file");
    reference.file = FileIdCount(open_target(std::string(*name), access)->retain_id());
  }
  const auto open = reference.file.open();
  wait_for(open->orders());
  return open;
}

Location target(Reference& reference, hid_t access) {
  const auto open = target_file(reference, access);
  return {open, open->file.open_object(ObjectReference{reference.address()}), ""};
}

/// Returns the reference of a function that asks for its target. An empty one has an invalid file.
Reference& queried(const H5R_ref_t* pointer) {
  if (is_empty(*required(pointer, "ref_ptr")))
    throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, "the reference refers to nothing");
  return get_reference(pointer);
}

/// Returns the reference of a function that opens what it leads to, and checks the property lists.
Reference& opened(const H5R_ref_t* pointer, H5R_type_t kind, hid_t file_access, hid_t access) {
  Reference& reference = get_reference(pointer);
  if (kind != H5R_BADTYPE && reference.kind() != kind) bad_value("the reference is of another type");
  not_negative(file_access);
  not_negative(access);
  return reference;
}

}  // namespace
}  // namespace filigree::capi

using namespace filigree;
using namespace filigree::capi;

herr_t H5Rcreate_object(hid_t loc_id, const char* name, hid_t oapl_id, H5R_ref_t* ref_ptr) {
  return api_call({"H5Rcreate_object", no_object(), "unable to find the object"}, [&] {
    required(ref_ptr, "ref_ptr");
    required_string(name, "name");
    const Location at = new_target(loc_id, name, oapl_id);
    store_new(ref_ptr, Reference::to_object(at.object.address()), at);
  });
}

herr_t H5Rcreate_region(hid_t loc_id, const char* name, hid_t space_id, hid_t oapl_id, H5R_ref_t* ref_ptr) {
  return api_call({"H5Rcreate_region", no_object(), "unable to find the object"}, [&] {
    required(ref_ptr, "ref_ptr");
    required_string(name, "name");
    if (space_id == H5I_INVALID_HID || space_id == H5S_ALL || space_id == H5S_BLOCK)
      bad_value("a region needs a dataspace");
    const auto space = get_space(space_id);
    const Location at = new_target(loc_id, name, oapl_id);
    store_new(ref_ptr, Reference::to_region(at.object.address(), *space), at);
  });
}

herr_t H5Rcreate_attr(hid_t loc_id, const char* name, const char* attr_name, hid_t oapl_id,
                      H5R_ref_t* ref_ptr) {
  return api_call({"H5Rcreate_attr", no_object(), "unable to find the object"}, [&] {
    required(ref_ptr, "ref_ptr");
    required_string(name, "name");
    required_string(attr_name, "attr_name");
    const Location at = new_target(loc_id, name, oapl_id);
    store_new(ref_ptr, Reference::to_attribute(at.object.address(), attr_name), at);
  });
}

herr_t H5Rdestroy(H5R_ref_t* ref_ptr) {
  return api_call({"H5Rdestroy", {&H5E_REFERENCE_g, &H5E_CANTFREE_g}, "unable to free the reference"}, [&] {
    if (ref_ptr == nullptr) bad_type("ref_ptr cannot be NULL");
    as_nested_error([&] { destroy_reference(ref_ptr); });
  });
}

H5R_type_t H5Rget_type(const H5R_ref_t* ref_ptr) {
  const Code bad{&H5E_REFERENCE_g, &H5E_BADVALUE_g};
  return api_call_or(H5R_BADTYPE, {"H5Rget_type", bad, "unable to get the type of the reference"}, [&] {
    if (is_empty(*required(ref_ptr, "ref_ptr"))) return H5R_OBJECT1;  // the zero of empty memory
    return as_nested_error([&] { return get_reference(ref_ptr).kind(); });
  });
}

htri_t H5Requal(const H5R_ref_t* ref1_ptr, const H5R_ref_t* ref2_ptr) {
  const Code cannot_compare{&H5E_REFERENCE_g, &H5E_CANTCOMPARE_g};
  return api_call({"H5Requal", cannot_compare, "unable to compare the references"}, [&]() -> htri_t {
    required(ref1_ptr, "ref1_ptr");
    required(ref2_ptr, "ref2_ptr");
    // An empty reference differs from others, but cannot be compared with another empty one.
    if (is_empty(*ref1_ptr) != is_empty(*ref2_ptr)) return 0;
    return as_nested_error([&] { return get_reference(ref1_ptr).equals(get_reference(ref2_ptr)) ? 1 : 0; });
  });
}

herr_t H5Rcopy(const H5R_ref_t* src_ref_ptr, H5R_ref_t* dst_ref_ptr) {
  return api_call({"H5Rcopy", {&H5E_REFERENCE_g, &H5E_CANTCOPY_g}, "unable to copy the reference"}, [&] {
    if (src_ref_ptr == nullptr || dst_ref_ptr == nullptr) bad_type("references cannot be NULL");
    as_nested_error([&] { store_reference(dst_ref_ptr, get_reference(src_ref_ptr)); });
  });
}

hid_t H5Ropen_object(H5R_ref_t* ref_ptr, hid_t rapl_id, hid_t oapl_id) {
  return api_call({"H5Ropen_object", cannot_open(), "unable to open the object"}, [&] {
    return as_nested_error(
        [&] { return add_object(target(opened(ref_ptr, H5R_BADTYPE, rapl_id, oapl_id), rapl_id)); });
  });
}

hid_t H5Ropen_region(H5R_ref_t* ref_ptr, hid_t rapl_id, hid_t oapl_id) {
  return api_call({"H5Ropen_region", cannot_open(), "unable to open the region"}, [&] {
    return as_nested_error([&] {
      Reference& reference = opened(ref_ptr, H5R_DATASET_REGION2, rapl_id, oapl_id);
      const Dataset dataset(target(reference, rapl_id).object);
      return add_region(dataset, reference.selection(space::Frame(dataset.space().dims())));
    });
  });
}

hid_t H5Ropen_attr(H5R_ref_t* ref_ptr, hid_t rapl_id, hid_t aapl_id) {
  const Code open_error{&H5E_REFERENCE_g, &H5E_OPENERROR_g};
  return api_call({"H5Ropen_attr", open_error, "unable to open the attribute"}, [&] {
    return as_nested_error([&] {
      Reference& reference = opened(ref_ptr, H5R_ATTR, rapl_id, aapl_id);
      const Location at = target(reference, rapl_id);
      const std::string name(reference.attribute_name());
      const auto found = at.object.find_attribute(name);
      if (!found) throw Failure(cannot_open(), "there is no attribute '" + name + "'");
      return ids().add(std::make_shared<AttributeHandle>(at.open, at.object, *found));
    });
  });
}

herr_t H5Rget_obj_type3(H5R_ref_t* ref_ptr, hid_t rapl_id, H5O_type_t* obj_type) {
  return api_call({"H5Rget_obj_type3", cannot_get(), "unable to find the type of the object"}, [&] {
    Reference& reference = queried(ref_ptr);
    not_negative(rapl_id);
    const H5O_type_t found = object_type(target(reference, rapl_id).object.kind());
    if (obj_type != nullptr) *obj_type = found;
  });
}

ssize_t H5Rget_file_name(const H5R_ref_t* ref_ptr, char* name, size_t size) {
  return api_call({"H5Rget_file_name", cannot_get(), "unable to get the name of the file"}, [&] {
    if (is_empty(*required(ref_ptr, "ref_ptr"))) bad_type("the reference refers to nothing");
    const Reference& reference = get_reference(ref_ptr);
    if (!reference.file.empty()) return copy_string(reference.file.open()->name, name, size);
    const auto stored = reference.file_name();
    if (!stored) throw NestedFailure(cannot_get(), "the reference names no file");
    copy_string(*stored, name, size);
    // As in HDF5, the length of what fits, with the NUL, while the file is not open.
    const std::size_t fits = name == nullptr || size == 0 ? stored->size() : size - 1;
    return static_cast<ssize_t>(std::min(stored->size(), fits) + 1);
  });
}

ssize_t H5Rget_obj_name(H5R_ref_t* ref_ptr, hid_t rapl_id, char* name, size_t size) {
  return api_call({"H5Rget_obj_name", cannot_get(), "unable to get the name of the object"}, [&] {
    Reference& reference = queried(ref_ptr);
    not_negative(rapl_id);
    return copy_string(find_path(target(reference, rapl_id)), name, size);
  });
}

ssize_t H5Rget_attr_name(const H5R_ref_t* ref_ptr, char* name, size_t size) {
  return api_call({"H5Rget_attr_name", cannot_get(), "unable to get the name of the attribute"}, [&] {
    const Reference& reference = get_reference(ref_ptr);
    if (reference.kind() != H5R_ATTR) bad_value("the reference is not one to an attribute");
    return copy_string(reference.attribute_name(), name, size);
  });
}
