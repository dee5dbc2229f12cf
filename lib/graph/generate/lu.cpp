#include <bit>

#include "graph/generate/check.hpp"
#include "kith/generate.hpp"

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

}  // namespace kith
