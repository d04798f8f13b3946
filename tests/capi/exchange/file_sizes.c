/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes files whose sizes tests compare, adds links to them, and lists them.
 *
 *   file_sizes names                       prints the names of all scenarios
 *   file_sizes make SCENARIO VERSION FILE  VERSION is "earliest" or "latest"
 *   file_sizes extend FILE                 adds links, attributes and groups to every group
 *   file_sizes list FILE                   prints all links, and the attributes of all objects
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                             \
  do {                                                          \
    if ((call) < 0) {                                           \
      fprintf(stderr, "line %d: %s failed\n", __LINE__, #call); \
      exit(1);                                                  \
    }                                                           \
  } while (0)

static const char* path;
static hid_t access_list;
static hid_t file;

static void create(void) { CHECK(file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access_list)); }
static void reopen(void) {
  CHECK(H5Fclose(file));
  CHECK(file = H5Fopen(path, H5F_ACC_RDWR, access_list));
}

static hid_t make_group(const char* name) {
  hid_t group;
  CHECK(group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  return group;
}

/* A dataset of `elements` integers. */
static void make_dataset(hid_t where, const char* name, hsize_t elements) {
  hid_t space, dataset;
  int* values = calloc(elements, sizeof *values);
  CHECK(space = H5Screate_simple(1, &elements, NULL));
  CHECK(dataset = H5Dcreate2(where, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CHECK(H5Dclose(dataset));
  CHECK(H5Sclose(space));
  free(values);
}

static void link_name(char* name, int number) { sprintf(name, "link%d", number); }

static void add_soft(hid_t where, int first, int end) {
  for (int i = first; i < end; ++i) {
    char name[64], target[64];
    link_name(name, i);
    sprintf(target, "/target%d", i);
    CHECK(H5Lcreate_soft(target, where, name, H5P_DEFAULT, H5P_DEFAULT));
  }
}

static void add_hard(hid_t where, int first, int end) {
  for (int i = first; i < end; ++i) {
    char name[64];
    link_name(name, i);
    CHECK(H5Lcreate_hard(file, "/data", where, name, H5P_DEFAULT, H5P_DEFAULT));
  }
}

static void delete_links(hid_t where, int first, int end, int step) {
  for (int i = first; i < end; i += step) {
    char name[64];
    link_name(name, i);
    CHECK(H5Ldelete(where, name, H5P_DEFAULT));
  }
}

static void add_attributes(hid_t object, int first, int end, hsize_t elements) {
  hid_t space, attribute;
  int* values = calloc(elements, sizeof *values);
  CHECK(space = H5Screate_simple(1, &elements, NULL));
  for (int i = first; i < end; ++i) {
    char name[64];
    sprintf(name, "attribute%d", i);
    CHECK(attribute = H5Acreate2(object, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Awrite(attribute, H5T_NATIVE_INT, values));
    CHECK(H5Aclose(attribute));
  }
  CHECK(H5Sclose(space));
  free(values);
}

static void delete_attributes(hid_t object, int first, int end, int step) {
  for (int i = first; i < end; i += step) {
    char name[64];
    sprintf(name, "attribute%d", i);
    CHECK(H5Adelete(object, name));
  }
}

static void empty(void) { create(); }

static void one_group(void) {
  create();
  CHECK(H5Gclose(make_group("group")));
}

static void one_dataset(void) {
  create();
  make_dataset(file, "data", 10);
}

static void datasets(void) {
  create();
  for (int i = 0; i < 12; ++i) {
    char name[64];
    link_name(name, i);
    make_dataset(file, name, 100);
  }
}

static void soft_in_root(void) {
  create();
  add_soft(file, 0, 1000);
  delete_links(file, 0, 1000, 1);
}

static void soft_in_group(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 1000);
  delete_links(group, 0, 1000, 1);
  CHECK(H5Gclose(group));
}

static void soft_kept(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 1000);
  CHECK(H5Gclose(group));
}

static void soft_backwards(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 1000);
  for (int i = 999; i >= 0; --i) delete_links(group, i, i + 1, 1);
  CHECK(H5Gclose(group));
}

static void hard(void) {
  create();
  make_dataset(file, "data", 10);
  hid_t group = make_group("group");
  add_hard(group, 0, 1000);
  delete_links(group, 0, 1000, 1);
  CHECK(H5Gclose(group));
}

static void every_second(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 1000);
  delete_links(group, 0, 1000, 2);
  CHECK(H5Gclose(group));
}

