// SPDX-License-Identifier: Apache-2.0
//
// H5LT: datasets and attributes in one call.
#include <cstring>
#include <vector>

#include <hdf5_hl.h>

#include "capi/hl/high_level.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// Opens an attribute of the object at a path.
OwnedId open_attribute(hid_t loc_id, const char* object, const char* name) {
  const OwnedId owner(H5Oopen(loc_id, required_argument(object, "obj_name"), H5P_DEFAULT));
  return OwnedId(H5Aopen(owner, required_argument(name, "attr_name"), H5P_DEFAULT));
}

OwnedId text_type(const char* text) {
  OwnedId type(H5Tcopy(H5T_C_S1_g));
  checked(H5Tset_size(type, std::strlen(text) + 1));
  return type;
}

void write_new_dataset(hid_t loc_id, const char* name, hid_t space, hid_t type, const void* buffer) {
  const OwnedId dataset(H5Dcreate2(loc_id, required_argument(name, "dset_name"), type, space, H5P_DEFAULT,
                                   H5P_DEFAULT, H5P_DEFAULT));
  if (buffer != nullptr) checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer));
}

herr_t make_dataset(const ApiFunction& entry, hid_t loc_id, const char* name, int rank, const hsize_t* dims,
                    hid_t type, const void* buffer) {
  return high_level(entry, [&](auto&) {
    const OwnedId space(H5Screate_simple(rank, dims, nullptr));
    write_new_dataset(loc_id, name, space, type, buffer);
  });
}

herr_t read_dataset(const ApiFunction& entry, hid_t loc_id, const char* name, hid_t type, void* buffer) {
  return high_level(entry, [&](auto&) {
    const OwnedId dataset = open_dataset(loc_id, name);
    checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, required_argument(buffer, "buffer")));
  });
}

/// Writes an attribute, and replaces one of the same name.
void write_new_attribute(hid_t loc_id, const char* object, const char* name, hid_t space, hid_t type,
                         const void* buffer) {
  const OwnedId owner(H5Oopen(loc_id, required_argument(object, "obj_name"), H5P_DEFAULT));
  required_argument(buffer, "buffer");
  if (checked(H5Aexists(owner, required_argument(name, "attr_name"))) > 0) checked(H5Adelete(owner, name));
  const OwnedId attribute(H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  checked(H5Awrite(attribute, type, buffer));
}

herr_t set_attribute(const ApiFunction& entry, hid_t loc_id, const char* object, const char* name, hid_t type,
                     const void* buffer, size_t size) {
  return high_level(entry, [&](auto&) {
    const hsize_t count = size;
    const OwnedId space(H5Screate_simple(1, &count, nullptr));
    write_new_attribute(loc_id, object, name, space, type, buffer);
  });
}

herr_t get_attribute(const ApiFunction& entry, hid_t loc_id, const char* object, const char* name, hid_t type,
                     void* data) {
  return high_level(entry, [&](auto&) {
    checked(H5Aread(open_attribute(loc_id, object, name), type, required_argument(data, "data")));
  });
}

/// Stores what the caller asks for about a dataspace and a type.
void store_info(hid_t space, hid_t type, hsize_t* dims, H5T_class_t* type_class, size_t* type_size) {
  if (type_class != nullptr) *type_class = H5Tget_class(type);
  if (type_size != nullptr) *type_size = H5Tget_size(type);
  if (dims != nullptr) checked(H5Sget_simple_extent_dims(space, dims, nullptr));
}

struct NameSearch {
  const char* name;
  int found = 0;
};

herr_t compare_name(const char* name, void* data) {
  auto& search = *static_cast<NameSearch*>(data);
  search.found = std::strcmp(name, search.name) == 0 ? 1 : 0;
  return search.found;
}

herr_t compare_link(hid_t, const char* name, const H5L_info2_t*, void* data) {
  return compare_name(name, data);
}

htri_t path_valid(hid_t loc_id, const std::string& path, bool check_object) {
  const auto object_exists = [&](const std::string& name) {
    return checked(H5Oexists_by_name(loc_id, name.c_str(), H5P_DEFAULT)) > 0;
  };
  if (path == "/" || path == ".") return check_object ? object_exists(path) : 1;
  const std::size_t first = path.starts_with("./") ? 2 : path.find_first_not_of('/');
  for (std::size_t slash = path.find('/', first); slash < path.size();) {
    const std::size_t next = path.find_first_not_of('/', slash);
    if (next == std::string::npos) break;
    const std::string so_far = path.substr(0, slash);
    if (checked(H5Lexists(loc_id, so_far.c_str(), H5P_DEFAULT)) == 0) return 0;
    if (!object_exists(so_far)) return check_object ? 0 : 1;  // HDF5 accepts dangling links here
    slash = path.find('/', next);
  }
  if (!path.empty() && checked(H5Lexists(loc_id, path.c_str(), H5P_DEFAULT)) == 0) return 0;
  return check_object ? object_exists(path) : 1;
}

}  // namespace

