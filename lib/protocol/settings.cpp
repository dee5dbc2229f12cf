#include "protocol/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/did_you_mean.hpp"
#include "core/parse_number.hpp"

namespace kith {

/// Reads one variable; a bad value earns a warning.
class SettingReader {
 public:
  SettingReader(const Setting& setting, std::vector<std::string>& warnings)
      : setting_(setting), warnings_(warnings) {}

  void text(std::string& out) const {
    if (const auto value = get()) out = *value;
  }

  void flag(bool& out) const {
    const auto value = get();
    if (!value) return;
    if (*value == "1" || *value == "on" || *value == "yes" || *value == "true") {
      out = true;
    } else if (*value == "0" || *value == "off" || *value == "no" || *value == "false") {
      out = false;
    } else {
      warn(setting_.value == "on|off" ? "on or off" : "1 or 0", *value);
    }
  }

  /// A name that is read for one more version, where the new one is not set.
  void renamed_choice(const char* old_name, std::optional<bool>& out) const {
    if (get() || !get(old_name)) return choice(out);
    std::string warning(old_name);
    warning.append(" is now called ").append(setting_.name);
    warnings_.push_back(std::move(warning.append("; the next version reads only that")));
    Setting old = setting_;
    old.name = old_name;
    SettingReader(old, warnings_).choice(out);
  }

  void choice(std::optional<bool>& out) const {
    const std::size_t before = warnings_.size();
    bool value = false;
    flag(value);
    if (get() && warnings_.size() == before) out = value;
  }

  void fraction(double& out) const {
    const auto value = get();
    if (!value) return;
    const bool percent = value->ends_with('%');
    const auto number = parse_decimal(percent ? value->substr(0, value->size() - 1) : *value);
    const double result = number.value_or(-1) * (percent ? 0.01 : 1.0);
    if (!number || result < 0 || result > 1) {
      warn("a share such as 2% or 0.02", *value);
    } else {
      out = result;
    }
  }

  void level(int& out, int most) const {
    const auto value = get();
    if (!value) return;
    const auto number = parse_unsigned(*value);
    if (!number || *number > static_cast<unsigned>(most)) {
      warn("0 to " + std::to_string(most), *value);
    } else {
      out = static_cast<int>(*number);
    }
  }

  void bytes(std::size_t& out, std::size_t least) const {
    const auto value = get();
    if (!value) return;
    std::string_view digits = *value;
    std::size_t unit = 1;
    for (const auto& [ending, factor] :
         {std::pair{'k', std::size_t{1} << 10U}, std::pair{'K', std::size_t{1} << 10U},
          std::pair{'M', std::size_t{1} << 20U}, std::pair{'G', std::size_t{1} << 30U}}) {
      if (unit != 1 || !digits.ends_with(ending)) continue;
      unit = factor;
      digits.remove_suffix(1);
    }
    const auto number = parse_unsigned(digits);
    if (!number || *number > (std::size_t{1} << 40U) / unit || *number * unit < least) {
      warn("bytes, at least " + std::to_string(least) + ", such as 4M", *value);
    } else {
      out = static_cast<std::size_t>(*number) * unit;
    }
  }

  void seconds(std::chrono::milliseconds& out) const {
    const auto value = get();
    if (!value) return;
    std::string_view digits = *value;
    double unit = 1;
    for (const auto& [ending, factor] : {std::pair{"ms", 1e-3}, std::pair{"min", 60.0},
                                         std::pair{"s", 1.0}, std::pair{"h", 3600.0}}) {
      if (!digits.ends_with(ending)) continue;
      unit = factor;
      digits.remove_suffix(std::string_view(ending).size());
      break;
    }
    const double found = parse_decimal(digits).value_or(-1) * unit;
    constexpr double least = 0.001;
    constexpr double most = 86400;
    if (!(found >= least && found <= most)) {
      warn("a time from 1ms to 24h, such as 0.5, 500ms or 2min", *value);
    } else {
      out = std::chrono::milliseconds(static_cast<long>(found * 1000 + 0.5));
    }
  }

