#include "mapping/published/treematch/treematch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "kith/detail/generate.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith::treematch {
namespace {

using Parts = std::vector<std::uint32_t>;

constexpr std::uint64_t usual_threshold = 30000;

ElementGraph graph_of(const TrafficMatrix& matrix) {
  return elements_of(TrafficGraph::from(matrix));
}

ElementGraph graph_of(const Pattern& pattern) {
  return graph_of(to_matrix(pattern));
}

/// Cliques of `size` whose members are `cliques` apart, each pair with `weight`.
ElementGraph cliques(std::uint32_t count, std::uint32_t size, Weight weight) {
  TrafficMatrixBuilder builder(count * size);
  for (std::uint32_t c = 0; c < count; ++c) {
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        builder.add(Rank(c + i * count), Rank(c + j * count), weight);
      }
    }
  }
  return graph_of(builder.build());
}

void expect_cliques_found(const Parts& group_of, std::uint32_t count) {
  for (std::uint32_t e = 0; e < group_of.size(); ++e) EXPECT_EQ(group_of[e], e % count) << e;
}

void expect_sizes(const Parts& part_of, const Parts& sizes) {
  Parts found(sizes.size());
  for (const std::uint32_t part : part_of) ++found.at(part);
  EXPECT_EQ(found, sizes);
}

TEST(Grouping, ChoosesAsAlgorithm1Does) {
  const auto method = [](std::uint32_t elements, std::uint32_t arity,
                         std::uint64_t threshold = usual_threshold) {
    return grouping_method(elements, arity, threshold);
  };
  EXPECT_EQ(method(244, 2), GroupingMethod::exhaustive);  // 29 646 pairs
  EXPECT_EQ(method(246, 2), GroupingMethod::bucket);      // 30 135
  EXPECT_EQ(method(57, 3), GroupingMethod::exhaustive);   // 29 260
  EXPECT_EQ(method(60, 3), GroupingMethod::fast);         // 34 220
  EXPECT_EQ(method(500, 5), GroupingMethod::fast);
  EXPECT_EQ(method(600, 6), GroupingMethod::k_partition);
  EXPECT_EQ(method(16, 8), GroupingMethod::exhaustive);   // 12 870
  EXPECT_EQ(method(18, 9), GroupingMethod::k_partition);  // 48 620
  EXPECT_EQ(method(64, 64), GroupingMethod::exhaustive);
  EXPECT_EQ(method(4, 2, 0), GroupingMethod::bucket);
  EXPECT_EQ(method(4, 2, 6), GroupingMethod::exhaustive);
  EXPECT_EQ(method(4'000'000'000, 2'000'000'000), GroupingMethod::k_partition);
}

TEST(Grouping, EachMethodFindsCliques) {
  struct Case {
    std::uint32_t count, size;
    GroupingMethod method;
  };
  for (const Case& c :
       {Case{5, 4, GroupingMethod::exhaustive}, Case{200, 2, GroupingMethod::bucket},
        Case{40, 3, GroupingMethod::fast}, Case{30, 5, GroupingMethod::fast},
        Case{20, 7, GroupingMethod::k_partition}}) {
    const ElementGraph graph = cliques(c.count, c.size, Weight{1} << 40);
    ASSERT_EQ(grouping_method(graph.size(), c.size, usual_threshold), c.method);
    expect_cliques_found(group_elements(graph, c.size, usual_threshold, {}), c.count);
  }
}

TEST(Grouping, GroupsSilentElements) {
  for (const std::uint32_t arity : {2U, 3U, 5U, 8U}) {
    ElementGraph graph;
    graph.pad(arity * 300);
    expect_sizes(group_elements(graph, arity, usual_threshold, {}), Parts(300, arity));
  }
}

