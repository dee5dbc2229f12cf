// What a job asks of the engine about its order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kith/job.hpp"
#include "kith/machine.hpp"
#include "kith/traffic.hpp"
#include "protocol/exchange.hpp"

namespace kith::tools {

/// The request, read.
struct Question {
  std::uint32_t ranks = 0;
  std::string source;
  std::string algorithm;
  double min_gain = 0;
  bool keep_rank0 = true;
  bool keep_local = false;
  bool has_state = false;  ///< moving a rank moves data
  double state_bytes = 0;  ///< ReorderOptions::state_bytes
  double remaining = 1;    ///< ReorderOptions::remaining
  JobDescription job;
  std::unique_ptr<Machine> machine;  ///< the slots that hold a process
  /// Which of them rank i has, as their number; empty: i.
  std::vector<std::uint32_t> seat;
  /// By seat, the local index of the process there: how many of the job's processes before it are
  /// on its host. Empty where the job is not known.
  std::vector<std::uint32_t> local_indices;

  /// The traffic by seat: that of rank i is that of seat[i].
  TrafficMatrix seated(const TrafficMatrix& matrix) const;
  /// `rank_of` by seat, both in it and as its index, turned into numbers of ranks.
  std::vector<std::uint32_t> ranks_of_seats(const std::vector<std::uint32_t>& rank_of) const;
};

/// Throws Error (input) for what the job's settings say wrongly.
Question read_question(const Exchange& request);

}  // namespace kith::tools
