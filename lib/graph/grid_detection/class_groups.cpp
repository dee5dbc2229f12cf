#include "graph/grid_detection/class_groups.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace kith {
namespace {

using Crossing = std::pair<std::uint32_t, std::uint32_t>;

class Grouping {
 public:
  explicit Grouping(const ParallelEdges& parallel)
      : first_(parallel.classes + std::size_t{1}, 0),
        crossings_(parallel.crossings),
        group_of_(parallel.classes, none) {
    for (const Crossing& crossing : crossings_) ++first_[crossing.first + std::size_t{1}];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }

  /// The classes that cross most first: they are in no doubt. False when there are too many groups.
  bool assign_all(std::size_t most) {
    std::vector<std::uint32_t> order(group_of_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::uint32_t c) { return first_[c + 1] - first_[c]; });
    // What joined a group while that was small may be wrong there.
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
      for (const std::uint32_t c : order) {
        assign(c);
        if (members_.size() > 4 * most) return false;
      }
      merge_groups();
    }
    return true;
  }

  ClassGroups result() const {
    ClassGroups groups{group_of_, 0};
    std::vector<std::uint32_t> number(members_.size(), none);
    for (std::size_t g = 0; g < members_.size(); ++g) {
      if (members_[g] > 0) number[g] = groups.groups++;
    }
    for (std::uint32_t& group : groups.group_of) group = number[group];
    return groups;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  std::span<const Crossing> crossings_of(std::uint32_t c) const {
    return std::span(crossings_).subspan(first_[c], first_[c + 1] - first_[c]);
  }

  /// To the group of which it crosses least, for the few crossings that it may have; to a group of
  /// its own where that is not little.
  void assign(std::uint32_t c) {
    if (group_of_[c] != none) --members_[group_of_[c]];
    crossed_.assign(members_.size(), 0);
    for (const Crossing& crossing : crossings_of(c)) {
      const std::uint32_t group = group_of_[crossing.second];
      if (group != none && crossing.second != c) ++crossed_[group];
    }
    double least = 0.5;
    std::uint32_t best = none;
    for (std::uint32_t g = 0; g < members_.size(); ++g) {
      if (members_[g] == 0) continue;
      const auto possible = std::min<std::size_t>(members_[g], crossings_of(c).size());
      const double part = static_cast<double>(crossed_[g]) / static_cast<double>(possible);
      if (part >= least) continue;
      least = part;
      best = g;
    }
    if (best == none) {
      best = static_cast<std::uint32_t>(members_.size());
      members_.push_back(0);
    }
    ++members_[best];
    group_of_[c] = best;
  }

  /// Squares can lie along one dimension, too: groups that cross little are one.
  void merge_groups() {
    constexpr double little = 0.25;
    const std::size_t groups = members_.size();
    std::vector<std::uint64_t> crossed(groups * groups, 0);
    for (const auto& [a, b] : crossings_) ++crossed[group_of_[a] * groups + group_of_[b]];
    std::vector<std::uint32_t> into(groups);
    for (std::uint32_t g = 0; g < groups; ++g) {
      into[g] = g;
      for (std::uint32_t h = 0; h < g; ++h) {
        const double all = static_cast<double>(members_[g]) * members_[h];
        if (static_cast<double>(crossed[g * groups + h]) >= little * all) continue;
        into[g] = into[h];
        break;
      }
    }
    members_.assign(groups, 0);
    for (std::uint32_t& group : group_of_) {
      group = into[group];
      ++members_[group];
    }
  }

  std::vector<std::size_t> first_;  ///< by class: where its crossings begin
  const std::vector<Crossing>& crossings_;
  std::vector<std::uint32_t> group_of_;
  std::vector<std::uint32_t> members_;  ///< by group: how many
  std::vector<std::uint32_t> crossed_;  ///< by group, of the class at hand
};

/// Groups of which no class fails to cross any of another.
ClassGroups uncrossed_components(const ParallelEdges& parallel) {
  constexpr std::uint32_t none = UINT32_MAX;
  ClassGroups found{std::vector<std::uint32_t>(parallel.classes), 0};
  std::vector<std::uint32_t> crosses(parallel.classes, none);  // the last class that it did cross
  std::vector<std::uint32_t> left(parallel.classes);
  std::iota(left.begin(), left.end(), 0U);
  std::vector<std::uint32_t> reached;
  for (; !left.empty(); ++found.groups) {
    reached.assign(1, left.back());
    left.pop_back();
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const std::uint32_t here = reached[next];
      found.group_of[here] = found.groups;
      for (auto at = std::ranges::lower_bound(parallel.crossings, Crossing{here, 0U});
           at != parallel.crossings.end() && at->first == here; ++at) {
        crosses[at->second] = here;
      }
      std::erase_if(left, [&](std::uint32_t other) {
        if (crosses[other] == here) return false;
        reached.push_back(other);
        return true;
      });
    }
  }
  return found;
}

}  // namespace

std::vector<ClassGroups> group_classes(const ParallelEdges& parallel, std::size_t most) {
  std::vector<ClassGroups> ways{uncrossed_components(parallel)};
  Grouping grouping(parallel);
  if (grouping.assign_all(most)) ways.push_back(grouping.result());
  std::erase_if(ways, [&](const ClassGroups& groups) { return groups.groups > most; });
  return ways;
}

}  // namespace kith
