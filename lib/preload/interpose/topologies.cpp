// Topologies that may be reordered. The library's own reordering does nothing, or gives wrong
// neighbours (Open MPI issue 11756), or binds the process to another core (its treematch component,
// even where there is but one): it is never asked for. Kith orders the processes by the graph that
// the program declares, and the library makes the topology of processes in that order.
#include <utility>

#include "comm/catching.hpp"
#include "comm/private_comm.hpp"
#include "interpose/wrapper.hpp"
#include "order/topology/declared_graph.hpp"
#include "order/topology/topology_order.hpp"
#include "record/collectives/calls.hpp"
#include "record/record.hpp"

using namespace kith::interpose;
using kith::preload::Declared;
using kith::preload::DeclaredGraph;
using kith::preload::Neighbours;
using kith::preload::TopologyOrder;

namespace {

bool is_intracommunicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return false;
  const kith::record::OwnCalls own;
  int is_inter = 1;
  return PMPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS && is_inter == 0;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

bool is_ours(const TimedCall& call, MPI_Comm comm, int reorder) {
  return reorder != 0 && call.outermost() && is_intracommunicator(comm) &&
         kith::preload::reorders_topologies(comm);
}

/// A graph that all members know. Valid or not: that is the same on all of them, but one of them
/// may find no memory for it.
struct Shared {
  bool is_valid = true;
  std::optional<DeclaredGraph> graph;
};

template <class Declare>
Shared shared(Declare&& declare) noexcept {
  Shared result;
  kith::preload::done_without_exception([&] {  // else the others go on with it, and so do we
    result.graph = declare();
    result.is_valid = result.graph.has_value();
  });
  return result;
}

/// This member's part; nothing where it is not valid, or memory is short.
template <class Declare>
std::optional<DeclaredGraph> own_part(Declare&& declare) noexcept {
  std::optional<DeclaredGraph> part;
  kith::preload::done_without_exception([&] { part = declare(); });
  return part;
}

int next_adjacent(MPI_Comm comm, const Neighbours& in, const Neighbours& out, MPI_Info info,
                  int reorder, MPI_Comm* made) {
  static constinit NextFunction<decltype(&MPI_Dist_graph_create_adjacent)> next{
      "MPI_Dist_graph_create_adjacent"};
  return next.get()(comm, in.count, in.ranks, in.weights, out.count, out.ranks, out.weights, info,
                    reorder, made);
}

/// `create(comm, reorder)` makes the topology of the graph that `declare()` tells, the same on all
/// members.
template <class Declare, class Create>
int create_shared(bool ours, MPI_Comm comm, int reorder, MPI_Comm* made, const char* call,
                  Declare&& declare, Create&& create) {
  if (!ours || made == nullptr) return create(comm, reorder);
  TopologyOrder order(comm, call);
  if (order.may_gain()) {
    Shared graph = shared(declare);
    if (!graph.is_valid) return create(comm, 0);
    order.decide(Declared::by_all, std::move(graph.graph));
  }
  const int code = create(order.communicator(), 0);
  if (code == MPI_SUCCESS) order.tell(*made);
  return code;
}

/// The process that becomes vertex v must say what v's neighbours are: it gets them from the one
/// that knows.
int create_adjacent_in(TopologyOrder& order, MPI_Comm comm, const Neighbours& in,
                       const Neighbours& out, MPI_Info info, MPI_Comm* made) {
  std::optional<kith::preload::NeighbourLists> lists;
  if (order.is_reordered()) {
    // Members that cannot talk to each other cannot make a topology either.
    kith::preload::done_without_exception([&] {
      lists = kith::preload::NeighbourLists::exchanged(order.communicator(), order.new_ranks(), in,
                                                       out);
    });
    if (!lists) order.give_up();
  }
  if (!lists) return next_adjacent(comm, in, out, info, 0, made);
  return next_adjacent(order.communicator(), lists->in(), lists->out(), info, 0, made);
}

/// Open MPI 4.1 sends the edges of MPI_Dist_graph_create with reorder=0 under tags that nonblocking
/// collectives on the same communicator come to use, those that make communicators among them, and
/// then hangs (their issue 13918). On a communicator that was just made, they do not meet. For
/// calls with reorder=1, and for all once Kith has made communicators of its own from the
/// program's.
template <class Create>
int create_on_copy(MPI_Comm comm, MPI_Comm* made, Create&& create) {
  MPI_Comm copy = MPI_COMM_NULL;
  {
    const kith::record::OwnCalls own;
    const kith::preload::ErrorsReturned guard(comm);
    if (PMPI_Comm_split(comm, 0, rank_in(comm), &copy) != MPI_SUCCESS) return MPI_ERR_OTHER;
  }
  const int code = create(copy);
  const kith::record::OwnCalls own;
  PMPI_Comm_free(&copy);
  if (code != MPI_SUCCESS) return code;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  PMPI_Comm_set_errhandler(*made, handler);
  PMPI_Errhandler_free(&handler);
  return MPI_SUCCESS;
}

}  // namespace

