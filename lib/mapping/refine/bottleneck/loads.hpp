// Numbers whose largest is to be lowered: bytes on links, costs of pairs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

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
  /// The `most` largest, the largest first, with their shares; equals by item. None of load 0.
  /// O(edges x length of routes).
  virtual std::vector<Bottleneck> bottlenecks(std::size_t most) = 0;
  /// Whether no mapping has a largest load below this item's.
  virtual bool is_fixed(std::uint64_t item) const = 0;
};

/// Bytes on the links, of the traffic in `matrix`. The machine must be a tree or a grid; `mapping`
/// is referred to, and is as it is to be counted now.
std::unique_ptr<Loads> link_loads(const MapTask& problem, const TrafficMatrix& matrix,
                                  const Mapping& mapping);

/// Weight x cost of each pair.
std::unique_ptr<Loads> pair_costs(const MapTask& problem, const Mapping& mapping);

/// Keeps the heaviest shares, heaviest first.
void sort_shares(std::vector<Bottleneck>& bottlenecks);

}  // namespace kith::bottleneck
