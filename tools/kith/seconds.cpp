#include "seconds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <utility>

#include "core/plain_text.hpp"
#include "io/format/trace_text.hpp"
#include "kith/detail/job.hpp"
#include "kith/error.hpp"
#include "output.hpp"
#include "simulate/time_asleep.hpp"
#include "timeline/loop_cut.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::tools {
namespace {

/// That call MPI, of the rank with most of them.
std::uint32_t most_threads(const simulate::JobReplay& job) {
  std::uint32_t most = 0;
  std::uint32_t of_rank = 0;
  for (std::size_t i = 0; i < job.processes.size(); ++i) {
    of_rank = i > 0 && job.processes[i].rank == job.processes[i - 1].rank ? of_rank + 1 : 1;
    most = std::max(most, of_rank);
  }
  return most;
}

/// What most likely made the simulation miss the recorded run.
std::string cause_of_miss(const simulate::Predictor& predictor, double miss) {
  constexpr double much = 0.2;  // of a rank's run, asleep
  if (!predictor.crowded_when_recorded().empty()) {
    return fmt::format(
        "{}; how they took turns, and whether they slept, is not known. Record a run with a "
        "processor for each rank to see its seconds{}",
        simulate::crowding_text(predictor.crowded_when_recorded()),
        miss < 0 && predictor.guesses_network() ? ", and measure the network (kith probe)" : "");
  }
  if (const std::uint32_t threads = most_threads(predictor.job()); threads > 1) {
    return fmt::format(
        "up to {} threads of a rank call MPI at a time; how they shared its "
        "processors is not known",
        threads);
  }
  const double missed = -miss * predictor.job().recorded_seconds;
  if (const double displaced = predictor.job().displaced; 3 * displaced > missed && miss < 0) {
    return fmt::format(
        "a rank waited up to {} for a processor that others had (other "
        "programs, or more threads than processors)",
        short_seconds(displaced));
  }
  constexpr double little = 0.05;  // of a rank's run
  if (miss < 0 && predictor.job().asleep > little) {
    return fmt::format(
        "for up to {:.0f}% of its time a rank slept, waited for files or had no processor, and "
        "when "
        "it did is known in part only",
        100 * predictor.job().asleep);
  }
  if (miss < 0) {
    return fmt::format(
        "{}something that it does not know took time (ranks that slept, read files or shared "
        "processors, slower links than assumed); --link and kith probe tell it more",
        predictor.job().displaced > little * predictor.job().recorded_seconds
            ? fmt::format("a rank waited {} for a processor that others had, and ",
                          short_seconds(predictor.job().displaced))
            : "");
  }
  if (predictor.job().asleep > much) {
    return "when its ranks slept, or waited for files, is not known: spread over their computing "
           "they wait for each other longer than they did";
  }
  return "ranks waited less, or links or processors are faster, than it assumes (--link, --cpus, "
         "kith probe)";
}

void put_known(JsonText& json, const char* key, const std::optional<double>& value) {
  json.key(key);
  if (value) {
    json.value(*value);
  } else {
    json.null();
  }
}

/// Seconds of the run on the machine that it ran on, whatever machine is asked about: how far the
/// simulation can be believed. Nothing where the places of its ranks are not known.
std::optional<double> simulated_there(simulate::JobReplay& job, const Trace& trace,
                                      const Machine& ran_on,
                                      const std::vector<simulate::CrowdedHost>& crowded) {
  const auto recorded = simulate::recorded_order(*trace.job, trace.bytes.ranks(), ran_on);
  if (!recorded) return std::nullopt;
  simulate::PredictorOptions options;
  options.simulation.crowded = crowded;
  simulate::Predictor there(std::move(job), ran_on, recorded, options);
  const std::optional<double> seconds = there.simulated_seconds();
  job = std::move(there).take_job();
  return seconds;
}

}  // namespace

std::unique_ptr<Machine> machine_of_run(const Trace& trace) {
  if (!trace.job) return nullptr;
  try {
    return parse_machine("job", &*trace.job);
  } catch (const Error&) {
    return nullptr;
  }
}

std::string miss_text(const simulate::Predictor& predictor) {
  const double miss = predictor.miss().value_or(0);
  return fmt::format("the simulation misses the recorded run by {:.0f}%: {}", 100 * std::abs(miss),
                     cause_of_miss(predictor, miss));
}

bool has_timeline(const std::string& name) {
  const auto found = find_timeline(name);
  return found && timeline::TimelineFiles::has_timeline(*found);
}

