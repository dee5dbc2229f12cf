// KITH_REORDER=auto: the order by the profile of an earlier run, and the profile of this one.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/digest.hpp"
#include "core/plain_text.hpp"
#include "core/this_process.hpp"
#include "kith-engine/tasks.hpp"
#include "kith/detail/goal.hpp"
#include "kith/error.hpp"
#include "objective/network_time.hpp"
#include "profile/profile.hpp"
#include "simulate/crowding.hpp"

namespace kith::tools {
namespace {

/// Of arguments as /proc has them: each ends with a NUL; the first is the program's name.
std::vector<std::string> arguments_of(std::string_view command) {
  std::vector<std::string> words;
  while (!command.empty()) {
    const std::size_t end = std::min(command.find('\0'), command.size());
    words.emplace_back(command.substr(0, end));
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  if (!words.empty()) words.erase(words.begin());
  return words;
}

ProgramIdentity identity_of(const std::vector<protocol::Program>& programs) {
  ProgramIdentity identity;
  for (const protocol::Program& program : programs) {
    ProgramPart part;
    part.ranks = program.ranks;
    part.path = program.path;
    part.build = program.build;
    part.arguments = arguments_of(program.command);
    identity.push_back(std::move(part));
  }
  if (identity.empty()) throw bad_input("request", "a program", "none");
  return identity;
}

/// The reason of a run without a profile begins so.
constexpr std::string_view first_run = "first run";

protocol::ReorderAnswer record_only(std::string reason) {
  protocol::ReorderAnswer answer;
  answer.reason = std::move(reason);
  return answer;
}

/// Where the job keeps its profiles, and under which name this run's is.
struct ProfilePlace {
  ProfileSettings settings;
  ProfileKey key;
};

ProfilePlace place_of(const std::vector<protocol::Program>& programs) {
  ProfilePlace place{read_profile_settings(), {}};
  place.key = key_of(identity_of(programs), place.settings);
  return place;
}

/// To six decimals: as profiles tell it.
double rounded(double share) {
  constexpr double parts = 1e6;
  return std::round(share * parts) / parts;
}

std::string percent(double share) {
  return fmt::format("{:.3g}%", 100 * share);
}

std::string change_text(double share) {
  return share <= 1 ? percent(1 - share) + " less" : percent(share - 1) + " more";
}

/// What an order is worth for some traffic, compared with the launcher's.
class Worth {
 public:
  /// Throws Error (input) if new_rank has another number of ranks than the traffic or the job.
  Worth(const Places& places, const std::vector<std::uint32_t>& new_rank,
        const TrafficMatrix& traffic)
      : machine_(*places.machine), goal_(goal_of_job(machine_)) {
    if (new_rank.size() != places.present.ranks() || traffic.ranks() != new_rank.size()) {
      throw bad_input("request", fmt::format("an order of {} ranks", places.present.ranks()),
                      fmt::format("{}", new_rank.size()));
    }
    const TrafficGraph graph = TrafficGraph::from(traffic);
    before_ = evaluate(traffic, graph, machine_, places.present);
    after_ = evaluate(traffic, graph, machine_, mapping_of(places.present, new_rank));
  }

  /// What is minimised, as a share of that in the launcher's order.
  std::optional<double> share() const {
    const std::uint64_t before = goal_units(goal_, before_, before_);
    if (before == 0) return std::nullopt;
    return static_cast<double>(goal_units(goal_, after_, before_)) / static_cast<double>(before);
  }

  /// "31% less hop-bytes than in the launcher's order"; of several hosts what the busiest is
  /// spared.
  std::string text() const {
    const std::string network =
        goal_.has(Criterion::network_time) ? network_gain_text(before_, after_, machine_) : "";
    if (!network.empty()) return network;
    if (!share()) return "";
    return fmt::format("{} {} than in the launcher's order", change_text(*share()), goal_.name());
  }

 private:
  const Machine& machine_;
  Goal goal_;
  Metrics before_;
  Metrics after_;
};

/// Of the launcher's order: seconds of runs in another one are no measure for it.
std::string layout_of(const protocol::Situation& situation) {
  if (!situation.job) return "-";
  const std::string hosts = Digest().add(situation.job->hosts_digest()).hex();
  return situation.topology.empty() ? hosts
                                    : hosts + layout_mark + Digest().add(situation.topology).hex();
}

bool shares_processors(const protocol::Situation& situation) {
  return situation.job && simulate::shared_processors(*situation.job);
}

/// "the last reordered run took 6.2 s, the last one in the launcher's order 5.3 s; ...", where an
/// order that promises as much as the one of now was tried and was clearly slower; else empty.
std::string tried_and_slower(const ProfileHistory& history, double predicted,
                             const protocol::Situation& situation) {
  constexpr double better_promise = 0.01;
  constexpr double times_of_chance = 3;
  const std::uint64_t wait = runs_to_wait(history);
  if (wait == 0 || !history.predicted) return "";
  if (predicted < *history.predicted - better_promise) return "";
  const bool may_be_chance = *history.seconds_reordered < times_of_chance * *history.seconds;
  if (may_be_chance && shares_processors(situation)) return "";
  return fmt::format(
      "the last reordered run took {:.3g} s, the last one in the launcher's order {:.3g} s; it is "
      "tried again {}",
      *history.seconds_reordered, *history.seconds,
      wait == 1 ? "in the next run" : fmt::format("in {} runs", wait));
}

/// By the timeline of the run that recorded the profile. All ranks wait: at most a hundredth of the
/// time that the job takes; a tenth where no run has measured yet what the order is worth.
void add_seconds_of_profile(const ProfilePlace& place, const Profile& profile, const Places& places,
                            protocol::ReorderAnswer& answer) {
  LongestWait longest;
  longest.share_of_run = profile.history.seconds_reordered ? 0.01 : 0.1;
  const ProfileStore store(place.settings);
  if (!store.has_timeline(profile.key.name)) return;
  const std::filesystem::path folder = store.timeline_of(profile.key.name);
  try {
    add_seconds(folder, read_job(folder), longest, places, answer);
  } catch (const Error&) {
    // Its machine.json is damaged.
  }
}

/// The order that `profile` suggests, unless it was tried, or is predicted, to take longer.
/// `begun` gets what the end of the run has to know.
protocol::ReorderAnswer order_worth_taking(const protocol::Situation& situation,
                                           const Profile& profile, const ProfilePlace& place,
                                           protocol::BegunRun& begun) {
  const Places places = places_of(situation);
  const std::string layout = layout_of(situation);
  const bool is_same_layout = profile.history.layout == layout;
  SentTraffic traffic{profile.traffic, profile.traffic, std::nullopt};
  if (hosts_of_layout(profile.history.layout) == hosts_of_layout(layout) &&
      !shares_processors(situation)) {
    traffic.wall_seconds = profile.history.seconds;
  }
  auto answer = order_for(situation, places, traffic, "");
  if (!answer.apply) return answer;
  const std::optional<double> share = Worth(places, answer.new_rank, profile.traffic).share();
  if (share && is_same_layout) {
    const std::string slower = tried_and_slower(profile.history, rounded(*share), situation);
    if (!slower.empty()) return record_only(slower + " (" + answer.reason + ")");
  }
  if (answer.apply && profile.history.runs > 1) {
    answer.reason = fmt::format("by {} runs (the last one counts half), {}", profile.history.runs,
                                answer.reason);
  }
  add_seconds_of_profile(place, profile, places, answer);
  if (answer.apply && share) begun.predicted = rounded(*share);
  return answer;
}

/// By the profile, where there is one to go by.
protocol::ReorderAnswer order_by_profile(const protocol::Situation& situation,
                                         const FoundProfile& found, const ProfilePlace& place,
                                         protocol::BegunRun& begun) {
  if (!found.profile) {
    if (!found.damage.empty()) return record_only("the profile was damaged: " + found.damage);
    const bool has_relatives = !ProfileStore(place.settings).relatives(place.key).empty();
    return record_only(
        std::string(first_run) +
        (has_relatives ? " with these arguments (KITH_PROFILE_ARGS says which count)" : ""));
  }
  if (found.profile->key.build != place.key.build) {
    return record_only(fmt::format("the program was rebuilt since profile {} was recorded",
                                   found.profile->key.name));
  }
  return order_worth_taking(situation, *found.profile, place, begun);
}

/// Where nothing is known of the program: notes that this run began, and tells of an earlier one
/// that did not end. A job that always ends at its time limit would never hear of it.
std::string note_first_run(const ProfilePlace& place, bool is_check) {
  const UnfinishedRuns runs(place.settings);
  const auto earlier = runs.earlier(place.key.name);
  const FileSizeSignalBlocked guard;
  if (!is_check) runs.begin(place.key.name);  // a check changes nothing
  if (!earlier) return "";
  const auto time = static_cast<std::time_t>(*earlier);
  std::tm local{};
  if (localtime_r(&time, &local) == nullptr) return "";
  return fmt::format(
      "auto: no order yet: the run of this program that began on {:%Y-%m-%d at %H:%M} has not "
      "reached MPI_Finalize, where a run is learned from (what a killed run leaves with "
      "--trace NAME does as well: then --reorder NAME.kith.partial)",
      local);
}

std::uint64_t seconds_since_1970() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(
      duration_cast<seconds>(system_clock::now().time_since_epoch()).count());
}

/// What became of the profile, as a clause.
std::string renewal_text(const RenewedProfile& renewed, bool was_rebuilt, std::string_view damage) {
  const std::string& name = renewed.profile.key.name;
  switch (renewed.renewal) {
    case Renewal::first:
      return damage.empty() ? "recorded as profile " + name : "recorded anew as profile " + name;
    case Renewal::blended:
      return was_rebuilt ? fmt::format("its traffic is as before, profile {} holds", name)
                         : fmt::format("profile {}, run {}", name, renewed.profile.history.runs);
    case Renewal::replaced:
      break;
  }
  return fmt::format("the traffic is not what profile {} says (similarity {:.2f}): recorded anew",
                     name, renewed.similarity.value_or(0));
}

/// What the run came to, before its profile is spoken of.
std::string outcome_text(const protocol::AutoEndRequest& request, const Worth* worth) {
  if (request.new_rank.empty()) return "order unchanged: " + request.reason;
  std::string text = "ranks reordered";
  if (worth != nullptr && !worth->text().empty()) text += ": " + worth->text() + ", in this run";
  return text;
}

/// Whether a machine was made up that the job does not run on: its ranks share one host.
bool is_made_up(const protocol::Situation& situation) {
  return !situation.topology.empty() && situation.job && situation.job->hosts.size() == 1;
}

/// "measured: 5.2 s instead of 10.9 s in the launcher's order (the last run of each); ", of a
/// reordered run that did what the profile says, on the same hosts.
std::string seconds_text(const RenewedProfile& renewed, const protocol::Situation& situation) {
  const ProfileHistory& history = renewed.profile.history;
  if (renewed.renewal != Renewal::blended || !history.seconds_reordered) return "";
  if (!has_comparable_seconds(history)) {
    return "seconds are not compared: no run of this build in the launcher's order is known that "
           "sent as much on these hosts; ";
  }
  if (is_made_up(situation)) {
    return "seconds are not compared: the order is for another machine than this one; ";
  }
  return fmt::format(
      "measured: {:.3g} s instead of {:.3g} s in the launcher's order (the last run of each{}); ",
      *history.seconds_reordered, *history.seconds,
      shares_processors(situation) ? ", ranks shared processors" : "");
}

/// A profile from which the arguments of a run differ.
struct Relative {
  Profile profile;
  std::vector<std::uint32_t> positions;  ///< of these arguments
  bool is_same_work = false;
};

std::vector<Relative> relatives_of(const RecordedRun& run, const ProfileStore& store) {
  constexpr std::size_t most_read = 16;  // the rank that calls waits
  std::vector<Relative> relatives;
  for (const ProfileHeader& header : store.relatives(run.key)) {
    if (relatives.size() == most_read) break;
    auto positions = differing_arguments(header.key, run.key);
    FoundProfile known = store.find(header.key);
    if (!positions || !known.profile) continue;
    const bool is_same = is_same_work(known.profile->traffic, run.traffic, *positions);
    relatives.push_back({std::move(*known.profile), std::move(*positions), is_same});
  }
  return relatives;
}

/// A run that no profile is for: one from which it differs by few arguments, and not in its
/// traffic, becomes its own, unless another one shows that these arguments do make a difference.
/// `run.key` is then that profile's; the clause that says so.
std::string join(const ProfilePlace& place, FoundProfile& found, RecordedRun& run) {
  std::vector<Relative> relatives = relatives_of(run, ProfileStore(place.settings));
  const auto makes_difference = [&](const std::vector<std::uint32_t>& positions) {
    return std::ranges::any_of(relatives, [&](const Relative& other) {
      return !other.is_same_work && std::ranges::includes(positions, other.positions);
    });
  };
  const auto joined = std::ranges::find_if(relatives, [&](const Relative& one) {
    return one.is_same_work && !one.positions.empty() && !makes_difference(one.positions);
  });
  if (joined == relatives.end()) return "";
  run.key = joined->profile.key;
  auto& free = run.key.free_arguments;
  free.insert(free.end(), joined->positions.begin(), joined->positions.end());
  std::ranges::sort(free);
  found.profile = std::move(joined->profile);
  return fmt::format("{} made no difference to the pattern of the traffic, and no longer {}: ",
                     positions_text(joined->positions),
                     joined->positions.size() == 1 ? "counts" : "count");
}

/// A profile that runs with other arguments share is this run's, too, unless it did something else:
/// then it gets one of its own.
void take_or_part(FoundProfile& found, RecordedRun& run) {
  if (!found.profile) return;
  const ProfileKey& known = found.profile->key;
  const bool is_own = known.name == run.key.name;
  if (cosine_similarity(found.profile->traffic, run.traffic).value_or(0) >= alike_from) {
    if (is_own) run.key.free_arguments = known.free_arguments;
    if (!is_own) {
      std::string build = std::move(run.key.build);
      run.key = known;
      run.key.build = std::move(build);
    }
  } else if (!is_own) {
    found.profile.reset();
    run.predicted.reset();
  }
}

/// Saves what `run` makes of the profile that was found, with its timeline; the clause that says
/// so.
std::string renew(const ProfilePlace& place, const FoundProfile& found, RecordedRun run,
                  const protocol::AutoEndRequest& request) {
  const ProfileStore store(place.settings);
  const bool was_rebuilt = found.profile && found.profile->key.build != run.key.build;
  const bool is_reordered = run.is_reordered;
  const RenewedProfile result = renewed(found.profile, std::move(run));
  const FileSizeSignalBlocked guard;
  const std::string& name = result.profile.key.name;
  // It is that of a run which did something else.
  if (result.renewal != Renewal::blended || was_rebuilt) store.remove_timeline(name);
  store.save(result.profile, request.timeline);
  const bool is_lost = !request.timeline.empty() && !store.has_timeline(name);
  return (is_reordered ? seconds_text(result, request.situation) : "") +
         renewal_text(result, was_rebuilt, found.damage) +
         (is_lost ? ", without its timeline (KITH_PROFILE_BYTES)" : "");
}

}  // namespace

protocol::AutoBeginAnswer begin_run(const protocol::AutoBeginRequest& request) {
  ProfilePlace place = place_of(request.programs);
  protocol::AutoBeginAnswer answer;
  FoundProfile found;
  try {
    const ProfileStore store(place.settings);
    if (!request.is_check) store.prepare();  // a check changes nothing
    found = store.find(place.key);
    if (found.profile)
      place.key.name = found.profile->key.name;  // that of others, with other arguments
  } catch (const Error& error) {
    answer.order = record_only(error.what());  // not kept: there is nowhere to keep it
    return answer;
  }
  answer.begun.home = place.settings.home.string();
  const ProfileStore store(place.settings);
  const bool is_first = !found.profile || found.profile->key.build != place.key.build;
  if (is_first || !store.has_timeline(place.key.name)) {
    answer.begun.timeline = store.timeline_of(place.key.name).string();
  }
  try {
    answer.order = order_by_profile(request.situation, found, place, answer.begun);
  } catch (const Error& error) {
    // Of the machine or the settings: to record needs neither.
    answer.order = record_only(error.what());
  }
  answer.is_kept = true;
  std::vector<std::string> warnings = place.settings.warnings;
  if (!found.profile && found.damage.empty()) {
    const std::string note = note_first_run(place, request.is_check);
    if (!note.empty()) warnings.push_back(note);
  }
  answer.warnings = fmt::format("{}", fmt::join(warnings, "; "));
  return answer;
}

protocol::AutoEndAnswer end_run(const protocol::AutoEndRequest& request) {
  ProfilePlace place = place_of(request.programs);
  // The program may have gone to another folder.
  if (!request.begun.home.empty()) place.settings.home = request.begun.home;
  UnfinishedRuns(place.settings).end(place.key.name);
  const SentTraffic traffic = traffic_of(request.traffic, place.key.ranks);
  RecordedRun run;
  run.key = place.key;
  run.traffic = traffic.wire ? *traffic.wire : traffic.bytes;
  run.now = seconds_since_1970();
  run.seconds = request.seconds;
  run.is_reordered = !request.new_rank.empty();
  run.layout = layout_of(request.situation);

