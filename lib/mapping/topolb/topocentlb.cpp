// TopoCentLB: Agarwal, Sharma, Kale: "Topology-aware task mapping for reducing communication
// contention on large parallel machines", IPDPS 2006, section 4.5. The task that communicates most
// with those already placed goes to the free slot where that costs least.
//
// What the paper leaves open, and what is done here:
// - The first task, the one with the most traffic, goes to the lowest slot; the setting `first`
//   chooses a slot in the middle.
// - Ties go to the lowest task and the lowest slot. A task that communicates with no placed one is
//   such a tie: the lowest task that is left goes to the lowest free slot.
// - More ranks than slots: as in topolb.cpp.
#include <algorithm>
#include <array>
#include <numeric>
#include <queue>

#include "mapping/budget.hpp"
#include "mapping/mappers.hpp"
#include "mapping/settings.hpp"
#include "mapping/topolb/distances.hpp"
#include "mapping/topolb/slot_search.hpp"
#include "mapping/topolb/tasks.hpp"

namespace kith {
namespace {

constexpr std::array topocentlb_settings{
    MapperSetting{
        "first", "lowest",
        "where the first rank goes: lowest (slot), or central (the least sum of distances "
        "to all others)"},
};

enum class FirstSlot { lowest, central };

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

class CentralPlacement {
 public:
  CentralPlacement(const TrafficGraph& tasks, const MapProblem& problem)
      : tasks_(tasks),
        problem_(problem),
        queue_(tasks.ranks()),
        search_(topolb::make_slot_search(problem.machine, problem.options.objective)),
        slot_of_(tasks.ranks(), no_slot) {}

  std::vector<Slot> run(FirstSlot first) {
    if (tasks_.ranks() == 0) return {};
    place(most_communicating(), first == FirstSlot::central ? central_slot() : lowest_slot());
    for (std::uint32_t k = 1; k < tasks_.ranks(); ++k) {
      const std::uint32_t task = queue_.next();
      const bool stop = problem_.budget != nullptr && problem_.budget->exhausted();
      if (stop) anchors_.clear();  // what is left goes to the lowest free slots
      if (!stop) find_anchors(task);
      place(task, search_->cheapest(anchors_));
    }
    return std::move(slot_of_);
  }

 private:
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

  Slot lowest_slot() const { return problem_.machine.allowed().at(0); }

  Slot central_slot() const {
    const auto slots = problem_.machine.allowed().to_vector();
    const auto sums = topolb::distance_sums(problem_.machine, problem_.options.objective, slots).of;
    return slots[static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin())];
  }

  void find_anchors(std::uint32_t task) {
    anchors_.clear();
    const auto neighbours = tasks_.neighbours(Rank(task));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const Slot slot = slot_of_[neighbours[i].value];
      if (slot != no_slot) anchors_.push_back({slot, tasks_.weights(Rank(task))[i]});
    }
  }

  void place(std::uint32_t task, Slot slot) {
    slot_of_[task] = slot;
    search_->take(slot);
    queue_.mark_placed(task);
    const auto neighbours = tasks_.neighbours(Rank(task));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      queue_.add_traffic(neighbours[i].value, tasks_.weights(Rank(task))[i]);
    }
  }

  const TrafficGraph& tasks_;
  const MapProblem& problem_;
  TaskQueue queue_;
  std::unique_ptr<topolb::SlotSearch> search_;
  std::vector<Slot> slot_of_;
  std::vector<topolb::Anchor> anchors_;  // of the task to be placed
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

  Answer map(const MapProblem& problem) const override {
    const Settings settings(*this, problem.options);
    const bool central = settings.choice("first", {"lowest", "central"}) == 1;
    const topolb::Tasks tasks = topolb::make_tasks(problem);
    CentralPlacement placement(tasks.graph, problem);
    return {mapping_of(tasks, placement.run(central ? FirstSlot::central : FirstSlot::lowest)),
            "topocentlb"};
  }
};

}  // namespace

const Mapper& topocentlb_mapper() {
  static const TopoCentLbMapper mapper;
  return mapper;
}

}  // namespace kith
