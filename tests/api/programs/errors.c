/* What wrong arguments give: a line "CASE CLASS" each. The same in errors.F90 and errors.py. */
#include <kith/kith.h>
#include <math.h>
#include <stdio.h>

static MPI_Comm world;
static int rank;

static const char* name_of(int code) {
  switch (code) {
    case MPI_SUCCESS:
      return "MPI_SUCCESS";
    case MPI_ERR_COMM:
      return "MPI_ERR_COMM";
    case MPI_ERR_ARG:
      return "MPI_ERR_ARG";
    case MPI_ERR_RANK:
      return "MPI_ERR_RANK";
    case MPI_ERR_COUNT:
      return "MPI_ERR_COUNT";
    case MPI_ERR_TYPE:
      return "MPI_ERR_TYPE";
    case MPI_ERR_BUFFER:
      return "MPI_ERR_BUFFER";
    default:
      return "another code";
  }
}

static void told(const char* what, int code) {
  int least, greatest;
  MPI_Allreduce(&code, &least, 1, MPI_INT, MPI_MIN, world);
  MPI_Allreduce(&code, &greatest, 1, MPI_INT, MPI_MAX, world);
  if (rank == 0) printf("%s %s\n", what, least == greatest ? name_of(code) : "differs");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Comm half, between, made = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  MPI_Comm_split(world, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, world, 1 - rank % 2, 7, &between);
  kith_options infinite = KITH_OPTIONS_INIT;
  infinite.state_bytes = INFINITY;
  kith_report report = {.size = sizeof report};
  const int self[] = {rank}, far[] = {size};
  const double negative[] = {-1};
  int data[2] = {1, 2};

  told("reorder null", kith_reorder(MPI_COMM_NULL, NULL, &made));
  told("reorder inter", kith_reorder(between, NULL, &made));
  told("reorder infinite", kith_reorder(world, &infinite, &made));
  told("graph null", kith_reorder_graph(MPI_COMM_NULL, 1, self, NULL, NULL, &made));
  told("graph inter", kith_reorder_graph(between, 1, self, NULL, NULL, &made));
  told("graph rank", kith_reorder_graph(world, 1, far, NULL, NULL, &made));
  told("graph lists", kith_reorder_graph(world, rank == 0 ? -1 : 1, self, NULL, NULL, &made));
  told("graph weight", kith_reorder_graph(world, 1, self, negative, NULL, &made));
  told("checkpoint null", kith_checkpoint(MPI_COMM_NULL, "name"));
  told("checkpoint inter", kith_checkpoint(between, "name"));
  told("checkpoint half", kith_checkpoint(half, "name"));
  told("checkpoint empty", kith_checkpoint(world, ""));
  told("checkpoint empty on one", kith_checkpoint(world, rank == 1 ? "" : "name"));
  told("bind policy", kith_bind("compcat", KITH_BIND_FINE));
  told("bind granularity", kith_bind("compact", 7));
  told("bind matrix", kith_bind("kith", KITH_BIND_CORE));
  told("bind", kith_bind(NULL, KITH_BIND_CORE));
  told("redistribute null", kith_redistribute(MPI_COMM_NULL, world, data, 2, MPI_INT));
  told("redistribute to null", kith_redistribute(world, MPI_COMM_NULL, data, 2, MPI_INT));
  told("redistribute inter", kith_redistribute(between, world, data, 2, MPI_INT));
  told("redistribute half", kith_redistribute(world, half, data, 2, MPI_INT));
  told("redistribute count", kith_redistribute(world, world, data, rank % 2, MPI_INT));
  told("decision null", kith_decision(MPI_COMM_NULL, &report));
  told("decision self", kith_decision(MPI_COMM_SELF, &report));
  told("made none", made == MPI_COMM_NULL ? MPI_SUCCESS : MPI_ERR_COMM);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  MPI_Comm_free(&world);
  MPI_Finalize();
  return 0;
}
