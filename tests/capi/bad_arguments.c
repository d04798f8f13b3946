/* SPDX-License-Identifier: Apache-2.0
 *
 * Invalid arguments: ids that are closed or of another type, lists of other classes, missing names, null
 * pointers. */
#include "show.h"

static hid_t file, group, set, type, space, list, attribute, closed, file_access, named, transfer, fcpl, gcpl,
    lcpl, lapl, ocpypl, dapl;
static char buffer[8][4096];

static void attributes(void) {
  CALL_ID(H5Acreate1(file, "fresh", type, space, -1));
  CALL_ID(H5Acreate1(file, "fresh", type, space, closed));
  CALL_ID(H5Acreate2(file, "fresh", type, space, -1, 0));
  CALL_ID(H5Acreate2(file, "fresh", type, space, closed, 0));
  CALL_ID(H5Acreate_by_name(file, "d", "fresh", type, space, -1, 0, 0));
  CALL_ID(H5Acreate_by_name(file, "d", "fresh", type, space, closed, 0, 0));
  CALL_ID(H5Acreate_by_name(file, "d", "fresh", type, space, 0, -1, 0));
  CALL_ID(H5Acreate_by_name(file, "d", "fresh", type, space, 0, closed, 0));
  CALL(H5Adelete_by_idx(file, "d", H5_INDEX_NAME, H5_ITER_INC, 1, -1));
  CALL(H5Adelete_by_idx(file, "d", H5_INDEX_NAME, H5_ITER_INC, 1, closed));
  CALL(H5Adelete_by_name(file, "d", "a", -1));
  CALL(H5Adelete_by_name(file, "d", "a", closed));
  CALL(H5Aexists_by_name(file, "d", "a", -1));
  CALL(H5Aexists_by_name(file, "d", "a", closed));
  CALL(H5Aget_info_by_idx(file, "d", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], -1));
  CALL(H5Aget_info_by_idx(file, "d", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], closed));
  CALL(H5Aget_info_by_name(group, "d", "a", buffer[0], 0));
  CALL(H5Aget_info_by_name(set, "d", "a", buffer[0], 0));
  CALL(H5Aget_info_by_name(file, "nope", "a", buffer[0], 0));
  CALL(H5Aget_info_by_name(file, "nope/x", "a", buffer[0], 0));
  CALL(H5Aget_info_by_name(file, "d", "nope", buffer[0], 0));
  CALL(H5Aget_info_by_name(file, "d", "nope/x", buffer[0], 0));
  CALL(H5Aget_info_by_name(file, "d", "a", buffer[0], -1));
  CALL(H5Aget_info_by_name(file, "d", "a", buffer[0], closed));
  CALL(H5Aget_name_by_idx(file, "d", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], 1, -1));
  CALL(H5Aget_name_by_idx(file, "d", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], 1, closed));
  CALL(H5Aget_num_attrs(file));
  CALL(H5Aget_num_attrs(-1));
  CALL(H5Aget_num_attrs(0));
  CALL(H5Aget_num_attrs(closed));
  CALL(H5Aiterate1(-1, buffer[0], NULL, buffer[1]));
  CALL(H5Aiterate1(closed, buffer[0], NULL, buffer[1]));
  CALL(H5Aiterate2(-1, H5_INDEX_NAME, H5_ITER_INC, buffer[0], NULL, buffer[1]));
  CALL(H5Aiterate2(closed, H5_INDEX_NAME, H5_ITER_INC, buffer[0], NULL, buffer[1]));
  CALL(H5Aiterate_by_name(file, "d", H5_INDEX_NAME, H5_ITER_INC, buffer[0], NULL, buffer[1], -1));
  CALL(H5Aiterate_by_name(file, "d", H5_INDEX_NAME, H5_ITER_INC, buffer[0], NULL, buffer[1], closed));
  CALL_ID(H5Aopen_by_name(file, "d", "a", -1, 0));
  CALL_ID(H5Aopen_by_name(file, "d", "a", closed, 0));
  CALL(H5Arename(file, "", "fresh"));
  CALL(H5Arename(file, "a", ""));
  CALL(H5Arename_by_name(file, "d", "", "fresh", 0));
  CALL(H5Arename_by_name(file, "d", "a", "", 0));
  CALL(H5Arename_by_name(file, "d", "a", "fresh", -1));
  CALL(H5Arename_by_name(file, "d", "a", "fresh", closed));
}

