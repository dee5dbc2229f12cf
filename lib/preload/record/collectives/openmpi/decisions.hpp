// Which algorithm Open MPI takes: the compiled-in thresholds of version 4.1, and what a user may
// have told the library about its collectives.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "record/collectives/model.hpp"

namespace kith::record::openmpi {

/// A row of a table of decisions: the first one with ranks < ranks_below and bytes < bytes_below
/// holds.
struct Step {
  static constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t ranks_below;
  std::uint32_t bytes_below;
  std::uint8_t algorithm;
};

/// The algorithm of the row that holds; 0 if no row holds.
int decided(std::span<const Step> steps, int ranks, std::uint64_t bytes);

/// The algorithm (numbered as coll_tuned_X_algorithm does) of the "tuned" component for `ranks`
/// (>= 2) and `bytes`. What the bytes are differs: the whole message for bcast, reduce, allreduce,
/// reduce_scatter; the block of one rank for gather, scatter, allgather, alltoall,
/// reduce_scatter_block; the mean block for allgatherv; nothing for barrier and alltoallv. 0 for a
/// collective without a table.
int fixed_algorithm(Collective collective, int ranks, std::uint64_t bytes, bool commutes = true);

/// An algorithm and its parameters; algorithm 0 leaves the decision to the compiled-in rules.
struct Choice {
  int algorithm = 0;
  int fanout = 0;
  std::uint64_t segment_bytes = 0;
};

/// What a rules file says of one collective: from which communicator size and message size on which
/// choice holds. In the order of the file.
struct SizeRule {
  int ranks = 0;
  struct Message {
    std::uint64_t bytes = 0;
    Choice choice;
  };
  std::vector<Message> messages;
};
using RuleTable = std::array<std::vector<SizeRule>, collective_count>;

/// The values of coll_tuned_* and coll_libnbc_* that change what is sent; initially the library's
/// own defaults.
struct Settings {
  bool dynamic = false;  ///< coll_tuned_use_dynamic_rules: without it no other choice counts
  std::array<Choice, collective_count> forced{};
  RuleTable rules;
  int broadcast_radix = 4;

  /// libnbc, the nonblocking collectives: 0 leaves the decision to it.
  int iallgather = 0;
  int iallreduce = 0;
  int ibcast = 0;
  int iexscan = 0;
  int ireduce = 0;
  int iscan = 0;
  int ibcast_radix = 4;
  bool ibcast_ignores_size = true;
};

/// What the user decided for `ranks` ranks and `bytes`; algorithm 0 where nothing.
Choice users_choice(const Settings& settings, Collective collective, int ranks,
                    std::uint64_t bytes);

/// Reads a file of coll_tuned_dynamic_rules_filename. False, and an empty table, where Open MPI
/// would reject it. Throws std::bad_alloc.
bool read_rule_file(const char* path, RuleTable& rules);

/// Asks the running library: reads the parameters coll_tuned_* and coll_libnbc_* as the library has
/// them, and the rules file that they name. Variables that the library does not have keep their
/// defaults, so that this is safe with any MPI. Local; after MPI_Init. Throws std::bad_alloc.
Settings users_settings();

}  // namespace kith::record::openmpi
