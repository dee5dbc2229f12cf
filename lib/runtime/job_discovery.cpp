#include "runtime/job_discovery.hpp"

#include <map>

#include "core/log.hpp"
#include "core/this_process.hpp"
#include "runtime/engine_process.hpp"

namespace kith::runtime {
namespace {

JobHardware ask_for_hardware(std::chrono::milliseconds budget) {
  Exchange request;
  request.set("task", "hardware");
  const EngineAnswer answer = ask_engine(request, budget);
  if (answer.ok && answer.answer.get("xml")) {
    return {answer.answer.text("digest"), answer.answer.text("xml")};
  }
  log_line("the hardware of host " + this_host() +
           " is unknown: " + (answer.ok ? answer.answer.text("problem") : answer.problem));
  return {};
}

// This host's hardware, asked once per process, whichever thread comes first.
const JobHardware& own_hardware(std::chrono::milliseconds budget) {
  static const JobHardware hardware = ask_for_hardware(budget);
  return hardware;
}

std::string describe_self(Team& team, int program_rank, std::chrono::milliseconds budget) {
  Packer packer;
  packer.put<std::int32_t>(program_rank);
  packer.put_text(this_host());
  const std::vector<std::uint32_t> cpus = allowed_cpus();
  packer.put<std::uint64_t>(cpus.size());
  for (const std::uint32_t cpu : cpus) packer.put(cpu);
  const bool leads = team.leads_host();
  packer.put(leads);
  if (leads) {
    const JobHardware& hardware = own_hardware(budget);
    packer.put_text(hardware.digest);
    packer.put_text(hardware.xml);
  }
  return packer.take();
}

/// Collects hosts and hardware as they appear.
class Census {
 public:
  explicit Census(JobDescription& job) : job_(job) {}

  void add(std::string_view packed) {
    Unpacker unpacker(packed);
    JobProcess process;
    process.rank = static_cast<std::uint32_t>(unpacker.get<std::int32_t>());
    process.host = host_number(std::string(unpacker.get_text()));
    const auto count = unpacker.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < count; ++i) {
      process.cpus.push_back(unpacker.get<std::uint32_t>());
    }
    if (unpacker.get<bool>()) {
      std::string digest(unpacker.get_text());
      std::string xml(unpacker.get_text());
      job_.hosts[process.host].hardware = hardware_number(std::move(digest), std::move(xml));
    }
    job_.processes.push_back(std::move(process));
  }

 private:
  std::uint32_t host_number(std::string name) {
    const auto [found, is_new] =
        hosts_.try_emplace(name, static_cast<std::uint32_t>(job_.hosts.size()));
    if (is_new) job_.hosts.push_back({std::move(name), 0});
    return found->second;
  }

  std::uint32_t hardware_number(std::string digest, std::string xml) {
    const auto [found, is_new] =
        hardware_.try_emplace(digest, static_cast<std::uint32_t>(job_.hardware.size()));
    if (is_new) job_.hardware.push_back({std::move(digest), std::move(xml)});
    return found->second;
  }

  JobDescription& job_;
  std::map<std::string, std::uint32_t> hosts_;
  std::map<std::string, std::uint32_t> hardware_;
};

}  // namespace

std::optional<JobDescription> discover_job(Team& team, int program_rank,
                                           std::chrono::milliseconds budget) {
  const std::vector<std::string> all = team.gather(describe_self(team, program_rank, budget));
  if (!team.is_root()) return std::nullopt;
  JobDescription job;
  Census census(job);
  for (const std::string& one : all) census.add(one);
  return job;
}

}  // namespace kith::runtime
