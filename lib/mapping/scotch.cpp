// Scotch's recursive bipartitioning (Pellegrini, Roman: "Scotch: A Software Package for Static
// Mapping by Dual Recursive Bipartitioning", HPCN 1996) onto the tree, made exact: at most
// `capacity` ranks on a slot.
#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include <scotch.h>  // after <cstdint> and <cstdio>, which it takes for granted

#include "kith/error.hpp"
#include "kith/tree_machine.hpp"
#include "mapping/mappers.hpp"
#include "mapping/place_surplus.hpp"
#include "mapping/scotch_target.hpp"

static_assert(sizeof(SCOTCH_Num) == 8, "weights are bytes: Scotch with 64-bit numbers is needed");

namespace {

thread_local std::string last_message;

void keep_message(const char* format, va_list arguments) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, arguments);
  last_message = text;
}

}  // namespace

// Scotch calls these for its errors; its own versions print to stderr, which is not ours to use.
extern "C" {
__attribute__((visibility("default"))) void SCOTCH_errorProg(const char* const) {}
__attribute__((visibility("default"))) void SCOTCH_errorPrint(const char* const format, ...) {
  va_list arguments;
  va_start(arguments, format);
  keep_message(format, arguments);
  va_end(arguments);
}
__attribute__((visibility("default"))) void SCOTCH_errorPrintW(const char* const, ...) {}
}

namespace kith {
namespace {

/// Recursive bipartitioning; each bipartition is the better of two multilevel ones with band
/// refinement. Without tolerance of imbalance the refinement gets stuck: a little is allowed, BAL,
/// and what it leaves on wrong slots is put right afterwards.
std::string strategy_text(const char* tolerance) {
  std::string bipartition =
      "m{vert=120,rat=0.8,low=h{pass=10}f{bal=BAL,move=120,pass=-1,type=b},"
      "asc=b{width=3,bnd=(d{pass=40,type=b}|)f{bal=BAL,move=120,pass=-1,type=b},"
      "org=f{bal=BAL,move=120,pass=-1,type=b}}}";
  std::string text = "r{job=t,map=t,poli=S,bal=BAL,sep=(" + bipartition + "|" + bipartition + ")}";
  constexpr std::string_view placeholder = "BAL";
  for (auto at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder)) {
    text.replace(at, placeholder.size(), tolerance);
  }
  return text;
}

void check(int status, const char* what) {
  if (status == 0) return;
  throw Error(ErrorKind::environment, std::string("Scotch: ") + what + " failed" +
                                          (last_message.empty() ? "" : " (" + last_message + ")"));
}

// Scotch's objects have init and exit functions; each of these runs them.
struct ScotchStrategy {
  SCOTCH_Strat value;
  ScotchStrategy() { check(SCOTCH_stratInit(&value), "initialising a strategy"); }
  ~ScotchStrategy() { SCOTCH_stratExit(&value); }
  ScotchStrategy(const ScotchStrategy&) = delete;
  ScotchStrategy& operator=(const ScotchStrategy&) = delete;
};
struct ScotchArchitecture {
  SCOTCH_Arch value;
  ScotchArchitecture() { check(SCOTCH_archInit(&value), "initialising an architecture"); }
  ~ScotchArchitecture() { SCOTCH_archExit(&value); }
  ScotchArchitecture(const ScotchArchitecture&) = delete;
  ScotchArchitecture& operator=(const ScotchArchitecture&) = delete;
};
struct ScotchGraph {
  SCOTCH_Graph value;
  ScotchGraph() { check(SCOTCH_graphInit(&value), "initialising a graph"); }
  ~ScotchGraph() { SCOTCH_graphExit(&value); }
  ScotchGraph(const ScotchGraph&) = delete;
  ScotchGraph& operator=(const ScotchGraph&) = delete;
};
/// One thread and a random sequence of its own: calls do not disturb each other.
struct ScotchContext {
  SCOTCH_Context value;
  explicit ScotchContext(std::uint64_t seed) {
    check(SCOTCH_contextInit(&value), "initialising a context");
    check(SCOTCH_contextThreadSpawn(&value, 1, nullptr), "setting one thread");
    check(SCOTCH_contextOptionSetNum(&value, SCOTCH_OPTIONNUMDETERMINISTIC, 1),
          "asking for determinism");
    check(SCOTCH_contextRandomClone(&value), "making a random sequence");
    SCOTCH_contextRandomSeed(&value, static_cast<SCOTCH_Num>(seed));
    SCOTCH_contextRandomReset(&value);
  }
  ~ScotchContext() { SCOTCH_contextExit(&value); }
  ScotchContext(const ScotchContext&) = delete;
  ScotchContext& operator=(const ScotchContext&) = delete;
};

/// The ranks, and idle vertices that fill up the places, so that an exact balance puts the same
/// number of vertices on each.
struct VertexArrays {
  std::vector<SCOTCH_Num> offsets;
  std::vector<SCOTCH_Num> neighbours;
  std::vector<SCOTCH_Num> weights;
};

/// Sums of weight x distance must fit 63 bits; distances fit 20.
unsigned weight_shift(const TrafficGraph& graph) {
  constexpr unsigned bits_for_sums = 40;
  const auto width = static_cast<unsigned>(std::bit_width(total_weight(graph)));
  return width > bits_for_sums ? width - bits_for_sums : 0;
}

VertexArrays vertex_arrays(const TrafficGraph& graph, std::uint64_t vertices) {
  const unsigned shift = weight_shift(graph);
  VertexArrays arrays;
  arrays.offsets.assign(graph.offsets().begin(), graph.offsets().end());
  arrays.offsets.resize(vertices + 1, arrays.offsets.back());
  arrays.neighbours.reserve(graph.all_neighbours().size());
  arrays.weights.reserve(graph.all_weights().size());
  for (const Rank r : graph.all_neighbours()) arrays.neighbours.push_back(r.value);
  for (const Weight w : graph.all_weights()) {
    arrays.weights.push_back(static_cast<SCOTCH_Num>(std::max<Weight>(w >> shift, 1)));
  }
  return arrays;
}

void build_architecture(const ScotchTarget& target, SCOTCH_Arch* whole, SCOTCH_Arch* used) {
  static_assert(sizeof(std::int64_t) == sizeof(SCOTCH_Num));
  const auto* arities = reinterpret_cast<const SCOTCH_Num*>(target.arities.data());
  const auto* links = reinterpret_cast<const SCOTCH_Num*>(target.links.data());
  const auto levels = static_cast<SCOTCH_Num>(target.arities.size());
  if (target.leaves.empty()) {
    check(SCOTCH_archTleaf(used, levels, arities, links), "building the tree");
    return;
  }
  check(SCOTCH_archTleaf(whole, levels, arities, links), "building the tree");
  check(SCOTCH_archSub(used, whole, static_cast<SCOTCH_Num>(target.leaves.size()),
                       reinterpret_cast<const SCOTCH_Num*>(target.leaves.data())),
        "choosing the slots");
}

/// The place of each vertex, 0 .. places-1.
std::vector<SCOTCH_Num> run_scotch(VertexArrays& arrays, const ScotchTarget& target,
                                   const std::string& strategy_text, std::uint64_t seed) {
  const auto vertices = static_cast<SCOTCH_Num>(arrays.offsets.size() - 1);
  ScotchArchitecture whole;
  ScotchArchitecture used;
  build_architecture(target, &whole.value, &used.value);

  ScotchStrategy strategy;
  check(SCOTCH_stratGraphMap(&strategy.value, strategy_text.c_str()), "reading the strategy");

  ScotchContext context(seed);
  ScotchGraph graph;
  check(SCOTCH_graphBuild(&graph.value, 0, vertices, arrays.offsets.data(), nullptr, nullptr,
                          nullptr, static_cast<SCOTCH_Num>(arrays.neighbours.size()),
                          arrays.neighbours.data(), arrays.weights.data()),
        "building the graph");
  ScotchGraph bound;
  check(SCOTCH_contextBindGraph(&context.value, &graph.value, &bound.value), "binding the graph");
  std::vector<SCOTCH_Num> place(static_cast<std::size_t>(vertices));
  check(SCOTCH_graphMap(&bound.value, &used.value, &strategy.value, place.data()), "mapping");
  return place;
}

class ScotchMapper final : public Mapper {
 public:
  std::string_view name() const override { return "scotch"; }
  std::string_view summary() const override {
    return "recursive bipartitioning of traffic and machine, by the Scotch library";
  }
  std::string_view source() const override {
    return "Pellegrini, Roman: Scotch, HPCN 1996; library version 7";
  }

