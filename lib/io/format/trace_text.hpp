// The text of a trace's meta.json and machine.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kith/job.hpp"

namespace kith {

/// The number that readers check: raised when an old reader would misread a new trace.
inline constexpr std::uint64_t trace_format_version = 1;

/// What meta.json says.
struct TraceMetaText {
  struct Phase {
    std::string name;
    std::string file;  ///< relative to the trace, see trace_names::phase_bytes()
  };
  /// Sums over all ranks, a rank's messages to itself included.
  struct Totals {
    std::uint64_t bytes = 0;
    std::uint64_t messages = 0;
    std::uint64_t p2p_bytes = 0;
    std::uint64_t coll_bytes = 0;
    std::uint64_t rma_bytes = 0;
    std::uint64_t neighbour_bytes = 0;  ///< of neighbourhood collectives; part of coll_bytes
    std::uint64_t self_bytes = 0;       ///< of ranks to themselves; part of bytes
    std::uint64_t self_messages = 0;
    std::uint64_t foreign_bytes = 0;  ///< to processes outside the world; in no matrix
    std::uint64_t foreign_messages = 0;
  };

  std::string kith_version;
  std::string program;
  std::uint32_t ranks = 0;
  std::string mpi_library;
  std::vector<std::string> hosts;
  std::vector<Phase> phases;
  std::string collectives = "model";  ///< "exact", "model", "off" or "mixed"
  std::string note;                   ///< one sentence about the sources; may be empty
  Totals totals;                      ///< left out of a partial trace, whose rows still change
  std::optional<CartesianTopology> cartesian;  ///< what the program made of its ranks first
  bool partial = false;
  std::string run;  ///< of a partial trace: which run its row files are of (RowFileHeader::run)
};

std::string meta_json_text(const TraceMetaText& meta);

/// machine.json: who sits where, what lies between. The hardware's XML is in files beside it
/// (trace_names::host_xml()); unknown hardware has no file.
std::string machine_json_text(const JobDescription& job);

/// "0-3,8" from ascending numbers; "" from none.
std::string cpu_list_text(const CpuSet& cpus);

}  // namespace kith
