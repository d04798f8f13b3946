/* SPDX-License-Identifier: Apache-2.0
 *
 * The function with which HDF5's tools read their options: all results, argument by argument. */
#include <stdio.h>
#include <string.h>

struct long_option {
  const char* name;
  int argument; /* 0: none, 1: required, 2: optional */
  char letter;
};
extern int H5_opterr, H5_optind;
extern const char* H5_optarg;
int H5_get_option(int count, const char** words, const char* letters, const struct long_option* options);

static const struct long_option options[] = {
    {"none", 0, 'N'}, {"required", 1, 'R'}, {"optional", 2, 'O'}, {"verbose", 2, 'v'}, {NULL, 0, 0}};

static void read_line(const char* line) {
  char text[200];
  const char* words[20] = {"tool"};
  int count = 1, letter, i;
  char* word;
  strcpy(text, line);
  for (word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) words[count++] = word;
  words[count] = NULL;
  printf("%s\n", line);
  H5_optind = 1;
  H5_optarg = NULL;
  for (i = 0; i < 12; ++i) {
    letter = H5_get_option(count, words, "ab:v*c", options);
    printf("  %c at %d with %s\n", letter < 0 ? '.' : letter, H5_optind, H5_optarg ? H5_optarg : "none");
    if (letter < 0) break;
  }
}

int main(void) {
  static const char* const firsts[] = {"-v1",         "-v",           "-v12",         "-va",     "-a",
                                       "-ac",         "-bx",          "-b",           "-z",      "-zc",
                                       "-:",          "-*",           "--",           "-",       "--verbose",
                                       "--verbose=1", "--required",   "--required=x", "--none",  "--none=1",
                                       "--optional",  "--optional=x", "--bad",        "--bad=1", "name"};
  static const char* const rests[] = {"",
                                      "f",
                                      "f g",
                                      "-a",
                                      "-a f g",
                                      "-v1 f g",
                                      "-b -a f",
                                      "--none f",
                                      "-- -a f",
                                      "--verbose f g",
                                      "--required f g",
                                      "--required -a f",
                                      "f -a g"};
  char line[200];
  size_t i, k;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (i = 0; i < sizeof firsts / sizeof *firsts; ++i)
    for (k = 0; k < sizeof rests / sizeof *rests; ++k) {
      sprintf(line, "%s %s", firsts[i], rests[k]);
      read_line(line);
    }
  return 0;
}
