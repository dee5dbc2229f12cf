// What ranks did outside MPI without a processor: they slept, read files, or waited for a device.
#pragma once

#include "simulate/job_replay.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::simulate {

/// Makes the computing of each rank of one thread longer by the time that it spent outside MPI
/// and before its last operation without a processor, if that is a twentieth of its run or more:
/// when it did so the timeline does not tell. JobReplay::asleep is then the largest share of a run.
/// For jobs whose ranks had a processor each: elsewhere that time is what others took from them.
/// Reads the timeline again.
void add_time_asleep(JobReplay& job, timeline::TimelineFiles& files);

}  // namespace kith::simulate
