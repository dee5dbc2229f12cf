// Every KITH_* variable in words, for manuals: what read_settings() and read_profile_settings()
// read.
#pragma once

#include <array>
#include <string_view>

namespace kith {

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
