#include <string>
#include <utility>

#include "kith/error.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

/// Incoming cells of each rank, sources ascending, without the diagonal.
struct Incoming {
  std::vector<std::uint64_t> offsets;
  std::vector<Rank> sources;
  std::vector<Weight> weights;
};

Incoming transpose(const TrafficMatrix& matrix) {
  const std::uint32_t n = matrix.ranks();
  Incoming in;
  in.offsets.assign(std::size_t{n} + 1, 0);
  for (std::uint32_t r = 0; r < n; ++r) {
    for (const Rank d : matrix.destinations(Rank{r})) {
      in.offsets[d.value + std::size_t{1}] += d.value != r;
    }
  }
  for (std::size_t r = 1; r <= n; ++r) in.offsets[r] += in.offsets[r - 1];
  in.sources.resize(in.offsets.back());
  in.weights.resize(in.offsets.back());

  std::vector<std::uint64_t> next(in.offsets.begin(), in.offsets.end() - 1);
  for (std::uint32_t r = 0; r < n; ++r) {
    const auto row = matrix.destinations(Rank{r});
    const auto weights = matrix.weights(Rank{r});
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].value == r) continue;
      const std::uint64_t at = next[row[i].value]++;
      in.sources[at] = Rank{r};
      in.weights[at] = weights[i];
    }
  }
  return in;
}

/// Calls visit(peer, outgoing weight, incoming weight) for each peer of `r`, ascending.
template <class Visit>
void merge_row(const TrafficMatrix& matrix, const Incoming& in, Rank r, Visit visit) {
  const auto out = matrix.destinations(r);
  const auto out_weights = matrix.weights(r);
  std::size_t o = 0;
  std::uint64_t i = in.offsets[r.value];
  const std::uint64_t in_end = in.offsets[r.value + std::size_t{1}];
  while (o < out.size() || i < in_end) {
    if (o < out.size() && out[o] == r) {
      ++o;
    } else if (i == in_end || (o < out.size() && out[o] < in.sources[i])) {
      visit(out[o], out_weights[o], Weight{0});
      ++o;
    } else if (o == out.size() || in.sources[i] < out[o]) {
      visit(in.sources[i], Weight{0}, in.weights[i]);
      ++i;
    } else {
      visit(out[o], out_weights[o], in.weights[i]);
      ++o;
      ++i;
    }
  }
}

}  // namespace

TrafficGraph TrafficGraph::from(const TrafficMatrix& matrix) {
  const std::uint32_t n = matrix.ranks();
  const Incoming in = transpose(matrix);

  TrafficGraph graph;
  graph.offsets_.assign(std::size_t{n} + 1, 0);
  for (std::uint32_t r = 0; r < n; ++r) {
    std::uint64_t degree = 0;
    merge_row(matrix, in, Rank{r}, [&](Rank, Weight, Weight) { ++degree; });
    graph.offsets_[r + std::size_t{1}] = graph.offsets_[r] + degree;
  }
  graph.neighbours_.reserve(graph.offsets_.back());
  graph.weights_.reserve(graph.offsets_.back());
  for (std::uint32_t r = 0; r < n; ++r) {
    merge_row(matrix, in, Rank{r}, [&](Rank peer, Weight sent, Weight received) {
      Weight both = 0;
      if (__builtin_add_overflow(sent, received, &both)) {
        throw bad_input(
            "traffic between ranks " + std::to_string(r) + " and " + std::to_string(peer.value),
            "a sum below 2^64", "a larger one");
      }
      graph.neighbours_.push_back(peer);
      graph.weights_.push_back(both);
    });
  }
  return graph;
}

TrafficGraph TrafficGraph::from_csr(std::vector<std::uint64_t> offsets,
                                    std::vector<Rank> neighbours, std::vector<Weight> weights) {
  if (offsets.empty() || offsets.back() != neighbours.size() ||
      neighbours.size() != weights.size()) {
    throw Error(ErrorKind::internal, "TrafficGraph::from_csr: arrays of different lengths");
  }
  TrafficGraph graph;
  graph.offsets_ = std::move(offsets);
  graph.neighbours_ = std::move(neighbours);
  graph.weights_ = std::move(weights);
  return graph;
}

TrafficMatrix in_both_directions(const TrafficGraph& graph) {
  TrafficMatrixBuilder builder(graph.ranks(), 2 * graph.edges());
  for (Rank r(0); r.value < graph.ranks(); ++r) {
    const auto neighbours = graph.neighbours(r);
    const auto weights = graph.weights(r);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const Weight odd = r < neighbours[i] ? weights[i] % 2 : 0;
      builder.add(r, neighbours[i], weights[i] / 2 + odd);
    }
  }
  return builder.build();
}

}  // namespace kith
