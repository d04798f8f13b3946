// SPDX-License-Identifier: Apache-2.0
#include "capi/hl/tables.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "capi/hl/attributes.hpp"

namespace filigree::capi {
namespace {

constexpr const char* table_class = "TABLE";
constexpr const char* table_version = "3.0";

std::string fill_name(unsigned field) { return "FIELD_" + std::to_string(field) + "_FILL"; }

OwnedId select_range(hid_t dataset, RecordRange range) {
  OwnedId space(H5Dget_space(dataset));
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, &range.start, nullptr, &range.count, nullptr));
  return space;
}

std::string member_name(hid_t type, unsigned member) {
  char* const name = H5Tget_member_name(type, member);
  if (name == nullptr) throw NestedCallFailed();
  std::string copy = name;
  H5free_memory(name);
  return copy;
}

bool is_listed(std::string_view name, std::string_view list) {
  for (;;) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == name) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

void check_range(RecordRange range, hsize_t records) {
  if (range.count > records || range.start > records - range.count)
    refuse("the table has " + std::to_string(records) + " records: there are no " +
           std::to_string(range.count) + " from number " + std::to_string(range.start));
}

hsize_t record_count(hid_t dataset) {
  const OwnedId space(H5Dget_space(dataset));
  const int rank = checked(H5Sget_simple_extent_ndims(space));
  if (rank != 1) refuse("a table has one dimension, but the dataset has " + std::to_string(rank));
  hsize_t count = 0;
  checked(H5Sget_simple_extent_dims(space, &count, nullptr));
  return count;
}

void read_range(hid_t dataset, hid_t type, RecordRange range, void* buffer) {
  const OwnedId in_file = select_range(dataset, range);
  const OwnedId in_memory(H5Screate_simple(1, &range.count, nullptr));
  checked(H5Dread(dataset, type, in_memory, in_file, H5P_DEFAULT, buffer));
}

void write_range(hid_t dataset, hid_t type, RecordRange range, const void* buffer, hid_t transfer) {
  const OwnedId in_file = select_range(dataset, range);
  const OwnedId in_memory(H5Screate_simple(1, &range.count, nullptr));
  checked(H5Dwrite(dataset, type, in_memory, in_file, transfer, buffer));
}

void append_range(hid_t dataset, hid_t type, RecordRange added, const void* buffer) {
  const hsize_t size = added.start + added.count;
  if (size < added.start) refuse("the table would become too large");
  checked(H5Dset_extent(dataset, &size));
  write_range(dataset, type, added, buffer);
}

Table::Table(hid_t loc_id, const char* path, const char* parameter)
    : dataset_(open_dataset(loc_id, path, parameter)), type_(H5Dget_type(dataset_)) {}

unsigned Table::field_count() const { return static_cast<unsigned>(checked(H5Tget_nmembers(type_))); }

std::string Table::field_name(unsigned field) const { return member_name(type_, field); }

OwnedId Table::native_field_type(unsigned field) const {
  return OwnedId(H5Tget_native_type(field_type(field), H5T_DIR_DEFAULT));
}

std::vector<unsigned> Table::all_fields() const {
  if (H5Tget_class(type_) != H5T_COMPOUND) refuse("the elements of a table have a compound type");
  std::vector<unsigned> fields(field_count());
  std::iota(fields.begin(), fields.end(), 0U);
  return fields;
}

std::vector<unsigned> Table::fields_named(const char* names) const {
  std::vector<unsigned> fields = all_fields();
  std::erase_if(fields, [&](unsigned field) { return !is_listed(field_name(field), names); });
  return fields;
}

OwnedId Table::memory_type(const RecordLayout& layout, std::span<const unsigned> fields) const {
  OwnedId record(H5Tcreate(H5T_COMPOUND, layout.bytes));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string name = field_name(fields[i]);
    const OwnedId native = native_field_type(fields[i]);
    const std::size_t size = required_argument(layout.sizes, "field_sizes")[i];
    if (size != H5Tget_size(native)) checked(H5Tset_size(native, size));
    const std::size_t offset = layout.offsets == nullptr ? 0 : layout.offsets[i];
    checked(H5Tinsert(record, name.c_str(), offset, native));
  }
  return record;
}

void copy_records(const Records& from, const Records& to, hsize_t count) {
  constexpr std::size_t block_bytes = std::size_t{8} << 20;
  const hsize_t fitting =
      std::max<std::size_t>(1, block_bytes / std::max<std::size_t>(1, H5Tget_size(from.type)));
  Elements block(from.type, static_cast<std::size_t>(std::min(count, fitting)));
  // Records that move up within a dataset are copied from the end, so that none is overwritten before.
  const bool backward = to.start > from.start;
  for (hsize_t done = 0; done < count;) {
    const hsize_t now = std::min(count - done, fitting);
    const hsize_t first = backward ? count - done - now : done;
    read_range(from.dataset, from.type, {from.start + first, now}, block.data());
    write_range(to.dataset, to.type, {to.start + first, now}, block.data());
    block.clear();
    done += now;
  }
}

void TableAttributes::write(hid_t dataset, const std::string& title, hid_t type) {
  set_text_attribute(dataset, "CLASS", table_class);
  set_text_attribute(dataset, "VERSION", table_version);
  set_text_attribute(dataset, "TITLE", title);
  const auto fields = static_cast<unsigned>(checked(H5Tget_nmembers(type)));
  for (unsigned i = 0; i < fields; ++i)
    set_text_attribute(dataset, ("FIELD_" + std::to_string(i) + "_NAME").c_str(), member_name(type, i));
}

bool TableAttributes::has_fill(hid_t dataset, unsigned field) {
  return has_attribute(dataset, fill_name(field).c_str());
}

void TableAttributes::write_fill(hid_t dataset, unsigned field, hid_t type, const void* value) {
  const OwnedId space(H5Screate(H5S_SCALAR));
  const OwnedId attribute(
      H5Acreate2(dataset, fill_name(field).c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
  checked(H5Awrite(attribute, type, value));
}

void TableAttributes::read_fill(hid_t dataset, unsigned field, hid_t type, Elements& value) {
  if (!has_fill(dataset, field)) return;
  const std::string name = fill_name(field);
  const OwnedId attribute = open_attribute(dataset, name.c_str());
  // The attribute may come from any program.
  if (element_count(attribute) != 1) refuse(name + " is not a single value");
  checked(H5Aread(attribute, type, value.data()));
}

}  // namespace filigree::capi