// Families of functions that differ in the type of the values.
#define FILIGREE_DATASETS_OF(suffix, value, type)                                                      \
  herr_t H5LTmake_dataset_##suffix(hid_t loc_id, const char* dset_name, int rank, const hsize_t* dims, \
                                   const value* buffer) {                                              \
    return make_dataset(outer(__func__), loc_id, dset_name, rank, dims, type, buffer);                 \
  }                                                                                                    \
  herr_t H5LTread_dataset_##suffix(hid_t loc_id, const char* dset_name, value* buffer) {               \
    return read_dataset(outer(__func__), loc_id, dset_name, type, buffer);                             \
  }
#define FILIGREE_ATTRIBUTES_OF(suffix, value, type)                                            \
  herr_t H5LTset_attribute_##suffix(hid_t loc_id, const char* obj_name, const char* attr_name, \
                                    const value* buffer, size_t size) {                        \
    return set_attribute(outer(__func__), loc_id, obj_name, attr_name, type, buffer, size);    \
  }                                                                                            \
  herr_t H5LTget_attribute_##suffix(hid_t loc_id, const char* obj_name, const char* attr_name, \
                                    value* data) {                                             \
    return get_attribute(outer(__func__), loc_id, obj_name, attr_name, type, data);            \
  }

FILIGREE_DATASETS_OF(char, char, H5T_NATIVE_CHAR)
FILIGREE_DATASETS_OF(short, short, H5T_NATIVE_SHORT)
FILIGREE_DATASETS_OF(int, int, H5T_NATIVE_INT)
FILIGREE_DATASETS_OF(long, long, H5T_NATIVE_LONG)
FILIGREE_DATASETS_OF(float, float, H5T_NATIVE_FLOAT)
FILIGREE_DATASETS_OF(double, double, H5T_NATIVE_DOUBLE)

FILIGREE_ATTRIBUTES_OF(char, char, H5T_NATIVE_CHAR)
FILIGREE_ATTRIBUTES_OF(uchar, unsigned char, H5T_NATIVE_UCHAR)
FILIGREE_ATTRIBUTES_OF(short, short, H5T_NATIVE_SHORT)
FILIGREE_ATTRIBUTES_OF(ushort, unsigned short, H5T_NATIVE_USHORT)
FILIGREE_ATTRIBUTES_OF(int, int, H5T_NATIVE_INT)
FILIGREE_ATTRIBUTES_OF(uint, unsigned int, H5T_NATIVE_UINT)
FILIGREE_ATTRIBUTES_OF(long, long, H5T_NATIVE_LONG)
FILIGREE_ATTRIBUTES_OF(ulong, unsigned long, H5T_NATIVE_ULONG)
FILIGREE_ATTRIBUTES_OF(long_long, long long, H5T_NATIVE_LLONG)
FILIGREE_ATTRIBUTES_OF(ullong, unsigned long long, H5T_NATIVE_ULLONG)
FILIGREE_ATTRIBUTES_OF(float, float, H5T_NATIVE_FLOAT)
FILIGREE_ATTRIBUTES_OF(double, double, H5T_NATIVE_DOUBLE)

herr_t H5LTmake_dataset(hid_t loc_id, const char* dset_name, int rank, const hsize_t* dims, hid_t type_id,
                        const void* buffer) {
  return make_dataset(outer(__func__), loc_id, dset_name, rank, dims, type_id, buffer);
}

