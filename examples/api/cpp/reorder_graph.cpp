// A communicator in an order that suits what the program is going to send, before it has sent
// anything: each rank names its peers, with weights.
#include "pairs.hpp"

namespace {

Communicator ordered_for(MPI_Comm comm, const std::vector<int>& peers,
                         const std::vector<double>& weights) {
  kith_options options = KITH_OPTIONS_INIT;
  options.min_gain = 0.1;  // not for less than a tenth of the cost
  MPI_Comm better = MPI_COMM_NULL;
  check(kith_reorder_graph(comm, static_cast<int>(peers.size()), peers.data(), weights.data(),
                           &options, &better));
  return Communicator(better);
}

}  // namespace

int main(int argc, char** argv) {
  const Session session(argc, argv);
  std::cout.precision(15);
  const int next = (rank_in(MPI_COMM_WORLD) + 1) % size_of(MPI_COMM_WORLD);
  // A lot to the partner, a little to the next rank.
  const Communicator better =
      ordered_for(MPI_COMM_WORLD, {partner_in(MPI_COMM_WORLD), next}, {1000, 1});
  show(better);

  const double sum = exchange(better);
  if (rank_in(better) == 0) std::cout << "sum " << sum << '\n';
}
