/* SPDX-License-Identifier: Apache-2.0
 *
 * "Programming Model to Support Sparse Data in HDF5", version 21, section 2.2: chunks by their sections. */
#include "check.h"
#include "sparse.h"

typedef struct {
  uint16_t masks[3];
  size_t sizes[3], originals[3];
  H5D_struct_chunk_info_t info;
  void* sections[3];
} Chunk;

static void make_info(Chunk* chunk, uint8_t sections) {
  memset(chunk, 0, sizeof *chunk);
  chunk->info.type = H5D_SPARSE_CHUNK;
  chunk->info.num_sections = sections;
  chunk->info.filter_mask = chunk->masks;
  chunk->info.section_size = chunk->sizes;
  chunk->info.section_orig_size = chunk->originals;
}

/* Asks for the sizes first, then reads, as the RFC's programs do. */
static herr_t read_chunk(hid_t set, const hsize_t* offset, Chunk* chunk, uint8_t sections) {
  int i;
  make_info(chunk, sections);
  if (H5Dread_struct_chunk(set, H5P_DEFAULT, offset, &chunk->info, NULL) < 0) return -1;
  for (i = 0; i < sections; ++i) chunk->sections[i] = malloc(chunk->sizes[i] + 1);
  return H5Dread_struct_chunk(set, H5P_DEFAULT, offset, &chunk->info, chunk->sections);
}

static void free_chunk(Chunk* chunk) {
  int i;
  for (i = 0; i < 3; ++i) free(chunk->sections[i]);
}

static void check_unfiltered(hid_t file) {
  const hsize_t corner[2] = {0, 0}, inner[2] = {1, 0}, missing[2] = {8, 5};
  hid_t creation = sparse_plist(), set = new_dataset(file, "plain", H5T_STD_I32LE, creation), back, decoded;
  unsigned char blob[512];
  Chunk chunk;
  make_info(&chunk, 2);
  chunk.sizes[0] = chunk.originals[0] = encode_block(blob, sizeof blob);
  chunk.sizes[1] = chunk.originals[1] = sizeof block_values;
  chunk.sections[0] = blob;
  chunk.sections[1] = (void*)block_values;
  CHECK(
      "2.2.1", "section 0 is what H5Sencode2 gives, section 1 the values",
      H5Dwrite_struct_chunk(set, H5P_DEFAULT, &chunk.info, corner, chunk.sections) >= 0 && reads_block(set));
  CHECK("2.2.1", "the offset is that of a chunk",
        H5Dwrite_struct_chunk(set, H5P_DEFAULT, &chunk.info, inner, chunk.sections) < 0);
  chunk.info.num_sections = 1;
  CHECK("2.2.1", "the number of sections is that of the dataset",
        H5Dwrite_struct_chunk(set, H5P_DEFAULT, &chunk.info, corner, chunk.sections) < 0);
  CHECK("2.2.2", "NULL instead of buffers asks for number and sizes of sections",
        (make_info(&chunk, 2), H5Dread_struct_chunk(set, H5P_DEFAULT, corner, &chunk.info, NULL)) >= 0 &&
            chunk.info.num_sections == 2 && chunk.info.type == H5D_SPARSE_CHUNK && chunk.sizes[1] == 24);
  CHECK("2.2", "without filters, sizes before and after them are equal, and the mask is 0",
        chunk.sizes[0] == chunk.originals[0] && chunk.sizes[1] == chunk.originals[1] && chunk.masks[0] == 0);
  CHECK("2.3.4", "sizes do not count the checksum of section 0",
        chunk.sizes[0] == encode_block(blob, sizeof blob));
  CHECK("2.2.2", "the sections are read into the buffers",
        read_chunk(set, corner, &chunk, 2) >= 0 && memcmp(chunk.sections[1], block_values, 24) == 0);
  decoded = H5Sdecode(chunk.sections[0]);
  CHECK("2.2.2", "section 0 can be decoded with H5Sdecode", H5Sget_select_npoints(decoded) == 6);
  H5Sclose(decoded);
  back = new_dataset(file, "plain_back", H5T_STD_I32LE, creation);
  CHECK("2.2.2", "what was read goes back in unchanged",
        H5Dwrite_struct_chunk(back, H5P_DEFAULT, &chunk.info, corner, chunk.sections) >= 0 &&
            reads_block(back));
  chunk.sizes[0] = 1;
  CHECK("2.2.2", "buffers that are said to be too small are refused",
        H5Dread_struct_chunk(set, H5P_DEFAULT, corner, &chunk.info, chunk.sections) < 0);
  CHECK("2.2.2", "a chunk that does not exist cannot be read",
        H5Dread_struct_chunk(set, H5P_DEFAULT, missing, &chunk.info, NULL) < 0);
  free_chunk(&chunk);
  H5Dclose(back);
  H5Dclose(set);
  H5Pclose(creation);
}

