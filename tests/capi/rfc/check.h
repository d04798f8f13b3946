/* SPDX-License-Identifier: Apache-2.0
 *
 * Conformance programs: one line for each statement of a proposal (RFC) that is checked. */
#ifndef FILIGREE_RFC_CHECK_H
#define FILIGREE_RFC_CHECK_H

#include <stdio.h>

static int checks_failed;

static void check_one(const char* section, const char* statement, int holds) {
  checks_failed += !holds;
  printf("%s | %s | %s\n", section, statement, holds ? "holds" : "FAILS");
  fflush(stdout);
}

#define CHECK(section, statement, condition) check_one(section, statement, (condition) ? 1 : 0)

/* Returns the exit status of the program. */
static int check_summary(void) { return checks_failed != 0; }

#endif
