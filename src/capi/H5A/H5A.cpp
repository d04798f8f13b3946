// SPDX-License-Identifier: Apache-2.0
//
// Attributes: creation, opening and I/O.
#include <algorithm>

#include <filigree/error.hpp>

#include "capi/H5A/attributes.hpp"
#include "capi/H5D/converted_io.hpp"
#include "capi/H5G/traverse.hpp"
#include "capi/H5P/options.hpp"
#include "capi/H5R/references.hpp"
#include "capi/H5S/dataspace.hpp"
#include "capi/H5T/conversions.hpp"
#include "capi/H5T/datatype.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_create() { return {&H5E_ATTR_g, &H5E_CANTINIT_g}; }
Code cannot_open() { return {&H5E_ATTR_g, &H5E_CANTOPENOBJ_g}; }
Code cannot_get() { return {&H5E_ATTR_g, &H5E_CANTGET_g}; }

std::shared_ptr<AttributeHandle> get_attribute(hid_t id) {
  return ids().get<AttributeHandle>(id, "an attribute");
}

/// Functions that take the name of an object check its link access property list first, as in HDF5.
void check_links(hid_t access) {
  with_error_code({&H5E_ARGS_g, &H5E_BADTYPE_g},
                  [&] { get_settings<LinkAccessSettings>(access, "a link access property list"); });
}

hid_t add_attribute(const Location& at, const Attribute& attribute, bool is_new = false) {
  // As in HDF5, an attribute whose datatype or dataspace cannot be decoded is not opened.
  if (!is_new) {
    static_cast<void>(attribute.datatype());
    static_cast<void>(attribute.space());
  }
  const auto handle = std::make_shared<AttributeHandle>(at.open, at.object, attribute);
  handle->set_name(at.name);
  return ids().add(handle);
}

/// Some functions accept property lists of all classes, as in HDF5. *Throws* NestedFailure for other ids.
void check_plist(hid_t id) {
  if (id != H5P_DEFAULT) as_nested_error([&] { return get_plist(id); });
}

/// Returns the object that gets an attribute. *Throws* Failure for a file that is open for reading only.
Location writable_location(hid_t id) {
  Location at = object_location(id);
  if (!at.open->file.writable()) throw Failure({&H5E_ARGS_g, &H5E_WRITEERROR_g}, "no write intent on file");
  return at;
}

hid_t create(const Location& at, const char* name, hid_t type_id, hid_t space_id, hid_t creation) {
  required_string(name, "attr_name");
  const auto type = get_type(type_id);
  const auto space = get_space(space_id);
  if (creation == H5P_DEFAULT) creation = H5P_LST_ATTRIBUTE_CREATE_ID_g;
  // Only the character set is used. Related classes of property lists have it as well.
  const auto settings = as_nested_error(
      [&] { return get_settings<StringCreationSettings>(creation, "an attribute creation property list"); });
  if (!space->has_extent) bad_value("dataspace extent has not been set");
  if (!at.open->file.writable())
    throw NestedFailure({&H5E_ARGS_g, &H5E_WRITEERROR_g}, "no write intent on file");
  const auto charset = settings->charset == H5T_CSET_UTF8 ? CharacterSet::utf8 : CharacterSet::ascii;
  const auto made = [&] {
    try {
      return Object(at.object).create_attribute(name, file_datatype(*type), space->extent, charset);
    } catch (const Error&) {
      if (at.object.has_attribute(name))
        throw NestedFailure({&H5E_ATTR_g, &H5E_ALREADYEXISTS_g}, "attribute already exists");
      throw;
    }
  };
  return add_attribute(at, made(), true);
}

Attribute attribute_of(const Location& at, const char* name) {
  required_string(name, "attr_name");
  auto found = at.object.find_attribute(name);
  if (!found)
    throw NestedFailure({&H5E_ATTR_g, &H5E_NOTFOUND_g},
                        std::string("can't locate attribute: '") + name + "'");
  return *found;
}

