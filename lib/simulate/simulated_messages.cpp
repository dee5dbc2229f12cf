// How a simulated message goes: its route, when it begins, whom its end wakes.
#include <algorithm>

#include "kith/traffic.hpp"
#include "simulate/simulator.hpp"

namespace kith::simulate {

/// From the place of one process to that of another.
std::uint32_t Simulator::find_route(std::uint32_t sender, std::uint32_t receiver) {
  const std::uint64_t mixed = (std::uint64_t{sender} << 32U | receiver) * 0x9e3779b97f4a7c15U;
  PairRoute& pair = pairs_[mixed >> 32U & (pairs_.size() - 1)];
  if (pair.sender == sender && pair.receiver == receiver) return pair.route;
  const Slot from = mapping_.slot_of[job_.processes[sender].rank];
  const Slot to = mapping_.slot_of[job_.processes[receiver].rank];
  const auto [found, is_new] =
      route_of_key_.try_emplace(links_.key(from, to), static_cast<std::uint32_t>(routes_.size()));
  if (is_new) add_route(from, to);
  pair = {sender, receiver, found->second};
  return pair.route;
}

void Simulator::add_route(Slot from, Slot to) {
  const Route route = links_.route(from, to);
  std::vector<std::uint32_t> shares;
  for (const std::uint32_t link : route.links) {
    while (share_of_link_.size() <= link) share_of_link_.push_back(nobody);
    if (share_of_link_[link] == nobody) {
      const LinkFacts& facts = links_.links()[link];
      const double capacity = facts.bytes_per_second;
      share_of_link_[link] =
          is_queued() ? queues_.add_link(capacity * (1 - besides_messages), facts.burst_bytes)
                      : network_.add_link(capacity);
    }
    shares.push_back(share_of_link_[link]);
  }
  const std::uint32_t number = is_queued()
                                   ? queues_.add_route(shares, route.most_each, route.latency)
                                   : network_.add_route(shares, route.most_each);
  routes_.push_back({number, route.latency, route.overhead, route.leaves_host});
}

const Simulator::KnownRoute& Simulator::route_of(std::uint32_t number) {
  std::uint32_t& route = transfers_[number].route;
  const Message& message = job_.messages[number];
  if (route == nobody) {
    route = find_route(process_of_[message.sender], process_of_[message.receiver]);
  }
  return routes_[route];
}

void Simulator::post(const Action& action) {
  Transfer& transfer = transfers_[action.message];
  const bool is_send = action.kind == Action::Kind::send;
  transfer.is_sent = transfer.is_sent || is_send;
  transfer.is_received = transfer.is_received || !is_send;
  if (transfer.is_eager) {
    if (is_send) begin(action.message, 0);
    return;
  }
  if (is_queued()) {
    if (is_send) {
      transfer.ready = now_;
      if (is_connected(action.message)) send_head_or_all(action.message);
    } else if (transfer.is_head_here) {
      transfer.by_receiver = true;
      transfer.ready = now_;
      answer(action.message);
    }
    return;
  }
  if (is_send && !transfer.is_received) offer(action.message);
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
  if (is_held_up(number, process_of_[message.sender]) ||
      is_held_up(number, process_of_[message.receiver])) {
    return;
  }
  begin(number, options_.rendezvous_latencies);
}

/// Whether the process is not in MPI: the message goes on when it is again.
bool Simulator::is_held_up(std::uint32_t number, std::uint32_t process) {
  if (options_.progress == Progress::always || !states_[process].is_computing) return false;
  transfers_[number].by_receiver = process == process_of_[job_.messages[number].receiver];
  states_[process].deferred.push_back(number);
  return true;
}

/// Sends bytes, with the headers that they have between hosts, behind all that is queued on their
/// links; `then` happens when they are there.
void Simulator::pass_queues(const KnownRoute& route, double bytes, Event::Kind then,
                            std::uint32_t message) {
  if (route.leaves_host) bytes += static_cast<double>(bytes_per_message);
  queues_.start(route.number, bytes, static_cast<std::uint64_t>(then) << 32U | message, now_);
}

void Simulator::answer(std::uint32_t number) {
  const Message& message = job_.messages[number];
  const std::uint32_t receiver = process_of_[message.receiver];
  if (is_held_up(number, receiver)) return;
  transfers_[number].has_begun = true;
  pass_queues(routes_[find_route(receiver, process_of_[message.sender])], 0,
              Event::Kind::answer_arrives, number);
}

void Simulator::send_body(std::uint32_t number) {
  const Message& message = job_.messages[number];
  if (is_held_up(number, process_of_[message.sender])) return;
  pass_queues(route_of(number), static_cast<double>(message.bytes), Event::Kind::arrive, number);
  hand_over(number);
}

/// The socket has it: its sender may go on.
void Simulator::hand_over(std::uint32_t number) {
  Transfer& transfer = transfers_[number];
  transfer.is_handed_over = true;
  if (transfer.sender_waits != nobody) wake(transfer.sender_waits, number);
  transfer.sender_waits = nobody;
}

void Simulator::send_head_or_all(std::uint32_t number) {
  if (!transfers_[number].is_eager) {
    pass_queues(route_of(number), 0, Event::Kind::head_arrives, number);
    return;
  }
  pass_queues(route_of(number), static_cast<double>(job_.messages[number].bytes),
              Event::Kind::arrive, number);
  hand_over(number);
}

void Simulator::begin(std::uint32_t number, double more_latencies) {
  Transfer& transfer = transfers_[number];
  transfer.has_begun = true;
  transfer.ready = now_;
  const Message& message = job_.messages[number];
  if (is_queued()) {
    if (is_connected(number)) send_head_or_all(number);
    return;
  }
  const double latency = route_of(number).latency;
  const auto kind = message.bytes == 0 ? Event::Kind::arrive : Event::Kind::begin_transfer;
  events_.schedule_after(now_, latency * (1 + more_latencies), kind, number);
}

void Simulator::arrive(std::uint32_t number) {
  Transfer& transfer = transfers_[number];
  transfer.has_arrived = true;
  delivering_ += now_ - transfer.ready;
  ++arrived_;
  if (transfer.sender_waits != nobody) wake(transfer.sender_waits, number);
  if (transfer.receiver_waits != nobody) wake(transfer.receiver_waits, number);
  if (!transfer.is_received) offer(number);
}

void Simulator::wake(std::uint32_t process, std::uint32_t message) {
  State& state = states_[process];
  state.waits_for = nobody;
  processors_.end_wait(pool_of_[process], now_);
  waiting_ += now_ - state.waits_since;
  if (options_.wants_critical_path && now_ > state.waits_since) {
    const Message& ends = job_.messages[message];
    state.held_up.push_back(
        {now_, message,
         process_of_[transfers_[message].by_receiver ? ends.receiver : ends.sender]});
  }
  events_.schedule_after(now_, 0, Event::Kind::go_on, process);
}

bool Simulator::is_done(const Action& action) const {
  const Transfer& transfer = transfers_[action.message];
  if (is_of_sender(action)) {
    const bool needs_nobody = transfer.is_eager && !is_queued();
    if (needs_nobody || transfer.is_handed_over) return true;
  }
  return transfer.has_arrived;
}

}  // namespace kith::simulate