static void datasets(void) {
  CALL_ID(H5Dcreate2(file, "fresh", type, space, 0, 0, -1));
  CALL_ID(H5Dcreate2(file, "fresh", type, space, 0, 0, closed));
  CALL_ID(H5Dcreate_anon(file, type, space, 0, -1));
  CALL_ID(H5Dcreate_anon(file, type, space, 0, closed));
  CALL_ID(H5Dopen2(file, "d", -1));
  CALL_ID(H5Dopen2(file, "d", closed));
  CALL(H5Dread(set, type, -1, space, 0, buffer[0]));
  CALL(H5Dread(set, type, closed, space, 0, buffer[0]));
  CALL(H5Dread(set, type, space, -1, 0, buffer[0]));
  CALL(H5Dread(set, type, space, closed, 0, buffer[0]));
  CALL(H5Dvlen_get_buf_size(-1, type, space, buffer[0]));
  CALL(H5Dvlen_get_buf_size(closed, type, space, buffer[0]));
  CALL(H5Dvlen_get_buf_size(set, -1, space, buffer[0]));
  CALL(H5Dvlen_get_buf_size(set, closed, space, buffer[0]));
  CALL(H5Dvlen_get_buf_size(set, type, 0, buffer[0]));
  CALL(H5Dvlen_reclaim(-1, space, 0, buffer[0]));
  CALL(H5Dvlen_reclaim(closed, space, 0, buffer[0]));
  CALL(H5Dwrite(set, type, -1, space, 0, buffer[0]));
  CALL(H5Dwrite(set, type, closed, space, 0, buffer[0]));
  CALL(H5Dwrite(set, type, space, -1, 0, buffer[0]));
  CALL(H5Dwrite(set, type, space, closed, 0, buffer[0]));
}

static void errors(void) {
  CALL_ID(H5Ecreate_msg(file, (H5E_type_t)-1, "g"));
  CALL_ID(H5Ecreate_msg(file, (H5E_type_t)99, "g"));
  CALL_ID(H5Ecreate_msg(file, (H5E_type_t)0, NULL));
}

static void files(void) {
  CALL(H5Freset_page_buffering_stats(-1));
  CALL(H5Freset_page_buffering_stats(closed));
}

static void groups(void) {
  CALL_ID(H5Gcreate2(file, "fresh", 0, 0, -1));
  CALL_ID(H5Gcreate2(file, "fresh", 0, 0, closed));
  CALL(H5Gget_info_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], -1));
  CALL(H5Gget_info_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], closed));
  CALL(H5Gget_info_by_name(file, "g", buffer[0], -1));
  CALL(H5Gget_info_by_name(file, "g", buffer[0], closed));
  CALL(H5Gget_objinfo(-1, "g", 1, buffer[0]));
  CALL(H5Gget_objinfo(closed, "g", 1, buffer[0]));
  CALL(H5Gget_objname_by_idx(-1, 1, buffer[0], 1));
  CALL(H5Gget_objname_by_idx(closed, 1, buffer[0], 1));
  CALL(H5Glink(-1, (H5G_link_t)0, "g", "fresh"));
  CALL(H5Glink(closed, (H5G_link_t)0, "g", "fresh"));
  CALL(H5Glink2(-1, "g", (H5G_link_t)0, file, "fresh"));
  CALL(H5Glink2(closed, "g", (H5G_link_t)0, file, "fresh"));
  CALL(H5Glink2(file, "g", (H5G_link_t)0, -1, "fresh"));
  CALL(H5Glink2(file, "g", (H5G_link_t)0, closed, "fresh"));
  CALL(H5Gmove(-1, "g", "fresh"));
  CALL(H5Gmove(closed, "g", "fresh"));
  CALL(H5Gmove(file, NULL, "fresh"));
  CALL(H5Gmove(file, "", "fresh"));
  CALL(H5Gmove(file, "g", NULL));
  CALL(H5Gmove(file, "g", ""));
  CALL(H5Gmove2(-1, "g", file, "fresh"));
  CALL(H5Gmove2(closed, "g", file, "fresh"));
  CALL(H5Gmove2(file, "g", -1, "fresh"));
  CALL(H5Gmove2(file, "g", closed, "fresh"));
  CALL(H5Gmove2(file, NULL, file, "fresh"));
  CALL(H5Gmove2(file, "", file, "fresh"));
  CALL(H5Gmove2(file, "g", file, NULL));
  CALL(H5Gmove2(file, "g", file, ""));
  CALL_ID(H5Gopen2(file, "g", -1));
  CALL_ID(H5Gopen2(file, "g", closed));
  CALL(H5Gunlink(-1, "g"));
  CALL(H5Gunlink(closed, "g"));
  CALL(H5Gunlink(file, NULL));
  CALL(H5Gunlink(file, ""));
}

