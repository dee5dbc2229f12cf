#include "kith/detail/tree_machine.hpp"

#include <algorithm>
#include <numeric>

#include "kith/error.hpp"

namespace kith {
namespace {

/// Below this, path keys are kept in a table; above, a symmetric tree computes them by division.
constexpr std::uint64_t max_table_slots = std::uint64_t{1} << 22;

void require(bool holds, const char* what) {
  if (!holds) throw Error(ErrorKind::internal, std::string("tree machine: ") + what);
}

}  // namespace

// A symmetric tree needs its arities only; any other lists its objects.
struct TreeMachine::Shape {
  std::vector<std::uint32_t> arities;                   // empty unless symmetric
  std::vector<std::uint64_t> leaves_below;              // symmetric: by level, 0 .. depth
  std::vector<std::vector<std::uint32_t>> first_child;  // else: by level, objects + 1 items
  std::vector<std::vector<std::uint32_t>> parent;       // by level, the first unused
  std::vector<Slot> slot_of_leaf;                       // empty: identity
  std::vector<std::uint32_t> leaf_of_slot;
  std::vector<std::uint64_t> path;  // empty: computed
};

void TreeMachine::set_levels(std::vector<std::string> names, std::span<const std::uint64_t> objects,
                             std::vector<std::uint64_t> costs) {
  const auto depth = names.size();
  has_costs_ = !costs.empty();
  for (std::size_t l = 0; l < depth; ++l) level_hops_.push_back(2 * (depth - l));
  level_hops_.push_back(0);
  if (has_costs_) {
    level_cost_ = std::move(costs);
    level_cost_.push_back(0);
  } else {
    level_cost_ = level_hops_;
  }
  for (std::size_t l = 0; l < depth; ++l) {
    levels_.push_back({std::move(names[l]), objects[l], level_cost_[l]});
  }
}

void TreeMachine::set_fields(std::span<const std::uint32_t> most_children) {
  const auto depth = most_children.size();
  level_shift_.resize(depth);
  level_of_bit_[0] = static_cast<std::uint8_t>(depth);
  unsigned bit = 0;
  for (std::size_t l = depth; l-- > 0;) {
    level_shift_[l] = bit;
    const auto width = static_cast<unsigned>(std::bit_width(most_children[l] - 1U));
    if (bit + width > 64) {
      throw bad_input("machine", "a tree whose levels' largest arities multiply to at most 2^64",
                      "a larger one");
    }
    for (unsigned i = 0; i < width; ++i) level_of_bit_[++bit] = static_cast<std::uint8_t>(l);
  }
}

std::unique_ptr<TreeMachine> TreeMachine::symmetric(std::vector<std::uint32_t> arities,
                                                    std::vector<std::uint64_t> costs,
                                                    std::uint64_t cost_scale, std::string spec) {
  SymmetricTree tree;
  tree.arities = std::move(arities);
  tree.costs = std::move(costs);
  tree.cost_scale = cost_scale;
  tree.spec = std::move(spec);
  return symmetric(std::move(tree));
}

std::unique_ptr<TreeMachine> TreeMachine::symmetric(SymmetricTree tree) {
  const std::size_t depth = tree.arities.size();
  if (depth == 0 || depth > 64) throw bad_input(tree.spec, "1 to 64 levels", std::to_string(depth));
  require(tree.costs.empty() || tree.costs.size() == depth, "one cost per level");
  require(tree.widths.empty() || tree.widths.size() == depth, "one width per level");
  require(tree.node_level <= depth, "a depth whose objects are the nodes");
  std::vector<std::uint64_t> objects{1};
  std::vector<std::string> names;
  for (const std::uint32_t arity : tree.arities) {
    if (arity == 0) throw bad_input(tree.spec, "arities of at least 1", "0");
    const std::uint64_t next = objects.back() * arity;
    if (next > max_index_count) {
      throw bad_input(tree.spec, "at most " + std::to_string(max_index_count) + " slots", "more");
    }
    objects.push_back(next);
    names.push_back("level" + std::to_string(names.size()));
  }
  std::unique_ptr<TreeMachine> machine(new TreeMachine);
  machine->kind_ = std::move(tree.kind);
  machine->spec_ = std::move(tree.spec);
  machine->slots_ = static_cast<std::uint32_t>(objects.back());
  machine->pus_ = machine->slots_;
  machine->nodes_ = objects[tree.node_level];
  machine->node_level_ = tree.node_level;
  machine->cost_scale_ = tree.cost_scale;
  machine->widths_ = std::move(tree.widths);
  machine->allowed_ = SlotSet::all(machine->slots_);
  machine->set_fields(tree.arities);
  machine->set_levels(std::move(names), objects, std::move(tree.costs));
  machine->slots_are_paths_ = std::ranges::all_of(
      tree.arities, [](std::uint32_t arity) { return std::has_single_bit(arity); });

  auto shape = std::make_shared<Shape>();
  for (const std::uint64_t count : objects) shape->leaves_below.push_back(objects.back() / count);
  shape->arities = std::move(tree.arities);
  machine->shape_ = shape;
  if (machine->slots_ <= max_table_slots && !machine->slots_are_paths_) {
    shape->path.resize(machine->slots_);
    for (std::uint32_t leaf = 0; leaf < machine->slots_; ++leaf) {
      shape->path[leaf] = machine->computed_path(leaf);
    }
    machine->path_ = shape->path.data();
  }
  return machine;
}

std::unique_ptr<TreeMachine> TreeMachine::from(TreeDescription description) {
  const auto depth = description.children.size();
  require(depth > 0 && description.names.size() == depth, "one name per level");
  require(description.children[0].size() == 1, "one root");

  auto shape = std::make_shared<Shape>();
  shape->parent.emplace_back();
  std::vector<std::uint64_t> objects;
  std::vector<std::uint32_t> most_children;
  std::vector<std::uint64_t> path{0};  // of the objects of the present level
  for (const auto& children : description.children) {
    require(objects.empty() || children.size() == shape->parent.back().size(),
            "as many objects as children");
    objects.push_back(children.size());
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> parent;
    for (std::uint32_t object = 0; object < children.size(); ++object) {
      require(children[object] > 0, "no childless object");
      require(parent.size() + children[object] <= max_index_count, "at most 2^32 - 1 slots");
      parent.insert(parent.end(), children[object], object);
      first.push_back(static_cast<std::uint32_t>(parent.size()));
    }
    most_children.push_back(*std::ranges::max_element(children));
    shape->first_child.push_back(std::move(first));
    shape->parent.push_back(std::move(parent));
  }
  const auto slots = static_cast<std::uint32_t>(shape->parent.back().size());

  std::unique_ptr<TreeMachine> machine(new TreeMachine);
  machine->kind_ = std::move(description.kind);
  machine->spec_ = std::move(description.spec);
  machine->hosts_digest_ = std::move(description.hosts_digest);
  machine->slots_ = slots;
  machine->pus_ = description.pus == 0 ? slots : description.pus;
  machine->nodes_ = description.nodes;
  while (machine->node_level_ < depth && objects[machine->node_level_] < description.nodes) {
    ++machine->node_level_;
  }
  require(machine->node_level_ == depth ? slots == description.nodes
                                        : objects[machine->node_level_] == description.nodes,
          "a depth whose objects are the nodes");
  if (!description.node_names.empty()) {
    require(description.node_names.size() == description.nodes, "one name per node");
    machine->node_names_ =
        std::make_shared<std::vector<std::string>>(std::move(description.node_names));
  }
  require(description.costs.empty() || description.costs.size() == depth, "one cost per level");
  machine->cost_scale_ = description.cost_scale;
  machine->allowed_ = SlotSet::all(slots);
  machine->set_fields(most_children);
  for (std::size_t l = 0; l < depth; ++l) {
    const auto& parent = shape->parent[l + 1];
    std::vector<std::uint64_t> below(parent.size());
    for (std::size_t child = 0; child < parent.size(); ++child) {
      const std::uint64_t index = child - shape->first_child[l][parent[child]];
      below[child] = path[parent[child]] | (index << (machine->level_shift_[l] % 64));
    }
    path = std::move(below);
  }
  machine->set_levels(std::move(description.names), objects, std::move(description.costs));
  require(description.measured.empty() || description.measured.size() == depth,
          "one measurement per level");
  for (std::size_t l = 0; l < description.measured.size(); ++l) {
    machine->levels_[l].latency_us = description.measured[l].latency_us;
    machine->levels_[l].megabytes_per_s = description.measured[l].megabytes_per_s;
    machine->levels_[l].burst_bytes = description.measured[l].burst_bytes;
    machine->levels_[l].overhead_us = description.measured[l].overhead_us;
    machine->levels_[l].shared_megabytes_per_s = description.measured[l].shared_megabytes_per_s;
    machine->levels_[l].eager_bytes = description.measured[l].eager_bytes;
  }

  if (!description.slot_of_leaf.empty()) {
    require(description.slot_of_leaf.size() == slots, "one slot per leaf");
    shape->leaf_of_slot.assign(slots, no_slot.value);
    shape->path.resize(slots);
    for (std::uint32_t leaf = 0; leaf < slots; ++leaf) {
      const Slot slot = description.slot_of_leaf[leaf];
      require(slot.value < slots && shape->leaf_of_slot[slot.value] == no_slot.value,
              "slots are a permutation of the leaves");
      shape->leaf_of_slot[slot.value] = leaf;
      shape->path[slot.value] = path[leaf];
    }
    shape->slot_of_leaf = std::move(description.slot_of_leaf);
  } else {
    shape->path = std::move(path);
  }
  machine->path_ = shape->path.data();
  machine->shape_ = std::move(shape);
  return machine;
}

std::uint64_t TreeMachine::computed_path(std::uint32_t leaf) const {
  std::uint64_t path = 0;
  std::uint64_t rest = leaf;
  for (unsigned l = 0; l < depth(); ++l) {
    const std::uint64_t below = shape_->leaves_below[l + 1];
    // An arity of 1 has a field of no bits, whose shift may be 64.
    path |= (rest / below) << (level_shift_[l] % 64);
    rest %= below;
  }
  return path;
}

std::unique_ptr<Machine> TreeMachine::clone() const {
  return std::unique_ptr<Machine>(new TreeMachine(*this));
}

std::uint64_t TreeMachine::node_of(Slot slot) const {
  return ancestor(leaf_of_slot(slot), node_level_);
}

std::uint64_t TreeMachine::first_child(unsigned level, std::uint64_t object) const {
  if (!shape_->arities.empty()) return object * shape_->arities[level];
  return shape_->first_child[level][object];
}

std::uint64_t TreeMachine::parent(unsigned level, std::uint64_t object) const {
  if (!shape_->arities.empty()) return object / shape_->arities[level - 1];
  return shape_->parent[level][object];
}

std::uint64_t TreeMachine::first_leaf(unsigned level, std::uint64_t object) const {
  if (!shape_->arities.empty()) return object * shape_->leaves_below[level];
  for (; level < depth(); ++level) object = first_child(level, object);
  return object;
}

std::uint64_t TreeMachine::ancestor(std::uint64_t leaf, unsigned level) const {
  if (!shape_->arities.empty()) return leaf / shape_->leaves_below[level];
  for (unsigned l = depth(); l > level; --l) leaf = parent(l, leaf);
  return leaf;
}

Slot TreeMachine::slot_of_leaf(std::uint64_t leaf) const {
  return shape_->slot_of_leaf.empty() ? Slot(static_cast<std::uint32_t>(leaf))
                                      : shape_->slot_of_leaf[leaf];
}

std::uint32_t TreeMachine::leaf_of_slot(Slot slot) const {
  return shape_->leaf_of_slot.empty() ? slot.value : shape_->leaf_of_slot[slot.value];
}

bool TreeMachine::slots_in_leaf_order() const {
  return shape_->slot_of_leaf.empty();
}

bool TreeMachine::is_symmetric() const {
  return !shape_->arities.empty();
}

std::vector<std::uint32_t> TreeMachine::allowed_leaves(std::uint64_t at_most) const {
  std::vector<std::uint32_t> leaves;
  if (slots_in_leaf_order()) {
    const std::uint64_t count = std::min(at_most, allowed_.size());
    leaves.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) leaves.push_back(allowed_.at(i).value);
    return leaves;
  }
  leaves.reserve(allowed_.size());
  for (const Slot slot : allowed_.to_vector()) leaves.push_back(leaf_of_slot(slot));
  std::ranges::sort(leaves);
  if (leaves.size() > at_most) leaves.resize(at_most);
  return leaves;
}

std::optional<std::vector<std::uint32_t>> TreeMachine::allowed_arities() const {
  if (!shape_->arities.empty() && allowed_.size() == slots_) return shape_->arities;
  return arities_of(allowed_leaves());
}

std::optional<std::vector<std::uint32_t>> TreeMachine::arities_of(
    std::vector<std::uint32_t> leaves) const {
  std::vector<std::uint32_t> arities(depth());
  std::vector<std::uint32_t> used = std::move(leaves);  // objects in use of the present level
  for (unsigned l = depth(); l > 0; --l) {
    std::vector<std::uint32_t> parents;
    std::vector<std::uint32_t> children;
    for (const std::uint32_t object : used) {
      const auto above = static_cast<std::uint32_t>(parent(l, object));
      if (parents.empty() || parents.back() != above) {
        parents.push_back(above);
        children.push_back(0);
      }
      ++children.back();
    }
    if (std::ranges::adjacent_find(children, std::ranges::not_equal_to{}) != children.end()) {
      return std::nullopt;
    }
    arities[l - 1] = children.front();
    used = std::move(parents);
  }
  return arities;
}

}  // namespace kith
