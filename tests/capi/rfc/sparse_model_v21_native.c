/* SPDX-License-Identifier: Apache-2.0
 *
 * "Programming Model to Support Sparse Data in HDF5", version 21, section 2.4: chunks of every layout. */
#include "check.h"
#include "sparse.h"

static hid_t chunked_plist(int deflate) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 2, matrix_chunk);
  if (deflate) H5Pset_deflate(plist, 6);
  return plist;
}

static hid_t deflated_sparse(void) {
  hid_t plist = sparse_plist();
  H5Pset_deflate(plist, 6);
  return plist;
}

/* Whether a dataset has one section of fixed-size data. */
static int has_one_section(hid_t set) {
  unsigned count = 0;
  H5D_native_section_type_t type = H5D_NATIVE_SECTION_VLEN;
  return H5Dnative_get_section_count(set, &count) >= 0 && count == 1 &&
         H5Dnative_get_section_types(set, &type) >= 0 && type == H5D_NATIVE_SECTION_FIXED;
}

static void check_sections(hid_t file) {
  hid_t plist = sparse_plist(), set = new_dataset(file, "sections", H5T_STD_I32LE, plist),
        text = H5Tcopy(H5T_C_S1), chunked = chunked_plist(0);
  hid_t compact = H5Pcreate(H5P_DATASET_CREATE), scalar = H5Screate(H5S_SCALAR);
  unsigned count = 0;
  H5D_native_section_type_t types[3];
  CHECK("2.4.1", "sparse data have two sections",
        H5Dnative_get_section_count(set, &count) >= 0 && count == 2);
  CHECK("2.4.2", "the selection and fixed-size data",
        H5Dnative_get_section_types(set, types) >= 0 && types[0] == H5D_NATIVE_SECTION_SELECTION &&
            types[1] == H5D_NATIVE_SECTION_FIXED);
  H5Dclose(set);
  H5Tset_size(text, H5T_VARIABLE);
  set = new_dataset(file, "section_texts", text, plist);
  CHECK("2.4.2", "sparse variable-length data have a third one",
        H5Dnative_get_section_count(set, &count) >= 0 && count == 3 &&
            H5Dnative_get_section_types(set, types) >= 0 && types[2] == H5D_NATIVE_SECTION_VLEN);
  H5Dclose(set);
  set = new_dataset(file, "section_chunked", H5T_STD_I32LE, chunked);
  CHECK("2.4.1", "legacy chunked datasets have one section of fixed-size data", has_one_section(set));
  H5Dclose(set);
  set = new_dataset(file, "section_contiguous", H5T_STD_I32LE, H5P_DEFAULT);
  CHECK("2.4.1", "legacy contiguous datasets have one section of fixed-size data", has_one_section(set));
  H5Dclose(set);
  H5Pset_layout(compact, H5D_COMPACT);
  set = new_dataset(file, "section_compact", H5T_STD_I32LE, compact);
  CHECK("2.4.1", "legacy compact datasets have one section of fixed-size data", has_one_section(set));
  H5Dclose(set);
  set = H5Dcreate2(file, "section_scalar", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CHECK("2.4.1", "legacy scalar datasets have one section of fixed-size data", has_one_section(set));
  H5Dclose(set);
  CHECK("2.4.1", "an id that is no dataset is an error", H5Dnative_get_section_count(file, &count) < 0);
  H5Sclose(scalar);
  H5Tclose(text);
  H5Pclose(plist);
  H5Pclose(chunked);
  H5Pclose(compact);
}

/* Reads the upper left chunk of one dataset and writes it to another. */
static int copies_chunk(hid_t from, hid_t to, unsigned sections) {
  const hsize_t corner[2] = {0, 0};
  H5D_native_section_info_t info[2];
  void* buffers[2] = {NULL, NULL};
  haddr_t address;
  hsize_t bytes;
  unsigned i;
  int works;
  if (H5Dnative_get_chunk_info(from, corner, info, &address, &bytes) < 0) return 0;
  for (i = 0; i < sections; ++i) buffers[i] = malloc(info[i].size);
  works = H5Dnative_read_chunk(from, H5P_DEFAULT, corner, sections, info, buffers) >= 0 &&
          H5Dnative_write_chunk(to, H5P_DEFAULT, corner, sections, info, (const void**)buffers) >= 0;
  for (i = 0; i < sections; ++i) free(buffers[i]);
  return works;
}

static void write_block(hid_t set) {
  const hsize_t start[2] = {2, 2}, count[2] = {2, 3}, length = 6;
  hid_t space = H5Screate_simple(2, matrix_dims, NULL), memory = H5Screate_simple(1, &length, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Dwrite(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, block_values);
  H5Sclose(space);
  H5Sclose(memory);
}

static int native_copy_works(hid_t file, const char* name, hid_t plist, unsigned sections) {
  char other[64];
  hid_t from = new_dataset(file, name, H5T_STD_I32LE, plist), to;
  int works, back[ROWS][COLUMNS];
  snprintf(other, sizeof other, "%s_copy", name);
  to = new_dataset(file, other, H5T_STD_I32LE, plist);
  write_block(from);
  works = copies_chunk(from, to, sections);
  H5Dread(to, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back);
  works = works && back[2][2] == 66 && back[3][4] == 102 && (sections == 1 || reads_block(to));
  H5Dclose(from);
  H5Dclose(to);
  H5Pclose(plist);
  return works;
}

static void check_write(hid_t file) {
  const hsize_t corner[2] = {0, 0};
  unsigned char blob[512];
  const size_t blob_bytes = encode_block(blob, sizeof blob);
  hid_t plist = deflated_sparse(), set = new_dataset(file, "native", H5T_STD_I32LE, plist), contiguous;
  H5D_native_section_info_t info[2] = {{H5D_NATIVE_SECTION_SELECTION, 0, 0},
                                       {H5D_NATIVE_SECTION_FIXED, 0, 0}};
  void* buffers[2];
  buffers[0] = deflated(blob, blob_bytes, &info[0].size);
  buffers[1] = deflated(block_values, sizeof block_values, &info[1].size);
  CHECK("2.4.3", "filtered sections are written without their original sizes",
        H5Dnative_write_chunk(set, H5P_DEFAULT, corner, 2, info, (const void**)buffers) >= 0 &&
            reads_block(set));
  info[1].type = H5D_NATIVE_SECTION_VLEN;
  CHECK("2.4.3", "the types of sections must be those of the dataset",
        H5Dnative_write_chunk(set, H5P_DEFAULT, corner, 2, info, (const void**)buffers) < 0);
  info[1].type = H5D_NATIVE_SECTION_FIXED;
  CHECK("2.4.3", "the number of sections must be that of the dataset",
        H5Dnative_write_chunk(set, H5P_DEFAULT, corner, 1, info, (const void**)buffers) < 0);
  contiguous = new_dataset(file, "native_contiguous", H5T_STD_I32LE, H5P_DEFAULT);
  CHECK("2.4.3", "a dataset that is not chunked is an error",
        H5Dnative_write_chunk(contiguous, H5P_DEFAULT, corner, 1, info + 1, (const void**)buffers + 1) < 0);
  H5Dclose(contiguous);
  free(buffers[0]);
  free(buffers[1]);
  H5Dclose(set);
  H5Pclose(plist);
  CHECK("2.4.4", "what is read is written back: sparse",
        native_copy_works(file, "native_sparse", sparse_plist(), 2));
  CHECK("2.4.4", "what is read is written back: sparse with filters",
        native_copy_works(file, "native_deflated", deflated_sparse(), 2));
  CHECK("2.4.3", "what is read is written back: legacy chunks",
        native_copy_works(file, "native_chunked", chunked_plist(0), 1));
  CHECK("2.4.3", "what is read is written back: legacy chunks with filters",
        native_copy_works(file, "native_chunked_deflated", chunked_plist(1), 1));
  plist = sparse_plist();
  H5Pset_nbit(plist);
  CHECK("2.4.4", "what is read is written back: n-bit", native_copy_works(file, "native_nbit", plist, 2));
  plist = sparse_plist();
  H5Pset_scaleoffset(plist, H5Z_SO_INT, 0);
  H5Pset_deflate(plist, 1);
  CHECK("2.4.4", "what is read is written back: scale-offset and deflate",
        native_copy_works(file, "native_scaled", plist, 2));
  plist = sparse_plist();
  H5Pset_szip(plist, H5_SZIP_NN_OPTION_MASK, 8);
  CHECK("2.4.4", "what is read is written back: szip", native_copy_works(file, "native_szip", plist, 2));
}

typedef struct {
  hid_t set;
  int calls, stop, result, infos;
} Walk;

static int walk(const hsize_t* offset, void* data) {
  Walk* const walk = data;
  H5D_native_section_info_t info[2];
  haddr_t address;
  hsize_t bytes;
  if (H5Dnative_get_chunk_info(walk->set, offset, info, &address, &bytes) >= 0 && bytes > 0 &&
      address != HADDR_UNDEF)
    ++walk->infos;
  return ++walk->calls == walk->stop ? walk->result : H5_ITER_CONT;
}

static void check_queries(hid_t file) {
  const hsize_t corner[2] = {0, 0}, missing[2] = {8, 5};
  hid_t plist = sparse_plist(), set = new_dataset(file, "queries", H5T_STD_I32LE, plist),
        chunked = chunked_plist(0), dense, contiguous;
  H5D_native_section_info_t info[2] = {{H5D_NATIVE_SECTION_VLEN, 9, 9}, {H5D_NATIVE_SECTION_VLEN, 9, 9}};
  haddr_t address = 0;
  hsize_t bytes = 9, count = 0, old = 0;
  Walk all = {0, 0, 0, 0, 0};
  write_matrix(set);
  CHECK("2.4.5", "a missing chunk has no address and size 0, and the infos stay",
        H5Dnative_get_chunk_info(set, missing, info, &address, &bytes) >= 0 && address == HADDR_UNDEF &&
            bytes == 0 && info[0].size == 9);
  CHECK("2.4.5", "a chunk has the types and sizes of its sections",
        H5Dnative_get_chunk_info(set, corner, info, &address, &bytes) >= 0 &&
            info[0].type == H5D_NATIVE_SECTION_SELECTION && info[1].size == 24 && info[0].filter_mask == 0);
  dense = new_dataset(file, "queries_dense", H5T_STD_I32LE, chunked);
  write_block(dense);
  CHECK("2.4.5", "the section of a legacy chunk has the size of the chunk",
        H5Dnative_get_chunk_info(dense, corner, info, &address, &bytes) >= 0 &&
            info[0].type == H5D_NATIVE_SECTION_FIXED && info[0].size == bytes && bytes == 80);
  contiguous = new_dataset(file, "queries_contiguous", H5T_STD_I32LE, H5P_DEFAULT);
  CHECK("2.4.5", "a dataset that is not chunked is an error",
        H5Dnative_get_chunk_info(contiguous, corner, info, &address, &bytes) < 0);
  all.set = set;
  CHECK("2.4.6", "the iteration visits the stored chunks, whose infos can be asked for",
        H5Dnative_chunk_iter(set, H5P_DEFAULT, walk, &all) == 0 && all.calls == 6 && all.infos == 6);
  all.calls = 0, all.stop = 3, all.result = H5_ITER_STOP;
  CHECK("2.4.6", "H5_ITER_STOP ends it",
        H5Dnative_chunk_iter(set, H5P_DEFAULT, walk, &all) == H5_ITER_STOP && all.calls == 3);
  all.calls = 0, all.result = H5_ITER_ERROR;
  CHECK("2.4.6", "H5_ITER_ERROR ends it",
        H5Dnative_chunk_iter(set, H5P_DEFAULT, walk, &all) < 0 && all.calls == 3);
  CHECK("2.4.6", "a dataset that is not chunked is an error",
        H5Dnative_chunk_iter(contiguous, H5P_DEFAULT, walk, &all) < 0);
  CHECK("2.4.7", "the stored size is that of H5Dget_chunk_storage_size",
        H5Dnative_get_chunk_storage_size(set, corner, &bytes) >= 0 &&
            H5Dget_chunk_storage_size(set, corner, &old) >= 0 && bytes == old &&
            H5Dnative_get_chunk_storage_size(dense, corner, &bytes) >= 0 && bytes == 80);
  CHECK("2.4.8", "the number of chunks is that of H5Dget_num_chunks",
        H5Dnative_get_num_chunks(set, H5S_ALL, &count) >= 0 && count == 6 &&
            H5Dnative_get_num_chunks(dense, H5S_ALL, &count) >= 0 && count == 1);
  H5Dclose(contiguous);
  H5Dclose(dense);
  H5Dclose(set);
  H5Pclose(plist);
  H5Pclose(chunked);
}

int main(void) {
  hid_t file;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file = new_file("sparse_model_v21_native.h5");
  check_sections(file);
  check_write(file);
  check_queries(file);
  CHECK("2.4", "the file is closed", H5Fclose(file) >= 0);
  return check_summary();
}
