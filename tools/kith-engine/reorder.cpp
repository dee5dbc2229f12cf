// The order of a job's ranks: as a mapping file says, or by traffic.
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>

#include "core/plain_text.hpp"
#include "core/this_process.hpp"
#include "kith-engine/tasks.hpp"
#include "kith/detail/reorder.hpp"
#include "kith/error.hpp"
#include "simulate/crowding.hpp"

namespace kith::tools {
namespace {

std::vector<std::uint32_t> checked_launcher_ranks(const protocol::Situation& situation) {
  std::vector<std::uint32_t> launched = situation.launcher_ranks;
  if (launched.empty()) {
    launched.resize(situation.ranks);
    std::iota(launched.begin(), launched.end(), 0U);
  }
  if (launched.size() != situation.ranks) {
    throw bad_input("request", fmt::format("the launcher ranks of {} ranks", situation.ranks),
                    fmt::format("{}", launched.size()));
  }
  return launched;
}

/// Launcher rank j sits on the machine's j-th allowed slot. Those of other launcher ranks are not
/// ours.
void take_slots(const std::vector<std::uint32_t>& launched, const Machine& machine,
                Places& places) {
  const SlotSet& allowed = machine.allowed();
  const std::uint64_t needed = *std::ranges::max_element(launched) + 1ULL;
  if (allowed.size() < needed) {
    throw bad_input("the machine " + machine.spec() + " (--topology, KITH_TOPOLOGY)",
                    fmt::format("a slot for each of {} ranks", needed),
                    number_of(allowed.size(), "slot"));
  }
  for (const std::uint32_t j : launched) places.present.slot_of.push_back(allowed.at(j));
  places.machine = machine.restricted_to(SlotSet::of(places.present.slot_of));
}

/// Programs count the processes of a host, whatever the machine takes for a node.
void take_local_indices(const std::vector<std::uint32_t>& launched, Places& places) {
  const std::vector<JobProcess>& processes = places.job.processes;
  if (processes.size() <= *std::ranges::max_element(launched)) return;
  std::vector<std::uint32_t> index;
  std::vector<std::uint32_t> on_host(places.job.hosts.size());
  for (const JobProcess& process : processes) index.push_back(on_host.at(process.host)++);
  places.local_indices.resize(launched.size());
  for (std::uint32_t i = 0; i < launched.size(); ++i) {
    const std::uint64_t place = places.machine->allowed().index_of(places.present[Rank(i)]);
    places.local_indices.at(place) = index[launched[i]];
  }
}

CpuSet cpus_on(const JobDescription& job, const std::string& host) {
  CpuSet cpus;
  for (const JobProcess& process : job.processes) {
    if (process.host < job.hosts.size() && job.hosts[process.host].name == host) {
      cpus = united(cpus, process.cpus);
    }
  }
  return cpus;
}

bool run_on(const CpuSet& cpus) {
  const auto count = static_cast<int>(cpus.ranges().back().last) + 1;
  cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(count));
  if (set == nullptr) return false;
  const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(count));
  CPU_ZERO_S(size, set);
  for (const CpuSet::Range& range : cpus.ranges()) {
    for (std::uint32_t cpu = range.first; cpu <= range.last; ++cpu) CPU_SET_S(cpu, size, set);
  }
  const bool done = sched_setaffinity(0, size, set) == 0;
  CPU_FREE(set);
  return done;
}

/// Lets this process run on the CPUs of all the job's processes on this host: their ranks wait for
/// its answer. Returns how many threads make sense then, at least 1; 1 where the CPUs are not known
/// or the kernel does not allow it.
unsigned use_cpus_of_job(const JobDescription& job) {
  const CpuSet cpus = cpus_on(job, this_host());
  if (cpus.empty() || !run_on(cpus)) return 1;
  // The kernel leaves out those that this process may not use.
  return std::max<unsigned>(1, static_cast<unsigned>(allowed_cpus().size()));
}

