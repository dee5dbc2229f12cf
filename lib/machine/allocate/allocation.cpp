#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/rng.hpp"
#include "kith/detail/allocation.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"
#include "machine/allocate/free_nodes.hpp"
#include "machine/model/node_slots.hpp"

namespace kith {
namespace {

/// Dimensions in the order in which the snake varies them, fastest first: by extent, of equal ones
/// the last first.
std::vector<std::size_t> fastest_first(std::span<const std::uint32_t> extents) {
  std::vector<std::size_t> order(extents.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t d) { return extents[d]; });
  return order;
}

}  // namespace

std::vector<std::uint32_t> node_curve(const Machine& machine) {
  std::vector<std::uint32_t> curve(machine.nodes());
  const NetworkMachine* network = machine.as_network();
  const GridNetwork* grid = network == nullptr ? nullptr : network->network().as_grid();
  if (grid == nullptr) {
    std::iota(curve.begin(), curve.end(), 0U);
    return curve;
  }
  const auto extents = grid->extents();
  const auto order = fastest_first(extents);
  std::vector<std::uint32_t> at(extents.size(), 0);
  std::vector<bool> backwards(extents.size(), false);
  for (std::uint32_t& node : curve) {
    node = grid->node_at(at);
    // One step along the fastest dimension that has room; those that have none turn round.
    for (const std::size_t d : order) {
      const bool at_end = backwards[d] ? at[d] == 0 : at[d] + 1 == extents[d];
      if (!at_end) {
        at[d] = backwards[d] ? at[d] - 1 : at[d] + 1;
        break;
      }
      backwards[d] = !backwards[d];
    }
  }
  return curve;
}

namespace {

class BusyMachine {
 public:
  BusyMachine(const Machine& machine, const AllocationRequest& request)
      : machine_(machine), rng_(request.seed) {
    const auto nodes = free_nodes(machine, "SPEC");
    std::vector<bool> is_free(machine.nodes());
    for (const FreeNode& node : nodes) is_free[node.node] = true;
    curve_ = node_curve(machine);
    for (std::uint64_t position = 0; position < curve_.size();) {
      std::uint64_t end = position;
      while (end < curve_.size() && is_free[curve_[end]]) ++end;
      if (end > position) free_.add({position, end - position});
      position = end + 1;
    }
    nodes_ = free_.size();
  }

  std::uint64_t nodes() const { return nodes_; }

  /// Other jobs come and go until each node has been through several hands; then `busy` nodes are
  /// held.
  void run_other_jobs(std::uint64_t busy) {
    constexpr std::uint64_t turnovers = 8;
    std::uint64_t started = 0;
    while (nodes_ - free_.size() < busy) {
      const std::uint64_t held = nodes_ - free_.size();
      std::uint64_t size = random_size();
      if (held + size > busy) {
        if (started < turnovers * nodes_ && !jobs_.empty()) {
          end_any_job();
          continue;
        }
        size = busy - held;
      }
      jobs_.push_back(free_.best_fit(size));
      for (const Stretch& stretch : jobs_.back()) free_.take(stretch);
      started += size;
    }
  }

  Allocation serve(const AllocationRequest& request) {
    if (request.nodes == 0 || request.nodes > free_.size()) {
      throw bad_argument("nodes", "1 to " + std::to_string(free_.size()) + " nodes, which are free",
                         std::to_string(request.nodes));
    }
    Allocation allocation;
    allocation.free_nodes = free_.size();
    allocation.other_jobs = jobs_.size();
    std::vector<std::uint64_t> positions = choose(request);
    std::ranges::sort(positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (i == 0 || positions[i] != positions[i - 1] + 1) ++allocation.pieces;
      allocation.nodes.push_back(curve_[positions[i]]);
    }
    allocation.span = positions.back() - positions.front() + 1;
    std::ranges::sort(allocation.nodes);
    allocation.slots = slots_of_nodes(machine_, allocation.nodes);
    return allocation;
  }

 private:
  std::uint64_t random_size() {
    const double most = std::max(1.0, static_cast<double>(nodes_) / 8);
    return static_cast<std::uint64_t>(std::exp(rng_.uniform() * std::log(most)));
  }

  void end_any_job() {
    std::vector<Stretch>& job = jobs_[rng_.below(jobs_.size())];
    for (const Stretch& stretch : job) free_.add(stretch);
    std::swap(job, jobs_.back());
    jobs_.pop_back();
  }

  std::vector<std::uint64_t> choose(const AllocationRequest& request) {
    switch (request.policy) {
      case AllocationPolicy::contiguous:
        return contiguous(request.nodes);
      case AllocationPolicy::random:
        return pieces(request.nodes, request.pieces > 0 ? request.pieces : request.nodes);
      case AllocationPolicy::best_fit:
        break;
    }
    return positions_in(free_.best_fit(request.nodes));
  }

