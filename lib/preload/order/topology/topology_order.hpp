// Kith's order for communicators that a program makes with reorder=1: where the members are, the
// decision, and orders for few members without the engine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kith/detail/job.hpp"
#include "mpi/late_mpi.h"
#include "order/order.hpp"
#include "order/topology/declared_graph.hpp"

namespace kith::preload {

// What the members of a communicator know of their hosts before anything is decided; and the host
// of every rank, on every rank, for calls that may not communicate.

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

/// Collective over the library's world, after after_init(): keeps the table where it is wanted, by
/// any rank, and topologies are Kith's affair. Never throws: without a table, local calls are the
/// library's.
void keep_host_table(bool is_wanted) noexcept;

/// A number for the host of each rank of `comm`, equal for ranks that share one; empty without a
/// table, or where `comm` has members from elsewhere. Local. Throws std::bad_alloc.
std::vector<std::int32_t> hosts_of(MPI_Comm comm);

/// KITH_MIN_GAIN of the root, as all ranks know it with the table.
double agreed_min_gain();

/// Whether calls with reorder=1 on `comm` are ours: agreed by all ranks at MPI_Init, and so only
/// for communicators within that world. Where they cannot be, the first to ask gets a line that
/// says why. The same on all members.
bool reorders_topologies(MPI_Comm comm);

/// Of this process: the topologies of which it is the first member that Kith has put into another
/// order than the program's communicator has; MPI_Cart_map and MPI_Graph_map included.
ReorderedTopologies reordered_topologies();
/// Counts one. Local.
void count_reordered_topology(MPI_Comm comm) noexcept;

/// Whether all ranks met at MPI_Init: then Kith has made communicators from the world, and every
/// rank runs under it. Local, and the same on all ranks.
bool all_have_met();

/// Whom the program lets choose its ranks in a new communicator.
class TopologyOrder {
 public:
  /// Collective over `comm`: finds out whether another order could be better. `call` is what the
  /// program called, for messages. Never throws: whatever goes wrong leaves the order alone.
  TopologyOrder(MPI_Comm comm, const char* call) noexcept;
  /// Collective.
  ~TopologyOrder();
  TopologyOrder(const TopologyOrder&) = delete;
  TopologyOrder& operator=(const TopologyOrder&) = delete;

  /// False where decide() would change nothing: the graph need not be made. The same on all
  /// members.
  bool may_gain() const { return may_gain_; }
  /// Collective. `graph`: of a graph in parts this member's; nothing where that is not valid, or
  /// memory was short. An equal request gets the answer of the first; few processes get theirs
  /// here, the others from the engine. Never throws.
  void decide(Declared declared, std::optional<DeclaredGraph> graph) noexcept;

  /// Its rank v is to be vertex v. The caller's own where nothing is gained.
  MPI_Comm communicator() const { return made_ != MPI_COMM_NULL ? made_ : comm_; }
  bool is_reordered() const { return made_ != MPI_COMM_NULL; }
  /// By rank in the caller's communicator; valid where is_reordered().
  const std::vector<std::int32_t>& new_ranks() const { return order_.new_rank; }
  /// Collective: the caller's own communicator after all.
  void give_up();
  /// kith_decision() knows `topology` from now on. Local.
  void tell(MPI_Comm topology) noexcept;

 private:
  void stay(const std::exception& error);
  Order find_order(Declared declared, std::optional<DeclaredGraph> graph);
  Order ask_engine(Declared declared, std::optional<DeclaredGraph> graph);
  void make();
  void tell_user() const;
  void free();

  MPI_Comm comm_;
  MPI_Comm made_;
  const char* call_;
  int size_ = 0;
  Whereabouts where_;
  bool may_gain_ = false;
  Order order_;
  bool is_root_ = false;
};

// An order for few processes on several hosts, found by their root without the engine
// (small_order.cpp).

/// Whether decide_small_order() is for this request: the same on all members.
bool is_small(int members, const RequestSummary& request);

/// Collective over `comm`; no communicator is made. Only what crosses hosts counts. Nothing, on all
/// members, where memory is short on the root. Throws MpiFailure.
std::optional<Order> decide_small_order(MPI_Comm comm, Declared declared,
                                        const std::optional<DeclaredGraph>& graph, double min_gain);

}  // namespace kith::preload
