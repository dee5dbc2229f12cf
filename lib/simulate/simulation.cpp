#include "simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>

#include "kith/error.hpp"
#include "simulate/fair_share.hpp"
#include "simulate/queued_links.hpp"

namespace kith::simulate {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::uint32_t nobody = UINT32_MAX;

/// A message on its way.
struct Transfer {
  double ready = 0;      ///< when nothing but the network held it up any more
  bool is_sent = false;  ///< posted
  bool is_received = false;
  bool has_begun = false;
  bool is_head_here = false;    ///< queued, of a large message
  bool is_handed_over = false;  ///< queued: its sender needs to wait no longer
  bool has_arrived = false;
  bool by_receiver = false;  ///< the receive was posted last
  /// Processes that wait for it: of a rank with threads maybe another one than its ends.
  std::uint32_t sender_waits = nobody;
  std::uint32_t receiver_waits = nobody;
};

/// Where a process was held up by a message.
struct HeldUp {
  double until = 0;
  std::uint32_t message = 0;
};

struct State {
  std::size_t next = 0;              ///< action
  std::uint32_t waits_for = nobody;  ///< message
  double waits_since = 0;
  double end = 0;
  bool is_computing = false;
  bool has_paid = false;                ///< the overhead of the next action
  std::vector<std::uint32_t> deferred;  ///< messages that begin when it is in MPI again
  std::vector<HeldUp> held_up;
};

struct Event {
  enum class Kind : std::uint8_t { go_on, begin_transfer, arrive, head_arrives, answer_arrives };
  double time = 0;
  std::uint64_t number = 0;
  std::uint32_t index = 0;  ///< process or message
  Kind kind = Kind::go_on;
  bool operator>(const Event& other) const {
    return time != other.time ? time > other.time : number > other.number;
  }
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
  };

  void set_processors(const Machine& machine);
  const KnownRoute& route_of(std::uint32_t sender, std::uint32_t receiver);
  const KnownRoute& route_of(const Message& message) {
    return route_of(message.sender, message.receiver);
  }
  void schedule(double time, Event::Kind kind, std::uint32_t index);
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
  bool is_queued() const { return options_.sharing == Sharing::queued; }
  bool is_eager(std::uint32_t message) const {
    return static_cast<double>(job_.messages[message].bytes) <= options_.eager_limit;
  }
  void begin_if_both_ready(std::uint32_t message);
  void begin(std::uint32_t message, double more_latencies);
  void pass_queues(const KnownRoute& route, double bytes, Event::Kind then, std::uint32_t message);
  bool is_held_up(std::uint32_t message, std::uint32_t process);
  void answer(std::uint32_t message);
  void send_body(std::uint32_t message);
  void arrive(std::uint32_t message);
  void wake(std::uint32_t process, std::uint32_t message);
  void end_computation(std::uint32_t process);
  void check_all_ended() const;
  void trace_path(SimulatedRun& run) const;
  void add_links(SimulatedRun& run) const;

  const JobReplay& job_;
  const Mapping& mapping_;
  MachineLinks& links_;
  const SimulationOptions& options_;
  FairShare network_;  ///< of the two, the one that is asked for has links
  QueuedLinks queues_;
  FairShare processors_;
  std::vector<std::uint32_t> pool_of_;        ///< by process
  std::vector<std::uint32_t> share_of_link_;  ///< number in network_ or queues_, by link
  std::unordered_map<std::uint64_t, KnownRoute> routes_;
  std::vector<Transfer> transfers_;
  std::vector<State> states_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t scheduled_ = 0;
  double now_ = 0;
  double computing_ = 0;
  double waiting_ = 0;
  double delivering_ = 0;
  std::uint64_t arrived_ = 0;
};

Simulator::Simulator(const JobReplay& job, const Mapping& mapping, const Machine& machine,
                     MachineLinks& links, const SimulationOptions& options)
    : job_(job),
      mapping_(mapping),
      links_(links),
      options_(options),
      transfers_(job.messages.size()),
      states_(job.processes.size()) {
  set_processors(machine);
}

/// Of each node, if it is small: of all slots that may be used, its own; of a large machine the
/// mean.
std::unordered_map<std::uint64_t, double> slots_by_node(const Machine& machine) {
  constexpr std::uint64_t small = std::uint64_t{1} << 20U;
  std::unordered_map<std::uint64_t, double> slots;
  if (machine.allowed().size() > small) return slots;
  for (const SlotSet::Interval& interval : machine.allowed().intervals()) {
    for (std::uint32_t s = interval.first.value; s <= interval.last.value; ++s) {
      slots[machine.node_of(Slot(s))] += 1;
    }
  }
  return slots;
}

