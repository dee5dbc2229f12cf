#include "mapping/tiling/tilings.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <utility>

namespace kith::tiling {
namespace {

constexpr std::uint64_t most_folding_work = 2'000'000;  // hops looked at

/// factors[d][m]: how much of task dimension d lies along machine dimension m.
using Factors = std::vector<std::vector<std::uint32_t>>;

/// Factors whose products are the extents of both grids; or, where the machine is to spare, at
/// least those of the tasks and at most those of the machine.
class FactorSearch {
 public:
  FactorSearch(const Place& extents, std::span<const std::uint32_t> room, bool is_exact,
               std::size_t most)
      : extents_(extents),
        room_(room.begin(), room.end()),
        is_exact_(is_exact),
        most_(most),
        factors_(most_dimensions, std::vector<std::uint32_t>(room.size(), 1)) {
    // Few digits first: each carry costs.
    for (std::uint32_t digits = 0; digits <= most_dimensions + room.size() && found_.size() < most_;
         ++digits) {
      search(0, 0, extents_[0], digits);
    }
  }
  std::vector<Factors> take() { return std::move(found_); }

 private:
  void search(std::size_t d, std::size_t m, std::uint32_t left, std::uint32_t digits) {
    if (found_.size() >= most_ || ++steps_ > most_steps) return;
    if (m == room_.size()) {
      if (left != 1) return;
      if (d + 1 < most_dimensions) {
        search(d + 1, 0, extents_[d + 1], digits);
      } else if (digits == 0 && (!is_exact_ || is_used_up())) {
        found_.push_back(factors_);
      }
      return;
    }
    for (std::uint32_t factor = std::min(left, room_[m]); factor >= 1; --factor) {
      if (!may_be(factor, left, room_[m]) || (factor > 1 && digits == 0)) continue;
      const std::uint32_t room = room_[m];
      factors_[d][m] = factor;
      room_[m] /= factor;
      search(d, m + 1, (left + factor - 1) / factor, digits - (factor > 1 ? 1 : 0));
      room_[m] = room;
      factors_[d][m] = 1;
    }
  }

  bool may_be(std::uint32_t factor, std::uint32_t left, std::uint32_t room) const {
    if (left % factor == 0) return !is_exact_ || room % factor == 0;
    return !is_exact_ && (factor == room || factor <= small);
  }

  bool is_used_up() const {
    return std::ranges::all_of(room_, [](std::uint32_t room) { return room == 1; });
  }

  static constexpr std::uint64_t most_steps = 500'000;
  static constexpr std::uint32_t small = 16;  // factors that may leave something over
  Place extents_;
  std::vector<std::uint32_t> room_;
  bool is_exact_;
  std::size_t most_;
  Factors factors_;
  std::vector<Factors> found_;
  std::uint64_t steps_ = 0;
};

/// In a cube of extents 2 each task dimension takes as many dimensions as its places have bits, and
/// running to and fro is counting in Gray code: neighbours are one hop apart, also around a
/// dimension of 2^k places. No search could enumerate so many dimensions. Nothing where the machine
/// is no cube or has too few dimensions.
std::vector<Factors> cube_factors(const Place& extents, std::span<const std::uint32_t> room) {
  if (!std::ranges::all_of(room, [](std::uint32_t extent) { return extent == 2; })) return {};
  Factors factors(most_dimensions, std::vector<std::uint32_t>(room.size(), 1));
  std::size_t m = 0;
  for (std::size_t d = 0; d < most_dimensions; ++d) {
    for (int bits = std::bit_width(extents[d] - 1); bits > 0; --bits) {
      if (m == room.size()) return {};
      factors[d][m++] = 2;
    }
  }
  return {factors};
}

std::vector<std::uint32_t> node_strides(const GridNetwork& network) {
  std::vector<std::uint32_t> strides(network.extents().size(), 1);
  for (std::size_t m = strides.size(); m-- > 1;) {
    strides[m - 1] = strides[m] * network.extents()[m];
  }
  return strides;
}

constexpr unsigned orders = 8;

/// `order`: bit 0: task dimensions share a machine dimension in descending order, bit 1: digits of
/// a task dimension run through the machine's dimensions in descending order, bit 2: digits that
/// share a machine dimension run to and fro.
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
      folding.digits.push_back({factors[d][m], d, m, stride[m], 0});
      stride[m] *= factors[d][m];
    }
  }
  // What carries seldom may be far: digits with the shortest strides run fastest.
  std::ranges::stable_sort(folding.digits, {}, &Digit::stride);
  const auto digits = static_cast<std::uint32_t>(folding.digits.size());
  for (std::uint32_t i = 0; i < digits; ++i) {
    std::uint32_t above = i + 1;
    const auto shares = [&](std::uint32_t other) {
      return folding.digits[other].machine_dimension == folding.digits[i].machine_dimension;
    };
    while (above < digits && !shares(above)) ++above;
    folding.digits[i].above = (order & 4) != 0 && above < digits ? above : i;
  }
  return folding;
}

