#include "machine/binding/binding_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/cpu_list.hpp"
#include "kith/error.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
namespace {

/// Which cores of a host lie in one NUMA node, or in one package.
using Places = std::vector<std::uint32_t>;

/// The cores that may be used, by number; PUs where hwloc knows no cores.
struct HostShape {
  std::vector<CpuSet> cpus;  ///< of each core
  Places numa;               ///< of each core
  Places package;
  std::uint32_t numas = 0;
  std::uint32_t packages = 0;

  std::uint32_t cores() const { return static_cast<std::uint32_t>(cpus.size()); }
};

struct BoundRank {
  std::uint32_t rank = 0;
  std::uint32_t threads = 0;         ///< that it was told to run; 0: not known
  std::uint64_t cpus = 0;            ///< that it may run on
  std::vector<std::uint32_t> cores;  ///< that hold them, ascending
  const JobProcess* process = nullptr;
};

/// A host with what runs on it.
struct HostBinding {
  const HostShape& shape;
  std::vector<BoundRank> ranks;  ///< those with known CPUs, ascending
  std::vector<bool> used;        ///< each core: by any rank

  bool is_free(const BoundRank& rank) const { return rank.cores.size() == shape.cores(); }
  std::uint32_t idle() const { return static_cast<std::uint32_t>(std::ranges::count(used, false)); }
};

struct Finding {
  std::vector<std::uint32_t> ranks;
  std::string what;
  std::string mend;
};

std::string number_of(std::uint64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// "ranks 0, 1 and 6 others"
std::string names_of(const std::vector<std::uint32_t>& ranks) {
  constexpr std::size_t shown = 3;
  if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
  std::string text = "ranks ";
  const std::size_t told = ranks.size() <= shown + 1 ? ranks.size() : shown;
  for (std::size_t i = 0; i < told; ++i) {
    const bool is_last = i + 1 == ranks.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + std::to_string(ranks[i]);
  }
  if (told < ranks.size()) text += fmt::format(" and {} others", ranks.size() - told);
  return text;
}

bool is_within(const std::vector<std::uint32_t>& inner, const std::vector<std::uint32_t>& outer) {
  return std::ranges::includes(outer, inner);
}

/// How many of NUMA nodes, or packages, the cores are in.
std::uint32_t parts_of(const std::vector<std::uint32_t>& cores, const Places& place) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t core : cores) found.push_back(place[core]);
  std::ranges::sort(found);
  return static_cast<std::uint32_t>(std::unique(found.begin(), found.end()) - found.begin());
}

/// Ranks that have fewer cores together than they are, while other cores have no rank. Of nested
/// sets the smallest crowded one is told.
std::optional<Finding> shared_core(const HostBinding& host) {
  if (host.idle() == 0) return std::nullopt;
  const std::vector<std::uint32_t>* crowded = nullptr;
  std::vector<std::uint32_t> crowd;
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> by_cores;
  for (const BoundRank& rank : host.ranks) by_cores[rank.cores].push_back(rank.rank);
  for (const auto& [cores, own] : by_cores) {
    std::vector<std::uint32_t> inside;
    for (const auto& [others, ranks] : by_cores) {
      if (is_within(others, cores)) inside.insert(inside.end(), ranks.begin(), ranks.end());
    }
    if (inside.size() <= cores.size()) continue;
    if (crowded != nullptr && crowded->size() <= cores.size()) continue;
    crowded = &cores;
    crowd = std::move(inside);
  }
  if (crowded == nullptr) return std::nullopt;
  std::ranges::sort(crowd);
  return Finding{crowd,
                 fmt::format("{} share {}, while {} of {} have no rank", names_of(crowd),
                             crowded->size() == 1 ? "one core" : number_of(crowded->size(), "core"),
                             number_of(host.idle(), "core"), host.shape.cores()),
                 "mpirun --map-by core --bind-to core; srun --cpu-bind=cores"};
}

