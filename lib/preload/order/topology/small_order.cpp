#include <algorithm>
#include <array>
#include <chrono>
#include <new>
#include <span>
#include <string_view>

#include "comm/private_comm.hpp"
#include "order/topology/small_map.hpp"
#include "order/topology/topology_order.hpp"
#include "protocol/messages.hpp"

namespace kith::preload {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;

template <class Value>
using PerMember = std::array<Value, most_small>;

/// What the root found, for everybody: of a fixed size.
struct Answer {
  bool has_memory = false;
  bool apply = false;
  std::int32_t moved = 0;
  std::int64_t before = 0;
  std::int64_t after = 0;
  double seconds = 0;
  PerMember<std::int32_t> new_rank{};
};

/// Who holds how much, on the root.
struct Parts {
  PerMember<std::int32_t> hosts{};  ///< a number for the host of each member
  PerMember<int> sizes{};
  PerMember<int> places{};
};

Parts gather_sizes(MPI_Comm comm, int members, std::size_t own_bytes) {
  const std::array<std::uint64_t, 2> own{host_digest(), own_bytes};
  std::array<std::uint64_t, 2 * std::size_t{most_small}> all{};
  check_mpi(PMPI_Gather(own.data(), 2, MPI_UINT64_T, all.data(), 2, MPI_UINT64_T, 0, comm),
            "MPI_Gather");
  Parts parts;
  int place = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(members); ++i) {
    std::size_t first = 0;
    while (all[2 * first] != all[2 * i]) ++first;
    parts.hosts[i] = static_cast<std::int32_t>(first);
    parts.sizes[i] = static_cast<int>(all[2 * i + 1]);
    parts.places[i] = place;
    place += parts.sizes[i];
  }
  return parts;
}

/// The triplets in a part, after its first byte.
void add_edges(std::string_view part, SmallGraph& graph) {
  Unpacker unpacker(part.substr(std::min<std::size_t>(part.size(), 1)));
  while (!unpacker.done()) {
    const auto cell = unpacker.get<protocol::TrafficCell>();
    graph.add(static_cast<int>(cell.source), static_cast<int>(cell.destination),
              static_cast<std::int64_t>(cell.bytes));
  }
}

/// The rank at each place of the grid in equal blocks; empty where some ranks have no place.
std::vector<std::int32_t> in_blocks(const DeclaredGraph& graph,
                                    std::span<const std::int32_t> hosts) {
  if (!graph.grid) return {};
  return map_grid(*graph.grid, hosts, 0);
}

void solve(const SmallGraph& graph, std::span<const std::int32_t> hosts,
           std::span<const std::int32_t> start, double min_gain, Answer& answer) {
  const SmallMap map = map_small(graph, hosts, start);
  answer.before = map.before;
  answer.after = map.after;
  const double most = static_cast<double>(map.before) * (1 - min_gain);
  answer.apply = map.after < map.before && static_cast<double>(map.after) <= most;
  for (std::size_t r = 0; r < map.new_rank.size(); ++r) {
    answer.new_rank[r] = map.new_rank[r];
    answer.moved += map.new_rank[r] != static_cast<std::int32_t>(r) ? 1 : 0;
  }
}

/// What the root works on.
struct Root {
  std::string edges;
  std::optional<SmallGraph> whole;

  bool make_room(int members) noexcept {
    try {
      edges.resize(most_bytes);  // no less than all parts together
      whole.emplace(members);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  void decide(Declared declared, const DeclaredGraph& graph, const Parts& parts, double min_gain,
              Answer& answer) noexcept {
    const auto begin = std::chrono::steady_clock::now();
    const std::span hosts(parts.hosts.data(), static_cast<std::size_t>(whole->vertices()));
    try {
      if (graph.grid) whole->add(*graph.grid);
      if (declared == Declared::by_all) add_edges(graph.edges, *whole);
      for (std::size_t i = 0; declared == Declared::in_parts && i < hosts.size(); ++i) {
        const auto place = static_cast<std::size_t>(parts.places[i]);
        add_edges(std::string_view(edges).substr(place, static_cast<std::size_t>(parts.sizes[i])),
                  *whole);
      }
      solve(*whole, hosts, in_blocks(graph, hosts), min_gain, answer);
    } catch (const std::exception&) {
      answer.has_memory = false;
    }
    answer.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
};

/// Collective: all parts behind each other on the root, where `edges` has room for them.
void gather_edges(MPI_Comm comm, const std::string& own, const Parts& parts, std::string& edges) {
  check_mpi(PMPI_Gatherv(own.data(), static_cast<int>(own.size()), MPI_BYTE, edges.data(),
                         parts.sizes.data(), parts.places.data(), MPI_BYTE, 0, comm),
            "MPI_Gatherv");
}

Order order_of(const Answer& answer, int members) {
  Order order;
  order.apply = answer.apply;
  order.algorithm = "hosts";
  order.cost_before = static_cast<double>(answer.before);
  order.cost_after = static_cast<double>(answer.after);
  order.seconds = answer.seconds;
  order.moved_ranks = answer.moved;
  order.reason = "weight of neighbours on other hosts " + std::to_string(answer.before);
  if (answer.after < answer.before) {
    // Rounded without libm, which the preload library does not need.
    const auto less = (200 * (answer.before - answer.after) / answer.before + 1) / 2;
    order.reason += ", in the best order found " + std::to_string(answer.after) + " (" +
                    std::to_string(less) + "% less)";
  } else {
    order.reason += ", and no order with less was found";
  }
  if (order.apply) {
    order.reason +=
        "; " + std::to_string(answer.moved) + " of " + std::to_string(members) + " ranks move";
    order.new_rank.assign(answer.new_rank.begin(), answer.new_rank.begin() + members);
  }
  return order;
}

}  // namespace

bool is_small(int members, const RequestSummary& request) {
  return members <= most_small && request.bytes <= most_bytes;
}

std::optional<Order> decide_small_order(MPI_Comm comm, Declared declared,
                                        const std::optional<DeclaredGraph>& graph,
                                        double min_gain) {
  const ErrorsReturned guard(comm);
  int members = 0;
  int rank = 0;
  PMPI_Comm_size(comm, &members);
  PMPI_Comm_rank(comm, &rank);
  const Parts parts = gather_sizes(comm, members, graph->edges.size());
  Answer answer;
  Root root;
  if (rank == 0) answer.has_memory = root.make_room(members);
  // The root alone asks for more than a little memory, and says whether it has it.
  check_mpi(PMPI_Bcast(&answer.has_memory, sizeof answer.has_memory, MPI_BYTE, 0, comm),
            "MPI_Bcast");
  if (!answer.has_memory) return std::nullopt;
  if (declared == Declared::in_parts) gather_edges(comm, graph->edges, parts, root.edges);
  if (rank == 0) root.decide(declared, *graph, parts, min_gain, answer);
  check_mpi(PMPI_Bcast(&answer, sizeof answer, MPI_BYTE, 0, comm), "MPI_Bcast");
  if (!answer.has_memory) return std::nullopt;
  return order_of(answer, members);
}

}  // namespace kith::preload
