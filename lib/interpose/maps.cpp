// MPI_Cart_map and MPI_Graph_map: which vertex each process should be. They are local calls: every
// process finds the same answer by itself, from a table of hosts that is kept where the program may
// call them.
#include "interpose/maps.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <optional>

#include "interpose/fortran/slots.hpp"
#include "interpose/wrapper.hpp"
#include "runtime/topology/declared_graph.hpp"
#include "runtime/topology/host_table.hpp"
#include "runtime/topology/local_map.hpp"

using namespace kith::interpose;

namespace {

constexpr const char* map_names[] = {"MPI_Cart_map",   "mpi_cart_map",      "mpi_cart_map_",
                                     "mpi_cart_map__", "MPI_CART_MAP",      "MPI_Graph_map",
                                     "mpi_graph_map",  "mpi_graph_map_",    "mpi_graph_map__",
                                     "MPI_GRAPH_MAP",  "mpi_cart_map_f08_", "mpi_graph_map_f08_"};

int look_for_calls(dl_phdr_info* library, std::size_t, void* found) {
  const char* const path = library->dlpi_name == nullptr ? "" : library->dlpi_name;
  const char* const slash = std::strrchr(path, '/');
  if (std::strncmp(slash == nullptr ? path : slash + 1, "libmpi", 6) == 0) return 0;
  SlotTable(*library).for_each([&](Slot slot) {
    const bool is_map =
        std::any_of(std::begin(map_names), std::end(map_names),
                    [&](const char* name) { return std::strcmp(name, slot.symbol) == 0; });
    if (is_map) *static_cast<bool*>(found) = true;
  });
  return 0;
}

bool program_may_call() {
  bool found = false;
  dl_iterate_phdr(look_for_calls, &found);
  return found;
}

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

/// find(hosts): who takes each vertex, or nothing. Memory that is short here alone is an error: any
/// other answer might be somebody else's place.
template <class Find, class Next>
int map_locally(const CallScope& call, MPI_Comm comm, int* newrank, Find&& find, Next&& next) {
  if (!call.outermost() || newrank == nullptr) return next();
  try {
    std::vector<std::int32_t> takes;
    {
      const kith::record::OwnCalls own;
      if (is_intracommunicator(comm)) {
        const std::vector<std::int32_t> hosts = kith::runtime::hosts_of(comm);
        if (!hosts.empty()) takes = find(hosts);
      }
      if (!takes.empty()) {
        *newrank = vertex_of_caller(comm, takes);
        return MPI_SUCCESS;
      }
    }
    return next();
  } catch (const std::bad_alloc&) {
    PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
    return MPI_ERR_NO_MEM;
  }
}

}  // namespace

namespace kith::interpose {

void prepare_maps() {
  runtime::keep_host_table(program_may_call());
}

}  // namespace kith::interpose

extern "C" {

KITH_EXPORT int MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[],
                             int* newrank) {
  static NextFunction<decltype(&MPI_Cart_map)> next{"MPI_Cart_map"};
  const CallScope call(CallKind::none);
  comm = seen_world(comm);
  return map_locally(
      call, comm, newrank,
      [&](const std::vector<std::int32_t>& hosts) -> std::vector<std::int32_t> {
        const auto graph = kith::runtime::declared_grid(size_of(comm), ndims, dims, periods);
        if (!graph) return {};
        std::size_t vertices = 1;
        for (const std::uint32_t extent : graph->grid->dims) vertices *= extent;
        return or_present(
            kith::runtime::map_grid(*graph->grid, hosts, kith::runtime::agreed_min_gain()),
            vertices);
      },
      [&] { return next.get()(comm, ndims, dims, periods, newrank); });
}

KITH_EXPORT int MPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[],
                              int* newrank) {
  static NextFunction<decltype(&MPI_Graph_map)> next{"MPI_Graph_map"};
  const CallScope call(CallKind::none);
  comm = seen_world(comm);
  return map_locally(
      call, comm, newrank,
      [&](const std::vector<std::int32_t>& hosts) -> std::vector<std::int32_t> {
        if (!kith::runtime::declared_adjacency(size_of(comm), nnodes, index, edges)) return {};
        const auto vertices = static_cast<std::size_t>(nnodes);
        const auto arcs = static_cast<std::size_t>(index[nnodes - 1]);
        return or_present(kith::runtime::map_graph({index, vertices}, {edges, arcs}, hosts,
                                                   kith::runtime::agreed_min_gain()),
                          vertices);
      },
      [&] { return next.get()(comm, nnodes, index, edges, newrank); });
}

}  // extern "C"
