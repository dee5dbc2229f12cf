#include "record/record.hpp"

#include <atomic>

#include "mpi/world.hpp"
#include "record/collectives/calls.hpp"

namespace kith::record {
namespace {

// Several threads may make communicators at once: one of them writes.
enum class Known { no, being_written, yes };
constinit std::atomic<Known> known{Known::no};
constinit CartesianMembership first;

int size_of_group(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

}  // namespace

void cartesian_made(MPI_Comm from, int dimensions, const int extents[], const int periodic[],
                    MPI_Comm made) {
  communicator_made(from);
  if (made == MPI_COMM_NULL || dimensions < 1 || dimensions > CartesianShape::most_dimensions ||
      size_of_group(made) != size_of_group(mpi::program_world())) {
    return;
  }
  Known nothing_yet = Known::no;
  if (!known.compare_exchange_strong(nothing_yet, Known::being_written)) return;
  first.shape.dimensions = dimensions;
  for (int d = 0; d < dimensions; ++d) {
    const auto at = static_cast<std::size_t>(d);
    first.shape.extents[at] = extents[d];
    first.shape.periodic[at] = periodic[d] != 0 ? 1 : 0;
  }
  PMPI_Comm_rank(made, &first.rank);
  known.store(Known::yes, std::memory_order_release);
}

const CartesianMembership* first_cartesian() {
  return known.load(std::memory_order_acquire) == Known::yes ? &first : nullptr;
}

}  // namespace kith::record
