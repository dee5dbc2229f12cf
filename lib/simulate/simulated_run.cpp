// What a simulation that has ended tells.
#include <fmt/format.h>

#include <algorithm>

#include "kith/error.hpp"
#include "simulate/simulator.hpp"

namespace kith::simulate {

SimulatedRun Simulator::result() const {
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

void Simulator::check_all_ended() const {
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    const State& state = states_[p];
    if (state.next >= actions_of(p).size()) continue;
    const Message& message = job_.messages[state.waits_for];
    const bool receives = !is_of_sender(actions_of(p)[state.next]);
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
    const auto [when, number, by] = held_up[--at];
    const Message& message = job_.messages[number];
    const Transfer& transfer = transfers_[number];
    const double latency = routes_[transfer.route].latency *
                           (1 + (transfer.is_eager ? 0 : options_.rendezvous_latencies));
    const double seconds = since - transfer.ready;
    run.path.push_back({PathPart::Kind::message, job_.processes[message.sender].rank,
                        job_.processes[message.receiver].rank, message.bytes, transfer.ready,
                        seconds, std::min(latency, seconds)});
    until = transfer.ready;
    process = by;
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

}  // namespace kith::simulate