static void identifiers(void) {
  CALL(H5Idec_ref(closed));
  CALL(H5Idec_ref(0));
  CALL_ID(H5Iget_file_id(-1));
  CALL_ID(H5Iget_file_id(closed));
  CALL_ID(H5Iget_file_id(type));
  CALL(H5Iget_name(-1, buffer[0], 1));
  CALL(H5Iget_name(closed, buffer[0], 1));
  CALL(H5Iget_ref(closed));
  CALL(H5Iget_ref(0));
  CALL(H5Iget_type_ref((H5I_type_t)0));
  CALL(H5Iget_type_ref((H5I_type_t)-1));
  CALL(H5Iget_type_ref((H5I_type_t)99));
  CALL(H5Iinc_ref(closed));
  CALL(H5Iinc_ref(0));
  CALL(H5Iinc_type_ref((H5I_type_t)0));
  CALL(H5Iinc_type_ref((H5I_type_t)-1));
  CALL(H5Iinc_type_ref((H5I_type_t)99));
  CALL(H5Inmembers((H5I_type_t)0, buffer[0]));
  CALL(H5Inmembers((H5I_type_t)-1, buffer[0]));
  CALL(H5Inmembers((H5I_type_t)99, buffer[0]));
  CALL(H5Inmembers((H5I_type_t)0, NULL));
  CALL_ID(H5Iregister((H5I_type_t)-1, buffer[0]));
  CALL_ID(H5Iregister((H5I_type_t)99, buffer[0]));
  CALL(H5Itype_exists((H5I_type_t)-1));
  CALL(H5Itype_exists((H5I_type_t)99));
}

static void links(void) {
  CALL(H5Lcopy(file, "g", file, "fresh", 0, -1));
  CALL(H5Lcopy(file, "g", file, "fresh", 0, closed));
  CALL(H5Lcreate_external("g", "g", file, "fresh", -1, 0));
  CALL(H5Lcreate_external("g", "g", file, "fresh", closed, 0));
  CALL(H5Lcreate_external("g", "g", file, "fresh", 0, -1));
  CALL(H5Lcreate_external("g", "g", file, "fresh", 0, closed));
  CALL(H5Lcreate_hard(file, "g", file, "fresh", 0, -1));
  CALL(H5Lcreate_hard(file, "g", file, "fresh", 0, closed));
  CALL(H5Lcreate_soft("g", file, "fresh", 0, -1));
  CALL(H5Lcreate_soft("g", file, "fresh", 0, closed));
  CALL(H5Lcreate_ud(-1, "fresh", (H5L_type_t)0, buffer[0], 1, 0, 0));
  CALL(H5Lcreate_ud(closed, "fresh", (H5L_type_t)0, buffer[0], 1, 0, 0));
  CALL(H5Ldelete(file, "g", -1));
  CALL(H5Ldelete(file, "g", closed));
  CALL(H5Ldelete_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, -1));
  CALL(H5Ldelete_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, closed));
  CALL(H5Lexists(file, "g", -1));
  CALL(H5Lexists(file, "g", closed));
  CALL(H5Lget_name_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], 1, -1));
  CALL(H5Lget_name_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], 1, closed));
  CALL(H5Lget_val(file, "g", buffer[0], 1, -1));
  CALL(H5Lget_val(file, "g", buffer[0], 1, closed));
  CALL(H5Lget_val_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], 1, -1));
  CALL(H5Lget_val_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], 1, closed));
  CALL(H5Lmove(file, "g", file, "fresh", 0, -1));
  CALL(H5Lmove(file, "g", file, "fresh", 0, closed));
}

