// kith profiles: what KITH_REORDER=auto keeps of earlier runs.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "core/did_you_mean.hpp"
#include "core/plain_text.hpp"
#include "io/format/json_text.hpp"
#include "kith/error.hpp"
#include "options.hpp"
#include "output.hpp"
#include "profile/profile.hpp"

namespace kith::tools {
namespace {

struct ProfilesOptions {
  std::string action = "list";
  std::vector<std::string> names;
  bool all = false;
  bool json = false;
};

std::string date_text(std::uint64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  if (localtime_r(&time, &local) == nullptr) return "?";
  return fmt::format("{:%Y-%m-%d %H:%M}", local);
}

std::string share_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.3f}", *share) : "-";
}

void put_share(JsonText& json, const char* name, const std::optional<double>& share) {
  json.key(name);
  if (share) {
    json.value(*share);
  } else {
    json.null();
  }
}

/// The keys of a profile, in an open object.
void put_profile(JsonText& json, const ListedProfile& profile) {
  json.key("name").value(profile.name).key("file").value(profile.path.string());
  json.key("bytes").value(profile.bytes).key("timeline_bytes").value(profile.timeline_bytes);
  if (!profile.header) {
    json.key("damage").value(profile.damage);
    return;
  }
  const ProfileKey& key = profile.header->key;
  const ProfileHistory& history = profile.header->history;
  json.key("program").value(key.program).key("arguments").value(key.arguments);
  json.key("build").value(key.build).key("ranks").value(key.ranks);
  json.key("runs").value(history.runs).key("reordered").value(history.reordered);
  json.key("renewed").value(history.renewed);
  json.key("first_seen").value(history.first_seen).key("last_seen").value(history.last_seen);
  put_share(json, "predicted", history.predicted);
  put_share(json, "measured", history.measured);
  put_share(json, "seconds", history.seconds);
  put_share(json, "seconds_reordered", history.seconds_reordered);
  json.key("free_arguments").begin_array(JsonLayout::line);
  for (const std::uint32_t position : key.free_arguments) json.value(position + 1);
  json.end_array();
}

/// What a person knows it by: the arguments, and which of them may be anything.
std::string arguments_text(const ProfileKey& key) {
  std::string text = printable(key.arguments);
  if (key.free_arguments.empty()) return text;
  return text + fmt::format(" ({}: any)", positions_text(key.free_arguments));
}

std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? short_seconds(*seconds) : "-";
}

std::string list_text(const std::vector<ListedProfile>& profiles) {
  if (profiles.empty()) return "";
  std::size_t width = 4;
  for (const ListedProfile& profile : profiles) width = std::max(width, profile.name.size());
  constexpr std::string_view row = "{:<{}} {:>7} {:>5} {:>8} {:>6} {:>8} {:>16} {:>9}  {}\n";
  std::string text = fmt::format(row, "name", width, "ranks", "runs", "planned", "sent", "seconds",
                                 "last run", "on disk", "arguments");
  for (const ListedProfile& profile : profiles) {
    if (!profile.header) {
      text += fmt::format("{:<{}} damaged: {}\n", profile.name, width, printable(profile.damage));
      continue;
    }
    const ProfileHistory& history = profile.header->history;
    text += fmt::format(row, profile.name, width, profile.header->key.ranks, history.runs,
                        share_text(history.predicted), share_text(history.measured),
                        seconds_text(history.seconds), date_text(history.last_seen),
                        short_bytes(profile.bytes), arguments_text(profile.header->key));
  }
  return text;
}

std::string show_text(const ListedProfile& profile) {
  const ProfileKey& key = profile.header->key;
  const ProfileHistory& history = profile.header->history;
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<12} {}\n", name, printable(value));
  };
  line("profile", profile.name);
  line("file", profile.path.string());
  line("program", key.program.empty() ? "-" : key.program);
  line("arguments", key.arguments.empty() ? "-" : arguments_text(key));
  line("build", key.build);
  line("ranks", std::to_string(key.ranks));
  line("runs", fmt::format("{}, of them {} reordered; {} found another pattern", history.runs,
                           history.reordered, history.renewed));
  line("seen",
       fmt::format("{} to {}", date_text(history.first_seen), date_text(history.last_seen)));
  line("seconds",
       fmt::format("{} in the launcher's order, {} reordered{}", seconds_text(history.seconds),
                   seconds_text(history.seconds_reordered),
                   history.seconds && history.seconds_reordered && !has_comparable_seconds(history)
                       ? " (not to be compared: that run sent another amount)"
                       : ""));
  line("timeline",
       profile.timeline_bytes > 0 ? fmt::format("{} bytes", profile.timeline_bytes) : "none");
  line("gain", history.predicted
                   ? fmt::format("objective {} of the launcher's order as predicted, {} as sent",
                                 share_text(history.predicted), share_text(history.measured))
                   : "no run was reordered");
  return text;
}

