#include "kith-probe/conductor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "machine/hwloc/host_levels.hpp"
#include "machine/probe_inference/probe_inference.hpp"
#include "machine/probe_inference/stream_overlap.hpp"

namespace kith::probe {
namespace {

// Shares of the time limit after which a stage begins nothing new.
constexpr double share_of_survey = 0.7;
constexpr double share_of_bandwidths = 0.9;
constexpr double share_of_hosts = 1;

constexpr std::size_t bandwidths_per_level = 6;
constexpr std::size_t hosts_per_kind = 3;
constexpr std::size_t pairs_per_level = 3;
constexpr std::size_t most_ranks_looked_at = 64;  // of a host
constexpr std::size_t most_flows = 8;             // between two hosts at once
constexpr std::size_t most_pairs_in_host = 64;    // at once
constexpr unsigned most_pairs_together = 2;       // of a level

/// A stream of some 0.15 s at that cost, of slow links longer.
Order stream_order(double cost) {
  constexpr double seconds = 0.15;
  constexpr double smallest = 1 << 16;
  constexpr double largest = 1 << 22;
  const double bytes = seconds * 1e12 / std::max(cost, 1.0);
  const double chunk = std::clamp(bytes / 24, smallest, largest);
  const double windows = bytes / chunk / stream_window;
  Order order;
  order.task = Task::bandwidth;
  order.chunk = static_cast<std::int32_t>(chunk);
  order.chunks = stream_window * static_cast<std::int32_t>(std::clamp<double>(
                                     windows, fewest_stream_windows, most_stream_windows));
  return order;
}

/// The windows of a stream after its head, when bursts pass.
StreamArrivals arrivals_of(const Result& result, const Order& order) {
  const std::ptrdiff_t windows = order.chunks / stream_window;
  return {static_cast<double>(order.chunk) * stream_window,
          {result.arrived.begin() + windows / 8, result.arrived.begin() + windows}};
}

/// Up to `most` pairs of a level, of hosts as different as can be.
std::vector<std::size_t> spread(const std::vector<std::size_t>& pairs,
                                std::span<const MeasuredPair> measured, std::size_t most) {
  std::map<std::uint32_t, unsigned> uses;
  std::vector<std::size_t> chosen;
  for (unsigned allowed = 0; chosen.size() < std::min(most, pairs.size()); ++allowed) {
    for (const std::size_t pair : pairs) {
      unsigned& a = uses[measured[pair].a];
      unsigned& b = uses[measured[pair].b];
      if (chosen.size() == most || a + b > allowed || std::ranges::count(chosen, pair) > 0)
        continue;
      ++a, ++b;
      chosen.push_back(pair);
    }
  }
  return chosen;
}

/// That any of the host's ranks may run on; 0 where that is not known of all.
std::uint32_t processors_of(const HostSurvey& survey, const HostSurvey::Host& host) {
  std::set<std::uint32_t> processors;
  for (const int rank : host.ranks) {
    const auto& cpus = survey.cpus[static_cast<std::size_t>(rank)];
    if (cpus.empty()) return 0;
    processors.insert(cpus.begin(), cpus.end());
  }
  return static_cast<std::uint32_t>(processors.size());
}

}  // namespace

Conductor::Conductor(HostSurvey survey, Settings settings)
    : survey_(std::move(survey)), settings_(settings) {
  report_.ranks = static_cast<std::uint32_t>(survey_.cpus.size());
  for (const HostSurvey::Host& host : survey_.hosts) {
    const auto ranks = static_cast<std::uint32_t>(host.ranks.size());
    report_.measured.hosts.push_back({host.name, std::max(host.cores, ranks)});
    const std::uint32_t processors = processors_of(survey_, host);
    if (processors == 0 || ranks <= processors) continue;
    const auto index = static_cast<std::uint32_t>(report_.measured.hosts.size() - 1);
    report_.crowded.push_back({index, ranks, processors});
  }
}

Report Conductor::run() {
  measure_between_hosts();
  measure_bandwidths();
  measure_inside_hosts();
  for (int rank = 1; rank < static_cast<int>(report_.ranks); ++rank) send_order({}, rank);
  report_.seconds = seconds();
  return std::move(report_);
}

double Conductor::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void Conductor::show(const std::string& doing) {
  constexpr double often_enough = 0.5;
  if (!settings_.progress || (last_shown_ >= 0 && seconds() - last_shown_ < often_enough)) return;
  last_shown_ = seconds();
  std::fputs(progress_line(doing).c_str(), stdout);
  std::fflush(stdout);
}

std::vector<Result> Conductor::conduct(std::span<const Pair> pairs) {
  const auto order_for = [](const Pair& pair, bool leads) {
    Order order = pair.order;
    order.leads = leads ? 1 : 0;
    order.peer = leads ? pair.other : pair.leader;
    return order;
  };
  for (const Pair& pair : pairs) {
    if (pair.leader != 0) send_order(order_for(pair, true), pair.leader);
    if (pair.other != 0) send_order(order_for(pair, false), pair.other);
  }
  Result own;
  for (const Pair& pair : pairs) {
    if (pair.leader == 0 || pair.other == 0) own = run_order(order_for(pair, pair.leader == 0));
  }
  std::vector<Result> results;
  for (const Pair& pair : pairs) {
    results.push_back(pair.leader == 0 ? own : wait_for_result(pair.leader));
  }
  return results;
}

void Conductor::measure_costs(std::span<MeasuredPair> round) {
  std::vector<Pair> pairs;
  Order order;
  order.task = Task::cost;
  for (const MeasuredPair& pair : round) {
    pairs.push_back(
        {survey_.hosts[pair.a].ranks.front(), survey_.hosts[pair.b].ranks.front(), order});
  }
  const auto results = conduct(pairs);
  for (std::size_t i = 0; i < round.size(); ++i) {
    round[i].cost = results[i].cost;
    round[i].latency_us = results[i].latency_us;
    round[i].overhead_us = results[i].overhead_us;
  }
}

void Conductor::measure_between_hosts() {
  SurveyMeans means;
  means.measure = [this](std::span<MeasuredPair> round) { measure_costs(round); };
  means.seconds = [this] { return seconds(); };
  means.progress = [this](std::size_t measured, std::size_t planned) {
    show("measuring between hosts: " + std::to_string(measured) + " of " + std::to_string(planned) +
         " pairs");
  };
  const auto hosts = static_cast<std::uint32_t>(survey_.hosts.size());
  Survey survey = survey_pairs(hosts, share_of_survey * settings_.time_limit, means);
  report_.measured.pairs = std::move(survey.pairs);
  report_.out_of_time = survey.out_of_time;
}

double Conductor::bandwidth(int leader, int other, double cost) {
  const Pair pair{leader, other, stream_order(cost)};
  return conduct({&pair, 1}).front().megabytes_per_s;
}

double Conductor::burst(int leader, int other, const MeasuredPair& pair) {
  Order order;
  order.task = Task::burst;
  order.megabytes_per_s = pair.megabytes_per_s;
  order.latency_us = pair.latency_us;
  const Pair ranks{leader, other, order};
  return conduct({&ranks, 1}).front().burst_bytes;
}

double Conductor::eager(int leader, int other, const MeasuredPair& pair) {
  Order order;
  order.task = Task::eager;
  order.megabytes_per_s = pair.megabytes_per_s;
  const Pair ranks{leader, other, order};
  return conduct({&ranks, 1}).front().eager_bytes;
}

/// MB/s of streams of all pairs at the same time, to the leading ranks, which share a host.
double Conductor::shared_one_way(std::vector<Pair> pairs, double cost) {
  Order order = stream_order(cost);
  order.task = Task::arrivals;
  order.chunk /= 2;  // more and smaller windows: a part of one is all that is not told exactly
  order.chunks = stream_window * most_stream_windows;
  for (Pair& pair : pairs) pair.order = order;
  std::vector<StreamArrivals> streams;
  for (const Result& result : conduct(pairs)) streams.push_back(arrivals_of(result, order));
  return megabytes_together(streams);
}

/// The mean of both directions; of one where only that could be told.
double Conductor::shared(std::vector<Pair> pairs, double cost) {
  const double there = shared_one_way(pairs, cost);
  for (Pair& pair : pairs) std::swap(pair.leader, pair.other);
  const double back = shared_one_way(std::move(pairs), cost);
  return there > 0 && back > 0 ? (there + back) / 2 : std::max(there, back);
}

/// Of several ranks of each host, each on a core of its own; else nothing.
double Conductor::shared_between(const HostSurvey::Host& a, const HostSurvey::Host& b,
                                 double cost) {
  const std::size_t flows = std::min(
      {a.ranks.size(), b.ranks.size(), std::size_t{a.cores}, std::size_t{b.cores}, most_flows});
  if (flows < 2) return 0;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < flows; ++i) pairs.push_back({a.ranks[i], b.ranks[i], {}});
  return shared(std::move(pairs), cost * static_cast<double>(flows));
}