Place place_of(std::uint32_t index, const Place& extents) {
  Place place{};
  for (std::size_t d = most_dimensions; d-- > 0; index /= extents[d]) {
    place[d] = index % extents[d];
  }
  return place;
}

std::uint32_t count(const Place& extents) {
  std::uint32_t product = 1;
  for (const std::uint32_t extent : extents) product *= extent;
  return product;
}

/// A prime, so that samples do not follow the grid's own periods.
std::uint32_t sampling_step(std::uint32_t boxes) {
  constexpr std::uint32_t enough = 16384;
  std::uint32_t step = 1;
  for (const std::uint32_t prime : {3, 7, 13, 31, 61, 127, 251, 509, 1021, 4093, 16381, 65521}) {
    if (boxes / prime >= enough) step = prime;
  }
  return step;
}

/// Of every so many boxes.
void set_cost(Folding& folding, const TaskGrid& boxes, const GridNetwork& network,
              std::uint32_t sampling) {
  folding.cost = 0;
  folding.is_perfect = true;
  const std::uint32_t all = count(boxes.extents);
  std::vector<std::uint64_t> hops(boxes.displacements.size(), 0);
  for (std::uint64_t i = 0; i < all; i += sampling) {
    const Place from = place_of(static_cast<std::uint32_t>(i), boxes.extents);
    const std::uint32_t node = folding.node_of(from);
    for (std::size_t s = 0; s < hops.size(); ++s) {
      const auto& steps = boxes.displacements[s].steps;
      const auto d = static_cast<std::size_t>(std::ranges::find(steps, 1) - steps.begin());
      const bool wraps = from[d] + 1 == boxes.extents[d];
      if (wraps && !boxes.periodic[d]) continue;
      Place to = from;
      to[d] = wraps ? 0 : to[d] + 1;
      const std::uint64_t apart = network.hops(node, folding.node_of(to));
      hops[s] += apart;
      folding.is_perfect = folding.is_perfect && apart == 1;
    }
  }
  for (std::size_t s = 0; s < hops.size(); ++s) {
    folding.cost += boxes.displacements[s].weight * static_cast<double>(hops[s]) * sampling;
  }
}

}  // namespace

std::uint32_t Folding::node_of(const Place& box) const {
  Place rest = box;
  std::array<std::uint32_t, 64> value{};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const Digit& digit = digits[i];
    std::uint32_t& left = rest[digit.task_dimension];
    value[i] = left % digit.extent;
    left /= digit.extent;
    if (left % 2 == 1) value[i] = digit.extent - 1 - value[i];  // on the way back
  }
  std::uint32_t node = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const Digit& digit = digits[i];
    if (digit.above != i && value[digit.above] % 2 == 1) value[i] = digit.extent - 1 - value[i];
    node += value[i] * digit.stride * node_strides[digit.machine_dimension];
  }
  return node;
}

std::optional<Folding> best_folding(const TaskGrid& boxes, const GridNetwork& network) {
  const std::uint32_t nodes = count(boxes.extents);
  const std::uint32_t sampling = sampling_step(nodes);
  const std::uint64_t per_try = std::uint64_t{nodes} / sampling * (boxes.dimensions + 1);
  const std::size_t tries = std::clamp<std::uint64_t>(
      most_folding_work / std::max<std::uint64_t>(per_try, 1), orders, 4096);
  std::vector<Factors> ways = cube_factors(boxes.extents, network.extents());
  if (ways.empty()) {
    ways = FactorSearch(boxes.extents, network.extents(), nodes == network.nodes(), tries).take();
  }
  std::optional<Folding> best;
  std::size_t tried = 0;
  for (const Factors& factors : ways) {
    for (unsigned order = 0; order < orders; ++order) {
      if (tried++ >= tries || (best && best->is_perfect)) break;
      Folding folding = folding_of(factors, network, order);
      set_cost(folding, boxes, network, sampling);
      if (!best || folding.cost < best->cost) best = std::move(folding);
    }
  }
  if (best) set_cost(*best, boxes, network, 1);
  return best;
}

}  // namespace kith::tiling
