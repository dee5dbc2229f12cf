#include "kith/allocation.hpp"

#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "kith/error.hpp"
#include "kith/network_machine.hpp"
#include "machine/allocate/free_box.hpp"
#include "machine/allocate/free_intervals.hpp"

namespace kith {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

/// The first allowed slot of each node; `none` where there is none.
std::vector<std::uint32_t> first_slots(const Machine& machine) {
  std::vector<std::uint32_t> first(machine.nodes(), none);
  for (const SlotSet::Interval& interval : machine.allowed().intervals()) {
    for (Slot slot = interval.first; slot <= interval.last; ++slot) {
      std::uint32_t& known = first[machine.node_of(slot)];
      known = std::min(known, slot.value);
    }
  }
  return first;
}

SlotSet slots_of(const Machine& machine, const std::vector<std::uint32_t>& nodes) {
  std::vector<bool> taken(machine.nodes());
  for (const std::uint32_t node : nodes) taken[node] = true;
  std::vector<Slot> slots;
  for (const SlotSet::Interval& interval : machine.allowed().intervals()) {
    for (Slot slot = interval.first; slot <= interval.last; ++slot) {
      if (taken[machine.node_of(slot)]) slots.push_back(slot);
    }
  }
  return SlotSet::of(std::move(slots));
}

class BusyMachine {
 public:
  BusyMachine(const Machine& machine, std::uint64_t seed)
      : machine_(machine), curve_(node_curve(machine)), rng_(seed) {
    const auto first = first_slots(machine);
    for (std::uint64_t position = 0; position < curve_.size(); ++position) {
      if (first[curve_[position]] != none) free_.add({position, 1});
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
      throw bad_input("--nodes", "1 to " + std::to_string(free_.size()) + " nodes, which are free",
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
    allocation.slots = slots_of(machine_, allocation.nodes);
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
        return any_free(request.nodes);
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

  std::vector<std::uint64_t> any_free(std::uint64_t count) {
    auto positions = positions_in(free_.stretches());
    for (std::uint64_t i = 0; i < count; ++i) {
      std::swap(positions[i], positions[i + rng_.below(positions.size() - i)]);
    }
    positions.resize(count);
    return positions;
  }

  std::vector<std::uint64_t> contiguous(std::uint64_t count) const {
    const NetworkMachine* network = machine_.as_network();
    const GridNetwork* grid = network == nullptr ? nullptr : network->network().as_grid();
    if (grid != nullptr) return box(*grid, count);
    if (const auto stretch = free_.shortest_with(count)) {
      return positions_in({{stretch->first, count}});
    }
    throw bad_input("--nodes", "as many as some unbroken row of free nodes has, for contiguous",
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
      throw bad_input("--nodes", "a number of nodes that form a free box, for contiguous",
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
    throw bad_input("--busy", "a share from 0 to below 1", std::to_string(request.busy));
  }
  BusyMachine busy(machine, request.seed);
  busy.run_other_jobs(
      static_cast<std::uint64_t>(std::llround(request.busy * static_cast<double>(busy.nodes()))));
  return busy.serve(request);
}

double average_node_hops(const Machine& machine, const std::vector<std::uint32_t>& nodes) {
  constexpr std::size_t all_pairs_up_to = 512;
  constexpr std::uint64_t sample = 100'000;
  const auto first = first_slots(machine);
  const auto hops = [&](std::size_t i, std::size_t j) {
    return static_cast<double>(machine.hops(Slot(first[nodes[i]]), Slot(first[nodes[j]])));
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