  std::optional<Places> places;
  std::optional<Worth> worth;
  try {
    if (run.is_reordered) {
      places.emplace(places_of(request.situation));
      worth.emplace(*places, request.new_rank, run.traffic);
    }
  } catch (const Error&) {
    // The machine is not known: the run is recorded all the same.
  }
  if (worth && worth->share()) {
    run.predicted = request.begun.predicted;
    run.measured = worth->share();
  }
  FoundProfile found;
  std::string problem;
  try {
    found = ProfileStore(place.settings).find(run.key);
  } catch (const Error& error) {
    problem = error.what();
  }
  std::string line = outcome_text(request, worth ? &*worth : nullptr);
  if (!is_worth_recording(run.traffic)) {
    const std::string few = fmt::format(
        "not recorded: {} bytes between {} ranks are too few, less than {}",
        traffic.bytes.total(false), run.traffic.ranks(), short_bytes(least_bytes_recorded));
    // Without a profile, each such run would be called the first.
    line = request.reason.starts_with(first_run)
               ? "order unchanged: " + few + " (--reorder with a trace or a mapping does it)"
               : line + "; " + few;
  } else if (!problem.empty()) {
    line += "; not recorded: " + problem;
  } else {
    try {
      take_or_part(found, run);
      const std::string joined =
          found.profile || !found.damage.empty() ? "" : join(place, found, run);
      line += "; " + joined + renew(place, found, std::move(run), request);
    } catch (const Error& error) {
      line += fmt::format("; not recorded: {}", error.what());
    }
  }
  return {printable(line)};
}

}  // namespace kith::tools
