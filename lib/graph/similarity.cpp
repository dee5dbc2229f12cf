#include <algorithm>
#include <cmath>

#include "kith/traffic.hpp"

namespace kith {
namespace {

double squared_length(const TrafficMatrix& matrix) {
  double sum = 0;
  for (std::uint32_t r = 0; r < matrix.ranks(); ++r) {
    for (const Weight weight : matrix.weights(Rank{r})) {
      sum += static_cast<double>(weight) * static_cast<double>(weight);
    }
  }
  return sum;
}

/// Both rows are sorted by destination.
double row_product(const TrafficMatrix& a, const TrafficMatrix& b, Rank row) {
  const auto to_a = a.destinations(row);
  const auto to_b = b.destinations(row);
  double sum = 0;
  for (std::size_t i = 0, k = 0; i < to_a.size() && k < to_b.size();) {
    if (to_a[i] == to_b[k]) {
      sum += static_cast<double>(a.weights(row)[i]) * static_cast<double>(b.weights(row)[k]);
      ++i;
      ++k;
    } else {
      to_a[i] < to_b[k] ? ++i : ++k;
    }
  }
  return sum;
}

}  // namespace

std::optional<double> cosine_similarity(const TrafficMatrix& a, const TrafficMatrix& b) {
  const double lengths = std::sqrt(squared_length(a)) * std::sqrt(squared_length(b));
  if (lengths == 0 || a.ranks() != b.ranks()) return std::nullopt;
  double product = 0;
  for (std::uint32_t r = 0; r < a.ranks(); ++r) product += row_product(a, b, Rank{r});
  return std::min(product / lengths, 1.0);
}

}  // namespace kith
