// SPDX-License-Identifier: Apache-2.0
//
// A program of the C API: every few bytes of the input are a call, whose ids are whatever calls before it
// gave. Calls may fail; nothing may crash, hang or stay open. The file is in memory.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hdf5.h>

namespace {

constexpr std::size_t most_calls = 200, most_bytes = std::size_t{1} << 20;
constexpr unsigned most_rank = 3, most_extent = 16;

/// What is left of the input.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + size) {}
  bool empty() const { return data_ == end_; }
  unsigned byte() { return empty() ? 0 : *data_++; }
  unsigned below(unsigned limit) { return byte() % limit; }
  bool coin() { return (byte() & 1) != 0; }

 private:
  const std::uint8_t* data_;
  const std::uint8_t* end_;
};

/// Ids that calls have given, closed ones and wrong ones among them.
class Pool {
 public:
  void put(hid_t id, Input& input) {
    if (id < 0) return;
    given_.push_back(id);
    slots_[input.below(slots_.size())] = id;
  }
  hid_t pick(Input& input) const { return slots_[input.below(slots_.size())]; }
  /// Most ids were closed by the program already.
  void close_all() {
    for (const hid_t id : given_)
      while (H5Iis_valid(id) > 0 && H5Idec_ref(id) >= 0) continue;
  }

 private:
  std::array<hid_t, 16> slots_{H5P_DEFAULT, -1};
  std::vector<hid_t> given_;
};

std::vector<std::uint8_t>& memory() {
  static std::vector<std::uint8_t> bytes(most_bytes);
  return bytes;
}

const char* name(Input& input) {
  static const char* const names[] = {
      "a", "b", "c", "a/b", "/a/b/c", "/", ".", "", "long name with spaces", "a/../b"};
  return names[input.below(sizeof names / sizeof *names)];
}

/// Only types whose values may be any bytes.
hid_t memory_type(Input& input) {
  const hid_t types[] = {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE, H5T_NATIVE_UCHAR,
                         H5T_STD_I16BE,  H5T_IEEE_F32BE,    H5T_NATIVE_LLONG};
  return types[input.below(sizeof types / sizeof *types)];
}

hid_t any_type(Input& input, const Pool& pool) {
  return input.coin() ? memory_type(input) : pool.pick(input);
}

struct Sizes {
  Sizes(Input& input, unsigned least) {
    for (hsize_t& value : values) value = least + input.below(most_extent);
  }
  hsize_t values[most_rank];
};

/// Whether a transfer stays within memory(), whatever is selected.
bool small(hid_t space) {
  return space == H5S_ALL ||
         (H5Iget_type(space) == H5I_DATASPACE && H5Sget_simple_extent_npoints(space) >= 0 &&
          static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) <= most_bytes / 64);
}

herr_t see_link(hid_t, const char*, const H5L_info2_t*, void* left) {
  return --*static_cast<int*>(left) < 0 ? 1 : 0;
}
herr_t see_object(hid_t, const char*, const H5O_info2_t*, void* left) {
  return --*static_cast<int*>(left) < 0 ? 1 : 0;
}
herr_t see_attribute(hid_t, const char*, const H5A_info_t*, void* left) {
  return --*static_cast<int*>(left) < 0 ? 1 : 0;
}

void spaces(Input& in, Pool& pool) {
  const Sizes a(in, 0), b(in, 0), c(in, 1), d(in, 0);
  const auto op = static_cast<H5S_seloper_t>(static_cast<int>(in.below(9)) - 1);
  switch (in.below(10)) {
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
    default: {
      std::size_t bytes = 0;
      const hid_t space = pool.pick(in);
      if (H5Sencode2(space, nullptr, &bytes, H5P_DEFAULT) < 0 || bytes > most_bytes) return;
      H5Sencode2(space, memory().data(), &bytes, H5P_DEFAULT);
      return pool.put(H5Sdecode(memory().data()), in);
    }
  }
}

void types(Input& in, Pool& pool) {
  const Sizes dims(in, 0);
  switch (in.below(12)) {
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
    default:
      H5Tconvert(memory_type(in), memory_type(in), in.byte(), memory().data(), nullptr, H5P_DEFAULT);
      return;
  }
}

