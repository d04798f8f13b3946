// SPDX-License-Identifier: Apache-2.0
//
// Tables: creation, records, and what is known of a table.
#include <cstring>

#include <hdf5_hl.h>

#include "capi/hl/attributes.hpp"
#include "capi/hl/tables.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// The fields of a new table, as arrays of the program.
struct NewFields {
  std::size_t count;
  const char** names;
  const std::size_t* offsets;
  const hid_t* types;
};

OwnedId record_type(std::size_t bytes, const NewFields& fields) {
  OwnedId record(H5Tcreate(H5T_COMPOUND, bytes));
  for (std::size_t i = 0; i < fields.count; ++i)
    checked(H5Tinsert(record, fields.names[i], required_argument(fields.offsets, "field_offset")[i],
                      required_argument(fields.types, "field_types")[i]));
  return record;
}

OwnedId table_creation(hsize_t chunk_size, hid_t type, const void* fill, bool compress) {
  OwnedId creation(H5Pcreate(H5P_CLS_DATASET_CREATE_ID_g));
  checked(H5Pset_chunk(creation, 1, &chunk_size));
  if (fill != nullptr) checked(H5Pset_fill_value(creation, type, fill));
  constexpr unsigned level = 6;
  if (compress) checked(H5Pset_deflate(creation, level));
  return creation;
}

void write_fills(hid_t dataset, const NewFields& fields, const void* fill) {
  for (std::size_t i = 0; i < fields.count; ++i)
    TableAttributes::write_fill(dataset, static_cast<unsigned>(i), fields.types[i],
                                static_cast<const std::byte*>(fill) + fields.offsets[i]);
}

/// Returns the type of whole records in memory.
OwnedId whole_records(const Table& table, const RecordLayout& layout) {
  required_argument(layout.offsets, "field_offset");
  return table.memory_type(layout, table.all_fields());
}

/// What the program wants to know of the fields. Null pointers are not wanted.
struct FieldInfo {
  char** names;
  std::size_t* sizes;
  std::size_t* offsets;
};

void store_field(const Table& table, hid_t native, unsigned field, const FieldInfo& wanted) {
  if (wanted.names != nullptr) {
    const std::string name = table.field_name(field);
    std::memcpy(wanted.names[field], name.c_str(), name.size() + 1);
  }
  if (wanted.sizes != nullptr) wanted.sizes[field] = H5Tget_size(table.native_field_type(field));
  if (wanted.offsets != nullptr) wanted.offsets[field] = H5Tget_member_offset(native, field);
}

/// Reads the fill value of a field in the type of its attribute, as HDF5 does.
void store_fill(hid_t dataset, unsigned field, std::size_t capacity, std::byte* to) {
  const OwnedId attribute = open_attribute(dataset, ("FIELD_" + std::to_string(field) + "_FILL").c_str());
  const OwnedId type(H5Aget_type(attribute));
  // The program has a buffer for one value of the field.
  if (element_count(attribute) != 1 || H5Tget_size(type) > capacity)
    refuse("the fill value of field " + std::to_string(field) + " is larger than the field");
  checked(H5Aread(attribute, type, to));
}

}  // namespace

herr_t H5TBmake_table(const char* table_title, hid_t loc_id, const char* dset_name, hsize_t nfields,
                      hsize_t nrecords, size_t type_size, const char* field_names[],
                      const size_t* field_offset, const hid_t* field_types, hsize_t chunk_size,
                      void* fill_data, int compress, const void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(table_title, "table_title");
    required_argument(dset_name, "dset_name");
    const NewFields fields{static_cast<std::size_t>(nfields), required_argument(field_names, "field_names"),
                           field_offset, field_types};
    const OwnedId type = record_type(type_size, fields);
    const hsize_t unlimited = H5S_UNLIMITED;
    const OwnedId space(H5Screate_simple(1, &nrecords, &unlimited));
    const OwnedId creation = table_creation(chunk_size, type, fill_data, compress != 0);
    const OwnedId dataset(H5Dcreate2(loc_id, dset_name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    if (buf != nullptr) checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buf));
    TableAttributes::write(dataset, table_title, type);
    if (fill_data != nullptr) write_fills(dataset, fields, fill_data);
  });
}

