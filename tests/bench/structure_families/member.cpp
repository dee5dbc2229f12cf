#include "structure_families/member.hpp"

#include <memory>
#include <utility>

#include "kith/traffic.hpp"

namespace kith::bench {

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {'A', "components", draw_components},
      {'B', "components, idle slots", draw_idle_slots},
      {'C', "land and sea", draw_land_and_sea},
      {'D', "grid less some ranks", draw_missing_ranks},
      {'E', "tori of 4 to 6 dimensions", draw_large_tori},
      {'F', "grids less some pairs", draw_missing_pairs},
      {'G', "graded mesh on a torus", draw_graded_mesh},
      {'I', "groups on unequal nodes", draw_unequal_nodes},
      {'J', "irregular", draw_irregular},
      {'K', "small jobs", draw_small_job},
  };
  return all;
}

Member draw_member(const Family& family, std::uint64_t seed, std::uint32_t number,
                   std::uint32_t most) {
  Rng rng((seed * 1'000'003 + number) * 256 + static_cast<unsigned char>(family.letter));
  const auto draft = std::make_shared<Draft>(family.draw(rng, most));
  const auto rank_of = random_permutation(draft->ranks, rng.next());
  const auto matrix = [draft, rank_of] {
    TrafficMatrixBuilder builder(draft->ranks, 2 * draft->pairs.size());
    for (const Pair& pair : draft->pairs) {
      builder.add(Rank{rank_of[pair.a]}, Rank{rank_of[pair.b]}, pair.weight);
      builder.add(Rank{rank_of[pair.b]}, Rank{rank_of[pair.a]}, pair.weight);
    }
    return builder.build();
  };
  std::string name(1, family.letter);
  name.append(std::to_string(number)).append(" ").append(draft->text);
  Member member{family.letter, {std::move(name), draft->ranks, matrix, draft->machine, {}}, {}};
  if (!draft->planted.empty()) {
    Mapping planted;
    planted.slot_of.resize(draft->ranks);
    for (std::uint32_t v = 0; v < draft->ranks; ++v) {
      planted.slot_of[rank_of[v]] = Slot{draft->planted[v]};
    }
    member.planted = std::move(planted);
  }
  return member;
}

std::uint32_t between(Rng& rng, std::uint32_t least, std::uint32_t most) {
  if (most <= least) return least;
  return least + static_cast<std::uint32_t>(rng.below(most - least + 1ULL));
}

bool chance(Rng& rng, unsigned percent) {
  return rng.below(100) < percent;
}

std::string product(const std::vector<std::uint32_t>& extents) {
  std::string text;
  for (const std::uint32_t extent : extents) {
    if (!text.empty()) text += 'x';
    text += std::to_string(extent);
  }
  return text;
}

std::string tree_spec(Rng& rng, const std::vector<std::uint32_t>& arities) {
  std::string spec = "tree:" + product(arities);
  if (chance(rng, 50)) return spec;
  std::uint64_t cost = 1;
  std::string costs;
  for (std::size_t l = 0; l < arities.size(); ++l) {
    costs = costs.empty() ? std::to_string(cost) : std::to_string(cost).append(",").append(costs);
    cost = cost * between(rng, 2, 10) + rng.below(3);
  }
  return spec + "@" + costs;
}

std::string with_slots(const std::string& machine, const std::vector<std::uint32_t>& slots) {
  std::string list;
  for (std::size_t i = 0; i < slots.size();) {
    std::size_t last = i;
    while (last + 1 < slots.size() && slots[last + 1] == slots[last] + 1) ++last;
    list.append(list.empty() ? "" : ",").append(std::to_string(slots[i]));
    if (last > i) list.append("-").append(std::to_string(slots[last]));
    i = last + 1;
  }
  return machine + ";slots=" + list;
}

}  // namespace kith::bench
