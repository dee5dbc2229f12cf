// Who is where in the job that measures.
#include "kith-probe/conductor.hpp"

#include <exception>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "core/this_process.hpp"
#include "kith/machine.hpp"
#include "machine/hwloc/host_levels.hpp"
#include "protocol/packer.hpp"

namespace kith::probe {
namespace {

/// The texts of all ranks, on rank 0; empty elsewhere.
std::vector<std::string> gather_texts(std::string_view text) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int size = static_cast<int>(text.size());
  std::vector<int> sizes(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  const auto all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  if (all > std::numeric_limits<int>::max()) {
    throw std::length_error("the hosts have more to tell than one message can hold");
  }
  std::vector<int> begins(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
  std::string whole(static_cast<std::size_t>(all), '\0');
  MPI_Gatherv(text.data(), size, MPI_CHAR, whole.data(), sizes.data(), begins.data(), MPI_CHAR, 0,
              MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    texts.push_back(
        whole.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(sizes[i])));
  }
  return texts;
}

std::string describe_self() {
  Packer packer;
  packer.put_text(this_host());
  for (const std::uint32_t cpu : allowed_cpus()) packer.put(cpu);
  return packer.take();
}

/// `choice` has an item for each rank on rank 0; returns this rank's.
bool scatter(const std::vector<int>& choice) {
  int mine = 0;
  MPI_Scatter(choice.data(), 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return mine != 0;
}

struct OwnHost {
  JobHardware hardware;
  std::uint32_t cores = 0;
};

/// Where hwloc fails, nothing is known.
OwnHost look_at_own_host() {
  try {
    OwnHost host{discover_this_host({}).hardware};
    host.cores = HostLevels(host.hardware).cores();
    return host;
  } catch (const std::exception&) {
    return {};
  }
}

std::string kind_of(const OwnHost& host) {
  Packer packer;
  packer.put(host.cores);
  packer.put_text(host.hardware.digest);
  return packer.take();
}

void add_rank(HostSurvey& survey, std::map<std::string, std::size_t>& known,
              std::string_view text) {
  Unpacker unpacker(text);
  const std::string name(unpacker.get_text());
  const auto [place, is_new] = known.try_emplace(name, survey.hosts.size());
  if (is_new) survey.hosts.push_back({name, {}, 0, 0});
  survey.hosts[place->second].ranks.push_back(static_cast<int>(survey.cpus.size()));
  auto& cpus = survey.cpus.emplace_back();
  while (!unpacker.done()) cpus.push_back(unpacker.get<std::uint32_t>());
}

/// Takes in what the hosts' leaders say; returns the leader of one host of each kind.
std::vector<int> add_kinds(HostSurvey& survey, const std::vector<std::string>& texts) {
  std::map<std::string, std::uint32_t> known;
  std::vector<int> tellers;
  for (HostSurvey::Host& host : survey.hosts) {
    const int leader = host.ranks.front();
    Unpacker unpacker(texts[static_cast<std::size_t>(leader)]);
    host.cores = unpacker.get<std::uint32_t>();
    const std::string digest(unpacker.get_text());
    const auto [place, is_new] =
        known.try_emplace(digest, static_cast<std::uint32_t>(survey.hardware.size()));
    host.hardware = place->second;
    if (!is_new) continue;
    survey.hardware.push_back({digest, {}});
    tellers.push_back(leader);
  }
  return tellers;
}

}  // namespace

HostSurvey survey_hosts() {
  HostSurvey survey;
  std::map<std::string, std::size_t> known;
  for (const std::string& text : gather_texts(describe_self())) add_rank(survey, known, text);

  std::vector<int> leads(survey.cpus.size(), 0);
  for (const HostSurvey::Host& host : survey.hosts) {
    leads[static_cast<std::size_t>(host.ranks.front())] = 1;
  }
  const bool is_leader = scatter(leads);
  const OwnHost own = is_leader ? look_at_own_host() : OwnHost{};
  const auto kinds = gather_texts(is_leader ? kind_of(own) : std::string());

  std::vector<int> tells(survey.cpus.size(), 0);
  const std::vector<int> tellers = add_kinds(survey, kinds);
  for (const int rank : tellers) tells[static_cast<std::size_t>(rank)] = 1;
  auto xml = gather_texts(scatter(tells) ? own.hardware.xml : std::string());
  for (std::size_t kind = 0; kind < tellers.size(); ++kind) {
    survey.hardware[kind].xml = std::move(xml[static_cast<std::size_t>(tellers[kind])]);
  }
  return survey;
}

}  // namespace kith::probe
