/* SPDX-License-Identifier: Apache-2.0 */
/* Threads start thousands of operations, in event sets of their own and in one that they share. The files are
   then compared with a model that was kept on the side. */
#include <hdf5.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define FILES 3
#define DATASETS 4
#define ELEMENTS 64
#define STEPS 400
#define CHECK(condition) \
  if (!(condition))      \
  __atomic_fetch_add(&faults, 1, __ATOMIC_RELAXED), printf("line %d: not %s\n", __LINE__, #condition)

static int faults;
static hid_t shared_set;
static hid_t files[FILES];

static unsigned next(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* A dataset that one thread uses: what it should contain, and buffers that live until the wait. */
struct model {
  int values[ELEMENTS];
  int groups;
};
static struct model models[THREADS][FILES][DATASETS];

struct work {
  int number;
  hid_t es;
  int (*sources)[ELEMENTS];
  int (*targets)[ELEMENTS];
  int expected[STEPS][ELEMENTS];
  int reads;
};

static hid_t open_dataset(struct work* w, int f, int d, hid_t es) {
  char name[32];
  sprintf(name, "t%d_d%d", w->number, d);
  return H5Dopen_async(files[f], name, H5P_DEFAULT, es);
}

/* Writes a random part of a dataset. */
static void write_part(struct work* w, int step, unsigned* state, hid_t es) {
  int f = next(state) % FILES, d = next(state) % DATASETS;
  hsize_t start = next(state) % ELEMENTS, count = 1 + next(state) % (ELEMENTS - start);
  struct model* m = &models[w->number][f][d];
  hid_t dataset = open_dataset(w, f, d, es);
  hid_t in_file = H5Screate_simple(1, (hsize_t[]){ELEMENTS}, NULL),
        in_memory = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &start, NULL, &count, NULL);
  for (hsize_t i = 0; i < count; ++i) w->sources[step][i] = m->values[start + i] = (int)next(state);
  CHECK(H5Dwrite_async(dataset, H5T_NATIVE_INT, in_memory, in_file, H5P_DEFAULT, w->sources[step], es) == 0);
  CHECK(H5Dclose_async(dataset, es) == 0);
  H5Sclose(in_file);
  H5Sclose(in_memory);
}

static void read_whole(struct work* w, unsigned* state, hid_t es) {
  int f = next(state) % FILES, d = next(state) % DATASETS, at = w->reads++;
  hid_t dataset = open_dataset(w, f, d, es);
  memcpy(w->expected[at], models[w->number][f][d].values, sizeof w->expected[at]);
  CHECK(H5Dread_async(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, w->targets[at], es) == 0);
  CHECK(H5Dclose_async(dataset, es) == 0);
}

/* A synchronous read in between sees all that this thread has queued. */
static void read_now(struct work* w, unsigned* state) {
  int f = next(state) % FILES, d = next(state) % DATASETS, back[ELEMENTS];
  char name[32];
  sprintf(name, "t%d_d%d", w->number, d);
  hid_t dataset = H5Dopen2(files[f], name, H5P_DEFAULT);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) == 0);
  CHECK(memcmp(back, models[w->number][f][d].values, sizeof back) == 0);
  CHECK(H5Dclose(dataset) == 0);
}

static void add_group(struct work* w, unsigned* state, hid_t es) {
  int f = next(state) % FILES;
  char name[32];
  sprintf(name, "t%d_g%d", w->number, models[w->number][f][0].groups++);
  hid_t group = H5Gcreate_async(files[f], name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es);
  CHECK(H5Gclose_async(group, es) == 0);
}

