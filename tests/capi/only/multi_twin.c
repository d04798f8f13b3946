/* SPDX-License-Identifier: Apache-2.0
 *
 * H5Dread_multi and H5Dwrite_multi of datasets of every layout, through a driver that takes selections, have
 * the same effect as single calls through a built-in driver. Some calls list a dataset twice, or a virtual
 * one together with its sources; sometimes the driver fails, and the call is repeated. */
#include "../memory_driver.h"
#include "../show.h"

#define NONE H5P_DEFAULT
#define ROWS 17
#define COLUMNS 13
#define ALL (ROWS * COLUMNS)
#define MOST 16 /* datasets of a call, and kinds of datasets */
#define NUMBERS (2 * ALL)

/* The kinds up to NESTED are written. */
enum {
  CONTIGUOUS,
  CHUNKED,
  FILTERED,
  EDGES,
  SPARSE,
  SPARSE_FILTERED,
  COMPACT,
  SWAPPED,
  RECORDS,
  RECORDS_FILTERED,
  TEXTS,
  TEXTS_CHUNKED,
  WRITABLE,
  NESTED,
  VIRTUAL,
  OVERLAPPING,
  KINDS
};

static unsigned long state = 987654321;

static int below(int n) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (int)((state >> 33) % (unsigned long)n);
}

static int is_record(int kind) { return kind == RECORDS || kind == RECORDS_FILTERED; }
static int is_text(int kind) { return kind == TEXTS || kind == TEXTS_CHUNKED; }

/* The members of records: 1 is x, 2 is y, 3 is both. */
static hid_t record_type(int members) {
  const hid_t type = H5Tcreate(H5T_COMPOUND, members == 3 ? 2 * sizeof(int) : sizeof(int));
  if ((members & 1) != 0) H5Tinsert(type, "x", 0, H5T_NATIVE_INT);
  if ((members & 2) != 0) H5Tinsert(type, "y", members == 3 ? sizeof(int) : 0, H5T_NATIVE_INT);
  return type;
}

static hid_t text_type(void) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  return type;
}

static hid_t memory_type(int kind, int members) {
  if (is_record(kind)) return record_type(members);
  return is_text(kind) ? text_type() : H5Tcopy(H5T_NATIVE_INT);
}

static void map_rows(hid_t list, hid_t space, hsize_t first, hsize_t count, const char* source) {
  const hsize_t start[2] = {first, 0}, counts[2] = {count, COLUMNS};
  const hid_t part = H5Scopy(space);
  H5Sselect_hyperslab(part, H5S_SELECT_SET, start, NULL, counts, NULL);
  H5Pset_virtual(list, part, ".", source, part);
  H5Sclose(part);
}

static void set_sources(hid_t list, hid_t space, int kind) {
  if (kind == WRITABLE) {
    map_rows(list, space, 0, 7, "/2"), map_rows(list, space, 7, 3, "/6");
    map_rows(list, space, 10, ROWS - 10, "/0");
  } else if (kind == NESTED) {
    map_rows(list, space, 0, 9, "/12"), map_rows(list, space, 9, ROWS - 9, "/1");
  } else if (kind == VIRTUAL) {
    map_rows(list, space, 0, 8, "/2"), map_rows(list, space, 8, 5, "/0");
  } else if (kind == OVERLAPPING) {
    map_rows(list, space, 0, ROWS, "/2"), map_rows(list, space, 5, 6, "/12"),
        map_rows(list, space, 3, 4, "/0");
  }
}

static int has_filter(int kind) {
  return kind == FILTERED || kind == EDGES || kind == SPARSE_FILTERED || kind == SWAPPED ||
         kind == RECORDS_FILTERED;
}

static hid_t create(hid_t file, int kind) {
  const hsize_t dims[2] = {ROWS, COLUMNS}, chunk[2] = {5, 4};
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL);
  const hid_t type = kind == SWAPPED ? H5Tcopy(H5T_STD_I64BE) : memory_type(kind, 3);
  const int fill[2] = {42, 43};
  char name[8];
  hid_t set;
  sprintf(name, "%d", kind);
  if (kind == COMPACT) H5Pset_layout(list, H5D_COMPACT);
  if (kind == CHUNKED || kind == TEXTS_CHUNKED) H5Pset_chunk(list, 2, chunk);
  if (kind == SPARSE || kind == SPARSE_FILTERED)
    H5Pset_sparse_chunk(list, 2, chunk);
  else if (has_filter(kind))
    H5Pset_chunk(list, 2, chunk);
  if (kind == EDGES) H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  if (has_filter(kind)) H5Pset_deflate(list, 2);
  set_sources(list, space, kind);
  if (!is_text(kind)) H5Pset_fill_value(list, is_record(kind) ? type : H5T_NATIVE_INT, fill);
  set = H5Dcreate2(file, name, type, space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space), H5Tclose(type);
  return set;
}

