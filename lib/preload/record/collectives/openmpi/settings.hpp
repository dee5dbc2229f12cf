// What a user may have told Open MPI about its collectives.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace kith::record::openmpi {

/// Numbered as in the files of coll_tuned_dynamic_rules_filename.
enum class Collective : std::uint8_t {
  allgather,
  allgatherv,
  allreduce,
  alltoall,
  alltoallv,
  alltoallw,
  barrier,
  bcast,
  exscan,
  gather,
  gatherv,
  reduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  scatter,
  scatterv,
};
constexpr std::size_t tuned_collectives = 17;

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
using RuleTable = std::array<std::vector<SizeRule>, tuned_collectives>;

/// The values of coll_tuned_* and coll_libnbc_* that change what is sent; initially the library's
/// own defaults.
struct Settings {
  bool dynamic = false;  ///< coll_tuned_use_dynamic_rules: without it no other choice counts
  std::array<Choice, tuned_collectives> forced{};
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

}  // namespace kith::record::openmpi
