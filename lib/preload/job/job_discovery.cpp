#include "job/job_discovery.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <stdexcept>

#include "binding/thread_binding.hpp"
#include "core/log.hpp"
#include "core/this_process.hpp"
#include "engine_client/engine_process.hpp"
#include "job/gpu_locality.hpp"
#include "job/host_survey.hpp"
#include "job/nic_locality.hpp"
#include "job/own_threads.hpp"
#include "protocol/messages.hpp"

namespace kith::preload {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The hardware of this host: asked for once, and again only for CPUs that the answer did not have.
class OwnHardware {
 public:
  /// Ranks may run on `cpus`.
  JobHardware get(Engine& engine, const CpuSet& cpus, std::chrono::milliseconds budget) {
    if (engine.is_asked_ahead()) {
      auto reply = engine.answer_ahead<protocol::HardwareRequest>(budget);
      // An engine that was late would be so once more.
      const CpuSet answered = reply.answer ? CpuSet() : cpus;
      keep(std::move(reply), answered);
    }
    if (!known_ || !covered_.contains(cpus)) {
      keep(engine.ask(protocol::HardwareRequest{cpus}, budget), cpus);
    }
    return *known_;
  }

 private:
  /// `answered`: for which CPUs this is the answer beside those that it has.
  void keep(Reply<protocol::HardwareAnswer> reply, const CpuSet& answered) {
    if (!reply.answer) {
      log_line("the hardware of host " + this_host() + " is unknown: " + reply.problem);
      reply.answer.emplace();
    }
    covered_ = united(reply.answer->cpus, answered);
    known_ = std::move(reply.answer->hardware);
  }

  CpuSet covered_;
  std::optional<JobHardware> known_;
};

/// Whichever thread comes first.
JobHardware own_hardware(Engine& engine, const CpuSet& cpus, std::chrono::milliseconds budget) {
  static std::mutex one_at_a_time;
  static OwnHardware hardware;
  const std::lock_guard guard(one_at_a_time);
  return hardware.get(engine, cpus, budget);
}

/// On a leader: of the ranks that told it of themselves, as many as found memory here.
struct OwnHost {
  HostReport report;
  JobHardware hardware;
};

OwnHost describe_host(Engine& engine, std::vector<std::optional<std::string>> members,
                      std::chrono::milliseconds budget) {
  OwnHost host;
  CpuSet cpus;
  for (std::optional<std::string>& member : members) {
    if (!member) continue;
    cpus = united(cpus, unpack_member(*member).process.cpus);
    host.report.members.push_back(std::move(*member));
  }
  host.hardware = own_hardware(engine, cpus, budget);
  host.report.name = this_host();
  host.report.kernel = kernel_identity();
  host.report.digest = host.hardware.digest;
  host.report.slurm_address = variable("SLURM_TOPOLOGY_ADDR");
  host.report.slurm_pattern = variable("SLURM_TOPOLOGY_ADDR_PATTERN");
  return host;
}

std::string pack_numbers(const std::vector<std::uint32_t>& numbers) {
  Packer packer;
  for (const std::uint32_t number : numbers) packer.put_number(number);
  return packer.take();
}

/// Another leader's part: its report, and the XML of its hardware if the root wants it.
void report_to_root(PrivateComm& private_comm, const OwnHost& host) {
  std::string packed;
  try {
    packed = pack(host.report);
  } catch (const std::bad_alloc&) {
    // The root waits for a message: an empty one tells it that the ranks here are missing.
  }
  private_comm.send_to_root(packed);
  const std::string wanted = private_comm.broadcast_to_leaders({});
  Unpacker unpacker(wanted);
  while (!unpacker.done()) {
    if (unpacker.get_number() == static_cast<std::uint64_t>(private_comm.leader_number())) {
      private_comm.send_to_root(host.hardware.xml);
    }
  }
}

/// Orders may be asked for many times in a run.
void say_once(const std::string& message) {
  static std::mutex one_at_a_time;
  static std::string said;
  const std::lock_guard guard(one_at_a_time);
  if (message != said) log_line(message);
  said = message;
}

/// On the root: gives `job` its network, from KITH_NETWORK or from Slurm. What is wrong with it, or
/// which hosts it does not name, is a line on stderr, said once; then the network is one level, or
/// these hosts hang on its root. Throws std::bad_alloc.
void find_network(Engine& engine, JobDescription& job, const HostSurvey& survey,
                  const Settings& settings) {
  const bool has_addresses = std::ranges::any_of(
      survey.slurm_addresses(), [](const std::string& text) { return !text.empty(); });
  const bool in_slurm = std::getenv("SLURM_JOB_ID") != nullptr;
  const bool slurm_may_know = job.hosts.size() > 1 && (has_addresses || in_slurm);
  if (settings.network.empty() && !slurm_may_know) return;
  const protocol::NetworkRequest request{settings.network, job.hosts, survey.slurm_addresses(),
                                         survey.slurm_patterns()};
  auto reply = engine.ask(request, settings.budget);
  if (!reply.answer) {
    say_once("the network between hosts is taken for one level: " + reply.problem);
    return;
  }
  protocol::NetworkAnswer& found = *reply.answer;
  if (!found.note.empty()) say_once(found.note);
  if (found.switches.size() != job.hosts.size()) return;
  job.network = std::move(found.network);
  for (std::size_t host = 0; host < job.hosts.size(); ++host) {
    job.hosts[host].switches = std::move(found.switches[host]);
  }
}

/// The root's part. Whatever goes wrong here, every leader's messages are taken.
class RootSurvey {
 public:
  RootSurvey(PrivateComm& private_comm, const OwnHost& own)
      : private_comm_(private_comm),
        own_(own),
        survey_(static_cast<std::size_t>(private_comm.size())) {}

