#include "machine/binding/binding_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/cpu_list.hpp"
#include "core/plain_text.hpp"

namespace kith {
namespace {

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
                 fmt::format("{} share {}, while {} of {} {} no rank", names_of(crowd),
                             crowded->size() == 1 ? "one core" : number_of(crowded->size(), "core"),
                             number_of(host.idle(), "core"), host.shape.cores(),
                             host.idle() == 1 ? "has" : "have"),
                 "mpirun --map-by core --bind-to core; srun --cpu-bind=cores"};
}

/// What gives ranks as many cores as they have threads, or as many as there are for each: mpirun
/// refuses more. Empty where that is no more than `now`.
std::string mend_few_cores(const HostBinding& host, std::uint32_t threads, std::size_t now) {
  const auto each = static_cast<std::uint32_t>(host.shape.cores() / host.ranks.size());
  const std::uint32_t cores = std::min(threads, each);
  if (cores <= now) return "";
  std::string mend = fmt::format(
      "mpirun --map-by slot:PE={0} --bind-to core; srun --cpus-per-task={0} --cpu-bind=cores",
      cores);
  if (each < threads) {
    mend += fmt::format("; there are not more cores: {} a rank, OMP_NUM_THREADS={}",
                        number_of(cores, "thread"), cores);
  }
  return mend;
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
  finding.mend = mend_few_cores(host, first->threads, first->cores.size());
  if (finding.mend.empty()) return std::nullopt;
  finding.what =
      fmt::format("{} may use {} but run{} {}, while {} of {} {} no rank", names_of(finding.ranks),
                  number_of(first->cpus, "processor"), finding.ranks.size() == 1 ? "s" : "",
                  number_of(first->threads, "thread"), number_of(host.idle(), "core"),
                  host.shape.cores(), host.idle() == 1 ? "has" : "have");
  return finding;
}

/// Threads of several a rank that are more than the processors of all ranks, where no other core is
/// left for them.
std::optional<Finding> crowded_threads(const HostBinding& host) {
  if (host.idle() > 0) return std::nullopt;
  Finding finding;
  std::uint64_t threads = 0;
  CpuSet cpus;
  for (const BoundRank& rank : host.ranks) {
    threads += std::max<std::uint64_t>(rank.threads, 1);
    cpus = united(cpus, rank.process->cpus);
    if (rank.threads > 1) finding.ranks.push_back(rank.rank);
  }
  if (finding.ranks.empty() || threads <= cpus.size()) return std::nullopt;
  const std::uint64_t each = std::max<std::uint64_t>(1, cpus.size() / host.ranks.size());
  finding.what = fmt::format("{} threads of {} take turns on {}", threads, names_of(finding.ranks),
                             number_of(cpus.size(), "processor"));
  finding.mend = fmt::format("OMP_NUM_THREADS={}, or fewer ranks on a host", each);
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
  finding.what = fmt::format(
      "{} run{} far from {}: rank {} on CPUs {}, while its GPU {} is near CPUs {}",
      names_of(finding.ranks), is_one ? "s" : "", is_one ? "its GPU" : "their GPUs", first->rank,
      cpu_list_text(process.cpus), process.gpus, cpu_list_text(process.gpu_cpus));
  finding.mend =
      "srun --gpus-per-task=1 --gpu-bind=closest; with mpirun give each rank a GPU of its own NUMA "
      "node (CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES)";
  return finding;
}

/// Ranks that are told to use network devices that are far, while others are near.
std::optional<Finding> far_nic(const HostBinding& host) {
  Finding finding;
  const BoundRank* first = nullptr;
  for (const BoundRank& rank : host.ranks) {
    const JobProcess& process = *rank.process;
    if (host.is_free(rank) || process.nic_cpus.empty() || process.near_nics.empty()) continue;
    if (!intersected(process.cpus, process.nic_cpus).empty()) continue;
    if (first == nullptr) first = &rank;
    finding.ranks.push_back(rank.rank);
  }
  if (first == nullptr) return std::nullopt;
  const JobProcess& process = *first->process;
  finding.what = fmt::format(
      "{} {} told to use a far network device: rank {} runs on CPUs {}, {} is near CPUs {}, while "
      "{} "
      "is near the rank",
      names_of(finding.ranks), finding.ranks.size() == 1 ? "is" : "are", first->rank,
      cpu_list_text(process.cpus), process.nics, cpu_list_text(process.nic_cpus),
      process.near_nics);
  finding.mend =
      "unset UCX_NET_DEVICES (FI_CXI_DEVICE_NAME, MV2_IBA_HCA, HFI_UNIT): MPI libraries choose a "
      "near "
      "device; or set it for each rank";
  return finding;
}