static hid_t deflated_plist(void) {
  hid_t plist = sparse_plist();
  H5Pset_deflate(plist, 6);
  return plist;
}

static void check_filtered(hid_t file) {
  const hsize_t corner[2] = {0, 0};
  hid_t creation = deflated_plist(), set = new_dataset(file, "deflated", H5T_STD_I32LE, creation), back;
  unsigned char blob[512], plain[512];
  const size_t blob_bytes = encode_block(blob, sizeof blob);
  uLongf length = sizeof plain;
  haddr_t address;
  hsize_t before = 0, after = 0;
  Chunk chunk, again;
  make_info(&chunk, 2);
  chunk.sections[0] = deflated(blob, blob_bytes, &chunk.sizes[0]);
  chunk.sections[1] = deflated(block_values, sizeof block_values, &chunk.sizes[1]);
  chunk.originals[0] = blob_bytes;
  chunk.originals[1] = sizeof block_values;
  CHECK(
      "2.2.1", "sections may be filtered by the program: a deflated H5Sencode2 blob is taken",
      H5Dwrite_struct_chunk(set, H5P_DEFAULT, &chunk.info, corner, chunk.sections) >= 0 && reads_block(set));
  free_chunk(&chunk);
  CHECK("2.2.2", "filtered sections are read filtered",
        read_chunk(set, corner, &chunk, 2) >= 0 && chunk.masks[0] == 0 && chunk.masks[1] == 0);
  CHECK("2.3.4", "the checksum is neither among the bytes nor in their size, filtered or not",
        chunk.originals[0] == blob_bytes &&
            uncompress(plain, &length, chunk.sections[0], chunk.sizes[0]) == Z_OK && length == blob_bytes &&
            memcmp(plain, blob, blob_bytes) == 0);
  back = new_dataset(file, "deflated_back", H5T_STD_I32LE, creation);
  CHECK("2.2.2", "filtered sections go back in unchanged",
        H5Dwrite_struct_chunk(back, H5P_DEFAULT, &chunk.info, corner, chunk.sections) >= 0 &&
            reads_block(back));
  H5Dget_struct_chunk_info_by_coord(set, corner, NULL, &address, &before);
  H5Dget_struct_chunk_info_by_coord(back, corner, NULL, &address, &after);
  read_chunk(back, corner, &again, 2);
  CHECK("2.2.2", "reading it again gives the same bytes",
        before == after && again.sizes[0] == chunk.sizes[0] &&
            memcmp(again.sections[0], chunk.sections[0], chunk.sizes[0]) == 0);
  free_chunk(&again);
  make_info(&again, 2);
  again.info.section_orig_size = NULL;
  again.sizes[0] = chunk.sizes[0];
  again.sizes[1] = chunk.sizes[1];
  CHECK("2.2.1", "the original sizes need not be known",
        H5Dwrite_struct_chunk(back, H5P_DEFAULT, &again.info, corner, chunk.sections) >= 0 &&
            reads_block(back));
  again.info.section_orig_size = again.originals;
  again.masks[0] = again.masks[1] = 1;
  again.sizes[0] = blob_bytes;
  again.sizes[1] = sizeof block_values;
  again.sections[0] = blob;
  again.sections[1] = (void*)block_values;
  CHECK("2.2.1", "the mask says which filters were skipped",
        H5Dwrite_struct_chunk(back, H5P_DEFAULT, &again.info, corner, again.sections) >= 0 &&
            reads_block(back));
  again.sections[0] = again.sections[1] = NULL;
  ((unsigned char*)chunk.sections[0])[chunk.sizes[0] / 2] ^= 0x40;
  CHECK("2.2.1", "sections that make no chunk are refused",
        H5Dwrite_struct_chunk(back, H5P_DEFAULT, &chunk.info, corner, chunk.sections) < 0);
  free_chunk(&chunk);
  H5Dclose(back);
  H5Dclose(set);
  H5Pclose(creation);
}