/// "/bin/app -n 10": the command line that was recorded.
std::string command_of(const ListedProfile& profile) {
  if (!profile.header) return "";
  return profile.header->key.program + " " + profile.header->key.arguments;
}

/// Whether `words` are of the profile's command line. With `may_vary`, some may stand in places
/// that may be anything, but not all of them.
bool is_command_of(const ListedProfile& profile, const std::vector<std::string>& words,
                   bool may_vary) {
  const std::string command = command_of(profile);
  std::size_t others = 0;
  for (const std::string& word : words) {
    if (word.empty() || command.find(word) == std::string::npos) ++others;
  }
  if (others == 0) return true;
  return may_vary && profile.header && others < words.size() &&
         others <= profile.header->key.free_arguments.size();
}

/// The one whose command line has `words`; null: none.
const ListedProfile* by_command(const std::vector<ListedProfile>& profiles,
                                const std::vector<std::string>& words, bool may_vary) {
  const ListedProfile* found = nullptr;
  for (const ListedProfile& profile : profiles) {
    if (!is_command_of(profile, words, may_vary)) continue;
    if (found != nullptr) {
      throw bad_input("NAME", "a profile's name, or words that only its command line has",
                      fmt::format("'{}', which {} and {} have", fmt::join(words, " "), found->name,
                                  profile.name));
    }
    found = &profile;
  }
  return found;
}

/// The one that is named, by its whole name or a beginning that no other has.
const ListedProfile& profile_of(const std::vector<ListedProfile>& profiles, const std::string& name,
                                const ProfileStore& store) {
  std::vector<const ListedProfile*> found;
  std::vector<std::string> known;
  for (const ListedProfile& profile : profiles) {
    if (profile.name == name) return profile;
    if (!name.empty() && profile.name.starts_with(name)) found.push_back(&profile);
    known.push_back(profile.name);
  }
  if (found.size() == 1) return *found.front();
  if (found.size() > 1) {
    throw bad_input(
        "NAME", "the beginning of one profile's name",
        fmt::format("'{}', which {} and {} begin with", name, found[0]->name, found[1]->name));
  }
  throw bad_input(
      "NAME", fmt::format("a profile in {}{}", store.folder().string(), did_you_mean(name, known)),
      "'" + name + "'");
}

void list(const ProfilesOptions& options, const ProfileStore& store) {
  if (!options.names.empty()) {
    throw bad_input("kith profiles list", "no further word", "'" + options.names[0] + "'");
  }
  const std::vector<ListedProfile> profiles = store.list();
  if (!options.json) {
    if (profiles.empty()) tell(fmt::format("no profiles in {}", store.folder().string()));
    return print(list_text(profiles));
  }
  JsonText json;
  json.begin_array();
  for (const ListedProfile& profile : profiles) {
    json.begin_object(JsonLayout::line);
    put_profile(json, profile);
    json.end_object();
  }
  json.end_array();
  print(json.take());
}

void show(const ProfilesOptions& options, const ProfileStore& store) {
  if (options.names.empty()) {
    throw bad_input("kith profiles show", "one NAME, or words of its command line", "none");
  }
  const std::vector<ListedProfile> profiles = store.list();
  const std::string asked = fmt::format("{}", fmt::join(options.names, " "));
  const bool is_name = std::ranges::any_of(
      profiles, [&](const ListedProfile& one) { return one.name.starts_with(asked); });
  const ListedProfile* known = nullptr;
  if (!is_name) known = by_command(profiles, options.names, false);
  if (!is_name && known == nullptr) known = by_command(profiles, options.names, true);
  const ListedProfile& profile = known != nullptr ? *known : profile_of(profiles, asked, store);
  if (options.json) {
    JsonText json;
    json.begin_object();
    put_profile(json, profile);
    json.end_object();
    return print(json.take());
  }
  if (!profile.header) {
    throw bad_input(profile.path.string(), "a profile", "a damaged one: " + profile.damage);
  }
  print(show_text(profile));
}

