#include <algorithm>

#include "machine/probe_inference/host_groups.hpp"

namespace kith {
namespace {

/// Values of which one is larger by this factor are not alike.
constexpr double unlike = 1.5;

struct Neighbour {
  std::uint32_t host;
  std::uint32_t pair;
};

class Triangles {
 public:
  Triangles(std::uint32_t hosts, std::span<const PairValue> pairs) : pairs_(pairs), near_(hosts) {
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
      near_[pairs[i].a].push_back({pairs[i].b, i});
      near_[pairs[i].b].push_back({pairs[i].a, i});
    }
    for (auto& list : near_) std::ranges::sort(list, {}, &Neighbour::host);
  }

  /// Calls visit(other pair, other pair) for each triangle of `pair` whose two largest values are
  /// not alike.
  template <class Visit>
  void each_broken(std::size_t pair, Visit visit) const {
    const double value = pairs_[pair].value;
    auto a = near_[pairs_[pair].a].begin();
    auto b = near_[pairs_[pair].b].begin();
    const auto end_a = near_[pairs_[pair].a].end();
    const auto end_b = near_[pairs_[pair].b].end();
    while (a != end_a && b != end_b) {
      if (a->host < b->host) {
        ++a;
      } else if (b->host < a->host) {
        ++b;
      } else {
        if (is_broken(value, pairs_[a->pair].value, pairs_[b->pair].value)) {
          visit(a->pair, b->pair);
        }
        ++a, ++b;
      }
    }
  }

 private:
  static bool is_broken(double x, double y, double z) {
    const double largest = std::max({x, y, z});
    const double second = std::max(std::min(x, y), std::min(std::max(x, y), z));
    return largest > unlike * second;
  }

  std::span<const PairValue> pairs_;
  std::vector<std::vector<Neighbour>> near_;
};

}  // namespace

std::vector<std::size_t> find_contradictions(std::uint32_t hosts,
                                             std::span<const PairValue> pairs) {
  const Triangles triangles(hosts, pairs);
  std::vector<std::uint32_t> broken(pairs.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    triangles.each_broken(i, [&](std::size_t, std::size_t) { ++broken[i]; });
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (broken[i] < 2) continue;
    std::uint32_t to_blame = 0;  // in how many triangles it is broken more often than the others
    triangles.each_broken(i, [&](std::size_t j, std::size_t k) {
      to_blame += broken[i] > broken[j] && broken[i] > broken[k];
    });
    if (2 * to_blame >= broken[i]) found.push_back(i);
  }
  return found;
}

}  // namespace kith
