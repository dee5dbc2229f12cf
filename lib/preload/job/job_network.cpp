#include "job/job_network.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "core/log.hpp"
#include "engine_client/engine_process.hpp"
#include "protocol/job_packing.hpp"

namespace kith::runtime {
namespace {

/// Orders may be asked for many times in a run.
void say_once(const std::string& message) {
  static std::mutex one_at_a_time;
  static std::string said;
  const std::lock_guard guard(one_at_a_time);
  if (message != said) log_line(message);
  said = message;
}

bool in_slurm() {
  return std::getenv("SLURM_JOB_ID") != nullptr;
}

std::string pack_texts(const std::vector<std::string>& texts) {
  Packer packer;
  for (const std::string& text : texts) packer.put_text(text);
  return packer.take();
}

}  // namespace

void find_network(JobDescription& job, const std::vector<std::string>& addresses,
                  const std::vector<std::string>& patterns, const Settings& settings) {
  const bool has_addresses =
      std::ranges::any_of(addresses, [](const std::string& text) { return !text.empty(); });
  const bool slurm_may_know = job.hosts.size() > 1 && (has_addresses || in_slurm());
  if (settings.network.empty() && !slurm_may_know) return;
  JobDescription hosts;
  hosts.hosts = job.hosts;
  Exchange request;
  request.set("task", "network");
  request.set("file", settings.network);
  request.set("job", pack_job(hosts));
  request.set("addresses", pack_texts(addresses));
  request.set("patterns", pack_texts(patterns));
  const EngineAnswer reply = ask_engine(request, settings.budget);
  const std::string problem = reply.ok ? reply.answer.text("problem") : reply.problem;
  if (!problem.empty()) {
    say_once("the network between hosts is taken for one level: " + problem);
    return;
  }
  if (const std::string note = reply.answer.text("note"); !note.empty()) say_once(note);
  JobDescription found = unpack_job(reply.answer.text("job"));
  if (found.hosts.size() != job.hosts.size()) return;
  job.network = std::move(found.network);
  for (std::size_t host = 0; host < job.hosts.size(); ++host) {
    job.hosts[host].switches = std::move(found.hosts[host].switches);
  }
}

}  // namespace kith::runtime
