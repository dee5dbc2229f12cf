#include "runtime/topology/host_table.hpp"

#include "core/log.hpp"
#include "core/packer.hpp"
#include "record/call_context.hpp"
#include "runtime/job_state.hpp"

namespace kith::runtime {
namespace {

struct HostTable {
  std::vector<std::int32_t> host_of;  // by launcher rank: the first rank there
  double min_gain = 0;
};

HostTable& table() {
  static auto* const kept = new HostTable;  // MPI may outlive static objects
  return *kept;
}

/// Collective over the team: the first of the ranks that share memory with this one.
std::int32_t first_on_host(const Team& team) {
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(
      PMPI_Comm_split_type(team.comm(), MPI_COMM_TYPE_SHARED, team.rank(), MPI_INFO_NULL, &host),
      "MPI_Comm_split_type");
  std::int32_t first = team.rank();
  const int code = PMPI_Bcast(&first, 1, MPI_INT, 0, host);
  PMPI_Comm_free(&host);
  check_mpi(code, "MPI_Bcast");
  return first;
}

void fill(Team& team, HostTable& kept) {
  Packer packer;
  packer.put(job_state().settings.min_gain);
  packer.put(job_state().settings.topology.empty());
  const std::string agreed = team.broadcast(packer.take());
  Unpacker unpacker(agreed);
  kept.min_gain = unpacker.get<double>();
  if (!unpacker.get<bool>()) return;  // KITH_TOPOLOGY: the engine alone can read it
  const std::int32_t first = first_on_host(team);
  std::vector<std::int32_t> host_of;
  bool has_room = true;
  try {
    host_of.resize(static_cast<std::size_t>(team.size()));
  } catch (const std::bad_alloc&) {
    has_room = false;
  }
  if (!team.all_agree(has_room)) return;
  check_mpi(PMPI_Allgather(&first, 1, MPI_INT, host_of.data(), 1, MPI_INT, team.comm()),
            "MPI_Allgather");
  kept.host_of = std::move(host_of);
}

}  // namespace

void keep_host_table(bool is_wanted) noexcept {
  const record::OwnCalls own;
  JobState& state = job_state();
  if (state.team == nullptr || !state.reorders_topologies || !state.bypass.empty()) return;
  try {
    if (state.team->all_agree(!is_wanted)) return;
    fill(*state.team, table());
  } catch (const std::exception& error) {
    table().host_of.clear();
    log_line(std::string("MPI_Cart_map and MPI_Graph_map are left to the library: ") +
             error.what());
  }
}

std::vector<std::int32_t> hosts_of(MPI_Comm comm) {
  const std::vector<std::int32_t>& host_of = table().host_of;
  if (host_of.empty()) return {};
  std::vector<std::int32_t> hosts;
  for (const std::int32_t rank : launcher_ranks(comm)) {
    hosts.push_back(host_of[static_cast<std::size_t>(rank)]);
  }
  return hosts;
}

double agreed_min_gain() {
  return table().min_gain;
}

}  // namespace kith::runtime
