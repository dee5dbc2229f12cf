/* Which threads of a program give something to which: what the programs of tests/accesses and tests/sharing do. */
#pragma once

#include <stdlib.h>
#include <string.h>

static int width_of(int threads) {
  int width = 1;
  while ((width + 1) * (width + 1) <= threads) ++width;
  while (threads % width != 0) --width;
  return width;
}

static int is_neighbour(int i, int j, int threads) {
  const int width = width_of(threads);
  const int across = abs(i % width - j % width), down = abs(i / width - j / width);
  return across + down == 1;
}

/* Whether thread i has something for thread j. */
static int gives(const char* kernel, int i, int j, int threads) {
  if (i == j) return 0;
  if (strcmp(kernel, "ring") == 0) return j == (i + 1) % threads;
  if (strcmp(kernel, "pairs") == 0) return j == (i ^ 1);
  if (strcmp(kernel, "producer") == 0) return i == 0;
  if (strcmp(kernel, "butterfly") == 0) return ((i ^ j) & ((i ^ j) - 1)) == 0;
  if (strcmp(kernel, "all-to-all") == 0) return 1;
  if (strcmp(kernel, "private") == 0) return 0;
  if (strcmp(kernel, "blocks") == 0) return is_neighbour(i, j, threads);
  if (strcmp(kernel, "workers") == 0) return i == 0 || j == 0;
  exit(2);
}