  void collectives(CollectiveSource& out) const {
    const auto value = get();
    if (!value) return;
    if (*value == "exact") {
      out = CollectiveSource::exact;
    } else if (*value == "model") {
      out = CollectiveSource::model;
    } else if (*value == "off") {
      out = CollectiveSource::off;
    } else {
      warn("exact, model or off", *value);
    }
  }

  void exact_source(bool& by_monitoring) const {
    const auto value = get();
    if (!value) return;
    by_monitoring = *value == "monitoring";
    if (!by_monitoring && *value != "table") {
      warn("table or monitoring", *value);
    }
  }

 private:
  std::optional<std::string_view> get() const { return get(setting_.name.data()); }

  static std::optional<std::string_view> get(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  }

  void warn(std::string_view expected, std::string_view found) const {
    std::string message(setting_.name);
    message.append(": expected ").append(expected).append(", found ").append(found);
    message.append("; as if it were not set: ").append(setting_.usual);
    warnings_.push_back(std::move(message));
  }

  const Setting& setting_;
  std::vector<std::string>& warnings_;
};

namespace {

constexpr char renamed_topologies[] = "KITH_TOPOLOGIES";

constexpr Setting settings_table[] = {
    {"KITH_TRACE", "PATH", "no trace",
     "Write the trace PATH.kith at MPI_Finalize. In its last part %j is the number of the batch "
     "system's job (outside any: \"local\"), %p counts up: for scripts that start several "
     "programs.",
     [](const SettingReader& read, Settings& settings) { read.text(settings.trace); }},
    {"KITH_FORCE", "0|1", "0",
     "Replace an existing trace, and the partial trace of an earlier run. Without it none is "
     "written then, and rank 0 says so at MPI_Init.",
     [](const SettingReader& read, Settings& settings) { read.flag(settings.force); }},
    {"KITH_PARTIAL", "0|1", "1",
     "Keep each rank's rows in a file of PATH.kith.partial while the job runs, so that they "
     "survive a job that is killed. 0 where a file per rank is too many for the file system.",
     [](const SettingReader& read, Settings& settings) { read.flag(settings.partial); }},
    {"KITH_TIMELINE", "0|1", "1",
     "The trace says what each rank did in which order, and how long it took. 0: who sends how "
     "much "
     "to whom only.",
     [](const SettingReader& read, Settings& settings) { read.flag(settings.timeline); }},
    {"KITH_TIMELINE_MEMORY", "BYTES", "1M",
     "What the timeline may take in each rank's memory while the job runs. What repeats itself "
     "takes next to nothing; of a run that does not, the beginning is kept (three quarters of the "
     "memory), then windows at growing intervals until it is full. The rest is left out, and "
     "meta.json and kith info say how much that is.",
     [](const SettingReader& read, Settings& settings) {
       read.bytes(settings.timeline_memory, std::size_t{64} << 10U);
     }},
    {"KITH_REORDER", "FILE|auto", "the launcher's order",
     "The order of the ranks: a mapping, applied as it stands; a trace, mapped at MPI_Init and "
     "applied where that gains; or auto, by the profile of earlier runs.",
     [](const SettingReader& read, Settings& settings) { read.text(settings.reorder); }},
    {"KITH_ALGORITHM", "NAME", "auto", "The mapping algorithm, from kith algorithms.",
     [](const SettingReader& read, Settings& settings) { read.text(settings.algorithm); }},
    {"KITH_TOPOLOGY", "SPEC", "found by the job",
     "The whole machine, instead of the one that Kith finds. The launcher's ranks sit on its slots "
     "in turn: rank j on slot j, where ;slots= leaves none out.",
     [](const SettingReader& read, Settings& settings) { read.text(settings.topology); }},
    {"KITH_NETWORK", "FILE", "what Slurm says in its jobs, else one level",
     "What lies between the hosts: a host list, a file of kith probe, or Slurm's topology.conf or "
     "topology.yaml. What lies inside them the job finds.",
     [](const SettingReader& read, Settings& settings) { read.text(settings.network); }},
    {"KITH_REORDER_TOPOLOGIES", "on|off",
     "on, but the order stays in a run that is recorded or given an order",
     "reorder=1 in MPI's topology functions puts neighbours near each other. Unless it is set, the "
     "order stays in runs that write a trace, go by auto, or got the order that KITH_REORDER asks "
     "for: what is recorded is then the program's own layout. Formerly KITH_TOPOLOGIES.",
     [](const SettingReader& read, Settings& settings) {
       read.renamed_choice(renamed_topologies, settings.topologies);
     }},
    {"KITH_MIN_GAIN", "SHARE", "2%",
     "The least predicted gain for which an order made in the job is applied: 2% or 0.02.",
     [](const SettingReader& read, Settings& settings) { read.fraction(settings.min_gain); }},
    {"KITH_KEEP_RANK0", "0|1", "1",
     "An order made in the job leaves rank 0 on its process, which gets the standard input.",
     [](const SettingReader& read, Settings& settings) { read.flag(settings.keep_rank0); }},
    {"KITH_KEEP_LOCAL", "0|1", "1 where GPUs are visible",
     "A rank moves only to the same local index of another host: for programs that choose a device "
     "or a file of the node by local rank.",
     [](const SettingReader& read, Settings& settings) { read.choice(settings.keep_local); }},
    {"KITH_BUDGET", "SECONDS", "30",
     "How long the ranks wait for a mapping at the start. After that the order stays the "
     "launcher's.",
     [](const SettingReader& read, Settings& settings) { read.seconds(settings.budget); }},
    {"KITH_COLLECTIVES", "exact|model|off", "exact where the MPI library allows it, else model",
     "What collectives send inside: counted in the MPI library's message layer, by a model of its "
     "algorithms, or not at all.",
     [](const SettingReader& read, Settings& settings) { read.collectives(settings.collectives); }},
    {"KITH_EXACT_SOURCE", "table|monitoring", "what fits the MPI library",
     "How the message layer is watched: by its function table, or by Open MPI's own monitoring.",
     [](const SettingReader& read, Settings& settings) {
       read.exact_source(settings.exact_by_monitoring);
     }},
    {"KITH_WINDOW", "SECONDS", "no windows",
     "Phases by time, 1 ms at least, cut at the next blocking collective over MPI_COMM_WORLD. "
     "What a window ends is called \"window N\", whatever MPI_Pcontrol called it.",
     [](const SettingReader& read, Settings& settings) { read.seconds(settings.window); }},
    {"KITH_CHECKPOINT_SIGNAL", "SIGNAL", "none",
     "A phase ends at each such signal, cut in the same way: USR1, USR2, HUP, WINCH or URG; not "
     "one that the program handles itself.",
     [](const SettingReader& read, Settings& settings) { read.text(settings.checkpoint_signal); }},
    {"KITH_THREADS", "0|1", "0",
     "The trace has a matrix of what the threads of each rank share, found by looking at each some "
     "hundred times a second (x86-64; SIGURG is used). A program without MPI leaves nothing but "
     "this, in the file NAME.mtx. With libkith_accesses.so each access counts.",
     [](const SettingReader& read, Settings& settings) { read.flag(settings.threads); }},
    {"KITH_BIND", "POLICY[:core|fine]", "threads stay where the system puts them",
     "Binds each thread to a processing unit (fine) or a whole core (core), thread 0 being the one "
     "that runs main: compact, scatter or balanced; eagermap, treematch, choicemap or kith, which "
     "need KITH_BIND_MATRIX; or a mapping file.",
     [](const SettingReader& read, Settings& settings) { read.text(settings.bind); }},
    {"KITH_BIND_MATRIX", "FILE", "none",
     "How much each thread shares with each other thread: a matrix, or a trace with one for each "
     "rank "
     "(KITH_THREADS).",
     [](const SettingReader& read, Settings& settings) { read.text(settings.bind_matrix); }},
    {"KITH_VERBOSE", "0|1|2|3", "1",
     "0: errors, and why an order that was asked for is not applied. 1: decisions too. 2 and 3: "
     "more.",
     [](const SettingReader& read, Settings& settings) { read.level(settings.verbose, 3); }},
    {"KITH_HOME", "FOLDER", "$XDG_STATE_HOME/kith, else ~/.local/state/kith",
     "Where KITH_REORDER=auto keeps its profiles.", nullptr},
    {"KITH_PROFILE", "NAME", "by program, arguments and ranks",
     "Names the profile outright: neither path nor arguments count, only the ranks.", nullptr},
    {"KITH_PROFILE_ARGS", "all|none|N", "all",
     "How many of the program's arguments tell profiles apart: all, none, or the first N.",
     nullptr},
    {"KITH_PROFILE_COUNT", "N", "100",
     "How many profiles there may be; those used least lately go first.", nullptr},
    {"KITH_PROFILE_BYTES", "BYTES", "256M",
     "How large they may be together; K, M and G stand for powers of 1024.", nullptr},
};

/// Between `kith run --check` and the job only.
constexpr Setting check_setting{
    "KITH_CHECK", "0|1", "0", "",
    [](const SettingReader& read, Settings& settings) { read.flag(settings.check); }};

/// Between `kith run` and the job only.
constexpr Setting mark_setting{
    "KITH_RUN_MARK", "FOLDER", "none", "",
    [](const SettingReader& read, Settings& settings) { read.text(settings.run_mark); }};
constexpr Setting number_setting{
    "KITH_RUN_NUMBER", "TEXT", "none", "",
    [](const SettingReader& read, Settings& settings) { read.text(settings.run_number); }};

}  // namespace

namespace {

constexpr std::string_view prefix = "KITH_";

/// A setting that this name is a mistyped form of; empty where none is that near. Others may have
/// KITH_ variables of their own: short words must be nearer than long ones.
std::string_view meant_by(std::string_view name) {
  const std::string_view word = name.substr(prefix.size());
  const std::size_t most = word.size() < 8 ? 1 : 2;
  for (const Setting& setting : settings_table) {
    if (word.size() >= 4 && edits_between(word, setting.name.substr(prefix.size())) <= most) {
      return setting.name;
    }
  }
  return {};
}

bool is_read(std::string_view name) {
  return name == check_setting.name || name == mark_setting.name || name == number_setting.name ||
         name == renamed_topologies ||
         std::ranges::find(settings_table, name, &Setting::name) != std::end(settings_table);
}

void warn_of_mistyped_names(std::vector<std::string>& warnings) {
  for (char** item = environ; item != nullptr && *item != nullptr; ++item) {
    const std::string_view text = *item;
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with(prefix) || is_read(name)) continue;
    const std::string_view meant = meant_by(name);
    if (meant.empty()) continue;
    std::string warning(name);
    warning.append(" is no setting of Kith, and changes nothing (did you mean ").append(meant);
    warnings.push_back(std::move(warning.append("?)")));
  }
}

}  // namespace

std::span<const Setting> setting_list() {
  return settings_table;
}

Settings read_settings() {
  Settings settings;
  for (const Setting& setting : settings_table) {
    if (setting.read != nullptr) setting.read({setting, settings.warnings}, settings);
  }
  check_setting.read({check_setting, settings.warnings}, settings);
  mark_setting.read({mark_setting, settings.warnings}, settings);
  number_setting.read({number_setting, settings.warnings}, settings);
  warn_of_mistyped_names(settings.warnings);
  return settings;
}

}  // namespace kith
