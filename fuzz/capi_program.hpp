// SPDX-License-Identifier: Apache-2.0
//
// Ids, names, sizes and memory for the programs of the C API that a fuzzer generates.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <hdf5.h>

namespace filigree::fuzz {

inline constexpr std::size_t most_bytes = std::size_t{1} << 20;
inline constexpr unsigned most_rank = 3, most_extent = 16;

/// The rest of the input.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + size) {}
  bool empty() const { return data_ == end_; }
  unsigned byte() { return empty() ? 0 : *data_++; }
  unsigned below(unsigned limit) { return byte() % limit; }
  bool coin() { return (byte() & 1) != 0; }
  H5_index_t index() { return static_cast<H5_index_t>(below(3)); }
  H5_iter_order_t order() { return static_cast<H5_iter_order_t>(below(4)); }

 private:
  const std::uint8_t* data_;
  const std::uint8_t* end_;
};

/// The ids that calls have returned, including closed and invalid ones.
class Pool {
 public:
  void put(hid_t id, Input& input) {
    if (id < 0) return;
    given_.push_back(id);
    slots_[input.below(slots_.size())] = id;
  }
  hid_t pick(Input& input) const { return slots_[input.below(slots_.size())]; }
  /// The program has closed most ids already.
  void close_all() {
    for (const hid_t id : given_)
      while (H5Iis_valid(id) > 0 && H5Idec_ref(id) >= 0) continue;
  }

 private:
  std::array<hid_t, 16> slots_{H5P_DEFAULT, -1};
  std::vector<hid_t> given_;
};

inline std::vector<std::uint8_t>& memory() {
  static std::vector<std::uint8_t> bytes(most_bytes);
  return bytes;
}

inline const char* name(Input& input) {
  static const char* const names[] = {
      "a", "b", "c", "a/b", "/a/b/c", "/", ".", "", "long name with spaces", "a/../b"};
  return names[input.below(sizeof names / sizeof *names)];
}

/// Only types for which any bytes are valid values.
inline hid_t memory_type(Input& input) {
  const hid_t types[] = {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE, H5T_NATIVE_UCHAR,
                         H5T_STD_I16BE,  H5T_IEEE_F32BE,    H5T_NATIVE_LLONG};
  return types[input.below(sizeof types / sizeof *types)];
}

inline hid_t any_type(Input& input, const Pool& pool) {
  return input.coin() ? memory_type(input) : pool.pick(input);
}

/// Whether the type contains variable-length strings, whose class is H5T_STRING.
inline bool holds_texts(hid_t type) {
  const int members = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_nmembers(type) : 0;
  bool found = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
  for (int i = 0; i < members && !found; ++i) {
    const hid_t member = H5Tget_member_type(type, static_cast<unsigned>(i));
    found = holds_texts(member);
    H5Tclose(member);
  }
  if (!found && H5Tget_class(type) == H5T_ARRAY) {
    const hid_t base = H5Tget_super(type);
    found = holds_texts(base);
    H5Tclose(base);
  }
  return found;
}

/// Whether any bytes are valid values of the type: it contains no pointers.
inline bool plain(hid_t type) {
  return H5Iget_type(type) == H5I_DATATYPE && H5Tdetect_class(type, H5T_VLEN) == 0 &&
         H5Tdetect_class(type, H5T_REFERENCE) == 0 && H5Tis_variable_str(type) <= 0 && !holds_texts(type);
}

/// A type without pointers, of at most 64 bytes.
inline hid_t plain_type(Input& input, const Pool& pool) {
  const hid_t type = any_type(input, pool);
  return plain(type) && H5Tget_size(type) <= 64 ? type : memory_type(input);
}

struct Sizes {
  Sizes(Input& input, unsigned least) {
    for (hsize_t& value : values) value = least + input.below(most_extent);
  }
  hsize_t values[most_rank + 1];
};

/// Whether a transfer stays within memory() for every selection.
inline bool small(hid_t space) {
  return space == H5S_ALL ||
         (H5Iget_type(space) == H5I_DATASPACE && H5Sget_simple_extent_npoints(space) >= 0 &&
          static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) <= most_bytes / 64);
}

inline herr_t see_link(hid_t, const char*, const H5L_info2_t*, void* left) {
  return --*static_cast<int*>(left) < 0 ? 1 : 0;
}
inline herr_t see_object(hid_t, const char*, const H5O_info2_t*, void* left) {
  return --*static_cast<int*>(left) < 0 ? 1 : 0;
}
inline herr_t see_attribute(hid_t, const char*, const H5A_info_t*, void* left) {
  return --*static_cast<int*>(left) < 0 ? 1 : 0;
}

}  // namespace filigree::fuzz
