// The simulation of one job under one order: its state, and what changes it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulate/event_queue.hpp"
#include "simulate/fair_share.hpp"
#include "simulate/processors.hpp"
#include "simulate/queued_links.hpp"
#include "simulate/simulation.hpp"

namespace kith::simulate {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::uint32_t nobody = UINT32_MAX;

/// A message on its way.
struct Transfer {
  double ready = 0;  ///< when nothing but the network held it up any more
  /// Processes that wait for it: of a rank with threads maybe another one than its ends.
  std::uint32_t sender_waits = nobody;
  std::uint32_t receiver_waits = nobody;
  std::uint32_t route = nobody;
  bool is_whole : 1 = false;  ///< has both ends
  bool is_eager : 1 = false;
  bool is_sent : 1 = false;  ///< posted
  bool is_received : 1 = false;
  bool has_begun : 1 = false;
  bool is_head_here : 1 = false;    ///< queued, of a large message
  bool is_handed_over : 1 = false;  ///< queued: its sender needs to wait no longer
  bool has_arrived : 1 = false;
  bool by_receiver : 1 = false;  ///< the receive was posted last
};

/// Where a process was held up by a message.
struct HeldUp {
  double until = 0;
  std::uint32_t message = 0;
  std::uint32_t by = 0;  ///< the process that made it ready last
};

struct State {
  std::size_t next = 0;              ///< action
  std::uint32_t waits_for = nobody;  ///< message
  double waits_since = 0;
  double end = 0;
  bool is_computing = false;            ///< or asleep
  double sleep = 0;                     ///< seconds, when it has computed
  double began = -1;                    ///< to compute; -1: it does not
  bool has_paid = false;                ///< the overhead of the next action
  std::size_t turn_at = SIZE_MAX;       ///< action before which it goes over to another stream
  std::size_t turn_to = 0;              ///< its first action of that one
  std::uint32_t turn_stream = 0;
  std::vector<std::uint32_t> deferred;  ///< messages that begin when it is in MPI again
  std::vector<std::uint32_t> deferred_connections;
  std::vector<HeldUp> held_up;
};

class Simulator {
 public:
  Simulator(const JobReplay& job, const Mapping& mapping, const Machine& machine,
            MachineLinks& links, const SimulationOptions& options);
  SimulatedRun run();

 private:
  /// Messages of the same two places.
  struct KnownRoute {
    std::uint32_t number = 0;  ///< in network_ or queues_
    double latency = 0;
    double overhead = 0;  ///< of each end
    bool leaves_host = false;
  };

  struct PairRoute {
    std::uint32_t sender = nobody;
    std::uint32_t receiver = nobody;
    std::uint32_t route = 0;
  };

  /// Of two processes on different hosts, over TCP: made when the first of them sends.
  struct Connection {
    std::uint32_t opener = nobody;  ///< process
    std::uint32_t other = nobody;
    std::uint8_t packets = 0;              ///< that have come, of those that make it
    std::vector<std::uint32_t> held_back;  ///< messages that wait for it
  };

  static constexpr std::size_t most_pairs = std::size_t{1} << 20U;