/* Whether the chunks at a corner of two datasets have the same bytes in the file. */
static int same_stored(hid_t one, hid_t other, const hsize_t* corner) {
  const hid_t sets[2] = {one, other};
  unsigned char bytes[2][4096];
  hsize_t size[2] = {0, 0};
  haddr_t address;
  int i;
  FILE* file;
  H5Fflush(one, H5F_SCOPE_GLOBAL);
  file = fopen("sparse_model_v21_direct.h5", "rb");
  for (i = 0; i < 2; ++i) {
    if (H5Dget_struct_chunk_info_by_coord(sets[i], corner, NULL, &address, &size[i]) < 0) return 0;
    if (size[i] == 0 || size[i] > sizeof bytes[i] || fseek(file, (long)address, SEEK_SET) != 0) return 0;
    if (fread(bytes[i], 1, (size_t)size[i], file) != size[i]) return 0;
  }
  fclose(file);
  return size[0] == size[1] && memcmp(bytes[0], bytes[1], (size_t)size[0]) == 0;
}

/* Copies the chunks of the matrix by their sections. */
static int copies_bytes(hid_t file, const char* name, hid_t creation) {
  const hsize_t corners[3][2] = {{0, 0}, {4, 5}, {12, 5}}; /* the last one is cut by the extent */
  char other[64];
  hid_t from = new_dataset(file, name, H5T_STD_I32LE, creation), to;
  int i, same = 1;
  snprintf(other, sizeof other, "%s_again", name);
  to = new_dataset(file, other, H5T_STD_I32LE, creation);
  write_matrix(from);
  for (i = 0; i < 3; ++i) {
    Chunk chunk;
    same = same && read_chunk(from, corners[i], &chunk, 2) >= 0 &&
           H5Dwrite_struct_chunk(to, H5P_DEFAULT, &chunk.info, corners[i], chunk.sections) >= 0 &&
           same_stored(from, to, corners[i]);
    free_chunk(&chunk);
  }
  H5Dclose(from);
  H5Dclose(to);
  H5Pclose(creation);
  return same;
}

