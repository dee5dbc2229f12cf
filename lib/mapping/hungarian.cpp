#include "mapping/hungarian.hpp"

namespace kith {
namespace {

constexpr SignedWide far_above = SignedWide{1} << 126;

/// Rows and columns count from 1 here; 0 is the row or column that is not there.
class Assignment {
 public:
  Assignment(const std::vector<SignedWide>& cost, std::uint32_t n)
      : cost_(cost), n_(n), row_potential_(n + 1), column_potential_(n + 1), row_of_(n + 1, 0) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t row = 1; row <= n_; ++row) add(row);
    std::vector<std::uint32_t> column_of(n_);
    for (std::uint32_t column = 1; column <= n_; ++column) {
      column_of[row_of_[column] - 1] = column - 1;
    }
    return column_of;
  }

 private:
  SignedWide reduced(std::uint32_t row, std::uint32_t column) const {
    return cost_[std::size_t{row - 1} * n_ + column - 1] - row_potential_[row] -
           column_potential_[column];
  }

  /// Grows a tree of shortest ways from `row` until a free column is reached, and shifts the rows
  /// along the way there.
  void add(std::uint32_t row) {
    row_of_[0] = row;
    std::vector<SignedWide> least(n_ + 1, far_above);
    std::vector<std::uint32_t> before(n_ + 1, 0);
    std::vector<bool> in_tree(n_ + 1, false);
    std::uint32_t column = 0;
    do {
      in_tree[column] = true;
      column = nearest(row_of_[column], column, in_tree, least, before);
      raise(least[column], in_tree, least);
    } while (row_of_[column] != 0);
    for (; column != 0; column = before[column]) row_of_[column] = row_of_[before[column]];
  }

  std::uint32_t nearest(std::uint32_t row, std::uint32_t from, const std::vector<bool>& in_tree,
                        std::vector<SignedWide>& least, std::vector<std::uint32_t>& before) const {
    std::uint32_t next = 0;
    for (std::uint32_t column = 1; column <= n_; ++column) {
      if (in_tree[column]) continue;
      const SignedWide cost = reduced(row, column);
      if (cost < least[column]) {
        least[column] = cost;
        before[column] = from;
      }
      if (next == 0 || least[column] < least[next]) next = column;
    }
    return next;
  }

  void raise(SignedWide by, const std::vector<bool>& in_tree, std::vector<SignedWide>& least) {
    for (std::uint32_t column = 0; column <= n_; ++column) {
      if (in_tree[column]) {
        row_potential_[row_of_[column]] += by;
        column_potential_[column] -= by;
      } else {
        least[column] -= by;
      }
    }
  }

  const std::vector<SignedWide>& cost_;
  std::uint32_t n_;
  std::vector<SignedWide> row_potential_;
  std::vector<SignedWide> column_potential_;
  std::vector<std::uint32_t> row_of_;  // by column; 0: none
};

}  // namespace

std::vector<std::uint32_t> least_assignment(const std::vector<SignedWide>& cost, std::uint32_t n) {
  return Assignment(cost, n).run();
}

}  // namespace kith