/// new_rank[i]: the rank that rank i is to have. Every process's slot is taken exactly once.
std::vector<std::uint32_t> new_ranks(const Mapping& mapping, const Places& places,
                                     const std::string& where) {
  const SlotSet& allowed = places.machine->allowed();
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> rank_on(mapping.ranks(), none);
  for (std::uint32_t r = 0; r < mapping.ranks(); ++r) {
    const Slot slot = mapping[Rank(r)];
    const bool held = allowed.contains(slot);
    const std::uint64_t j = held ? allowed.index_of(slot) : mapping.ranks();
    if (j >= mapping.ranks()) {
      throw bad_input(where, fmt::format("slots of the job's {} processes", mapping.ranks()),
                      fmt::format("rank {} on slot {}", r, slot.value));
    }
    if (rank_on[j] != none) {
      throw bad_input(where, "each slot for one rank",
                      fmt::format("ranks {} and {} on slot {}", rank_on[j], r, slot.value));
    }
    rank_on[j] = r;
  }
  std::vector<std::uint32_t> new_rank;
  for (const Slot slot : places.present.slot_of)
    new_rank.push_back(rank_on[allowed.index_of(slot)]);
  return new_rank;
}

/// The SPEC of a machine with the path in it, if it names a file that is there, made absolute.
std::string whole_spec(const std::string& spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string::npos) return spec;
  const std::size_t end = std::min(spec.find(';', colon), spec.size());
  std::error_code error;
  const std::filesystem::path file =
      std::filesystem::canonical(spec.substr(colon + 1, end - colon - 1), error);
  if (error) return spec;
  return spec.substr(0, colon + 1) + file.string() + spec.substr(end);
}

/// A mapping for a machine that was only assumed may mean something else on the job's own.
std::string other_machine_note(const MappingFile& file, const Places& places) {
  if (file.hosts || !file.topology) return "";
  if (whole_spec(*file.whole_topology()) == whole_spec(places.machine->spec())) return "";
  return fmt::format("; it was made for {}: its slot N is taken for the place of launcher rank N",
                     printable(*file.topology));
}

/// A mapping file is the user's will: applied as it stands.
protocol::ReorderAnswer apply_mapping(const std::string& source, const Places& places) {
  const MappingFile file = read_mapping(source);
  const std::string name = std::filesystem::path(source).filename().string();
  const std::uint32_t ranks = places.present.ranks();
  if (file.mapping.ranks() != ranks) {
    throw bad_input(source, fmt::format("a mapping of this job's {} ranks", ranks),
                    number_of(file.mapping.ranks(), "rank"));
  }
  protocol::ReorderAnswer answer;
  if (file.hosts && *file.hosts != places.job.hosts_digest()) {
    answer.refused = true;
    answer.reason = fmt::format("{} was made for other hosts, or another order of them", name);
    return answer;
  }
  answer.new_rank = new_ranks(file.mapping, places, source);
  if (file.mapping == places.present) {
    answer.new_rank.clear();
    answer.reason = fmt::format("{} keeps every rank where the launcher put it", name);
    return answer;
  }
  answer.apply = true;
  answer.moved = static_cast<std::uint32_t>(moved_ranks(places.present, file.mapping));
  answer.reason = fmt::format("as {} says, {} of {} ranks moved{}", name, answer.moved, ranks,
                              other_machine_note(file, places));
  return answer;
}

/// A trace of another program is what the user named, by mistake perhaps. Programs are known by the
/// names of their files: builds lie in many folders.
std::string other_program_note(const Trace& trace, const std::string& program) {
  const auto name = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  const auto is_known = [](const std::string& path) { return !path.empty() && path != "unknown"; };
  if (!trace.meta || !is_known(trace.meta->program) || !is_known(program)) return "";
  const std::string recorded = name(trace.meta->program);
  if (recorded == name(program)) return "";
  return fmt::format("; {} was recorded of {}, this is {}", name(trace.path.string()),
                     printable(recorded), printable(name(program)));
}

