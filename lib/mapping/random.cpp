#include <unordered_map>

#include "core/rng.hpp"
#include "mapping/mappers.hpp"

namespace kith {
namespace {

/// The first `count` places of a random permutation of 0 .. n-1, in O(count) memory.
std::vector<std::uint64_t> random_choice(std::uint64_t n, std::uint32_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::unordered_map<std::uint64_t, std::uint64_t> moved;  // places that no longer hold themselves
  const auto at = [&](std::uint64_t place) {
    const auto found = moved.find(place);
    return found == moved.end() ? place : found->second;
  };
  std::vector<std::uint64_t> chosen;
  chosen.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t j = i + rng.below(n - i);
    chosen.push_back(at(j));
    moved[j] = at(i);
  }
  return chosen;
}

class RandomMapper final : public Mapper {
 public:
  std::string_view name() const override { return "random"; }
  std::string_view summary() const override {
    return "a random allowed slot for each rank, by --seed";
  }
  std::string_view source() const override { return "the usual baseline"; }

  Answer map(const MapProblem& problem) const override {
    const std::uint32_t ranks = problem.graph.ranks();
    const SlotSet& allowed = problem.machine.allowed();
    Mapping mapping;
    mapping.slot_of.resize(ranks);
    if (ranks <= allowed.size()) {
      const auto chosen = random_choice(allowed.size(), ranks, problem.options.seed);
      for (std::uint32_t r = 0; r < ranks; ++r) mapping.slot_of[r] = allowed.at(chosen[r]);
    } else {
      // Spread as evenly as identity does, then shuffled.
      const Mapping even = identity_mapping(ranks, problem.machine, problem.options.capacity);
      const auto permutation = random_permutation(ranks, problem.options.seed);
      for (std::uint32_t r = 0; r < ranks; ++r) {
        mapping.slot_of[r] = even.slot_of[permutation[r]];
      }
    }
    return {std::move(mapping), "random"};
  }
};

}  // namespace

const Mapper& random_mapper() {
  static const RandomMapper mapper;
  return mapper;
}

}  // namespace kith
