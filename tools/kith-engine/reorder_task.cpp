#include "kith-engine/reorder_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "kith-engine/declared_grid.hpp"
#include "kith-engine/job_cpus.hpp"
#include "kith-engine/question.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "kith/machine.hpp"
#include "kith/reorder.hpp"
#include "protocol/job_packing.hpp"
#include "protocol/packer.hpp"

namespace kith::tools {
namespace {

// new_rank[i]: the rank that rank i is to have. Every process's slot is taken exactly once.
std::string new_ranks(const Mapping& mapping, const Question& question, const std::string& where) {
  const Machine& machine = *question.machine;
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> rank_on(mapping.ranks(), none);
  for (std::uint32_t r = 0; r < mapping.ranks(); ++r) {
    const Slot slot = mapping[Rank(r)];
    const bool held = machine.allowed().contains(slot);
    const std::uint64_t j = held ? machine.allowed().index_of(slot) : mapping.ranks();
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
  return fmt::format(
      "{}", fmt::join(question.seat.empty() ? rank_on : question.ranks_of_seats(rank_on), " "));
}

bool is_identity(const Mapping& mapping, const Machine& machine) {
  return mapping == identity_mapping(mapping.ranks(), machine, 1);
}

Exchange stay(std::string reason) {
  Exchange answer;
  answer.set("apply", "0");
  answer.set("reason", std::move(reason));
  return answer;
}

// A mapping file is the user's will: applied as it stands.
Exchange apply_mapping(const Question& question, const MappingFile& file) {
  const std::string name = std::filesystem::path(question.source).filename().string();
  if (file.mapping.ranks() != question.ranks) {
    throw bad_input(question.source,
                    fmt::format("a mapping of this job's {} ranks", question.ranks),
                    fmt::format("{} ranks", file.mapping.ranks()));
  }
  if (file.hosts && *file.hosts != question.job.hosts_digest()) {
    Exchange answer =
        stay(fmt::format("{} was made for other hosts, or another order of them", name));
    answer.set("refused", "1");
    return answer;
  }
  const std::string order = new_ranks(file.mapping, question, question.source);
  if (is_identity(file.mapping, *question.machine)) {
    return stay(fmt::format("{} keeps every rank where the launcher put it", name));
  }
  std::uint32_t moved = 0;
  for (std::uint32_t r = 0; r < question.ranks; ++r) {
    moved += file.mapping[Rank(r)] != question.machine->allowed().at(r) ? 1 : 0;
  }
  Exchange answer;
  answer.set("apply", "1");
  answer.set("new_rank", order);
  answer.set("moved", std::to_string(moved));
  answer.set("reason",
             fmt::format("as {} says, {} of {} ranks moved", name, moved, question.ranks));
  return answer;
}

/// What a trace tells beside the traffic, as far as the mapper goes by it.
void use_rank_facts(const Trace& trace, const Mapper& mapper, MapOptions& options) {
  if (mapper.uses(ExtraInput::loads)) options.loads = loads_of(trace);
  if (mapper.uses(ExtraInput::coordinates)) options.coordinates = coordinates_of(trace);
}

}  // namespace

Exchange map_traffic(const Question& question, const TrafficMatrix& matrix, const Trace* earlier) {
  if (matrix.ranks() != question.ranks) {
    throw bad_input(question.source, fmt::format("traffic of this job's {} ranks", question.ranks),
                    fmt::format("{} ranks", matrix.ranks()));
  }
  ReorderOptions options;
  options.algorithm = find_algorithm(question.algorithm, "KITH_ALGORITHM");
  options.map.objective = default_objective(*question.machine);
  options.map.effort = Effort::fast;
  options.map.threads = use_cpus_of_job(question.job);
  options.min_gain = question.min_gain;
  options.has_state = question.has_state;
  options.keep_local = question.keep_local;
  options.local_indices = question.local_indices;
  options.state_bytes = question.state_bytes;
  options.remaining = question.remaining;
  const bool is_turned = !question.seat.empty();
  if (earlier != nullptr && !is_turned) {
    use_rank_facts(*earlier, *options.algorithm.mapper, options.map);
  }
  options.keep_rank0 = question.keep_rank0 && !is_turned;
  if (question.keep_rank0 && is_turned) {
    const std::uint32_t seat = question.seat[0];
    options.map.fixed.push_back({Rank(seat), question.machine->allowed().at(seat)});
  }
  const ReorderDecision decision =
      decide_reorder(is_turned ? question.seated(matrix) : matrix, *question.machine, options);

  const auto cost = [&](const Metrics& metrics) {
    return fmt::format("{:.6f}", goal_value(decision.goal, metrics, decision.before));
  };
  Exchange answer = stay(decision.reason);
  answer.set("algorithm", decision.algorithm);
  answer.set("threads", std::to_string(options.map.threads));
  answer.set("cost_before", cost(decision.before));
  answer.set("cost_after", cost(decision.after));
  answer.set("moved", std::to_string(decision.moved));
  answer.set("moving_cost", fmt::format("{:.6f}", decision.moving_cost));
  answer.set("saving", fmt::format("{:.6f}", std::max(decision.saving, 0.0)));
  if (decision.apply) {
    answer.set("apply", "1");
    answer.set("new_rank", new_ranks(decision.mapping, question, "the mapping"));
  }
  return answer;
}

TrafficMatrix unpack_traffic(std::string_view bytes, std::uint32_t ranks) {
  TrafficMatrixBuilder builder(ranks, bytes.size() / 16);
  Unpacker unpacker(bytes);
  while (!unpacker.done()) {
    const auto source = unpacker.get<std::uint32_t>();
    const auto destination = unpacker.get<std::uint32_t>();
    if (source >= ranks || destination >= ranks) throw bad_input("request", "ranks", "others");
    builder.add(Rank(source), Rank(destination), unpacker.get<std::uint64_t>());
  }
  return builder.build();
}

Exchange reorder_task(const Exchange& request) {
  const Question question = read_question(request);
  if (const auto traffic = request.get("traffic")) {
    return map_traffic(question, unpack_traffic(*traffic, question.ranks), nullptr);
  }
  if (request.get("dims"))
    return map_traffic(question, grid_traffic(request, question.ranks), nullptr);
  if (is_mapping_file(question.source)) {
    return apply_mapping(question, read_mapping(question.source));
  }
  const Trace earlier = read_trace(question.source);
  return map_traffic(question, earlier.bytes, &earlier);
}

}  // namespace kith::tools