void remove(const ProfilesOptions& options, const ProfileStore& store) {
  if (options.all != options.names.empty()) {
    throw bad_input("kith profiles rm", "either NAMEs or --all", options.all ? "both" : "neither");
  }
  const std::vector<ListedProfile> profiles = store.list();
  std::vector<std::string> names;
  if (options.all) {
    for (const ListedProfile& profile : profiles) names.push_back(profile.name);
  }
  // All are found before the first goes.
  for (const std::string& name : options.names) {
    names.push_back(profile_of(profiles, name, store).name);
  }
  std::uint64_t removed = 0;
  for (const std::string& name : names) removed += store.remove(name) ? 1 : 0;
  if (!options.json) return tell(fmt::format("{} removed", removed));
  JsonText json;
  json.begin_object(JsonLayout::line).key("removed").value(removed).end_object();
  print(json.take());
}

std::size_t action_of(const std::string& word) {
  const std::vector<std::string> actions{"list", "show", "rm"};
  const auto found = std::ranges::find(actions, word);
  if (found != actions.end()) return static_cast<std::size_t>(found - actions.begin());
  std::string meant = did_you_mean(word, actions);
  if (meant.empty()) meant = fmt::format(" first (kith profiles show {})", word);
  throw bad_input("kith profiles", "list, show or rm" + meant, "'" + word + "'");
}

void run_profiles(const ProfilesOptions& options) {
  const ProfileSettings settings = read_profile_settings();
  for (const std::string& warning : settings.warnings) tell(warning);
  const std::size_t action = action_of(options.action);
  if (options.all && action != 2) throw bad_input("--all", "kith profiles rm", options.action);
  const ProfileStore store(settings);
  constexpr void (*actions[])(const ProfilesOptions&, const ProfileStore&) = {list, show, remove};
  actions[action](options, store);
}

}  // namespace

std::function<void()> set_up_profiles(CLI::App& app) {
  const auto options = std::make_shared<ProfilesOptions>();
  app.description(
      "Lists, shows and removes what KITH_REORDER=auto keeps of earlier runs: the profile by "
      "which the next run of a program is reordered.");
  app.add_option("ACTION", options->action,
                 "list (default), show: all about one, rm: forget some or --all")
      ->type_name("list|show|rm");
  app.add_option("NAME", options->names, "Profiles, by name or by what only theirs begins with")
      ->type_name("PROFILE");
  app.add_flag("--all", options->all, "Of rm: all of them");
  app.add_flag("--json", options->json, "One JSON document");
  app.footer(
      "KITH_REORDER=auto keeps a profile for each program, its arguments and number of ranks in "
      "KITH_HOME/profiles (default ~/.local/state/kith): a matrix of bytes (with "
      "the headers of messages), which kith info and kith map read, and beside it the timeline of "
      "the run that recorded it, which kith info, "
      "kith "
      "predict and kith convert read. Planned and sent: the objective in Kith's order, as a share "
      "of "
      "what it is in the launcher's order; as planned from the recorded run, and as sent by the "
      "last one. Seconds: of the last run in the launcher's order. A run that sent less than 1 MiB "
      "between its ranks is not kept.\n"
      "Arguments that change from run to run (a seed, an output's name) count no more as soon as a "
      "run that "
      "differs in one of them sent the same. `show` also takes words of the command line "
      "that no other profile has all of (behind --, where one begins with a dash).\n"
      "KITH_PROFILE_ARGS=all|none|N: how many arguments count; KITH_PROFILE=NAME: name it "
      "yourself; KITH_PROFILE_COUNT (100), KITH_PROFILE_BYTES (256M): those used least lately go "
      "first.\n"
      "Examples:\n"
      "  kith profiles\n"
      "  kith profiles show app-16\n"
      "  kith info ~/.local/state/kith/profiles/app-16-1b2c3d4e.mtx\n"
      "  kith profiles rm --all\n"
      "  kith run --reorder auto -- mpirun -n 16 ./app    # records; the next run is reordered");
  return [options] { run_profiles(*options); };
}

}  // namespace kith::tools