/// A rank whose threads have fewer CPUs than they are, while cores have no rank.
std::optional<Finding> few_cores(const HostBinding& host) {
  Finding finding;
  const BoundRank* first = nullptr;
  for (const BoundRank& rank : host.ranks) {
    if (host.is_free(rank) || rank.threads <= rank.cpus) continue;
    if (first == nullptr) first = &rank;
    finding.ranks.push_back(rank.rank);
  }
  if (first == nullptr || host.idle() == 0) return std::nullopt;
  finding.what = fmt::format(
      "{} may use {} but run{} {}, while {} of {} have no rank", names_of(finding.ranks),
      number_of(first->cpus, "processor"), finding.ranks.size() == 1 ? "s" : "",
      number_of(first->threads, "thread"), number_of(host.idle(), "core"), host.shape.cores());
  finding.mend = fmt::format(
      "mpirun --map-by slot:PE={0} --bind-to core; srun --cpus-per-task={0} --cpu-bind=cores",
      first->threads);
  return finding;
}

/// How many ranks of `size` cores each fit into parts (NUMA nodes, packages) as wholes.
std::uint64_t room_for(std::size_t size, const Places& place, std::uint32_t parts) {
  std::vector<std::uint64_t> cores(parts);
  for (const std::uint32_t part : place) ++cores[part];
  std::uint64_t room = 0;
  for (const std::uint64_t count : cores) room += count / size;
  return room;
}

/// Ranks over several parts that all could be in one.
std::optional<Finding> across(const HostBinding& host, const Places& place, std::uint32_t parts,
                              std::string_view part, const std::string& mend) {
  if (parts < 2) return std::nullopt;
  Finding finding;
  std::size_t largest = 0;
  const BoundRank* first = nullptr;
  for (const BoundRank& rank : host.ranks) {
    if (host.is_free(rank)) return std::nullopt;  // somebody is not bound: no plan to judge
    largest = std::max(largest, rank.cores.size());
    if (parts_of(rank.cores, place) < 2) continue;
    if (first == nullptr) first = &rank;
    finding.ranks.push_back(rank.rank);
  }
  if (first == nullptr || room_for(largest, place, parts) < host.ranks.size()) return std::nullopt;
  finding.what = fmt::format(
      "{} {} over {} {}s, though {} of one {} would do", names_of(finding.ranks),
      finding.ranks.size() == 1 ? "is spread" : "are spread", parts_of(first->cores, place), part,
      number_of(first->cores.size(), "core"), part);
  finding.mend = mend;
  return finding;
}

std::optional<Finding> across_packages(const HostBinding& host) {
  const std::size_t cores = host.ranks.front().cores.size();
  return across(host, host.shape.package, host.shape.packages, "package",
                fmt::format("mpirun --map-by socket:PE={0} --bind-to core; srun "
                            "--cpus-per-task={0} --distribution=block:block",
                            cores));
}

/// Within packages: what across_packages() tells is not told again.
std::optional<Finding> across_numa(const HostBinding& host) {
  if (across_packages(host)) return std::nullopt;
  const std::size_t cores = host.ranks.front().cores.size();
  return across(host, host.shape.numa, host.shape.numas, "NUMA node",
                fmt::format("mpirun --map-by numa:PE={0} --bind-to core; srun --cpus-per-task={0} "
                            "--cpu-bind=cores",
                            cores));
}

/// Ranks enough for all packages, but in half of them or fewer.
std::optional<Finding> idle_packages(const HostBinding& host) {
  const HostShape& shape = host.shape;
  if (shape.packages < 2 || host.ranks.size() < shape.packages) return std::nullopt;
  std::vector<std::uint32_t> used;
  Finding finding;
  for (std::uint32_t core = 0; core < shape.cores(); ++core) {
    if (host.used[core]) used.push_back(core);
  }
  const std::uint32_t packages = parts_of(used, shape.package);
  if (2 * packages > shape.packages) return std::nullopt;
  for (const BoundRank& rank : host.ranks) finding.ranks.push_back(rank.rank);
  finding.what = fmt::format("{} are all in {} of {} packages, the others have no rank",
                             names_of(finding.ranks), packages, shape.packages);
  finding.mend = "mpirun --map-by socket --bind-to core; srun --distribution=block:cyclic";
  return finding;
}

