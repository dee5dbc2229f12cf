// Numbers whose largest is to be lowered: bytes on links, costs of pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/constraints.hpp"
#include "mapping/value.hpp"

namespace kith::bottleneck {

/// One rank goes to another slot; with a partner the two exchange theirs.
struct BottleneckStep {
  Rank rank;
  Slot to;
  std::optional<Rank> partner{};
};

/// What a step does to one number.
struct Change {
  std::uint64_t item;  ///< which: a link, a pair
  std::uint64_t before;
  std::uint64_t after;
};

/// A large number and who makes it: messages that cross a link, the two ranks of a pair.
struct Bottleneck {
  struct Share {
    Rank from;
    Rank to;
    std::uint64_t weight;
  };
  std::uint64_t item = 0;
  std::uint64_t load = 0;
  std::vector<Share> shares{};  ///< the heaviest first, not all where there are many
};

/// Follows a mapping that the caller changes. Loads are exact, but where links are of unequal
/// widths: there they are to scale with each other.
class Loads {
 public:
  virtual ~Loads() = default;
  /// Replaces `out` by what the step would change; each item once. `step` is not done yet.
  /// O(degree x length of routes).
  virtual void changes(const BottleneckStep& step, std::vector<Change>& out) = 0;
  /// To be told of each step before it is done.
  virtual void apply(const BottleneckStep& step) = 0;
  virtual std::uint64_t load(std::uint64_t item) const = 0;
  virtual std::uint64_t largest() const = 0;
  /// The `most` largest, the largest first, without shares; equals by item. None of load 0. O(loads
  /// log most).
  virtual std::vector<Bottleneck> largest_loads(std::size_t most) const = 0;
  /// The same with their shares.
  /// O(edges x length of routes).
  virtual std::vector<Bottleneck> bottlenecks(std::size_t most) = 0;
  /// Whether no mapping has a largest load below this item's.
  virtual bool is_fixed(std::uint64_t item) const = 0;
};

/// Bytes on the links, of the traffic in `matrix`, or how long they take (network_time.hpp), of
/// that on the wire. For bytes the machine must be a tree or a grid; `mapping` is referred to, and
/// is as it is to be counted now.
std::unique_ptr<Loads> link_loads(const MapTask& problem, const TrafficMatrix& matrix,
                                  const Mapping& mapping);
std::unique_ptr<Loads> link_times(const MapTask& problem, const TrafficMatrix& wire,
                                  const Mapping& mapping);

/// Weight x cost of each pair.
std::unique_ptr<Loads> pair_costs(const MapTask& problem, const Mapping& mapping);

/// Makes the move: updates the loads, then the place of each rank.
void take_step(const BottleneckStep& step, Loads& loads, Occupancy& occupancy);

/// Loads that follow the mapping given.
using MakeLoads = std::function<std::unique_ptr<Loads>(const Mapping& mapping)>;

/// Simulated annealing of the largest loads and those that nearly are: a search that looks at the
/// largest alone walks blindly among all orders that have it. The sum over pairs makes ties. Looks
/// at so many loads; no step raises that sum above `most_sum`; never worse than `mapping` by
/// `valuer`; deterministic by options.seed. Fixed ranks, capacity and options.least are kept.
Mapping anneal_peaks(const MapTask& problem, const MappingValuer& valuer, Criterion criterion,
                     const MakeLoads& make_loads, SignedWide most_sum, Mapping mapping,
                     std::uint64_t most_visits);

/// Keeps the heaviest shares, heaviest first.
void sort_shares(std::vector<Bottleneck>& bottlenecks);

}  // namespace kith::bottleneck