void lists(Input& in, Pool& pool) {
  const Sizes dims(in, 0);
  const hid_t list = pool.pick(in);
  switch (in.below(12)) {
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
    case 6: {
      std::size_t bytes = 0;
      if (H5Pencode2(list, nullptr, &bytes, H5P_DEFAULT) < 0 || bytes > most_bytes) return;
      H5Pencode2(list, memory().data(), &bytes, H5P_DEFAULT);
      return pool.put(H5Pdecode(memory().data()), in);
    }
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
    default:
      H5Pequal(list, pool.pick(in));
      H5Pget_nprops(list, nullptr);
      return;
  }
}

void datasets(Input& in, Pool& pool) {
  const hid_t where = pool.pick(in);
  const Sizes dims(in, 0);
  switch (in.below(10)) {
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
        const hid_t type = memory_type(in), transfer = in.coin() ? H5P_DEFAULT : pool.pick(in);
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
    default:
      H5Dget_storage_size(where);
      H5Dget_offset(where);
      return;
  }
}

void attributes(Input& in, Pool& pool) {
  const hid_t where = pool.pick(in);
  int left = 50;
  switch (in.below(6)) {
    case 0:
    case 1:
      return pool.put(
          H5Acreate2(where, name(in), any_type(in, pool), pool.pick(in), H5P_DEFAULT, H5P_DEFAULT), in);
    case 2:
      return pool.put(H5Aopen(where, name(in), H5P_DEFAULT), in);
    case 3: {
      const hid_t extent = H5Aget_space(where);
      if (extent >= 0 && small(extent))
        in.coin() ? H5Aread(where, memory_type(in), memory().data())
                  : H5Awrite(where, memory_type(in), memory().data());
      H5Sclose(extent);
      return;
    }
    case 4:
      in.coin() ? H5Adelete(where, name(in)) : H5Arename(where, name(in), name(in));
      return;
    default:
      H5Aiterate2(where, static_cast<H5_index_t>(in.below(3)), static_cast<H5_iter_order_t>(in.below(4)),
                  nullptr, see_attribute, &left);
      return;
  }
}

void objects(Input& in, Pool& pool) {
  const hid_t where = pool.pick(in);
  int left = 100;
  switch (in.below(12)) {
    case 0:
    case 1:
      return pool.put(H5Gcreate2(where, name(in), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), in);
    case 2:
      return pool.put(H5Oopen(where, name(in), H5P_DEFAULT), in);
    case 3:
      H5Tcommit2(where, name(in), pool.pick(in), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
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
      H5Literate2(where, static_cast<H5_index_t>(in.below(3)), static_cast<H5_iter_order_t>(in.below(4)),
                  nullptr, see_link, &left);
      return;
    case 9:
      H5Ovisit3(where, static_cast<H5_index_t>(in.below(3)), static_cast<H5_iter_order_t>(in.below(4)),
                see_object, &left, H5O_INFO_ALL);
      return;
    case 10:
      H5Ocopy(where, name(in), pool.pick(in), name(in), in.coin() ? H5P_DEFAULT : pool.pick(in), H5P_DEFAULT);
      return;
    default: {
      char text[8];
      H5O_info2_t info;
      H5Oget_info3(where, &info, H5O_INFO_ALL);
      H5Iget_name(where, text, sizeof text);
      return;
    }
  }
}

void ids(Input& in, Pool& pool) {
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

void call(Input& in, Pool& pool) {
  switch (in.below(8)) {
    case 0:
      return spaces(in, pool);
    case 1:
      return types(in, pool);
    case 2:
      return lists(in, pool);
    case 3:
    case 4:
      return datasets(in, pool);
    case 5:
      return attributes(in, pool);
    case 6:
      return objects(in, pool);
    default:
      return ids(in, pool);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Input input(data, size);
  Pool pool;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 4096, 0);
  if (input.coin()) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  // Twice, so that most calls find the file.
  const hid_t file = H5Fcreate("fuzz.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  pool.put(file, input);
  pool.put(file, input);
  for (std::size_t calls = 0; calls < most_calls && !input.empty(); ++calls) call(input, pool);
  pool.close_all();
  H5Pclose(access);
  if (H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL) > 0) {
    std::fprintf(stderr, "something is still open\n");
    std::abort();
  }
  return 0;
}
