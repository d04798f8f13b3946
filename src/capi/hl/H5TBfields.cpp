// SPDX-License-Identifier: Apache-2.0
//
// Tables: transfers of some fields, and fields that are inserted or deleted.
#include <algorithm>
#include <optional>

#include <hdf5_hl.h>

#include "capi/hl/attributes.hpp"
#include "capi/hl/tables.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

std::vector<unsigned> fields_at(const int* indices, hsize_t count) {
  std::vector<unsigned> fields;
  for (hsize_t i = 0; i < count; ++i) {
    const int field = required_argument(indices, "field_index")[i];
    if (field < 0) refuse("a table has no field " + std::to_string(field));
    fields.push_back(static_cast<unsigned>(field));
  }
  return fields;
}

/// Returns a transfer property list that keeps the fields that are not written.
OwnedId preserving() {
  OwnedId transfer(H5Pcreate(H5P_CLS_DATASET_XFER_ID_g));
  checked(H5Pset_preserve(transfer, true));
  return transfer;
}

/// A member of a compound type that becomes the type of a table.
struct NewField {
  std::string name;
  OwnedId type;
  std::optional<unsigned> before;  ///< number of the field in the old table
};

OwnedId packed_type(std::size_t bytes, const std::vector<NewField>& fields) {
  OwnedId record(H5Tcreate(H5T_COMPOUND, bytes));
  std::size_t offset = 0;
  for (const NewField& field : fields) {
    checked(H5Tinsert(record, field.name.c_str(), offset, field.type));
    offset += H5Tget_size(field.type);
  }
  return record;
}

/// Replaces a table by one with other fields. As in HDF5, chunks have the same size as before, and filters
/// and fill value of the dataset are not kept.
class Replacement {
 public:
  Replacement(hid_t loc_id, const char* path, const Table& old, std::size_t bytes,
              const std::vector<NewField>& fields)
      : loc_id_(loc_id),
        path_(path),
        old_(old),
        fields_(fields),
        type_(packed_type(bytes, fields)),
        dataset_(make()) {}

  hid_t dataset() const { return dataset_; }

  void write_attributes() {
    TableAttributes::write(dataset_, get_text_attribute(old_.dataset(), "TITLE"), type_);
  }
  /// Copies the fill values of fields that were in the old table. Those without one get zeros.
  void copy_fills() {
    for (unsigned i = 0; i < fields_.size(); ++i) {
      if (!fields_[i].before) continue;
      Elements value(fields_[i].type, 1);
      TableAttributes::read_fill(old_.dataset(), *fields_[i].before, fields_[i].type, value);
      TableAttributes::write_fill(dataset_, i, fields_[i].type, value.data());
    }
  }
  /// Puts the new table in the place of the old one. Nothing has changed for the program before.
  void take_place() {
    checked(H5Ldelete(loc_id_, path_, H5P_DEFAULT));
    checked(H5Olink(dataset_, loc_id_, path_, H5P_DEFAULT, H5P_DEFAULT));
  }

 private:
  OwnedId make() const {
    const OwnedId old_creation(H5Dget_create_plist(old_.dataset()));
    hsize_t chunk = 0;
    checked(H5Pget_chunk(old_creation, 1, &chunk));
    const OwnedId creation(H5Pcreate(H5P_CLS_DATASET_CREATE_ID_g));
    checked(H5Pset_chunk(creation, 1, &chunk));
    const hsize_t records = old_.records(), unlimited = H5S_UNLIMITED;
    const OwnedId space(H5Screate_simple(1, &records, &unlimited));
    return OwnedId(H5Dcreate_anon(loc_id_, type_, space, creation, H5P_DEFAULT));
  }

  hid_t loc_id_;
  const char* path_;
  const Table& old_;
  const std::vector<NewField>& fields_;
  OwnedId type_, dataset_;
};

std::vector<NewField> old_fields(const Table& table) {
  std::vector<NewField> fields;
  for (const unsigned i : table.all_fields()) fields.push_back({table.field_name(i), table.field_type(i), i});
  return fields;
}

/// Writes the values of one field of all records.
void write_field(hid_t dataset, const NewField& field, const void* values) {
  const OwnedId record(H5Tcreate(H5T_COMPOUND, H5Tget_size(field.type)));
  checked(H5Tinsert(record, field.name.c_str(), 0, field.type));
  write_range(dataset, record, {0, record_count(dataset)}, values, preserving());
}

}  // namespace

