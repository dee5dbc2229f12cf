#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "kith/error.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

struct Cell {
  Rank destination;
  Weight weight;
};

Error cell_overflow(Rank source, Rank destination) {
  return bad_input("traffic from rank " + std::to_string(source.value) + " to rank " +
                       std::to_string(destination.value),
                   "a sum below 2^64", "a larger one");
}

/// Sorts one row by destination through `scratch`; rows that come sorted are left alone.
void sort_row(std::span<Rank> destinations, std::span<Weight> weights, std::vector<Cell>& scratch) {
  if (std::is_sorted(destinations.begin(), destinations.end())) return;
  scratch.clear();
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    scratch.push_back({destinations[i], weights[i]});
  }
  std::sort(scratch.begin(), scratch.end(),
            [](const Cell& a, const Cell& b) { return a.destination < b.destination; });
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    destinations[i] = scratch[i].destination;
    weights[i] = scratch[i].weight;
  }
}

}  // namespace

std::span<const Rank> TrafficMatrix::destinations(Rank source) const {
  const std::uint64_t begin = offsets_[source.value];
  return {destinations_.data() + begin, offsets_[source.value + std::size_t{1}] - begin};
}

std::span<const Weight> TrafficMatrix::weights(Rank source) const {
  const std::uint64_t begin = offsets_[source.value];
  return {weights_.data() + begin, offsets_[source.value + std::size_t{1}] - begin};
}

Weight TrafficMatrix::total(bool with_diagonal) const {
  Weight sum = 0;
  for (std::uint32_t r = 0; r < ranks(); ++r) {
    const auto row = destinations(Rank{r});
    const auto row_weights = weights(Rank{r});
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!with_diagonal && row[i].value == r) continue;
      if (__builtin_add_overflow(sum, row_weights[i], &sum)) {
        throw bad_input("traffic of all ranks", "a sum below 2^64", "a larger one");
      }
    }
  }
  return sum;
}

Weight TrafficMatrix::at(Rank source, Rank destination) const {
  const auto row = destinations(source);
  const auto found = std::lower_bound(row.begin(), row.end(), destination);
  if (found == row.end() || *found != destination) return 0;
  return weights(source)[static_cast<std::size_t>(found - row.begin())];
}

TrafficMatrixBuilder::TrafficMatrixBuilder(std::uint32_t ranks, std::uint64_t expected_entries)
    : ranks_(ranks) {
  entries_.reserve(expected_entries);
}

TrafficMatrix TrafficMatrixBuilder::build() {
  // Counting sort by source; zero weights do not take part.
  TrafficMatrix matrix;
  auto& offsets = matrix.offsets_;
  offsets.assign(std::size_t{ranks_} + 1, 0);
  for (const TrafficEntry& e : entries_) offsets[e.source.value + std::size_t{1}] += e.weight != 0;
  for (std::size_t r = 1; r < offsets.size(); ++r) offsets[r] += offsets[r - 1];
  auto& destinations = matrix.destinations_;
  auto& weights = matrix.weights_;
  destinations.resize(offsets.back());
  weights.resize(offsets.back());
  // offsets[r] walks through row r while it is filled: afterwards it is where row r ends.
  for (const TrafficEntry& e : entries_) {
    if (e.weight == 0) continue;
    const std::uint64_t at = offsets[e.source.value]++;
    destinations[at] = e.destination;
    weights[at] = e.weight;
  }
  std::vector<TrafficEntry>().swap(entries_);

  // Sort and merge each row in place; the write position never passes the read position.
  std::vector<Cell> scratch;
  std::uint64_t begin = 0;
  std::uint64_t out = 0;
  for (std::uint32_t r = 0; r < ranks_; ++r) {
    const std::uint64_t end = offsets[r];
    sort_row({destinations.data() + begin, end - begin}, {weights.data() + begin, end - begin},
             scratch);
    const std::uint64_t row_begin = out;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (out > row_begin && destinations[out - 1] == destinations[i]) {
        if (__builtin_add_overflow(weights[out - 1], weights[i], &weights[out - 1])) {
          throw cell_overflow(Rank{r}, destinations[i]);
        }
      } else {
        destinations[out] = destinations[i];
        weights[out] = weights[i];
        ++out;
      }
    }
    offsets[r] = row_begin;
    begin = end;
  }
  offsets[ranks_] = out;
  const bool much_to_return = out < destinations.size() / 4 * 3;
  destinations.resize(out);
  weights.resize(out);
  if (much_to_return) {
    destinations.shrink_to_fit();
    weights.shrink_to_fit();
  }
  return matrix;
}

TrafficMatrix on_the_wire(const TrafficMatrix& bytes, const TrafficMatrix& messages) {
  if (bytes.ranks() != messages.ranks()) {
    throw bad_input("messages", std::to_string(bytes.ranks()) + " ranks, as the bytes have",
                    std::to_string(messages.ranks()));
  }
  TrafficMatrixBuilder builder(bytes.ranks(), std::max(bytes.entries(), messages.entries()));
  for (Rank source(0); source.value < bytes.ranks(); ++source) {
    const auto receivers = bytes.destinations(source);
    const auto partners = messages.destinations(source);
    for (std::size_t i = 0, k = 0; i < receivers.size() || k < partners.size();) {
      const bool has_bytes =
          k == partners.size() || (i < receivers.size() && receivers[i] <= partners[k]);
      const Rank to = has_bytes ? receivers[i] : partners[k];
      const Weight sent = has_bytes ? bytes.weights(source)[i++] : 0;
      const Weight count =
          k < partners.size() && partners[k] == to ? messages.weights(source)[k++] : 0;
      Weight whole = 0;
      if (__builtin_mul_overflow(count, bytes_per_message, &whole) ||
          __builtin_add_overflow(whole, sent, &whole) ||
          __builtin_add_overflow(whole, sent / payload_per_byte_of_headers, &whole)) {
        throw cell_overflow(source, to);
      }
      builder.add(source, to, whole);
    }
  }
  return builder.build();
}

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
