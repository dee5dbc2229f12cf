#include "mapping/multilevel/two_way.hpp"

#include <algorithm>
#include <utility>

namespace kith::multilevel {
namespace {

constexpr std::uint32_t moves_per_payment = 256;

}  // namespace

TwoWay::TwoWay(const WorkGraph& graph, std::vector<std::uint8_t>& side, Budget* budget)
    : graph_(graph),
      side_(side),
      budget_(budget),
      gain_(graph.vertices()),
      moved_(graph.vertices()),
      heaps_{GainHeap(graph.vertices()), GainHeap(graph.vertices())} {
  std::int64_t twice_cut = 0;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    largest_ = std::max(largest_, graph.sizes[v]);
    if (side[v] == 0) size_of_0_ += graph.sizes[v];
    if (side[v] == 1 && !graph.bias.empty()) cost_ += graph.bias[v];
    const auto neighbours = graph.neighbours_of(v);
    const auto weights = graph.weights_of(v);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (side[neighbours[i]] != side[v]) twice_cut += weights[i];
    }
  }
  cost_ += twice_cut / 2;
}

std::uint64_t TwoWay::off(const Balance& balance) const {
  const std::uint64_t off =
      size_of_0_ > balance.target ? size_of_0_ - balance.target : balance.target - size_of_0_;
  return off > balance.tolerance ? off - balance.tolerance : 0;
}

std::int64_t TwoWay::gain_of(std::uint32_t v) const {
  std::int64_t gain = 0;
  if (!graph_.bias.empty()) gain = side_[v] == 1 ? graph_.bias[v] : -graph_.bias[v];
  const auto neighbours = graph_.neighbours_of(v);
  const auto weights = graph_.weights_of(v);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    gain += side_[neighbours[i]] != side_[v] ? weights[i] : -weights[i];
  }
  return gain;
}

bool TwoWay::on_border(std::uint32_t v) const {
  for (const std::uint32_t u : graph_.neighbours_of(v)) {
    if (side_[u] != side_[v]) return true;
  }
  return false;
}

void TwoWay::refine(const Balance& balance, unsigned passes, std::uint32_t patience) {
  for (unsigned i = 0; i < passes && !is_over() && pass(balance, patience); ++i) {
  }
  if (budget_ != nullptr) budget_->spend(std::exchange(unpaid_, 0));
}

bool TwoWay::pay() {
  if (budget_ == nullptr || ++unpaid_ < moves_per_payment) return true;
  return budget_->spend(std::exchange(unpaid_, 0));
}

int TwoWay::next_side(const Balance& balance, std::uint64_t slack) const {
  if (size_of_0_ > balance.target + slack) return heaps_[0].empty() ? -1 : 0;
  if (size_of_0_ + slack < balance.target) return heaps_[1].empty() ? -1 : 1;
  if (heaps_[0].empty() || heaps_[1].empty()) {
    return heaps_[0].empty() ? (heaps_[1].empty() ? -1 : 1) : 0;
  }
  const std::int64_t from_0 = heaps_[0].top_gain();
  const std::int64_t from_1 = heaps_[1].top_gain();
  if (from_0 != from_1) return from_0 > from_1 ? 0 : 1;
  return size_of_0_ >= balance.target ? 0 : 1;
}

void TwoWay::move(std::uint32_t v) {
  cost_ -= gain_[v];
  if (side_[v] == 0) {
    size_of_0_ -= graph_.sizes[v];
  } else {
    size_of_0_ += graph_.sizes[v];
  }
  side_[v] ^= 1;
}

void TwoWay::update_neighbours(std::uint32_t v) {
  const auto neighbours = graph_.neighbours_of(v);
  const auto weights = graph_.weights_of(v);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const std::uint32_t u = neighbours[i];
    if (moved_[u]) continue;
    GainHeap& heap = heaps_[side_[u]];
    if (heap.contains(u)) {
      gain_[u] += side_[u] == side_[v] ? -2 * weights[i] : 2 * weights[i];
    } else {
      gain_[u] = gain_of(u);
    }
    heap.put(u, gain_[u]);
  }
}

bool TwoWay::pass(const Balance& balance, std::uint32_t patience) {
  const State before{off(balance), cost_};
  for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
    if (before.off == 0 && graph_.bias.empty() && !on_border(v)) continue;
    gain_[v] = gain_of(v);
    heaps_[side_[v]].put(v, gain_[v]);
  }
  const std::uint64_t slack = balance.tolerance + largest_;
  State best = before;
  std::vector<std::uint32_t> moves;
  std::size_t kept = 0;
  while (moves.size() - kept < patience && pay()) {
    const int from = next_side(balance, slack > 0 ? slack - 1 : 0);
    if (from < 0) break;
    const std::uint32_t v = heaps_[static_cast<std::size_t>(from)].top();
    heaps_[static_cast<std::size_t>(from)].remove(v);
    moved_[v] = true;
    move(v);
    moves.push_back(v);
    update_neighbours(v);
    const State now{off(balance), cost_};
    if (now < best) {
      best = now;
      kept = moves.size();
    }
  }
  for (const std::uint32_t v : moves) moved_[v] = false;
  for (; moves.size() > kept; moves.pop_back()) {
    const std::uint32_t v = moves.back();
    gain_[v] = gain_of(v);
    move(v);
  }
  heaps_[0].clear();
  heaps_[1].clear();
  return best < before;
}

}  // namespace kith::multilevel