/// What a trace tells beside the traffic, as far as the mapper goes by it.
void use_rank_facts(const Trace& trace, const Mapper& mapper, MapOptions& options) {
  if (mapper.uses(ExtraInput::loads)) options.loads = loads_of(trace);
  if (mapper.uses(ExtraInput::coordinates)) options.coordinates = coordinates_of(trace);
}

/// Each pair of neighbours once both ways. Rank i has place i, those beyond the grid have no
/// neighbours. Throws Error (input) for a grid of more places than ranks.
TrafficMatrix grid_traffic(const CartesianTopology& grid, std::uint32_t ranks) {
  std::uint64_t places = 1;
  for (const std::uint32_t extent : grid.dims)
    places = std::min<std::uint64_t>(places * extent, ranks + 1ULL);
  if (places > ranks || grid.dims.size() != grid.periods.size()) {
    throw bad_input("request", fmt::format("a grid of at most {} places", ranks),
                    fmt::format("{} dimensions", grid.dims.size()));
  }
  TrafficMatrixBuilder builder(ranks, 2 * grid.dims.size() * places);
  for (std::uint32_t place = 0; place < places; ++place) {
    std::uint32_t step = 1;
    for (std::size_t d = grid.dims.size(); d-- > 0; step *= grid.dims[d]) {
      const std::uint32_t at = place / step % grid.dims[d];
      const bool is_last = at + 1 == grid.dims[d];
      if (grid.dims[d] == 1 || (is_last && !grid.periods[d])) continue;
      const std::uint32_t next = is_last ? place - at * step : place + step;
      builder.add(Rank(place), Rank(next), 1);
      builder.add(Rank(next), Rank(place), 1);
    }
  }
  return builder.build();
}

}  // namespace

Places places_of(const protocol::Situation& situation) {
  if (situation.ranks == 0 || situation.ranks > max_index_count) {
    throw bad_input("request", "a number of ranks", fmt::format("{}", situation.ranks));
  }
  static const JobDescription unknown;
  Places places{situation.job ? *situation.job : unknown, nullptr, {}, {}};
  const auto launched = checked_launcher_ranks(situation);
  if (situation.topology.empty() || situation.topology == "job") {
    places.machine = parse_machine("job", &places.job);
    places.present = identity_mapping(situation.ranks, *places.machine, 1);
  } else {
    take_slots(launched, *parse_machine(situation.topology, &places.job, "KITH_TOPOLOGY"), places);
  }
  take_local_indices(launched, places);
  return places;
}

protocol::ReorderAnswer order_for(const protocol::Situation& situation, const Places& places,
                                  const SentTraffic& traffic, const std::string& name) {
  if (traffic.bytes.ranks() != situation.ranks) {
    throw bad_input(name, fmt::format("traffic of this job's {} ranks", situation.ranks),
                    number_of(traffic.bytes.ranks(), "rank"));
  }
  ReorderOptions options;
  options.algorithm = find_algorithm(situation.algorithm, "KITH_ALGORITHM");
  options.map.objective = default_objective(*places.machine);
  // What moving data costs is in the unit of the sum over pairs, and the search that keeps local
  // indices goes by that.
  const bool moving_costs = situation.has_state && situation.state_bytes > 0;
  const Goal goal = goal_of_job(*places.machine);
  if (!goal.as_objective() && !moving_costs && !situation.keep_local) options.map.goal = goal;
  options.map.effort = Effort::fast;
  options.map.threads = use_cpus_of_job(places.job);
  options.min_gain = situation.min_gain;
  options.keep_rank0 = situation.keep_rank0;
  options.has_state = situation.has_state;
  options.keep_local = situation.keep_local;
  options.local_indices = places.local_indices;
  options.state_bytes = situation.state_bytes;
  options.remaining = situation.remaining;
  options.wall_seconds = traffic.wall_seconds;
  if (traffic.trace != nullptr) {
    use_rank_facts(*traffic.trace, *options.algorithm.mapper, options.map);
  }
  const ReorderDecision decision =
      decide_reorder(traffic.bytes, *places.machine, options, &places.present, traffic.on_wire());

  // In the unit of what moving costs.
  const Criterion sum = criterion_of(options.map.objective);
  const auto cost = [&](const Metrics& metrics) { return measured(sum, metrics).value(); };
  protocol::ReorderAnswer answer;
  answer.threads = options.map.threads;
  answer.apply = decision.apply;
  answer.reason = decision.reason;
  if (traffic.trace != nullptr && traffic.trace->meta && traffic.trace->meta->partial) {
    answer.reason += "; the recorded run ended early";
  }
  answer.algorithm = decision.algorithm;
  answer.cost_before = cost(decision.before);
  answer.cost_after = cost(decision.after);
  answer.moved = decision.moved;
  answer.moving_cost = decision.moving_cost;
  answer.saving = std::max(decision.saving, 0.0);
  if (decision.apply) answer.new_rank = new_ranks(decision.mapping, places, "the mapping");
  return answer;
}

