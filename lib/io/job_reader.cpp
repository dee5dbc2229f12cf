// machine.json of a trace, and the XML files beside it.
#include <string>
#include <vector>

#include "core/parse_number.hpp"
#include "io/format/trace_names.hpp"
#include "io/format/trace_text.hpp"
#include "io/json_file.hpp"
#include "io/trace_files.hpp"
#include "kith/io.hpp"

namespace kith {
namespace {

/// A text of a few bytes can name many CPUs: a stranger's file must not fill the memory.
constexpr std::uint64_t cpu_limit = 65536;
constexpr std::uint64_t all_cpus_limit = std::uint64_t{1} << 28;

/// "0-3,8": ascending, without repetition. Adds their number to `all_cpus`.
std::vector<std::uint32_t> read_cpus(const JsonNode& node, std::uint64_t& all_cpus) {
  constexpr char expected[] = "ascending CPU numbers below 65536 such as \"0-3,8\"";
  std::string_view rest = node.text();
  std::vector<std::uint32_t> cpus;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view range = rest.substr(0, comma);
    const std::size_t dash = range.find('-');
    const auto first = parse_unsigned(range.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_unsigned(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= cpu_limit ||
        (!cpus.empty() && *first <= cpus.back())) {
      throw node.error(expected);
    }
    all_cpus += *last - *first + 1;
    if (all_cpus > all_cpus_limit) {
      throw node.error("CPU lists of at most " + std::to_string(all_cpus_limit) +
                       " numbers in all");
    }
    for (std::uint64_t cpu = *first; cpu <= *last; ++cpu) {
      cpus.push_back(static_cast<std::uint32_t>(cpu));
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
    if (rest.empty()) throw node.error(expected);
  }
  return cpus;
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

std::vector<JobHost> read_hosts(const JsonNode& list, std::size_t hardware) {
  std::vector<JobHost> hosts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonNode item = list.item(i);
    hosts.push_back(
        {item.at("name").text(), item.at("hardware").index(hardware, "hardware items")});
  }
  return hosts;
}

/// The list may come in any order; processes[j] is launcher rank j.
std::vector<JobProcess> read_processes(const JsonNode& list, std::size_t hosts) {
  const std::size_t n = list.size();
  if (n == 0) throw list.error("at least one rank", "none");
  std::vector<JobProcess> processes(n);
  std::vector<bool> launched(n);
  std::vector<bool> seen(n);
  std::uint64_t all_cpus = 0;
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
    process.cpus = read_cpus(item.at("cpus"), all_cpus);
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
  job.hosts = read_hosts(root.at("hosts"), job.hardware.size());
  job.processes = read_processes(root.at("ranks"), job.hosts.size());
  if (const auto digest = root.find("hosts_digest")) (void)digest->text();
  return job;
}

}  // namespace kith