// Lines 11 to 18 word for word, all pairs of groups compared.
class LiteralAlgorithm {
 public:
  LiteralAlgorithm(const ElementGraph& graph, std::uint32_t arity) : n_(graph.size()), a_(arity) {
    weight_.assign(n_, std::vector<double>(n_));
    for (std::uint32_t e = 0; e < n_; ++e) {
      for (std::size_t i = 0; i < graph.neighbours_of(e).size(); ++i) {
        weight_[e][graph.neighbours_of(e)[i]] = static_cast<double>(graph.weights_of(e)[i]);
      }
    }
    Parts chosen(n_, 0);
    std::fill_n(chosen.begin(), a_, 1);
    do {
      Parts members;
      for (std::uint32_t e = 0; e < n_; ++e) {
        if (chosen[e] == 1) members.push_back(e);
      }
      groups_.push_back(members);
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
  }

  double best_cut() const {
    std::vector<Parts> solution;
    for (std::uint32_t e = 0; e < n_; e += a_) {
      solution.emplace_back(a_);
      std::iota(solution.back().begin(), solution.back().end(), e);
    }
    double best = value(solution);
    const auto attempt = [&](auto key) {
      auto order = groups_;
      std::ranges::stable_sort(order, std::less{}, [&](const Parts& g) { return -inside(g); });
      std::ranges::stable_sort(order, std::less{}, key);
      std::vector<Parts> chosen;
      for (const Parts& g : order) {
        if (std::ranges::none_of(chosen, [&](const Parts& h) { return share(g, h); })) {
          chosen.push_back(g);
        }
      }
      best = std::min(best, value(chosen));
    };
    attempt([&](const Parts& g) { return outside(g); });
    attempt([&](const Parts& g) { return -outside(g); });
    attempt([&](const Parts& g) {
      double sum = 0;
      int count = 0;
      for (const Parts& h : groups_) {
        if (!share(g, h)) continue;
        sum += outside(h);
        ++count;
      }
      return -std::round(1000 * sum / count);
    });
    return best;
  }

  double optimum() const {
    double least = 1e300;
    std::vector<Parts> chosen;
    search(Parts(n_), 0, chosen, least);
    return least;
  }

 private:
  static bool share(const Parts& g, const Parts& h) {
    return std::ranges::find_first_of(g, h) != g.end();
  }
  double inside(const Parts& g) const {
    double sum = 0;
    for (const auto i : g) {
      for (const auto j : g) sum += i < j ? weight_[i][j] : 0;
    }
    return sum;
  }
  double outside(const Parts& g) const {
    double sum = 0;
    for (const auto i : g) sum += std::accumulate(weight_[i].begin(), weight_[i].end(), 0.0);
    return sum - 2 * inside(g);
  }
  double value(const std::vector<Parts>& solution) const {
    double sum = 0;
    for (const Parts& g : solution) sum += outside(g);
    return sum / 2;
  }
  void search(Parts used, std::uint32_t from, std::vector<Parts>& chosen, double& least) const {
    while (from < n_ && used[from] != 0) ++from;
    if (from == n_) {
      least = std::min(least, value(chosen));
      return;
    }
    for (const Parts& g : groups_) {
      if (g.front() != from || std::ranges::any_of(g, [&](auto e) { return used[e] != 0; })) {
        continue;
      }
      Parts next = used;
      for (const auto e : g) next[e] = 1;
      chosen.push_back(g);
      search(next, from, chosen, least);
      chosen.pop_back();
    }
  }

  std::uint32_t n_, a_;
  std::vector<std::vector<double>> weight_;
  std::vector<Parts> groups_;
};

TEST(Grouping, ExhaustiveIsAlgorithm1) {
  std::mt19937_64 random(5);
  int optimal = 0;
  constexpr int rounds = 30;
  for (int round = 0; round < rounds; ++round) {
    const std::uint32_t arity = 2 + static_cast<std::uint32_t>(random() % 3);
    const std::uint32_t groups = 2 + static_cast<std::uint32_t>(random() % (arity == 4 ? 2 : 3));
    const Weight largest = round % 2 == 0 ? 3 : 1000;
    const auto graph = graph_of(testing::random_matrix(random, arity * groups, 0.4, largest));
    const Parts group_of = exhaustive_grouping(graph, arity);
    expect_sizes(group_of, Parts(groups, arity));
    const LiteralAlgorithm literal(graph, arity);
    const auto cut = static_cast<double>(cut_of(graph, group_of));
    EXPECT_EQ(cut, literal.best_cut()) << arity << " x " << groups;
    EXPECT_GE(cut, literal.optimum());
    optimal += cut == literal.optimum() ? 1 : 0;
  }
  EXPECT_GT(optimal, rounds / 2);
  RecordProperty("optimal", optimal);
}

TEST(Grouping, BucketsGiveWhatSortingGives) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 60; ++round) {
    const auto elements = 2 * (1 + static_cast<std::uint32_t>(random() % 100));
    const Weight largest = round % 3 == 0 ? 2 : 100000;
    const auto graph = graph_of(testing::random_matrix(random, elements, 0.1, largest));
    std::vector<std::tuple<Weight, std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t a = 0; a < elements; ++a) {
      for (std::size_t i = 0; i < graph.neighbours_of(a).size(); ++i) {
        const std::uint32_t b = graph.neighbours_of(a)[i];
        if (a < b) pairs.emplace_back(~graph.weights_of(a)[i], a, b);
      }
    }
    std::ranges::sort(pairs);
    Parts partner(elements, elements);
    for (const auto& [weight, a, b] : pairs) {
      if (partner[a] != elements || partner[b] != elements) continue;
      partner[a] = b;
      partner[b] = a;
    }
    const Parts group_of = bucket_grouping(graph, round);
    expect_sizes(group_of, Parts(elements / 2, 2));
    for (std::uint32_t e = 0; e < elements; ++e) {
      if (partner[e] == elements) continue;
      EXPECT_EQ(group_of[e], group_of[partner[e]]);
    }
  }
}