  void collect() {
    guarded([&] { survey_.add(pack(own_.report)); });
    for (int leader = 1; leader < private_comm_.hosts(); ++leader) {
      const std::optional<std::string> packed = private_comm_.receive_from_leader(leader);
      guarded([&] { survey_.add(packed.value()); });
    }
    std::string wanted;
    guarded([&] { wanted = pack_numbers(survey_.whom_to_ask()); });
    if (!problem_.empty()) wanted.clear();
    const std::string sent = private_comm_.broadcast_to_leaders(wanted);
    for (std::size_t k = 0; !sent.empty() && k < survey_.whom_to_ask().size(); ++k) {
      const auto leader = static_cast<int>(survey_.whom_to_ask()[k]);
      std::optional<std::string> xml =
          leader == 0 ? own_.hardware.xml : private_comm_.receive_from_leader(leader);
      guarded([&] { survey_.set_xml(k, std::move(xml.value())); });
    }
  }

  JobDescription describe(Engine& engine, const Settings& settings) {
    if (!problem_.empty()) throw std::runtime_error("the job's hosts are unknown: " + problem_);
    JobDescription job = survey_.take();
    find_network(engine, job, survey_, settings);
    return job;
  }

 private:
  template <class Step>
  void guarded(Step&& step) {
    try {
      step();
    } catch (const std::exception& error) {
      problem_ = error.what();
    }
  }

  PrivateComm& private_comm_;
  const OwnHost& own_;
  HostSurvey survey_;
  std::string problem_;
};

}  // namespace

void look_ahead_at_hardware(const Settings& settings, Engine& engine) noexcept {
  if (local_rank_of_launcher() != 0) return;
  try {
    engine.ask_ahead(protocol::HardwareRequest{cpus_of_process()}, settings.budget);
  } catch (const std::exception&) {
    // Then it is asked when it is needed, and says what is wrong.
  }
}

std::optional<JobDescription> discover_job(PrivateComm& private_comm, int program_rank,
                                           const Settings& settings, Engine& engine) {
  const bool leads = private_comm.leads_host();
  MemberReport self{static_cast<std::uint32_t>(private_comm.rank()), {}};
  self.process.rank = static_cast<std::uint32_t>(program_rank);
  self.process.cpus = cpus_of_process();
  self.process.threads = threads_of_this_process(self.process.cpus);
  find_gpus(self.process);
  find_nics(self.process);
  auto members = private_comm.gather_on_host(pack(self));
  if (!leads) return std::nullopt;
  OwnHost host;
  try {
    host = describe_host(engine, std::move(members), settings.budget);
  } catch (const std::exception& error) {
    log_line("the ranks of host " + this_host() + " could not be described: " + error.what());
  }
  if (!private_comm.is_root()) {
    engine.end();
    report_to_root(private_comm, host);
    return std::nullopt;
  }
  RootSurvey survey(private_comm, host);
  survey.collect();
  return survey.describe(engine, settings);
}

}  // namespace kith::preload