static void* run(void* argument) {
  struct work* w = argument;
  unsigned state = 77u + (unsigned)w->number;
  size_t left;
  hbool_t failed;
  for (int step = 0; step < STEPS; ++step) {
    hid_t es = next(&state) % 3 == 0 ? shared_set : w->es;
    switch (next(&state) % 8) {
      case 0:
        read_now(w, &state);
        break;
      case 1:
        add_group(w, &state, es);
        break;
      case 2:
        CHECK(H5ESwait(es, next(&state) % 3 * 1000, &left, &failed) == 0 && !failed);
        break;
      case 3:
      case 4:
        read_whole(w, &state, es);
        break;
      default:
        write_part(w, step, &state, es);
    }
  }
  CHECK(H5ESwait(w->es, H5ES_WAIT_FOREVER, &left, &failed) == 0 && left == 0 && !failed);
  CHECK(H5ESwait(shared_set, H5ES_WAIT_FOREVER, &left, &failed) == 0 && left == 0 && !failed);
  return NULL;
}

static void create_files(void) {
  hid_t space = H5Screate_simple(1, (hsize_t[]){ELEMENTS}, NULL), dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(dcpl, 1, (hsize_t[]){16});
  H5Pset_deflate(dcpl, 1);
  for (int f = 0; f < FILES; ++f) {
    char name[32];
    sprintf(name, "threads%d.h5", f);
    files[f] = H5Fcreate_async(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT, shared_set);
    for (int t = 0; t < THREADS; ++t)
      for (int d = 0; d < DATASETS; ++d) {
        sprintf(name, "t%d_d%d", t, d);
        H5Dclose_async(
            H5Dcreate_async(files[f], name, H5T_STD_I32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT, shared_set),
            shared_set);
      }
  }
  H5Pclose(dcpl);
  H5Sclose(space);
}

static void check_files(void) {
  for (int f = 0; f < FILES; ++f) {
    char name[32];
    sprintf(name, "threads%d.h5", f);
    hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5G_info_t info;
    int groups = 0, back[ELEMENTS];
    for (int t = 0; t < THREADS; ++t) {
      groups += models[t][f][0].groups;
      for (int d = 0; d < DATASETS; ++d) {
        sprintf(name, "t%d_d%d", t, d);
        hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
        CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) == 0);
        CHECK(memcmp(back, models[t][f][d].values, sizeof back) == 0);
        H5Dclose(dataset);
      }
    }
    H5Gget_info(file, &info);
    CHECK((int)info.nlinks == groups + THREADS * DATASETS);
    CHECK(H5Fget_obj_count(file, H5F_OBJ_ALL) == 1);
    H5Fclose(file);
  }
}

int main(void) {
  static struct work work[THREADS];
  pthread_t threads[THREADS];
  size_t left;
  hbool_t failed;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  shared_set = H5EScreate();
  create_files();
  for (int t = 0; t < THREADS; ++t) {
    work[t].number = t;
    work[t].es = H5EScreate();
    work[t].sources = calloc(STEPS, sizeof *work[t].sources);
    work[t].targets = calloc(STEPS, sizeof *work[t].targets);
    pthread_create(&threads[t], NULL, run, &work[t]);
  }
  for (int t = 0; t < THREADS; ++t) pthread_join(threads[t], NULL);
  CHECK(H5ESwait(shared_set, H5ES_WAIT_FOREVER, &left, &failed) == 0 && left == 0 && !failed);
  for (int t = 0; t < THREADS; ++t) {
    for (int i = 0; i < work[t].reads; ++i)
      CHECK(memcmp(work[t].targets[i], work[t].expected[i], sizeof work[t].expected[i]) == 0);
    CHECK(H5ESclose(work[t].es) == 0);
    free(work[t].sources);
    free(work[t].targets);
  }
  for (int f = 0; f < FILES; ++f) CHECK(H5Fclose_async(files[f], shared_set) == 0);
  check_files();
  CHECK(H5ESwait(shared_set, H5ES_WAIT_FOREVER, &left, &failed) == 0 && left == 0 && !failed);
  CHECK(H5ESclose(shared_set) == 0);
  printf("faults: %d\n", faults);
  return 0;
}
