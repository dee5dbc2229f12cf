// Does every rank of this job run under Kith?
#pragma once

#include <string>
#include <vector>

namespace kith::runtime {

/// The preload may have reached only some ranks: a static program, a container, another program of
/// an MPMD launch. The first collective call of ours would then wait for ever. So each process
/// leaves a note outside of MPI's messages: with PMIx, where the MPI library spreads it during
/// PMPI_Init (Open MPI); else, where Open MPI's mpirun says that there are several programs, each
/// one's first rank with the launcher's name service, and everybody looks for a few seconds. Under
/// other launchers nobody can tell, and all ranks are taken to be present.
struct Presence {
  /// Launcher ranks without Kith, ascending; the same on all others, but a rank that could not
  /// leave its note names, and logs, itself only.
  std::vector<int> missing;
  std::string reason;  ///< that in words: why to stay out of this run; empty: none is missing
};

/// Before PMPI_Init. Not collective.
void announce_presence() noexcept;

/// After it. Not collective, but called by every rank that runs under Kith.
Presence find_presence();

/// Whether this rank is the one to say so: the first that runs under Kith, where some do not.
bool speaks_for_the_present();

/// Takes this rank's note back. Before MPI_Finalize.
void leave();

}  // namespace kith::runtime
