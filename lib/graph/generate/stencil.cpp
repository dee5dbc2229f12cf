#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "graph/generate/check.hpp"
#include "kith/detail/generate.hpp"

namespace kith {
namespace {

using Extents = std::array<std::uint32_t, 3>;

/// A step to a neighbour. Of a step and its inverse only one is kept, so that each pair comes once.
struct Step {
  std::array<int, 3> by{};
  Weight weight = 0;
  bool own_inverse = false;  ///< there and back are the same: then only the lower end visits
};

/// Grid in three dimensions; a two-dimensional one has a first extent of 1.
class StencilPattern final : public Pattern {
 public:
  StencilPattern(Extents extents, bool faces_only, bool periodic,
                 const std::array<Weight, 3>& weights)
      : extents_(extents), periodic_(periodic) {
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        for (int z = -1; z <= 1; ++z) {
          const int axes = (x != 0) + (y != 0) + (z != 0);
          if (axes == 0 || (faces_only && axes > 1)) continue;
          const Weight weight = weights[static_cast<std::size_t>(axes - 1)];
          if (weight != 0) add_step({x, y, z}, weight);
        }
      }
    }
  }

  std::uint32_t ranks() const override { return extents_[0] * extents_[1] * extents_[2]; }

  void for_each_pair(const Visit& visit) const override {
    std::uint32_t here = 0;
    std::array<std::uint32_t, 3> at{};
    for (at[0] = 0; at[0] < extents_[0]; ++at[0]) {
      for (at[1] = 0; at[1] < extents_[1]; ++at[1]) {
        for (at[2] = 0; at[2] < extents_[2]; ++at[2], ++here) {
          for (const Step& step : steps_) visit_neighbour(here, at, step, visit);
        }
      }
    }
  }

 private:
  /// Keeps the step unless it leaves a flat axis, equals another, or is the inverse of one kept.
  void add_step(std::array<int, 3> by, Weight weight) {
    int sign = 0;  // of the first axis on which there and back differ
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (by[axis] == 0) continue;
      if (extents_[axis] == 1) return;
      if (periodic_ && extents_[axis] == 2) {
        if (by[axis] < 0) return;
      } else if (sign == 0) {
        sign = by[axis];
      }
    }
    if (sign < 0) return;
    steps_.push_back({by, weight, sign == 0});
  }

  void visit_neighbour(std::uint32_t here, const std::array<std::uint32_t, 3>& at, const Step& step,
                       const Visit& visit) const {
    std::uint64_t there = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t extent = extents_[axis];
      std::int64_t x = std::int64_t{at[axis]} + step.by[axis];
      if (x < 0 || x >= extent) {
        if (!periodic_) return;
        x = x < 0 ? extent - 1 : 0;
      }
      there = there * extents_[axis] + static_cast<std::uint64_t>(x);
    }
    if (step.own_inverse && there < here) return;
    visit(Rank{here}, Rank{static_cast<std::uint32_t>(there)}, step.weight);
  }

  Extents extents_;
  bool periodic_;
  std::vector<Step> steps_;
};

std::string list(const auto& numbers) {
  std::string text;
  for (const auto number : numbers) {
    if (!text.empty()) text += ',';
    text += std::to_string(number);
  }
  return text.empty() ? "none" : text;
}

Extents checked_extents(const std::vector<std::uint32_t>& extents) {
  std::uint64_t ranks = 1;
  for (const std::uint32_t extent : extents) {
    ranks = extent == 0 || ranks > max_index_count / extent ? 0 : ranks * extent;
  }
  if (extents.size() < 2 || extents.size() > 3 || ranks == 0) {
    throw bad_input(
        "extents of the stencil",
        "2 or 3 positive numbers with a product of at most " + std::to_string(max_index_count),
        list(extents));
  }
  const std::uint32_t first = extents.size() == 3 ? extents[0] : 1;
  return {first, extents[extents.size() - 2], extents.back()};
}

}  // namespace

std::unique_ptr<Pattern> make_stencil(std::vector<std::uint32_t> extents, unsigned points,
                                      bool periodic, std::vector<Weight> weights) {
  const Extents checked = checked_extents(extents);
  const bool flat = extents.size() == 2;
  const unsigned few = flat ? 5 : 7;
  const unsigned many = flat ? 9 : 27;
  if (points != few && points != many) {
    throw bad_input("points of the stencil",
                    std::to_string(few) + " or " + std::to_string(many) + " in " +
                        std::to_string(extents.size()) + " dimensions",
                    std::to_string(points));
  }
  const std::size_t classes = points == few ? 1 : extents.size();
  if (weights.size() != 1 && weights.size() != classes) {
    throw bad_input("weights of the stencil",
                    classes == 1 ? "one number"
                                 : "one number for all neighbours, or " + std::to_string(classes) +
                                       " (faces, then edges, then corners)",
                    list(weights));
  }
  std::array<Weight, 3> by_class{};
  for (std::size_t c = 0; c < classes; ++c)
    by_class[c] = weights.size() == 1 ? weights[0] : weights[c];
  return std::make_unique<StencilPattern>(checked, points == few, periodic, by_class);
}

}  // namespace kith
