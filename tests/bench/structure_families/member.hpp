// Random members of families of problems whose answer lies in their structure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/rng.hpp"
#include "kith/mapping.hpp"
#include "mapper_tables/instance.hpp"

namespace kith::bench {

struct Pair {
  std::uint32_t a;
  std::uint32_t b;
  Weight weight;
};

/// A member before its ranks are shuffled.
struct Draft {
  std::uint32_t ranks = 0;
  std::vector<Pair> pairs;
  std::vector<std::uint32_t> planted;  ///< the slot of each rank; empty: no optimum is known
  std::string machine;                 ///< a SPEC
  std::string text;                    ///< "157 components of 1 to 12 ranks"
};

/// Of sizes, machines and weights that `rng` draws, with about `most` ranks at most.
using Draw = Draft (*)(Rng& rng, std::uint32_t most);

struct Family {
  char letter;
  const char* name;
  Draw draw;
};

// Components, alone or with light ties between them (job_mixes.cpp); all planted.
Draft draw_components(Rng& rng, std::uint32_t most);     ///< A: nodes are full
Draft draw_idle_slots(Rng& rng, std::uint32_t most);     ///< B: groups leave slots of nodes free
Draft draw_unequal_nodes(Rng& rng, std::uint32_t most);  ///< I: a group fills its node

// Grids on machines of their shape (gapped_grids.cpp); all planted.
Draft draw_land_and_sea(Rng& rng, std::uint32_t most);   ///< C: the machine has the same gaps
Draft draw_missing_ranks(Rng& rng, std::uint32_t most);  ///< D: the machine is whole
Draft draw_large_tori(Rng& rng, std::uint32_t most);     ///< E: 4 to 6 dimensions
Draft draw_missing_pairs(Rng& rng, std::uint32_t most);  ///< F: 5 to 30% of the pairs

// Graphs of points and boxes (point_graphs.cpp); nothing planted.
Draft draw_graded_mesh(Rng& rng, std::uint32_t most);  ///< G: on a 3D torus
Draft draw_irregular(Rng& rng, std::uint32_t most);    ///< J: refined boxes, points, de Bruijn
Draft draw_small_job(Rng& rng, std::uint32_t most);    ///< K: 25 to 120 ranks on odd trees

/// A to K, in order.
const std::vector<Family>& families();

/// A draft whose ranks are shuffled, so that nothing shows in their numbers.
struct Member {
  char family;
  Instance instance;
  std::optional<Mapping> planted;
};

/// The same for the same arguments, whatever other members there are.
Member draw_member(const Family& family, std::uint64_t seed, std::uint32_t number,
                   std::uint32_t most);

// What the families share.

/// In least .. most.
std::uint32_t between(Rng& rng, std::uint32_t least, std::uint32_t most);
/// True so many times in a hundred.
bool chance(Rng& rng, unsigned percent);
/// "4x3x2".
std::string product(const std::vector<std::uint32_t>& extents);
/// A tree, half of the time with costs that fall from level to level.
std::string tree_spec(Rng& rng, const std::vector<std::uint32_t>& arities);
/// The machine with these slots only, which are ascending.
std::string with_slots(const std::string& machine, const std::vector<std::uint32_t>& slots);

}  // namespace kith::bench
