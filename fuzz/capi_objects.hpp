// SPDX-License-Identifier: Apache-2.0
//
// Calls of the C API on objects in files: datasets, attributes, groups, links, references.
#pragma once

#include <algorithm>
#include <string>

#include "capi_program.hpp"

namespace filigree::fuzz {

/// Writes and reads variable-length strings.
inline void texts(Input& in, hid_t set) {
  const hid_t extent = H5Dget_space(set), type = H5Tcopy(H5T_C_S1);
  const hssize_t elements = extent < 0 ? -1 : H5Sget_simple_extent_npoints(extent);
  H5Tset_size(type, H5T_VARIABLE);
  if (elements >= 0 && elements < 4096) {
    std::vector<const char*> values(static_cast<std::size_t>(elements), "text");
    if (in.coin()) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    values.assign(values.size(), nullptr);
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0)
      H5Treclaim(type, extent, H5P_DEFAULT, values.data());
  }
  H5Tclose(type);
  H5Sclose(extent);
}

/// Reads the sections of a chunk and writes them back.
inline void struct_chunks(Input& in, hid_t set) {
  constexpr std::size_t most_sections = 3;
  hsize_t offset[H5S_MAX_RANK] = {}, bytes = 0;
  haddr_t address = 0;
  std::uint16_t masks[most_sections] = {};
  std::size_t sizes[most_sections] = {}, originals[most_sections] = {};
  H5D_struct_chunk_info_t info = {0, static_cast<std::uint8_t>(in.below(most_sections + 1)), masks, sizes,
                                  originals};
  if (H5Dget_struct_chunk_info(set, H5S_ALL, in.below(4), offset, nullptr, &address, &bytes) < 0) return;
  if (H5Dread_struct_chunk(set, H5P_DEFAULT, offset, &info, nullptr) < 0) return;
  std::vector<std::vector<std::uint8_t>> buffers;
  void* sections[most_sections] = {};
  for (std::size_t i = 0; i < most_sections; ++i)
    sections[i] = buffers.emplace_back(std::min(sizes[i], most_bytes) + 1).data();
  if (H5Dread_struct_chunk(set, H5P_DEFAULT, offset, &info, sections) < 0) return;
  if (in.coin()) buffers[in.below(2)][0] ^= static_cast<std::uint8_t>(in.byte());
  H5Dwrite_struct_chunk(set, H5P_DEFAULT, &info, offset, sections);
  if (in.coin()) H5Derase(set, H5S_ALL, H5P_DEFAULT);
}

inline void datasets(Input& in, Pool& pool) {
  const hid_t where = pool.pick(in);
  const Sizes dims(in, 0);
  switch (in.below(15)) {
    case 0:
    case 1:
      return pool.put(H5Dcreate2(where, name(in), any_type(in, pool), pool.pick(in), H5P_DEFAULT,
                                 in.coin() ? H5P_DEFAULT : pool.pick(in), H5P_DEFAULT),
                      in);
    case 2:
      return pool.put(H5Dopen2(where, name(in), H5P_DEFAULT), in);
    case 3:
    case 4:
    case 5: {
      const hid_t in_memory = in.coin() ? H5S_ALL : pool.pick(in),
                  in_file = in.coin() ? H5S_ALL : pool.pick(in);
      const hid_t extent = H5Dget_space(where);
      if (small(in_memory) && small(in_file) && extent >= 0 && small(extent)) {
        const hid_t type = plain_type(in, pool), transfer = in.coin() ? H5P_DEFAULT : pool.pick(in);
        in.coin() ? H5Dread(where, type, in_memory, in_file, transfer, memory().data())
                  : H5Dwrite(where, type, in_memory, in_file, transfer, memory().data());
      }
      H5Sclose(extent);
      return;
    }
    case 6:
      H5Dset_extent(where, dims.values);
      return;
    case 7:
      pool.put(H5Dget_space(where), in);
      pool.put(H5Dget_type(where), in);
      return pool.put(H5Dget_create_plist(where), in);
    case 8: {
      std::uint32_t mask = 0;
      hsize_t chunks = 0, bytes = 0;
      H5Dget_num_chunks(where, H5S_ALL, &chunks);
      if (H5Dget_chunk_storage_size(where, dims.values, &bytes) >= 0 && bytes < most_bytes)
        H5Dread_chunk(where, H5P_DEFAULT, dims.values, &mask, memory().data());
      H5Dwrite_chunk(where, H5P_DEFAULT, in.below(4), dims.values, in.byte(), memory().data());
      return;
    }
    case 9:
      return texts(in, where);
    case 10:
      return struct_chunks(in, where);
    case 11: {
      const hid_t space = pool.pick(in), type = plain_type(in, pool);
      if (!small(space) || space == H5S_ALL) return;
      const std::uint8_t fill[8] = {1, 2, 3, 4, 5, 6, 7, 8};
      H5Dfill(in.coin() ? fill : nullptr, memory_type(in), memory().data(), type, space);
      H5Dgather(space, memory().data(), type, 64 * in.below(20), memory().data() + most_bytes / 2, nullptr,
                nullptr);
      return;
    }
    case 12: {
      H5D_space_status_t status;
      hsize_t offset[H5S_MAX_RANK], bytes = 0;
      haddr_t address = 0;
      unsigned mask = 0;
      H5Dget_space_status(where, &status);
      H5Dget_chunk_info(where, H5S_ALL, in.below(8), offset, &mask, &address, &bytes);
      H5Dget_chunk_info_by_coord(where, dims.values, &mask, &address, &bytes);
      return;
    }
    case 13:
      pool.put(H5Dget_access_plist(where), in);
      H5Dflush(where);
      return;
    default:
      H5Dget_storage_size(where);
      H5Dget_offset(where);
      return;
  }
}

