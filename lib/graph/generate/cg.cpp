#include <bit>

#include "graph/generate/check.hpp"
#include "kith/generate.hpp"

namespace kith {
namespace {

/// The exchanges of NAS CG on a square process grid: sums along a row by recursive doubling and a
/// transposition. The two kinds never meet on one pair, so that each pair comes once.
class ConjugateGradient final : public Pattern {
 public:
  ConjugateGradient(std::uint32_t side, Weight weight) : side_(side), weight_(weight) {}
  std::uint32_t ranks() const override { return side_ * side_; }
  void for_each_pair(const Visit& visit) const override {
    if (weight_ == 0) return;
    for (std::uint32_t row = 0; row < side_; ++row) {
      for (std::uint32_t column = 0; column < side_; ++column) {
        const Rank here{row * side_ + column};
        for (std::uint32_t bit = 1; bit < side_; bit *= 2) {
          if ((column & bit) == 0) visit(here, Rank{row * side_ + (column | bit)}, weight_);
        }
        if (row < column) visit(here, Rank{column * side_ + row}, weight_);
      }
    }
  }

 private:
  std::uint32_t side_;
  Weight weight_;
};

}  // namespace

std::unique_ptr<Pattern> make_cg(std::uint32_t ranks, Weight weight) {
  // A power of two with an even exponent is the square of a power of two.
  if (!std::has_single_bit(ranks) || std::countr_zero(ranks) % 2 != 0) {
    throw bad_input("ranks of the CG pattern", "the square of a power of two (1, 4, 16, 64, ...)",
                    std::to_string(ranks));
  }
  return std::make_unique<ConjugateGradient>(1U << (std::countr_zero(ranks) / 2), weight);
}

}  // namespace kith
