#include <algorithm>

#include "mapping/packing/packing.hpp"

namespace kith::packing {

RoomTree::RoomTree(const SlotTree& slots, std::uint32_t capacity_of_slot) {
  const auto capacity = [&](const SlotTree::Object& object) {
    return object.slots() * capacity_of_slot;
  };
  const SlotTree::Object root = slots.root();
  objects_.push_back({root, 0, none, 0, 0, capacity(root), 0});
  std::vector<SlotTree::Object> children;
  for (std::uint32_t i = 0; i < objects_.size(); ++i) {
    slots.children(objects_[i].slots, children);
    const bool is_block =
        children.empty() ||
        (capacity_of_slot == 1 &&
         std::ranges::all_of(children, [](const auto& child) { return child.slots() == 1; }));
    depth_ = std::max(depth_, objects_[i].depth);
    if (is_block) {
      objects_[i].room = objects_[i].capacity;
      blocks_.push_back(i);
      continue;
    }
    objects_[i].first_child = static_cast<std::uint32_t>(objects_.size());
    objects_[i].children = static_cast<std::uint32_t>(children.size());
    for (const SlotTree::Object& child : children) {
      objects_.push_back({child, objects_[i].depth + 1, i, 0, 0, capacity(child), 0});
    }
  }
  std::ranges::sort(blocks_, {}, [&](std::uint32_t b) { return objects_[b].slots.first; });
}

std::vector<std::uint32_t> RoomTree::objects_at(std::uint32_t depth) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < objects_.size(); ++i) {
    const Object& object = objects_[i];
    if (object.depth == depth || (object.depth < depth && object.children == 0)) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::uint64_t> RoomTree::rooms() const {
  std::vector<std::uint64_t> rooms(objects_.size());
  for (std::size_t i = objects_.size(); i-- > 0;) {
    rooms[i] += objects_[i].room;
    if (objects_[i].parent != none) rooms[objects_[i].parent] += rooms[i];
  }
  return rooms;
}

}  // namespace kith::packing