static void check_bytes(hid_t file) {
  hid_t shuffled = sparse_plist(), packed = sparse_plist();
  CHECK("2.2", "a copied chunk has the same bytes in the file: no filters",
        copies_bytes(file, "bytes_plain", sparse_plist()));
  CHECK("2.2", "a copied chunk has the same bytes in the file: deflate",
        copies_bytes(file, "bytes_deflated", deflated_plist()));
  H5Pset_shuffle(shuffled);
  H5Pset_deflate(shuffled, 9);
  H5Pset_fletcher32(shuffled);
  H5Pset_chunk_opts(shuffled, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  CHECK("2.2", "a copied chunk has the same bytes in the file: three filters, not at the edge",
        copies_bytes(file, "bytes_shuffled", shuffled));
  H5Pset_filter2(packed, H5Z_FLAG_SPARSE_SELECTION, 500, H5Z_FLAG_OPTIONAL, 0, NULL);
  CHECK("2.2", "a copied chunk has the same bytes in the file: packed selection",
        copies_bytes(file, "bytes_packed", packed));
}

static int visited, stop_at, result_at;

static int visit(const hsize_t* offset, H5D_struct_chunk_info_t* info, haddr_t* address, hsize_t* bytes,
                 void* data) {
  Chunk* const found = data;
  if (offset[0] == 4 && offset[1] == 0) {
    found->info.type = info->type;
    found->sizes[0] = info->section_size[0];
    found->sizes[1] = info->section_size[1];
    found->originals[0] = info->section_orig_size[0];
  }
  if (info->num_sections != 2 || *address == HADDR_UNDEF || *bytes == 0) return -99;
  return ++visited == stop_at ? result_at : H5_ITER_CONT;
}

static void check_queries(hid_t file, hid_t creation, const char* name) {
  const hsize_t corner[2] = {4, 0}, missing[2] = {8, 5};
  hid_t set = new_dataset(file, name, H5T_STD_I32LE, creation), row;
  const hsize_t start[2] = {4, 0}, count[2] = {1, 10};
  hsize_t offset[2] = {9, 9}, bytes = 9, total = 0, chunks = 0;
  haddr_t address = 0;
  Chunk chunk, found, seen;
  write_matrix(set);
  read_chunk(set, corner, &chunk, 2);
  row = H5Screate_simple(2, matrix_dims, NULL);
  H5Sselect_hyperslab(row, H5S_SELECT_SET, start, NULL, count, NULL);
  make_info(&found, 2);
  CHECK("2.2.3", "the index counts the chunks of the selection",
        H5Dget_struct_chunk_info(set, row, 0, offset, &found.info, &address, &bytes) >= 0 && offset[0] == 4 &&
            offset[1] == 0 && bytes > 0);
  CHECK("2.2.3", "the info is that of H5Dread_struct_chunk",
        found.sizes[0] == chunk.sizes[0] && found.sizes[1] == chunk.sizes[1] &&
            found.originals[0] == chunk.originals[0] && found.masks[0] == chunk.masks[0] &&
            found.info.num_sections == 2);
  CHECK("2.2.3", "NULL may be passed for results",
        H5Dget_struct_chunk_info(set, row, 1, NULL, NULL, NULL, NULL) >= 0);
  CHECK("2.2.3", "an index beyond the chunks of the selection fails",
        H5Dget_struct_chunk_info(set, row, 2, offset, NULL, NULL, NULL) < 0);
  make_info(&found, 2);
  CHECK("2.2.4", "a chunk is found by its offset",
        H5Dget_struct_chunk_info_by_coord(set, corner, &found.info, &address, &bytes) >= 0 &&
            found.sizes[0] == chunk.sizes[0] && address != HADDR_UNDEF);
  make_info(&found, 2);
  found.sizes[0] = 77;
  CHECK("2.2.4", "a missing chunk has size 0 and no address, and the info stays",
        H5Dget_struct_chunk_info_by_coord(set, missing, &found.info, &address, &bytes) >= 0 && bytes == 0 &&
            address == HADDR_UNDEF && found.sizes[0] == 77);
  visited = stop_at = 0;
  memset(&seen, 0, sizeof seen);
  CHECK("2.2.5", "the iteration visits all chunks and returns 0",
        H5Dstruct_chunk_iter(set, H5P_DEFAULT, visit, &seen) == 0 && visited == 6);
  CHECK("2.2.6", "the callback gets the info of H5Dread_struct_chunk",
        seen.info.type == H5D_SPARSE_CHUNK && seen.sizes[0] == chunk.sizes[0] &&
            seen.originals[0] == chunk.originals[0]);
  visited = 0, stop_at = 2, result_at = 5;
  CHECK("2.2.6", "a positive value ends the iteration and is returned",
        H5Dstruct_chunk_iter(set, H5P_DEFAULT, visit, &seen) == 5 && visited == 2);
  visited = 0, result_at = -42;
  CHECK("2.2.6", "a negative value ends the iteration and is returned",
        H5Dstruct_chunk_iter(set, H5P_DEFAULT, visit, &seen) == -42 && visited == 2);
  CHECK("2.2.7", "H5Dget_num_chunks works", H5Dget_num_chunks(set, H5S_ALL, &chunks) >= 0 && chunks == 6);
  H5Dget_struct_chunk_info_by_coord(set, corner, NULL, NULL, &bytes);
  CHECK("2.2.7", "H5Dget_chunk_storage_size works",
        H5Dget_chunk_storage_size(set, corner, &total) >= 0 && total == bytes);
  free_chunk(&chunk);
  H5Sclose(row);
  H5Dclose(set);
}

static int visit_dense(const hsize_t* offset, unsigned mask, haddr_t address, hsize_t bytes, void* data) {
  return 0;
}

static void check_other_functions(hid_t file) {
  const hsize_t corner[2] = {0, 0};
  hid_t creation = sparse_plist(), set = new_dataset(file, "others", H5T_STD_I32LE, creation), dense, plist;
  unsigned char buffer[4096] = {0};
  uint32_t mask = 0;
  unsigned wide = 0;
  hsize_t offset[2], bytes;
  haddr_t address;
  Chunk chunk;
  make_info(&chunk, 2);
  write_matrix(set);
  CHECK("2.2.7", "H5Dwrite_chunk fails", H5Dwrite_chunk(set, H5P_DEFAULT, 0, corner, 80, buffer) < 0);
  CHECK("2.2.7", "H5Dread_chunk fails", H5Dread_chunk(set, H5P_DEFAULT, corner, &mask, buffer) < 0);
  CHECK("2.2.7", "H5Dget_chunk_info fails",
        H5Dget_chunk_info(set, H5S_ALL, 0, offset, &wide, &address, &bytes) < 0);
  CHECK("2.2.7", "H5Dget_chunk_info_by_coord fails",
        H5Dget_chunk_info_by_coord(set, corner, &wide, &address, &bytes) < 0);
  CHECK("2.2.7", "H5Dchunk_iter fails", H5Dchunk_iter(set, H5P_DEFAULT, visit_dense, NULL) < 0);
  plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 2, matrix_chunk);
  dense = new_dataset(file, "others_dense", H5T_STD_I32LE, plist);
  CHECK("2.2", "the functions on structured chunks fail for dense ones",
        H5Dread_struct_chunk(dense, H5P_DEFAULT, corner, &chunk.info, NULL) < 0 &&
            H5Dstruct_chunk_iter(dense, H5P_DEFAULT, visit, &chunk) < 0);
  H5Dclose(dense);
  H5Dclose(set);
  H5Pclose(plist);
  H5Pclose(creation);
}

