/* A ring of ranks that reach into each other's memory, by every one-sided operation and in every
 * mode of synchronisation, and keep account of what they move.
 *
 * rma_halo [N ROUNDS] [allocate] [--account]: N values in each transfer; `allocate` lets the
 * library choose the windows' memory. --account prints a line `rma FROM TO BYTES` for each pair of
 * ranks: a put or an accumulate moves data to the target, a get from it, the others both ways. */
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

enum {
  slots = 6
}; /* a window: four areas of N values, one for each transfer, and two of counters */

static int rank, ranks, left, right, n;
static long* account; /* [from * ranks + to] in bytes, of operations that we started */
static double *mine, *window_memory, *fetched;
static MPI_Win window;

static void to_target(int target, long values) {
  account[rank * ranks + target] += values * (long)sizeof(double);
}
static void from_target(int target, long values) {
  account[target * ranks + rank] += values * (long)sizeof(double);
}
static void both_ways(int target, long values) {
  to_target(target, values);
  from_target(target, values);
}

/* Where area `k` begins, in values. */
static MPI_Aint area(int k) {
  return (MPI_Aint)k * n;
}

static void put(int target, int k) {
  MPI_Put(mine, n, MPI_DOUBLE, target, area(k), n, MPI_DOUBLE, window);
  to_target(target, n);
}
static void get(int target, int k) {
  MPI_Get(fetched, n, MPI_DOUBLE, target, area(k), n, MPI_DOUBLE, window);
  from_target(target, n);
}
static void accumulate(int target, int k) {
  MPI_Accumulate(mine, n, MPI_DOUBLE, target, area(k), n, MPI_DOUBLE, MPI_SUM, window);
  to_target(target, n);
}

/* Everybody opens and closes the window together. */
static void by_fence(void) {
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  put(right, 0);
  put(left, 1);
  MPI_Win_fence(0, window);
  get(right, 0);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

/* Neighbours only: we open ours to the left one and reach into the right one's. */
static void by_post_and_start(void) {
  MPI_Group world, origin, target;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &left, &origin);
  MPI_Group_incl(world, 1, &right, &target);
  MPI_Win_post(origin, 0, window);
  MPI_Win_start(target, 0, window);
  put(right, 2);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  MPI_Group_free(&target);
  MPI_Group_free(&origin);
  MPI_Group_free(&world);
}

/* The target takes no part. */
static void by_lock(void) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window);
  accumulate(right, 3);
  MPI_Win_unlock(right, window);
  MPI_Win_lock(MPI_LOCK_SHARED, left, 0, window);
  get(left, 0);
  MPI_Win_unlock(left, window);
}

/* A long epoch, with completion operation by operation. */
static void by_flush(void) {
  const double one = 1.0;
  const long expected = 0, wanted = 7;
  long seen;
  double before;
  MPI_Win_lock_all(0, window);
  put(right, 0);
  MPI_Win_flush(right, window);
  MPI_Get_accumulate(mine, n, MPI_DOUBLE, fetched, n, MPI_DOUBLE, right, area(3), n, MPI_DOUBLE,
                     MPI_SUM, window);
  both_ways(right, n);
  MPI_Win_flush_local(right, window);
  MPI_Fetch_and_op(&one, &before, MPI_DOUBLE, right, area(4), MPI_SUM, window);
  both_ways(right, 1);
  MPI_Compare_and_swap(&wanted, &expected, &seen, MPI_LONG, left, area(5), window);
  both_ways(left, 1);
  MPI_Win_flush_all(window);
  MPI_Win_unlock_all(window);
}

/* Operations that are waited for like messages. */
static void by_request(void) {
  MPI_Request request[4];
  double* const more = fetched + n;
  MPI_Win_lock_all(0, window);
  MPI_Rput(mine, n, MPI_DOUBLE, right, area(1), n, MPI_DOUBLE, window, &request[0]);
  to_target(right, n);
  MPI_Rget(fetched, n, MPI_DOUBLE, left, area(2), n, MPI_DOUBLE, window, &request[1]);
  from_target(left, n);
  MPI_Raccumulate(mine, n, MPI_DOUBLE, right, area(3), n, MPI_DOUBLE, MPI_SUM, window, &request[2]);
  to_target(right, n);
  MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  MPI_Win_flush(right, window);
  MPI_Rget_accumulate(mine, n, MPI_DOUBLE, more, n, MPI_DOUBLE, right, area(3), n, MPI_DOUBLE,
                      MPI_SUM, window, &request[3]);
  both_ways(right, n);
  MPI_Wait(&request[3], MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(window);
}

/* To and from ourselves, nobody, and of nothing. */
static void corners(void) {
  MPI_Win_fence(0, window);
  put(rank, 0);
  MPI_Put(mine, n, MPI_DOUBLE, MPI_PROC_NULL, 0, n, MPI_DOUBLE, window);
  MPI_Get(fetched, 0, MPI_DOUBLE, right, 0, 0, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
}

static void print_account(void) {
  const int cells = ranks * ranks;
  long* sum = calloc((size_t)cells, sizeof(long));
  MPI_Reduce(account, sum, cells, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < cells; ++i) {
    if (sum[i] > 0) printf("rma %d %d %ld\n", i / ranks, i % ranks, sum[i]);
  }
  free(sum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  n = number_argument(argc, argv, 1, 1000);
  const int rounds = number_argument(argc, argv, 2, 3), values = slots * n;
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  account = calloc((size_t)(ranks * ranks), sizeof(long));
  mine = calloc((size_t)n, sizeof(double));
  fetched = calloc((size_t)(2 * n), sizeof(double));
  for (int i = 0; i < n; ++i) mine[i] = rank + i % 5;

  const MPI_Aint bytes = (MPI_Aint)values * (MPI_Aint)sizeof(double);
  double* own_memory = NULL;
  if (has_argument(argc, argv, "allocate")) {
    MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window_memory, &window);
  } else {
    window_memory = own_memory = malloc((size_t)bytes);
    MPI_Win_create(own_memory, bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  }
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  memset(window_memory, 0, (size_t)bytes);
  MPI_Win_unlock(rank, window);
  MPI_Barrier(MPI_COMM_WORLD);

  for (int round = 0; round < rounds; ++round) {
    by_fence();
    by_post_and_start();
    MPI_Barrier(MPI_COMM_WORLD);
    by_lock();
    MPI_Barrier(MPI_COMM_WORLD);
    by_flush();
    MPI_Barrier(MPI_COMM_WORLD);
    by_request();
    MPI_Barrier(MPI_COMM_WORLD);
    corners();
  }

  double part = 0, checksum = 0;
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
  for (int i = n; i < 5 * n; ++i) part += window_memory[i];
  MPI_Win_unlock(rank, window);
  MPI_Reduce(&part, &checksum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("rma_halo: checksum %.17g\n", checksum);
  if (has_argument(argc, argv, "--account")) print_account();
  MPI_Win_free(&window);
  free(own_memory);
  free(fetched);
  free(mine);
  free(account);
  MPI_Finalize();
  return 0;
}
