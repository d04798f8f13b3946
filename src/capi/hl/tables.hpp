// SPDX-License-Identifier: Apache-2.0
//
// Tables: one-dimensional datasets of a compound type whose members are the fields. Attributes hold the
// title, and the name and the fill value of each field, as the HDF5 Table Specification says.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capi/hl/elements.hpp"

namespace filigree::capi {

/// Consecutive records of a table.
struct RecordRange {
  hsize_t start;
  hsize_t count;
};

/// *Throws* Failure unless all records of the range are among the first `records`.
void check_range(RecordRange range, hsize_t records);

/// How the program lays out records in memory.
struct RecordLayout {
  std::size_t bytes;           ///< of a record
  const std::size_t* offsets;  ///< of each field; null puts every field at the start
  const std::size_t* sizes;    ///< of each field
};

/// Returns the number of elements. *Throws* Failure unless the dataset has one dimension.
hsize_t record_count(hid_t dataset);
/// Transfer consecutive elements of a dataset with one dimension.
void read_range(hid_t dataset, hid_t type, RecordRange range, void* buffer);
void write_range(hid_t dataset, hid_t type, RecordRange range, const void* buffer,
                 hid_t transfer = H5P_DEFAULT);
/// Extends a dataset that has `before` elements, and writes the new ones.
void append_range(hid_t dataset, hid_t type, RecordRange added, const void* buffer);

/// An open table.
class Table {
 public:
  Table(hid_t loc_id, const char* path, const char* parameter = "dset_name");

  hid_t dataset() const { return dataset_; }
  /// The stored type.
  hid_t type() const { return type_; }
  unsigned field_count() const;
  hsize_t records() const { return record_count(dataset_); }

  std::string field_name(unsigned field) const;
  OwnedId field_type(unsigned field) const { return OwnedId(H5Tget_member_type(type_, field)); }
  OwnedId native_field_type(unsigned field) const;
  /// *Throws* Failure for datasets whose type is not compound.
  std::vector<unsigned> all_fields() const;
  /// Returns the fields in a comma-separated list of names, in the order of the table.
  std::vector<unsigned> fields_named(const char* names) const;

  /// Returns the type of records in memory that consist of some of the fields.
  OwnedId memory_type(const RecordLayout& layout, std::span<const unsigned> fields) const;

 private:
  OwnedId dataset_, type_;
};

/// Records of a dataset, as elements of a type in memory.
struct Records {
  hid_t dataset;
  hid_t type;
  hsize_t start;
};

/// Copies `count` records in blocks. Both may be in one dataset and overlap. *Requires* that the types differ
/// at most in names.
void copy_records(const Records& from, const Records& to, hsize_t count);

/// The attributes of a table.
struct TableAttributes {
  /// Writes the attributes that every table has.
  static void write(hid_t dataset, const std::string& title, hid_t type);
  static bool has_fill(hid_t dataset, unsigned field);
  /// Writes the fill value of a field.
  static void write_fill(hid_t dataset, unsigned field, hid_t type, const void* value);
  /// Reads the fill value of a field; zeros if there is none. *Requires* one element.
  static void read_fill(hid_t dataset, unsigned field, hid_t type, Elements& value);
};

}  // namespace filigree::capi