/// Ranks whose threads share memory and may run over several packages, though each would have room
/// in one. What across_packages() tells is not told again.
std::optional<Finding> spread_threads(const HostBinding& host) {
  if (host.shape.packages < 2 || across_packages(host)) return std::nullopt;
  Finding finding;
  const BoundRank* first = nullptr;
  std::size_t most = 1;
  for (const BoundRank& rank : host.ranks) {
    most = std::max<std::size_t>({most, rank.threads, rank.sharing_threads});
    if (rank.sharing_threads < 2 || parts_of(rank.cores, host.shape.package) < 2) continue;
    if (first == nullptr) first = &rank;
    finding.ranks.push_back(rank.rank);
  }
  if (first == nullptr) return std::nullopt;
  if (room_for(most, host.shape.package, host.shape.packages) < host.ranks.size())
    return std::nullopt;
  const bool is_one = finding.ranks.size() == 1;
  finding.what = fmt::format(
      "the {} threads of {} share memory and may run in {} packages, unless OpenMP or Kith binds "
      "them, though {} cores of one package would do",
      first->sharing_threads,
      is_one ? names_of(finding.ranks) : "each of " + names_of(finding.ranks),
      parts_of(first->cores, host.shape.package), first->sharing_threads);
  finding.mend = fmt::format(
      "mpirun --map-by socket:PE={0} --bind-to core; srun --cpus-per-task={0} --cpu-bind=cores; "
      "with OMP_PROC_BIND=close",
      most);
  return finding;
}

/// Ranks that the program, or a library of it, moved to CPUs that the launcher had not given them.
std::optional<Finding> moved_away(const HostBinding& host) {
  Finding finding;
  const JobProcess* first = nullptr;
  for (const BoundRank& rank : host.ranks) {
    const JobProcess& process = *rank.process;
    if (host.is_free(rank) || process.cpus.contains(process.end_cpus)) continue;
    if (first == nullptr) first = &process;
    finding.ranks.push_back(rank.rank);
  }
  if (first == nullptr) return std::nullopt;
  finding.what = fmt::format(
      "the program undid the binding of {}: rank {} was bound to CPUs {}, and to CPUs {} when it "
      "finalised MPI",
      names_of(finding.ranks), first->rank, cpu_list_text(first->cpus),
      cpu_list_text(first->end_cpus));
  return finding;
}

/// Ranks that the program bound to fewer cores together than they are.
std::optional<Finding> crowded_by_program(const HostBinding& host) {
  std::vector<const JobProcess*> processes;
  bool is_changed = false;
  for (const BoundRank& rank : host.ranks) {
    processes.push_back(rank.process);
    is_changed = is_changed || !rank.process->end_cpus.empty();
  }
  if (!is_changed || shared_core(host)) return std::nullopt;
  std::optional<Finding> finding = shared_core(binding_of(host.shape, processes, BindingTime::end));
  if (finding) finding->what = "the program bound its ranks itself: in the end " + finding->what;
  return finding;
}

std::optional<Finding> undone(const HostBinding& host) {
  std::optional<Finding> finding = crowded_by_program(host);
  if (!finding) finding = moved_away(host);
  if (finding) {
    finding->mend =
        "let either the launcher or the program bind: OMP_PROC_BIND=false, OPENBLAS_MAIN_FREE=1, "
        "gmx "
        "mdrun -pin off; or bind each rank to CPUs of its own: mpirun --map-by slot:PE=THREADS "
        "--bind-to core";
  }
  return finding;
}

constexpr BindingRule rules[] = {
    {"shared-core", shared_core},
    {"few-cores", few_cores},
    {"crowded-threads", crowded_threads},
    {"across-packages", across_packages},
    {"across-numa", across_numa},
    {"idle-packages", idle_packages},
    {"far-gpu", far_gpu},
    {"far-nic", far_nic},
    {"spread-threads", spread_threads},
    {"undone", undone},
};

}  // namespace

std::span<const BindingRule> binding_rules() {
  return rules;
}

}  // namespace kith