static void first_half(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 1000);
  delete_links(group, 0, 500, 1);
  CHECK(H5Gclose(group));
}

static void second_half(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 1000);
  delete_links(group, 500, 1000, 1);
  CHECK(H5Gclose(group));
}

static void all_but_three(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 1000);
  delete_links(group, 3, 1000, 1);
  CHECK(H5Gclose(group));
}

/* So many links that the indirect blocks of a fractal heap are nested. */
static void many_links(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 30000);
  delete_links(group, 10000, 30000, 1);
  CHECK(H5Gclose(group));
}

static void many_links_next_session(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 30000);
  CHECK(H5Gclose(group));
  reopen();
  CHECK(group = H5Gopen2(file, "group", H5P_DEFAULT));
  delete_links(group, 0, 30000, 3);
  for (int i = 29999; i >= 5000; --i)
    if (i % 3 != 0) delete_links(group, i, i + 1, 1);
  CHECK(H5Gclose(group));
}

static void dense_to_compact(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 12);
  delete_links(group, 0, 8, 1);
  CHECK(H5Gclose(group));
}

static void next_session(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 1000);
  CHECK(H5Gclose(group));
  reopen();
  CHECK(group = H5Gopen2(file, "group", H5P_DEFAULT));
  delete_links(group, 0, 1000, 1);
  CHECK(H5Gclose(group));
}

static void three_sessions(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 1000);
  CHECK(H5Gclose(group));
  for (int i = 0; i < 2; ++i) {
    reopen();
    CHECK(group = H5Gopen2(file, "group", H5P_DEFAULT));
    delete_links(group, i, 1000, 2);
    CHECK(H5Gclose(group));
  }
}

static void churn(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 20);
  for (int i = 20; i < 2000; ++i) {
    add_soft(group, i, i + 1);
    delete_links(group, i - 20, i - 19, 1);
  }
  CHECK(H5Gclose(group));
}

static void renamed(void) {
  create();
  hid_t group = make_group("group");
  add_soft(group, 0, 300);
  for (int i = 0; i < 300; ++i) {
    char from[64], to[64];
    link_name(from, i);
    sprintf(to, "a longer name of link %d", i);
    CHECK(H5Lmove(group, from, group, to, H5P_DEFAULT, H5P_DEFAULT));
  }
  CHECK(H5Gclose(group));
}

static void long_names(void) {
  create();
  hid_t group = make_group("group");
  char name[301];
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 200; ++i) {
      memset(name, 'n', 300);
      sprintf(name + 290, "%d", i);
      if (round == 0) CHECK(H5Lcreate_soft("/x", group, name, H5P_DEFAULT, H5P_DEFAULT));
      if (round == 1) CHECK(H5Ldelete(group, name, H5P_DEFAULT));
    }
  }
  CHECK(H5Gclose(group));
}

/* Links of more than 4096 bytes, which a fractal heap stores outside of its blocks. */
static void huge_targets(void) {
  create();
  hid_t group = make_group("group");
  char* target = malloc(6001);
  memset(target, 't', 6000);
  target[6000] = 0;
  for (int i = 0; i < 20; ++i) {
    char name[64];
    link_name(name, i);
    CHECK(H5Lcreate_soft(target, group, name, H5P_DEFAULT, H5P_DEFAULT));
  }
  delete_links(group, 0, 20, 1);
  free(target);
  CHECK(H5Gclose(group));
}

