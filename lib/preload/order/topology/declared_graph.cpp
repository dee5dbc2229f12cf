#include "order/topology/declared_graph.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "comm/private_comm.hpp"
#include "order/topology/topology_order.hpp"
#include "protocol/messages.hpp"
#include "record/call_context.hpp"

namespace kith::preload {
namespace {

/// The weights as numbers; without weights every edge counts 1.
class Weights {
 public:
  explicit Weights(const int weights[]) : weights_(weights == MPI_UNWEIGHTED ? nullptr : weights) {}
  std::int64_t operator[](int i) const { return weights_ == nullptr ? 1 : weights_[i]; }

 private:
  const int* weights_;
};

/// Edges between vertices 0 .. vertices - 1; false once something else came.
class EdgePacker {
 public:
  explicit EdgePacker(int vertices) : vertices_(vertices) { packer_.put(char{1}); }

  bool add(int source, int destination, std::int64_t weight) {
    if (!is_vertex(source) || !is_vertex(destination) || weight < 0) return false;
    if (source == destination || weight == 0) return true;
    packer_.put(protocol::TrafficCell{static_cast<std::uint32_t>(source),
                                      static_cast<std::uint32_t>(destination),
                                      static_cast<std::uint64_t>(weight)});
    return true;
  }
  DeclaredGraph take() { return {{}, packer_.take()}; }

 private:
  bool is_vertex(int v) const { return v >= 0 && v < vertices_; }

