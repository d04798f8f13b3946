/* SPDX-License-Identifier: Apache-2.0
 *
 * H5Dread_multi and H5Dwrite_multi of datasets of every layout, through a driver that takes selections, have
 * the same effect as single calls through a built-in driver. Some calls list a dataset twice, or a virtual
 * one together with its sources; sometimes the driver fails, and the call is repeated. Some calls have a data
 * transform or a user-defined conversion, and some datasets have references. */
#include "../memory_driver.h"
#include "../show.h"

#define NONE H5P_DEFAULT
#define ROWS 17
#define COLUMNS 13
#define ALL (ROWS * COLUMNS)
#define MOST 18 /* datasets of a call, and kinds of datasets */
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
  LINKS,
  LINKS_FILTERED,
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
static int is_link(int kind) { return kind == LINKS || kind == LINKS_FILTERED; }
static int is_number(int kind) { return !is_record(kind) && !is_text(kind) && !is_link(kind); }

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
  if (is_link(kind)) return H5Tcopy(H5T_STD_REF);
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
    map_rows(list, space, 0, 9, "/14"), map_rows(list, space, 9, ROWS - 9, "/1");
  } else if (kind == VIRTUAL) {
    map_rows(list, space, 0, 8, "/2"), map_rows(list, space, 8, 5, "/0");
  } else if (kind == OVERLAPPING) {
    map_rows(list, space, 0, ROWS, "/2"), map_rows(list, space, 5, 6, "/14"),
        map_rows(list, space, 3, 4, "/0");
  }
}

