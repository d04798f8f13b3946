// SPDX-License-Identifier: Apache-2.0
//
// Calls of the C API on dataspaces, datatypes and property lists.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "capi_program.hpp"

namespace filigree::fuzz {

/// Asks an iterator over a selection, or an invalid id, for a few sequences.
inline void walk_selection(Input& in, const Pool& pool) {
  constexpr std::size_t most = 8;
  const hid_t walk = pool.pick(in);
  std::size_t sequences = 0, elements = 0, lengths[most];
  hsize_t offsets[most];
  H5Ssel_iter_get_seq_list(walk, 1 + in.below(most), in.byte(), &sequences, &elements, offsets, lengths);
  if (in.coin()) H5Ssel_iter_reset(walk, pool.pick(in));
}

inline void spaces(Input& in, Pool& pool) {
  const Sizes a(in, 0), b(in, 0), c(in, 1), d(in, 0);
  const auto op = static_cast<H5S_seloper_t>(static_cast<int>(in.below(9)) - 1);
  switch (in.below(14)) {
    case 0:
      return pool.put(H5Screate_simple(static_cast<int>(in.below(most_rank + 1)), a.values, nullptr), in);
    case 1: {
      const hsize_t most[most_rank] = {H5S_UNLIMITED, H5S_UNLIMITED, most_extent * 2};
      return pool.put(H5Screate_simple(static_cast<int>(1 + in.below(most_rank)), a.values, most), in);
    }
    case 2:
      return pool.put(H5Screate(static_cast<H5S_class_t>(in.below(4))), in);
    case 3:
      return pool.put(H5Scopy(pool.pick(in)), in);
    case 4:
      H5Sselect_hyperslab(pool.pick(in), op, a.values, in.coin() ? c.values : nullptr, b.values,
                          in.coin() ? d.values : nullptr);
      return;
    case 5: {
      const hsize_t points[most_rank * 2] = {a.values[0], a.values[1], a.values[2],
                                             b.values[0], b.values[1], b.values[2]};
      H5Sselect_elements(pool.pick(in), op, 1 + in.below(2), points);
      return;
    }
    case 6:
      in.coin() ? H5Sselect_all(pool.pick(in)) : H5Sselect_none(pool.pick(in));
      return;
    case 7:
      return pool.put(H5Scombine_select(pool.pick(in), op, pool.pick(in)), in);
    case 8:
      return pool.put(H5Sselect_project_intersection(pool.pick(in), pool.pick(in), pool.pick(in)), in);
    case 9:
      return pool.put(H5Ssel_iter_create(pool.pick(in), 1 + in.below(16), in.below(4)), in);
    case 10:
      return walk_selection(in, pool);
    case 11: {
      const hid_t space = pool.pick(in);
      const hssize_t offset[most_rank] = {static_cast<hssize_t>(in.below(9)) - 4, 0, 1};
      if (H5Sget_simple_extent_ndims(space) > static_cast<int>(most_rank)) return;
      in.coin() ? H5Soffset_simple(space, offset) : H5Sselect_adjust(space, offset);
      H5Sselect_intersect_block(space, a.values, b.values);
      return;
    }
    case 12: {
      const hid_t first = pool.pick(in), second = pool.pick(in);
      H5Sselect_shape_same(first, second);
      H5Sextent_equal(first, second);
      in.coin() ? H5Sselect_copy(first, second) : H5Smodify_select(first, op, second);
      return;
    }
    default: {
      std::size_t bytes = 0;
      const hid_t space = pool.pick(in);
      if (H5Sencode2(space, nullptr, &bytes, H5P_DEFAULT) < 0 || bytes > most_bytes) return;
      H5Sencode2(space, memory().data(), &bytes, H5P_DEFAULT);
      return pool.put(H5Sdecode(memory().data()), in);
    }
  }
}

inline void types(Input& in, Pool& pool) {
  const Sizes dims(in, 0);
  switch (in.below(15)) {
    case 0:
      return pool.put(H5Tcopy(any_type(in, pool)), in);
    case 1:
      H5Tset_size(pool.pick(in), in.coin() ? in.below(70) : H5T_VARIABLE);
      return;
    case 2:
      H5Tset_precision(pool.pick(in), in.below(100));
      H5Tset_offset(pool.pick(in), in.below(40));
      return;
    case 3:
      H5Tset_order(pool.pick(in), static_cast<H5T_order_t>(in.below(5)));
      return;
    case 4:
      return pool.put(H5Tcreate(static_cast<H5T_class_t>(in.below(12)), in.below(70)), in);
    case 5:
      H5Tinsert(pool.pick(in), name(in), in.below(70), any_type(in, pool));
      return;
    case 6:
      return pool.put(H5Tarray_create2(any_type(in, pool), in.below(most_rank + 1), dims.values), in);
    case 7:
      return pool.put(in.coin() ? H5Tvlen_create(any_type(in, pool)) : H5Tenum_create(any_type(in, pool)),
                      in);
    case 8:
      H5Tenum_insert(pool.pick(in), name(in), memory().data() + in.byte());
      return;
    case 9: {
      std::size_t bytes = 0;
      const hid_t type = pool.pick(in);
      if (H5Tencode(type, nullptr, &bytes) < 0 || bytes > most_bytes) return;
      H5Tencode(type, memory().data(), &bytes);
      return pool.put(H5Tdecode(memory().data()), in);
    }
    case 10:
      return pool.put(H5Tget_native_type(pool.pick(in), static_cast<H5T_direction_t>(in.below(4))), in);
    case 11:
      H5Tconvert(memory_type(in), memory_type(in), in.byte(), memory().data(), nullptr, H5P_DEFAULT);
      return;
    case 12: {
      // The second half is the background.
      const hid_t from = plain_type(in, pool), to = plain_type(in, pool);
      H5Tconvert(from, to, in.byte(), memory().data(), memory().data() + most_bytes / 2, H5P_DEFAULT);
      return;
    }
    case 13: {
      const hid_t type = pool.pick(in);
      H5Tpack(type);
      H5Tlock(in.coin() ? type : -1);
      H5Tequal(type, pool.pick(in));
      H5Tfind(type, pool.pick(in), nullptr);
      return pool.put(in.coin() ? H5Tget_super(type) : H5Tget_member_type(type, in.below(4)), in);
    }
    default: {
      const hid_t type = pool.pick(in);
      H5Tset_strpad(type, static_cast<H5T_str_t>(in.below(4)));
      H5Tset_cset(type, static_cast<H5T_cset_t>(in.below(3)));
      H5Tset_fields(type, in.below(64), in.below(64), in.below(20), in.below(64), in.below(60));
      H5Tset_ebias(type, in.byte());
      H5Tset_tag(type, name(in));
      return;
    }
  }
}

/// Returns an empty buffer if the call fails.
inline std::vector<std::uint8_t> encoded_list(hid_t list) {
  std::size_t bytes = 0;
  if (H5Pencode2(list, nullptr, &bytes, H5P_DEFAULT) < 0 || bytes > most_bytes) return {};
  std::vector<std::uint8_t> result(bytes);
  H5Pencode2(list, result.data(), &bytes, H5P_DEFAULT);
  return result;
}

/// A decoded property list encodes to the same number of bytes. As with HDF5, the properties change their
/// order once and keep it from then on.
inline void recode_list(hid_t list, Input& in, Pool& pool) {
  const std::vector<std::uint8_t> given = encoded_list(list);
  if (given.empty()) return;
  const hid_t decoded = H5Pdecode(given.data());
  const std::vector<std::uint8_t> first = encoded_list(decoded);
  const hid_t again = first.empty() ? H5I_INVALID_HID : H5Pdecode(first.data());
  const std::vector<std::uint8_t> second = encoded_list(again);
  if (again >= 0) H5Pclose(again);
  if (first.size() != given.size() || first != second) {
    std::fprintf(stderr, "an encoded list is another after decoding\n");
    std::abort();
  }
  pool.put(decoded, in);
}

inline void lists(Input& in, Pool& pool) {
  const Sizes dims(in, 0);
  const hid_t list = pool.pick(in);
  switch (in.below(18)) {
    case 0: {
      const hid_t classes[] = {H5P_DATASET_CREATE, H5P_DATASET_XFER,   H5P_FILE_ACCESS,
                               H5P_FILE_CREATE,    H5P_GROUP_CREATE,   H5P_LINK_CREATE,
                               H5P_OBJECT_COPY,    H5P_DATASET_ACCESS, list};
      return pool.put(H5Pcreate(classes[in.below(9)]), in);
    }
    case 1:
      H5Pset_chunk(list, static_cast<int>(in.below(most_rank + 2)), dims.values);
      return;
    case 2:
      H5Pset_deflate(list, in.below(11));
      return;
    case 3:
      in.coin() ? H5Pset_shuffle(list) : H5Pset_fletcher32(list);
      return;
    case 4:
      H5Pset_fill_value(list, memory_type(in), in.coin() ? memory().data() : nullptr);
      return;
    case 5:
      H5Pset_layout(list, static_cast<H5D_layout_t>(static_cast<int>(in.below(7)) - 1));
      return;
    case 6:
      return recode_list(list, in, pool);
    case 7:
      return pool.put(H5Pcopy(list), in);
    case 8:
      H5Pset_alloc_time(list, static_cast<H5D_alloc_time_t>(in.below(5)));
      H5Pset_fill_time(list, static_cast<H5D_fill_time_t>(in.below(4)));
      return;
    case 9:
      H5Pset_copy_object(list, in.below(64));
      H5Pset_create_intermediate_group(list, in.below(2));
      return;
    case 10:
      H5Premove_filter(list, static_cast<H5Z_filter_t>(in.below(4)));
      H5Pset_scaleoffset(list, static_cast<H5Z_SO_scale_type_t>(in.below(3)), static_cast<int>(in.below(9)));
      return;
    case 11:
      H5Pset_struct_chunk(list, static_cast<int>(in.below(most_rank + 2)), dims.values, in.below(5));
      return;
    case 12:
      H5Pset_virtual(list, pool.pick(in), in.coin() ? "." : "fuzz.h5", name(in), pool.pick(in));
      return;
    case 13:
      H5Pset_attr_phase_change(list, in.below(12), in.below(12));
      H5Pset_link_phase_change(list, in.below(12), in.below(12));
      H5Pset_attr_creation_order(list, in.below(4));
      H5Pset_link_creation_order(list, in.below(4));
      return;
    case 14: {
      int value = static_cast<int>(in.byte());
      H5Pinsert2(list, name(in), sizeof value, &value, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
      H5Pset(list, name(in), &value);
      return;
    }
    case 15: {
      std::size_t bytes = 0;
      if (H5Pget_size(list, name(in), &bytes) >= 0 && bytes < most_bytes)
        H5Pget(list, name(in), memory().data());
      H5Premove(list, name(in));
      H5Pcopy_prop(list, pool.pick(in), name(in));
      return;
    }
    case 16:
      H5Pset_data_transform(list, in.coin() ? "2*x+1" : "(x-3)/0");
      H5Pset_nbit(list);
      H5Pset_szip(list, in.byte(), in.below(40));
      H5Pset_obj_track_times(list, in.coin());
      return;
    default:
      H5Pequal(list, pool.pick(in));
      H5Pget_nprops(list, nullptr);
      return;
  }
}

}  // namespace filigree::fuzz