/// What the ranks of a host copy together, in pairs, each on a core of its own.
void Conductor::measure_memory(const HostSurvey::Host& host, double cost) {
  const std::size_t flows =
      std::min({host.ranks.size() / 2, std::size_t{host.cores} / 2, most_pairs_in_host});
  if (flows < 2 || !has_time(share_of_hosts)) return;
  show("measuring the memory of " + host.name);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < flows; ++i) {
    pairs.push_back({host.ranks[2 * i], host.ranks[2 * i + 1], {}});
  }
  MeasuredPair together;
  together.shared_megabytes_per_s = shared(std::move(pairs), cost);
  report_.measured.inside.push_back({"host", 0, together});
}

void Conductor::measure_bandwidths() {
  auto& pairs = report_.measured.pairs;
  const auto hosts = static_cast<std::uint32_t>(survey_.hosts.size());
  const InferredLevels levels = infer_levels(hosts, pairs);
  std::vector<std::vector<std::size_t>> of_level(levels.levels());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    of_level[levels.meeting(pairs[i].a, pairs[i].b)].push_back(i);
  }
  for (const auto& level : of_level) {
    unsigned together = 0;  // pairs of hosts of which several ranks talk at once
    for (const std::size_t i : spread(level, pairs, bandwidths_per_level)) {
      if (!has_time(share_of_bandwidths)) return;
      show("measuring bandwidth between hosts");
      const int leader = survey_.hosts[pairs[i].a].ranks.front();
      const int other = survey_.hosts[pairs[i].b].ranks.front();
      pairs[i].megabytes_per_s = bandwidth(leader, other, pairs[i].cost);
      pairs[i].burst_bytes = burst(leader, other, pairs[i]);
      if (together++ >= most_pairs_together || !has_time(share_of_bandwidths)) continue;
      pairs[i].eager_bytes = eager(leader, other, pairs[i]);
      const double shared =
          shared_between(survey_.hosts[pairs[i].a], survey_.hosts[pairs[i].b], pairs[i].cost);
      // So little apart, one rank alone fills the link; its stream was timed more exactly.
      const bool is_full = std::abs(shared - pairs[i].megabytes_per_s) < 0.05 * shared;
      pairs[i].shared_megabytes_per_s = is_full ? pairs[i].megabytes_per_s : shared;
    }
  }
}

