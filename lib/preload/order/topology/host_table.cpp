#include "order/topology/host_table.hpp"

#include <algorithm>
#include <new>
#include <numeric>

#include "core/log.hpp"
#include "order/job_state.hpp"
#include "order/topology/whereabouts.hpp"
#include "protocol/packer.hpp"
#include "record/call_context.hpp"

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

/// By rank: the first rank with the same digest.
std::vector<std::int32_t> first_of_equals(const std::vector<std::uint64_t>& digests) {
  std::vector<std::int32_t> by_digest(digests.size());
  std::iota(by_digest.begin(), by_digest.end(), 0);
  const auto digest = [&](std::int32_t rank) { return digests[static_cast<std::size_t>(rank)]; };
  std::ranges::stable_sort(by_digest, {}, digest);
  std::vector<std::int32_t> firsts(digests.size());
  std::int32_t first = 0;
  for (const std::int32_t rank : by_digest) {
    if (rank == by_digest.front() || digest(rank) != digest(first)) first = rank;
    firsts[static_cast<std::size_t>(rank)] = first;
  }
  return firsts;
}

void fill(PrivateComm& private_comm, HostTable& kept) {
  Packer packer;
  packer.put(job_state().settings.min_gain);
  packer.put(job_state().settings.topology.empty());
  const std::string agreed = private_comm.broadcast(packer.take());
  Unpacker unpacker(agreed);
  kept.min_gain = unpacker.get<double>();
  if (!unpacker.get<bool>()) return;  // KITH_TOPOLOGY: the engine alone can read it
  const std::uint64_t own = host_digest();
  std::vector<std::uint64_t> digests;
  if (!private_comm.all_manage(
          [&] { digests.resize(static_cast<std::size_t>(private_comm.size())); }))
    return;
  check_mpi(
      PMPI_Allgather(&own, 1, MPI_UINT64_T, digests.data(), 1, MPI_UINT64_T, private_comm.comm()),
      "MPI_Allgather");
  std::vector<std::int32_t> host_of;
  if (private_comm.all_manage([&] { host_of = first_of_equals(digests); })) {
    kept.host_of = std::move(host_of);
  }
}

}  // namespace

void keep_host_table(bool is_wanted) noexcept {
  const record::OwnCalls own;
  JobState& state = job_state();
  if (!state.reorders_topologies || !state.bypass || !state.bypass->empty()) return;
  try {
    if (state.private_comm->all_agree(!is_wanted)) return;
    fill(*state.private_comm, table());
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