herr_t H5TBwrite_fields_name(hid_t loc_id, const char* dset_name, const char* field_names, hsize_t start,
                             hsize_t nrecords, size_t type_size, const size_t* field_offset,
                             const size_t* dst_sizes, const void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(dset_name, "dset_name");
    required_argument(field_names, "field_names");
    const Table table(loc_id, dset_name);
    const OwnedId type =
        table.memory_type({type_size, field_offset, dst_sizes}, table.fields_named(field_names));
    write_range(table.dataset(), type, {start, nrecords}, buf, preserving());
  });
}

herr_t H5TBwrite_fields_index(hid_t loc_id, const char* dset_name, hsize_t nfields, const int* field_index,
                              hsize_t start, hsize_t nrecords, size_t type_size, const size_t* field_offset,
                              const size_t* dst_sizes, const void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const OwnedId type =
        table.memory_type({type_size, field_offset, dst_sizes}, fields_at(field_index, nfields));
    write_range(table.dataset(), type, {start, nrecords}, buf, preserving());
  });
}

herr_t H5TBread_fields_name(hid_t loc_id, const char* dset_name, const char* field_names, hsize_t start,
                            hsize_t nrecords, size_t type_size, const size_t* field_offset,
                            const size_t* dst_sizes, void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(dset_name, "dset_name");
    required_argument(field_names, "field_names");
    const Table table(loc_id, dset_name);
    const std::vector<unsigned> fields = table.fields_named(field_names);
    const OwnedId type = table.memory_type({type_size, field_offset, dst_sizes}, fields);
    if (fields.empty()) refuse(std::string("the table has none of the fields ") + field_names);
    read_range(table.dataset(), type, {start, nrecords}, buf);
  });
}

herr_t H5TBread_fields_index(hid_t loc_id, const char* dset_name, hsize_t nfields, const int* field_index,
                             hsize_t start, hsize_t nrecords, size_t type_size, const size_t* field_offset,
                             const size_t* dst_sizes, void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const OwnedId type =
        table.memory_type({type_size, field_offset, dst_sizes}, fields_at(field_index, nfields));
    read_range(table.dataset(), type, {start, nrecords}, buf);
  });
}

herr_t H5TBinsert_field(hid_t loc_id, const char* dset_name, const char* field_name, hid_t field_type,
                        hsize_t position, const void* fill_data, const void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(dset_name, "dset_name");
    required_argument(field_name, "field_name");
    const Table old(loc_id, dset_name);
    std::vector<NewField> fields = old_fields(old);
    if (position > fields.size())
      refuse("the new field cannot be number " + std::to_string(position) + " of a table with " +
             std::to_string(fields.size()) + " fields");
    const std::size_t added_bytes = H5Tget_size(field_type);
    if (added_bytes == 0) throw NestedCallFailed();
    const auto number = static_cast<unsigned>(position);
    fields.insert(fields.begin() + number, NewField{field_name, OwnedId(H5Tcopy(field_type)), std::nullopt});
    const NewField& added = fields[number];
    const std::size_t bytes = H5Tget_size(old.type()) + added_bytes;
    Replacement made(loc_id, dset_name, old, bytes, fields);
    copy_records({old.dataset(), old.type(), 0}, {made.dataset(), old.type(), 0}, old.records());
    if (buf != nullptr) write_field(made.dataset(), added, buf);
    made.write_attributes();
    made.copy_fills();
    if (fill_data != nullptr) TableAttributes::write_fill(made.dataset(), number, added.type, fill_data);
    made.take_place();
  });
}

herr_t H5TBdelete_field(hid_t loc_id, const char* dset_name, const char* field_name) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(dset_name, "dset_name");
    required_argument(field_name, "field_name");
    const Table old(loc_id, dset_name);
    const std::vector<unsigned> deleted = old.fields_named(field_name);
    if (deleted.empty()) refuse(std::string("the table has no field ") + field_name);
    std::size_t bytes = H5Tget_size(old.type());
    for (const unsigned field : deleted) bytes -= H5Tget_size(old.field_type(field));
    std::vector<NewField> fields = old_fields(old);
    std::erase_if(fields,
                  [&](const NewField& field) { return std::ranges::count(deleted, *field.before) != 0; });
    Replacement made(loc_id, dset_name, old, bytes, fields);
    const OwnedId kept(H5Dget_type(made.dataset()));
    copy_records({old.dataset(), kept, 0}, {made.dataset(), kept, 0}, old.records());
    made.write_attributes();
    if (TableAttributes::has_fill(old.dataset(), *fields.back().before)) made.copy_fills();
    made.take_place();
  });
}
