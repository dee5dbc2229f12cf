// TopoLB's algorithm 1 with its estimation functions (section 4.3), and TopoCentLB (section 4.5),
// as the paper prints them: every estimate anew in every cycle. Slow; the reference for
// lib/mapping/published/topolb. Averages are kept as sums: comparing sums over one number of processors is
// comparing averages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace kith::testing::topolb::paper {

using Int = std::int64_t;
using Table = std::vector<std::vector<Int>>;

struct TopoLb {
  Table c;        ///< traffic between tasks
  Table d;        ///< distances between processors, at least as many as tasks
  int order = 2;  ///< of the estimation
  bool n_minus_k = false;

  std::vector<int> place_of{};    ///< P: the processor of each task, -1 for none
  std::vector<char> available{};  ///< P_k

  int processors() const { return static_cast<int>(d.size()); }
  int tasks() const { return static_cast<int>(c.size()); }

  Int free_processors() const {
    Int count = 0;
    for (const char is : available) count += is;
    return count;
  }

  /// What estimates are multiplied by so that they are integers.
  Int scale() const { return order == 1 ? 1 : order == 2 ? processors() : free_processors(); }

  Int f_est(int t, int p) const {
    Int placed = 0;
    Int unplaced = 0;
    for (int j = 0; j < tasks(); ++j) {
      if (place_of[j] >= 0) {
        placed += c[t][j] * d[p][place_of[j]];
      } else {
        unplaced += c[t][j];
      }
    }
    Int expected = 0;
    for (int q = 0; q < processors(); ++q) {
      if (order == 2 || (order == 3 && available[q])) expected += d[p][q];
    }
    return placed * scale() + unplaced * expected;
  }

  std::vector<int> map() {
    place_of.assign(c.size(), -1);
    available.assign(d.size(), 1);
    for (int k = 0; k < tasks(); ++k) {
      Int max_gain = -1;
      int t_k = -1;
      for (int t = 0; t < tasks(); ++t) {
        if (place_of[t] >= 0) continue;
        Int sum = 0;
        Int min = std::numeric_limits<Int>::max();
        for (int p = 0; p < processors(); ++p) {
          if (!available[p]) continue;
          sum += f_est(t, p);
          min = std::min(min, f_est(t, p));
        }
        const Int gain = sum - (free_processors() - (n_minus_k ? 1 : 0)) * min;
        if (gain > max_gain) {
          t_k = t;
          max_gain = gain;
        }
      }
      Int min_cost = std::numeric_limits<Int>::max();
      int p_k = -1;
      for (int p = 0; p < processors(); ++p) {
        if (available[p] && f_est(t_k, p) < min_cost) {
          p_k = p;
          min_cost = f_est(t_k, p);
        }
      }
      place_of[t_k] = p_k;
      available[p_k] = 0;
    }
    return place_of;
  }
};

/// Section 4.5. The first task goes to processor `first`. Of equally cheap processors the first one
/// is taken, or the last.
inline std::vector<int> map_topocentlb(const Table& c, const Table& d, int first,
                                       bool last_of_equal) {
  const int tasks = static_cast<int>(c.size());
  const int processors = static_cast<int>(d.size());
  std::vector<int> place_of(c.size(), -1);
  std::vector<char> available(d.size(), 1);
  for (int k = 0; k < tasks; ++k) {
    Int most = -1;
    int task = -1;
    for (int t = 0; t < tasks; ++t) {
      if (place_of[t] >= 0) continue;
      Int traffic = 0;
      for (int j = 0; j < tasks; ++j) {
        if (k == 0 || place_of[j] >= 0) traffic += c[t][j];
      }
      if (traffic > most) {
        most = traffic;
        task = t;
      }
    }
    Int least = std::numeric_limits<Int>::max();
    int processor = first;
    for (int p = 0; k > 0 && p < processors; ++p) {
      if (!available[p]) continue;
      Int cost = 0;
      for (int j = 0; j < tasks; ++j) {
        if (place_of[j] >= 0) cost += c[task][j] * d[p][place_of[j]];
      }
      if (cost < least || (last_of_equal && cost == least)) {
        least = cost;
        processor = p;
      }
    }
    place_of[task] = processor;
    available[processor] = 0;
  }
  return place_of;
}

}  // namespace kith::testing::topolb::paper
