// KITH_REORDER=auto: the order by the profile of an earlier run, and the profile of this one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/this_process.hpp"
#include "kith-engine/tasks.hpp"
#include "kith/detail/goal.hpp"
#include "kith/error.hpp"
#include "profile/profile.hpp"
#include "report/plain_text.hpp"

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

/// By the profile, where there is one to go by. `begun` gets what the end of the run has to know.
protocol::ReorderAnswer order_by_profile(const protocol::Situation& situation,
                                         const FoundProfile& found, const ProfilePlace& place,
                                         protocol::BegunRun& begun) {
  if (!found.profile) {
    return record_only(found.damage.empty() ? "first run"
                                            : "the profile was damaged: " + found.damage);
  }
  const Profile& profile = *found.profile;
  if (profile.key.build != place.key.build) {
    return record_only(
        fmt::format("the program was rebuilt since profile {} was recorded", place.key.name));
  }
  auto answer = order_for(situation, places_of(situation), profile.traffic, nullptr, "");
  if (answer.apply && answer.cost_before > 0) {
    begun.predicted = rounded(answer.cost_after / answer.cost_before);
  }
  return answer;
}

std::uint64_t seconds_since_1970() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(
      duration_cast<seconds>(system_clock::now().time_since_epoch()).count());
}

/// What the order was worth: the objective, as a share of that in the launcher's order.
struct Worth {
  std::string objective;
  double share = 1;
};

/// The process of rank j has rank new_rank[j].
Mapping mapping_of(const Mapping& present, const std::vector<std::uint32_t>& new_rank) {
  Mapping mapping;
  mapping.slot_of.resize(new_rank.size(), no_slot);
  for (std::size_t j = 0; j < new_rank.size(); ++j) {
    if (new_rank[j] >= new_rank.size() || mapping.slot_of[new_rank[j]] != no_slot) {
      throw bad_input("request", "each rank once", std::to_string(new_rank[j]));
    }
    mapping.slot_of[new_rank[j]] = present.slot_of[j];
  }
  return mapping;
}

std::optional<Worth> worth_of(const protocol::AutoEndRequest& request,
                              const TrafficMatrix& traffic) {
  const std::vector<std::uint32_t>& new_rank = request.new_rank;
  if (new_rank.empty()) return std::nullopt;
  const Places places = places_of(request.situation);
  if (new_rank.size() != request.situation.ranks) {
    throw bad_input("request", fmt::format("an order of {} ranks", request.situation.ranks),
                    fmt::format("{}", new_rank.size()));
  }
  const Machine& machine = *places.machine;
  const Objective objective = default_objective(machine);
  const TrafficGraph graph = TrafficGraph::from(traffic);
  const auto cost = [&](const Mapping& mapping) {
    return static_cast<double>(evaluate_objective(graph, machine, mapping, objective));
  };
  const double before = cost(places.present);
  if (before == 0) return std::nullopt;
  return Worth{std::string(to_string(objective)),
               cost(mapping_of(places.present, new_rank)) / before};
}

std::string percent(double share) {
  return fmt::format("{:.3g}%", 100 * share);
}

/// "31% less hop-bytes than in the launcher's order (predicted: 31% less)"
std::string gain_text(const Worth& worth, const std::optional<double>& predicted) {
  const auto change = [](double share) {
    return share <= 1 ? percent(1 - share) + " less" : percent(share - 1) + " more";
  };
  return fmt::format("ranks reordered: {} {} than in the launcher's order{}", change(worth.share),
                     worth.objective,
                     predicted ? fmt::format(" (predicted: {})", change(*predicted)) : "");
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
std::string outcome_text(const protocol::AutoEndRequest& request,
                         const std::optional<Worth>& worth) {
  if (worth) return gain_text(*worth, request.begun.predicted);
  if (!request.new_rank.empty()) return "ranks reordered";
  return "order unchanged: " + request.reason;
}

/// Saves what `run` makes of the profile; the clause that says so.
std::string renew(const ProfilePlace& place, RecordedRun run) {
  const ProfileStore store(place.settings);
  const FoundProfile found = store.find(run.key);
  const bool was_rebuilt = found.profile && found.profile->key.build != run.key.build;
  const RenewedProfile result = renewed(found.profile, std::move(run));
  const FileSizeSignalBlocked guard;
  store.save(result.profile);
  return renewal_text(result, was_rebuilt, found.damage);
}

}  // namespace

protocol::AutoBeginAnswer begin_run(const protocol::AutoBeginRequest& request) {
  const ProfilePlace place = place_of(request.programs);
  protocol::AutoBeginAnswer answer;
  FoundProfile found;
  try {
    const ProfileStore store(place.settings);
    if (!request.is_check) store.prepare();  // a check changes nothing
    found = store.find(place.key);
  } catch (const Error& error) {
    answer.order = record_only(error.what());  // not kept: there is nowhere to keep it
    return answer;
  }
  answer.begun.home = place.settings.home.string();
  try {
    answer.order = order_by_profile(request.situation, found, place, answer.begun);
  } catch (const Error& error) {
    // Of the machine or the settings: to record needs neither.
    answer.order = record_only(error.what());
  }
  answer.is_kept = true;
  answer.warnings = fmt::format("{}", fmt::join(place.settings.warnings, "; "));
  return answer;
}

protocol::AutoEndAnswer end_run(const protocol::AutoEndRequest& request) {
  ProfilePlace place = place_of(request.programs);
  // The program may have gone to another folder.
  if (!request.begun.home.empty()) place.settings.home = request.begun.home;
  RecordedRun run;
  run.key = place.key;
  run.traffic = matrix_of(request.traffic, place.key.ranks);
  run.now = seconds_since_1970();
  const std::uint64_t bytes = run.traffic.total(false);

  std::optional<Worth> worth;
  try {
    worth = worth_of(request, run.traffic);
  } catch (const Error&) {
    // The machine is not known: the run is recorded all the same.
  }
  if (worth) {
    run.predicted = request.begun.predicted;
    run.measured = worth->share;
  }
  std::string line = outcome_text(request, worth);
  if (!is_worth_recording(run.traffic)) {
    line += fmt::format("; not recorded: {} bytes between {} ranks are too few", bytes,
                        run.traffic.ranks());
  } else {
    try {
      line += "; " + renew(place, std::move(run));
    } catch (const Error& error) {
      line += fmt::format("; not recorded: {}", error.what());
    }
  }
  return {printable(line)};
}

}  // namespace kith::tools
