#include "mapping/tiling/folding.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace kith::tiling {
namespace {

constexpr std::uint64_t most_work = 20'000'000;  // hops looked at

/// factors[d][m]: how much of task dimension d lies along machine dimension m.
using Factors = std::vector<std::vector<std::uint32_t>>;

/// Calls `visit` for all factors whose products are the extents of both grids; false ends.
class FactorSearch {
 public:
  FactorSearch(const Place& extents, std::span<const std::uint32_t> room, std::size_t most)
      : extents_(extents),
        room_(room.begin(), room.end()),
        most_(most),
        factors_(most_dimensions, std::vector<std::uint32_t>(room.size(), 1)) {
    // Few digits first: each carry costs.
    for (std::uint32_t digits = 1; digits <= most_dimensions + room.size() && found_.size() < most_;
         ++digits) {
      search(0, 0, extents_[0], digits);
    }
  }
  const std::vector<Factors>& found() const { return found_; }

 private:
  void search(std::size_t d, std::size_t m, std::uint32_t left, std::uint32_t digits) {
    if (found_.size() >= most_ || ++steps_ > most_steps) return;
    if (m == room_.size()) {
      if (left != 1) return;
      if (d + 1 < most_dimensions) {
        search(d + 1, 0, extents_[d + 1], digits);
      } else if (digits == 0 && std::ranges::all_of(room_, [](auto r) { return r == 1; })) {
        found_.push_back(factors_);
      }
      return;
    }
    const std::uint32_t largest = std::gcd(left, room_[m]);
    for (std::uint32_t factor = largest; factor >= 1; --factor) {
      if (largest % factor != 0 || (factor > 1 && digits == 0)) continue;
      factors_[d][m] = factor;
      room_[m] /= factor;
      search(d, m + 1, left / factor, digits - (factor > 1 ? 1 : 0));
      room_[m] *= factor;
      factors_[d][m] = 1;
    }
  }

  static constexpr std::uint64_t most_steps = 2'000'000;
  Place extents_;
  std::vector<std::uint32_t> room_;
  std::size_t most_;
  Factors factors_;
  std::vector<Factors> found_;
  std::uint64_t steps_ = 0;
};

std::vector<std::uint32_t> node_strides(const GridNetwork& network) {
  std::vector<std::uint32_t> strides(network.extents().size(), 1);
  for (std::size_t m = strides.size(); m-- > 1;) {
    strides[m - 1] = strides[m] * network.extents()[m];
  }
  return strides;
}

/// `order`: bit 0: task dimensions share a machine dimension in descending order, bit 1: digits of
/// a task dimension run through the machine's dimensions in descending order.
Folding folding_of(const Factors& factors, const GridNetwork& network, unsigned order) {
  Folding folding;
  folding.node_strides = node_strides(network);
  const std::size_t machine_dimensions = network.extents().size();
  std::vector<std::uint32_t> stride(machine_dimensions, 1);
  for (std::uint32_t i = 0; i < most_dimensions; ++i) {
    const std::uint32_t d = (order & 1) != 0 ? most_dimensions - 1 - i : i;
    for (std::uint32_t j = 0; j < machine_dimensions; ++j) {
      const auto m = static_cast<std::uint32_t>((order & 2) != 0 ? machine_dimensions - 1 - j : j);
      if (factors[d][m] == 1) continue;
      folding.digits.push_back({factors[d][m], d, m, stride[m]});
      stride[m] *= factors[d][m];
    }
  }
  // What carries seldom may be far: digits with the shortest strides run fastest.
  std::ranges::stable_sort(folding.digits, {}, &Digit::stride);
  return folding;
}

Place place_of(std::uint32_t index, const Place& extents) {
  Place place{};
  for (std::size_t d = most_dimensions; d-- > 0; index /= extents[d]) {
    place[d] = index % extents[d];
  }
  return place;
}

double cost_of(const Folding& folding, const TaskGrid& boxes, const GridNetwork& network) {
  std::vector<std::uint32_t> node(network.nodes());
  for (std::uint32_t i = 0; i < network.nodes(); ++i) {
    node[i] = folding.node_of(place_of(i, boxes.extents));
  }
  double cost = 0;
  std::uint32_t below[most_dimensions];
  std::uint32_t product = 1;
  for (std::size_t d = most_dimensions; d-- > 0; product *= boxes.extents[d]) below[d] = product;
  for (const Displacement& step : boxes.displacements) {
    const auto d = static_cast<std::size_t>(std::ranges::find(step.steps, 1) - step.steps.begin());
    std::uint64_t hops = 0;
    for (std::uint32_t i = 0; i < network.nodes(); ++i) {
      const std::uint32_t at = i / below[d] % boxes.extents[d];
      if (at + 1 < boxes.extents[d]) {
        hops += network.hops(node[i], node[i + below[d]]);
      } else if (boxes.periodic[d]) {
        hops += network.hops(node[i], node[i - at * below[d]]);
      }
    }
    cost += step.weight * static_cast<double>(hops);
  }
  return cost;
}

}  // namespace

std::uint32_t Folding::node_of(const Place& box) const {
  Place rest = box;
  std::uint32_t node = 0;
  for (const Digit& digit : digits) {
    std::uint32_t& left = rest[digit.task_dimension];
    std::uint32_t value = left % digit.extent;
    left /= digit.extent;
    if (left % 2 == 1) value = digit.extent - 1 - value;  // on the way back
    node += value * digit.stride * node_strides[digit.machine_dimension];
  }
  return node;
}

std::optional<Folding> best_folding(const TaskGrid& boxes, const GridNetwork& network) {
  const std::uint64_t per_try = std::uint64_t{network.nodes()} * (boxes.dimensions + 1);
  const std::size_t tries = std::clamp<std::uint64_t>(most_work / per_try, 4, 4096);
  const FactorSearch search(boxes.extents, network.extents(), tries);
  std::optional<Folding> best;
  std::size_t tried = 0;
  for (const Factors& factors : search.found()) {
    for (unsigned order = 0; order < 4; ++order) {
      if (tried++ >= tries) return best;
      Folding folding = folding_of(factors, network, order);
      folding.cost = cost_of(folding, boxes, network);
      if (!best || folding.cost < best->cost) best = std::move(folding);
    }
  }
  return best;
}

}  // namespace kith::tiling
