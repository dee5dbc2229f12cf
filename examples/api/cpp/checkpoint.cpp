// Reordering in the middle of a run: phases are told apart, the order is chosen by the last one
// only, and each rank's field moves to the process that is that rank from now on.
#include "pairs.hpp"

namespace {

// Depends on which rank holds which field, not on which process is that rank.
double checksum(MPI_Comm comm, const std::vector<double>& field) {
  return sum_over(comm, std::accumulate(field.begin(), field.end(), 0.0) * (rank_in(comm) + 1));
}

Communicator in_better_order(MPI_Comm comm, std::size_t state_bytes, double remaining) {
  kith_options options = KITH_OPTIONS_INIT;
  options.since_checkpoint = 1;
  options.state_bytes = static_cast<double>(state_bytes);  // moving has a price, ...
  options.remaining = remaining;  // ... and so many times as much as was sent is still to come
  MPI_Comm better = MPI_COMM_NULL;
  check(kith_reorder(comm, &options, &better));
  return Communicator(better);
}

}  // namespace

int main(int argc, char** argv) {
  const Session session(argc, argv);
  std::cout.precision(15);
  std::vector<double> field(500);
  std::iota(field.begin(), field.end(), 500 * rank_in(MPI_COMM_WORLD));
  const double before = checksum(MPI_COMM_WORLD, field);
  check(kith_checkpoint(MPI_COMM_WORLD, "set-up"));  // what was sent until here is not typical

  for (int step = 0; step < 4; ++step) exchange(MPI_COMM_WORLD);
  const std::size_t state_bytes = field.size() * sizeof(double);
  const Communicator better = in_better_order(MPI_COMM_WORLD, state_bytes, 9);
  const auto cells = static_cast<MPI_Count>(field.size());
  check(kith_redistribute(MPI_COMM_WORLD, better, field.data(), cells, MPI_DOUBLE));
  check(kith_checkpoint(better, "steps"));
  show(better);

  const double after = checksum(better, field);
  if (rank_in(better) == 0) std::cout << "checksums " << before << ' ' << after << '\n';
}