std::filesystem::path trace_with_timeline(const std::string& name) {
  const auto found = find_timeline(name);
  if (found && timeline::TimelineFiles::has_timeline(*found)) return *found;
  throw bad_input(name, "a trace with a timeline, without which nobody can speak of seconds",
                  found                           ? timeline::why_no_timeline(*found)
                  : calls_itself_mapping(name)    ? "a mapping"
                  : std::filesystem::exists(name) ? "a matrix"
                                                  : "nothing of that name");
}

simulate::Predictor predictor_for(const std::string& name, const Trace& trace,
                                  const Machine& machine, simulate::PredictorOptions options,
                                  simulate::ReplaySize size) {
  timeline::TimelineFiles files(trace_with_timeline(name));
  std::unique_ptr<Machine> ran_on;
  std::optional<Mapping> recorded;
  bool is_crowding_known = false;
  std::vector<double> crowding;
  if (trace.job) {
    recorded = simulate::recorded_order(*trace.job, trace.bytes.ranks(), machine);
    const bool is_told = options.simulation.processors > 0 || options.engine;
    if (!is_told) options.simulation.crowded = simulate::crowded_hosts(*trace.job, machine);
    ran_on = machine_of_run(trace);
    if (ran_on) options.crowded_there = simulate::crowded_hosts(*trace.job, *ran_on);
    is_crowding_known = ran_on != nullptr;
    if (ran_on) {
      crowding = simulate::ranks_per_processor(options.crowded_there, *trace.job, *ran_on);
    }
    if (recorded || options.engine) ran_on = nullptr;
  }
  constexpr double settled = 0.02;
  constexpr unsigned most_tries = 3;  // each with four times the operations
  for (unsigned attempt = 1;; ++attempt) {
    simulate::JobReplay job = simulate::read_job_replay(files, size);
    simulate::check_whole(job, name, trace.bytes.ranks());
    if (is_crowding_known && !options.engine) simulate::add_time_asleep(job, files, crowding);
    if (ran_on)
      options.simulated_there = simulated_there(job, trace, *ran_on, options.crowded_there);
    simulate::Predictor predictor(std::move(job), machine, recorded, options);
    const bool is_quick_look = size.most < simulate::enough_operations;
    if (predictor.unsettled() < settled || attempt == most_tries || is_quick_look) return predictor;
    size.most *= 4;
  }
}

std::optional<simulate::Predictor> quick_predictor(const std::string& name, const Trace& trace,
                                                   const Machine& machine, unsigned orders,
                                                   double most_seconds) {
  constexpr std::uint64_t few_operations = 300'000;
  const auto messages = read_trace_part(trace, trace_names::messages);
  if (!trace.job || !messages) return std::nullopt;
  timeline::TimelineFiles files(trace_with_timeline(name));
  const std::uint64_t kept =
      timeline::LoopCut(files, few_operations).kept_of(messages->total(true));
  double needed = simulate::seconds_to_predict(kept, orders, machine);
  if (machine.kind() != "job") {
    if (const auto ran_on = machine_of_run(trace)) {
      needed += simulate::seconds_to_predict(kept, 0, *ran_on);
    }
  }
  if (needed > most_seconds) return std::nullopt;
  try {
    return predictor_for(name, trace, machine, {}, {few_operations, few_operations});
  } catch (const simulate::ReplayTooLong&) {
    return std::nullopt;
  }
}

std::vector<std::string> clock_sentences(const simulate::Predictor& predictor,
                                         const Machine& machine) {
  const std::string recorded = short_seconds(predictor.recorded_seconds());
  const double miss = predictor.miss().value_or(0);
  const auto simulated = [&](const char* what, double seconds) {
    return fmt::format("; simulated {}: {} ({:+.0f}%)", what, short_seconds(seconds), 100 * miss);
  };
  std::vector<std::string> sentences;
  if (predictor.simulated_seconds()) {
    sentences.push_back("recorded: " + recorded +
                        simulated("as recorded", *predictor.simulated_seconds()));
  } else {
    sentences.push_back(
        fmt::format("recorded: {} on another machine than {}{}", recorded, machine.spec(),
                    predictor.simulated_there()
                        ? simulated("on the machine of the run", *predictor.simulated_there())
                        : ": no measurement checks the predicted seconds"));
  }
  if (std::abs(miss) > simulate::large_miss) sentences.push_back(miss_text(predictor));
  return sentences;
}