  static std::vector<std::uint64_t> positions_in(const std::vector<Stretch>& stretches) {
    std::vector<std::uint64_t> positions;
    for (const Stretch& stretch : stretches) {
      for (std::uint64_t i = 0; i < stretch.length; ++i) positions.push_back(stretch.first + i);
    }
    return positions;
  }

  /// So many rows of free nodes of equal length, give or take one, anywhere on the curve.
  std::vector<std::uint64_t> pieces(std::uint64_t nodes, std::uint64_t count) {
    const auto free = positions_in(free_.stretches());
    const std::uint64_t rest = free.size() - nodes;
    if (count > nodes) {
      throw bad_argument("pieces", "at most as many as nodes, " + std::to_string(nodes),
                         std::to_string(count));
    }
    // Where the rows begin, among what is left over: different places as long as there are any.
    std::vector<std::uint64_t> begins = different_numbers(std::min(count, rest + 1), rest + 1);
    std::vector<std::uint64_t> positions;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t length = nodes / count + (i < nodes % count ? 1 : 0);
      const std::uint64_t skipped = begins[std::min<std::uint64_t>(i, begins.size() - 1)];
      for (std::uint64_t j = 0; j < length; ++j) {
        positions.push_back(free[skipped + positions.size()]);
      }
    }
    return positions;
  }

  /// `count` of 0 .. bound-1, ascending: each such set is as likely (Floyd).
  std::vector<std::uint64_t> different_numbers(std::uint64_t count, std::uint64_t bound) {
    std::set<std::uint64_t> numbers;
    for (std::uint64_t last = bound - count; last < bound; ++last) {
      const std::uint64_t number = rng_.below(last + 1);
      numbers.insert(numbers.contains(number) ? last : number);
    }
    return {numbers.begin(), numbers.end()};
  }

  std::vector<std::uint64_t> contiguous(std::uint64_t count) const {
    const NetworkMachine* network = machine_.as_network();
    const GridNetwork* grid = network == nullptr ? nullptr : network->network().as_grid();
    if (grid != nullptr) return box(*grid, count);
    if (const auto stretch = free_.shortest_with(count)) {
      return positions_in({{stretch->first, count}});
    }
    throw bad_argument("nodes", "as many as some unbroken row of free nodes has, for contiguous",
                       std::to_string(count));
  }

  std::vector<std::uint64_t> box(const GridNetwork& grid, std::uint64_t count) const {
    std::vector<std::uint32_t> position_of(curve_.size());
    std::vector<bool> is_free(curve_.size());
    for (std::uint32_t position = 0; position < curve_.size(); ++position) {
      position_of[curve_[position]] = position;
    }
    for (const std::uint64_t position : positions_in(free_.stretches())) {
      is_free[curve_[position]] = true;
    }
    const auto nodes = find_free_box(grid.extents(), is_free, count);
    if (!nodes) {
      throw bad_argument("nodes", "a number of nodes that form a free box, for contiguous",
                         std::to_string(count));
    }
    std::vector<std::uint64_t> positions;
    for (const std::uint32_t node : *nodes) positions.push_back(position_of[node]);
    return positions;
  }

  const Machine& machine_;
  std::vector<std::uint32_t> curve_;
  Rng rng_;
  std::uint64_t nodes_ = 0;  // that belong to somebody
  FreeIntervals free_;       // positions on the curve
  std::vector<std::vector<Stretch>> jobs_;
};

}  // namespace

Allocation allocate_nodes(const Machine& machine, const AllocationRequest& request) {
  if (!(request.busy >= 0 && request.busy < 1)) {
    throw bad_argument("busy", "a share from 0 to below 1", std::to_string(request.busy));
  }
  BusyMachine busy(machine, request);
  busy.run_other_jobs(
      static_cast<std::uint64_t>(std::llround(request.busy * static_cast<double>(busy.nodes()))));
  return busy.serve(request);
}

double average_node_hops(const Machine& machine, const std::vector<std::uint32_t>& nodes) {
  constexpr std::size_t all_pairs_up_to = 512;
  constexpr std::uint64_t sample = 100'000;
  const auto free = free_nodes(machine, "SPEC");
  std::vector<Slot> first;
  for (const std::uint32_t node : nodes) {
    first.push_back(std::ranges::lower_bound(free, node, {}, &FreeNode::node)->first);
  }
  const auto hops = [&](std::size_t i, std::size_t j) {
    return static_cast<double>(node_hops(machine, first[i], first[j]));
  };
  if (nodes.size() < 2) return 0;
  double sum = 0;
  if (nodes.size() <= all_pairs_up_to) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t j = i + 1; j < nodes.size(); ++j) sum += hops(i, j);
    }
    return 2 * sum / static_cast<double>(nodes.size() * (nodes.size() - 1));
  }
  Rng rng(1);
  for (std::uint64_t draw = 0; draw < sample; ++draw) {
    const std::uint64_t i = rng.below(nodes.size());
    const std::uint64_t j = rng.below(nodes.size() - 1);
    sum += hops(i, j < i ? j : j + 1);
  }
  return sum / sample;
}

}  // namespace kith