/* A box, a strided hyperslab, a union of two boxes, points, or everything. */
static hid_t select_some(void) {
  const hsize_t dims[2] = {ROWS, COLUMNS};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  const int form = below(5);
  int i, d;
  if (form == 0) return space;
  if (form == 1) {
    hsize_t points[2 * 9];
    for (i = 0; i < 18; ++i) points[i] = (hsize_t)below(i % 2 == 0 ? ROWS : COLUMNS);
    H5Sselect_elements(space, H5S_SELECT_SET, 9, points);
    return space;
  }
  for (i = 0; i < (form == 2 ? 2 : 1); ++i) {
    hsize_t start[2], stride[2], count[2], block[2];
    for (d = 0; d < 2; ++d) {
      const int n = (int)dims[d];
      block[d] = 1 + (hsize_t)below(form == 3 ? n : 3);
      stride[d] = block[d] + (hsize_t)below(3);
      start[d] = (hsize_t)below(n - (int)block[d] + 1);
      count[d] = 1 + (hsize_t)below((n - (int)start[d] - (int)block[d]) / (int)stride[d] + 1);
    }
    H5Sselect_hyperslab(space, i == 0 ? H5S_SELECT_SET : H5S_SELECT_OR, start, stride, count, block);
  }
  return space;
}

static hid_t sets[2][KINDS];
static int values[MOST][NUMBERS], got[2][MOST][NUMBERS];

static int is_same(void) { return memcmp(got[0], got[1], sizeof got[0]) == 0; }

/* Texts of many lengths for numbers, and the reverse. */
static char* texts[2][MOST][ALL];

static void make_texts(char** made, const int* numbers, hsize_t count) {
  hsize_t i;
  for (i = 0; i < count; ++i) {
    made[i] = (char*)malloc(64);
    sprintf(made[i], "%0*d", 1 + numbers[i] % 40, numbers[i]);
  }
}

static void free_texts(char** made, hsize_t count) {
  hsize_t i;
  for (i = 0; i < count; ++i) free(made[i]), made[i] = NULL;
}

/* Frees them, too. Texts that were never written are NULL. */
static void take_texts(char** read, int* numbers, hsize_t count) {
  const hid_t type = text_type(), space = H5Screate_simple(1, &count, NULL);
  hsize_t i;
  for (i = 0; i < count; ++i) numbers[i] = read[i] == NULL ? -1 : atoi(read[i]);
  H5Dvlen_reclaim(type, space, NONE, read);
  for (i = 0; i < count; ++i) read[i] = NULL;
  H5Tclose(type), H5Sclose(space);
}

static int read_set(hid_t set, int kind, int* numbers) {
  const hid_t type = memory_type(kind, 3);
  static char* read[ALL];
  const int bad = H5Dread(set, type, H5S_ALL, H5S_ALL, NONE, is_text(kind) ? (void*)read : numbers) < 0;
  if (is_text(kind)) take_texts(read, numbers, ALL);
  H5Tclose(type);
  return bad;
}

static int read_all(void) {
  int i, j, bad = 0;
  memset(got, 0, sizeof got);
  for (i = 0; i < 2; ++i)
    for (j = 0; j < KINDS; ++j) bad += read_set(sets[i][j], j, got[i][j]);
  return bad;
}

/* After a call that failed every element has its old value, or one of those that were to be written. */
static int is_torn(int count) {
  static char is_new[1000];
  int i, j, bad = read_all();
  memset(is_new, 0, sizeof is_new);
  for (i = 0; i < count; ++i)
    for (j = 0; j < NUMBERS; ++j) is_new[values[i][j]] = 1;
  for (i = 0; i < KINDS; ++i) {
    for (j = 0; j < NUMBERS; ++j) {
      const int now = got[0][i][j];
      bad += now != got[1][i][j] && (now < 0 || now >= 1000 || !is_new[now]);
    }
  }
  return bad;
}

typedef struct {
  int count, writes;
  int kinds[MOST];
  hid_t sets[MOST], types[MOST], memory[MOST], file[MOST];
  hsize_t sizes[MOST];
  const void* from[MOST];
  void* into[MOST];
} call_t;

static void make_call(call_t* call) {
  int i, j;
  call->count = 2 + below(MOST - 2), call->writes = below(2);
  for (i = 0; i < call->count; ++i) {
    const int kind = below(call->writes ? VIRTUAL : KINDS);
    call->kinds[i] = kind;
    call->sets[i] = sets[0][kind], call->types[i] = memory_type(kind, 1 + below(3));
    call->file[i] = select_some();
    call->sizes[i] = (hsize_t)H5Sget_select_npoints(call->file[i]);
    call->memory[i] = H5Screate_simple(1, &call->sizes[i], NULL);
    for (j = 0; j < NUMBERS; ++j) values[i][j] = below(1000);
    call->from[i] = values[i], call->into[i] = got[0][i];
    if (!is_text(kind)) continue;
    if (call->writes) make_texts(texts[0][i], values[i], call->sizes[i]);
    call->from[i] = call->into[i] = texts[0][i];
  }
}

