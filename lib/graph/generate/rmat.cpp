#include <algorithm>
#include <utility>

#include "core/rng.hpp"
#include "graph/generate/check.hpp"
#include "kith/generate.hpp"

namespace kith {
namespace {

/// Chakrabarti, Zhan, Faloutsos: R-MAT: a recursive model for graph mining (2004). Holds the merged
/// pairs: 8 bytes per draw while it is made, 16 per pair after.
class Rmat final : public Pattern {
 public:
  Rmat(unsigned scale, std::uint64_t draws, std::uint64_t seed) : ranks_(1U << scale) {
    const std::vector<std::uint32_t> label = random_permutation(ranks_, seed + 1);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> drawn;
    Rng rng(seed);
    for (std::uint64_t d = 0; d < draws; ++d) {
      const auto [row, column] = draw(scale, rng);
      if (row != column) drawn.push_back(std::minmax({label[row], label[column]}));
    }
    std::sort(drawn.begin(), drawn.end());
    for (const auto& [a, b] : drawn) {
      if (!pairs_.empty() && pairs_.back().a == Rank{a} && pairs_.back().b == Rank{b}) {
        ++pairs_.back().weight;
      } else {
        pairs_.push_back({Rank{a}, Rank{b}, 1});
      }
    }
  }

  std::uint32_t ranks() const override { return ranks_; }
  void for_each_pair(const Visit& visit) const override {
    for (const Pair& p : pairs_) visit(p.a, p.b, p.weight);
  }

 private:
  struct Pair {
    Rank a;
    Rank b;
    Weight weight;
  };

  /// One cell of the adjacency matrix, from the top bit down: quadrants with probability .57 (both
  /// bits 0), .19 (column), .19 (row), .05 (both).
  static std::pair<std::uint32_t, std::uint32_t> draw(unsigned scale, Rng& rng) {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    for (unsigned bit = 0; bit < scale; ++bit) {
      const double u = rng.uniform();
      const bool in_row = u >= 0.57 + 0.19;
      const bool in_column = (u >= 0.57 && u < 0.57 + 0.19) || u >= 0.57 + 0.19 + 0.19;
      row = 2 * row + in_row;
      column = 2 * column + in_column;
    }
    return {row, column};
  }

  std::uint32_t ranks_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Pattern> make_rmat(unsigned scale, std::uint64_t draws, std::uint64_t seed) {
  if (scale > 31) {
    throw bad_input("scale of the R-MAT pattern", "0 to 31", std::to_string(scale));
  }
  return std::make_unique<Rmat>(scale, draws, seed);
}

}  // namespace kith