/// Whether the numbers of GPUs are the host's own: where all ranks name the same ones, each may see
/// others under these numbers.
bool has_gpu_numbers(const HostBinding& host) {
  const std::string& first = host.ranks.front().process->gpus;
  return host.ranks.size() == 1 || std::ranges::any_of(host.ranks, [&](const BoundRank& rank) {
           return rank.process->gpus != first;
         });
}

/// Ranks on CPUs of which none is near one of their GPUs.
std::optional<Finding> far_gpu(const HostBinding& host) {
  if (!has_gpu_numbers(host)) return std::nullopt;
  Finding finding;
  const BoundRank* first = nullptr;
  for (const BoundRank& rank : host.ranks) {
    const JobProcess& process = *rank.process;
    if (host.is_free(rank) || process.gpu_cpus.empty()) continue;
    if (!intersected(process.cpus, process.gpu_cpus).empty()) continue;
    if (first == nullptr) first = &rank;
    finding.ranks.push_back(rank.rank);
  }
  if (first == nullptr) return std::nullopt;
  const JobProcess& process = *first->process;
  const bool is_one = finding.ranks.size() == 1;
  finding.what =
      fmt::format("{} run{} far from {}: rank {} on CPUs {}, while its GPU {} is near CPUs {}",
                  names_of(finding.ranks), is_one ? "s" : "", is_one ? "its GPU" : "their GPUs",
                  first->rank, cpu_list_text(process.cpus), process.gpus, cpu_list_text(process.gpu_cpus));
  finding.mend =
      "srun --gpus-per-task=1 --gpu-bind=closest; with mpirun give each rank a GPU of its own NUMA "
      "node (CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES)";
  return finding;
}

struct Rule {
  std::string_view name;
  std::optional<Finding> (*judge)(const HostBinding& host);
};

constexpr Rule rules[] = {
    {"shared-core", shared_core},         {"few-cores", few_cores},
    {"across-packages", across_packages}, {"across-numa", across_numa},
    {"idle-packages", idle_packages},     {"far-gpu", far_gpu},
};

/// Numbers the objects of a type that hold cores, and says which of them holds each core. Without
/// such objects one holds all.
std::uint32_t find_places(hwloc_topology* topology, hwloc_obj_type_t type,
                          const std::vector<const hwloc_obj*>& cores, Places& places) {
  places.assign(cores.size(), 0);
  std::uint32_t count = 0;
  hwloc_obj* object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
    bool holds_any = false;
    for (std::size_t i = 0; i < cores.size(); ++i) {
      if (hwloc_bitmap_isincluded(cores[i]->cpuset, object->cpuset) == 0) continue;
      places[i] = count;
      holds_any = true;
    }
    if (holds_any) ++count;  // not memory without processors
  }
  return std::max(count, 1U);
}

HostShape shape_of(const JobHardware& hardware) {
  HostShape shape;
  if (hardware.xml.empty()) return shape;
  const HwlocTopology topology = load_xml(
      hardware.xml, hardware.origin.empty() ? "hardware " + hardware.digest : hardware.origin);
  const bool has_cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) > 0;
  const hwloc_obj_type_t type = has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  std::vector<const hwloc_obj*> cores;
  hwloc_obj* object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology.get(), type, object)) != nullptr) {
    cores.push_back(object);
    shape.cpus.push_back(cpus_of(object));
  }
  shape.numas = find_places(topology.get(), HWLOC_OBJ_NUMANODE, cores, shape.numa);
  shape.packages = find_places(topology.get(), HWLOC_OBJ_PACKAGE, cores, shape.package);
  return shape;
}

/// The core of each CPU that the host has.
std::vector<std::uint32_t> cores_by_cpu(const HostShape& shape) {
  std::vector<std::uint32_t> core_of;
  for (std::uint32_t core = 0; core < shape.cores(); ++core) {
    for (const CpuSet::Range& range : shape.cpus[core].ranges()) {
      if (core_of.size() <= range.last) core_of.resize(range.last + 1, UINT32_MAX);
      for (std::uint32_t cpu = range.first; cpu <= range.last; ++cpu) core_of[cpu] = core;
    }
  }
  return core_of;
}

