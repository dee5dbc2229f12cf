// The KITH_* environment variables: those of a job, and all of them in words.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kith {

/// What is to tell the messages inside collectives.
enum class CollectiveSource { best, exact, model, off };

/// What a job's environment asks for. A bad value becomes a warning and the default.
struct Settings {
  std::string trace;     ///< KITH_TRACE: directory to write, ".kith" appended where missing
  bool force = false;    ///< KITH_FORCE=1: replace an existing trace
  bool partial = true;   ///< KITH_PARTIAL=0: keep no rows in files while the job runs
  bool timeline = true;  ///< KITH_TIMELINE=0: no order and times of operations in a trace
  std::size_t timeline_memory = std::size_t{1}
                                << 20U;  ///< KITH_TIMELINE_MEMORY: bytes of each rank
  std::string reorder;                   ///< KITH_REORDER: a mapping file, a trace, or auto
  std::string algorithm = "auto";        ///< KITH_ALGORITHM
  std::string topology;    ///< KITH_TOPOLOGY: a complete machine; empty: the job's own
  std::string network;     ///< KITH_NETWORK: a file of what lies between the hosts
  double min_gain = 0.02;  ///< KITH_MIN_GAIN: "2%" or "0.02"
  bool keep_rank0 = true;  ///< KITH_KEEP_RANK0
  /// KITH_KEEP_LOCAL: a rank moves only to the same local index of another host; unset: where GPU
  /// devices are visible
  std::optional<bool> keep_local;
  bool check = false;    ///< report at MPI_Init, then end
  std::string run_number;  ///< of the `kith run` that started the job; goes into its traces
  std::string run_mark;  ///< an empty folder that goes as soon as a rank calls MPI_Init
  /// KITH_REORDER_TOPOLOGIES: reorder=1 in MPI's topology calls is ours; unset: it is, and the
  /// order stays in runs that are recorded or in the order of a record
  std::optional<bool> topologies;
  /// KITH_COLLECTIVES=exact|model|off; unset: exact where this library and job allow it
  CollectiveSource collectives = CollectiveSource::best;
  bool exact_by_monitoring = false;     ///< KITH_EXACT_SOURCE=monitoring: not the function table
  std::chrono::milliseconds window{0};  ///< KITH_WINDOW: length of a phase; 0: none
  std::string checkpoint_signal;        ///< KITH_CHECKPOINT_SIGNAL: a name such as USR1
  bool threads = false;     ///< KITH_THREADS=1: the trace has what the threads of each rank share
  std::string bind;         ///< KITH_BIND: POLICY[:core|fine]; empty: threads are not bound
  std::string bind_matrix;  ///< KITH_BIND_MATRIX: what threads share, for some policies
  int verbose = 1;          ///< KITH_VERBOSE: 0 errors, 1 decisions, 2 and 3 more
  std::chrono::milliseconds budget{30'000};  ///< KITH_BUDGET: seconds that the engine may take

  std::vector<std::string> warnings;  ///< one sentence per bad value

  /// A trace, an order or a check.
  bool ask_for_something() const { return !trace.empty() || !reorder.empty() || check; }
};

/// Reads the environment of this process. Throws std::bad_alloc.
Settings read_settings();

class SettingReader;

/// One variable: the one place where its name, default, meaning and parser are written.
struct Setting {
  std::string_view name;
  std::string_view value;    ///< as in the help: literal words in lower case, names in upper case
  std::string_view usual;    ///< what holds without it
  std::string_view meaning;  ///< sentences
  /// Takes it from the environment; null: the profile's own, which lib/profile reads.
  void (*read)(const SettingReader& read, Settings& settings);
};

/// All of them, in the order of the manual.
std::span<const Setting> setting_list();

}  // namespace kith