inline void attributes(Input& in, Pool& pool) {
  const hid_t where = pool.pick(in);
  int left = 50;
  switch (in.below(10)) {
    case 0:
    case 1:
      return pool.put(
          H5Acreate2(where, name(in), any_type(in, pool), pool.pick(in), H5P_DEFAULT, H5P_DEFAULT), in);
    case 2:
      return pool.put(H5Aopen(where, name(in), H5P_DEFAULT), in);
    case 3: {
      const hid_t extent = H5Aget_space(where);
      if (extent >= 0 && small(extent))
        in.coin() ? H5Aread(where, plain_type(in, pool), memory().data())
                  : H5Awrite(where, plain_type(in, pool), memory().data());
      H5Sclose(extent);
      return;
    }
    case 4:
      in.coin() ? H5Adelete(where, name(in)) : H5Arename(where, name(in), name(in));
      return;
    case 5:
      H5Aiterate2(where, in.index(), in.order(), nullptr, see_attribute, &left);
      return;
    case 6:
      return pool.put(H5Acreate_by_name(where, name(in), name(in), any_type(in, pool), pool.pick(in),
                                        H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      in);
    case 7:
      return pool.put(
          H5Aopen_by_idx(where, name(in), in.index(), in.order(), in.below(10), H5P_DEFAULT, H5P_DEFAULT),
          in);
    case 8: {
      char text[6];
      H5A_info_t info;
      H5Aget_name(where, sizeof text, text);
      H5Aget_info(where, &info);
      H5Aget_storage_size(where);
      H5Aget_name_by_idx(where, name(in), in.index(), in.order(), in.below(10), text, sizeof text,
                         H5P_DEFAULT);
      return pool.put(H5Aget_type(where), in);
    }
    default:
      in.coin() ? H5Adelete_by_idx(where, name(in), in.index(), in.order(), in.below(10), H5P_DEFAULT)
                : H5Arename_by_name(where, name(in), name(in), name(in), H5P_DEFAULT);
      return;
  }
}

inline constexpr auto user_link = static_cast<H5L_type_t>(H5L_TYPE_UD_MIN + 7);

/// A class of user-defined links, which lead to the object that their value names.
inline void register_links() {
  const auto follow = [](const char*, hid_t group, const void* value, std::size_t bytes, hid_t list, hid_t) {
    const std::vector<char> path(static_cast<const char*>(value), static_cast<const char*>(value) + bytes);
    return H5Oopen(group, std::string(path.begin(), path.end()).c_str(), list);
  };
  H5L_class_t links{};
  links.version = H5L_LINK_CLASS_T_VERS;
  links.id = user_link;
  links.trav_func = follow;
  H5Lregister(&links);
}

inline void objects(Input& in, Pool& pool) {
  const hid_t where = pool.pick(in);
  int left = 100;
  switch (in.below(18)) {
    case 0:
    case 1:
      return pool.put(
          H5Gcreate2(where, name(in), H5P_DEFAULT, in.coin() ? H5P_DEFAULT : pool.pick(in), H5P_DEFAULT), in);
    case 2:
      return pool.put(H5Oopen(where, name(in), H5P_DEFAULT), in);
    case 3:
      H5Tcommit2(where, name(in), pool.pick(in), H5P_DEFAULT, in.coin() ? H5P_DEFAULT : pool.pick(in),
                 H5P_DEFAULT);
      return;
    case 4:
      H5Ldelete(where, name(in), H5P_DEFAULT);
      return;
    case 5:
      H5Lmove(where, name(in), pool.pick(in), name(in), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 6:
      H5Lcreate_soft(name(in), where, name(in), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 7:
      H5Lcreate_hard(where, name(in), pool.pick(in), name(in), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 8:
      H5Literate2(where, in.index(), in.order(), nullptr, see_link, &left);
      return;
    case 9:
      H5Ovisit3(where, in.index(), in.order(), see_object, &left, H5O_INFO_ALL);
      return;
    case 10:
      H5Ocopy(where, name(in), pool.pick(in), name(in), in.coin() ? H5P_DEFAULT : pool.pick(in), H5P_DEFAULT);
      return;
    case 11:
      H5Lcreate_ud(where, name(in), user_link, "a", 1, H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 12:
      H5Lcreate_external("fuzz.h5", name(in), where, name(in), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 13: {
      char text[6];
      H5L_info2_t info;
      H5Lget_info_by_idx2(where, name(in), in.index(), in.order(), in.below(10), &info, H5P_DEFAULT);
      H5Lget_name_by_idx(where, name(in), in.index(), in.order(), in.below(10), text, sizeof text,
                         H5P_DEFAULT);
      H5Lget_val(where, name(in), text, sizeof text, H5P_DEFAULT);
      if (in.coin()) H5Ldelete_by_idx(where, name(in), in.index(), in.order(), in.below(10), H5P_DEFAULT);
      return;
    }
    case 14:
      return pool.put(H5Oopen_by_idx(where, name(in), in.index(), in.order(), in.below(10), H5P_DEFAULT), in);
    case 15:
      in.coin() ? H5Oincr_refcount(where) : H5Odecr_refcount(where);
      H5Oset_comment(where, name(in));
      H5Olink(where, pool.pick(in), name(in), H5P_DEFAULT, H5P_DEFAULT);
      return;
    case 16:
      in.coin() ? H5Fmount(where, name(in), pool.pick(in), H5P_DEFAULT) : H5Funmount(where, name(in));
      return;
    default: {
      char text[8];
      H5O_info2_t info;
      H5O_native_info_t native;
      H5Oget_info3(where, &info, H5O_INFO_ALL);
      H5Oget_native_info(where, &native, H5O_NATIVE_INFO_ALL);
      H5Iget_name(where, text, sizeof text);
      return;
    }
  }
}

/// References of both generations. The end of the program closes what they hold open.
class References {
 public:
  ~References() {
    for (H5R_ref_t& reference : references_) H5Rdestroy(&reference);
  }
  void run(Input& in, Pool& pool) {
    H5R_ref_t& reference = references_[in.below(references_.size())];
    const hid_t where = pool.pick(in);
    H5O_type_t kind;
    switch (in.below(8)) {
      case 0:
        H5Rdestroy(&reference);
        H5Rcreate_object(where, name(in), H5P_DEFAULT, &reference);
        return;
      case 1:
        H5Rdestroy(&reference);
        H5Rcreate_region(where, name(in), pool.pick(in), H5P_DEFAULT, &reference);
        return;
      case 2:
        return pool.put(H5Ropen_object(&reference, H5P_DEFAULT, H5P_DEFAULT), in);
      case 3:
        return pool.put(H5Ropen_region(&reference, H5P_DEFAULT, H5P_DEFAULT), in);
      case 4:
        H5Rget_type(&reference);
        H5Rget_obj_type3(&reference, H5P_DEFAULT, &kind);
        return;
      case 5:
        H5Rcreate(&object_, where, name(in), H5R_OBJECT, -1);
        H5Rcreate(&region_, where, name(in), H5R_DATASET_REGION, pool.pick(in));
        return;
      case 6:
        H5Rget_obj_type2(where, H5R_OBJECT, &object_, &kind);
        return pool.put(H5Rdereference2(where, H5P_DEFAULT, H5R_OBJECT, &object_), in);
      default:
        pool.put(H5Rget_region(where, H5R_DATASET_REGION, &region_), in);
        return pool.put(H5Rdereference2(where, H5P_DEFAULT, H5R_DATASET_REGION, &region_), in);
    }
  }

 private:
  std::array<H5R_ref_t, 4> references_{};
  hobj_ref_t object_ = 0;
  hdset_reg_ref_t region_{};
};

inline void ids(Input& in, Pool& pool) {
  const hid_t id = pool.pick(in);
  switch (in.below(6)) {
    case 0:
      H5Iinc_ref(id);
      return;
    case 1:
    case 2:
      H5Idec_ref(id);
      return;
    case 3:
      return pool.put(H5Freopen(id), in);
    case 4:
      H5Fflush(id, H5F_SCOPE_GLOBAL);
      return;
    default:
      return pool.put(H5Iget_file_id(id), in);
  }
}

}  // namespace filigree::fuzz
