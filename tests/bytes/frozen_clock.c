/* SPDX-License-Identifier: Apache-2.0
 *
 * A wall clock for tests, loaded with LD_PRELOAD. Object headers store the time of the call that changed
 * them, so files that are compared byte by byte are made while this clock stands still. With
 * FILIGREE_CLOCK_STEP=1 every look at the clock finds it a second later instead, and every process begins at
 * another time: a test that fails then depends on how fast the machine is. Only the wall clock is replaced;
 * waits use the monotonic clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t seconds_now(void) {
  static atomic_long looks;
  const char* step = getenv("FILIGREE_CLOCK_STEP");
  const time_t start = 1000000000; /* 2001-09-09 01:46:40 UTC */
  return step ? start + 1000 * (getpid() % 100000) + atol(step) * atomic_fetch_add(&looks, 1) : start;
}

time_t time(time_t* result) {
  const time_t now = seconds_now();
  if (result) *result = now;
  return now;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  now->tv_sec = seconds_now();
  now->tv_usec = 0;
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  static int (*system_clock)(clockid_t, struct timespec*);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
    now->tv_sec = seconds_now();
    now->tv_nsec = 0;
    return 0;
  }
  if (!system_clock) system_clock = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  return system_clock(clock, now);
}