/// Conversion of attribute values, by HDF5's rules.
struct Conversion {
  explicit Conversion(const TransferSettings& settings = {})
      : memory{settings.allocate, settings.release, settings.allocate_info, settings.release_info} {
    options.rules = ConversionRules::hdf5;
    options.c_memory = &memory;
  }
  CMemory memory;
  ConversionOptions options;
};

}  // namespace

hid_t H5Acreate2(hid_t loc_id, const char* attr_name, hid_t type_id, hid_t space_id, hid_t acpl_id,
                 hid_t aapl_id) {
  return api_call({__func__, cannot_create(), "unable to create attribute"}, [&] {
    const Location at = writable_location(loc_id);
    check_plist(aapl_id);
    return create(at, attr_name, type_id, space_id, acpl_id);
  });
}

hid_t H5Acreate1(hid_t loc_id, const char* name, hid_t type_id, hid_t space_id, hid_t acpl_id) {
  return api_call({__func__, cannot_create(), "unable to create attribute"},
                  [&] { return create(writable_location(loc_id), name, type_id, space_id, acpl_id); });
}

hid_t H5Acreate_by_name(hid_t loc_id, const char* obj_name, const char* attr_name, hid_t type_id,
                        hid_t space_id, hid_t acpl_id, hid_t aapl_id, hid_t lapl_id) {
  return api_call({__func__, cannot_create(), "unable to create attribute"}, [&] {
    object_location(loc_id);
    required_string(obj_name, "obj_name");
    required_string(attr_name, "attr_name");
    get_type(type_id);
    get_space(space_id);
    check_links(lapl_id);
    link_access(aapl_id);
    return create(object_at(loc_id, obj_name, lapl_id), attr_name, type_id, space_id, acpl_id);
  });
}

hid_t H5Aopen(hid_t obj_id, const char* attr_name, hid_t aapl_id) {
  return api_call({__func__, cannot_open(), "unable to open attribute"}, [&] {
    const Location at = object_location(obj_id);
    check_plist(aapl_id);
    return add_attribute(at, attribute_of(at, attr_name));
  });
}

hid_t H5Aopen_name(hid_t loc_id, const char* name) {
  return api_call({__func__, cannot_open(), "can't open attribute"}, [&] {
    const Location at = object_location(loc_id);
    return add_attribute(at, attribute_of(at, name));
  });
}

hid_t H5Aopen_by_name(hid_t loc_id, const char* obj_name, const char* attr_name, hid_t aapl_id,
                      hid_t lapl_id) {
  return api_call({__func__, cannot_open(), "can't open attribute"}, [&] {
    object_location(loc_id);
    required_string(obj_name, "obj_name");
    required_string(attr_name, "attr_name");
    check_links(lapl_id);
    link_access(aapl_id);
    const Location at = object_at(loc_id, obj_name, lapl_id);
    return add_attribute(at, attribute_of(at, attr_name));
  });
}

hid_t H5Aopen_by_idx(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                     hsize_t n, hid_t aapl_id, hid_t lapl_id) {
  return api_call({__func__, cannot_open(), "unable to open attribute"}, [&] {
    object_location(loc_id);
    required_string(obj_name, "obj_name");
    const IterationOrder by = iteration_order(idx_type, order);
    check_links(lapl_id);
    link_access(aapl_id);
    const Location at = object_at(loc_id, obj_name, lapl_id);
    return add_attribute(at, attribute_at(at, by, n));
  });
}

hid_t H5Aopen_idx(hid_t loc_id, unsigned idx) {
  return api_call({__func__, cannot_open(), "unable to open attribute"}, [&] {
    const Location at = object_location(loc_id);
    return add_attribute(at, attribute_at(at, iteration_order(H5_INDEX_CRT_ORDER, H5_ITER_INC), idx));
  });
}

