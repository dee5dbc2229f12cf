// The KITH_* environment variables: those of a job, and all of them in words.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kith {

/// What is to tell the messages inside collectives.
enum class CollectiveSource { best, exact, model, off };

/// What a job's environment asks for. A bad value becomes a warning and the default.
struct Settings {
  std::string trace;    ///< KITH_TRACE: directory to write, ".kith" appended where missing
  bool force = false;   ///< KITH_FORCE=1: replace an existing trace
  bool partial = true;  ///< KITH_PARTIAL=0: keep no rows in files while the job runs
  std::string reorder;  ///< KITH_REORDER: a mapping file, a trace, or auto
  std::string algorithm = "auto";  ///< KITH_ALGORITHM
  std::string topology;            ///< KITH_TOPOLOGY: a complete machine; empty: the job's own
  std::string network;             ///< KITH_NETWORK: a file of what lies between the hosts
  double min_gain = 0.02;          ///< KITH_MIN_GAIN: "2%" or "0.02"
  bool keep_rank0 = true;          ///< KITH_KEEP_RANK0
  /// KITH_KEEP_LOCAL: a rank moves only to the same local index of another host; unset: where GPU
  /// devices are visible
  std::optional<bool> keep_local;
  bool check = false;      ///< KITH_CHECK=1 (kith run --check): report at MPI_Init, then end
  bool topologies = true;  ///< KITH_REORDER_TOPOLOGIES: reorder=1 in MPI's topology calls is ours
  /// KITH_COLLECTIVES=exact|model|off; unset: exact where this library and job allow it
  CollectiveSource collectives = CollectiveSource::best;
  bool exact_by_monitoring = false;     ///< KITH_EXACT_SOURCE=monitoring: not the function table
  std::chrono::milliseconds window{0};  ///< KITH_WINDOW: length of a phase; 0: none
  std::string checkpoint_signal;        ///< KITH_CHECKPOINT_SIGNAL: a name such as USR1
  int verbose = 1;                      ///< KITH_VERBOSE: 0 errors only, 1 decisions, 2 and 3 more
  std::chrono::milliseconds budget{30'000};  ///< KITH_BUDGET: seconds that the engine may take

  std::vector<std::string> warnings;  ///< one sentence per bad value

  /// A trace, an order or a check.
  bool ask_for_something() const { return !trace.empty() || !reorder.empty() || check; }
};

/// Reads the environment of this process. Throws std::bad_alloc.
Settings read_settings();

/// A variable in words, for manuals: of those here and of a profile's (lib/profile).
struct SettingDescription {
  std::string_view name;
  std::string_view value;    ///< as in the help: literal words in lower case, names in upper case
  std::string_view usual;    ///< what holds without it
  std::string_view meaning;  ///< sentences
};

inline constexpr std::array setting_list{
    SettingDescription{"KITH_TRACE", "PATH", "no trace",
                       "Write the trace PATH.kith at MPI_Finalize."},
    SettingDescription{
        "KITH_FORCE", "0|1", "0",
        "Replace an existing trace, and the partial trace of an earlier run. Without "
        "it none is written then, and rank 0 says so at MPI_Init."},
    SettingDescription{
        "KITH_PARTIAL", "0|1", "1",
        "Keep each rank's rows in a file of PATH.kith.partial while the job runs, so "
        "that they survive a job that is killed. 0 where a file per rank is too many "
        "for the file system."},
    SettingDescription{
        "KITH_REORDER", "FILE|auto", "the launcher's order",
        "The order of the ranks: a mapping, applied as it stands; a trace, mapped at "
        "MPI_Init and applied where that gains; or auto, by the profile of earlier "
        "runs."},
    SettingDescription{"KITH_ALGORITHM", "NAME", "auto",
                       "The mapping algorithm, from kith algorithms."},
    SettingDescription{"KITH_TOPOLOGY", "SPEC", "found by the job",
                       "The whole machine; its j-th allowed slot is where launcher rank j sits."},
    SettingDescription{"KITH_NETWORK", "FILE", "what Slurm says in its jobs, else one level",
                       "What lies between the hosts: a host list, a file of kith probe, or Slurm's "
                       "topology.conf or topology.yaml. What lies inside them the job finds."},
    SettingDescription{"KITH_REORDER_TOPOLOGIES", "on|off", "on",
                       "reorder=1 in MPI's topology functions puts neighbours near each other. "
                       "Formerly KITH_TOPOLOGIES."},
    SettingDescription{"KITH_MIN_GAIN", "SHARE", "2%",
                       "The least predicted gain for which an order made in the job is applied: 2% "
                       "or 0.02."},
    SettingDescription{"KITH_KEEP_RANK0", "0|1", "1",
                       "Rank 0 keeps its process in an order made in the job: launchers give it "
                       "standard input."},
    SettingDescription{"KITH_KEEP_LOCAL", "0|1", "1 where GPUs are visible",
                       "A rank moves only to the same local index of another host: for programs "
                       "that choose a device or a file of the node by local rank."},
    SettingDescription{"KITH_BUDGET", "SECONDS", "30",
                       "How long the ranks wait for a mapping at the start. After that the order "
                       "stays the launcher's."},
    SettingDescription{"KITH_COLLECTIVES", "exact|model|off",
                       "exact where the MPI library allows it, else model",
                       "What collectives send inside: counted in the MPI library's message layer, "
                       "by a model of its algorithms, or not at all."},
    SettingDescription{"KITH_EXACT_SOURCE", "table|monitoring", "what fits the MPI library",
                       "How the message layer is watched: by its function table, or by Open MPI's "
                       "own monitoring."},
    SettingDescription{"KITH_WINDOW", "SECONDS", "no windows",
                       "Phases by time, 1 ms at least, cut at the next blocking collective over "
                       "MPI_COMM_WORLD."},
    SettingDescription{"KITH_CHECKPOINT_SIGNAL", "SIGNAL", "none",
                       "A phase ends at each such signal, cut in the same way: USR1, USR2, HUP, "
                       "WINCH or URG; not one that the program handles itself."},
    SettingDescription{"KITH_VERBOSE", "0|1|2|3", "1", "0 errors only, 1 decisions, 2 and 3 more."},
    SettingDescription{"KITH_HOME", "FOLDER", "$XDG_STATE_HOME/kith, else ~/.local/state/kith",
                       "Where KITH_REORDER=auto keeps its profiles."},
    SettingDescription{"KITH_PROFILE", "NAME", "by program, arguments and ranks",
                       "Names the profile outright: neither path nor arguments count, only the "
                       "ranks."},
    SettingDescription{"KITH_PROFILE_ARGS", "all|none|N", "all",
                       "How many of the program's arguments tell profiles apart: all, none, or the "
                       "first N."},
    SettingDescription{"KITH_PROFILE_COUNT", "N", "100",
                       "How many profiles there may be; those used least lately go first."},
    SettingDescription{"KITH_PROFILE_BYTES", "BYTES", "256M",
                       "How large they may be together; K, M and G stand for powers of 1024."},
};

}  // namespace kith
