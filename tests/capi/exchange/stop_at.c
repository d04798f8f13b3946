/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: ends the process, as SIGKILL does, right before it changes a file for the
 * n-th time; n comes from the environment. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static void count(void) {
  static atomic_long done;
  static long most = -1;
  if (most < 0) {
    const char* text = getenv("STOP_AT");
    most = text != NULL ? atol(text) : 1L << 60;
  }
  if (++done >= most) _exit(9);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite(int file, const void* from, size_t bytes, off_t at) {
  count();
  return NEXT(pwrite)(file, from, bytes, at);
}
ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t at) {
  count();
  return NEXT(pwrite64)(file, from, bytes, at);
}
ssize_t pwritev(int file, const struct iovec* from, int pieces, off_t at) {
  count();
  return NEXT(pwritev)(file, from, pieces, at);
}
ssize_t pwritev64(int file, const struct iovec* from, int pieces, off64_t at) {
  count();
  return NEXT(pwritev64)(file, from, pieces, at);
}
int ftruncate(int file, off_t bytes) {
  count();
  return NEXT(ftruncate)(file, bytes);
}
int ftruncate64(int file, off64_t bytes) {
  count();
  return NEXT(ftruncate64)(file, bytes);
}