/* Chunks of variable-length values have three sections, all of them with a checksum. */
static void check_variable_length(hid_t file) {
  const hsize_t corner[2] = {0, 0}, start[2] = {2, 2}, count[2] = {1, 2};
  const char* const words[2] = {"sparse", "a longer value, a longer value, a longer value"};
  char* back[2] = {NULL, NULL};
  hid_t text = H5Tcopy(H5T_C_S1), creation = deflated_plist(), set, copy, two, space;
  hsize_t length = 2;
  Chunk chunk;
  H5Tset_size(text, H5T_VARIABLE);
  set = new_dataset(file, "words", text, creation);
  copy = new_dataset(file, "words_copy", text, creation);
  space = H5Screate_simple(2, matrix_dims, NULL);
  two = H5Screate_simple(1, &length, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Dwrite(set, text, two, space, H5P_DEFAULT, words);
  CHECK("2.2.2", "chunks of variable-length values are read by sections",
        read_chunk(set, corner, &chunk, 3) >= 0 && chunk.info.num_sections == 3);
  CHECK("2.2.1", "and written by sections",
        H5Dwrite_struct_chunk(copy, H5P_DEFAULT, &chunk.info, corner, chunk.sections) >= 0);
  CHECK("2.2.1", "with their values",
        H5Dread(copy, text, two, space, H5P_DEFAULT, back) >= 0 && strcmp(back[0], words[0]) == 0 &&
            strcmp(back[1], words[1]) == 0);
  free_chunk(&chunk);
  H5Dvlen_reclaim(text, two, H5P_DEFAULT, back);
  H5Sclose(two);
  H5Sclose(space);
  H5Dclose(set);
  H5Dclose(copy);
  H5Tclose(text);
  H5Pclose(creation);
}

int main(void) {
  hid_t file, plain, filtered;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file = new_file("sparse_model_v21_direct.h5");
  check_unfiltered(file);
  check_filtered(file);
  plain = sparse_plist();
  filtered = deflated_plist();
  check_queries(file, plain, "queries");
  check_queries(file, filtered, "filtered_queries");
  check_bytes(file);
  check_other_functions(file);
  check_variable_length(file);
  H5Pclose(plain);
  H5Pclose(filtered);
  CHECK("2.2", "the file is closed", H5Fclose(file) >= 0);
  return check_summary();
}