void Conductor::measure_inside_hosts() {
  std::vector<std::size_t> looked_at(survey_.hardware.size(), 0);
  for (const HostSurvey::Host& host : survey_.hosts) {
    if (host.ranks.size() < 2 || looked_at[host.hardware] == hosts_per_kind) continue;
    ++looked_at[host.hardware];
    measure_inside(host);
  }
}

void Conductor::measure_inside(const HostSurvey::Host& host) {
  const HostLevels levels(survey_.hardware[host.hardware]);
  std::map<std::pair<std::uint32_t, std::string>, std::vector<Pair>> pairs;
  const std::size_t ranks = std::min(host.ranks.size(), most_ranks_looked_at);
  for (std::size_t a = 0; a < ranks; ++a) {
    for (std::size_t b = a + 1; b < ranks; ++b) {
      const auto& cpus_a = survey_.cpus[static_cast<std::size_t>(host.ranks[a])];
      const auto& cpus_b = survey_.cpus[static_cast<std::size_t>(host.ranks[b])];
      if (cpus_a.size() == 1 && cpus_a == cpus_b) continue;  // in turn on one CPU: tells nothing
      const auto level = levels.meeting(cpus_a, cpus_b);
      auto& of_level = pairs[{level.depth, level.name}];
      if (of_level.size() < pairs_per_level) of_level.push_back({host.ranks[a], host.ranks[b], {}});
    }
  }
  double quickest = 0;
  for (auto& [level, of_level] : pairs) {
    for (Pair& pair : of_level) {
      if (!has_time(share_of_hosts)) return;
      show("measuring inside " + host.name);
      pair.order.task = Task::cost;
      const Result result = conduct({&pair, 1}).front();
      quickest = quickest > 0 ? std::min(quickest, result.cost) : result.cost;
      report_.measured.inside.push_back(
          {level.second,
           level.first,
           {0, 0, result.cost, result.latency_us, bandwidth(pair.leader, pair.other, result.cost),
            0, result.overhead_us}});
    }
  }
  measure_memory(host, quickest);
}

void follow() {
  for (Order order = wait_for_order(); order.task != Task::end; order = wait_for_order()) {
    const Result result = run_order(order);
    if (order.leads != 0) send_result(result);
  }
}

}  // namespace kith::probe