void Simulator::set_processors(const Machine& machine) {
  const bool is_one = options_.processors > 0;
  std::unordered_map<std::uint64_t, double> slots;
  if (!is_one) slots = slots_by_node(machine);
  const double mean = std::max(
      1.0, static_cast<double>(machine.allowed().size()) / static_cast<double>(machine.nodes()));
  std::unordered_map<std::uint64_t, std::uint32_t> pool_of_node;
  for (const Process& process : job_.processes) {
    const std::uint64_t node = is_one ? 0 : machine.node_of(mapping_.slot_of[process.rank]);
    const auto [found, is_new] = pool_of_node.try_emplace(node, 0);
    if (is_new) {
      const auto own = slots.find(node);
      const double count = is_one ? options_.processors : own == slots.end() ? mean : own->second;
      const std::uint32_t link = processors_.add_link(count);
      found->second = processors_.add_route({&link, 1}, 1);
    }
    pool_of_.push_back(found->second);
  }
}

const Simulator::KnownRoute& Simulator::route_of(std::uint32_t sender, std::uint32_t receiver) {
  const Slot from = mapping_.slot_of[job_.processes[sender].rank];
  const Slot to = mapping_.slot_of[job_.processes[receiver].rank];
  const auto [found, is_new] = routes_.try_emplace(links_.key(from, to));
  if (is_new) {
    const Route route = links_.route(from, to);
    std::vector<std::uint32_t> shares;
    for (const std::uint32_t link : route.links) {
      while (share_of_link_.size() <= link) share_of_link_.push_back(nobody);
      if (share_of_link_[link] == nobody) {
        const double capacity = links_.links()[link].bytes_per_second;
        share_of_link_[link] = is_queued() ? queues_.add_link(capacity * (1 - besides_messages))
                                           : network_.add_link(capacity);
      }
      shares.push_back(share_of_link_[link]);
    }
    const std::uint32_t number = is_queued()
                                     ? queues_.add_route(shares, route.most_each, route.latency)
                                     : network_.add_route(shares, route.most_each);
    found->second = {number, route.latency};
  }
  return found->second;
}

void Simulator::schedule(double time, Event::Kind kind, std::uint32_t index) {
  events_.push({time, scheduled_++, index, kind});
}

SimulatedRun Simulator::run() {
  for (std::uint32_t p = 0; p < states_.size(); ++p) schedule(0, Event::Kind::go_on, p);
  while (true) {
    const double next_event = events_.empty() ? never : events_.top().time;
    const double next =
        std::min({next_event, network_.next_end(now_), queues_.next(), processors_.next_end(now_)});
    if (next == never) break;
    now_ = std::max(now_, next);
    // All that happens at one moment, before shares are counted anew.
    while (!events_.empty() && events_.top().time <= now_) {
      const Event event = events_.top();
      events_.pop();
      handle(event);
    }
    std::uint64_t passed = 0;
    while (queues_.end_one(now_, passed)) {
      handle(
          {now_, 0, static_cast<std::uint32_t>(passed), static_cast<Event::Kind>(passed >> 32U)});
    }
    std::uint32_t item = 0;
    while (network_.end_one(now_, item)) arrive(item);
    while (processors_.end_one(now_, item)) end_computation(item);
  }
  check_all_ended();
  SimulatedRun run;
  run.messages = arrived_;
  run.computing = computing_;
  run.waiting = waiting_;
  run.delivery_seconds = delivering_;
  run.rank_end.resize(job_.ranks);
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    double& end = run.rank_end[job_.processes[p].rank];
    end = std::max(end, states_[p].end);
    if (states_[p].end > run.seconds) run.last_rank = job_.processes[p].rank;
    run.seconds = std::max(run.seconds, states_[p].end);
  }
  add_links(run);
  if (options_.wants_critical_path) trace_path(run);
  return run;
}

void Simulator::handle(const Event& event) {
  switch (event.kind) {
    case Event::Kind::go_on:
      go_on(event.index);
      break;
    case Event::Kind::begin_transfer: {
      const Message& message = job_.messages[event.index];
      network_.start(route_of(message).number, static_cast<double>(message.bytes), event.index,
                     now_);
      break;
    }
    case Event::Kind::arrive:
      arrive(event.index);
      break;
    case Event::Kind::head_arrives:
      transfers_[event.index].is_head_here = true;
      if (transfers_[event.index].is_received) answer(event.index);
      break;
    case Event::Kind::answer_arrives:
      send_body(event.index);
      break;
  }
}

void Simulator::go_on(std::uint32_t process) {
  State& state = states_[process];
  const std::vector<Action>& actions = job_.processes[process].actions;
  while (state.next < actions.size()) {
    const Action& action = actions[state.next];
    if (!act(process, action)) return;
    ++state.next;
    state.has_paid = false;
  }
  state.end = now_;
  // It is in MPI_Finalize: what waits for it may go on.
  std::vector<std::uint32_t> deferred;
  deferred.swap(state.deferred);
  for (const std::uint32_t message : deferred) begin_if_both_ready(message);
}