herr_t H5Aclose(hid_t attr_id) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_CANTDEC_g}, "decrementing attribute ID failed"}, [&] {
    get_attribute(attr_id);
    ids().release(attr_id);
  });
}

herr_t H5Aread(hid_t attr_id, hid_t type_id, void* buf) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_READERROR_g}, "unable to read attribute"}, [&] {
    const auto handle = get_attribute(attr_id);
    const auto type = get_type(type_id);
    if (buf == nullptr) bad_value("null attribute buffer");
    const Attribute& attribute = handle->attribute;
    if (user_conversions().empty() && attribute.read_small(memory_datatype(*type), buf)) return;
    const std::uint64_t count = attribute.elements();
    const ReferenceFileScope home(handle->open(), *type->value.get());
    if (count == 0 || read_converted(attribute, *type->value.get(), buf, Conversion().options)) return;
    attribute.read_elements(memory_datatype(*type), buf, count, Conversion().options);
  });
}

herr_t H5Awrite(hid_t attr_id, hid_t type_id, const void* buf) {
  return api_call({__func__, {&H5E_ATTR_g, &H5E_WRITEERROR_g}, "unable to write attribute"}, [&] {
    const auto handle = get_attribute(attr_id);
    const auto type = get_type(type_id);
    if (buf == nullptr) bad_value("null attribute buffer");
    if (!handle->open()->file.writable())
      throw NestedFailure({&H5E_OHDR_g, &H5E_BADVALUE_g}, "no write intent on file");
    Attribute attribute = handle->attribute;
    if (user_conversions().empty() && attribute.write_small(memory_datatype(*type), buf)) return;
    const std::uint64_t count = attribute.elements();
    const ReferenceFileScope home(handle->open(), *type->value.get());
    if (count == 0 || write_converted(attribute, *type->value.get(), buf, Conversion().options)) return;
    attribute.write_elements(memory_datatype(*type), buf, count, Conversion().options);
  });
}

hid_t H5Aget_space(hid_t attr_id) {
  return api_call({__func__, cannot_get(), "unable to get dataspace of attribute"},
                  [&] { return add_space(space_of(get_attribute(attr_id)->attribute.space())); });
}

hid_t H5Aget_type(hid_t attr_id) {
  return api_call({__func__, cannot_get(), "unable to get datatype of attribute"}, [&] {
    const auto handle = get_attribute(attr_id);
    return add_type_of(handle->open(), handle->attribute.datatype());
  });
}

hid_t H5Aget_create_plist(hid_t attr_id) {
  return api_call({__func__, cannot_get(), "unable to get creation property list for attribute"}, [&] {
    const auto handle = get_attribute(attr_id);
    auto settings = std::make_unique<AttributeCreationSettings>();
    settings->charset = attribute_info(handle->attribute).cset;
    return add_object_plist(std::move(settings), {"character_encoding"});
  });
}

ssize_t H5Aget_name(hid_t attr_id, size_t buf_size, char* buf) {
  return api_call({__func__, cannot_get(), "unable to get attribute name"}, [&] {
    const auto handle = get_attribute(attr_id);
    if (buf == nullptr && buf_size != 0) bad_value("buf cannot be NULL when buf_size is not 0");
    return copy_string(handle->attribute.name(), buf, buf_size);
  });
}

hsize_t H5Aget_storage_size(hid_t attr_id) {
  return api_call_or(hsize_t{0}, {__func__, cannot_get(), "unable to get storage size of attribute"},
                     [&] { return attribute_info(get_attribute(attr_id)->attribute).data_size; });
}

herr_t H5Aget_info(hid_t attr_id, H5A_info_t* ainfo) {
  return api_call({__func__, cannot_get(), "unable to get attribute info"}, [&] {
    const auto handle = get_attribute(attr_id);
    required(ainfo, "attribute_info");
    *ainfo = attribute_info(handle->attribute);
  });
}