static void objects(void) {
  CALL(H5Ocopy(file, "g", file, "fresh", -1, 0));
  CALL(H5Ocopy(file, "g", file, "fresh", closed, 0));
  CALL(H5Ocopy(file, "g", file, "fresh", 0, -1));
  CALL(H5Ocopy(file, "g", file, "fresh", 0, closed));
  CALL(H5Odecr_refcount(file));
  CALL(H5Odecr_refcount(attribute));
  CALL(H5Oexists_by_name(file, "g", -1));
  CALL(H5Oexists_by_name(file, "g", closed));
  CALL(H5Oget_comment_by_name(file, "g", buffer[0], 1, -1));
  CALL(H5Oget_comment_by_name(file, "g", buffer[0], 1, closed));
  CALL(H5Oget_info_by_idx1(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], -1));
  CALL(H5Oget_info_by_idx1(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], closed));
  CALL(H5Oget_info_by_idx2(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], 1, -1));
  CALL(H5Oget_info_by_idx2(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, buffer[0], 1, closed));
  CALL(H5Oget_info_by_name1(file, "g", buffer[0], -1));
  CALL(H5Oget_info_by_name1(file, "g", buffer[0], closed));
  CALL(H5Oget_info_by_name2(file, "g", buffer[0], 1, -1));
  CALL(H5Oget_info_by_name2(file, "g", buffer[0], 1, closed));
  CALL(H5Oincr_refcount(file));
  CALL(H5Oincr_refcount(attribute));
  CALL(H5Olink(file, 0, "fresh", 0, 0));
  CALL(H5Olink(file, file, "fresh", 0, -1));
  CALL(H5Olink(file, file, "fresh", 0, closed));
  CALL_ID(H5Oopen(file, "g", -1));
  CALL_ID(H5Oopen(file, "g", closed));
  CALL_ID(H5Oopen_by_addr(file, 0));
  CALL_ID(H5Oopen_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, -1));
  CALL_ID(H5Oopen_by_idx(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, closed));
  CALL(H5Oset_comment_by_name(file, "g", "g", -1));
  CALL(H5Oset_comment_by_name(file, "g", "g", closed));
  CALL(H5Ovisit2(-1, H5_INDEX_NAME, H5_ITER_INC, NULL, buffer[0], 1));
  CALL(H5Ovisit2(closed, H5_INDEX_NAME, H5_ITER_INC, NULL, buffer[0], 1));
}

