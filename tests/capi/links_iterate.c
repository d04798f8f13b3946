/* SPDX-License-Identifier: Apache-2.0
 *
 * Iteration over links: order, start index, and callbacks that stop, fail, recurse and change the group. */
#include "show.h"

enum { all, stop_at_third, fail_at_second, look_around, delete_it, go_inside };
struct plan {
  int what, calls;
};

static herr_t see(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  struct plan* plan = (struct plan*)data;
  printf("  %s (type %d, order %d %lld)\n", name, (int)info->type, (int)info->corder_valid,
         (long long)info->corder);
  ++plan->calls;
  if (plan->what == stop_at_third && plan->calls == 3) return 7;
  if (plan->what == fail_at_second && plan->calls == 2) return -3;
  if (plan->what == look_around) {
    hid_t id = H5Oopen(group, name, NONE);
    show_name(id);
    H5Oclose(id);
  }
  if (plan->what == delete_it) H5Ldelete(group, name, NONE);
  if (plan->what == go_inside && plan->calls == 1) {
    struct plan inner = {all, 0};
    hsize_t at = 0;
    CALL(H5Literate(group, H5_INDEX_NAME, H5_ITER_DEC, &at, see, &inner));
  }
  return 0;
}

static void iterate(hid_t group, H5_index_t by, H5_iter_order_t order, hsize_t from, int what) {
  struct plan plan;
  hsize_t at = from;
  plan.what = what;
  plan.calls = 0;
  printf("-- index %d, order %d, from %lu, plan %d\n", (int)by, (int)order, (unsigned long)from, what);
  CALL(H5Literate(group, by, order, &at, see, &plan));
  printf("next %lu\n", (unsigned long)at);
}

static hid_t fill(hid_t file, const char* name, unsigned order, unsigned most) {
  static const char* const names[] = {"zeta", "alpha", "mike", "bravo", "yankee"};
  hid_t create = H5Pcreate(H5P_GROUP_CREATE), group;
  unsigned i;
  if (order) H5Pset_link_creation_order(create, order);
  if (most != 8) H5Pset_link_phase_change(create, most, most);
  group = H5Gcreate2(file, name, NONE, create, NONE);
  for (i = 0; i < 5; ++i) new_group(group, names[i]);
  H5Pclose(create);
  return group;
}

static void every_way(hid_t group) {
  char name[20];
  int by, order;
  hsize_t n;
  H5L_info_t info;
  for (by = H5_INDEX_NAME; by <= H5_INDEX_CRT_ORDER; ++by) {
    for (order = H5_ITER_INC; order <= H5_ITER_NATIVE; ++order) {
      iterate(group, (H5_index_t)by, (H5_iter_order_t)order, 0, all);
      for (n = 0; n < 6; n += 5 - 2 * (n == 0)) {
        name[0] = '\0';
        CALL(H5Lget_name_by_idx(group, ".", (H5_index_t)by, (H5_iter_order_t)order, n, name, sizeof name,
                                NONE));
        puts(name);
        CALL(H5Lget_info_by_idx(group, ".", (H5_index_t)by, (H5_iter_order_t)order, n, &info, NONE));
      }
    }
  }
}

