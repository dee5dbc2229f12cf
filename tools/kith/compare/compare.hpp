// What kith compare finds out of each algorithm, and how it shows that.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/lower_bound.hpp"
#include "kith/mapper.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "simulate/predictor.hpp"

namespace kith::tools {

/// The answer of one algorithm.
struct Row {
  std::string asked;
  std::string made_by;
  std::string problem;  ///< why there is no answer; then nothing below counts
  Mapping mapping;
  Metrics metrics;
  std::optional<std::uint64_t> between_nodes;  ///< bytes; nothing: one node
  std::optional<simulate::Seconds> predicted;  ///< of the job; nothing: not asked for
  double seconds = 0;                          ///< of the mapping
  Stopped stopped = Stopped::done;
  bool is_optimal = false;

  /// "auto (kith)".
  std::string label() const;
  bool is_ours() const;  ///< Kith's own
};

/// The job as it was recorded, ready to be simulated in any order.
struct JobClock {
  simulate::Predictor predictor;
  simulate::Seconds identity;

  simulate::Seconds seconds_of(const Mapping& mapping) {
    return predictor.expected(predictor.run(mapping));
  }
};

/// A problem, and the answers so far.
struct Comparison {
  const Problem& problem;
  Goal goal;
  Row present;                        ///< the order without Kith: identity
  std::vector<Row> rows;              ///< as found, until sort()
  std::vector<std::string> left_out;  ///< names of algorithms for which there was no time
  JobClock* clock = nullptr;          ///< null where seconds are not known
  bool is_quick = false;              ///< of the published algorithms only the best are shown
  double look_seconds = 0;            ///< that evaluating one order takes

  /// Maps with the algorithm and keeps its row. `limit`: seconds, besides those of the options.
  void add(const Algorithm& algorithm, std::optional<double> limit = std::nullopt);
  /// Rows with an answer first, the best objective first, as asked where equal.
  void sort();
  /// What one algorithm has proven beats what a formula tells.
  std::optional<LowerBound> bound() const;
  /// The row with the least objective, the first of equals; null: no row has an answer.
  const Row* best() const;
  /// Of the rows that are better than the present order, and not clearly slower, by more than 2%,
  /// than the one with the least predicted seconds, the one with the least objective. Null: no row
  /// is better.
  const Row* advised() const;
};

/// Evaluates the present order. The problem must outlive the result.
Comparison start_comparison(const Problem& problem);

/// Nothing: as long as it takes.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// The present order, Kith's, and those published mappers that end before `deadline`, the cheapest
/// first.
void add_quick_rows(Comparison& comparison, Deadline deadline);

/// One sentence, with its end: what the best order saves.
std::string verdict_of(const Comparison& comparison);
/// What a job on several hosts is told of the order that is advised: bytes of the busiest host
/// alone. Empty where they do not get fewer.
std::string busiest_words(const Comparison& comparison);
/// The sentence, what it rests on, and the table, whose ratios are drawn as bars beside it where
/// `drawn_for` says for which terminal.
std::string as_text(const Comparison& comparison, const std::optional<Terminal>& drawn_for);
/// An array of rows.
std::string as_json(const Comparison& comparison);

}  // namespace kith::tools