static void lists(void) {
  CALL(H5Pcopy_prop(-1, list, "g"));
  CALL(H5Pcopy_prop(0, list, "g"));
  CALL(H5Pcopy_prop(list, -1, "g"));
  CALL(H5Pcopy_prop(list, 0, "g"));
  CALL(H5Pget_family_offset(0, buffer[0]));
  CALL(H5Pget_file_locking(-1, buffer[0], buffer[1]));
  CALL(H5Pget_file_locking(closed, buffer[0], buffer[1]));
  CALL(H5Pget_filter_by_id1(-1, (H5Z_filter_t)0, buffer[0], buffer[1], buffer[2], 1, buffer[3]));
  CALL(H5Pget_filter_by_id1(closed, (H5Z_filter_t)0, buffer[0], buffer[1], buffer[2], 1, buffer[3]));
  CALL(H5Pget_filter_by_id1(list, (H5Z_filter_t)-1, buffer[0], buffer[1], buffer[2], 1, buffer[3]));
  CALL(H5Pget_filter_by_id2(-1, (H5Z_filter_t)0, buffer[0], buffer[1], buffer[2], 1, buffer[3], buffer[4]));
  CALL(H5Pget_filter_by_id2(closed, (H5Z_filter_t)0, buffer[0], buffer[1], buffer[2], 1, buffer[3], buffer[4]));
  CALL(H5Pget_filter_by_id2(list, (H5Z_filter_t)-1, buffer[0], buffer[1], buffer[2], 1, buffer[3], buffer[4]));
  CALL(H5Pinsert1(list, "g", 0, buffer[0], NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pinsert2(list, "g", 0, buffer[0], NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pregister1(H5P_DATASET_CREATE, "g", 0, buffer[0], NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pregister2(H5P_DATASET_CREATE, "g", 0, buffer[0], NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Premove_filter(-1, (H5Z_filter_t)0));
  CALL(H5Premove_filter(closed, (H5Z_filter_t)0));
  CALL(H5Pset_elink_fapl(-1, lapl));
  CALL(H5Pset_elink_fapl(closed, lapl));
  CALL(H5Pset_family_offset(0, 1));
  CALL(H5Pset_file_locking(-1, 1, 1));
  CALL(H5Pset_file_locking(closed, 1, 1));
  CALL(H5Pset_nbit(-1));
  CALL(H5Pset_nbit(closed));
  CALL(H5Pset_scaleoffset(-1, (H5Z_SO_scale_type_t)0, 1));
  CALL(H5Pset_scaleoffset(closed, (H5Z_SO_scale_type_t)0, 1));
  CALL(H5Pset_shuffle(-1));
  CALL(H5Pset_shuffle(closed));
  CALL(H5Pset_virtual(list, space, "g", NULL, space));
  CALL(H5Pset_vlen_mem_manager(-1, NULL, buffer[0], NULL, buffer[1]));
  CALL(H5Pset_vlen_mem_manager(closed, NULL, buffer[0], NULL, buffer[1]));
}

/* The value of an external link, truncated and changed. */
static void unpack(const char* bytes, size_t count) {
  size_t size;
  unsigned flags = 9;
  const char *path = "?", *object = "?";
  for (size = 1; size <= count; ++size) {
    CALL(H5Lunpack_elink_val(bytes, size, NULL, NULL, NULL));
    CALL(H5Lunpack_elink_val(bytes, size, &flags, &path, &object));
    printf("%u '%s' '%s'\n", flags, path, object);
  }
}

static void external_links(void) {
  unpack("\0f\0o\0more", 10);
  unpack("\0\0\0", 3);
  unpack("\0f\0", 4);
  unpack("\0\0o", 4);
  unpack("\1f\0o", 5);
  unpack(
      "\x10"
      "f\0o",
      5);
  unpack(
      "\x11"
      "f\0o",
      5);
  CALL(H5Lunpack_elink_val(NULL, 5, NULL, NULL, NULL));
  CALL(H5Lunpack_elink_val("", 0, NULL, NULL, NULL));
}

/* An invalid object reference has no name, which is no error. An invalid region reference is one. */
static void names_of_references(void) {
  static const haddr_t addresses[] = {0, 1, 12345, (haddr_t)-2, (haddr_t)-1};
  hobj_ref_t object;
  hdset_reg_ref_t region;
  size_t i;
  char name[100];
  for (i = 0; i < sizeof addresses / sizeof *addresses; ++i) {
    object = addresses[i];
    CALL(H5Rget_name(file, 0, &object, name, 100));
    CALL(H5Rget_name(set, 0, &object, NULL, 0));
    CALL(H5Rget_obj_type2(file, 0, &object, (H5O_type_t*)buffer[1]));
    CALL_ID(H5Rdereference2(file, 0, 0, &object));
    memset(&region, (int)addresses[i], sizeof region);
    CALL(H5Rget_name(file, 1, &region, name, 100));
    CALL_ID(H5Rget_region(file, 1, &region));
  }
  new_dataset(file, "gone");
  H5Rcreate(&object, file, "gone", 0, -1);
  CALL(H5Rget_name(file, 0, &object, name, 100));
  CALL(H5Ldelete(file, "gone", 0));
  CALL(H5Rget_name(file, 0, &object, name, 100));
  CALL(H5Rget_name(file, 0, NULL, name, 100));
  CALL(H5Rget_name(file, 2, &object, name, 100));
  CALL(H5Rget_name(space, 0, &object, name, 100));
  CALL(H5Rget_name(closed, 99, NULL, name, 100));
}

static void references(void) {
  CALL(H5Rcreate(buffer[0], file, "g", (H5R_type_t)0, closed));
  CALL(H5Rcreate(buffer[0], file, "g", (H5R_type_t)0, 0));
  CALL_ID(H5Rdereference1(file, (H5R_type_t)0, buffer[0]));
  CALL_ID(H5Rdereference1(group, (H5R_type_t)0, buffer[0]));
  CALL_ID(H5Rdereference1(set, (H5R_type_t)0, buffer[0]));
  CALL_ID(H5Rdereference1(file, (H5R_type_t)1, buffer[0]));
  CALL_ID(H5Rdereference2(file, closed, (H5R_type_t)0, buffer[0]));
  CALL_ID(H5Rdereference2(file, file, (H5R_type_t)0, buffer[0]));
}

static void spaces(void) {
  CALL_ID(H5Scombine_select(space, (H5S_seloper_t)H5S_SELECT_SET, space));
  CALL_ID(H5Scombine_select(space, (H5S_seloper_t)-1, space));
  CALL_ID(H5Scombine_select(space, (H5S_seloper_t)99, space));
  CALL(H5Sget_select_type(-1));
  CALL(H5Sget_select_type(closed));
  CALL(H5Sis_simple(-1));
  CALL(H5Sis_simple(closed));
  CALL(H5Smodify_select(space, (H5S_seloper_t)H5S_SELECT_SET, space));
  CALL(H5Smodify_select(space, (H5S_seloper_t)-1, space));
  CALL(H5Smodify_select(space, (H5S_seloper_t)99, space));
  CALL(H5Soffset_simple(-1, buffer[0]));
  CALL(H5Soffset_simple(closed, buffer[0]));
  CALL(H5Sselect_adjust(-1, buffer[0]));
  CALL(H5Sselect_adjust(closed, buffer[0]));
  CALL(H5Sselect_adjust(space, NULL));
  CALL(H5Sselect_intersect_block(-1, buffer[0], buffer[1]));
  CALL(H5Sselect_intersect_block(closed, buffer[0], buffer[1]));
  CALL(H5Sselect_intersect_block(space, NULL, buffer[1]));
  CALL(H5Sselect_intersect_block(space, buffer[0], NULL));
  CALL_ID(H5Sselect_project_intersection(-1, space, space));
  CALL_ID(H5Sselect_project_intersection(closed, space, space));
  CALL_ID(H5Sselect_project_intersection(space, -1, space));
  CALL_ID(H5Sselect_project_intersection(space, closed, space));
  CALL_ID(H5Sselect_project_intersection(space, space, -1));
  CALL_ID(H5Sselect_project_intersection(space, space, closed));
  CALL(H5Sselect_shape_same(-1, space));
  CALL(H5Sselect_shape_same(closed, space));
  CALL(H5Sselect_shape_same(space, -1));
  CALL(H5Sselect_shape_same(space, closed));
  CALL(H5Sset_extent_none(-1));
  CALL(H5Sset_extent_none(closed));
  CALL(H5Sset_extent_simple(-1, 1, buffer[0], buffer[1]));
  CALL(H5Sset_extent_simple(closed, 1, buffer[0], buffer[1]));
}

static void types(void) {
  CALL_ID(H5Tarray_create1(-1, 1, buffer[0], buffer[1]));
  CALL_ID(H5Tarray_create1(closed, 1, buffer[0], buffer[1]));
  CALL_ID(H5Tarray_create2(-1, 1, buffer[0]));
  CALL_ID(H5Tarray_create2(closed, 1, buffer[0]));
  CALL(H5Tcommit2(file, "fresh", type, 0, 0, -1));
  CALL(H5Tcommit2(file, "fresh", type, 0, 0, closed));
  CALL(H5Tget_member_index(type, NULL));
  CALL(H5Tget_member_value(type, 1, NULL));
  CALL(H5Tget_tag(type) != NULL);
  CALL(H5Tget_tag(named) != NULL);
  CALL_ID(H5Topen2(file, "n", -1));
  CALL_ID(H5Topen2(file, "n", closed));
  CALL(H5Tset_ebias(type, -1));
}

static void make_things(void) {
  const hsize_t dims[2] = {4, 6}, chunk[2] = {2, 3};
  hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 2, chunk);
  file = new_file("bad_arguments.h5");
  group = H5Gcreate2(file, "g", NONE, NONE, NONE);
  new_group(group, "inner");
  space = H5Screate_simple(2, dims, NULL);
  set = H5Dcreate2(file, "d", H5T_STD_I32LE, space, NONE, chunked, NONE);
  attribute = H5Acreate2(set, "a", H5T_STD_I32LE, space, NONE, NONE);
  H5Aclose(H5Acreate2(file, "a", H5T_STD_I32LE, space, NONE, NONE));
  H5Aclose(H5Acreate2(group, "a", H5T_STD_I32LE, space, NONE, NONE));
  type = H5Tcopy(H5T_NATIVE_INT);
  named = H5Tcopy(H5T_STD_I16LE);
  H5Tcommit2(file, "n", named, NONE, NONE, NONE);
  closed = H5Screate(H5S_SCALAR);
  H5Sclose(closed);
  list = H5Pcreate(H5P_DATASET_CREATE);
  file_access = H5Pcreate(H5P_FILE_ACCESS);
  transfer = H5Pcreate(H5P_DATASET_XFER);
  fcpl = H5Pcreate(H5P_FILE_CREATE);
  gcpl = H5Pcreate(H5P_GROUP_CREATE);
  lcpl = H5Pcreate(H5P_LINK_CREATE);
  lapl = H5Pcreate(H5P_LINK_ACCESS);
  ocpypl = H5Pcreate(H5P_OBJECT_COPY);
  dapl = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pclose(chunked);
}

static herr_t nothing(void) { return 0; }

/* Two errors at once: which one is reported. */
static void twice(void) {
  const hsize_t near[2] = {1, 1}, far[2] = {3, 3};
  hid_t plain = H5Dcreate2(file, "plain", type, space, 0, 0, 0), plane = H5Screate_simple(2, far, NULL);
  CALL_ID(H5Acreate_by_name(file, "nope", NULL, type, space, 0, 0, 0));
  CALL_ID(H5Acreate_by_name(file, "nope", "x", space, space, 0, 0, 0));
  CALL_ID(H5Acreate_by_name(file, "nope", "x", type, type, 0, 0, 0));
  CALL_ID(H5Acreate_by_name(file, "nope", "x", type, space, 0, 0, file));
  CALL_ID(H5Acreate_by_name(file, "d", "x", type, space, 0, 0, file));
  CALL(H5Adelete_by_idx(file, "nope", 99, H5_ITER_INC, 1, 0));
  CALL(H5Adelete_by_name(file, "nope", NULL, 0));
  CALL(H5Aexists_by_name(file, "nope", "", 0));
  CALL_ID(H5Aopen_by_idx(file, "nope", 99, H5_ITER_INC, 1, 0, 0));
  CALL_ID(H5Aopen_by_idx(file, "nope", H5_INDEX_NAME, H5_ITER_INC, 1, 0, file));
  CALL_ID(H5Aopen_by_name(file, "nope", NULL, 0, 0));
  CALL_ID(H5Aopen_by_name(file, "nope", "x", 0, closed));
  CALL(H5Arename_by_name(space, "nope", "same", "same", 0));
  CALL(H5Arename_by_name(file, "nope", "one", "other", 0));
  CALL(H5Arename_by_name(file, "nope", "same", NULL, 0));
  CALL(H5Dget_num_chunks(plain, space, NULL));
  CALL(H5Dget_num_chunks(plain, file, (hsize_t*)buffer[0]));
  CALL(H5Dget_chunk_info(plain, space, 1, (hsize_t*)buffer[0], NULL, NULL, NULL));
  CALL(H5Dget_chunk_info_by_coord(plain, (hsize_t*)buffer[0], NULL, NULL, (hsize_t*)buffer[1]));
  CALL(H5Dget_chunk_storage_size(plain, (hsize_t*)buffer[0], (hsize_t*)buffer[1]));
  CALL(H5Dwrite_chunk(plain, 0, 0, (hsize_t*)buffer[0], 4, buffer[1]));
  CALL(H5Dwrite_chunk(plain, 0, 0, NULL, 4, buffer[1]));
  CALL(H5Dread_chunk(plain, 0, NULL, (uint32_t*)buffer[0], buffer[1]));
  CALL(H5Giterate(space, "d", NULL, (H5G_iterate_t)nothing, NULL));
  CALL(H5Iclear_type((H5I_type_t)99, 1));
  CALL(H5Idec_type_ref((H5I_type_t)-1));
  CALL(H5Literate_by_name(type, "g", H5_INDEX_NAME, H5_ITER_INC, NULL, (H5L_iterate_t)nothing, NULL, 0));
  CALL(H5Lvisit_by_name(closed, "g", H5_INDEX_NAME, H5_ITER_INC, (H5L_iterate_t)nothing, NULL, 0));
  CALL(H5Ovisit_by_name2(space, "g", H5_INDEX_NAME, H5_ITER_INC, (H5O_iterate_t)nothing, NULL, 1, 0));
  CALL(H5Oflush(file));
  CALL(H5Oflush(attribute));
  CALL(H5Orefresh(file));
  CALL(H5Orefresh(attribute));
  CALL(H5Pencode(list, buffer[0], NULL));
  CALL(H5Pget_metadata_read_attempts(list, NULL));
  CALL(H5Pget_link_creation_order(list, NULL));
  CALL(H5Pget_local_heap_size_hint(list, NULL));
  CALL(H5Pset_shuffle(gcpl));
  CALL(H5Pset_nbit(fcpl));
  CALL(H5Pset_scaleoffset(gcpl, H5Z_SO_INT, 1));
  CALL(H5Aget_info_by_name(file, "nope", "a", NULL, 0));
  CALL(H5Aget_name_by_idx(file, "nope", 99, H5_ITER_INC, 0, buffer[0], 4, 0));
  CALL(H5Arename(space, "same", "same"));
  CALL(H5Arename(closed, "a", NULL));
  CALL(H5Dread(set, list, space, -1, 0, buffer[0]));
  CALL(H5Dwrite(set, -1, list, space, 0, buffer[0]));
  CALL(H5FDdriver_query(file, (unsigned long*)buffer[0]));
  CALL_ID(H5Gcreate1(list, "", 4));
  CALL_ID(H5Gcreate2(file, "fresh", 0, closed, lcpl));
  CALL_ID(H5Gcreate2(file, "fresh", space, 0, type));
  CALL(H5Gget_comment(list, "g", 4, NULL));
  CALL(H5Gget_info_by_idx(list, "g", H5_INDEX_NAME, H5_ITER_INC, 0, NULL, 0));
  CALL(H5Gget_info_by_name(list, "", (H5G_info_t*)buffer[0], 0));
  CALL_ID(H5Gopen1(type, ""));
  CALL_ID(H5Gopen2(type, "g", -1));
  CALL(H5Idestroy_type((H5I_type_t)-1));
  CALL(H5Idestroy_type((H5I_type_t)99));
  CALL(H5Lcreate_external("f", "o", type, "fresh", lapl, 0));
  CALL(H5Lcreate_hard(file, "nope", file, "fresh", set, closed));
  CALL(H5Lcreate_soft("fresh", type, "fresh", 0, set));
  CALL(H5Ldelete(type, "d", set));
  CALL(H5Ldelete(dapl, NULL, 0));
  CALL(H5Ldelete_by_idx(list, "g", H5_INDEX_NAME, H5_ITER_INC, 0, type));
  CALL(H5Lexists(list, "d", type));
  CALL(H5Lexists(list, "", 0));
  CALL(H5Ocopy(list, "d", file, "fresh", 77, 0));
  CALL(H5Oexists_by_name(list, "d", space));
  CALL(H5Oget_info1(type, NULL));
  CALL(H5Oget_info_by_idx2(type, "d", H5_INDEX_NAME, H5_ITER_INC, 0, (H5O_info1_t*)buffer[0], 1, 0));
  CALL(H5Oget_info_by_idx2(type, "d", H5_INDEX_NAME, H5_ITER_INC, 0, NULL, 1, 0));
  CALL(H5Oget_info_by_name1(list, "d", NULL, 0));
  CALL_ID(H5Oopen(list, "d", fcpl));
  CALL_ID(H5Oopen_by_idx(type, "d", H5_INDEX_NAME, 99, 0, 0));
  CALL(H5Oset_comment_by_name(-1, "d", "d", space));
  CALL_ID(H5Pdecode(NULL));
  CALL(H5Pfill_value_defined(lcpl, NULL));
  CALL(H5Pset_fapl_stdio(list));
  CALL(H5Pset_fapl_stdio(type));
  CALL(H5Pset_szip(gcpl, H5_SZIP_NN_OPTION_MASK, 8));
  CALL(H5Pset_virtual(list, space, "x.h5", "d", plane));
  CALL_ID(H5Rdereference2(file, type, (H5R_type_t)0, NULL));
  CALL(H5Sget_select_bounds(type, (hsize_t*)buffer[0], NULL));
  CALL_ID(H5Sselect_project_intersection(space, plane, plane));
  CALL_ID(H5Sselect_project_intersection(plane, plane, space));
  CALL(H5Sselect_intersect_block(plane, far, near));
  CALL(H5Tunregister(H5T_PERS_SOFT, "nope", 0, type, NULL));
  CALL(H5Aiterate_by_name(file, "nope", H5_INDEX_NAME, 99, NULL, NULL, NULL, 0));
  CALL(H5Aiterate2(list, 99, H5_ITER_INC, NULL, (H5A_operator2_t)nothing, NULL));
  CALL(H5Lcopy(file, "", type, "fresh", 0, 0));
  CALL(H5Lmove(file, "d", file, "fresh", type, set));
  CALL(H5Lcreate_soft("", type, "fresh", 0, 0));
  CALL(H5Ldelete_by_idx(list, "g", 99, H5_ITER_INC, 0, 0));
  CALL(H5Lget_name_by_idx(type, "g", H5_INDEX_NAME, 99, 0, buffer[0], 4, 0));
  CALL(H5Lget_val_by_idx(type, "g", 99, H5_ITER_INC, 0, buffer[0], 4, 0));
  CALL(H5Rcreate(NULL, type, "d", (H5R_type_t)0, -1));
  CALL(H5Rcreate(buffer[0], type, "d", (H5R_type_t)9, -1));
  H5Sclose(plane);
}

/* Offsets that are not the start of a chunk. */
static void corners(void) {
  static const hsize_t offsets[][2] = {{0, 0}, {1, 0}, {0, 1}, {100, 100}, {101, 0}, {(hsize_t)-1, 0}};
  hsize_t dims[2] = {4, 4}, chunk[2] = {2, 2};
  hid_t plane = H5Screate_simple(2, dims, NULL), dcpl = H5Pcreate(H5P_DATASET_CREATE), chunks;
  size_t i;
  H5Pset_chunk(dcpl, 2, chunk);
  chunks = H5Dcreate2(file, "chunks", H5T_STD_I32LE, plane, 0, dcpl, 0);
  for (i = 0; i < sizeof offsets / sizeof *offsets; ++i) {
    CALL(H5Dwrite_chunk(chunks, 0, 0, offsets[i], 16, buffer[0]));
    CALL(H5Dread_chunk(chunks, 0, offsets[i], (uint32_t*)buffer[1], buffer[0]));
    CALL(H5Dget_chunk_storage_size(chunks, offsets[i], (hsize_t*)buffer[1]));
  }
  H5Dclose(chunks);
  H5Pclose(dcpl);
  H5Sclose(plane);
}

int main(void) {
  quiet();
  make_things();
  attributes();
  datasets();
  errors();
  files();
  groups();
  identifiers();
  links();
  objects();
  lists();
  external_links();
  references();
  names_of_references();
  spaces();
  types();
  twice();
  corners();
  return 0;
}
