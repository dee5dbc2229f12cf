// MPI's own reordering: processes placed by the graph that the program declares.
#pragma once

#include <optional>

#include "order/order.hpp"
#include "order/topology/declared_graph.hpp"
#include "order/topology/whereabouts.hpp"

namespace kith::runtime {

/// Whether calls with reorder=1 on `comm` are ours: agreed by all ranks at MPI_Init, and so only
/// for communicators within that world. Where they cannot be, the first to ask gets a line that
/// says why. The same on all members.
bool reorders_topologies(MPI_Comm comm);

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

}  // namespace kith::runtime
