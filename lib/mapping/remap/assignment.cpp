#include "mapping/remap/remap.hpp"

#include <algorithm>
#include <limits>

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

  /// Grows a tree of shortest paths from `row` until a free column is reached, and shifts the rows
  /// along the path there.
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

namespace kith::remap {
namespace {

/// The distinct numbers, ascending.
template <class Member>
std::vector<std::uint32_t> distinct(std::span<const Entry> entries, Member member) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(entries.size());
  for (const Entry& entry : entries) numbers.push_back(entry.*member);
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::size_t place_in(const std::vector<std::uint32_t>& numbers, std::uint32_t number) {
  return static_cast<std::size_t>(std::ranges::lower_bound(numbers, number) - numbers.begin());
}

/// The heaviest entry first, then the heaviest of those that do not contradict it, ...
std::vector<Entry> heaviest_first(std::span<const Entry> entries,
                                  const std::vector<std::uint32_t>& rows,
                                  const std::vector<std::uint32_t>& columns) {
  std::vector<Entry> order(entries.begin(), entries.end());
  std::ranges::sort(order, [](const Entry& x, const Entry& y) {
    if (x.weight != y.weight) return x.weight > y.weight;
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  std::vector<bool> row_taken(rows.size());
  std::vector<bool> column_taken(columns.size());
  std::vector<Entry> chosen;
  for (const Entry& entry : order) {
    const std::size_t row = place_in(rows, entry.a);
    const std::size_t column = place_in(columns, entry.b);
    if (row_taken[row] || column_taken[column]) continue;
    row_taken[row] = true;
    column_taken[column] = true;
    chosen.push_back(entry);
  }
  return chosen;
}

/// The Hungarian method with shortest augmenting paths: O(rows^2 columns), rows at most columns.
class Hungarian {
 public:
  Hungarian(std::size_t rows, std::size_t columns)
      : rows_(rows),
        columns_(columns),
        weight_(rows * columns),
        row_price_(rows + 1),
        column_price_(columns + 1),
        row_of_(columns + 1) {}

  std::int64_t& weight(std::size_t row, std::size_t column) {
    return weight_[row * columns_ + column];
  }

  /// The row of each column; rows() where none.
  std::vector<std::size_t> run() {
    for (std::size_t row = 1; row <= rows_; ++row) augment(row);
    std::vector<std::size_t> row_of(columns_, rows_);
    for (std::size_t column = 1; column <= columns_; ++column) {
      if (row_of_[column] != 0) row_of[column - 1] = row_of_[column] - 1;
    }
    return row_of;
  }

 private:
  // Rows and columns count from 1 here; 0 is none, and column 0 the start of a path.
  std::int64_t reduced_cost(std::size_t row, std::size_t column) const {
    return -weight_[(row - 1) * columns_ + (column - 1)] - row_price_[row] - column_price_[column];
  }

  void augment(std::size_t first_row) {
    constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> least(columns_ + 1, infinite);
    std::vector<std::size_t> came_from(columns_ + 1, 0);
    std::vector<bool> done(columns_ + 1, false);
    row_of_[0] = first_row;
    std::size_t column = 0;
    do {
      done[column] = true;
      const std::size_t row = row_of_[column];
      std::int64_t step = infinite;
      std::size_t next = 0;
      for (std::size_t j = 1; j <= columns_; ++j) {
        if (done[j]) continue;
        const std::int64_t cost = reduced_cost(row, j);
        if (cost < least[j]) {
          least[j] = cost;
          came_from[j] = column;
        }
        if (least[j] < step) {
          step = least[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= columns_; ++j) {
        if (done[j]) {
          row_price_[row_of_[j]] += step;
          column_price_[j] -= step;
        } else {
          least[j] -= step;
        }
      }
      column = next;
    } while (row_of_[column] != 0);
    while (column != 0) {
      row_of_[column] = row_of_[came_from[column]];
      column = came_from[column];
    }
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<std::int64_t> weight_;
  std::vector<std::int64_t> row_price_;
  std::vector<std::int64_t> column_price_;
  std::vector<std::size_t> row_of_;  // by column
};

std::vector<Entry> heaviest_of_all(std::span<const Entry> entries,
                                   const std::vector<std::uint32_t>& rows,
                                   const std::vector<std::uint32_t>& columns) {
  const bool turned = rows.size() > columns.size();
  Hungarian matrix(std::min(rows.size(), columns.size()), std::max(rows.size(), columns.size()));
  for (const Entry& entry : entries) {
    const std::size_t row = place_in(rows, entry.a);
    const std::size_t column = place_in(columns, entry.b);
    matrix.weight(turned ? column : row, turned ? row : column) = entry.weight;
  }
  const std::vector<std::size_t> partner = matrix.run();
  std::vector<Entry> chosen;
  for (const Entry& entry : entries) {
    const std::size_t row = place_in(rows, entry.a);
    const std::size_t column = place_in(columns, entry.b);
    if (partner[turned ? row : column] == (turned ? column : row)) chosen.push_back(entry);
  }
  return chosen;
}

}  // namespace

std::vector<Entry> assign(std::span<const Entry> entries, std::uint64_t effort) {
  const std::vector<std::uint32_t> rows = distinct(entries, &Entry::a);
  const std::vector<std::uint32_t> columns = distinct(entries, &Entry::b);
  if (rows.size() == entries.size() && columns.size() == entries.size()) {
    return {entries.begin(), entries.end()};  // nothing to choose
  }
  const std::uint64_t fewer = std::min(rows.size(), columns.size());
  const std::uint64_t more = std::max(rows.size(), columns.size());
  const bool affordable = fewer * more <= effort / fewer;
  return affordable ? heaviest_of_all(entries, rows, columns)
                    : heaviest_first(entries, rows, columns);
}

}  // namespace kith::remap