  void set_processors(const Machine& machine);
  /// Index into routes_.
  std::uint32_t find_route(std::uint32_t sender, std::uint32_t receiver);
  void add_route(Slot from, Slot to);
  const KnownRoute& route_of(std::uint32_t message);
  void handle(const Event& event);
  void go_on(std::uint32_t process);
  /// False: the process waits.
  bool act(std::uint32_t process, const Action& action);
  bool pay_overhead(std::uint32_t process, double seconds);
  void compute(std::uint32_t process, double seconds);
  void post(const Action& action);
  bool is_done(const Action& action) const;
  static bool is_of_sender(const Action& action) {
    return action.kind == Action::Kind::send || action.kind == Action::Kind::wait_send;
  }
  void begin_if_both_ready(std::uint32_t message);
  void begin(std::uint32_t message, double more_latencies);
  bool is_queued() const { return options_.sharing == Sharing::queued; }
  void pass_queues(const KnownRoute& route, double bytes, Event::Kind then, std::uint32_t message);
  bool is_held_up(std::uint32_t message, std::uint32_t process);
  // connections.cpp
  bool is_connected(std::uint32_t message);
  void go_on_connecting(std::uint32_t connection);
  void send_head_or_all(std::uint32_t message);
  void hand_over(std::uint32_t message);
  void answer(std::uint32_t message);
  void send_body(std::uint32_t message);
  void arrive(std::uint32_t message);
  void wake(std::uint32_t process, std::uint32_t message);
  // Who comes first is served first (any_source.cpp).
  bool is_offered(std::uint32_t message) const;
  void offer(std::uint32_t message);
  void take_offer(std::uint32_t receiver, std::uint32_t wanted);
  bool trade(std::uint32_t receiver, std::uint32_t wanted, std::uint32_t offered);
  std::optional<std::size_t> future_send(std::uint32_t process, std::uint32_t message,
                                         std::uint32_t receiver) const;
  std::optional<std::size_t> past_send(std::uint32_t process, std::uint32_t message) const;
  bool answers(std::uint32_t receiver, std::uint32_t sender) const;
  std::optional<std::size_t> after_send(std::uint32_t process, std::size_t send,
                                        std::uint32_t receiver) const;
  void forget_receive(std::uint32_t process);
  void turn(std::uint32_t process);
  void end_computation(std::uint32_t process);
  void do_deferred(std::uint32_t process);
  void check_all_ended() const;
  SimulatedRun result() const;
  void add_left_out(SimulatedRun& run) const;
  void set_marks();
  void pass_mark(std::uint32_t number);
  template <class Visit>
  void for_each_left_out(Visit&& visit) const;
  double carried(std::uint32_t share) const {
    return is_queued() ? queues_.carried(share) : network_.carried(share);
  }
  void trace_path(SimulatedRun& run) const;
  void add_links(SimulatedRun& run) const;

  const std::vector<Action>& actions_of(std::uint32_t process) const {
    return job_.processes[stream_of_[process]].actions;
  }

  const JobReplay& job_;
  const Mapping& mapping_;
  MachineLinks& links_;
  const SimulationOptions& options_;
  double eager_limit_;  ///< bytes
  FairShare network_;  ///< of the two, the one that is asked for has links
  QueuedLinks queues_;
  Processors processors_;
  std::vector<std::uint32_t> pool_of_;        ///< by process
  std::vector<std::uint32_t> share_of_link_;  ///< number in network_ or queues_, by link
  std::vector<KnownRoute> routes_;
  std::unordered_map<std::uint64_t, std::uint32_t> route_of_key_;  ///< of MachineLinks::key()
  std::vector<PairRoute> pairs_;  ///< of senders and receivers, by a hash: the last ones seen
  std::vector<Connection> connections_;
  std::unordered_map<std::uint64_t, std::uint32_t> connection_of_;  ///< by both processes
  /// What a process does is its stream. Processes that serve one that receives from any may trade
  /// what is left of theirs, so that who comes first is served first.
  std::vector<std::uint32_t> stream_of_;   ///< by process
  std::vector<std::uint32_t> process_of_;  ///< by stream; ends of messages are streams
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> offers_;  ///< by receiver
  std::vector<Transfer> transfers_;
  std::vector<State> states_;
  /// The end of a block of a loop that is cut.
  struct Mark {
    double last = 0;              ///< when the last process passed it
    std::uint32_t processes = 0;  ///< that passed it
    bool is_bound = false;        ///< of the passes that are taken as settled
    std::vector<double> carried;  ///< bytes by share, when the last process passed this bound
  };
  std::vector<Mark> marks_;
  EventQueue events_;
  double now_ = 0;
  double computing_ = 0;
  double shared_computing_ = 0;  ///< of it, on shared processors
  double shared_clock_ = 0;      ///< what that took
  double waiting_ = 0;
  double delivering_ = 0;
  std::uint64_t arrived_ = 0;
};

}  // namespace kith::simulate
