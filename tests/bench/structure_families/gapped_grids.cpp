#include <algorithm>
#include <functional>
#include <utility>

#include "structure_families/member.hpp"

namespace kith::bench {
namespace {

struct Box {
  std::vector<std::uint32_t> extents;
  bool periodic = false;

  std::uint32_t volume() const {
    std::uint32_t volume = 1;
    for (const std::uint32_t extent : extents) volume *= extent;
    return volume;
  }
  std::string machine() const { return (periodic ? "torus:" : "mesh:") + product(extents); }
};

/// A box of about so many places, no side shorter than `shortest`.
Box drawn_box(Rng& rng, std::uint32_t dimensions, std::uint32_t volume, std::uint32_t shortest) {
  Box box{std::vector<std::uint32_t>(dimensions, shortest)};
  for (unsigned tries = 0; tries < 40 * dimensions; ++tries) {
    std::uint32_t& extent = box.extents[rng.below(dimensions)];
    ++extent;
    if (box.volume() > volume) --extent;
  }
  return box;
}

/// Rows of a box, last dimension fastest; visits each pair of neighbours once.
void for_each_pair(
    const Box& box,
    const std::function<void(std::uint32_t, std::uint32_t, std::size_t dimension)>& visit) {
  const std::uint32_t volume = box.volume();
  std::uint32_t stride = 1;
  for (std::size_t d = box.extents.size(); d-- > 0;) {
    const std::uint32_t extent = box.extents[d];
    for (std::uint32_t place = 0; place < volume; ++place) {
      const std::uint32_t at = place / stride % extent;
      if (at + 1 < extent) visit(place, place + stride, d);
      if (at + 1 == extent && box.periodic && extent > 2) {
        visit(place, place - at * stride, d);
      }
    }
    stride *= extent;
  }
}

std::vector<Weight> drawn_weights(Rng& rng, std::size_t dimensions) {
  std::vector<Weight> weights(dimensions, 10);
  if (chance(rng, 50)) return weights;
  for (Weight& weight : weights) weight = between(rng, 5, 40);
  return weights;
}

/// The job of the places that are not in `missing`, each planted on its place.
Draft grid_job(Rng& rng, const Box& box, const std::vector<bool>& missing,
               unsigned percent_of_pairs) {
  Draft draft;
  std::vector<std::uint32_t> rank_at(missing.size());
  for (std::uint32_t place = 0; place < missing.size(); ++place) {
    if (missing[place]) continue;
    rank_at[place] = draft.ranks++;
    draft.planted.push_back(place);
  }
  const std::vector<Weight> weights = drawn_weights(rng, box.extents.size());
  for_each_pair(box, [&](std::uint32_t a, std::uint32_t b, std::size_t dimension) {
    if (missing[a] || missing[b] || !chance(rng, percent_of_pairs)) return;
    draft.pairs.push_back({rank_at[a], rank_at[b], weights[dimension]});
  });
  draft.machine = box.machine();
  draft.text = std::to_string(box.extents.size()) + "D " + product(box.extents);
  return draft;
}

/// Some balls, which together take about so much of the box.
std::vector<bool> drawn_land(Rng& rng, const Box& box, unsigned percent) {
  const std::uint32_t volume = box.volume();
  std::vector<bool> land(volume, false);
  std::uint32_t taken = 0;
  while (taken < volume / 100.0 * percent) {
    std::vector<double> centre;
    for (const std::uint32_t extent : box.extents) centre.push_back(rng.uniform() * extent);
    const double radius =
        (0.05 + 0.2 * rng.uniform()) * *std::ranges::max_element(box.extents) + 0.5;
    for (std::uint32_t place = 0; place < volume; ++place) {
      double squared = 0;
      std::uint32_t rest = place;
      for (std::size_t d = box.extents.size(); d-- > 0;) {
        const double off = rest % box.extents[d] - centre[d];
        squared += off * off;
        rest /= box.extents[d];
      }
      if (squared > radius * radius || land[place]) continue;
      land[place] = true;
      if (++taken * 10 > volume * 6) return land;
    }
  }
  return land;
}

std::string percent_text(unsigned percent) {
  return std::to_string(percent) + "%";
}

}  // namespace

Draft draw_land_and_sea(Rng& rng, std::uint32_t most) {
  Box box = drawn_box(rng, chance(rng, 70) ? 2 : 3, between(rng, most / 4, most), 4);
  box.periodic = chance(rng, 20);
  const unsigned percent = between(rng, 8, 40);
  Draft draft = grid_job(rng, box, drawn_land(rng, box, percent), 100);
  draft.machine = with_slots(draft.machine, draft.planted);
  draft.text +=
      ", land and sea, " + std::to_string(draft.ranks) + " of " + std::to_string(box.volume());
  return draft;
}

Draft draw_missing_ranks(Rng& rng, std::uint32_t most) {
  Box box = drawn_box(rng, chance(rng, 70) ? 2 : 3, between(rng, most / 4, most), 4);
  box.periodic = chance(rng, 30);
  std::vector<bool> missing(box.volume(), false);
  const std::uint32_t count = between(rng, 1, 5);
  for (std::uint32_t i = 0; i < count; ++i) missing[rng.below(missing.size())] = true;
  Draft draft = grid_job(rng, box, missing, 100);
  draft.text += " less " + std::to_string(box.volume() - draft.ranks);
  return draft;
}

Draft draw_large_tori(Rng& rng, std::uint32_t most) {
  Box box = drawn_box(rng, between(rng, 4, 6), std::max(81U, between(rng, most / 4, most)), 2);
  box.periodic = chance(rng, 80);
  return grid_job(rng, box, std::vector<bool>(box.volume(), false), 100);
}

Draft draw_missing_pairs(Rng& rng, std::uint32_t most) {
  Box box = drawn_box(rng, between(rng, 2, 3), between(rng, most / 4, most), 4);
  box.periodic = chance(rng, 60);
  const unsigned percent = between(rng, 5, 30);
  Draft draft = grid_job(rng, box, std::vector<bool>(box.volume(), false), 100 - percent);
  draft.text += " less " + percent_text(percent) + " of its pairs";
  return draft;
}

}  // namespace kith::bench