static void visits(hid_t file) {
  struct plan plan = {all, 0};
  new_group(file, "tree");
  new_group(file, "tree/b");
  new_group(file, "tree/b/c");
  new_dataset(file, "tree/b/c/d");
  new_dataset(file, "tree/a");
  H5Lcreate_hard(file, "tree", file, "tree/b/up", NONE, NONE);
  H5Lcreate_hard(file, "tree/b/c", file, "tree/twin", NONE, NONE);
  H5Lcreate_soft("/tree/b", file, "tree/soft", NONE, NONE);
  H5Lcreate_external("x.h5", "y", file, "tree/z external", NONE, NONE);
  CALL(H5Lvisit_by_name(file, "tree", H5_INDEX_NAME, H5_ITER_INC, see, &plan, NONE));
  CALL(H5Lvisit_by_name(file, "tree", H5_INDEX_NAME, H5_ITER_DEC, see, &plan, NONE));
  plan.what = stop_at_third;
  plan.calls = 0;
  CALL(H5Lvisit_by_name(file, "tree", H5_INDEX_NAME, H5_ITER_INC, see, &plan, NONE));
  plan.what = fail_at_second;
  plan.calls = 0;
  CALL(H5Lvisit_by_name(file, "tree", H5_INDEX_NAME, H5_ITER_INC, see, &plan, NONE));
  CALL(H5Lvisit_by_name(file, "missing", H5_INDEX_NAME, H5_ITER_INC, see, &plan, NONE));
  CALL(H5Lvisit_by_name(file, "tree/a", H5_INDEX_NAME, H5_ITER_INC, see, &plan, NONE));
  CALL(H5Lvisit_by_name(file, "tree", H5_INDEX_NAME, H5_ITER_INC, NULL, &plan, NONE));
  CALL(H5Lvisit(file, H5_INDEX_UNKNOWN, H5_ITER_INC, see, &plan));
  CALL(H5Lvisit(-1, H5_INDEX_NAME, H5_ITER_INC, see, &plan));
}

int main(void) {
  hid_t file, old, compact, dense, indexed;
  struct plan plan = {all, 0};
  hsize_t at = 0;
  quiet();
  file = new_file("iterate.h5");
  old = fill(file, "old", 0, 8);
  compact = fill(file, "compact", H5P_CRT_ORDER_TRACKED, 8);
  dense = fill(file, "dense", H5P_CRT_ORDER_TRACKED, 0);
  indexed = fill(file, "indexed", H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED, 0);
  every_way(old);
  every_way(compact);
  every_way(dense);
  every_way(indexed);
  iterate(old, H5_INDEX_NAME, H5_ITER_INC, 2, all);
  iterate(old, H5_INDEX_NAME, H5_ITER_INC, 0, stop_at_third);
  iterate(old, H5_INDEX_NAME, H5_ITER_INC, 0, fail_at_second);
  iterate(compact, H5_INDEX_CRT_ORDER, H5_ITER_DEC, 1, look_around);
  iterate(dense, H5_INDEX_NAME, H5_ITER_INC, 0, go_inside);
  iterate(indexed, H5_INDEX_NAME, H5_ITER_INC, 0, delete_it);
  iterate(indexed, H5_INDEX_NAME, H5_ITER_INC, 0, all);
  CALL(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, see, &plan));
  CALL(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, NULL, &plan));
  CALL(H5Literate(file, H5_INDEX_N, H5_ITER_INC, NULL, see, &plan));
  CALL(H5Literate(file, H5_INDEX_NAME, H5_ITER_UNKNOWN, NULL, see, &plan));
  CALL(H5Literate(-1, H5_INDEX_NAME, H5_ITER_INC, NULL, see, &plan));
  at = 77;
  CALL(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, &at, see, &plan));
  CALL(H5Literate_by_name(file, "compact", H5_INDEX_NAME, H5_ITER_INC, NULL, see, &plan, NONE));
  CALL(H5Literate_by_name(file, "missing", H5_INDEX_NAME, H5_ITER_INC, NULL, see, &plan, NONE));
  CALL(H5Literate_by_name(file, "", H5_INDEX_NAME, H5_ITER_INC, NULL, see, &plan, NONE));
  CALL(H5Lget_name_by_idx(file, "compact", H5_INDEX_NAME, H5_ITER_INC, 0, NULL, 0, NONE));
  CALL(H5Lget_name_by_idx(file, "missing", H5_INDEX_NAME, H5_ITER_INC, 0, NULL, 0, NONE));
  visits(file);
  H5Gclose(old);
  H5Gclose(compact);
  H5Gclose(dense);
  H5Gclose(indexed);
  H5Fclose(file);
  return 0;
}
