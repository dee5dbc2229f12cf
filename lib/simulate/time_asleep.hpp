// What ranks did outside MPI without a processor: they slept, read files, or waited for a device.
#pragma once

#include <vector>

#include "simulate/job_replay.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::simulate {

/// Sets Process::asleep, asleep_each and seen_asleep of each rank of one thread: what it spent
/// outside MPI and before its last operation without a processor, if that is a twentieth of its run
/// or more. What long stretches of it were recorded lie where they were, the rest is spread over
/// its computing, and, where it hardly computes, evenly, since what it computed by chance would
/// part ranks that sleep alike. JobReplay::asleep is then the largest share of a run, and
/// JobReplay::dilation is set. `crowding`: by rank, how many ranks shared each processor of its
/// host (ranks_per_processor()); empty: none did. Where they took turns, only what turns do not
/// explain counts: who computes for a second waits at most `crowding` - 1 seconds for its turns;
/// where the timeline says how long it waited for a processor, that counts instead. Reads the
/// timeline again.
void add_time_asleep(JobReplay& job, timeline::TimelineFiles& files,
                     const std::vector<double>& crowding);

}  // namespace kith::simulate
