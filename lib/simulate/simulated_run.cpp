// What a simulation that has ended tells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kith/error.hpp"
#include "simulate/simulator.hpp"

namespace kith::simulate {
namespace {

double settled_blocks(const timeline::JobLoop& loop) {
  return static_cast<double>(loop.kept - loop.kept / 2);
}

}  // namespace

/// Calls `visit(loop, first)` for each time that a loop is reached of which passes are left out;
/// `first`: its first mark.
template <class Visit>
void Simulator::for_each_left_out(Visit&& visit) const {
  const std::vector<timeline::JobLoop>& loops = job_.cut.loops();
  for (std::size_t l = 0; l < loops.size(); ++l) {
    if (loops[l].left_out() == 0) continue;
    std::uint32_t first = job_.cut.first_mark(l);
    for (std::uint64_t i = 0; i < loops[l].visits; ++i) {
      visit(loops[l], first);
      first += static_cast<std::uint32_t>(loops[l].kept + 1);
    }
  }
}

SimulatedRun Simulator::result() const {
  SimulatedRun run;
  run.messages = arrived_;
  run.computing = computing_;
  if (shared_computing_ > 0) run.dilation = shared_clock_ / shared_computing_;
  run.waiting = waiting_;
  run.delivery_seconds = delivering_;
  run.rank_end.resize(job_.ranks);
  for (std::uint32_t p = 0; p < states_.size(); ++p) {
    double& end = run.rank_end[job_.processes[p].rank];
    end = std::max(end, states_[p].end);
    if (states_[p].end > run.seconds) run.last_rank = job_.processes[p].rank;
    run.seconds = std::max(run.seconds, states_[p].end);
  }
  if (options_.wants_critical_path) trace_path(run);
  add_left_out(run);
  add_links(run);
  return run;
}

void Simulator::set_marks() {
  marks_.resize(job_.cut.first_mark(job_.cut.loops().size()));
  for_each_left_out([&](const timeline::JobLoop& loop, std::uint32_t first) {
    for (const std::uint64_t block : {loop.kept / 2, loop.kept}) {
      marks_[first + block].is_bound = true;
    }
  });
}

void Simulator::pass_mark(std::uint32_t number) {
  Mark& mark = marks_[number];
  mark.last = now_;
  if (++mark.processes < states_.size() || !mark.is_bound) return;
  const std::size_t shares = is_queued() ? queues_.links() : network_.links();
  for (std::uint32_t share = 0; share < shares; ++share) mark.carried.push_back(carried(share));
}

// The second half of what was simulated of a loop tells how long its passes take once they have
// settled; whether they have, whether both halves of that agree.
void Simulator::add_left_out(SimulatedRun& run) const {
  for_each_left_out([&](const timeline::JobLoop& loop, std::uint32_t first) {
    const auto left_out = static_cast<double>(loop.left_out());
    const double middle = marks_[first + loop.kept / 2].last;
    const double later = marks_[first + loop.kept / 4 * 3].last;
    const double end = marks_[first + loop.kept].last;
    run.left_out += left_out * (end - middle) / settled_blocks(loop);
    run.left_out_error +=
        left_out * std::abs(end - 2 * later + middle) / (settled_blocks(loop) / 2);
  });
  if (job_.covered < 1) {
    run.left_out += (run.seconds + run.left_out) * (1 / job_.covered - 1);
    run.left_out_error /= job_.covered;
  }
  for (double& end : run.rank_end) end += run.left_out;
  run.seconds += run.left_out;
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
  // Processes may have traded what they do (any_source.cpp): it is the work of that rank.
  std::uint32_t stream = stream_of_[process];
  while (true) {
    const std::vector<HeldUp>& held_up = states_[process].held_up;
    std::size_t& at = left[process];
    while (at > 0 && held_up[at - 1].until > until) --at;
    const double since = at > 0 ? held_up[at - 1].until : 0;
    if (until > since) {
      run.path.push_back(
          {PathPart::Kind::compute, job_.processes[stream].rank, 0, 0, since, until - since, 0});
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
    stream = transfer.by_receiver ? message.receiver : message.sender;
  }
  std::ranges::reverse(run.path);
}

void Simulator::add_links(SimulatedRun& run) const {
  for (std::uint32_t link = 0; link < share_of_link_.size(); ++link) {
    if (share_of_link_[link] == nobody) continue;
    const std::uint32_t share = share_of_link_[link];
    double bytes = carried(share);
    for_each_left_out([&](const timeline::JobLoop& loop, std::uint32_t first) {
      const std::vector<double>& middle = marks_[first + loop.kept / 2].carried;
      const double before = share < middle.size() ? middle[share] : 0;
      const std::vector<double>& end = marks_[first + loop.kept].carried;
      const double after = share < end.size() ? end[share] : 0;
      bytes += (after - before) / settled_blocks(loop) * static_cast<double>(loop.left_out());
    });
    bytes /= job_.covered;
    const double busy = bytes / links_.links()[link].bytes_per_second;
    run.links.push_back({link, bytes, run.seconds > 0 ? busy / run.seconds : 0});
  }
  std::ranges::sort(run.links, [](const LinkUse& a, const LinkUse& b) {
    return a.utilisation != b.utilisation ? a.utilisation > b.utilisation : a.link < b.link;
  });
}

}  // namespace kith::simulate
