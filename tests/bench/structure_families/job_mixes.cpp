#include <algorithm>
#include <numeric>
#include <utility>

#include "structure_families/member.hpp"

namespace kith::bench {
namespace {

/// How the ranks of a component talk to each other.
enum class Shape { clique, ring, star, plane, random_tree };

struct Weights {
  std::uint64_t least;
  std::uint64_t spread;
  Weight draw(Rng& rng) const { return least + (spread > 0 ? rng.below(spread) : 0); }
};

/// Ranks first .. first + size - 1 become one component.
void add_component(Draft& draft, Rng& rng, std::uint32_t size, Shape shape,
                   const Weights& weights) {
  const std::uint32_t first = draft.ranks;
  draft.ranks += size;
  const auto add = [&](std::uint32_t i, std::uint32_t j) {
    draft.pairs.push_back({first + i, first + j, weights.draw(rng)});
  };
  const std::uint32_t columns = size % 3 == 0 ? 3 : size % 2 == 0 ? 2 : size;
  for (std::uint32_t i = 1; i < size; ++i) {
    switch (shape) {
      case Shape::clique:
        for (std::uint32_t j = 0; j < i; ++j) add(i, j);
        break;
      case Shape::ring:
        add(i, i - 1);
        if (i + 1 == size && size > 2) add(i, 0);
        break;
      case Shape::star:
        add(i, 0);
        break;
      case Shape::plane:
        if (i % columns > 0) add(i, i - 1);
        if (i >= columns) add(i, i - columns);
        break;
      case Shape::random_tree:
        add(i, static_cast<std::uint32_t>(rng.below(i)));
        break;
    }
  }
}

/// Light pairs anywhere, of so many thousandths of the traffic together.
void add_background(Draft& draft, Rng& rng, std::uint32_t thousandths) {
  Weight total = 0;
  for (const Pair& pair : draft.pairs) total += pair.weight;
  const std::uint64_t pairs = 2ULL * draft.ranks;
  const Weight weight = std::max<Weight>(1, total * thousandths / 1000 / pairs);
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const auto a = static_cast<std::uint32_t>(rng.below(draft.ranks));
    const auto b = static_cast<std::uint32_t>(rng.below(draft.ranks));
    if (a != b) draft.pairs.push_back({a, b, weight});
  }
}

/// What all components of a member have in common.
struct Mix {
  std::vector<Shape> shapes;
  Weights weights;
  std::uint32_t background = 0;  // thousandths of the traffic

  static Mix drawn(Rng& rng) {
    constexpr Shape all[] = {Shape::clique, Shape::ring, Shape::star, Shape::plane,
                             Shape::random_tree};
    Mix mix;
    const std::uint32_t kinds = between(rng, 1, 3);
    for (std::uint32_t k = 0; k < kinds; ++k) mix.shapes.push_back(all[rng.below(std::size(all))]);
    mix.weights = chance(rng, 50) ? Weights{1000, 0} : Weights{100, 5000};
    if (chance(rng, 40)) mix.background = between(rng, 2, 30);
    return mix;
  }

  void add(Draft& draft, Rng& rng, std::uint32_t size) const {
    add_component(draft, rng, size, shapes[rng.below(shapes.size())], weights);
  }

  void finish(Draft& draft, Rng& rng, std::string text) const {
    if (background > 0) {
      add_background(draft, rng, background);
      text += ", " + decimal_percent() + " background";
    }
    draft.text = std::move(text);
  }

 private:
  std::string decimal_percent() const {
    return std::to_string(background / 10) + "." + std::to_string(background % 10) + "%";
  }
};

/// A tree of two or three levels and how many slots the objects have that hold components: mostly
/// the lowest ones, else those above.
struct Nodes {
  std::vector<std::uint32_t> arities;
  std::uint32_t groups;
  std::uint32_t slots;  // of each
};

Nodes drawn_nodes(Rng& rng, std::uint32_t most) {
  constexpr std::uint32_t sizes[] = {6, 8, 10, 12, 16, 18, 20, 24, 32, 40};
  const std::uint32_t slots = sizes[rng.below(std::size(sizes))];
  const std::uint32_t groups = std::clamp(between(rng, 6, 120), 3U, std::max(3U, most / slots));
  if (chance(rng, 40) || groups < 6) return {{groups, slots}, groups, slots};
  const std::uint32_t below = between(rng, 2, 4);  // groups of a node, or nodes of a rack
  if (chance(rng, 30) && slots % below == 0 && slots / below > 2) {
    return {{groups, below, slots / below}, groups, slots};
  }
  return {{groups / below, below, slots}, groups / below * below, slots};
}

/// Fills nodes with components; up to `idle` slots of each may stay free.
Draft filled_nodes(Rng& rng, std::uint32_t most, bool may_idle) {
  Draft draft;
  const Nodes nodes = drawn_nodes(rng, most);
  const Mix mix = Mix::drawn(rng);
  const bool one_each = may_idle && chance(rng, 40);
  const std::uint32_t smallest = one_each ? nodes.slots / 2 + 1 : between(rng, 1, 4);
  const std::uint32_t largest =
      std::max(smallest, one_each ? nodes.slots - 1 : between(rng, 3, nodes.slots));
  const bool one_size = one_each && chance(rng, 50);
  const std::uint32_t size_of_all = between(rng, smallest, largest);
  std::uint32_t components = 0;
  for (std::uint32_t group = 0; group < nodes.groups; ++group) {
    std::uint32_t slot = group * nodes.slots;
    std::uint32_t left = nodes.slots - (may_idle && !one_each ? between(rng, 0, smallest + 1) : 0);
    while (left > 0) {
      const std::uint32_t size =
          one_size ? size_of_all : std::min(left, between(rng, smallest, largest));
      mix.add(draft, rng, size);
      ++components;
      for (std::uint32_t i = 0; i < size; ++i) draft.planted.push_back(slot++);
      left = one_each ? 0 : left - size;
    }
  }
  draft.machine = tree_spec(rng, nodes.arities);
  mix.finish(draft, rng,
             std::to_string(components) + " components up to " + std::to_string(largest));
  return draft;
}

}  // namespace

Draft draw_components(Rng& rng, std::uint32_t most) {
  return filled_nodes(rng, most, false);
}

Draft draw_idle_slots(Rng& rng, std::uint32_t most) {
  return filled_nodes(rng, most, true);
}

Draft draw_unequal_nodes(Rng& rng, std::uint32_t most) {
  Draft draft;
  const Nodes nodes = drawn_nodes(rng, most);
  const Mix mix = Mix::drawn(rng);
  const std::uint32_t least = between(rng, 2, nodes.slots / 2);
  std::vector<std::uint32_t> slots;
  std::uint32_t components = 0;
  for (std::uint32_t group = 0; group < nodes.groups; ++group) {
    std::uint32_t left = between(rng, least, nodes.slots);
    std::uint32_t slot = group * nodes.slots;
    if (chance(rng, 30)) slot += between(rng, 0, nodes.slots - left);
    while (left > 0) {
      const std::uint32_t size = chance(rng, 75) ? left : between(rng, 1, left);
      mix.add(draft, rng, size);
      ++components;
      for (std::uint32_t i = 0; i < size; ++i) slots.push_back(slot++);
      left -= size;
    }
  }
  draft.planted = slots;
  draft.machine = with_slots(tree_spec(rng, nodes.arities), slots);
  mix.finish(draft, rng,
             std::to_string(components) + " groups on " + std::to_string(nodes.groups) + " nodes");
  return draft;
}

}  // namespace kith::bench