herr_t H5LTmake_dataset_string(hid_t loc_id, const char* dset_name, const char* buf) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId type = text_type(required_argument(buf, "buf"));
    const OwnedId space(H5Screate(H5S_SCALAR));
    write_new_dataset(loc_id, dset_name, space, type, buf);
  });
}

herr_t H5LTread_dataset(hid_t loc_id, const char* dset_name, hid_t type_id, void* buffer) {
  return read_dataset(outer(__func__), loc_id, dset_name, type_id, buffer);
}

herr_t H5LTread_dataset_string(hid_t loc_id, const char* dset_name, char* buf) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId dataset = open_dataset(loc_id, dset_name);
    const OwnedId type(H5Dget_type(dataset));
    checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, required_argument(buf, "buf")));
  });
}

herr_t H5LTget_dataset_ndims(hid_t loc_id, const char* dset_name, int* rank) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId space(H5Dget_space(open_dataset(loc_id, dset_name)));
    *required_argument(rank, "rank") = checked(H5Sget_simple_extent_ndims(space));
  });
}

herr_t H5LTget_dataset_info(hid_t loc_id, const char* dset_name, hsize_t* dims, H5T_class_t* type_class,
                            size_t* type_size) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId dataset = open_dataset(loc_id, dset_name);
    store_info(OwnedId(H5Dget_space(dataset)), OwnedId(H5Dget_type(dataset)), dims, type_class, type_size);
  });
}

herr_t H5LTfind_dataset(hid_t loc_id, const char* name) {
  return high_level(herr_t{-1}, outer(__func__), [&](auto&) {
    NameSearch search{required_argument(name, "name")};
    return checked(H5Literate2(loc_id, H5_INDEX_NAME, H5_ITER_INC, nullptr, compare_link, &search));
  });
}

herr_t H5LTset_attribute_string(hid_t loc_id, const char* obj_name, const char* attr_name,
                                const char* attr_data) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId type = text_type(required_argument(attr_data, "attr_data"));
    const OwnedId space(H5Screate(H5S_SCALAR));
    write_new_attribute(loc_id, obj_name, attr_name, space, type, attr_data);
  });
}

herr_t H5LTget_attribute(hid_t loc_id, const char* obj_name, const char* attr_name, hid_t mem_type_id,
                         void* data) {
  return get_attribute(outer(__func__), loc_id, obj_name, attr_name, mem_type_id, data);
}

herr_t H5LTget_attribute_string(hid_t loc_id, const char* obj_name, const char* attr_name, char* data) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId attribute = open_attribute(loc_id, obj_name, attr_name);
    checked(H5Aread(attribute, OwnedId(H5Aget_type(attribute)), required_argument(data, "data")));
  });
}

herr_t H5LTget_attribute_ndims(hid_t loc_id, const char* obj_name, const char* attr_name, int* rank) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId space(H5Aget_space(open_attribute(loc_id, obj_name, attr_name)));
    *required_argument(rank, "rank") = checked(H5Sget_simple_extent_ndims(space));
  });
}

herr_t H5LTget_attribute_info(hid_t loc_id, const char* obj_name, const char* attr_name, hsize_t* dims,
                              H5T_class_t* type_class, size_t* type_size) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId attribute = open_attribute(loc_id, obj_name, attr_name);
    store_info(OwnedId(H5Aget_space(attribute)), OwnedId(H5Aget_type(attribute)), dims, type_class,
               type_size);
  });
}

herr_t H5LTfind_attribute(hid_t loc_id, const char* name) {
  return high_level(herr_t{-1}, outer(__func__), [&](auto&) {
    return *required_argument(name, "name") == '\0' ? 0 : checked(H5Aexists(loc_id, name));
  });
}

htri_t H5LTpath_valid(hid_t loc_id, const char* path, hbool_t check_object_valid) {
  return high_level(htri_t{-1}, outer(__func__), [&](auto&) {
    required_argument(path, "path");
    if (ids().find(loc_id) == nullptr) refuse("loc_id is not open");
    return path_valid(loc_id, path, check_object_valid);
  });
}
