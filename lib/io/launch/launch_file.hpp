// Launch files: a mapping as launchers take it, so that every rank starts where it is to be.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/job.hpp"
#include "kith/mapping.hpp"

namespace kith {

// Where each rank runs, as launchers count: hosts by name, on each of them places and cores.

/// The place of a rank.
struct Binding {
  std::uint32_t host = 0;   ///< index into Bindings::hosts
  std::uint32_t place = 0;  ///< among the places of its host, from 0
  CpuSet cores = {};        ///< by hwloc's logical numbers; empty: not known
};

struct BindingHost {
  std::string name;
  std::uint32_t places = 0;  ///< that the job has there
  std::uint32_t ranks = 0;   ///< that sit there
  CpuSet cpus = {};          ///< that these may run on
  bool knows_cpus = true;    ///< of each of them
};

struct Bindings {
  std::vector<BindingHost> hosts;  ///< in the launcher's order
  std::vector<Binding> of_rank;    ///< by rank
};

/// What launchers need of a mapping. On the machine "job" the places are those of the job's
/// processes, with the cores that they were bound to (not bound: all of the host), and hosts are in
/// the order of their first processes; `job` describes it. On others places are the allowed slots
/// of a node, the k-th one on its core k. Throws Error (input) naming `option` where the machine
/// has no host names, or such that no launcher could tell apart.
Bindings bindings_of(const Mapping& mapping, const Machine& machine, const JobDescription* job,
                     std::string_view option);

struct LaunchFile {
  std::string text;
  std::string command;             ///< how to start with it
  std::vector<std::string> notes;  ///< what it does not say, and what it takes for granted
  /// The file counts the hosts instead of naming them: these, in this order; empty: it names them.
  std::vector<std::string> host_order;
};

/// Makes a launch file of one format. `name` is the file's, for the command. Throws Error (input)
/// naming `option` where the format cannot express the bindings.
using LaunchFileWriter = LaunchFile(const Bindings& bindings, const std::string& name,
                                    std::string_view option);

struct LaunchFormat {
  std::string_view name;      ///< of `kith map --format`
  std::string_view launcher;  ///< who reads it, for the help
  LaunchFileWriter* write;
};

/// All of them, in the order of the help.
std::span<const LaunchFormat> launch_formats();

// One file per format.
LaunchFileWriter rankfile;
LaunchFileWriter prrte_rankfile;
LaunchFileWriter mpich_order;
LaunchFileWriter hydra_hosts;
LaunchFileWriter slurm_hosts;
LaunchFileWriter flux_taskmap;

// --- what several of them share ---------------------------------------------------------------

/// For shells: a name of letters, digits and such as it is, anything else in quotation marks.
std::string shell_word(const std::string& word);

/// For formats that name hosts only: whether the ranks of each host, by number, are on its places
/// in that order, as a launcher that binds one after the other puts them. The note where not, or
/// nothing.
void note_order_in_hosts(const Bindings& bindings, LaunchFile& file);

/// For formats that count hosts: those with ranks as the file's host_order, and the note on it.
void note_host_order(const Bindings& bindings, LaunchFile& file);

/// Consecutive ranks on one host.
struct HostRun {
  std::uint32_t host = 0;
  std::uint32_t ranks = 0;
};
std::vector<HostRun> host_runs(const Bindings& bindings);

}  // namespace kith
