#include "mapping/published/topolb/topolb.hpp"

#include <algorithm>

#include "objective/distance.hpp"
#include "objective/wide.hpp"

namespace kith::topolb {
std::vector<std::uint64_t> sums_along(const std::vector<std::uint64_t>& having, bool periodic) {
  const std::size_t extent = having.size();
  std::vector<std::uint64_t> before(2 * extent + 1);  // twice around
  for (std::size_t x = 0; x < 2 * extent; ++x) before[x + 1] = before[x] + having[x % extent];
  std::vector<std::uint64_t> sum(extent);
  for (std::size_t x = 0; x < extent; ++x) {
    sum[0] += having[x] * (periodic ? std::min(x, extent - x) : x);
  }
  const std::uint64_t all = before[extent];
  for (std::size_t x = 0; x + 1 < extent; ++x) {
    const std::size_t last = periodic ? x + extent / 2 : extent - 1;  // that comes nearer
    const std::uint64_t nearer = before[last + 1] - before[x + 1];
    const std::uint64_t same = periodic && extent % 2 == 1 ? having[(last + 1) % extent] : 0;
    sum[x + 1] = sum[x] + (all - nearer - same) - nearer;
  }
  return sum;
}

void distances_from(const Machine& machine, Objective objective, Slot from,
                    std::span<const Slot> to, std::span<std::uint64_t> out) {
  with_distance(machine, objective, [&](const auto& distance) {
    for (std::size_t i = 0; i < to.size(); ++i) out[i] = distance(from, to[i]);
  });
}

// Level by level upwards: the distance to all slots that meet a slot there is the same.
DistanceSums sums_on_tree(const TreeDistance& distance, std::span<const Slot> slots) {
  const TreeMachine& tree = distance.tree();
  std::vector<std::uint64_t> object_of;
  object_of.reserve(slots.size());
  for (const Slot slot : slots) object_of.push_back(tree.leaf_of_slot(slot));
  std::vector<Wide> sums(slots.size());
  std::vector<std::uint64_t> below(slots.size(), 1);  // slots in the object of each
  DistanceSums result;
  for (unsigned level = tree.depth(); level-- > 0;) {
    std::vector<std::uint64_t> inside(tree.objects(level));
    for (std::uint64_t& object : object_of) {
      object = tree.parent(level + 1, object);
      ++inside[object];
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::uint64_t here = inside[object_of[i]];
      sums[i] += Wide{here - below[i]} * distance.at_level(level);
      if (here > below[i]) result.longest = std::max(result.longest, distance.at_level(level));
      below[i] = here;
    }
  }
  for (const Wide sum : sums) result.of.push_back(narrowed(sum, "distances"));
  return result;
}

}  // namespace kith::topolb
