/* What the examples share: their arguments. */
#ifndef KITH_EXAMPLES_ARGUMENTS_H
#define KITH_EXAMPLES_ARGUMENTS_H

#include <stdlib.h>
#include <string.h>

/* Argument `place` as a positive number, `otherwise` where it is missing or none. */
static inline int number_argument(int argc, char** argv, int place, int otherwise) {
  const int value = place < argc ? atoi(argv[place]) : 0;
  return value > 0 ? value : otherwise;
}

/* Is `word` one of the arguments? */
static inline int has_argument(int argc, char** argv, const char* word) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], word) == 0) return 1;
  }
  return 0;
}

#endif
