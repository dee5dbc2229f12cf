// TopoCentLB: Agarwal, Sharma, Kale: "Topology-aware task mapping for reducing communication
// contention on large parallel machines", IPDPS 2006, section 4.5. The task that communicates most
// with those already placed goes to the free slot where that costs least.
//
// What the paper leaves open, and what is done here:
// - The first task, the one with the most traffic, goes to the lowest slot; the setting `first`
//   chooses a slot in the middle.
// - Ties go to the lowest task and the lowest slot. A task that communicates with no placed one is
//   such a tie: the lowest task that is left goes to the lowest free slot. The setting `cheapest`
//   gives the highest of equally cheap slots instead, as a loop that compares with <= would. Much
//   hangs on it: 2D meshes on tori then come out at 1 hop per byte, as near to TopoLB as the paper
//   has it.
// - More ranks than slots: as in topolb.cpp.
#include <algorithm>
#include <array>
#include <numeric>
#include <queue>

#include "mapping/budget.hpp"
#include "mapping/published/topolb/grid_slots.hpp"
#include "mapping/published/topolb/slot_columns.hpp"
#include "mapping/published/topolb/topolb.hpp"
#include "mapping/registry.hpp"
#include "objective/wide.hpp"

namespace kith {
namespace {

constexpr std::array topocentlb_settings{
    MapperSetting{
        "first", "lowest",
        "where the first rank goes: lowest (slot), or central (the least sum of distances "
        "to all others)"},
    MapperSetting{"cheapest", "lowest", "which of equally cheap slots is taken: lowest or highest"},
};

/// The unplaced task with the most traffic to placed ones.
class TaskQueue {
 public:
  explicit TaskQueue(std::uint32_t tasks) : traffic_(tasks), placed_(tasks) {}

  void mark_placed(std::uint32_t task) { placed_[task] = true; }

  void add_traffic(std::uint32_t task, Weight weight) {
    if (placed_[task] || weight == 0) return;
    traffic_[task] += weight;
    heap_.push({traffic_[task], task});
  }

  /// At least one must be left.
  std::uint32_t next() {
    while (!heap_.empty()) {
      const std::uint32_t task = heap_.top().task;
      // Traffic only grows: the newest entry of a task comes first, older ones when it is placed.
      if (!placed_[task]) return task;
      heap_.pop();
    }
    while (placed_[lowest_]) ++lowest_;
    return lowest_;
  }

 private:
  struct Entry {
    Weight traffic;
    std::uint32_t task;
    bool operator<(const Entry& other) const {
      return traffic != other.traffic ? traffic < other.traffic : task > other.task;
    }
  };
  std::vector<Weight> traffic_;  // with placed tasks
  std::vector<bool> placed_;
  std::priority_queue<Entry> heap_;
  std::uint32_t lowest_ = 0;  // all below are placed
};

/// `Slots`: SlotColumns or GridSlots.
template <class Slots>
class CentralPlacement {
 public:
  CentralPlacement(const TrafficGraph& tasks, Slots slots, Budget* budget)
      : tasks_(tasks),
        slots_(std::move(slots)),
        budget_(budget),
        queue_(tasks.ranks()),
        index_of_(tasks.ranks(), unplaced) {}

  /// `lowest`: the index of the lowest slot.
  std::vector<Slot> run(bool central_first, std::uint32_t lowest) {
    place(most_communicating(), central_first ? central_slot() : lowest);
    for (std::uint32_t k = 1; k < tasks_.ranks(); ++k) {
      const std::uint32_t task = queue_.next();
      costs_.assign(slots_.entries(), 0);  // where time is up: all slots are alike
      if (budget_ == nullptr || !budget_->exhausted()) add_costs(task);
      place(task, slots_.cheapest(costs_).slot);
    }
    std::vector<Slot> slot_of;
    for (const std::uint32_t index : index_of_) slot_of.push_back(slots_.slot(index));
    return slot_of;
  }

 private:
  static constexpr std::uint32_t unplaced = UINT32_MAX;

  std::uint32_t most_communicating() const {
    std::uint32_t most = 0;
    Weight most_traffic = 0;
    for (Rank t(0); t.value < tasks_.ranks(); ++t) {
      const auto weights = tasks_.weights(t);
      const Weight traffic = std::accumulate(weights.begin(), weights.end(), Weight{0});
      if (traffic <= most_traffic) continue;
      most = t.value;
      most_traffic = traffic;
    }
    return most;
  }

  std::uint32_t central_slot() const { return slots_.cheapest(slots_.distance_sums().of).slot; }

  /// Of communication with placed tasks, on each free slot.
  void add_costs(std::uint32_t task) {
    const auto neighbours = tasks_.neighbours(Rank(task));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t index = index_of_[neighbours[i].value];
      if (index == unplaced) continue;
      const Wide weight = tasks_.weights(Rank(task))[i];
      slots_.distances_from(index, distances_);
      for (std::size_t e = 0; e < costs_.size(); ++e) costs_[e] += weight * distances_[e];
    }
  }

  void place(std::uint32_t task, std::uint32_t index) {
    index_of_[task] = index;
    slots_.take(index);
    queue_.mark_placed(task);
    const auto neighbours = tasks_.neighbours(Rank(task));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      queue_.add_traffic(neighbours[i].value, tasks_.weights(Rank(task))[i]);
    }
  }

  const TrafficGraph& tasks_;
  Slots slots_;
  Budget* budget_;
  TaskQueue queue_;
  std::vector<std::uint32_t> index_of_;  // of each task's slot among the allowed ones
  std::vector<Wide> costs_;              // of the task to be placed; 64-bit factors: no overflow
  std::vector<std::uint64_t> distances_;
};

class TopoCentLbMapper final : public Mapper {
 public:
  std::string_view name() const override { return "topocentlb"; }
  std::string_view summary() const override {
    return "places next the rank that talks most with placed ones, where that costs least";
  }
  std::string_view source() const override {
    return "Agarwal, Sharma, Kale: TopoLB, IPDPS 2006, section 4.5";
  }
  std::span<const MapperSetting> settings() const override { return topocentlb_settings; }

  Answer map(const MapTask& problem) const override {
    const MapperSettings settings(*this, problem.options);
    topolb::CentralChoices choices;
    choices.central_first = settings.choice("first", {"lowest", "central"}) == 1;
    if (settings.choice("cheapest", {"lowest", "highest"}) == 1) {
      choices.cheapest = topolb::SlotOrder::descending;
    }
    const topolb::Tasks tasks = topolb::make_tasks(problem, name());
    return {mapping_of(tasks, topolb::place_around_placed(tasks.graph, problem, choices)),
            "topocentlb"};
  }
};

}  // namespace

std::vector<Slot> topolb::place_around_placed(const TrafficGraph& tasks, const MapTask& problem,
                                              const CentralChoices& choices) {
  if (tasks.ranks() == 0) return {};
  const auto place_on = [&](auto slots) {
    const bool ascending = choices.cheapest == SlotOrder::ascending;
    const std::uint32_t lowest = ascending ? 0 : slots.free_slots() - 1;
    return CentralPlacement(tasks, std::move(slots), problem.budget)
        .run(choices.central_first, lowest);
  };
  if (GridSlots::can_take(problem.machine)) {
    return place_on(GridSlots(problem.machine, choices.cheapest));
  }
  return place_on(SlotColumns(problem.machine, problem.options.objective, choices.cheapest));
}

const Mapper& topocentlb_mapper() {
  static const TopoCentLbMapper mapper;
  return mapper;
}

}  // namespace kith