bool Simulator::act(std::uint32_t process, const Action& action) {
  State& state = states_[process];
  if (action.kind == Action::Kind::compute) {
    if (state.has_paid) return true;  // done
    state.has_paid = true;
    compute(process, action.seconds * options_.compute_factor);
    return false;
  }
  const Message& message = job_.messages[action.message];
  if (!message.is_sent || !message.is_received) return true;
  if (action.kind == Action::Kind::send || action.kind == Action::Kind::receive) {
    if (!state.has_paid) {
      const bool is_send = action.kind == Action::Kind::send;
      state.has_paid = true;
      if (!pay_overhead(process, is_send ? options_.send_overhead : options_.receive_overhead)) {
        return false;
      }
    }
    const Transfer& transfer = transfers_[action.message];
    const bool is_posted =
        action.kind == Action::Kind::send ? transfer.is_sent : transfer.is_received;
    if (!is_posted) post(action);
    if (!action.blocks) return true;
  }
  if (is_done(action)) return true;
  state.waits_for = action.message;
  state.waits_since = now_;
  Transfer& transfer = transfers_[action.message];
  (is_of_sender(action) ? transfer.sender_waits : transfer.receiver_waits) = process;
  return false;
}

bool Simulator::pay_overhead(std::uint32_t process, double seconds) {
  if (seconds <= 0) return true;
  schedule(now_ + seconds, Event::Kind::go_on, process);
  return false;
}

void Simulator::compute(std::uint32_t process, double seconds) {
  computing_ += seconds;
  states_[process].is_computing = true;
  processors_.start(pool_of_[process], seconds, process, now_);
}

void Simulator::end_computation(std::uint32_t process) {
  State& state = states_[process];
  state.is_computing = false;
  std::vector<std::uint32_t> deferred;
  deferred.swap(state.deferred);
  for (const std::uint32_t message : deferred) begin_if_both_ready(message);
  go_on(process);
}

void Simulator::post(const Action& action) {
  Transfer& transfer = transfers_[action.message];
  const bool is_send = action.kind == Action::Kind::send;
  (is_send ? transfer.is_sent : transfer.is_received) = true;
  if (is_eager(action.message)) {
    if (is_send) begin(action.message, 0);
    return;
  }
  if (is_queued()) {
    if (is_send) {
      const KnownRoute& route = route_of(job_.messages[action.message]);
      transfer.ready = now_;
      pass_queues(route, 0, Event::Kind::head_arrives, action.message);
    } else if (transfer.is_head_here) {
      transfer.by_receiver = true;
      transfer.ready = now_;
      answer(action.message);
    }
    return;
  }
  if (!transfer.is_sent || !transfer.is_received) return;
  transfer.by_receiver = !is_send;
  begin_if_both_ready(action.message);
}

void Simulator::begin_if_both_ready(std::uint32_t number) {
  const Message& message = job_.messages[number];
  if (is_queued()) {
    // Held up at its head's answer or, later, before its bytes.
    if (transfers_[number].has_begun) {
      send_body(number);
    } else {
      answer(number);
    }
    return;
  }
  if (is_held_up(number, message.sender) || is_held_up(number, message.receiver)) return;
  begin(number, options_.rendezvous_latencies);
}

/// Whether the process is not in MPI: the message goes on when it is again.
bool Simulator::is_held_up(std::uint32_t number, std::uint32_t process) {
  if (options_.progress == Progress::always || !states_[process].is_computing) return false;
  transfers_[number].by_receiver = process == job_.messages[number].receiver;
  states_[process].deferred.push_back(number);
  return true;
}

/// Sends bytes behind all that is queued on their links; `then` happens when they are there.
void Simulator::pass_queues(const KnownRoute& route, double bytes, Event::Kind then,
                            std::uint32_t message) {
  queues_.start(route.number, bytes, static_cast<std::uint64_t>(then) << 32U | message, now_);
}

void Simulator::answer(std::uint32_t number) {
  const Message& message = job_.messages[number];
  if (is_held_up(number, message.receiver)) return;
  transfers_[number].has_begun = true;
  pass_queues(route_of(message.receiver, message.sender), 0, Event::Kind::answer_arrives, number);
}

void Simulator::send_body(std::uint32_t number) {
  const Message& message = job_.messages[number];
  if (is_held_up(number, message.sender)) return;
  pass_queues(route_of(message), static_cast<double>(message.bytes), Event::Kind::arrive, number);
  // The socket has it.
  Transfer& transfer = transfers_[number];
  transfer.is_handed_over = true;
  if (transfer.sender_waits != nobody) wake(transfer.sender_waits, number);
  transfer.sender_waits = nobody;
}

