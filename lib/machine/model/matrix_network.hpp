// Nodes whose distances are a table.
#pragma once

#include "kith/detail/network_machine.hpp"

namespace kith {

/// Any symmetric distances; whether they obey the triangle inequality is the user's business. Where
/// the scale is 1 they are hops, else costs, and hops are the costs rounded to whole numbers, at
/// least 1. Memory 4 bytes x nodes squared.
class MatrixNetwork final : public Network {
 public:
  /// `units`: the distances from node i to i + 1 .. nodes-1 for i = 0, 1, ..., in units of 1/scale,
  /// each above 0; `nodes` at least 1.
  MatrixNetwork(std::uint32_t nodes, std::vector<std::uint64_t> units, std::uint64_t scale);

  std::string_view kind() const override { return "matrix"; }
  std::uint64_t hops(std::uint32_t a, std::uint32_t b) const override;
  std::uint64_t cost(std::uint32_t a, std::uint32_t b) const override;
  bool has_costs() const override { return scale_ != 1; }
  std::uint64_t cost_scale() const override { return scale_; }
  std::uint64_t lowest_cost() const override { return lowest_; }
  /// O(nodes).
  void nearest(std::uint32_t node, std::size_t most,
               std::vector<std::uint32_t>& out) const override;

  /// Where the distance from node a to b > a is in `units`.
  static std::uint64_t place(std::uint64_t a, std::uint64_t b, std::uint64_t nodes) {
    return a * (2 * nodes - a - 1) / 2 + b - a - 1;
  }

 private:
  std::vector<std::uint64_t> units_;
  std::uint64_t scale_;
  std::uint64_t lowest_ = 1;
};

}  // namespace kith
