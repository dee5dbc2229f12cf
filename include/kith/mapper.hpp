// The mappers, behind one interface.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/coordinates.hpp"
#include "kith/detail/goal.hpp"
#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/objective.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// How hard to try. A job uses `fast`, `kith map` `balanced`.
enum class Effort { fast, balanced, best };

/// A rank that must be on a given slot.
struct FixedRank {
  Rank rank;
  Slot slot;
};

/// A choice that a paper leaves open, or a variant that it describes: "NAME=VALUE".
struct MapperSetting {
  std::string_view name;     ///< "threshold"
  std::string_view usual;    ///< the value where none is given
  std::string_view meaning;  ///< one line: what it does, which values it takes
};

/// A setting as given.
struct SettingValue {
  std::string name;
  std::string value;
};

struct MapOptions {
  /// The sum over pairs that mappers and their searches go by.
  Objective objective = Objective::hop_bytes;
  /// What is to be minimised where that is not `objective`, which is then its nearest_objective().
  /// `kith`, `auto` and +refine lower it; a named mapper returns what its paper gives.
  std::optional<Goal> goal;
  std::uint64_t seed = 1;
  Effort effort = Effort::balanced;
  std::uint32_t capacity = 1;  ///< ranks per slot
  /// Ranks that each allowed slot gets at least, as far as fixed ranks leave that possible. To
  /// spread evenly: least = ranks / slots, capacity = that rounded up. At most ranks / slots.
  std::uint32_t least = 0;
  std::vector<FixedRank> fixed;
  std::optional<double> time_limit;   ///< seconds; the answer is then the best so far
  std::optional<std::uint64_t> work;  ///< swap tests that the refinement may make
  unsigned threads = 1;               ///< the answer is the same for any number

  /// Where each rank is now; then the moves from there count too. One slot per rank: no_slot for a
  /// rank that is new, and whatever slot the others had, allowed and existing or not any more. kith
  /// and auto minimise the objective with what the moves cost, and are never worse than staying;
  /// the answer of any other mapper is only turned, where the machine's symmetries allow that at
  /// the same objective, so that most ranks stay.
  std::optional<Mapping> from;
  /// What each rank that leaves its place adds to what is minimised, in its own units (of costs
  /// 1 / cost_scale() of the machine, of mixes as combined()). 0: of mappings with equal objectives
  /// the one that moves fewest ranks. Without `from`: no meaning.
  std::uint64_t move_cost = 0;

  /// How much each rank computes, in any unit; empty (not known) or one per rank.
  std::vector<std::uint64_t> loads;
  /// Where each rank's work lies; geometric mappers recover it from the traffic where not given.
  std::optional<RankCoordinates> coordinates;
  /// 0 .. 1: mappers that hand the traffic to Scotch keep only pairs heavier than this share of
  /// the heaviest (TopoMatch, section 4.3). Nothing: the mapper's own rule.
  std::optional<double> sparse_factor;
  /// Each known to the mapper that is asked; others are an error (input).
  std::vector<SettingValue> settings;
};

/// What is minimised: options.goal, or else options.objective.
Goal goal_of(const MapOptions& options);

/// What MapOptions may tell beside traffic and machine, and only some mappers go by.
enum class ExtraInput { loads, coordinates, sparse_factor };
inline constexpr ExtraInput extra_inputs[] = {ExtraInput::loads, ExtraInput::coordinates,
                                              ExtraInput::sparse_factor};
/// As the option is called, without its dashes: "sparse-factor".
std::string_view to_string(ExtraInput input);

/// What is to be mapped, where and how. The references must outlive the call.
struct MapProblem {
  const TrafficGraph& graph;
  const Machine& machine;
  const MapOptions& options;
  /// Directed, for the loads of links; null: each pair's weight is half in each direction. Of
  /// `graph`'s ranks.
  const TrafficMatrix* matrix = nullptr;
  /// What is on the wire (on_the_wire()), for network-time; null: `matrix`. Of the same ranks.
  const TrafficMatrix* wire = nullptr;
  /// What explanations call the order from slot 0 on.
  const char* present_name = "the present order";
};

/// Why the search ended.
enum class Stopped { done, time, work };
std::string_view to_string(Stopped stopped);

/// A problem with what map_ranks() lets the mapper spend on it (lib/mapping/budget.hpp).
struct MapTask;

/// One published or own algorithm. Stateless; map() may be called from several threads.
class Mapper {
 public:
  /// A mapping and who made it: the mapper's own name or, where a mapper asks
  /// others, the name of the one whose answer was best.
  struct Answer {
    Mapping mapping;
    std::string made_by;
    std::vector<std::string> explanation{};  ///< lines for the user: why this one; may be empty
    /// Why nothing is better than the order that it began with: "none of 5 tries was better"; empty
    /// where something is, or where it says nothing.
    std::string start_stays_because{};
    bool is_optimal = false;                 ///< as MapResult's
  };

  virtual ~Mapper() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;  ///< one line for `kith algorithms`
  virtual std::string_view source() const = 0;   ///< paper or library, with the algorithm's number
  /// What may be set, each with its usual value.
  virtual std::span<const MapperSetting> settings() const { return {}; }
  /// Whether it goes by an input; map() ignores the others.
  virtual bool uses(ExtraInput) const { return false; }
  /// Needs ranks <= capacity x allowed slots. May ignore MapOptions::fixed: map_ranks() sees to it.
  /// Throws Error (input) for a machine that the algorithm cannot use.
  virtual Answer map(const MapTask& problem) const = 0;
};

/// All mappers, in the order of `kith algorithms`.
std::span<const Mapper* const> mappers();

/// "eagermap", "scotch+refine": a mapper and whether refinement follows.
struct Algorithm {
  const Mapper* mapper = nullptr;
  bool refine = false;
  std::string name() const;
};
/// Throws Error (input) that lists the known names and suggests the nearest.
Algorithm find_algorithm(std::string_view name, std::string_view where = "algorithm");

/// A finished mapping with its account.
struct MapResult {
  Mapping mapping;
  std::string algorithm;  ///< what made it; for `auto` the winner: "eagermap+refine"
  std::vector<std::string> explanation{};  ///< Mapper::Answer's
  std::string start_stays_because{};       ///< Mapper::Answer's
  Stopped stopped = Stopped::done;
  double seconds = 0;
  /// Exhaustive search has proved that no mapping that the options allow has a lower objective.
  bool is_optimal = false;
};

/// Checks capacity, runs the algorithm, honours fixed ranks, turns the answer towards options.from,
/// refines where asked, checks the answer. Throws Error (input) when the ranks do not fit or a
/// fixed rank contradicts the machine.
MapResult map_ranks(const Algorithm& algorithm, const MapProblem& problem);

}  // namespace kith