herr_t H5TBappend_records(hid_t loc_id, const char* dset_name, hsize_t nrecords, size_t type_size,
                          const size_t* field_offset, const size_t* dst_sizes, const void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const OwnedId type = whole_records(table, {type_size, field_offset, dst_sizes});
    append_range(table.dataset(), type, {table.records(), nrecords}, buf);
  });
}

herr_t H5TBwrite_records(hid_t loc_id, const char* dset_name, hsize_t start, hsize_t nrecords,
                         size_t type_size, const size_t* field_offset, const size_t* dst_sizes,
                         const void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const OwnedId type = whole_records(table, {type_size, field_offset, dst_sizes});
    check_range({start, nrecords}, table.records());
    write_range(table.dataset(), type, {start, nrecords}, buf);
  });
}

herr_t H5TBread_table(hid_t loc_id, const char* dset_name, size_t dst_size, const size_t* dst_offset,
                      const size_t* dst_sizes, void* dst_buf) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const OwnedId type = whole_records(table, {dst_size, dst_offset, dst_sizes});
    checked(H5Dread(table.dataset(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, dst_buf));
  });
}

herr_t H5TBread_records(hid_t loc_id, const char* dset_name, hsize_t start, hsize_t nrecords,
                        size_t type_size, const size_t* dst_offset, const size_t* dst_sizes, void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const OwnedId type = whole_records(table, {type_size, dst_offset, dst_sizes});
    check_range({start, nrecords}, table.records());
    read_range(table.dataset(), type, {start, nrecords}, buf);
  });
}

herr_t H5TBget_table_info(hid_t loc_id, const char* dset_name, hsize_t* nfields, hsize_t* nrecords) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const unsigned fields = table.field_count();
    if (nfields != nullptr) *nfields = fields;
    if (nrecords != nullptr) *nrecords = table.records();
  });
}

herr_t H5TBget_field_info(hid_t loc_id, const char* dset_name, char* field_names[], size_t* field_sizes,
                          size_t* field_offsets, size_t* type_size) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const OwnedId native(H5Tget_native_type(table.type(), H5T_DIR_DEFAULT));
    if (type_size != nullptr) *type_size = H5Tget_size(native);
    const unsigned fields = table.field_count();
    for (unsigned i = 0; i < fields; ++i)
      store_field(table, native, i, {field_names, field_sizes, field_offsets});
  });
}

herr_t H5TBAget_title(hid_t loc_id, char* table_title) {
  return high_level(outer(__func__), [&](auto&) {
    const OwnedId attribute = open_attribute(loc_id, "TITLE");
    const OwnedId type(H5Aget_type(attribute));
    checked(H5Aread(attribute, type, required_argument(table_title, "table_title")));
  });
}

htri_t H5TBAget_fill(hid_t loc_id, const char* dset_name, hid_t dset_id, unsigned char* dst_buf) {
  return high_level(htri_t{-1}, outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const OwnedId native(H5Tget_native_type(table.type(), H5T_DIR_DEFAULT));
    bool has_fill = false;
    for (const unsigned field : table.all_fields()) {
      has_fill = TableAttributes::has_fill(dset_id, field);
      if (!has_fill) continue;
      auto* const record = reinterpret_cast<std::byte*>(required_argument(dst_buf, "dst_buf"));
      store_fill(dset_id, field, H5Tget_size(table.native_field_type(field)),
                 record + H5Tget_member_offset(native, field));
    }
    return has_fill ? 1 : 0;  // as in HDF5, the answer is about the last field
  });
}