static int has_filter(int kind) {
  return kind == FILTERED || kind == EDGES || kind == SPARSE_FILTERED || kind == SWAPPED ||
         kind == RECORDS_FILTERED || kind == LINKS_FILTERED;
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
  if (!is_text(kind) && !is_link(kind))
    H5Pset_fill_value(list, is_record(kind) ? type : H5T_NATIVE_INT, fill);
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

/* References to attributes of the root group, whose names are numbers. */
static H5R_ref_t links[2][MOST][ALL];

static void make_links(hid_t file, H5R_ref_t* made, const int* numbers, hsize_t count) {
  char name[16];
  hsize_t i;
  for (i = 0; i < count; ++i) {
    sprintf(name, "%d", numbers[i]);
    H5Rcreate_attr(file, "/", name, NONE, &made[i]);
  }
}

static void free_links(H5R_ref_t* made, hsize_t count) {
  hsize_t i;
  for (i = 0; i < count; ++i) H5Rdestroy(&made[i]);
  memset(made, 0, (size_t)count * sizeof *made);
}

/* Frees them, too. References that were never written are empty. Others lead into an open file. */
static void take_links(H5R_ref_t* read, int* numbers, hsize_t count) {
  static const H5R_ref_t empty;
  char name[16];
  hsize_t i;
  for (i = 0; i < count; ++i) {
    numbers[i] = -1;
    if (memcmp(&read[i], &empty, sizeof empty) == 0) continue;
    if (H5Rget_attr_name(&read[i], name, sizeof name) > 0) numbers[i] = atoi(name);
    if (i == 0) {
      const hid_t root = H5Ropen_object(&read[i], NONE, NONE);
      if (root < 0) numbers[i] = -2;
      H5Oclose(root);
    }
  }
  free_links(read, count);
}

static int read_set(hid_t set, int kind, int* numbers) {
  const hid_t type = memory_type(kind, 3);
  static char* read[ALL];
  static H5R_ref_t read_links[ALL];
  void* const into = is_text(kind) ? (void*)read : is_link(kind) ? (void*)read_links : numbers;
  const int bad = H5Dread(set, type, H5S_ALL, H5S_ALL, NONE, into) < 0;
  if (is_text(kind)) take_texts(read, numbers, ALL);
  if (is_link(kind)) take_links(read_links, numbers, ALL);
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
  static char is_new[1000]; /* 999 - x is what transforms and conversions make of x */
  int i, j, bad = read_all();
  memset(is_new, 0, sizeof is_new);
  for (i = 0; i < count; ++i)
    for (j = 0; j < NUMBERS; ++j) is_new[values[i][j]] = is_new[999 - values[i][j]] = 1;
  for (i = 0; i < KINDS; ++i) {
    for (j = 0; j < NUMBERS; ++j) {
      const int now = got[0][i][j];
      bad += now != got[1][i][j] && (now < 0 || now >= 1000 || !is_new[now]);
    }
  }
  return bad;
}

/* A conversion of numbers. One that keeps a background changes only numbers over even ones. */
static unsigned long conversions; /* which there were, in their order */
static int keeps_background;

static herr_t invert(hid_t from, hid_t to, H5T_cdata_t* data, size_t count, size_t stride,
                     size_t background_stride, void* buffer, void* background, hid_t list) {
  int *numbers = (int*)buffer, *old = (int*)background;
  size_t i;
  (void)from, (void)to, (void)stride, (void)background_stride;
  if (data->command == H5T_CONV_INIT) data->need_bkg = keeps_background ? H5T_BKG_YES : H5T_BKG_NO;
  if (data->command != H5T_CONV_CONV) return 0;
  conversions = 31 * (31 * conversions + count) + (unsigned long)(H5Iget_type(list) + numbers[0]);
  for (i = 0; i < count; ++i)
    if (!keeps_background || old[i] % 2 == 0) numbers[i] = 999 - numbers[i];
  return 0;
}

enum { PLAIN, TRANSFORMED, CONVERTED, CONVERTED_OVER }; /* how a call changes values */

static void begin_changes(int how) {
  keeps_background = how == CONVERTED_OVER;
  if (how < CONVERTED) return;
  H5Tregister(H5T_PERS_HARD, "invert", H5T_NATIVE_UINT, H5T_NATIVE_INT, invert);
  H5Tregister(H5T_PERS_HARD, "invert", H5T_NATIVE_INT, H5T_NATIVE_UINT, invert);
}

static void end_changes(int how) {
  if (how >= CONVERTED) H5Tunregister(H5T_PERS_HARD, "invert", -1, -1, NULL);
}

typedef struct {
  int count, writes, how;
  hid_t list;
  int kinds[MOST];
  hid_t sets[MOST], types[MOST], memory[MOST], file[MOST];
  hsize_t sizes[MOST];
  const void* from[MOST];
  void* into[MOST];
} call_t;

static void make_call(call_t* call) {
  int i, j;
  call->count = 2 + below(MOST - 2), call->writes = below(2);
  call->how = below(3) == 0 ? 1 + below(3) : PLAIN, call->list = NONE;
  if (call->how == TRANSFORMED) {
    call->list = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_data_transform(call->list, "999-x");
  }
  for (i = 0; i < call->count; ++i) {
    int kind = below(call->writes ? VIRTUAL : KINDS);
    if (call->how == TRANSFORMED && !is_number(kind)) kind = CHUNKED;
    call->kinds[i] = kind;
    call->sets[i] = sets[0][kind], call->types[i] = memory_type(kind, 1 + below(3));
    if (call->how >= CONVERTED && is_number(kind)) call->types[i] = H5Tcopy(H5T_NATIVE_UINT);
    call->file[i] = select_some();
    call->sizes[i] = (hsize_t)H5Sget_select_npoints(call->file[i]);
    call->memory[i] = H5Screate_simple(1, &call->sizes[i], NULL);
    for (j = 0; j < NUMBERS; ++j) values[i][j] = below(1000);
    call->from[i] = values[i], call->into[i] = got[0][i];
    if (is_text(kind)) {
      if (call->writes) make_texts(texts[0][i], values[i], call->sizes[i]);
      call->from[i] = call->into[i] = texts[0][i];
    } else if (is_link(kind)) {
      for (j = 0; call->writes && j < 2; ++j)
        make_links(sets[j][kind], links[j][i], values[i], call->sizes[i]);
      call->from[i] = call->into[i] = links[0][i];
    }
  }
}

static herr_t run(call_t* call) {
  const size_t count = (size_t)call->count;
  if (call->writes)
    return H5Dwrite_multi(count, call->sets, call->types, call->memory, call->file, call->list, call->from);
  return H5Dread_multi(count, call->sets, call->types, call->memory, call->file, call->list, call->into);
}

/* The calls for one dataset each, in the same order. */
static int run_twin(call_t* call, int i) {
  const int kind = call->kinds[i];
  const hid_t twin = sets[1][kind];
  void* const into = is_text(kind)   ? (void*)texts[1][i]
                     : is_link(kind) ? (void*)links[1][i]
                                     : (void*)got[1][i];
  const void* const from = is_link(kind) ? (const void*)links[1][i] : call->from[i];
  if (call->writes)
    return H5Dwrite(twin, call->types[i], call->memory[i], call->file[i], call->list, from) < 0;
  return H5Dread(twin, call->types[i], call->memory[i], call->file[i], call->list, into) < 0;
}

/* Frees what a call had or got, and takes the numbers that it got. */
static void take_all(call_t* call, int side) {
  int i;
  for (i = 0; i < call->count; ++i) {
    const hsize_t size = call->sizes[i];
    if (is_text(call->kinds[i])) {
      if (!call->writes)
        take_texts(texts[side][i], got[side][i], size);
      else if (side == 0)
        free_texts(texts[side][i], size);
    } else if (is_link(call->kinds[i])) {
      if (call->writes)
        free_links(links[side][i], size);
      else
        take_links(links[side][i], got[side][i], size);
    }
  }
}

static int step(int failing) {
  call_t call;
  unsigned long conversions_of_call;
  int i, bad = 0;
  make_call(&call);
  begin_changes(call.how);
  if (failing) {
    memory_fail_at = memory_calls + 1 + below(3);
    H5E_BEGIN_TRY { i = run(&call) < 0; }
    H5E_END_TRY
    memory_fail_at = 0;
    if (!call.writes) take_all(&call, 0); /* a read that failed may have got some */
    if (call.writes && i) bad += is_torn(call.count);
  }
  memset(got, 0, sizeof got);
  conversions = 0;
  bad += run(&call) < 0;
  conversions_of_call = conversions, conversions = 0;
  for (i = 0; i < call.count; ++i) bad += run_twin(&call, i);
  bad += conversions != conversions_of_call;
  end_changes(call.how);
  take_all(&call, 0), take_all(&call, 1);
  for (i = 0; i < call.count; ++i) H5Sclose(call.memory[i]), H5Sclose(call.file[i]), H5Tclose(call.types[i]);
  if (call.list != NONE) H5Pclose(call.list);
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
