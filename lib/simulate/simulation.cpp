#include "simulate/simulation.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "simulate/simulator.hpp"

namespace kith::simulate {

Simulator::Simulator(const JobReplay& job, const Mapping& mapping, const Machine& machine,
                     MachineLinks& links, const SimulationOptions& options)
    : job_(job),
      mapping_(mapping),
      links_(links),
      options_(options),
      eager_limit_(options.eager_limit.value_or(links.eager_limit())),
      processors_(options.turn_of_waiting),
      pairs_(std::bit_ceil(std::min<std::size_t>(8 * job.processes.size() + 1, most_pairs))),
      stream_of_(job.processes.size()),
      process_of_(job.processes.size()),
      transfers_(job.messages.size()),
      states_(job.processes.size()) {
  std::iota(stream_of_.begin(), stream_of_.end(), 0U);
  process_of_ = stream_of_;
  for (std::size_t i = 0; i < transfers_.size(); ++i) {
    const Message& message = job.messages[i];
    transfers_[i].is_whole = message.is_sent && message.is_received;
    transfers_[i].is_eager = static_cast<double>(message.bytes) <= eager_limit_;
  }
  set_processors(machine);
  set_marks();
}

namespace {

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

}  // namespace

void Simulator::set_processors(const Machine& machine) {
  const bool is_one = options_.processors > 0;
  std::unordered_map<std::uint64_t, double> slots;
  if (!is_one) slots = slots_by_node(machine);
  for (const CrowdedHost& host : options_.crowded) slots[host.node] = host.processors;
  const double mean = std::max(
      1.0, static_cast<double>(machine.allowed().size()) / static_cast<double>(machine.nodes()));
  std::unordered_map<std::uint64_t, std::uint32_t> pool_of_node;
  for (const Process& process : job_.processes) {
    const std::uint64_t node = is_one ? 0 : machine.node_of(mapping_.slot_of[process.rank]);
    const auto [found, is_new] = pool_of_node.try_emplace(node, 0);
    if (is_new) {
      const auto own = slots.find(node);
      const double count = is_one ? options_.processors : own == slots.end() ? mean : own->second;
      found->second = processors_.add_pool(count);
    }
    pool_of_.push_back(found->second);
    processors_.join(found->second);
  }
}

SimulatedRun Simulator::run() {
  for (std::uint32_t p = 0; p < states_.size(); ++p)
    events_.schedule_after(0, 0, Event::Kind::go_on, p);
  while (true) {
    const double next = std::min(
        {events_.next_time(), network_.next_end(now_), queues_.next(), processors_.next_end()});
    if (next == never) break;
    now_ = std::max(now_, next);
    // All that happens at one moment, before shares are counted anew.
    Event event;
    while (events_.take(now_, event)) handle(event);
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
  return result();
}

void Simulator::handle(const Event& event) {
  switch (event.kind) {
    case Event::Kind::go_on:
      go_on(event.index);
      break;
    case Event::Kind::wake_up:
      end_computation(event.index);
      break;
    case Event::Kind::begin_transfer:
      network_.start(route_of(event.index).number,
                     static_cast<double>(job_.messages[event.index].bytes), event.index, now_);
      break;
    case Event::Kind::arrive:
      arrive(event.index);
      break;
    case Event::Kind::connection_packet_arrives:
      ++connections_[event.index].packets;
      go_on_connecting(event.index);
      break;
    case Event::Kind::head_arrives:
      transfers_[event.index].is_head_here = true;
      if (transfers_[event.index].is_received) {
        answer(event.index);
      } else {
        offer(event.index);
      }
      break;
    case Event::Kind::answer_arrives:
      send_body(event.index);
      break;
  }
}

void Simulator::go_on(std::uint32_t process) {
  State& state = states_[process];
  while (true) {
    if (state.next == state.turn_at) turn(process);
    const std::vector<Action>& actions = actions_of(process);
    if (state.next >= actions.size()) break;
    if (!act(process, actions[state.next])) return;
    ++state.next;
    state.has_paid = false;
  }
  state.end = now_;
  // It is in MPI_Finalize: what waits for it may go on.
  do_deferred(process);
}

/// The process is in MPI.
void Simulator::do_deferred(std::uint32_t process) {
  State& state = states_[process];
  for (const std::uint32_t one : std::exchange(state.deferred_connections, {})) {
    go_on_connecting(one);
  }
  for (const std::uint32_t message : std::exchange(state.deferred, {})) {
    begin_if_both_ready(message);
  }
}

bool Simulator::act(std::uint32_t process, const Action& action) {
  State& state = states_[process];
  if (action.kind == Action::Kind::mark) {
    pass_mark(action.message);
    return true;
  }
  if (action.kind == Action::Kind::compute) {
    if (state.has_paid) return true;  // done
    state.has_paid = true;
    state.sleep = job_.processes[stream_of_[process]].sleep_of(state.next);
    compute(process, action.seconds * options_.compute_factor);
    return false;
  }
  Transfer& transfer = transfers_[action.message];
  if (!transfer.is_whole) return true;
  if (action.kind == Action::Kind::send || action.kind == Action::Kind::receive) {
    if (!state.has_paid) {
      const bool is_send = action.kind == Action::Kind::send;
      state.has_paid = true;
      const auto& said = is_send ? options_.send_overhead : options_.receive_overhead;
      if (!pay_overhead(process, said ? *said : route_of(action.message).overhead)) return false;
    }
    const bool is_posted =
        action.kind == Action::Kind::send ? transfer.is_sent : transfer.is_received;
    if (!is_posted) post(action);
    if (!action.blocks) return true;
  }
  if (is_done(action)) return true;
  if (!is_of_sender(action) && job_.messages[action.message].from_any) {
    take_offer(process, action.message);
    if (is_done(action)) return true;
  }
  state.waits_for = action.message;
  state.waits_since = now_;
  processors_.begin_wait(pool_of_[process], now_);
  (is_of_sender(action) ? transfer.sender_waits : transfer.receiver_waits) = process;
  return false;
}

bool Simulator::pay_overhead(std::uint32_t process, double seconds) {
  if (seconds <= 0) return true;
  if (processors_.is_crowded(pool_of_[process])) {
    processors_.start(pool_of_[process], seconds, process, now_);
    return false;
  }
  events_.schedule_after(now_, seconds, Event::Kind::go_on, process);
  return false;
}

void Simulator::compute(std::uint32_t process, double seconds) {
  computing_ += seconds;
  if (processors_.is_crowded(pool_of_[process])) shared_computing_ += seconds;
  states_[process].is_computing = true;
  states_[process].began = now_;
  processors_.start(pool_of_[process], seconds, process, now_);
}

void Simulator::end_computation(std::uint32_t process) {
  const double began = std::exchange(states_[process].began, -1);
  if (began >= 0 && processors_.is_crowded(pool_of_[process])) shared_clock_ += now_ - began;
  const double sleep = std::exchange(states_[process].sleep, 0);
  if (sleep > 0) return events_.schedule_once(now_, sleep, Event::Kind::wake_up, process);
  states_[process].is_computing = false;
  do_deferred(process);
  go_on(process);
}

SimulatedRun simulate(const JobReplay& job, const Mapping& mapping, const Machine& machine,
                      MachineLinks& links, const SimulationOptions& options) {
  return Simulator(job, mapping, machine, links, options).run();
}

}  // namespace kith::simulate
