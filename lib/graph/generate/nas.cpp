#include <bit>

#include "graph/generate/check.hpp"
#include "kith/detail/generate.hpp"

namespace kith {
namespace {

/// The exchanges of NAS LU: wavefronts that sweep to and fro over a grid of processes, and the
/// borders of their blocks. North and south are the ranks before and behind, east and west those a
/// row of the grid away. (Bailey et al.: The NAS Parallel Benchmarks 2.0, NAS-95-020.)
class LowerUpper final : public Pattern {
 public:
  LowerUpper(std::uint32_t rows, std::uint32_t columns, Weight weight)
      : rows_(rows), columns_(columns), weight_(weight) {}
  std::uint32_t ranks() const override { return rows_ * columns_; }
  void for_each_pair(const Visit& visit) const override {
    if (weight_ == 0) return;
    // A block that is half as long in one direction has half as long a border there.
    const Weight along = weight_ * (rows_ / columns_);
    for (std::uint32_t column = 0; column < columns_; ++column) {
      for (std::uint32_t row = 0; row < rows_; ++row) {
        const Rank here{column * rows_ + row};
        if (row + 1 < rows_) visit(here, Rank{here.value + 1}, along);
        if (column + 1 < columns_) visit(here, Rank{here.value + rows_}, weight_);
      }
    }
  }

 private:
  std::uint32_t rows_;     // xdim of LU: as many as columns or twice as many
  std::uint32_t columns_;  // ydim
  Weight weight_;
};

}  // namespace

std::unique_ptr<Pattern> make_lu(std::uint32_t ranks, Weight weight) {
  check_power_of_two(ranks, "LU");
  constexpr Weight largest = Weight{1} << 60;
  if (weight > largest) {
    throw bad_input("weight of the LU pattern", "at most " + std::to_string(largest),
                    std::to_string(weight));
  }
  const std::uint32_t columns = 1U << (std::countr_zero(ranks) / 2);
  return std::make_unique<LowerUpper>(ranks / columns, columns, weight);
}

namespace {

/// The exchanges of NAS CG on its process grid, with as many columns as rows or twice as many: sums
/// along a row by recursive doubling and a transposition. The two kinds never meet on one pair, so
/// that each pair comes once. All these messages of a grid are of one size; the scalar products,
/// eight bytes each, are left out. (Bailey et al.: The NAS Parallel Benchmarks 2.0, NAS-95-020.)
class ConjugateGradient final : public Pattern {
 public:
  ConjugateGradient(std::uint32_t rows, std::uint32_t columns, Weight weight)
      : rows_(rows), columns_(columns), weight_(weight) {}
  std::uint32_t ranks() const override { return rows_ * columns_; }
  void for_each_pair(const Visit& visit) const override {
    if (weight_ == 0) return;
    const std::uint32_t wide = columns_ / rows_;  // columns that are transposed together, 1 or 2
    for (std::uint32_t row = 0; row < rows_; ++row) {
      for (std::uint32_t column = 0; column < columns_; ++column) {
        const Rank here{row * columns_ + column};
        for (std::uint32_t bit = 1; bit < columns_; bit *= 2) {
          if ((column & bit) == 0) visit(here, Rank{row * columns_ + (column | bit)}, weight_);
        }
        const std::uint32_t other_row = column / wide;
        const std::uint32_t other_column = row * wide + column % wide;
        if (row < other_row) visit(here, Rank{other_row * columns_ + other_column}, weight_);
      }
    }
  }

 private:
  std::uint32_t rows_;
  std::uint32_t columns_;
  Weight weight_;
};

}  // namespace

std::unique_ptr<Pattern> make_cg(std::uint32_t ranks, Weight weight) {
  check_power_of_two(ranks, "CG");
  const std::uint32_t rows = 1U << (std::countr_zero(ranks) / 2);
  return std::make_unique<ConjugateGradient>(rows, ranks / rows, weight);
}

}  // namespace kith