static herr_t run(call_t* call) {
  const size_t count = (size_t)call->count;
  if (call->writes)
    return H5Dwrite_multi(count, call->sets, call->types, call->memory, call->file, NONE, call->from);
  return H5Dread_multi(count, call->sets, call->types, call->memory, call->file, NONE, call->into);
}

/* The calls for one dataset each, in the same order. */
static int run_twin(call_t* call, int i) {
  const int kind = call->kinds[i];
  const hid_t twin = sets[1][kind];
  void* const into = is_text(kind) ? (void*)texts[1][i] : got[1][i];
  if (call->writes)
    return H5Dwrite(twin, call->types[i], call->memory[i], call->file[i], NONE, call->from[i]) < 0;
  return H5Dread(twin, call->types[i], call->memory[i], call->file[i], NONE, into) < 0;
}

/* A read that failed may have got some texts. */
static void forget_texts(call_t* call) {
  int i, numbers[ALL];
  for (i = 0; i < call->count; ++i)
    if (is_text(call->kinds[i]) && !call->writes) take_texts(texts[0][i], numbers, call->sizes[i]);
}

static int step(int failing) {
  call_t call;
  int i, bad = 0;
  make_call(&call);
  if (failing) {
    memory_fail_at = memory_calls + 1 + below(3);
    H5E_BEGIN_TRY { i = run(&call) < 0; }
    H5E_END_TRY
    memory_fail_at = 0;
    forget_texts(&call);
    if (call.writes && i) bad += is_torn(call.count);
  }
  memset(got, 0, sizeof got);
  bad += run(&call) < 0;
  for (i = 0; i < call.count; ++i) {
    bad += run_twin(&call, i);
    if (is_text(call.kinds[i]) && call.writes) {
      free_texts(texts[0][i], call.sizes[i]);
    } else if (is_text(call.kinds[i])) {
      take_texts(texts[0][i], got[0][i], call.sizes[i]);
      take_texts(texts[1][i], got[1][i], call.sizes[i]);
    }
    H5Sclose(call.memory[i]), H5Sclose(call.file[i]), H5Tclose(call.types[i]);
  }
  return bad + !is_same();
}

int main(void) {
  int round, i, j, form, bad = 0;
  for (form = 0; form < 2; ++form) {
    const H5FD_class_t cls = memory_class(form == 1, form == 0);
    const hid_t driver = H5FDregister(&cls), ours = H5Pcreate(H5P_FILE_ACCESS),
                core = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_driver(ours, driver, NULL);
    H5Pset_fapl_core(core, 1 << 16, 0);
    H5Pset_libver_bounds(ours, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_libver_bounds(core, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    for (round = 0; round < 30; ++round) {
      hid_t files[2];
      /* The second half of the rounds has a cache that holds no chunk. */
      const size_t cache = round < 15 ? 1 << 20 : 0;
      H5Pset_cache(ours, 0, 101, cache, 0.75), H5Pset_cache(core, 0, 101, cache, 0.75);
      for (i = 0; i < 2; ++i) {
        files[i] = H5Fcreate("multi_twin", H5F_ACC_TRUNC, NONE, i == 0 ? ours : core);
        for (j = 0; j < KINDS; ++j) sets[i][j] = create(files[i], j);
      }
      for (i = 0; i < 25; ++i) {
        bad += step(round % 3 == 2 && i % 5 == 4);
        if (below(6) == 0) bad += H5Fflush(files[0], H5F_SCOPE_GLOBAL) < 0;
      }
      bad += read_all() + !is_same();
      for (i = 0; i < 2; ++i) {
        for (j = 0; j < KINDS; ++j) H5Dclose(sets[i][j]);
        if (i == 0) bad += H5Fclose(files[i]) < 0;
      }
      files[0] = H5Fopen("multi_twin", H5F_ACC_RDONLY, ours);
      memcpy(values, got[1], sizeof values);
      memset(got[0], 0, sizeof got[0]);
      for (j = 0; j < KINDS; ++j) {
        char name[8];
        sprintf(name, "%d", j);
        sets[0][j] = H5Dopen2(files[0], name, NONE);
        bad += read_set(sets[0][j], j, got[0][j]);
        H5Dclose(sets[0][j]);
      }
      bad += memcmp(got[0], values, sizeof values) != 0; /* of the twin */
      for (i = 0; i < 2; ++i) H5Fclose(files[i]);
    }
    H5Pclose(ours), H5Pclose(core), H5FDunregister(driver);
  }
  SHOW(bad);
  SHOW(memory_open);
  SHOW(memory_clashes);
  return bad != 0;
}
