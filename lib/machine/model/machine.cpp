#include "kith/machine.hpp"

#include "kith/error.hpp"

namespace kith {

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
