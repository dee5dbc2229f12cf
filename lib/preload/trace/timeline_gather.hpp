// The timelines of all ranks, one file for each host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comm/private_comm.hpp"
#include "io/format/trace_text.hpp"
#include "trace/section_writer.hpp"
#include "timeline/stream.hpp"

namespace kith::preload {

/// This rank's timeline, packed, with the numbers that phases have in the job; empty without memory.
/// `own_phases`: the names by this rank's numbers, `phases` the job's.
struct RunTimes {
  std::uint32_t rank = 0;    ///< that the program sees
  double began = 0;          ///< seconds, on the clock of this host
  double seconds = 0;        ///< from the end of MPI_Init to MPI_Finalize
  double computing = 0;      ///< CPU seconds outside MPI
};
std::string packed_timeline(const RunTimes& times, const std::vector<std::string>& own_phases,
                            const std::vector<std::string>& phases);

/// Collective over `private_comm`; first leads_host(). The leader of each host makes the host's file
/// and sends it to the root, which writes it to `files` (null elsewhere) and adds to `covered`. What
/// is missing, for want of memory, is left out.
void gather_timelines(PrivateComm& private_comm, std::string packed, FileSet* files,
                      TraceMetaText::TimelineShare* covered);

}  // namespace kith::preload
