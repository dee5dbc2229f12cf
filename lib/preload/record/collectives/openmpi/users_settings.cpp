// What the user told the running library.
#include "record/collectives/openmpi/decisions.hpp"

#include <cstdio>
#include <string>

#include "mpi/library.hpp"

namespace kith::record::openmpi {
namespace {

constexpr const char* names[collective_count] = {"allgather",      "allgatherv",
                                                 "allreduce",      "alltoall",
                                                 "alltoallv",      "alltoallw",
                                                 "barrier",        "bcast",
                                                 "exscan",         "gather",
                                                 "gatherv",        "reduce",
                                                 "reduce_scatter", "reduce_scatter_block",
                                                 "scan",           "scatter",
                                                 "scatterv"};

int number(const char* name, int otherwise) {
  return mpi::library_number(name).value_or(otherwise);
}

// Which of the two fan-outs the library passes on with a forced algorithm.
bool uses_chain_fanout(Collective collective) {
  return collective == Collective::bcast || collective == Collective::reduce;
}

Choice forced(Collective collective) {
  const char* const name = names[static_cast<std::size_t>(collective)];
  const auto parameter = [&](const char* what, int otherwise) {
    char variable[128];
    std::snprintf(variable, sizeof variable, "coll_tuned_%s_algorithm%s", name, what);
    return number(variable, otherwise);
  };
  Choice choice;
  choice.algorithm = parameter("", 0);
  if (choice.algorithm == 0) return choice;
  choice.fanout = parameter(uses_chain_fanout(collective) ? "_chain_fanout" : "_tree_fanout", 4);
  const int segment = parameter("_segmentsize", 0);
  choice.segment_bytes = segment > 0 ? static_cast<std::uint64_t>(segment) : 0;
  return choice;
}

}  // namespace

Settings users_settings() {
  Settings settings;
  settings.iallgather = number("coll_libnbc_iallgather_algorithm", 0);
  settings.iallreduce = number("coll_libnbc_iallreduce_algorithm", 0);
  settings.ibcast = number("coll_libnbc_ibcast_algorithm", 0);
  settings.iexscan = number("coll_libnbc_iexscan_algorithm", 0);
  settings.ireduce = number("coll_libnbc_ireduce_algorithm", 0);
  settings.iscan = number("coll_libnbc_iscan_algorithm", 0);
  settings.ibcast_radix = number("coll_libnbc_ibcast_knomial_radix", 4);
  settings.ibcast_ignores_size =
      mpi::library_flag("coll_libnbc_ibcast_skip_dt_decision").value_or(true);
  settings.dynamic = mpi::library_flag("coll_tuned_use_dynamic_rules").value_or(false);
  if (!settings.dynamic) return settings;
  settings.broadcast_radix = number("coll_tuned_bcast_algorithm_knomial_radix", 4);
  for (std::size_t i = 0; i < collective_count; ++i) {
    settings.forced[i] = forced(static_cast<Collective>(i));
  }
  const std::string file =
      mpi::library_text("coll_tuned_dynamic_rules_filename").value_or(std::string());
  if (!file.empty()) read_rule_file(file.c_str(), settings.rules);
  return settings;
}

}  // namespace kith::record::openmpi