std::vector<std::string> assumptions_of(const simulate::Predictor& predictor) {
  std::vector<std::string> basis;
  if (predictor.fitted_bandwidth()) {
    basis.push_back(fmt::format(
        "bandwidth between hosts: {:.3g} MB/s, so that the recorded order takes as long as it did "
        "(kith probe measures it)",
        *predictor.fitted_bandwidth()));
  }
  if (predictor.turn_of_waiting() < 1) {
    basis.push_back(fmt::format(
        "shared processors: a rank that waits takes {:.0f}% of the turn of one that computes, by "
        "how long computing took in the recorded run",
        100 * predictor.turn_of_waiting()));
  }
  if (predictor.fitted_computing()) {
    basis.push_back(
        fmt::format("computing: {:.2f} times as long as recorded, since ranks take turns on "
                    "processors: so that the recorded order takes as long as it did",
                    *predictor.fitted_computing()));
  }
  if (predictor.job().is_cut_short) {
    basis.push_back(fmt::format(
        "simulated: the first {} of a run that did not end: so far the timelines of all "
        "its ranks go",
        short_seconds(predictor.recorded_seconds())));
  }
  if (predictor.job().covered < 1) {
    basis.push_back(
        fmt::format("simulated: the first {:.0f}% of the run, as the timeline leaves out the rest "
                    "(KITH_TIMELINE_MEMORY), which is taken to go on like its beginning",
                    100 * predictor.job().covered));
  }
  if (predictor.job().asleep > 0) {
    basis.push_back(fmt::format(
        "up to {:.0f}% of a rank's time went by outside MPI without a processor (asleep, "
        "files, devices): simulated where long stretches of it were recorded, the rest spread over "
        "its computing{}",
        100 * predictor.job().asleep,
        predictor.crowded_when_recorded().empty()
            ? ""
            : "; what ranks waited for others on their processor is not counted in it"));
  }
  const timeline::LoopCut& cut = predictor.job().cut;
  if (!cut.is_empty()) {
    basis.push_back(
        fmt::format("simulated: {:.1f} of {:.1f} million operations; passes of loops that were "
                    "left out take as long "
                    "as "
                    "the last ones that were not",
                    1e-6 * static_cast<double>(cut.kept_operations()),
                    1e-6 * static_cast<double>(cut.operations())));
  }
  std::vector<std::string> assumed = predictor.links().assumptions();
  if (predictor.gives_own_processors()) {
    assumed.insert(assumed.begin(),
                   fmt::format("a processor for each slot (--cpus; when recorded, {})",
                               simulate::crowding_text(predictor.crowded_when_recorded())));
  }
  if (predictor.has_network() && !predictor.is_sharing_said()) {
    assumed.emplace_back(predictor.sharing() == simulate::Sharing::queued
                             ? "messages wait for each other on links, as over TCP: hosts reach "
                               "each other at 10 Gbit/s or less (--sharing)"
                             : "messages on a link share it fairly (--sharing)");
  }
  if (!assumed.empty()) basis.push_back(fmt::format("assumed: {}", fmt::join(assumed, "; ")));
  if (predictor.job().one_ended_messages > 0) {
    basis.push_back(fmt::format("{} messages have only one end in the timeline and take no time",
                                predictor.job().one_ended_messages));
  }
  return basis;
}

std::string basis_lines(const simulate::Predictor& predictor, const Machine& machine,
                        const std::optional<std::string>& phase) {
  std::string text;
  for (const auto& sentences : {clock_sentences(predictor, machine), assumptions_of(predictor)}) {
    for (const std::string& sentence : sentences) text += printable(sentence) + '\n';
  }
  if (machine.spec().starts_with("simgrid:")) {
    text +=
        "the speeds that the platform's file tells are not read: --link LEVEL=MB/s,us gives "
        "them (kith topo names the levels)\n";
  }
  if (phase) {
    text += fmt::format("all seconds are of the whole run; orders are made for phase '{}'\n",
                        printable(*phase));
  }
  return text;
}

std::string range_text(const simulate::Seconds& seconds) {
  return fmt::format("{}..{}", short_seconds(seconds.low), short_seconds(seconds.high));
}

void put_basis(JsonText& json, const simulate::Predictor& predictor) {
  json.key("recorded_seconds").value(predictor.recorded_seconds());
  put_known(json, "simulated_seconds", predictor.simulated_seconds());
  put_known(json, "simulated_there_seconds", predictor.simulated_there());
  put_known(json, "fitted_megabytes_per_s", predictor.fitted_bandwidth());
  put_known(json, "fitted_computing", predictor.fitted_computing());
  json.key("assumptions").begin_array();
  for (const std::string& one : predictor.links().assumptions()) json.value(one);
  json.end_array();
  const timeline::LoopCut& cut = predictor.job().cut;
  json.key("operations").value(predictor.job().operations);
  json.key("simulated_operations")
      .value(cut.is_empty() ? predictor.job().operations : cut.kept_operations());
  json.key("covered").value(predictor.job().covered);
  json.key("one_ended_messages").value(predictor.job().one_ended_messages);
}

}  // namespace kith::tools