  Answer map(const MapProblem& problem) const override {
    const TreeMachine* tree = problem.machine.as_tree();
    if (tree == nullptr) {
      throw bad_input("--algorithm", "for scotch a machine that is a tree", problem.machine.spec());
    }
    const std::uint32_t ranks = problem.graph.ranks();
    Mapping mapping;
    if (ranks == 0) return {mapping, "scotch"};
    const TreeDistance distance(*tree, problem.options.objective);
    const ScotchTarget target = scotch_target(distance, ranks);
    const std::uint64_t places = target.slot_of.size();
    if (places == 1) return {Mapping{std::vector<Slot>(ranks, target.slot_of[0])}, "scotch"};
    const std::uint64_t on_each = (ranks + places - 1) / places;
    VertexArrays arrays = vertex_arrays(problem.graph, on_each * places);

    // Neither tolerance is the better one on all graphs; small graphs can afford both.
    std::vector<const char*> tolerances{"0.01"};
    constexpr std::uint32_t small = 8192;
    if (ranks <= small) tolerances.push_back("0.03");
    std::optional<std::uint64_t> least;
    for (const char* tolerance : tolerances) {
      const auto place = run_scotch(arrays, target, strategy_text(tolerance), problem.options.seed);
      Mapping attempt;
      for (std::uint32_t r = 0; r < ranks; ++r) {
        attempt.slot_of.push_back(target.slot_of.at(static_cast<std::size_t>(place[r])));
      }
      attempt = place_surplus(problem, std::move(attempt), target.slot_of);
      const std::uint64_t objective =
          evaluate_objective(problem.graph, problem.machine, attempt, problem.options.objective);
      if (least && objective >= *least) continue;
      least = objective;
      mapping = std::move(attempt);
    }
    return {std::move(mapping), "scotch"};
  }
};

}  // namespace

const Mapper& scotch_mapper() {
  static const ScotchMapper mapper;
  return mapper;
}

}  // namespace kith