static void in_order(void) {
  create();
  hid_t list, group;
  CHECK(list = H5Pcreate(H5P_GROUP_CREATE));
  CHECK(H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  CHECK(group = H5Gcreate2(file, "group", H5P_DEFAULT, list, H5P_DEFAULT));
  add_soft(group, 0, 500);
  delete_links(group, 0, 500, 1);
  CHECK(H5Gclose(group));
  CHECK(H5Pclose(list));
}

/* A group whose links are compressed when they are many. */
static hid_t make_filtered(void) {
  hid_t list, group;
  CHECK(list = H5Pcreate(H5P_GROUP_CREATE));
  CHECK(H5Pset_deflate(list, 6));
  CHECK(H5Pset_fletcher32(list));
  CHECK(group = H5Gcreate2(file, "group", H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(H5Pclose(list));
  return group;
}

static void filtered(void) {
  create();
  hid_t group = make_filtered();
  add_soft(group, 0, 1000);
  CHECK(H5Gclose(group));
}

static void filtered_few(void) {
  create();
  hid_t group = make_filtered();
  add_soft(group, 0, 20);
  CHECK(H5Gclose(group));
}

static void filtered_halved(void) {
  create();
  hid_t group = make_filtered();
  add_soft(group, 0, 1000);
  delete_links(group, 500, 1000, 1);
  CHECK(H5Gclose(group));
}

static void filtered_next_session(void) {
  create();
  hid_t group = make_filtered();
  add_soft(group, 0, 1000);
  CHECK(H5Gclose(group));
  reopen();
  CHECK(group = H5Gopen2(file, "group", H5P_DEFAULT));
  delete_links(group, 0, 1000, 2);
  CHECK(H5Lmove(group, "link1", group, "renamed", H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Gclose(group));
}

static void filtered_huge_targets(void) {
  create();
  hid_t group = make_filtered();
  char* target = malloc(6001);
  memset(target, 't', 6000);
  target[6000] = 0;
  for (int i = 0; i < 20; ++i) {
    char name[64];
    link_name(name, i);
    CHECK(H5Lcreate_soft(target, group, name, H5P_DEFAULT, H5P_DEFAULT));
  }
  delete_links(group, 0, 10, 1);
  free(target);
  CHECK(H5Gclose(group));
}

static void groups_deleted(void) {
  create();
  hid_t group = make_group("group");
  for (int i = 0; i < 100; ++i) {
    char name[64];
    link_name(name, i);
    CHECK(H5Gclose(H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  }
  CHECK(H5Gclose(group));
  CHECK(H5Ldelete(file, "group", H5P_DEFAULT));
}

static void tree_deleted(void) {
  create();
  hid_t group = make_group("group");
  for (int i = 0; i < 20; ++i) {
    char name[64];
    link_name(name, i);
    hid_t below;
    CHECK(below = H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    for (int k = 0; k < 20; ++k) {
      link_name(name, k);
      make_dataset(below, name, 50);
    }
    add_attributes(below, 0, 12, 4);
    CHECK(H5Gclose(below));
  }
  CHECK(H5Gclose(group));
  CHECK(H5Ldelete(file, "group", H5P_DEFAULT));
}

static void attributes_deleted(void) {
  create();
  make_dataset(file, "data", 10);
  hid_t dataset;
  CHECK(dataset = H5Dopen2(file, "data", H5P_DEFAULT));
  add_attributes(dataset, 0, 100, 10);
  delete_attributes(dataset, 0, 100, 1);
  CHECK(H5Dclose(dataset));
}

static void attributes_halved(void) {
  create();
  make_dataset(file, "data", 10);
  hid_t dataset;
  CHECK(dataset = H5Dopen2(file, "data", H5P_DEFAULT));
  add_attributes(dataset, 0, 100, 10);
  delete_attributes(dataset, 0, 100, 2);
  CHECK(H5Dclose(dataset));
}

static void attributes_kept(void) {
  create();
  hid_t group = make_group("group");
  add_attributes(group, 0, 30, 3);
  CHECK(H5Gclose(group));
}

static void attributes_next_session(void) {
  create();
  make_dataset(file, "data", 10);
  hid_t dataset;
  CHECK(dataset = H5Dopen2(file, "data", H5P_DEFAULT));
  add_attributes(dataset, 0, 50, 10);
  CHECK(H5Dclose(dataset));
  reopen();
  CHECK(dataset = H5Dopen2(file, "data", H5P_DEFAULT));
  delete_attributes(dataset, 0, 50, 1);
  CHECK(H5Dclose(dataset));
}

static void dataset_deleted(void) {
  create();
  make_dataset(file, "first", 1000);
  make_dataset(file, "second", 1000);
  CHECK(H5Ldelete(file, "second", H5P_DEFAULT));
  make_dataset(file, "third", 10);
}

static void chunked_deleted(void) {
  create();
  hsize_t extent[2] = {100, 100}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[2] = {10, 10};
  static int values[100][100];
  hid_t space, list, dataset;
  CHECK(space = H5Screate_simple(2, extent, most));
  CHECK(list = H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, 2, chunk));
  for (int i = 0; i < 3; ++i) {
    CHECK(dataset = H5Dcreate2(file, "chunked", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    CHECK(H5Dclose(dataset));
    CHECK(H5Ldelete(file, "chunked", H5P_DEFAULT));
  }
  CHECK(H5Pclose(list));
  CHECK(H5Sclose(space));
}

/* One small chunk: the index precedes it, so that metadata have no hole. */
static void one_chunk(void) {
  create();
  hsize_t extent = 8, chunk = 4;
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  hid_t space, list, dataset;
  CHECK(space = H5Screate_simple(1, &extent, NULL));
  CHECK(list = H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, 1, &chunk));
  CHECK(dataset = H5Dcreate2(file, "chunked", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CHECK(H5Dclose(dataset));
  CHECK(H5Pclose(list));
  CHECK(H5Sclose(space));
}

/* A small table with attributes of text, as PyTables makes it. */
static void table(void) {
  create();
  hsize_t extent = 0, most = H5S_UNLIMITED, chunk = 100;
  hid_t group = make_group("group"), space, list, dataset, text, scalar, attribute;
  CHECK(space = H5Screate_simple(1, &extent, &most));
  CHECK(list = H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, 1, &chunk));
  CHECK(dataset = H5Dcreate2(group, "table", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(scalar = H5Screate(H5S_SCALAR));
  const char* names[] = {"CLASS", "TITLE", "VERSION", "FIELD_0_NAME", "FIELD_0_FILL", "NROWS"};
  hid_t objects[] = {file, group, dataset};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 6; ++i) {
      CHECK(text = H5Tcopy(H5T_C_S1));
      CHECK(H5Tset_size(text, 8));
      CHECK(attribute = H5Acreate2(objects[k], names[i], text, scalar, H5P_DEFAULT, H5P_DEFAULT));
      CHECK(H5Awrite(attribute, text, "a value"));
      CHECK(H5Aclose(attribute));
      CHECK(H5Tclose(text));
    }
  }
  CHECK(H5Dclose(dataset));
  CHECK(H5Pclose(list));
  CHECK(H5Sclose(space));
  CHECK(H5Sclose(scalar));
  CHECK(H5Gclose(group));
}

static void strings(void) {
  create();
  hsize_t extent = 20;
  const char* values[20];
  for (int i = 0; i < 20; ++i) values[i] = "a string of variable length";
  hid_t space, text, dataset;
  CHECK(space = H5Screate_simple(1, &extent, NULL));
  CHECK(text = H5Tcopy(H5T_C_S1));
  CHECK(H5Tset_size(text, H5T_VARIABLE));
  CHECK(dataset = H5Dcreate2(file, "strings", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Dwrite(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CHECK(H5Dclose(dataset));
  CHECK(H5Tclose(text));
  CHECK(H5Sclose(space));
}

static const struct {
  const char* name;
  void (*make)(void);
} scenarios[] = {
    {"empty", empty},
    {"one_group", one_group},
    {"one_dataset", one_dataset},
    {"datasets", datasets},
    {"soft_kept", soft_kept},
    {"soft_in_root", soft_in_root},
    {"soft_in_group", soft_in_group},
    {"soft_backwards", soft_backwards},
    {"hard", hard},
    {"every_second", every_second},
    {"first_half", first_half},
    {"second_half", second_half},
    {"all_but_three", all_but_three},
    {"many_links", many_links},
    {"many_links_next_session", many_links_next_session},
    {"dense_to_compact", dense_to_compact},
    {"next_session", next_session},
    {"three_sessions", three_sessions},
    {"churn", churn},
    {"renamed", renamed},
    {"long_names", long_names},
    {"huge_targets", huge_targets},
    {"in_order", in_order},
    {"filtered", filtered},
    {"filtered_few", filtered_few},
    {"filtered_halved", filtered_halved},
    {"filtered_next_session", filtered_next_session},
    {"filtered_huge_targets", filtered_huge_targets},
    {"groups_deleted", groups_deleted},
    {"tree_deleted", tree_deleted},
    {"attributes_kept", attributes_kept},
    {"attributes_deleted", attributes_deleted},
    {"attributes_halved", attributes_halved},
    {"attributes_next_session", attributes_next_session},
    {"dataset_deleted", dataset_deleted},
    {"chunked_deleted", chunked_deleted},
    {"one_chunk", one_chunk},
    {"table", table},
    {"strings", strings},
};
enum { scenario_count = sizeof scenarios / sizeof scenarios[0] };

static herr_t extend_group(hid_t root, const char* name, const H5O_info_t* info, void* count) {
  if (info->type != H5O_TYPE_GROUP || *(int*)count > 5) return 0;
  ++*(int*)count;
  hid_t group;
  CHECK(group = H5Gopen2(root, name, H5P_DEFAULT));
  add_soft(group, 50000, 50030);
  add_attributes(group, 50000, 50010, 2);
  CHECK(H5Gclose(group));
  return 0;
}

static herr_t print_attribute(hid_t object, const char* name, const H5A_info_t* info, void* data) {
  printf("  @%s %d\n", name, (int)info->data_size);
  return 0;
}

static herr_t print_object(hid_t root, const char* name, const H5O_info_t* info, void* data) {
  hid_t object;
  CHECK(object = H5Oopen(root, name, H5P_DEFAULT));
  printf("%s: type %d\n", name, (int)info->type);
  CHECK(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, print_attribute, NULL));
  CHECK(H5Oclose(object));
  return 0;
}

static herr_t print_link(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  printf("link %s: type %d\n", name, (int)info->type);
  if (info->type != H5L_TYPE_SOFT) return 0;
  char* target = malloc(info->u.val_size);
  CHECK(H5Lget_val(group, name, target, info->u.val_size, H5P_DEFAULT));
  printf("  -> %s\n", target);
  free(target);
  return 0;
}

int main(int count, char** words) {
  if (count == 2 && strcmp(words[1], "names") == 0) {
    for (int i = 0; i < scenario_count; ++i) puts(scenarios[i].name);
    return 0;
  }
  if (count < 3) return 2;
  CHECK(access_list = H5Pcreate(H5P_FILE_ACCESS));
  if (strcmp(words[1], "make") == 0) {
    if (strcmp(words[3], "latest") == 0)
      CHECK(H5Pset_libver_bounds(access_list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    path = words[4];
    for (int i = 0; i < scenario_count; ++i)
      if (strcmp(scenarios[i].name, words[2]) == 0) scenarios[i].make();
  } else if (strcmp(words[1], "extend") == 0) {
    int groups = 0;
    CHECK(file = H5Fopen(words[2], H5F_ACC_RDWR, access_list));
    CHECK(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, extend_group, &groups));
  } else {
    CHECK(file = H5Fopen(words[2], H5F_ACC_RDONLY, access_list));
    CHECK(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, print_link, NULL));
    CHECK(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, print_object, NULL));
  }
  CHECK(H5Fclose(file));
  return 0;
}
