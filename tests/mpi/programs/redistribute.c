/* kith_redistribute: what rank r of one order held, rank r of the other holds. Datatypes of every
 * construction, sizes around those of its messages, orders of every kind of cycle; arguments that are
 * wrong, on all ranks or on one.
 *
 * usage: redistribute contents|arguments|memory|large */
#include <kith/kith.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { message = 1 << 20, guard = 64 };

static int world_rank, world_size;

/* --- orders -------------------------------------------------------------------------------------- */

static unsigned next_random(unsigned* state) {
  *state = *state * 1103515245u + 12345u;
  return *state >> 8;
}

/* Rank r of the world is rank order[r]. The same numbers on all ranks. */
static MPI_Comm world_in_order(const int* order) {
  MPI_Comm made;
  MPI_Comm_split(MPI_COMM_WORLD, 0, order[world_rank], &made);
  return made;
}

static MPI_Comm shifted(int by) {
  int order[256];
  for (int r = 0; r < world_size; ++r) order[r] = (r + by) % world_size;
  return world_in_order(order);
}

static MPI_Comm shuffled(unsigned seed) {
  int order[256];
  for (int r = 0; r < world_size; ++r) order[r] = r;
  for (int r = world_size - 1; r > 0; --r) {
    const int other = (int)(next_random(&seed) % (unsigned)(r + 1)), kept = order[r];
    order[r] = order[other];
    order[other] = kept;
  }
  return world_in_order(order);
}

/* --- contents ------------------------------------------------------------------------------------ */

static unsigned char byte_of(int owner, size_t i) {
  return (unsigned char)((size_t)owner * 131 + i * 7 + (i >> 8) * 3 + (i >> 16));
}

/* Data of rank `owner` in the type's places, 0xEE in its holes and around it. `start` is where the
 * type's origin lies in the block. */
static void fill(unsigned char* block, size_t size, size_t start, MPI_Count count, MPI_Datatype type,
                 int owner) {
  memset(block, 0xEE, size);
  int packed, position = 0;
  MPI_Pack_size((int)count, type, MPI_COMM_SELF, &packed);
  unsigned char* data = malloc((size_t)packed + 1);
  for (int i = 0; i < packed; ++i) data[i] = byte_of(owner, (size_t)i);
  MPI_Unpack(data, packed, &position, block + start, (int)count, type, MPI_COMM_SELF);
  free(data);
}

