// What the members of a communicator know of their hosts before anything is decided; and the host
// of every rank, on every rank, for calls that may not communicate.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi/late_mpi.h"

namespace kith::runtime {

/// Communicators of at most this many members find an order without the engine, in fixed memory.
inline constexpr int most_small = 64;

/// The same on all members.
struct Whereabouts {
  int hosts = 0;              ///< 1: all members share one; 0: several, not counted
  bool has_topology = false;  ///< a member was given KITH_TOPOLOGY, which the engine alone can read
  bool wants_engine = false;  ///< a member was given a network or an algorithm
};

/// A number for the host of this process: of its name and its kernel's boot identity. Never 0.
std::uint64_t host_digest();

/// Collective over `comm` at its first call, which costs one small message exchange; the answer is
/// kept with `comm`. No communicator is made. Throws MpiFailure.
Whereabouts find_whereabouts(MPI_Comm comm);

/// Collective: the least of all members' values, one by one. Throws MpiFailure.
void agree_on_least(MPI_Comm comm, std::span<std::uint64_t> values);

/// Collective over the library's world, after after_init(): keeps the table where a rank wants it
/// and topologies are Kith's affair. Never throws: without a table, local calls are the library's.
void keep_host_table(bool is_wanted) noexcept;

/// A number for the host of each rank of `comm`, equal for ranks that share one; empty without a
/// table, or where `comm` has members from elsewhere. Local. Throws std::bad_alloc.
std::vector<std::int32_t> hosts_of(MPI_Comm comm);

/// KITH_MIN_GAIN of the root, as all ranks know it with the table.
double agreed_min_gain();

}  // namespace kith::runtime