TEST(Grouping, FastGroupingTilesGrids) {
  const auto flat = graph_of(*make_stencil({16, 16}, 5, false, {1}));
  EXPECT_EQ(cut_of(flat, fast_grouping(flat, 4)), 2 * (480U - 4 * 64));  // squares
  const auto cube = graph_of(*make_stencil({8, 8, 8}, 7, false, {3}));
  EXPECT_EQ(cut_of(cube, fast_grouping(cube, 4)), 6 * (3 * 448U - 4 * 128));
}

TEST(Partition, HasExactSizes) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 60; ++round) {
    Parts sizes(2 + random() % 12);
    for (auto& size : sizes) size = 1 + static_cast<std::uint32_t>(random() % 20);
    if (round % 3 == 0) std::ranges::fill(sizes, sizes.front());
    const std::uint32_t elements = std::accumulate(sizes.begin(), sizes.end(), 0U);
    const auto graph = graph_of(
        testing::random_matrix(random, elements, round % 4 == 0 ? 0.01 : 0.2, Weight{1} << 45));
    for (const Partitioner partitioner :
         {Partitioner::best, Partitioner::scotch, Partitioner::greedy}) {
      expect_sizes(k_partition(graph, sizes, {partitioner, 3}), sizes);
    }
  }
}

TEST(Partition, BestIsTheLeastCut) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 20; ++round) {
    const auto graph = graph_of(testing::random_matrix(random, 60, 0.1, 1000));
    const Parts sizes(6, 10);
    const Weight best = cut_of(graph, k_partition(graph, sizes, {Partitioner::best, 1}));
    EXPECT_EQ(best, std::min({cut_of(graph, *scotch_partition(graph, sizes, 1)),
                              cut_of(graph, growing_partition(graph, sizes)),
                              cut_of(graph, bisecting_partition(graph, sizes))}));
  }
}

TEST(Partition, FillsPartsInOrderWhenTheTimeIsUp) {
  MapOptions options;
  options.time_limit = 0;
  Budget budget(options);
  EXPECT_EQ(k_partition(cliques(3, 2, 1), Parts{1, 3, 2}, {Partitioner::best, 1, &budget}),
            (Parts{0, 1, 1, 1, 2, 2}));
}

TEST(Partition, GreedyBisectionCutsGridsStraight) {
  // 4 x 4 tiles of a square, slabs of slabs of a cube: whatever the axis.
  const auto flat = graph_of(*make_stencil({32, 32}, 5, false, {1}));
  EXPECT_EQ(cut_of(flat, bisecting_partition(flat, Parts(64, 16))), 2 * 2 * 7 * 32U);
  const auto cube = graph_of(*make_stencil({8, 8, 8}, 7, false, {1}));
  EXPECT_EQ(cut_of(cube, bisecting_partition(cube, Parts(8, 64))), 2 * 3 * 64U);
}

TEST(Partition, AcceptsWeightsNear64Bits) {
  const ElementGraph graph = cliques(4, 6, Weight{1} << 57);
  for (const Partitioner partitioner :
       {Partitioner::best, Partitioner::scotch, Partitioner::greedy}) {
    auto part_of = k_partition(graph, Parts(4, 6), {partitioner, 1});
    number_by_lowest(part_of, 4);
    expect_cliques_found(part_of, 4);
  }
}

}  // namespace
}  // namespace kith::treematch