void Simulator::begin(std::uint32_t number, double more_latencies) {
  Transfer& transfer = transfers_[number];
  transfer.has_begun = true;
  transfer.ready = now_;
  const Message& message = job_.messages[number];
  if (is_queued()) {
    pass_queues(route_of(message), static_cast<double>(message.bytes), Event::Kind::arrive, number);
    return;
  }
  const double latency = route_of(message).latency;
  const auto kind = message.bytes == 0 ? Event::Kind::arrive : Event::Kind::begin_transfer;
  schedule(now_ + latency * (1 + more_latencies), kind, number);
}

void Simulator::arrive(std::uint32_t number) {
  Transfer& transfer = transfers_[number];
  transfer.has_arrived = true;
  delivering_ += now_ - transfer.ready;
  ++arrived_;
  if (transfer.sender_waits != nobody) wake(transfer.sender_waits, number);
  if (transfer.receiver_waits != nobody) wake(transfer.receiver_waits, number);
}

void Simulator::wake(std::uint32_t process, std::uint32_t message) {
  State& state = states_[process];
  state.waits_for = nobody;
  waiting_ += now_ - state.waits_since;
  if (options_.wants_critical_path && now_ > state.waits_since) {
    state.held_up.push_back({now_, message});
  }
  schedule(now_, Event::Kind::go_on, process);
}

bool Simulator::is_done(const Action& action) const {
  const Transfer& transfer = transfers_[action.message];
  if (is_of_sender(action) && (is_eager(action.message) || transfer.is_handed_over)) return true;
  return transfer.has_arrived;
}

void Simulator::check_all_ended() const {
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    const State& state = states_[p];
    if (state.next >= job_.processes[p].actions.size()) continue;
    const Message& message = job_.messages[state.waits_for];
    const bool receives = !is_of_sender(job_.processes[p].actions[state.next]);
    throw bad_input("the timeline", "operations of all ranks that fit together",
                    fmt::format("rank {} waits for ever for a message of {} bytes {} rank {}",
                                job_.processes[p].rank, message.bytes, receives ? "from" : "to",
                                job_.processes[receives ? message.sender : message.receiver].rank));
  }
}

// Backwards from the last end: a rank's time since a message held it up, then that message, then
// the rank that had made it ready.
void Simulator::trace_path(SimulatedRun& run) const {
  std::uint32_t process = 0;
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    if (states_[p].end > states_[process].end) process = p;
  }
  std::vector<std::size_t> left;
  for (const State& state : states_) left.push_back(state.held_up.size());
  double until = run.seconds;
  while (true) {
    const std::vector<HeldUp>& held_up = states_[process].held_up;
    std::size_t& at = left[process];
    while (at > 0 && held_up[at - 1].until > until) --at;
    const double since = at > 0 ? held_up[at - 1].until : 0;
    if (until > since) {
      run.path.push_back(
          {PathPart::Kind::compute, job_.processes[process].rank, 0, 0, since, until - since, 0});
    }
    if (at == 0) break;
    const std::uint32_t number = held_up[--at].message;
    const Message& message = job_.messages[number];
    const Transfer& transfer = transfers_[number];
    const auto known =
        routes_.find(links_.key(mapping_.slot_of[job_.processes[message.sender].rank],
                                mapping_.slot_of[job_.processes[message.receiver].rank]));
    const double latency =
        known->second.latency * (1 + (is_eager(number) ? 0 : options_.rendezvous_latencies));
    const double seconds = since - transfer.ready;
    run.path.push_back({PathPart::Kind::message, job_.processes[message.sender].rank,
                        job_.processes[message.receiver].rank, message.bytes, transfer.ready,
                        seconds, std::min(latency, seconds)});
    until = transfer.ready;
    process = transfer.by_receiver ? message.receiver : message.sender;
  }
  std::ranges::reverse(run.path);
}

void Simulator::add_links(SimulatedRun& run) const {
  for (std::uint32_t link = 0; link < share_of_link_.size(); ++link) {
    if (share_of_link_[link] == nobody) continue;
    const std::uint32_t share = share_of_link_[link];
    const double bytes = is_queued() ? queues_.carried(share) : network_.carried(share);
    const double busy = bytes / links_.links()[link].bytes_per_second;
    run.links.push_back({link, bytes, run.seconds > 0 ? busy / run.seconds : 0});
  }
  std::ranges::sort(run.links, [](const LinkUse& a, const LinkUse& b) {
    return a.utilisation != b.utilisation ? a.utilisation > b.utilisation : a.link < b.link;
  });
}

}  // namespace

SimulatedRun simulate(const JobReplay& job, const Mapping& mapping, const Machine& machine,
                      MachineLinks& links, const SimulationOptions& options) {
  return Simulator(job, mapping, machine, links, options).run();
}

}  // namespace kith::simulate
