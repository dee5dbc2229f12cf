// Seconds of the order that a job is about to take, by the timeline of an earlier run.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "core/plain_text.hpp"
#include "kith-engine/tasks.hpp"
#include "kith/error.hpp"
#include "simulate/predictor.hpp"
#include "simulate/time_asleep.hpp"
#include "timeline/timeline_files.hpp"
#include "timeline/traffic.hpp"

namespace kith::tools {
namespace {

/// Until the job waits no longer; nothing: it waits for ever.
std::optional<double> seconds_left() {
  const unsigned left = alarm(0);
  if (left == 0) return std::nullopt;
  alarm(left);
  return left;
}

/// All ranks wait meanwhile; where there is little time the order itself must not be late.
bool is_quick(double seconds, double most) {
  constexpr double share_of_rest = 0.25;
  return seconds <= std::min(most, share_of_rest * seconds_left().value_or(1e9));
}

/// Where a job has more operations, passes of its loops are left out.
constexpr std::uint64_t enough_operations = 500'000;
/// Calls that send nothing take time to read, too.
constexpr std::uint64_t most_operations = 2'000'000;

struct RecordedRun {
  std::uint64_t messages = 0;  ///< of collectives, too: of some a call sends as many as ranks
  double seconds = 0;
};

RecordedRun recorded_in(timeline::TimelineFiles& files) {
  RecordedRun run;
  for (const std::uint32_t rank : files.ranks()) {
    const timeline::RankTimeline timeline = files.read(rank);
    run.seconds = std::max(run.seconds, timeline.run_seconds);
    for (const timeline::TrafficCell& cell : timeline::traffic_of(timeline)) {
      run.messages += cell.messages;
    }
  }
  return run;
}

/// The earlier run on its own machine; nothing where that takes long, or it is not known whole.
std::optional<simulate::Predictor> predictor_of(const std::filesystem::path& earlier,
                                                const JobDescription& job,
                                                const LongestWait& longest,
                                                const Machine& machine) {
  if (!timeline::TimelineFiles::has_timeline(earlier)) return std::nullopt;
  timeline::TimelineFiles files(earlier);
  const timeline::LoopCut cut(files, enough_operations);
  if (cut.kept_operations() > most_operations) return std::nullopt;
  const RecordedRun run = recorded_in(files);
  const double needed = simulate::seconds_to_predict(cut.kept_of(run.messages), 2, machine);
  const double most = std::min(longest.seconds, longest.share_of_run * run.seconds);
  if (!is_quick(needed, most)) return std::nullopt;
  simulate::JobReplay replay =
      simulate::read_job_replay(files, {enough_operations, most_operations});
  const auto ranks = static_cast<std::uint32_t>(job.processes.size());
  simulate::check_whole(replay, earlier.string(), ranks);
  simulate::PredictorOptions options;
  options.simulation.crowded = simulate::crowded_hosts(job, machine);
  simulate::add_time_asleep(
      replay, files, simulate::ranks_per_processor(options.simulation.crowded, job, machine));
  return simulate::Predictor(std::move(replay), machine,
                             simulate::recorded_order(job, ranks, machine), options);
}

/// Throws Error where the timeline is damaged, or does not fit the machine.
void compare_seconds(const std::filesystem::path& earlier, const JobDescription& job,
                     const LongestWait& longest, const Places& places,
                     protocol::ReorderAnswer& answer) {
  const std::unique_ptr<Machine> recorded_on = parse_machine("job", &job);
  auto predictor = predictor_of(earlier, job, longest, *recorded_on);
  if (!predictor || !predictor->simulated_seconds()) return;
  // What was measured for this job counts more than what an earlier run tells.
  predictor->move_to(*places.machine,
                     simulate::is_network_unknown(*places.machine) ? predictor->network()
                                                                   : simulate::NetworkOptions{},
                     1);
  const auto seconds_of = [&](const Mapping& mapping) {
    return predictor->expected(predictor->run(mapping));
  };
  const simulate::Seconds now = seconds_of(places.present);
  const simulate::Seconds then = seconds_of(mapping_of(places.present, answer.new_rank));
  const std::string words = fmt::format(
      "{} predicted ({}..{}), {} in the present order; the recorded run took {}, simulated {}{}",
      short_seconds(then.seconds), short_seconds(then.low), short_seconds(then.high),
      short_seconds(now.seconds), short_seconds(predictor->recorded_seconds()),
      short_seconds(*predictor->simulated_seconds()),
      predictor->links().assumptions().empty() ? "" : "; some speeds are assumed");
  if (simulate::saves_no_time(then, now, predictor->miss())) {
    answer.apply = false;
    answer.new_rank.clear();
    answer.reason = fmt::format("the order by {} would save no time: {} ({})", answer.algorithm,
                                words, answer.reason);
    return;
  }
  const bool is_clear = simulate::is_difference_clear(then, now, predictor->miss());
  if (!is_clear && std::abs(predictor->miss().value_or(0)) > simulate::large_miss) {
    answer.reason +=
        fmt::format("; seconds are not compared: the recorded run took {}, its simulation says {}",
                    short_seconds(predictor->recorded_seconds()),
                    short_seconds(*predictor->simulated_seconds()));
    return;
  }
  answer.reason += (is_clear ? "; " : "; in seconds the difference is unclear: ") + words;
}

}  // namespace

void add_seconds(const std::filesystem::path& earlier, const JobDescription& job,
                 const LongestWait& longest, const Places& places,
                 protocol::ReorderAnswer& answer) {
  try {
    compare_seconds(earlier, job, longest, places, answer);
  } catch (const Error& error) {  // the order holds without its seconds
    answer.reason += fmt::format("; its seconds are not known: {}", error.what());
  }
}

}  // namespace kith::tools
