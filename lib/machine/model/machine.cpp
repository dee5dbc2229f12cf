#include "kith/machine.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"

namespace kith {

void Network::nearest(std::uint32_t node, std::size_t most, std::vector<std::uint32_t>& out) const {
  out.clear();
  for (std::uint32_t apart = 1; apart < nodes_ && out.size() < most; ++apart) {
    if (apart <= node) out.push_back(node - apart);
    if (apart < nodes_ - node && out.size() < most) out.push_back(node + apart);
  }
}

NetworkMachine::NetworkMachine(std::shared_ptr<const Network> network,
                               std::vector<std::uint32_t> node_arities, std::string spec,
                               std::vector<std::string> node_names)
    : network_(std::move(network)) {
  if (!node_arities.empty()) {
    node_tree_ = TreeMachine::symmetric(std::move(node_arities), {}, 1, spec);
    slots_per_node_ = node_tree_->slots();
  }
  const std::uint64_t slots = std::uint64_t{network_->nodes()} * slots_per_node_;
  if (slots > max_index_count) {
    throw bad_input(spec, "at most " + std::to_string(max_index_count) + " slots",
                    std::to_string(slots));
  }
  spec_ = std::move(spec);
  slots_ = static_cast<std::uint32_t>(slots);
  pus_ = slots;
  allowed_ = SlotSet::all(slots_);
  if (node_names.empty()) return;
  if (node_names.size() != network_->nodes()) {
    throw Error(ErrorKind::internal, "network machine: one name per node");
  }
  node_names_ = std::make_shared<std::vector<std::string>>(std::move(node_names));
}

std::unique_ptr<Machine> NetworkMachine::clone() const {
  return std::unique_ptr<Machine>(new NetworkMachine(*this));
}

std::uint64_t NetworkMachine::climbed() const {
  return node_tree_ == nullptr ? 0 : 2 * std::uint64_t{node_tree_->depth()};
}

std::uint64_t NetworkMachine::hops(Slot a, Slot b) const {
  const std::uint32_t from = a.value / slots_per_node_;
  const std::uint32_t to = b.value / slots_per_node_;
  if (from != to) return network_->hops(from, to) + climbed();
  if (node_tree_ == nullptr) return 0;
  return node_tree_->hops(Slot(a.value % slots_per_node_), Slot(b.value % slots_per_node_));
}

std::uint64_t NetworkMachine::cost(Slot a, Slot b) const {
  if (!has_costs()) return hops(a, b);
  const std::uint32_t from = a.value / slots_per_node_;
  const std::uint32_t to = b.value / slots_per_node_;
  if (from != to) return network_->cost(from, to) + climbed() * cost_scale();
  return hops(a, b) * cost_scale();
}

std::uint64_t NetworkMachine::lowest_cost() const {
  if (node_tree_ != nullptr && slots_per_node_ > 1) {
    return node_tree_->lowest_cost() * cost_scale();
  }
  return network_->lowest_cost();
}

std::vector<std::uint32_t> NetworkMachine::dims() const {
  const GridNetwork* grid = network_->as_grid();
  if (grid == nullptr) return {};
  return {grid->extents().begin(), grid->extents().end()};
}

std::span<const std::string> Machine::node_names() const {
  if (node_names_ == nullptr) return {};
  return *node_names_;
}

std::string Machine::node_name(std::uint64_t node) const {
  return node_names_ != nullptr ? (*node_names_)[node] : "node" + std::to_string(node);
}

std::unique_ptr<Machine> Machine::restricted_to(const SlotSet& slots) const {
  if (slots.empty()) throw bad_input(spec_, "at least one slot to keep", "none");
  const Slot last = slots.intervals().back().last;
  if (last.value >= slots_) {
    throw bad_input(spec_, "slots below " + std::to_string(slots_), std::to_string(last.value));
  }
  auto machine = clone();
  machine->allowed_ = allowed_.intersected(slots);
  if (machine->allowed_.empty()) {
    throw bad_input(spec_, "at least one slot that the machine allows", "none");
  }
  return machine;
}

}  // namespace kith
