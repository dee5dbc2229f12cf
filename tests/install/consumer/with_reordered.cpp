// kith/reordered.hpp: the communicator is freed once, moves, and errors are exceptions on all
// ranks.
#include <kith/reordered.hpp>

#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

static_assert(!std::is_copy_constructible_v<kith::Reordered>);
static_assert(!std::is_copy_assignable_v<kith::Reordered>);
static_assert(std::is_nothrow_move_constructible_v<kith::Reordered>);
static_assert(std::is_nothrow_move_assignable_v<kith::Reordered>);

namespace {

int freed = 0;

int count_free(MPI_Comm, int, void*, void*) {
  ++freed;
  return MPI_SUCCESS;
}

int code_of(const std::vector<int>& peers, const std::vector<double>& weights) {
  try {
    const kith::Reordered refused(MPI_COMM_WORLD, peers, weights);
    return MPI_SUCCESS;
  } catch (const kith::MpiError& error) {
    return error.code();
  }
}

int fails(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0, keyval = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_free, &keyval, nullptr);
  {
    kith_options options = kith::default_options();
    options.topology = "tree:2x2";
    kith::Reordered first(MPI_COMM_WORLD, {(rank + size / 2) % size}, {7}, options);
    MPI_Comm_set_attr(first.comm(), keyval, nullptr);
    const kith_report report = first.report();
    if (report.reordered != 1 || report.reason_code != KITH_REASON_REORDERED)
      return fails("report");
    int held = rank;
    first.redistribute(&held, 1, MPI_INT);
    int now = 0;
    MPI_Comm_rank(first.comm(), &now);
    if (held != now) return fails("redistribute");
    kith::Reordered second(std::move(first));
    if (freed != 0 || first.comm() != MPI_COMM_NULL) return fails("moved from");
    const kith::Reordered alone(MPI_COMM_WORLD, {(rank + 1) % size});
    if (alone.comm() == MPI_COMM_NULL) return fails("peers in braces");
    kith::Reordered third(MPI_COMM_WORLD);
    MPI_Comm_set_attr(third.comm(), keyval, nullptr);
    third = std::move(second);
    if (freed != 1) return fails("the target of a move was not freed");
    if (rank == 0) std::printf("reordered %d: %s\n", report.reordered, report.reason);
  }
  if (freed != 2) return fails("freed at the end of the scope");
  if (code_of({rank == 0 ? size : 0}, {}) != MPI_ERR_RANK) return fails("a peer that is none");
  if (code_of({0}, rank == 0 ? std::vector<double>{1, 2} : std::vector<double>{1}) != MPI_ERR_ARG) {
    return fails("weights and peers that do not fit");
  }
  MPI_Comm_free_keyval(&keyval);
  const kith::Reordered late(MPI_COMM_WORLD);  // ends after MPI_Finalize
  MPI_Finalize();
  return 0;
}
