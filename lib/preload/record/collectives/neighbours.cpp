// Neighbourhood collectives: one message along each outgoing edge of the communicator's topology.
#include <array>
#include <new>
#include <vector>

#include "record/collectives/calls.hpp"
#include "record/collectives/library.hpp"

namespace kith::record {
namespace {

// Calls visit(edge, destination) for each outgoing edge that leads somewhere. Cartesian: the lower
// neighbour, then the upper one, in each dimension.
template <class Visit>
void for_each_cart_edge(MPI_Comm comm, Visit visit) {
  int dimensions = 0;
  if (PMPI_Cartdim_get(comm, &dimensions) != MPI_SUCCESS) return;
  for (int d = 0; d < dimensions; ++d) {
    int lower = MPI_PROC_NULL;
    int upper = MPI_PROC_NULL;
    if (PMPI_Cart_shift(comm, d, 1, &lower, &upper) != MPI_SUCCESS) return;
    if (lower != MPI_PROC_NULL) visit(2 * d, lower);
    if (upper != MPI_PROC_NULL) visit(2 * d + 1, upper);
  }
}

// Room for a list of ranks without allocation, if it is short. Throws std::bad_alloc.
class RankList {
 public:
  explicit RankList(int count) {
    if (static_cast<std::size_t>(count) > short_.size()) {
      long_.resize(static_cast<std::size_t>(count));
    }
  }
  int* data() { return long_.empty() ? short_.data() : long_.data(); }

 private:
  std::array<int, 64> short_{};
  std::vector<int> long_;
};

template <class Visit>
void for_each_graph_edge(MPI_Comm comm, int rank, Visit visit) {
  int degree = 0;
  if (PMPI_Graph_neighbors_count(comm, rank, &degree) != MPI_SUCCESS) return;
  RankList neighbours(degree);
  if (PMPI_Graph_neighbors(comm, rank, degree, neighbours.data()) != MPI_SUCCESS) return;
  for (int i = 0; i < degree; ++i) visit(i, neighbours.data()[i]);
}

template <class Visit>
void for_each_distributed_edge(MPI_Comm comm, Visit visit) {
  int in = 0;
  int out = 0;
  int weighted = 0;
  if (PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) != MPI_SUCCESS) return;
  RankList sources(in);
  RankList destinations(out);
  RankList in_weights(in);
  RankList out_weights(out);
  if (PMPI_Dist_graph_neighbors(comm, in, sources.data(), in_weights.data(), out,
                                destinations.data(), out_weights.data()) != MPI_SUCCESS) {
    return;
  }
  for (int i = 0; i < out; ++i) {
    if (destinations.data()[i] != MPI_PROC_NULL) visit(i, destinations.data()[i]);
  }
}

template <class Visit>
void for_each_edge(const Member& member, Visit visit) {
  int topology = MPI_UNDEFINED;
  if (PMPI_Topo_test(member.comm, &topology) != MPI_SUCCESS) return;
  if (topology == MPI_CART) for_each_cart_edge(member.comm, visit);
  if (topology == MPI_GRAPH) for_each_graph_edge(member.comm, member.place.rank, visit);
  if (topology == MPI_DIST_GRAPH) for_each_distributed_edge(member.comm, visit);
}

// A message of bytes_of(edge) along each edge.
template <class BytesOf>
void along_edges(const CollectiveOn& on, Op op, BytesOf bytes_of) {
  const auto listeners = listeners_of(on.comm);
  if (!listeners) return;
  ThreadTimeline* const thread = listeners->timeline;
  if (thread != nullptr) thread->numbers.clear();
  Emitter emitter(*listeners, on, CallClass::neighbour,
                  thread == nullptr ? nullptr : &thread->numbers);
  try {
    for_each_edge(listeners->member,
                  [&](int edge, int destination) { emitter.to_peer(destination, bytes_of(edge)); });
  } catch (const std::bad_alloc&) {
    // A rank with very many neighbours and no memory: the call goes uncounted.
  }
  if (thread == nullptr) return;
  timeline::Event event;
  event.op = op;
  event.comm = number_of(*thread, on.comm);
  CollectiveCall call(*thread, on, event);
  call.take_list(emitter.listed());
  call.append();
}

void same_to_all(const CollectiveOn& on, Op op, std::int64_t sendcount, MPI_Datatype sendtype) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(sendcount) * size_of(sendtype);
  along_edges(on, op, [&](int) { return bytes; });
}

// The binding answers it.
bool is_answered(const CollectiveOn& on, std::int64_t sendcount) {
  return sendcount == 0 && on.timing == Timing::blocking;
}

}  // namespace

void neighbor_allgather(const CollectiveOn& on, std::int64_t sendcount, MPI_Datatype sendtype) {
  if (!is_answered(on, sendcount)) same_to_all(on, Op::neighbor_allgather, sendcount, sendtype);
}

void neighbor_allgatherv(const CollectiveOn& on, std::int64_t sendcount, MPI_Datatype sendtype) {
  same_to_all(on, Op::neighbor_allgatherv, sendcount, sendtype);
}

void neighbor_alltoall(const CollectiveOn& on, std::int64_t sendcount, MPI_Datatype sendtype) {
  if (!is_answered(on, sendcount)) same_to_all(on, Op::neighbor_alltoall, sendcount, sendtype);
}

void neighbor_alltoallv(const CollectiveOn& on, Counts sendcounts, MPI_Datatype sendtype) {
  const std::uint64_t element = size_of(sendtype);
  along_edges(on, Op::neighbor_alltoallv,
              [&](int edge) { return static_cast<std::uint64_t>(sendcounts[edge]) * element; });
}

void neighbor_alltoallw(const CollectiveOn& on, Counts sendcounts, const MPI_Datatype sendtypes[]) {
  along_edges(on, Op::neighbor_alltoallw, [&](int edge) {
    return static_cast<std::uint64_t>(sendcounts[edge]) * size_of(sendtypes[edge]);
  });
}

}  // namespace kith::record
