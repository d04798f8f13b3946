/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of any type: opening, reference counts, comments and information. */
#include "show.h"

static void show(const char* what, const H5O_info1_t* info) {
  printf("%s: type %d, %u links, %lu attributes, header version %u, %u messages, %u blocks, flags %u\n", what,
         (int)info->type, info->rc, (unsigned long)info->num_attrs, info->hdr.version, info->hdr.nmesgs,
         info->hdr.nchunks, info->hdr.flags);
  printf("  space %lu = %lu + %lu + %lu, present %lx, shared %lx\n", (unsigned long)info->hdr.space.total,
         (unsigned long)info->hdr.space.meta, (unsigned long)info->hdr.space.mesg,
         (unsigned long)info->hdr.space.free, (unsigned long)info->hdr.mesg.present,
         (unsigned long)info->hdr.mesg.shared);
}

static void infos(hid_t file) {
  H5O_info1_t info, root, again;
  memset(&info, 0, sizeof info);
  CALL(H5Oget_info1(file, &root));
  show("root", &root);
  CALL(H5Oget_info_by_name1(file, "g", &info, NONE));
  show("group", &info);
  CALL(info.fileno == root.fileno && info.addr != root.addr);
  CALL(H5Oget_info_by_name1(file, "g/d", &info, NONE));
  show("dataset", &info);
  CALL(H5Oget_info_by_name1(file, "g/t", &info, NONE));
  show("type", &info);
  CALL(H5Oget_info_by_idx1(file, "g", H5_INDEX_NAME, H5_ITER_DEC, 0, &again, NONE));
  CALL(info.addr == again.addr);
  CALL(H5Oget_info_by_idx1(file, "g", H5_INDEX_NAME, H5_ITER_DEC, 5, &again, NONE));
  CALL(H5Oget_info_by_name1(file, "soft", &info, NONE));
  show("soft", &info);
  CALL(H5Oget_info_by_name1(file, "dangling", &info, NONE));
  CALL(H5Oget_info_by_name1(file, "missing", &info, NONE));
  CALL(H5Oget_info_by_name1(file, "", &info, NONE));
  CALL(H5Oget_info1(file, NULL));
  CALL(H5Oget_info1(-1, &info));
  memset(&info, 0, sizeof info);
  CALL(H5Oget_info2(file, &info, H5O_INFO_BASIC));
  CALL(info.addr == root.addr && info.hdr.version == 0);
  memset(&info, 0, sizeof info);
  CALL(H5Oget_info2(file, &info, H5O_INFO_HDR | H5O_INFO_NUM_ATTRS));
  CALL(info.addr == 0 && info.hdr.version == root.hdr.version);
  CALL(H5Oget_info2(file, &info, 0x1000));
  CALL(H5Oget_info_by_name2(file, "g", &info, H5O_INFO_BASIC, NONE));
}

static void opening(hid_t file) {
  H5O_info1_t info;
  hid_t id, space = H5Screate(H5S_SCALAR);
  H5Oget_info_by_name1(file, "g/d", &info, NONE);
  CALL_ID(id = H5Oopen_by_addr(file, info.addr));
  CALL(H5Iget_type(id) == H5I_DATASET);
  CALL(H5Oclose(id));
  CALL_ID(H5Oopen_by_addr(file, HADDR_UNDEF));
  CALL_ID(H5Oopen_by_addr(-1, info.addr));
  CALL_ID(id = H5Oopen_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, NONE));
  show_name(id);
  CALL(H5Oclose(id));
  CALL(H5Oclose(id));
  CALL_ID(H5Oopen_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 9, NONE));
  CALL_ID(H5Oopen_by_idx(file, "missing", H5_INDEX_NAME, H5_ITER_INC, 0, NONE));
  CALL_ID(H5Oopen(file, "missing", NONE));
  CALL_ID(H5Oopen(file, NULL, NONE));
  CALL_ID(H5Oopen(-1, "g", NONE));
  CALL(H5Oclose(file));
  CALL(H5Oclose(space));
  CALL(H5Oclose(-1));
  H5Sclose(space);
  CALL_ID(id = H5Oopen(file, "g/t", NONE));
  CALL(H5Tcommitted(id));
  CALL(H5Oclose(id));
}

static void counts(hid_t file) {
  H5O_info1_t info;
  hid_t id = H5Oopen(file, "g/d", NONE);
  CALL(H5Oincr_refcount(id));
  H5Oget_info1(id, &info);
  printf("%u\n", info.rc);
  CALL(H5Ldelete(file, "g/d", NONE));
  CALL(H5Odecr_refcount(id));
  H5Oget_info1(id, &info);
  printf("%u\n", info.rc);
  CALL(H5Olink(id, file, "g/d", NONE, NONE));
  CALL(H5Olink(id, file, "g/d", NONE, NONE));
  CALL(H5Olink(id, file, "", NONE, NONE));
  CALL(H5Olink(id, -1, "x", NONE, NONE));
  H5Oget_info1(id, &info);
  printf("%u\n", info.rc);
  CALL(H5Oincr_refcount(-1));
  CALL(H5Odecr_refcount(-1));
  H5Oclose(id);
}

static void comments(hid_t file) {
  char text[20] = "?";
  hid_t id = H5Oopen(file, "g", NONE);
  CALL(H5Oset_comment(id, "first"));
  CALL(H5Oget_comment(id, text, sizeof text));
  puts(text);
  CALL(H5Oset_comment_by_name(file, "g", "a second one", NONE));
  CALL(H5Oget_comment_by_name(file, "g", text, 5, NONE));
  CALL(H5Oget_comment(id, NULL, 0));
  CALL(H5Oset_comment(id, NULL));
  CALL(H5Oset_comment_by_name(file, "missing", "x", NONE));
  CALL(H5Oget_comment_by_name(file, "missing", text, 5, NONE));
  CALL(H5Oget_comment_by_name(file, "", text, 5, NONE));
  CALL(H5Oset_comment(-1, "x"));
  CALL(H5Oget_comment(-1, text, 5));
  CALL(H5Oset_comment(id, "it stays"));
  CALL(H5Oflush(id));
  CALL(H5Orefresh(id));
  CALL(H5Oflush(-1));
  H5Oclose(id);
}

int main(void) {
  hid_t file, access;
  unsigned i;
  quiet();
  for (i = 0; i < 2; ++i) {
    access = H5Pcreate(H5P_FILE_ACCESS);
    if (i == 1) H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    file = H5Fcreate(i == 0 ? "objects_old.h5" : "objects_new.h5", H5F_ACC_TRUNC, NONE, access);
    new_group(file, "g");
    new_dataset(file, "g/d");
    new_type(file, "g/t");
    H5Lcreate_soft("g/d", file, "soft", NONE, NONE);
    H5Lcreate_soft("nowhere", file, "dangling", NONE, NONE);
    infos(file);
    opening(file);
    counts(file);
    comments(file);
    H5Fclose(file);
    H5Pclose(access);
  }
  return 0;
}
