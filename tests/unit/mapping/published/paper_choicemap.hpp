// ChoiceMap's algorithms 1 and 2 as the thesis prints them: a full matrix of choices, pass after
// pass over all tasks. Slow; the reference for lib/mapping/published/choicemap. For a power of two of tasks
// on levels of two. Line 10 of algorithm 1 is read as ending before the last task, as its
// figures 4.3 and 4.4 have it; equal choices and the cycle that is solved are as
// lib/mapping/published/choicemap says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace kith::testing::paper {

using CommMatrix = std::vector<std::vector<std::int64_t>>;
using ChoiceMatrix = std::vector<std::vector<int>>;

struct Pair {
  int first;
  int second;
  int pass;
};

inline ChoiceMatrix generate_choice_matrix(const CommMatrix& comm, bool next_first) {
  const int n = static_cast<int>(comm.size());
  ChoiceMatrix choices(comm.size());
  for (int i = 0; i < n; ++i) {
    for (int j = 1; j < n; ++j) choices[i].push_back((i + j) % n);
    std::ranges::sort(choices[i], [&](int a, int b) {
      if (comm[i][a] != comm[i][b]) return comm[i][a] > comm[i][b];
      if (!next_first) return a < b;
      return (a - i + n) % n < (b - i + n) % n;
    });
  }
  return choices;
}

inline int get_nearest_choice(int task, const ChoiceMatrix& choices,
                              const std::vector<bool>& invalid) {
  for (const int other : choices[task]) {
    if (!invalid[other]) return other;
  }
  return -1;
}

/// Algorithm 2.
inline std::pair<int, int> solve_cycle(const CommMatrix& comm, const ChoiceMatrix& choices,
                                       const std::vector<bool>& invalid) {
  const int n = static_cast<int>(comm.size());
  int task = static_cast<int>(std::ranges::find(invalid, false) - invalid.begin());
  for (int i = 0; i < n; ++i) task = get_nearest_choice(task, choices, invalid);
  int alpha = task;  // now in the cycle
  for (int i = 0; i < n; ++i) {
    task = get_nearest_choice(task, choices, invalid);
    alpha = std::min(alpha, task);
  }
  int best = -1;
  for (int desirer = 0; desirer < n; ++desirer) {
    if (invalid[desirer] || get_nearest_choice(desirer, choices, invalid) != alpha) continue;
    if (best < 0 || comm[alpha][desirer] > comm[alpha][best]) best = desirer;
  }
  return {alpha, best};
}

/// Lines 6 to 17 of algorithm 1.
inline std::vector<Pair> pairs_of_level(const CommMatrix& comm, bool next_first) {
  const int n = static_cast<int>(comm.size());
  const ChoiceMatrix choices = generate_choice_matrix(comm, next_first);
  std::vector<bool> invalid(comm.size());
  std::vector<Pair> sequence;
  int paired = 0;
  const auto pair = [&](int a, int b, int pass) {
    sequence.push_back({std::min(a, b), std::max(a, b), pass});
    invalid[a] = invalid[b] = true;
    paired += 2;
  };
  int pass = 0;
  while (paired < n) {
    ++pass;
    const int previously = paired;
    for (int task = 0; task < n - 1; ++task) {
      if (invalid[task]) continue;
      const int candidate = get_nearest_choice(task, choices, invalid);
      if (get_nearest_choice(candidate, choices, invalid) == task) pair(task, candidate, pass);
    }
    if (paired == previously) {
      const auto [alpha, desirer] = solve_cycle(comm, choices, invalid);
      pair(alpha, desirer, pass);
    }
  }
  return sequence;
}

/// Equation 4.1.
inline CommMatrix aggregate(const CommMatrix& comm, const std::vector<Pair>& pairs) {
  CommMatrix sums(pairs.size(), std::vector<std::int64_t>(pairs.size()));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = 0; j < pairs.size(); ++j) {
      if (i == j) continue;
      sums[i][j] = comm[pairs[i].first][pairs[j].first] + comm[pairs[i].first][pairs[j].second] +
                   comm[pairs[i].second][pairs[j].first] + comm[pairs[i].second][pairs[j].second];
    }
  }
  return sums;
}

/// The task on each leaf of a binary tree with as many leaves as tasks.
inline std::vector<int> choicemap(CommMatrix comm, bool next_first) {
  std::vector<std::vector<int>> groups(comm.size());
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = {static_cast<int>(i)};
  while (groups.size() > 1) {
    const std::vector<Pair> pairs = pairs_of_level(comm, next_first);
    std::vector<std::vector<int>> merged;
    for (const Pair& pair : pairs) {
      merged.push_back(groups[pair.first]);
      merged.back().insert(merged.back().end(), groups[pair.second].begin(),
                           groups[pair.second].end());
    }
    comm = aggregate(comm, pairs);
    groups = std::move(merged);
  }
  return groups.front();
}

}  // namespace kith::testing::paper