extern "C" {

KITH_EXPORT int MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                                int reorder, MPI_Comm* comm_cart) {
  static constinit NextFunction<decltype(&MPI_Cart_create)> next{"MPI_Cart_create"};
  const TimedCall call(CallKind::setup);
  comm_old = seen_world(comm_old);
  const int code = create_shared(
      is_ours(call, comm_old, reorder), comm_old, reorder, comm_cart, "MPI_Cart_create",
      [&] { return kith::preload::declared_grid(size_of(comm_old), ndims, dims, periods); },
      [&](MPI_Comm comm, int may_move) {
        return next.get()(comm, ndims, dims, periods, may_move, comm_cart);
      });
  if (call.outermost() && code == MPI_SUCCESS) {
    kith::record::cartesian_made(comm_old, ndims, dims, periods, *comm_cart);
    kith::record::communicator_appeared(*comm_cart);
  }
  return code;
}

KITH_EXPORT int MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[],
                                 const int edges[], int reorder, MPI_Comm* comm_graph) {
  static constinit NextFunction<decltype(&MPI_Graph_create)> next{"MPI_Graph_create"};
  const TimedCall call(CallKind::setup);
  comm_old = seen_world(comm_old);
  const int code = create_shared(
      is_ours(call, comm_old, reorder), comm_old, reorder, comm_graph, "MPI_Graph_create",
      [&] { return kith::preload::declared_adjacency(size_of(comm_old), nnodes, index, edges); },
      [&](MPI_Comm comm, int may_move) {
        return next.get()(comm, nnodes, index, edges, may_move, comm_graph);
      });
  if (call.outermost() && code == MPI_SUCCESS) {
    kith::record::communicator_made(comm_old);
    kith::record::communicator_appeared(*comm_graph);
  }
  return code;
}

// Whoever names an edge names vertices: that holds in any order of the processes.
KITH_EXPORT int MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int nodes[],
                                      const int degrees[], const int targets[], const int weights[],
                                      MPI_Info info, int reorder, MPI_Comm* newcomm) {
  static constinit NextFunction<decltype(&MPI_Dist_graph_create)> next{"MPI_Dist_graph_create"};
  const TimedCall call(CallKind::setup);
  comm_old = seen_world(comm_old);
  const auto create = [&](MPI_Comm comm) {
    return next.get()(comm, n, nodes, degrees, targets, weights, info, 0, newcomm);
  };
  if (reorder == 0 && call.outermost() && is_intracommunicator(comm_old) &&
      kith::preload::all_have_met()) {
    int code = create_on_copy(comm_old, newcomm, create);
    if (code != MPI_SUCCESS) code = create(comm_old);  // which says what is wrong
    if (code == MPI_SUCCESS) kith::record::communicator_appeared(*newcomm);
    return code;
  }
  if (!is_ours(call, comm_old, reorder)) {
    const int code = next.get()(comm_old, n, nodes, degrees, targets, weights, info, reorder, newcomm);
    if (call.outermost() && code == MPI_SUCCESS) kith::record::communicator_appeared(*newcomm);
    return code;
  }
  TopologyOrder order(comm_old, "MPI_Dist_graph_create");
  if (order.may_gain()) {
    order.decide(Declared::in_parts, own_part([&] {
                   return kith::preload::declared_edges(size_of(comm_old), n, nodes, degrees,
                                                        targets, weights);
                 }));
  }
  int code = order.is_reordered() ? create(order.communicator())
                                  : create_on_copy(comm_old, newcomm, create);
  if (code != MPI_SUCCESS && !order.is_reordered()) code = create(comm_old);  // says what is wrong
  if (code != MPI_SUCCESS) return code;
  order.tell(*newcomm);
  kith::record::communicator_appeared(*newcomm);
  return code;
}

KITH_EXPORT int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                               const int sourceweights[], int outdegree,
                                               const int destinations[], const int destweights[],
                                               MPI_Info info, int reorder,
                                               MPI_Comm* comm_dist_graph) {
  const TimedCall call(CallKind::setup);
  comm_old = seen_world(comm_old);
  const Neighbours in{indegree, sources, sourceweights};
  const Neighbours out{outdegree, destinations, destweights};
  int code = MPI_SUCCESS;
  if (is_ours(call, comm_old, reorder)) {
    TopologyOrder order(comm_old, "MPI_Dist_graph_create_adjacent");
    if (order.may_gain()) {
      order.decide(Declared::in_parts, own_part([&] {
                     return kith::preload::declared_neighbours(size_of(comm_old), rank_in(comm_old),
                                                               in, out);
                   }));
    }
    code = create_adjacent_in(order, comm_old, in, out, info, comm_dist_graph);
    if (code == MPI_SUCCESS) order.tell(*comm_dist_graph);
  } else {
    code = next_adjacent(comm_old, in, out, info, reorder, comm_dist_graph);
  }
  if (call.outermost() && code == MPI_SUCCESS) {
    kith::record::communicator_made(comm_old);
    kith::record::communicator_appeared(*comm_dist_graph);
  }
  return code;
}

}  // extern "C"
