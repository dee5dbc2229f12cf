// A new order for a communicator: asked from the engine, agreed by all, made by MPI_Comm_split, and
// kept with the communicator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "comm/private_comm.hpp"
#include "kith/detail/job.hpp"
#include "protocol/messages.hpp"
#include "protocol/settings.hpp"
#include "record/row.hpp"

namespace kith::preload {

class Engine;

/// What was decided, known to every member.
struct Order {
  bool apply = false;
  bool no_answer = false;              ///< the engine was late or could not start
  bool failed = false;                 ///< it stays for another reason than too small a gain
  std::vector<std::int32_t> new_rank;  ///< by old rank, on every member; empty unless apply
  double cost_before = 0;
  double cost_after = 0;
  double seconds = 0;
  std::int32_t moved_ranks = 0;  ///< by what was proposed, applied or not
  double moving_cost = 0;        ///< in the costs' unit
  double saving = 0;             ///< while the run lasts; same unit
  std::string algorithm;
  std::string reason;  ///< one sentence
};

/// What the engine needs to decide. Only the root's matters. The traffic is in one of the first
/// three.
struct OrderRequest {
  std::string source;  ///< a mapping or trace file (absolute)
  std::optional<std::vector<protocol::TrafficCell>> traffic;
  std::optional<CartesianTopology> grid;  ///< neighbours of its first ranks talk, equally much
  /// Ranks hold data that would move with them: of equally good orders, that which moves fewest.
  bool has_state = false;
  double state_bytes = 0;   ///< of each rank; 0: not known
  double remaining = 1;     ///< how many times the traffic is still to come
  bool keep_local = false;  ///< a rank moves only to the same local index of another host
  std::string obstacle;     ///< why the order is to stay; empty: ask the engine
  Settings settings;        ///< algorithm, topology, min_gain, keep_rank0, budget
  /// settings.topology tells the slot of each launcher rank: which one rank i of the private
  /// communicator is; empty: i itself.
  std::vector<std::int32_t> launcher_ranks;
  const JobDescription* job = nullptr;  ///< processes[i] is rank i
  std::string program;                  ///< path of this one; empty: not known
};

/// Whether all members of `comm` are of this process's MPI_COMM_WORLD, which agreed at MPI_Init on
/// what Kith does. Not so after MPI_Intercomm_merge with a job that was spawned or met: no rank
/// knows there whether the others run under Kith. The same on all members. Local.
bool is_of_this_job(MPI_Comm comm);

/// The launcher's rank of each rank of `comm`; empty where a member is of another job. Local.
std::vector<std::int32_t> launcher_ranks_of(MPI_Comm comm);

/// Fills in the job's settings, and what they say of the members of `comm`. Local.
void ask_for(MPI_Comm comm, OrderRequest& request);

/// Runs `step` while a request is made. If it throws, the text becomes request.obstacle, which
/// agree_on_order() tells to all ranks. Throws MpiFailure only.
void prepare_call(OrderRequest& request, void (*call)(const void*), const void* step);
template <class Step>
void prepare(OrderRequest& request, Step&& step) {
  prepare_call(
      request,
      [](const void* taken) { (*static_cast<const std::remove_reference_t<Step>*>(taken))(); },
      &step);
}

/// Collective. The root asks the engine and checks its answer; whatever goes wrong is an Order that
/// does not apply, with the reason. Takes the traffic out of the request. Throws MpiFailure when
/// members cannot talk to each other.
Order agree_on_order(PrivateComm& private_comm, OrderRequest& request, Engine& engine);

// The parts of agree_on_order(), for a root that asks the engine in another way.

/// Why the order has to stay without asking; empty: ask.
std::string obstacle_of(const OrderRequest& request);
protocol::Situation situation_of(const OrderRequest& request, int ranks);
/// An answer, checked; whatever is wrong with it is an Order that does not apply.
Order order_of(const protocol::ReorderAnswer& answer, int ranks);
/// Whether the order stays as a setting has a value that nothing can be done with.
bool names_setting(const Order& order);
Order unchanged(std::string reason, bool no_answer = false);
std::string pack(const Order& order);
/// Throws std::runtime_error for what pack() did not make.
Order unpack_order(std::string_view bytes);

/// Adds what rank `source` sent.
void append_row(std::vector<protocol::TrafficCell>& traffic, std::uint32_t source,
                const record::Cells& row);

/// The number of this process's program on the command line (MPI_APPNUM).
int own_program();

/// Collective over `private_comm`, of the library's world. Whether every rank runs the same
/// program in the new order as in the launcher's: codes that are coupled by `mpirun a : b` count on
/// that. Throws MpiFailure.
bool keeps_programs(PrivateComm& private_comm, const Order& order);

/// Collective over `comm`. The communicator in which the member that was rank i of `comm` is rank
/// order.new_rank[i]; MPI_COMM_NULL everywhere unless all could make it.
MPI_Comm make_reordered(MPI_Comm comm, const Order& order);

/// Keeps what was decided until `comm` is freed. Throws std::bad_alloc.
void attach(MPI_Comm comm, Order order);
/// What attach() kept; null: nothing.
const Order* attached(MPI_Comm comm);

}  // namespace kith::preload
