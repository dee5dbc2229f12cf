#include "kith-engine/auto_task.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/parse_number.hpp"
#include "core/this_process.hpp"
#include "kith-engine/number_list.hpp"
#include "kith-engine/question.hpp"
#include "kith-engine/reorder_task.hpp"
#include "kith/error.hpp"
#include "kith/goal.hpp"
#include "output.hpp"
#include "profile/profile_store.hpp"
#include "profile/renewal.hpp"
#include "protocol/packer.hpp"

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

ProgramIdentity unpack_program(std::string_view bytes) {
  ProgramIdentity identity;
  Unpacker unpacker(bytes);
  while (!unpacker.done()) {
    ProgramPart part;
    part.ranks = unpacker.get<std::uint32_t>();
    Unpacker text(unpacker.get_text());
    part.path = text.get_text();
    part.build = text.get_text();
    part.arguments = arguments_of(text.get_text());
    identity.push_back(std::move(part));
  }
  if (identity.empty()) throw bad_input("request", "a program", "none");
  return identity;
}

Exchange record_only(std::string reason) {
  Exchange answer;
  answer.set("apply", "0");
  answer.set("reason", std::move(reason));
  return answer;
}

/// Where the job keeps its profiles, and under which name this run's is.
struct Place {
  ProfileSettings settings;
  ProfileKey key;
};

Place place_of(const Exchange& request) {
  Place place{read_profile_settings(), {}};
  place.key = key_of(unpack_program(request.text("program")), place.settings);
  return place;
}

std::string decimal(double value) {
  return fmt::format("{:.6f}", value);
}

/// By the profile, where there is one to go by. `begun` gets what the end of the run has to know.
Exchange order_by_profile(const Exchange& request, const FoundProfile& found, const Place& place,
                          Exchange& begun) {
  if (!found.profile) {
    return record_only(found.damage.empty() ? "first run"
                                            : "the profile was damaged: " + found.damage);
  }
  const Profile& profile = *found.profile;
  if (profile.key.build != place.key.build) {
    return record_only(
        fmt::format("the program was rebuilt since profile {} was recorded", place.key.name));
  }
  Exchange answer = map_traffic(read_question(request), profile.traffic, nullptr);
  const double before = parse_real(answer.text("cost_before")).value_or(0);
  if (answer.text("apply") == "1" && before > 0) {
    begun.set("predicted", decimal(parse_real(answer.text("cost_after")).value_or(0) / before));
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

/// The process that the launcher put on the j-th slot has rank new_rank[j].
Mapping mapping_of(const Machine& machine, const std::vector<std::uint32_t>& new_rank) {
  Mapping mapping;
  mapping.slot_of.resize(new_rank.size(), no_slot);
  for (std::size_t j = 0; j < new_rank.size(); ++j) {
    if (new_rank[j] >= new_rank.size() || mapping.slot_of[new_rank[j]] != no_slot) {
      throw bad_input("request", "each rank once", std::to_string(new_rank[j]));
    }
    mapping.slot_of[new_rank[j]] = machine.allowed().at(j);
  }
  return mapping;
}

std::optional<Worth> worth_of(const Exchange& request, const TrafficMatrix& traffic) {
  const auto new_rank = number_list(request, "new_rank");
  if (new_rank.empty()) return std::nullopt;
  const Question question = read_question(request);
  if (new_rank.size() != question.ranks) {
    throw bad_input("request", fmt::format("an order of {} ranks", question.ranks),
                    fmt::format("{}", new_rank.size()));
  }
  const Machine& machine = *question.machine;
  const Objective objective = default_objective(machine);
  const TrafficGraph graph = TrafficGraph::from(traffic);
  const auto cost = [&](const Mapping& mapping) {
    return static_cast<double>(evaluate_objective(graph, machine, mapping, objective));
  };
  const double before = cost(identity_mapping(question.ranks, machine, 1));
  if (before == 0) return std::nullopt;
  return Worth{std::string(to_string(objective)), cost(mapping_of(machine, new_rank)) / before};
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
std::string outcome_text(const Exchange& request, const std::optional<Worth>& worth,
                         const std::optional<double>& predicted) {
  if (worth) return gain_text(*worth, predicted);
  if (!request.text("new_rank").empty()) return "ranks reordered";
  return "order unchanged: " + request.text("reason");
}

/// Saves what `run` makes of the profile; the clause that says so.
std::string renew(const Place& place, RecordedRun run) {
  const ProfileStore store(place.settings);
  const FoundProfile found = store.find(run.key);
  const bool was_rebuilt = found.profile && found.profile->key.build != run.key.build;
  const RenewedProfile result = renewed(found.profile, std::move(run));
  const FileSizeSignalBlocked guard;
  store.save(result.profile);
  return renewal_text(result, was_rebuilt, found.damage);
}

}  // namespace

Exchange auto_begin_task(const Exchange& request) {
  Place place = place_of(request);
  Exchange begun;
  begun.set("home", place.settings.home.string());
  Exchange answer;
  FoundProfile found;
  try {
    const ProfileStore store(place.settings);
    if (request.text("check").empty()) store.prepare();  // a check changes nothing
    found = store.find(place.key);
  } catch (const Error& error) {
    return record_only(error.what());  // without "keep": there is nowhere to keep it
  }
  try {
    answer = order_by_profile(request, found, place, begun);
  } catch (const Error& error) {
    answer = record_only(error.what());  // of the machine or the settings: to record needs neither
  }
  answer.set("keep", "1");
  answer.set("begun", begun.encode());
  answer.set("warnings", fmt::format("{}", fmt::join(place.settings.warnings, "; ")));
  return answer;
}

Exchange auto_end_task(const Exchange& request) {
  Place place = place_of(request);
  std::optional<double> predicted;
  if (const auto begun = Exchange::decode(request.text("begun"))) {
    place.settings.home = begun->text("home");  // the program may have gone to another folder
    predicted = parse_real(begun->text("predicted"));
  }
  RecordedRun run;
  run.key = place.key;
  run.traffic = unpack_traffic(request.text("traffic"), place.key.ranks);
  run.now = seconds_since_1970();
  const std::uint64_t bytes = run.traffic.total(false);

  std::optional<Worth> worth;
  try {
    worth = worth_of(request, run.traffic);
  } catch (const Error&) {
    // The machine is not known: the run is recorded all the same.
  }
  if (worth) {
    run.predicted = predicted;
    run.measured = worth->share;
  }
  std::string line = outcome_text(request, worth, predicted);
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
  Exchange answer;
  answer.set("line", printable(line));
  return answer;
}

}  // namespace kith::tools
