#include "order/topology/declared_graph.hpp"

#include <algorithm>
#include <cstdint>

#include "protocol/packer.hpp"

namespace kith::runtime {
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
    packer_.put(static_cast<std::uint32_t>(source));
    packer_.put(static_cast<std::uint32_t>(destination));
    packer_.put(static_cast<std::uint64_t>(weight));
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

}  // namespace kith::runtime
