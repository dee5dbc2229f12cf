// machine.json of a trace, and the XML files beside it.
#include <optional>
#include <string>
#include <vector>

#include "core/parse_number.hpp"
#include "io/format/trace_text.hpp"
#include "io/trace_files.hpp"
#include "kith/io.hpp"

namespace kith {
namespace {

/// "0-3,8": ascending, without repetition.
CpuSet read_cpus(const JsonNode& node) {
  constexpr char expected[] = "ascending CPU numbers below 65536 such as \"0-3,8\"";
  constexpr std::uint64_t cpu_limit = 65536;
  const std::string_view list = node.text();
  CpuSet cpus;
  if (list.empty()) return cpus;
  std::optional<std::uint64_t> before;
  for (const std::string_view range : split(list, ',')) {
    const std::size_t dash = range.find('-');
    const auto first = parse_unsigned(range.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_unsigned(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= cpu_limit || (before && *first <= *before)) {
      throw node.error(expected);
    }
    cpus.add(static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last));
    before = last;
  }
  return cpus;
}

double read_measure(const JsonNode& level, const char* name) {
  const auto node = level.find(name);
  return node ? node->real() : 0;
}

std::vector<LevelCost> read_levels(const JsonNode& list) {
  constexpr std::size_t most = 64;
  if (list.size() > most) throw list.error("at most 64 levels", std::to_string(list.size()));
  std::vector<LevelCost> levels;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonNode item = list.item(i);
    LevelCost level{item.at("name").text()};
    if (const auto cost = item.find("cost_ps_per_byte")) level.cost = cost->number(INT64_MAX);
    for (const LevelMeasure& measure : level_measures) {
      level.*measure.value = read_measure(item, measure.json_key);
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

JobNetwork read_network(const JsonNode& node) {
  JobNetwork network;
  network.source = node.at("source").text();
  network.levels = read_levels(node.at("levels"));
  network.host_levels = read_levels(node.at("host_levels"));
  return network;
}

/// One switch for each level between hosts but the first.
std::vector<std::string> read_switches(const JsonNode& host, std::size_t layers) {
  const auto list = host.find("switches");
  std::vector<std::string> switches;
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    switches.push_back(list->item(i).text());
  }
  if (switches.size() != layers) {
    throw(list ? *list : host)
        .error(std::to_string(layers) + " switches", std::to_string(switches.size()));
  }
  return switches;
}

std::vector<JobHardware> read_hardware(const JsonNode& list, const std::filesystem::path& trace) {
  std::vector<JobHardware> hardware;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonNode item = list.item(i);
    JobHardware kind;
    kind.digest = item.at("digest").text();
    const JsonNode file = item.at("file");
    if (!file.is_null()) {
      check_inside_trace(file);
      kind.origin = (trace / file.text()).string();
      kind.xml = read_whole_file(kind.origin, max_xml_file_bytes);
      if (kind.xml.find_first_not_of(" \t\r\n") == std::string::npos) {
        throw bad_input(kind.origin, "hwloc's XML of a host", "an empty file");
      }
    }
    hardware.push_back(std::move(kind));
  }
  return hardware;
}

std::vector<JobHost> read_hosts(const JsonNode& list, std::size_t hardware, std::size_t layers) {
  std::vector<JobHost> hosts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonNode item = list.item(i);
    hosts.push_back({item.at("name").text(), item.at("hardware").index(hardware, "hardware items"),
                     read_switches(item, layers)});
  }
  return hosts;
}

void read_devices(const JsonNode& item, JobProcess& process) {
  if (const auto gpus = item.find("gpus")) process.gpus = gpus->text();
  if (const auto cpus = item.find("gpu_cpus")) process.gpu_cpus = read_cpus(*cpus);
  if (const auto nics = item.find("nics")) process.nics = nics->text();
  if (const auto cpus = item.find("nic_cpus")) process.nic_cpus = read_cpus(*cpus);
  if (const auto nics = item.find("near_nics")) process.near_nics = nics->text();
}

/// The list may come in any order; processes[j] is launcher rank j.
std::vector<JobProcess> read_processes(const JsonNode& list, std::size_t hosts) {
  const std::size_t n = list.size();
  if (n == 0) throw list.error("at least one rank", "none");
  std::vector<JobProcess> processes(n);
  std::vector<bool> launched(n);
  std::vector<bool> seen(n);
  for (std::size_t i = 0; i < n; ++i) {
    const JsonNode item = list.item(i);
    const JsonNode launcher_rank = item.at("launcher_rank");
    const std::uint32_t j = launcher_rank.index(n, "ranks");
    if (launched[j])
      throw launcher_rank.error("each launcher rank once", std::to_string(j) + " again");
    launched[j] = true;

    const JsonNode rank = item.at("rank");
    JobProcess& process = processes[j];
    process.rank = rank.index(n, "ranks");
    if (seen[process.rank]) {
      throw rank.error("each rank once", std::to_string(process.rank) + " again");
    }
    seen[process.rank] = true;
    process.host = item.at("host").index(hosts, "hosts");
    process.cpus = read_cpus(item.at("cpus"));
    if (const auto threads = item.find("threads")) {
      process.threads = static_cast<std::uint32_t>(threads->number(UINT32_MAX));
    }
    read_devices(item, process);
    if (const auto cpus = item.find("end_cpus")) process.end_cpus = read_cpus(*cpus);
  }
  return processes;
}

}  // namespace

JobDescription read_job(const std::filesystem::path& trace_directory) {
  const JsonFile file(trace_directory / trace_names::machine);
  const JsonNode root = file.root();
  check_trace_format(root);
  JobDescription job;
  job.hardware = read_hardware(root.at("hardware"), trace_directory);
  if (const auto network = root.find("network")) job.network = read_network(*network);
  const std::size_t levels = job.network.levels.size();
  job.hosts = read_hosts(root.at("hosts"), job.hardware.size(), levels == 0 ? 0 : levels - 1);
  job.processes = read_processes(root.at("ranks"), job.hosts.size());
  if (const auto digest = root.find("hosts_digest")) (void)digest->text();
  return job;
}

}  // namespace kith
