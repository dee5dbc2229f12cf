// MPI_Cart_map and MPI_Graph_map: which vertex each process should be. They are local calls: every
// process finds the same answer by itself, from a table of hosts that is kept where the program may
// call them.
#include <algorithm>
#include <numeric>
#include <optional>

#include "comm/catching.hpp"
#include "interpose/wrapper.hpp"
#include "order/topology/declared_graph.hpp"
#include "order/topology/small_map.hpp"
#include "order/topology/topology_order.hpp"

using namespace kith::interpose;

namespace {

bool is_intracommunicator(MPI_Comm comm) {
  int is_inter = 1;
  return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS &&
         is_inter == 0;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

/// The vertex that takes[v] gives to the caller.
int vertex_of_caller(MPI_Comm comm, const std::vector<std::int32_t>& takes) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  const auto found = std::find(takes.begin(), takes.end(), rank);
  return found == takes.end() ? MPI_UNDEFINED : static_cast<int>(found - takes.begin());
}

/// The present order where no better one was found. Open MPI gives a place even to those that are
/// left over.
std::vector<std::int32_t> or_present(std::vector<std::int32_t> takes, std::size_t vertices) {
  if (takes.empty()) {
    takes.resize(vertices);
    std::iota(takes.begin(), takes.end(), 0);
  }
  return takes;
}

bool is_another_order(const std::vector<std::int32_t>& takes) {
  std::int32_t vertex = 0;
  return std::ranges::any_of(takes, [&](std::int32_t rank) { return rank != vertex++; });
}

/// find(hosts): the rank that takes each vertex, or nothing. Memory that is short here alone is an
/// error: any other answer might be the place of another process.
template <class Find, class Next>
int map_locally(const CallScope& call, MPI_Comm comm, int* newrank, Find&& find, Next&& next) {
  if (!call.outermost() || newrank == nullptr) return next();
  std::vector<std::int32_t> takes;
  const bool has_room = kith::preload::done_without_exception([&] {
    const kith::record::OwnCalls own;
    if (!is_intracommunicator(comm)) return;
    const std::vector<std::int32_t> hosts = kith::preload::hosts_of(comm);
    if (!hosts.empty()) takes = find(hosts);
  });
  if (!has_room) {
    PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
    return MPI_ERR_NO_MEM;
  }
  if (takes.empty()) return next();
  if (is_another_order(takes)) kith::preload::count_reordered_topology(comm);
  *newrank = vertex_of_caller(comm, takes);
  return MPI_SUCCESS;
}

}  // namespace

extern "C" {

KITH_EXPORT int MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[],
                             int* newrank) {
  static constinit NextFunction<decltype(&MPI_Cart_map)> next{"MPI_Cart_map"};
  const CallScope call(CallKind::none);
  comm = seen_world(comm);
  return map_locally(
      call, comm, newrank,
      [&](const std::vector<std::int32_t>& hosts) -> std::vector<std::int32_t> {
        const auto graph = kith::preload::declared_grid(size_of(comm), ndims, dims, periods);
        if (!graph) return {};
        std::size_t vertices = 1;
        for (const std::uint32_t extent : graph->grid->dims) vertices *= extent;
        return or_present(
            kith::preload::map_grid(*graph->grid, hosts, kith::preload::agreed_min_gain()),
            vertices);
      },
      [&] { return next.get()(comm, ndims, dims, periods, newrank); });
}

KITH_EXPORT int MPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[],
                              int* newrank) {
  static constinit NextFunction<decltype(&MPI_Graph_map)> next{"MPI_Graph_map"};
  const CallScope call(CallKind::none);
  comm = seen_world(comm);
  return map_locally(
      call, comm, newrank,
      [&](const std::vector<std::int32_t>& hosts) -> std::vector<std::int32_t> {
        if (!kith::preload::declared_adjacency(size_of(comm), nnodes, index, edges)) return {};
        const auto vertices = static_cast<std::size_t>(nnodes);
        const auto arcs = static_cast<std::size_t>(index[nnodes - 1]);
        return or_present(kith::preload::map_graph({index, vertices}, {edges, arcs}, hosts,
                                                   kith::preload::agreed_min_gain()),
                          vertices);
      },
      [&] { return next.get()(comm, nnodes, index, edges, newrank); });
}

}  // extern "C"
