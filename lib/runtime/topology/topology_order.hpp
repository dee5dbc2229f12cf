// MPI's own reordering: processes placed by the graph that the program declares.
#pragma once

#include <optional>

#include "runtime/order.hpp"
#include "runtime/topology/declared_graph.hpp"

namespace kith::runtime {

/// Whether calls with reorder=1 are ours: agreed by all ranks at MPI_Init.
bool reorders_topologies();

/// Whom the program lets choose its ranks in a new communicator.
class TopologyOrder {
 public:
  /// Collective over `comm`, whose members each bring their part of the graph; nothing where it is
  /// not valid. `call` is what the program called, for messages. Never throws: whatever goes wrong
  /// leaves the order alone.
  TopologyOrder(MPI_Comm comm, const std::optional<DeclaredGraph>& part, const char* call) noexcept;
  /// Collective.
  ~TopologyOrder();
  TopologyOrder(const TopologyOrder&) = delete;
  TopologyOrder& operator=(const TopologyOrder&) = delete;

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
  void decide(const std::optional<DeclaredGraph>& part, const char* call);

  MPI_Comm comm_;
  MPI_Comm made_;
  Order order_;
};

}  // namespace kith::runtime
