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
      weight_(graph.vertices()),
      moved_(graph.vertices()),
      heaps_{GainHeap(graph.vertices()), GainHeap(graph.vertices())} {
  std::int64_t twice_cut = 0;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    largest_ = std::max(largest_, graph.sizes[v]);
    if (side[v] == 0) size_of_0_ += graph.sizes[v];
    std::int64_t across = 0;
    const auto neighbours = graph.neighbours_of(v);
    const auto weights = graph.weights_of(v);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      weight_[v] += weights[i];
      if (side[neighbours[i]] != side[v]) across += weights[i];
    }
    twice_cut += across;
    gain_[v] = 2 * across - weight_[v];
    if (graph.bias.empty()) continue;
    gain_[v] += side[v] == 1 ? graph.bias[v] : -graph.bias[v];
    if (side[v] == 1) cost_ += graph.bias[v];
  }
  cost_ += twice_cut / 2;
}

std::uint64_t TwoWay::off(const Balance& balance) const {
  const std::uint64_t off =
      size_of_0_ > balance.target ? size_of_0_ - balance.target : balance.target - size_of_0_;
  return off > balance.tolerance ? off - balance.tolerance : 0;
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
  gain_[v] = -gain_[v];
  if (side_[v] == 0) {
    size_of_0_ -= graph_.sizes[v];
  } else {
    size_of_0_ += graph_.sizes[v];
  }
  side_[v] ^= 1;
  const auto neighbours = graph_.neighbours_of(v);
  const auto weights = graph_.weights_of(v);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const std::uint32_t u = neighbours[i];
    gain_[u] += side_[u] == side_[v] ? -2 * weights[i] : 2 * weights[i];
  }
}

void TwoWay::queue_neighbours(std::uint32_t v) {
  for (const std::uint32_t u : graph_.neighbours_of(v)) {
    if (!moved_[u]) heaps_[side_[u]].put(u, gain_[u]);
  }
}

bool TwoWay::pass(const Balance& balance, std::uint32_t patience) {
  const State before{off(balance), cost_};
  for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
    const bool on_border = gain_[v] > -weight_[v];
    if (on_border || before.off != 0 || !graph_.bias.empty()) heaps_[side_[v]].put(v, gain_[v]);
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
    queue_neighbours(v);
    const State now{off(balance), cost_};
    if (now < best) {
      best = now;
      kept = moves.size();
    }
  }
  for (const std::uint32_t v : moves) moved_[v] = false;
  for (; moves.size() > kept; moves.pop_back()) move(moves.back());
  heaps_[0].clear();
  heaps_[1].clear();
  return best < before;
}

}  // namespace kith::multilevel
