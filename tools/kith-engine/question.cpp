#include "kith-engine/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/parse_number.hpp"
#include "kith-engine/number_list.hpp"
#include "kith/error.hpp"
#include "protocol/job_packing.hpp"
#include "protocol/packer.hpp"

namespace kith::tools {
namespace {

std::uint32_t number_of_ranks(const Exchange& request) {
  const auto ranks = parse_unsigned(request.text("ranks"));
  if (!ranks || *ranks == 0 || *ranks > max_index_count) {
    throw bad_input("request", "a number of ranks", request.text("ranks"));
  }
  return static_cast<std::uint32_t>(*ranks);
}

std::vector<std::uint32_t> launcher_ranks(const Exchange& request, std::uint32_t ranks) {
  std::vector<std::uint32_t> launched = number_list(request, "launcher_ranks");
  if (launched.empty()) {
    launched.resize(ranks);
    std::iota(launched.begin(), launched.end(), 0U);
  }
  if (launched.size() != ranks) {
    throw bad_input("request", fmt::format("the launcher ranks of {} ranks", ranks),
                    fmt::format("{}", launched.size()));
  }
  return launched;
}

// Programs count the processes of a host, whatever the machine takes for a node.
void take_local_indices(const std::vector<std::uint32_t>& launched, Question& question) {
  const std::vector<JobProcess>& processes = question.job.processes;
  if (processes.size() <= *std::ranges::max_element(launched)) return;
  std::vector<std::uint32_t> index;
  std::vector<std::uint32_t> on_host(question.job.hosts.size());
  for (const JobProcess& process : processes) index.push_back(on_host.at(process.host)++);
  question.local_indices.resize(launched.size());
  for (std::uint32_t i = 0; i < launched.size(); ++i) {
    const std::uint32_t seat = question.seat.empty() ? i : question.seat[i];
    question.local_indices[seat] = index[launched[i]];
  }
}

// Launcher rank j sits on the machine's j-th allowed slot. Those of other launcher ranks are not
// ours.
void take_slots(const std::vector<std::uint32_t>& launched, const Machine& machine,
                Question& question) {
  const SlotSet& allowed = machine.allowed();
  const std::uint64_t needed = *std::ranges::max_element(launched) + 1ULL;
  if (allowed.size() < needed) {
    throw bad_input("KITH_TOPOLOGY", fmt::format("a slot for each of {} ranks", needed),
                    fmt::format("{} slots", allowed.size()));
  }
  std::vector<Slot> held;
  for (const std::uint32_t j : launched) held.push_back(allowed.at(j));
  question.machine = machine.restricted_to(SlotSet::of(held));
  for (const Slot slot : held) {
    question.seat.push_back(static_cast<std::uint32_t>(question.machine->allowed().index_of(slot)));
  }
  if (std::ranges::is_sorted(question.seat)) question.seat.clear();
}

}  // namespace

Question read_question(const Exchange& request) {
  Question question;
  question.ranks = number_of_ranks(request);
  question.source = request.text("source");
  question.algorithm = request.text("algorithm");
  question.min_gain = Unpacker(request.text("min_gain")).get<double>();
  question.has_state = request.text("has_state") == "1";
  question.keep_local = request.text("keep_local") == "1";
  if (const auto state = request.get("state")) {
    Unpacker unpacker(*state);
    question.state_bytes = unpacker.get<double>();
    question.remaining = unpacker.get<double>();
  }
  question.keep_rank0 = request.text("keep_rank0") != "0";
  if (const auto job = request.get("job")) question.job = unpack_job(*job);
  const auto launched = launcher_ranks(request, question.ranks);
  const std::string topology = request.text("topology");
  if (topology.empty() || topology == "job") {
    question.machine = parse_machine("job", &question.job);
  } else {
    take_slots(launched, *parse_machine(topology, &question.job, "KITH_TOPOLOGY"), question);
  }
  take_local_indices(launched, question);
  return question;
}

TrafficMatrix Question::seated(const TrafficMatrix& matrix) const {
  TrafficMatrixBuilder builder(matrix.ranks(), matrix.entries());
  for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
    const auto destinations = matrix.destinations(Rank(i));
    const auto weights = matrix.weights(Rank(i));
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      builder.add(Rank(seat[i]), Rank(seat[destinations[k].value]), weights[k]);
    }
  }
  return builder.build();
}

std::vector<std::uint32_t> Question::ranks_of_seats(
    const std::vector<std::uint32_t>& rank_of) const {
  std::vector<std::uint32_t> at(seat.size());
  for (std::uint32_t i = 0; i < ranks; ++i) at[seat[i]] = i;
  std::vector<std::uint32_t> result(rank_of.size());
  for (std::uint32_t i = 0; i < ranks; ++i) result[i] = at[rank_of[seat[i]]];
  return result;
}

}  // namespace kith::tools
