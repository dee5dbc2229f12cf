// The KITH_* environment variables of a job.
#pragma once

#include <chrono>
#include <optional>
#include <string>
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

}  // namespace kith