BoundRank bound_rank(const JobProcess& process, const std::vector<std::uint32_t>& core_of) {
  BoundRank rank{process.rank, process.threads, 0, {}, &process};
  for (const CpuSet::Range& range : process.cpus.ranges()) {
    const std::uint64_t end = std::min<std::uint64_t>(range.last + 1ULL, core_of.size());
    for (std::uint64_t cpu = range.first; cpu < end; ++cpu) {
      if (core_of[cpu] == UINT32_MAX) continue;
      ++rank.cpus;
      rank.cores.push_back(core_of[cpu]);
    }
  }
  std::ranges::sort(rank.cores);
  rank.cores.erase(std::unique(rank.cores.begin(), rank.cores.end()), rank.cores.end());
  return rank;
}

/// Of hosts of one kind: the CPUs, threads and GPUs of their processes, in the job's order. Equal
/// ones are judged once.
struct Pattern {
  std::uint32_t hardware = 0;
  std::vector<std::tuple<CpuSet, std::uint32_t, std::string, CpuSet>> processes;
  auto operator<=>(const Pattern&) const = default;
};

/// The processes of each host, where all their CPUs are known; else none.
std::vector<std::vector<const JobProcess*>> processes_by_host(const JobDescription& job) {
  std::vector<std::vector<const JobProcess*>> by_host(job.hosts.size());
  for (const JobProcess& process : job.processes) {
    if (process.host < by_host.size()) by_host[process.host].push_back(&process);
  }
  for (auto& processes : by_host) {
    const auto is_unknown = [](const JobProcess* process) { return process->cpus.empty(); };
    if (std::ranges::any_of(processes, is_unknown)) processes.clear();
  }
  return by_host;
}

HostBinding binding_of(const HostShape& shape, const std::vector<const JobProcess*>& processes) {
  const std::vector<std::uint32_t> core_of = cores_by_cpu(shape);
  HostBinding binding{shape, {}, std::vector<bool>(shape.cores())};
  for (const JobProcess* process : processes) {
    binding.ranks.push_back(bound_rank(*process, core_of));
    for (const std::uint32_t core : binding.ranks.back().cores) binding.used[core] = true;
  }
  std::ranges::sort(binding.ranks, {}, &BoundRank::rank);
  return binding;
}

}  // namespace

std::vector<BindingFault> judge_bindings(const JobDescription& job) {
  const auto by_host = processes_by_host(job);
  std::map<Pattern, std::vector<std::uint32_t>> alike;
  for (std::uint32_t host = 0; host < by_host.size(); ++host) {
    if (by_host[host].empty() || job.hosts[host].hardware >= job.hardware.size()) continue;
    Pattern pattern{job.hosts[host].hardware, {}};
    for (const JobProcess* process : by_host[host]) {
      pattern.processes.emplace_back(process->cpus, process->threads, process->gpus,
                                     process->gpu_cpus);
    }
    alike[std::move(pattern)].push_back(host);
  }
  std::vector<std::optional<HostShape>> shapes(job.hardware.size());
  std::map<std::pair<std::size_t, std::uint32_t>, BindingFault> found;  // by rule, by first host
  for (const auto& [pattern, hosts] : alike) {
    auto& shape = shapes[pattern.hardware];
    if (!shape) shape = shape_of(job.hardware[pattern.hardware]);
    if (shape->cores() == 0) continue;
    const HostBinding binding = binding_of(*shape, by_host[hosts.front()]);
    for (std::size_t r = 0; r < std::size(rules); ++r) {
      auto finding = rules[r].judge(binding);
      if (!finding) continue;
      BindingFault& fault = found[{r, hosts.front()}];
      fault = {rules[r].name,
               std::move(finding->ranks),
               {},
               std::move(finding->what),
               std::move(finding->mend)};
      for (const std::uint32_t host : hosts) fault.hosts.push_back(job.hosts[host].name);
    }
  }
  std::vector<BindingFault> faults;
  for (auto& [place, fault] : found) faults.push_back(std::move(fault));
  return faults;
}

std::string in_words(const BindingFault& fault) {
  const std::size_t others = fault.hosts.size() - 1;
  return fmt::format(
      "on {}{}: {}", fault.hosts.front(),
      others > 0 ? fmt::format(", and {} alike", number_of(others, "more host")) : "", fault.what);
}

}  // namespace kith
