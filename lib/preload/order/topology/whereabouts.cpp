#include "order/topology/topology_order.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>

#include "comm/private_comm.hpp"
#include "core/digest.hpp"
#include "core/log.hpp"
#include "core/this_process.hpp"
#include "mpi/own_keyval.hpp"
#include "order/job_state.hpp"
#include "protocol/packer.hpp"
#include "record/call_context.hpp"

namespace kith::preload {
namespace {

/// An attribute of the program's communicator: calls on it are in the same order everywhere, so all
/// members have the answer or none has.
struct Kept {
  bool is_known = false;
  Whereabouts found;
};

int delete_kept(MPI_Comm, int, void* value, void*) {
  delete static_cast<Kept*>(value);
  return MPI_SUCCESS;
}

constinit mpi::OwnKeyval whereabouts(delete_kept);

Kept* kept_with(MPI_Comm comm) {
  return static_cast<Kept*>(whereabouts.get(comm));
}

/// Null where memory is short.
Kept* make_room(MPI_Comm comm) {
  if (Kept* const before = kept_with(comm)) return before;
  auto* const made = new (std::nothrow) Kept;
  if (made == nullptr) return nullptr;
  if (whereabouts.set(comm, made)) return made;
  delete made;
  return nullptr;
}

std::uint64_t make_host_digest() {
  return std::max<std::uint64_t>(Digest().add(this_host()).add(kernel_identity()).value(), 1);
}

/// Of a small communicator: how many hosts there are.
int count_hosts(MPI_Comm comm, int members) {
  const std::uint64_t own = host_digest();
  std::array<std::uint64_t, most_small> all{};
  check_mpi(PMPI_Allgather(&own, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm),
            "MPI_Allgather");
  const auto end = all.begin() + members;
  std::sort(all.begin(), end);
  return static_cast<int>(std::unique(all.begin(), end) - all.begin());
}

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

std::uint64_t host_digest() {
  static const std::uint64_t digest = make_host_digest();
  return digest;
}

void agree_on_least(MPI_Comm comm, std::span<std::uint64_t> values) {
  check_mpi(PMPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                           MPI_UINT64_T, MPI_MIN, comm),
            "MPI_Allreduce");
}

Whereabouts find_whereabouts(MPI_Comm comm) {
  if (const Kept* const known = kept_with(comm); known != nullptr && known->is_known) {
    return known->found;
  }
  const ErrorsReturned guard(comm);
  Kept* const room = make_room(comm);
  const Settings& settings = job_state().settings;
  const bool is_plain = settings.network.empty() && settings.algorithm == "auto";
  std::array<std::uint64_t, 5> least{host_digest(), ~host_digest(),
                                     settings.topology.empty() ? 1U : 0U, is_plain ? 1U : 0U,
                                     room != nullptr ? 1U : 0U};
  agree_on_least(comm, least);
  Whereabouts found;
  found.has_topology = least[2] == 0;
  found.wants_engine = least[3] == 0;
  int members = 0;
  PMPI_Comm_size(comm, &members);
  if (least[0] == ~least[1]) {
    found.hosts = 1;
  } else if (members <= most_small) {
    found.hosts = count_hosts(comm, members);
  }
  if (least[4] != 0) *room = {true, found};
  return found;
}

void keep_host_table(bool is_wanted) noexcept {
  const record::OwnCalls own;
  JobState& state = job_state();
  if (!is_wanted || !state.reorders_topologies || state.keeps_topologies) return;
  if (!state.bypass || !state.bypass->empty()) return;
  try {
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
  for (const std::int32_t rank : launcher_ranks_of(comm)) {
    hosts.push_back(host_of[static_cast<std::size_t>(rank)]);
  }
  return hosts;
}

double agreed_min_gain() {
  return table().min_gain;
}

}  // namespace kith::preload
