// SPDX-License-Identifier: Apache-2.0
//
// Tables: records that are inserted, deleted, or taken from other tables.
#include <algorithm>
#include <cstring>

#include <hdf5_hl.h>

#include "capi/hl/tables.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// Opens a gap for records. Those from its start on move behind it.
void open_gap(hid_t dataset, hid_t type, RecordRange gap) {
  const hsize_t records = record_count(dataset);
  check_range({gap.start, 0}, records);
  const hsize_t size = records + gap.count;
  if (size < records) refuse("the table would become too large");
  checked(H5Dset_extent(dataset, &size));
  copy_records({dataset, type, gap.start}, {dataset, type, gap.start + gap.count}, records - gap.start);
}

/// Returns the type of `from`, with the names of the fields of `to`. Fields of tables correspond by number.
OwnedId renamed_type(const Table& from, const Table& to) {
  const unsigned fields = to.field_count();
  if (from.field_count() < fields)
    refuse("the tables have " + std::to_string(from.field_count()) + " and " + std::to_string(fields) +
           " fields");
  OwnedId type(H5Tcreate(H5T_COMPOUND, H5Tget_size(from.type())));
  for (unsigned i = 0; i < fields; ++i)
    checked(
        H5Tinsert(type, to.field_name(i).c_str(), H5Tget_member_offset(from.type(), i), from.field_type(i)));
  return type;
}

/// Appends all records of a table to another one.
void append_all(const Table& from, const Table& to) {
  const hsize_t before = to.records(), added = from.records();
  const OwnedId type = renamed_type(from, to);
  open_gap(to.dataset(), to.type(), {before, added});
  copy_records({from.dataset(), from.type(), 0}, {to.dataset(), type, before}, added);
}

bool are_same(hid_t one_dataset, hid_t other_dataset) {
  H5O_info2_t one, other;
  checked(H5Oget_info3(one_dataset, &one, H5O_INFO_BASIC));
  checked(H5Oget_info3(other_dataset, &other, H5O_INFO_BASIC));
  return one.fileno == other.fileno && std::memcmp(&one.token, &other.token, sizeof one.token) == 0;
}

/// Fills the gap before number `at` of a table with records of the same table. Those after the gap have
/// moved.
void copy_into_gap(const Table& table, RecordRange from, hsize_t at) {
  const hsize_t head = from.start >= at ? 0 : std::min(at - from.start, from.count);
  const auto records = [&](hsize_t start) { return Records{table.dataset(), table.type(), start}; };
  copy_records(records(from.start), records(at), head);
  copy_records(records(from.start + head + from.count), records(at + head), from.count - head);
}

/// Creates a table without records that has type, properties and fill values of another one.
void make_empty_copy(const Table& model, hid_t loc_id, const char* path) {
  const std::vector<unsigned> fields = model.all_fields();
  model.records();  // refuses other datasets before anything is created
  const OwnedId creation(H5Dget_create_plist(model.dataset()));
  const hsize_t none = 0, unlimited = H5S_UNLIMITED;
  const OwnedId space(H5Screate_simple(1, &none, &unlimited));
  const OwnedId dataset(H5Dcreate2(loc_id, path, model.type(), space, H5P_DEFAULT, creation, H5P_DEFAULT));
  TableAttributes::write(dataset, "Merge table", model.type());
  if (!TableAttributes::has_fill(model.dataset(), fields.back())) return;
  for (const unsigned field : fields) {
    const OwnedId type = model.field_type(field);
    Elements value(type, 1);
    TableAttributes::read_fill(model.dataset(), field, type, value);
    TableAttributes::write_fill(dataset, field, type, value.data());
  }
}

}  // namespace

herr_t H5TBdelete_record(hid_t loc_id, const char* dset_name, hsize_t start, hsize_t nrecords) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    const hsize_t records = table.records();
    check_range({start, nrecords}, records);
    const hsize_t after = start + nrecords;
    copy_records({table.dataset(), table.type(), after}, {table.dataset(), table.type(), start},
                 records - after);
    const hsize_t size = records - nrecords;
    checked(H5Dset_extent(table.dataset(), &size));
  });
}

herr_t H5TBinsert_record(hid_t loc_id, const char* dset_name, hsize_t start, hsize_t nrecords,
                         size_t dst_size, const size_t* dst_offset, const size_t* dst_sizes, void* buf) {
  return high_level(outer(__func__), [&](auto&) {
    const Table table(loc_id, dset_name);
    required_argument(dst_offset, "dst_offset");
    const OwnedId type = table.memory_type({dst_size, dst_offset, dst_sizes}, table.all_fields());
    open_gap(table.dataset(), table.type(), {start, nrecords});
    write_range(table.dataset(), type, {start, nrecords}, buf);
  });
}

herr_t H5TBadd_records_from(hid_t loc_id, const char* dset_name1, hsize_t start1, hsize_t nrecords,
                            const char* dset_name2, hsize_t start2) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(dset_name1, "dset_name1");
    required_argument(dset_name2, "dset_name2");
    const Table from(loc_id, dset_name1), to(loc_id, dset_name2);
    check_range({start1, nrecords}, from.records());
    const OwnedId type = renamed_type(from, to);
    open_gap(to.dataset(), to.type(), {start2, nrecords});
    if (are_same(from.dataset(), to.dataset())) return copy_into_gap(to, {start1, nrecords}, start2);
    copy_records({from.dataset(), from.type(), start1}, {to.dataset(), type, start2}, nrecords);
  });
}

herr_t H5TBcombine_tables(hid_t loc_id1, const char* dset_name1, hid_t loc_id2, const char* dset_name2,
                          const char* dset_name3) {
  return high_level(outer(__func__), [&](auto&) {
    required_argument(dset_name1, "dset_name1");
    required_argument(dset_name2, "dset_name2");
    required_argument(dset_name3, "dset_name3");
    const Table first(loc_id1, dset_name1);
    make_empty_copy(first, loc_id1, dset_name3);
    const Table combined(loc_id1, dset_name3);
    append_all(first, combined);
    append_all(Table(loc_id2, dset_name2), combined);
  });
}
