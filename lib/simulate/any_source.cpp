// Receives from any source: who comes first is served first, whoever it was in the recorded run.
//
// A master that hands out work receives from any worker and answers the one whose message it got.
// Under another order another worker is first. Then both workers trade what is left of their
// streams, so that the master's own stream needs no change: what it received in the recorded run
// from the one, and its answer, are now the other's.
#include <algorithm>
#include <utility>

#include "simulate/simulator.hpp"

namespace kith::simulate {
namespace {

/// Actions that are looked at for what belongs together.
constexpr std::size_t most_actions = 16;

bool is_own(const Action& action) {
  return action.kind == Action::Kind::compute || action.kind == Action::Kind::mark;
}

bool is_receive(const Action& action) {
  return action.kind == Action::Kind::receive || action.kind == Action::Kind::wait_receive;
}

}  // namespace

/// Whether a receive from any that is posted now would take it.
bool Simulator::is_offered(std::uint32_t number) const {
  const Transfer& transfer = transfers_[number];
  if (transfer.is_received) return false;
  if (transfer.is_eager) return transfer.has_arrived;
  return is_queued() ? transfer.is_head_here : transfer.is_sent;
}

void Simulator::offer(std::uint32_t number) {
  const Message& message = job_.messages[number];
  if (!message.from_any || !is_offered(number)) return;
  offers_[message.receiver].push_back(number);
  const std::uint32_t receiver = process_of_[message.receiver];
  const State& state = states_[receiver];
  if (state.waits_for == nobody || state.next >= actions_of(receiver).size()) return;
  const Action& action = actions_of(receiver)[state.next];
  if (is_receive(action) && job_.messages[action.message].from_any) {
    take_offer(receiver, action.message);
  }
}

/// `receiver` waits, or is about to, for a message from any: the first that was offered takes its
/// place, if their senders can trade.
void Simulator::take_offer(std::uint32_t receiver, std::uint32_t wanted) {
  const auto found = offers_.find(job_.messages[wanted].receiver);
  if (found == offers_.end()) return;
  std::vector<std::uint32_t>& offers = found->second;
  std::erase_if(offers, [&](std::uint32_t number) { return !is_offered(number); });
  const auto first = std::ranges::find_if(offers, [&](std::uint32_t number) {
    return job_.messages[number].tag == job_.messages[wanted].tag &&
           trade(receiver, wanted, number);
  });
  if (first != offers.end()) offers.erase(first);
}

/// Where the process will send the message: until then it computes, and receives only what
/// `receiver` has sent it.
std::optional<std::size_t> Simulator::future_send(std::uint32_t process, std::uint32_t message,
                                                  std::uint32_t receiver) const {
  const std::vector<Action>& actions = actions_of(process);
  const std::size_t begin = states_[process].next;
  for (std::size_t i = begin; i < std::min(begin + most_actions, actions.size()); ++i) {
    const Action& action = actions[i];
    if (is_own(action) || action.kind == Action::Kind::wait_send) continue;
    if (action.kind == Action::Kind::send) {
      return action.message == message ? std::optional(i) : std::nullopt;
    }
    const Transfer& transfer = transfers_[action.message];
    const bool is_on_its_way = transfer.is_sent && (transfer.is_eager || transfer.has_begun);
    if (job_.messages[action.message].sender != stream_of_[receiver] || !is_on_its_way) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> Simulator::past_send(std::uint32_t process,
                                                std::uint32_t message) const {
  const std::vector<Action>& actions = actions_of(process);
  const std::size_t next = std::min(states_[process].next + 1, actions.size());
  for (std::size_t i = next; i-- > next - std::min(next, most_actions);) {
    if (actions[i].kind == Action::Kind::send && actions[i].message == message) return i;
  }
  return std::nullopt;
}

/// The action at which the process waits for an answer to what it sent, or for its send to end, or
/// the end of its stream; nothing where it does something else.
std::optional<std::size_t> Simulator::after_send(std::uint32_t process, std::size_t send,
                                                 std::uint32_t receiver) const {
  const std::vector<Action>& actions = actions_of(process);
  const State& state = states_[process];
  const std::uint32_t message = actions[send].message;
  std::size_t after = send + 1;
  if (after < actions.size() && actions[after].message == message &&
      actions[after].kind == Action::Kind::wait_send) {
    ++after;
  }
  if (state.waits_for == message && state.next < after) return state.next;
  if (state.next >= actions.size()) return after == actions.size() ? std::optional(after) : std::nullopt;
  if (state.waits_for == nobody) return std::nullopt;
  for (std::size_t i = after; i <= state.next; ++i) {
    if (is_own(actions[i])) continue;
    if (!is_receive(actions[i]) || actions[i].message != state.waits_for) return std::nullopt;
  }
  const Message& answer = job_.messages[state.waits_for];
  const bool may_go = answer.sender == stream_of_[receiver] && !answer.from_any &&
                      !transfers_[state.waits_for].is_sent;
  return may_go ? std::optional(after) : std::nullopt;
}

/// Whether the first that `receiver` sends after what it waits for goes to that stream.
bool Simulator::answers(std::uint32_t receiver, std::uint32_t sender) const {
  const std::vector<Action>& actions = actions_of(receiver);
  const std::size_t begin = states_[receiver].next + 1;
  for (std::size_t i = begin; i < std::min(begin + most_actions, actions.size()); ++i) {
    if (actions[i].kind != Action::Kind::send) continue;
    return job_.messages[actions[i].message].receiver == sender;
  }
  return false;
}

/// The answer that the process waits for will be another process's.
void Simulator::forget_receive(std::uint32_t process) {
  State& state = states_[process];
  Transfer& transfer = transfers_[state.waits_for];
  transfer.receiver_waits = nobody;
  transfer.is_received = false;
  state.waits_for = nobody;
  processors_.end_wait(pool_of_[process], now_);
  waiting_ += now_ - state.waits_since;
}

/// The sender of `offered` goes on as if it had sent `wanted`, and that one's sender, which has
/// not, will send `offered` instead. False where they are not of a kind.
bool Simulator::trade(std::uint32_t receiver, std::uint32_t wanted, std::uint32_t offered) {
  const std::uint32_t late_stream = job_.messages[wanted].sender;
  const std::uint32_t early_stream = job_.messages[offered].sender;
  const std::uint32_t late = process_of_[late_stream];
  const std::uint32_t early = process_of_[early_stream];
  const bool have_their_streams = stream_of_[late] == late_stream &&
                                  stream_of_[early] == early_stream &&
                                  states_[late].turn_at == SIZE_MAX &&
                                  states_[early].turn_at == SIZE_MAX;
  if (late == early || !have_their_streams || transfers_[wanted].is_sent) return false;
  const auto late_send = future_send(late, wanted, receiver);
  const auto early_send = past_send(early, offered);
  if (!late_send || !early_send || !answers(receiver, late_stream)) return false;
  const auto early_next = after_send(early, *early_send, receiver);
  if (!early_next) return false;

  State& early_state = states_[early];
  const bool waits_for_answer =
      early_state.waits_for != nobody && early_state.waits_for != offered;
  if (waits_for_answer) forget_receive(early);
  Transfer& to = transfers_[wanted];
  Transfer& from = transfers_[offered];
  const Transfer unsent = to;
  to = from;
  to.is_received = unsent.is_received;
  to.receiver_waits = unsent.receiver_waits;
  from = Transfer{};
  from.is_whole = true;
  from.is_eager = static_cast<double>(job_.messages[offered].bytes) <= eager_limit_;
  if (early_state.waits_for == offered) early_state.waits_for = wanted;

  states_[late].turn_at = *late_send;
  states_[late].turn_to = *early_send;
  states_[late].turn_stream = early_stream;
  process_of_[early_stream] = late;
  process_of_[late_stream] = early;
  stream_of_[early] = late_stream;
  early_state.next = *late_send + (*early_next - *early_send);
  early_state.has_paid = early_state.waits_for != nobody;
  if (early_state.waits_for == nobody) {
    events_.schedule_after(now_, 0, Event::Kind::go_on, early);
  }
  // What receives it.
  if (to.is_eager) {
    if (to.receiver_waits != nobody) wake(to.receiver_waits, wanted);
  } else if (is_queued()) {
    to.by_receiver = true;
    to.ready = now_;
    answer(wanted);
  } else {
    to.by_receiver = true;
    begin_if_both_ready(wanted);
  }
  return true;
}

void Simulator::turn(std::uint32_t process) {
  State& state = states_[process];
  stream_of_[process] = state.turn_stream;
  state.next = std::exchange(state.turn_to, 0);
  state.turn_at = SIZE_MAX;
}

}  // namespace kith::simulate
