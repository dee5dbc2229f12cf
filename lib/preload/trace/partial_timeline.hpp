// What a job that never reaches MPI_Finalize leaves of its timeline.
#pragma once

#include <cstdint>
#include <string>

namespace kith::preload {

/// From now on this process writes the timeline of its first thread to `path` from time to time,
/// inside a call of MPI: after 2 seconds, then ever more rarely, so that it takes less than 1% of the
/// time. Each time the whole file, under another name that is then renamed: what is there is complete
/// up to some moment. What cannot be written is left out without a word.
void keep_timeline_in(const std::string& path, std::uint32_t rank);

/// No more. Removes the file.
void remove_timeline_file();

}  // namespace kith::preload