static void check_type(const char* name, MPI_Comm from, MPI_Comm to, MPI_Count count,
                       MPI_Datatype type) {
  MPI_Count lower, extent;
  MPI_Type_commit(&type);
  MPI_Type_get_true_extent_x(type, &lower, &extent);
  MPI_Aint lb, step;
  MPI_Type_get_extent(type, &lb, &step);
  MPI_Aint first = lower, last = lower + extent;
  if (count > 1 && step < 0) first += (MPI_Aint)(count - 1) * step;
  if (count > 1 && step > 0) last += (MPI_Aint)(count - 1) * step;
  const size_t start = guard + (size_t)(first < 0 ? -first : 0);
  const size_t size = start + (size_t)last + guard;
  unsigned char* mine = malloc(size);
  unsigned char* expected = malloc(size);
  int before, after;
  MPI_Comm_rank(from, &before);
  MPI_Comm_rank(to, &after);
  fill(mine, size, start, count, type, before);
  fill(expected, size, start, count, type, after);
  const int code = kith_redistribute(from, to, mine + start, count, type);
  if (code != MPI_SUCCESS || memcmp(mine, expected, size) != 0) {
    fprintf(stderr, "rank %d: %s x %lld: code %d, or other data\n", world_rank, name,
            (long long)count, code);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  free(expected);
  free(mine);
}

/* Calls check_type() with a type of each construction, of `n` doubles or more. */
static void all_constructions(MPI_Comm from, MPI_Comm to, MPI_Count count, int n) {
  MPI_Datatype made, part;
  int lengths[3] = {2, n, 1}, places[3] = {n + 8, 4, 0};
  MPI_Aint offsets[3] = {8 * (n + 9), 16, -8};
#define CHECK_MADE(name)                     \
  check_type(name, from, to, count, made);   \
  MPI_Type_free(&made)
  MPI_Type_contiguous(n, MPI_DOUBLE, &made);
  CHECK_MADE("contiguous");
  MPI_Type_vector(n, 1, 3, MPI_DOUBLE, &made);
  CHECK_MADE("vector");
  MPI_Type_vector(n / 4 + 1, 4, 5, MPI_DOUBLE, &made);
  CHECK_MADE("vector of blocks");
  MPI_Type_vector(n, 1, -2, MPI_DOUBLE, &made);
  CHECK_MADE("vector backwards");
  MPI_Type_create_hvector(n, 1, 12, MPI_FLOAT, &made);
  CHECK_MADE("hvector");
  MPI_Type_indexed(3, lengths, places, MPI_DOUBLE, &made);
  CHECK_MADE("indexed");
  MPI_Type_create_hindexed(3, lengths, offsets, MPI_DOUBLE, &made);
  CHECK_MADE("hindexed, from below");
  MPI_Type_create_indexed_block(2, n, (int[]){n + 3, 1}, MPI_INT, &made);
  CHECK_MADE("indexed block");
  MPI_Type_create_hindexed_block(2, n, (MPI_Aint[]){4 * (n + 3), 4}, MPI_INT, &made);
  CHECK_MADE("hindexed block");
  MPI_Type_create_struct(3, lengths, offsets, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR}, &made);
  CHECK_MADE("struct");
  MPI_Type_contiguous(n, MPI_INT, &part);
  MPI_Type_create_resized(part, -16, 4 * n + 48, &made);
  MPI_Type_free(&part);
  CHECK_MADE("resized");
  MPI_Type_vector(n, 2, 3, MPI_SHORT, &part);
  MPI_Type_dup(part, &made);
  MPI_Type_free(&part);
  CHECK_MADE("dup");
  for (int order = 0; order < 2; ++order) {
    const int way = order == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    MPI_Type_create_subarray(3, (int[]){5, 4, n + 3}, (int[]){3, 2, n}, (int[]){1, 2, 1}, way,
                             MPI_FLOAT, &made);
    CHECK_MADE("subarray");
    MPI_Type_create_subarray(1, (int[]){n + 5}, (int[]){n}, (int[]){3}, way, MPI_DOUBLE_INT, &made);
    CHECK_MADE("subarray of one dimension");
    MPI_Type_create_subarray(2, (int[]){n + 1, 6}, (int[]){n, 3}, (int[]){1, 2}, way, MPI_INT, &part);
    MPI_Type_vector(2, 1, 2, part, &made);
    MPI_Type_free(&part);
    CHECK_MADE("vector of subarrays");
    MPI_Type_create_darray(4, 1, 2, (int[]){n + 2, 4},
                           (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
                           (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG},
                           (int[]){2, 2}, way, MPI_INT, &made);
    CHECK_MADE("darray");
  }
#undef CHECK_MADE
}

/* Elements that cannot be cut alike: in one piece on even ranks, in two with a hole on odd ones. */
static void different_constructions(MPI_Comm from, MPI_Comm to) {
  enum { n = message / 4 * 3, first = 100001 };
  const int odd = world_rank % 2, hole = odd ? 5 : 0;
  int before, after;
  MPI_Comm_rank(from, &before);
  MPI_Comm_rank(to, &after);
  MPI_Datatype made;
  if (odd) {
    MPI_Type_indexed(2, (int[]){first, n - first}, (int[]){0, first + hole}, MPI_INT, &made);
  } else {
    MPI_Type_contiguous(n, MPI_INT, &made);
  }
  MPI_Type_commit(&made);
  int* data = malloc(sizeof(int) * (n + 5));
  for (int i = 0; i < n; ++i) data[i < first ? i : i + hole] = before * 7 + i;
  CHECK(kith_redistribute(from, to, data, 1, made) == MPI_SUCCESS);
  for (int i = 0; i < n; ++i) CHECK(data[i < first ? i : i + hole] == after * 7 + i);
  free(data);
  MPI_Type_free(&made);
}

static void contents(void) {
  /* Small, below, at and above what one message holds. */
  static const int sizes[] = {0, 1, 17, message - 1, message, message + 1, 2 * message + 12345};
  MPI_Comm orders[] = {shifted(0), shifted(1), shifted(world_size / 2), shuffled(1), shuffled(2),
                       shuffled(3)};
  enum { count = sizeof orders / sizeof *orders };
  for (int i = 0; i < count; ++i) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
      check_type("bytes", MPI_COMM_WORLD, orders[i], sizes[s], MPI_BYTE);
    }
  }
  for (int i = 1; i < 4; ++i) {
    all_constructions(orders[i], orders[i + 1], 0, 3);
    all_constructions(orders[i], orders[i + 1], 1, 5);
    all_constructions(orders[i], MPI_COMM_WORLD, 29, 37);
  }
  all_constructions(MPI_COMM_WORLD, orders[3], 3, 30011); /* several elements to a message, or one */
  all_constructions(MPI_COMM_WORLD, orders[4], 2, message / 2 + 77); /* larger than a message */
  different_constructions(MPI_COMM_WORLD, orders[1]);
  /* Back again, and a part of the ranks. */
  int value = world_rank;
  CHECK(kith_redistribute(MPI_COMM_WORLD, orders[3], &value, 1, MPI_INT) == MPI_SUCCESS);
  CHECK(kith_redistribute(orders[3], MPI_COMM_WORLD, &value, 1, MPI_INT) == MPI_SUCCESS);
  CHECK(value == world_rank);
  MPI_Comm half, turned;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &half);
  MPI_Comm_split(half, 0, -world_rank, &turned);
  all_constructions(half, turned, 2, 7);
  MPI_Comm_free(&turned);
  MPI_Comm_free(&half);
  /* Absolute addresses. */
  MPI_Aint address;
  MPI_Get_address(&value, &address);
  MPI_Datatype absolute;
  MPI_Type_create_hindexed(1, (int[]){1}, &address, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  int before, after;
  MPI_Comm_rank(orders[1], &before);
  MPI_Comm_rank(orders[4], &after);
  value = before;
  CHECK(kith_redistribute(orders[1], orders[4], MPI_BOTTOM, 1, absolute) == MPI_SUCCESS);
  CHECK(value == after);
  MPI_Type_free(&absolute);
  for (int i = 0; i < count; ++i) MPI_Comm_free(&orders[i]);
}