  int vertices_;
  Packer packer_;
};

/// `count` entries; null means an empty list.
bool is_list(int count, const int list[]) {
  return count == 0 || (count > 0 && list != nullptr);
}

constexpr int tag_sizes = 1;
constexpr int tag_numbers = 2;

bool is_weighted(const Neighbours& list) {
  return list.weights != MPI_UNWEIGHTED;
}

void append(const Neighbours& list, std::vector<int>& numbers) {
  if (list.count == 0) return;
  numbers.insert(numbers.end(), list.ranks, list.ranks + list.count);
  if (is_weighted(list)) {
    numbers.insert(numbers.end(), list.weights, list.weights + list.count);
  }
}

}  // namespace

std::optional<DeclaredGraph> declared_grid(int processes, int dimensions, const int extents[],
                                           const int periodic[]) {
  if (dimensions < 1 || extents == nullptr || periodic == nullptr) return std::nullopt;
  DeclaredGraph declared;
  declared.grid.emplace();
  std::int64_t vertices = 1;
  for (int d = 0; d < dimensions; ++d) {
    if (extents[d] < 1) return std::nullopt;
    vertices *= extents[d];
    if (vertices > processes) return std::nullopt;
    declared.grid->dims.push_back(static_cast<std::uint32_t>(extents[d]));
    declared.grid->periods.push_back(periodic[d] != 0);
  }
  if (vertices == 1) return std::nullopt;
  return declared;
}

std::optional<DeclaredGraph> declared_adjacency(int processes, int vertices, const int index[],
                                                const int neighbours[]) {
  if (vertices < 2 || vertices > processes || index == nullptr) return std::nullopt;
  if (!is_list(index[vertices - 1], neighbours)) return std::nullopt;
  EdgePacker edges(vertices);
  int i = 0;
  for (int v = 0; v < vertices; ++v) {
    if (index[v] < i) return std::nullopt;
    for (; i < index[v]; ++i) {
      if (!edges.add(v, neighbours[i], 1)) return std::nullopt;
    }
  }
  return edges.take();
}

std::optional<DeclaredGraph> declared_edges(int processes, int sources_count, const int sources[],
                                            const int degrees[], const int destinations[],
                                            const int weights[]) {
  if (!is_list(sources_count, sources) || !is_list(sources_count, degrees)) return std::nullopt;
  const Weights weight(weights);
  EdgePacker edges(processes);
  int at = 0;
  for (int i = 0; i < sources_count; ++i) {
    if (degrees[i] < 0 || degrees[i] > INT32_MAX - at) return std::nullopt;
    const int end = at + degrees[i];
    if (!is_list(end, destinations) || !is_list(end, weights)) return std::nullopt;
    for (; at < end; ++at) {
      if (!edges.add(sources[i], destinations[at], weight[at])) return std::nullopt;
    }
  }
  return edges.take();
}

DeclaredGraph declared_peers(int processes, int rank, int degree, const int peers[],
                             const double weights[], double scale) {
  EdgePacker edges(processes);
  for (int i = 0; i < degree; ++i) {
    if (peers[i] == MPI_PROC_NULL) continue;
    const double weight = weights == nullptr ? 1 : weights[i];
    const auto scaled = static_cast<std::int64_t>(weight * scale + 0.5);
    edges.add(rank, peers[i], weight > 0 ? std::max<std::int64_t>(scaled, 1) : 0);
  }
  return edges.take();
}

std::optional<DeclaredGraph> declared_neighbours(int processes, int rank, const Neighbours& in,
                                                 const Neighbours& out) {
  std::optional<DeclaredGraph> declared;
  for (const Neighbours* const list : {&in, &out}) {
    if (!is_list(list->count, list->ranks) || !is_list(list->count, list->weights)) return {};
    const Weights weight(list->weights);
    EdgePacker edges(processes);
    for (int i = 0; i < list->count; ++i) {
      if (!edges.add(rank, list->ranks[i], weight[i])) return {};
    }
    declared = edges.take();
  }
  return declared;
}

Neighbours NeighbourLists::view(const List& list) {
  const int* const weights =
      list.is_weighted ? list.numbers.data() + list.count : static_cast<const int*>(MPI_UNWEIGHTED);
  return {list.count, list.numbers.data(), weights};
}

std::optional<NeighbourLists> NeighbourLists::exchanged(MPI_Comm reordered,
                                                        const std::vector<std::int32_t>& new_ranks,
                                                        const Neighbours& in,
                                                        const Neighbours& out) {
  const record::OwnCalls own;
  const ErrorsReturned guard(reordered);
  int vertex = 0;
  PMPI_Comm_rank(reordered, &vertex);
  const int taken_over = new_ranks[static_cast<std::size_t>(vertex)];
  const auto heir = static_cast<int>(std::ranges::find(new_ranks, vertex) - new_ranks.begin());

  const std::array<int, 4> given{in.count, is_weighted(in), out.count, is_weighted(out)};
  std::array<int, 4> got{};
  check_mpi(PMPI_Sendrecv(given.data(), 4, MPI_INT, heir, tag_sizes, got.data(), 4, MPI_INT,
                          taken_over, tag_sizes, reordered, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  NeighbourLists lists;
  std::vector<int> numbers;
  std::vector<int> received;
  bool has_room = true;
  const auto size = [](int count, int weighted) {
    return static_cast<std::size_t>(count) * (weighted != 0 ? 2 : 1);
  };
  const std::size_t in_size = size(got[0], got[1]);
  try {
    append(in, numbers);
    append(out, numbers);
    received.resize(in_size + size(got[2], got[3]));
    lists.in_ = {got[1] != 0, got[0], std::vector<int>(in_size + 1)};
    lists.out_ = {got[3] != 0, got[2], std::vector<int>(received.size() - in_size + 1)};
  } catch (const std::bad_alloc&) {
    has_room = false;
  }
  std::array<std::uint64_t, 1> all_have_room{has_room ? 1U : 0U};
  agree_on_least(reordered, all_have_room);
  if (all_have_room[0] == 0) return std::nullopt;
  check_mpi(PMPI_Sendrecv(numbers.data(), static_cast<int>(numbers.size()), MPI_INT, heir,
                          tag_numbers, received.data(), static_cast<int>(received.size()), MPI_INT,
                          taken_over, tag_numbers, reordered, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  const auto end_of_in = received.begin() + static_cast<std::ptrdiff_t>(in_size);
  std::copy(received.begin(), end_of_in, lists.in_.numbers.begin());
  std::copy(end_of_in, received.end(), lists.out_.numbers.begin());
  return lists;
}

}  // namespace kith::preload
