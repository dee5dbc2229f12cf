#include "objective/bounds/partners.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace kith::bounds {
namespace {

constexpr unsigned sweeps = 3;
constexpr std::uint64_t most_pair_ends_to_sweep = 4'000'000;
constexpr std::size_t most_group_sizes = 8;

}  // namespace

Partners::Partners(const TrafficGraph& graph)
    : graph_(graph), heaviest_first_(graph.all_weights().begin(), graph.all_weights().end()) {
  for (Rank r(0); r.value < graph.ranks(); ++r) {
    const auto own = std::span(heaviest_first_).subspan(graph.offsets()[r.value], graph.degree(r));
    std::ranges::sort(own, std::greater{});
    most_ = std::max<std::uint64_t>(most_, own.size());
    if (!own.empty() && own.front() != own.back()) all_alike_ = false;
    for (const Weight weight : own) twice_total_ += weight;
  }
}

/// Twice the dual: least sum over ranks of partners x price + over pairs of what their weight,
/// twice, exceeds both prices by, in any prices. A rank's best price, given those of the others, is
/// the heaviest that its next partner would still bring.
Wide Partners::dual(std::uint64_t partners) const {
  if (partners >= most_) return twice_total_ / 2;
  const std::uint32_t ranks = graph_.ranks();
  std::vector<Wide> price(ranks);
  for (Rank r(0); r.value < ranks; ++r) {
    if (graph_.degree(r) > partners)
      price[r.value] = heaviest_first_[graph_.offsets()[r.value] + partners];
  }
  const bool worthwhile =
      !all_alike_ && graph_.all_weights().size() <= most_pair_ends_to_sweep && partners > 0;
  std::vector<Wide> brought;
  for (unsigned sweep = 0; worthwhile && sweep < sweeps; ++sweep) {
    for (Rank r(0); r.value < ranks; ++r) {
      if (graph_.degree(r) <= partners) continue;
      brought.clear();
      for (std::size_t i = 0; i < graph_.degree(r); ++i) {
        const Wide twice = Wide{graph_.weights(r)[i]} * 2;
        const Wide other = price[graph_.neighbours(r)[i].value];
        brought.push_back(twice > other ? twice - other : 0);
      }
      const auto next = brought.begin() + static_cast<std::ptrdiff_t>(partners);
      std::ranges::nth_element(brought, next, std::greater{});
      price[r.value] = *next;
    }
  }
  Wide twice_kept = 0;
  for (Rank r(0); r.value < ranks; ++r) {
    twice_kept += price[r.value] * partners;
    for (std::size_t i = 0; i < graph_.degree(r); ++i) {
      const Rank other = graph_.neighbours(r)[i];
      if (other < r) continue;
      const Wide twice = Wide{graph_.weights(r)[i]} * 2;
      const Wide both = price[r.value] + price[other.value];
      if (twice > both) twice_kept += twice - both;
    }
  }
  return twice_kept / 2;
}

/// Few ranks have a place on the large objects: those who gain most from it.
Wide Partners::by_unequal_groups(const Shell& shell) const {
  const std::uint32_t ranks = graph_.ranks();
  const auto heaviest = [&](std::uint32_t rank, std::uint64_t from, std::uint64_t to) {
    const auto own =
        std::span(heaviest_first_).subspan(graph_.offsets()[rank], graph_.degree(Rank(rank)));
    const std::size_t begin = std::min<std::uint64_t>(from, own.size());
    const std::size_t end = std::min<std::uint64_t>(to, own.size());
    return std::accumulate(own.begin() + static_cast<std::ptrdiff_t>(begin),
                           own.begin() + static_cast<std::ptrdiff_t>(end), Wide{0});
  };
  Wide twice_kept = 0;
  std::uint64_t room = 0;
  std::vector<Wide> gains(ranks);
  for (std::size_t g = 0; g < shell.groups.size(); ++g) {
    room += shell.groups[g].places * shell.groups[g].objects;
    const bool is_last = g + 1 == shell.groups.size() || room >= ranks;
    const std::uint64_t fewer = is_last ? 0 : shell.groups[g + 1].places - 1;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      gains[r] = heaviest(r, fewer, shell.groups[g].places - 1);
    }
    const auto here = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(room, ranks));
    if (!is_last) std::ranges::nth_element(gains, gains.begin() + here, std::greater{});
    twice_kept +=
        std::accumulate(gains.begin(), is_last ? gains.end() : gains.begin() + here, Wide{0});
    if (is_last) break;
  }
  return twice_kept / 2;
}

Wide Partners::kept_by_partners(const Shell& shell) const {
  const Wide kept = dual(shell.partners);
  const bool unequal = shell.groups.size() > 1 && shell.groups.size() <= most_group_sizes;
  return unequal ? std::min(kept, by_unequal_groups(shell)) : kept;
}

Wide Partners::kept_by_pairs(const Shell& shell) const {
  std::uint64_t left = graph_.ranks();
  Wide pairs = 0;
  for (const Groups& group : shell.groups) {
    const std::uint64_t objects = std::min(group.objects, left / group.places);
    pairs += Wide{objects} * group.places * (group.places - 1) / 2;
    left -= objects * group.places;
    if (objects == group.objects) continue;
    pairs += Wide{left} * (left - (left > 0 ? 1 : 0)) / 2;
    break;
  }
  const Wide ends = std::min<Wide>(2 * pairs, heaviest_first_.size());
  // Each pair stands at both ends, so the heaviest 2 x pairs ends are the heaviest pairs.
  std::vector<Weight> weights = heaviest_first_;
  const auto end = weights.begin() + static_cast<std::ptrdiff_t>(ends);
  if (end != weights.end()) std::ranges::nth_element(weights, end, std::greater{});
  return std::accumulate(weights.begin(), end, Wide{0}) / 2;
}

}  // namespace kith::bounds
