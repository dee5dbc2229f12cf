// The objects of LeanMD (Mehta: "LeanMD: A Charm++ framework for high performance molecular
// dynamics simulation on large parallel machines", University of Illinois, 2004), as the paper on
// TopoLB counts them: 6 x 6 x 6 cells with 14 pairs each are 3240.
#include <array>

#include "graph/generate/check.hpp"
#include "kith/detail/generate.hpp"

namespace kith {
namespace {

using MdCell = std::array<std::uint32_t, 3>;

/// From a cell to itself and to 13 neighbours: the other 13 are those who have this one in theirs.
constexpr std::uint32_t pairs_per_cell = 14;

std::array<MdCell, pairs_per_cell> forward_steps(const MdCell& extents) {
  std::array<MdCell, pairs_per_cell> steps{};
  std::size_t count = 1;  // the first one does not count
  for (int x = 0; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        const bool forward = x > 0 || (x == 0 && (y > 0 || (y == 0 && z > 0)));
        if (!forward) continue;
        const std::array<int, 3> by{x, y, z};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          // A step back is one less than around.
          steps[count][axis] =
              by[axis] < 0 ? extents[axis] - 1 : static_cast<std::uint32_t>(by[axis]);
        }
        ++count;
      }
    }
  }
  return steps;
}

class LeanMd final : public Pattern {
 public:
  LeanMd(const MdCell& extents, std::uint32_t further, Weight weight)
      : extents_(extents),
        cells_(extents[0] * extents[1] * extents[2]),
        further_(further),
        weight_(weight),
        steps_(forward_steps(extents)) {}

  std::uint32_t ranks() const override { return cells_ * (1 + pairs_per_cell) + further_; }

  void for_each_pair(const Visit& visit) const override {
    MdCell at{};
    std::uint32_t cell = 0;
    std::uint32_t pair = cells_;
    for (at[0] = 0; at[0] < extents_[0]; ++at[0]) {
      for (at[1] = 0; at[1] < extents_[1]; ++at[1]) {
        for (at[2] = 0; at[2] < extents_[2]; ++at[2], ++cell) {
          for (const MdCell& step : steps_) {
            visit(Rank(cell), Rank(pair), weight_);
            if (&step != &steps_.front()) visit(Rank(neighbour(at, step)), Rank(pair), weight_);
            ++pair;
          }
        }
      }
    }
  }

 private:
  std::uint32_t neighbour(const MdCell& at, const MdCell& step) const {
    std::uint32_t number = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      number = number * extents_[axis] + (at[axis] + step[axis]) % extents_[axis];
    }
    return number;
  }

  MdCell extents_;
  std::uint32_t cells_;
  std::uint32_t further_;
  Weight weight_;
  std::array<MdCell, pairs_per_cell> steps_;
};

}  // namespace

std::unique_ptr<Pattern> make_leanmd(const LeanMdParameters& parameters) {
  constexpr std::uint64_t bytes_per_atom = 24;
  constexpr std::uint32_t least_extent = 3;  // below, two steps lead to one neighbour
  std::uint64_t cells = 1;
  for (const std::uint32_t extent : parameters.cells) {
    cells = extent < least_extent || extent > max_index_count / cells ? 0 : cells * extent;
    if (cells > 0) continue;
    throw bad_input("cells of leanmd",
                    "extents of at least 3, and at most " + std::to_string(max_index_count) +
                        " objects together",
                    std::to_string(extent));
  }
  check_pattern_ranks(cells * (1 + pairs_per_cell) + parameters.further);
  if (parameters.atoms == 0 || parameters.atoms > UINT64_MAX / bytes_per_atom) {
    throw bad_input("atoms of a cell", "1 to " + std::to_string(UINT64_MAX / bytes_per_atom),
                    std::to_string(parameters.atoms));
  }
  return std::make_unique<LeanMd>(parameters.cells, parameters.further,
                                  parameters.atoms * bytes_per_atom);
}

}  // namespace kith
