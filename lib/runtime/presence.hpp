// Does every program of this job run under Kith?
#pragma once

#include <string>

namespace kith::runtime {

/// A job may be several programs (`mpirun -n 2 a : -n 2 b`), and the preload may have reached only
/// some of them: the first collective call of ours would then wait for ever. Where the launcher
/// says that there are several, each one's first rank leaves a note with the launcher's name
/// service, and everybody looks for all the notes, for a few seconds at most.
///
/// Not collective, but called by every rank that runs under Kith. Empty when all programs do (or
/// there is only one), else the reason to stay out of this run. Open MPI's mpirun only: other
/// launchers do not tell.
std::string missing_program();

/// Whether this rank is the one to say so: the first of the job's first program under Kith.
bool speaks_for_the_present();

/// Takes this rank's note back. Before MPI_Finalize.
void leave();

}  // namespace kith::runtime