Mapping mapping_of(const Mapping& present, const std::vector<std::uint32_t>& new_rank) {
  Mapping mapping;
  mapping.slot_of.resize(new_rank.size(), no_slot);
  for (std::size_t j = 0; j < new_rank.size(); ++j) {
    if (new_rank[j] >= new_rank.size() || mapping.slot_of[new_rank[j]] != no_slot) {
      throw bad_input("request", "each rank once", std::to_string(new_rank[j]));
    }
    mapping.slot_of[new_rank[j]] = present.slot_of[j];
  }
  return mapping;
}

SentTraffic traffic_of(const std::vector<protocol::TrafficCell>& cells, std::uint32_t ranks) {
  TrafficMatrixBuilder builder(ranks, cells.size());
  TrafficMatrixBuilder messages(ranks, cells.size());
  for (const protocol::TrafficCell& cell : cells) {
    if (cell.source >= ranks || cell.destination >= ranks) {
      throw bad_input("request", "ranks", "others");
    }
    builder.add(Rank(cell.source), Rank(cell.destination), cell.bytes);
    messages.add(Rank(cell.source), Rank(cell.destination), cell.messages);
  }
  SentTraffic traffic{builder.build(), std::nullopt, std::nullopt};
  if (const TrafficMatrix sent = messages.build(); sent.entries() > 0) {
    traffic.wire = on_the_wire(traffic.bytes, sent);
  }
  return traffic;
}

protocol::ReorderAnswer find_order(const protocol::ReorderRequest& request) {
  const protocol::Situation& situation = request.situation;
  const Places places = places_of(situation);
  const auto order_by = [&](const SentTraffic& traffic) {
    return order_for(situation, places, traffic, request.source);
  };
  if (request.traffic) return order_by(traffic_of(*request.traffic, situation.ranks));
  if (request.grid) {
    return order_by({grid_traffic(*request.grid, situation.ranks), std::nullopt, std::nullopt});
  }
  if (is_mapping_file(request.source)) return apply_mapping(request.source, places);
  const Trace earlier = read_trace(request.source);
  SentTraffic traffic{earlier.bytes, std::nullopt, std::nullopt, &earlier};
  if (earlier.meta) {
    traffic.wall_seconds = simulate::comparable_seconds(earlier.job ? &*earlier.job : nullptr,
                                                        earlier.meta->wall_seconds);
  }
  try {
    if (const auto messages = read_trace_part(earlier, "messages.mtx")) {
      traffic.wire = on_the_wire(earlier.bytes, *messages);
    }
  } catch (const Error&) {
    // The bytes alone do.
  }
  protocol::ReorderAnswer answer = order_by(traffic);
  if (answer.apply && earlier.job) {
    add_seconds(earlier.path, *earlier.job, {}, places, answer);
  }
  answer.reason += other_program_note(earlier, request.program);
  if (const std::string warning = layout_warning(earlier); answer.apply && !warning.empty()) {
    answer.reason += "; " + warning;
  }
  return answer;
}

}  // namespace kith::tools