/* --- arguments ----------------------------------------------------------------------------------- */

static void refused(int expected, MPI_Comm from, MPI_Comm to, void* buffer, MPI_Count count,
                    MPI_Datatype type) {
  const int code = kith_redistribute(from, to, buffer, count, type);
  if (code != expected) {
    fprintf(stderr, "rank %d: expected %d, got %d\n", world_rank, expected, code);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void arguments(void) {
  int data[4] = {world_rank, 1, 2, 3};
  const int odd = world_rank == 1; /* one rank alone is wrong */
  MPI_Comm other = shifted(1), next = shifted(2), half, between;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank % 2, 5, &between);
  refused(MPI_ERR_COMM, MPI_COMM_NULL, other, data, 4, MPI_INT);
  refused(MPI_ERR_COMM, between, other, data, 4, MPI_INT);
  refused(MPI_ERR_COMM, other, MPI_COMM_NULL, data, 4, MPI_INT);
  refused(MPI_ERR_COMM, other, odd ? MPI_COMM_NULL : MPI_COMM_WORLD, data, 4, MPI_INT);
  refused(MPI_ERR_COMM, MPI_COMM_WORLD, between, data, 4, MPI_INT);
  refused(MPI_ERR_COMM, MPI_COMM_WORLD, half, data, 4, MPI_INT);
  refused(MPI_ERR_COMM, half, MPI_COMM_WORLD, data, 4, MPI_INT);
  refused(MPI_ERR_COMM, MPI_COMM_WORLD, odd ? other : next, data, 4, MPI_INT);
  refused(MPI_ERR_COUNT, MPI_COMM_WORLD, other, data, -1, MPI_INT);
  refused(MPI_ERR_COUNT, MPI_COMM_WORLD, other, data, odd ? -1 : 4, MPI_INT);
  refused(MPI_ERR_COUNT, MPI_COMM_WORLD, other, data, odd ? 3 : 4, MPI_INT);
  refused(MPI_ERR_COUNT, MPI_COMM_WORLD, other, data, odd ? 0 : 4, MPI_INT);
  refused(MPI_ERR_TYPE, MPI_COMM_WORLD, other, data, 4, MPI_DATATYPE_NULL);
  refused(MPI_ERR_TYPE, MPI_COMM_WORLD, other, data, 4, odd ? MPI_DATATYPE_NULL : MPI_INT);
  refused(MPI_ERR_TYPE, MPI_COMM_WORLD, other, data, 2, odd ? MPI_DOUBLE : MPI_INT);
  refused(MPI_ERR_BUFFER, MPI_COMM_WORLD, other, MPI_IN_PLACE, 4, MPI_INT);
  refused(MPI_ERR_BUFFER, MPI_COMM_WORLD, other, odd ? MPI_IN_PLACE : data, 4, MPI_INT);
  refused(MPI_ERR_BUFFER, MPI_COMM_WORLD, other, odd ? NULL : data, 4, MPI_INT);
  MPI_Datatype uncommitted;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  refused(MPI_ERR_TYPE, MPI_COMM_WORLD, other, data, 2, uncommitted);
  MPI_Type_free(&uncommitted);
  CHECK(data[0] == world_rank && data[3] == 3); /* nothing moved */
  refused(MPI_SUCCESS, MPI_COMM_WORLD, other, NULL, 0, MPI_INT);
  refused(MPI_SUCCESS, MPI_COMM_WORLD, other, data, 4, MPI_INT);
  CHECK(data[0] == (world_rank + 1) % world_size);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  MPI_Comm_free(&next);
  MPI_Comm_free(&other);
}

/* --- memory -------------------------------------------------------------------------------------- */

static long peak_kib(void) {
  FILE* status = fopen("/proc/self/status", "r");
  char line[256];
  long kib = 0;
  while (fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
  }
  fclose(status);
  return kib;
}

/* Half of the blocks of 8 doubles of a large array, as one element or as many. */
static void memory(void) {
  enum { blocks = 1 << 20, block = 8 };
  MPI_Comm other = shifted(1);
  double* data = malloc(sizeof(double) * blocks * block * 2);
  MPI_Datatype one, all, row;
  MPI_Type_contiguous(block, MPI_DOUBLE, &row);
  MPI_Type_create_resized(row, 0, 2 * block * sizeof(double), &one);
  MPI_Type_create_subarray(2, (int[]){blocks, 2 * block}, (int[]){blocks, block}, (int[]){0, 0},
                           MPI_ORDER_C, MPI_DOUBLE, &all);
  MPI_Type_commit(&one);
  MPI_Type_commit(&all);
  for (int i = 0; i < blocks * block * 2; ++i) data[i] = i + 0.25 * world_rank;
  char small = 0;
  refused(MPI_SUCCESS, MPI_COMM_WORLD, other, &small, 1, MPI_CHAR); /* the library's own buffers */
  const long before = peak_kib();
  refused(MPI_SUCCESS, MPI_COMM_WORLD, other, data, blocks, one);
  const long after_many = peak_kib();
  refused(MPI_SUCCESS, other, MPI_COMM_WORLD, data, 1, all);
  const long after_one = peak_kib();
  for (int i = 0; i < blocks * block * 2; ++i) CHECK(data[i] == i + 0.25 * world_rank);
  long extra[2] = {after_many - before, after_one - before}, most[2];
  MPI_Reduce(extra, most, 2, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (world_rank == 0) printf("extra %ld %ld KiB\n", most[0], most[1]);
  MPI_Type_free(&row);
  MPI_Type_free(&one);
  MPI_Type_free(&all);
  free(data);
  MPI_Comm_free(&other);
}

/* More elements than an int counts. */
static void large(void) {
  const MPI_Count count = ((MPI_Count)1 << 31) + 4097;
  MPI_Comm other = shifted(1);
  unsigned char* data = malloc((size_t)count);
  for (MPI_Count i = 0; i < count; ++i) data[i] = (unsigned char)(i % 251 + world_rank);
  refused(MPI_SUCCESS, MPI_COMM_WORLD, other, data, count, MPI_BYTE);
  int now;
  MPI_Comm_rank(other, &now);
  for (MPI_Count i = 0; i < count; ++i) CHECK(data[i] == (unsigned char)(i % 251 + now));
  free(data);
  MPI_Comm_free(&other);
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  CHECK(argc == 2 && world_size <= 256);
  if (strcmp(argv[1], "contents") == 0) contents();
  if (strcmp(argv[1], "arguments") == 0) arguments();
  if (strcmp(argv[1], "memory") == 0) memory();
  if (strcmp(argv[1], "large") == 0) large();
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank == 0) printf("%s done\n", argv[1]);
  MPI_Finalize();
  return 0;
}
